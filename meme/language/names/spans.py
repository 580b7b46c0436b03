"""Where the proper names of a text stand, by capitals and position.

Flows in: one message or sentence in a script with capitals. Flows out: its words and the spans of its names.
Will not tell a person from a place: that is for `names`.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from meme.language.identify import language
from meme.language.names import words as table
from meme.language.topics import is_topic_word
from meme.language.words import STOPWORDS, fold

_TOKEN: Final = re.compile(r"https?://\S+|\S+@\S+\.\w+|[^\W_]+(?:['’.&-][^\W_]+)*[+#]*|[^\s\w]|_+")
_SENTENCE_END: Final = frozenset('.!?…:;。！？\n"“”«»([{-–—•*>|')
_ADVERB_END: Final = ("ing", "ed", "ly")
POSSESSIVE: Final = re.compile(r"['’]s?$")


@dataclass(frozen=True, slots=True)
class Token:
    """One token with its place. `initial`: it begins a sentence, so its capital says nothing."""

    text: str
    start: int
    end: int
    initial: bool

    @property
    def bare(self) -> str:
        """The word without possessive 's."""
        return POSSESSIVE.sub("", self.text)

    @property
    def key(self) -> str:
        """The bare word, folded."""
        return fold(self.bare)

    @property
    def capital(self) -> bool:
        """Whether a capital letter stands in the word and no digit at its head."""
        return (
            any(c.isupper() for c in self.text)
            and self.text[0].isalnum()
            and self.text[0] not in "0123456789"
        )


@lru_cache(maxsize=512)
def name_tokens(text: str) -> list[Token]:
    """The words and marks of `text`, with those that begin a sentence marked."""
    found: list[Token] = []
    initial = True
    last = 0
    for match in _TOKEN.finditer(text):
        if "\n" in text[last : match.start()]:
            initial = True
        token = match.group()
        is_word = token[0].isalnum() and not token.startswith(("http://", "https://")) and "@" not in token
        found.append(Token(token, match.start(), match.end(), initial and is_word))
        if is_word:
            initial = False
        elif token in _SENTENCE_END or not token.isascii():
            # "Dr. Smith" begins no sentence.
            initial = not (token == "." and len(found) > 1 and found[-2].key in table.HONORIFICS)
        last = match.end()
    return found


def _shouting(words: list[Token]) -> bool:
    letters = [w.text for w in words if w.text[0].isalpha() and len(w.text) > 1]
    return len(letters) >= 3 and sum(t.isupper() for t in letters) > len(letters) * 0.6


def is_common(word: Token) -> bool:
    """Whether a capitalised word is an everyday one: a capital makes it no name."""
    key = word.key
    return (
        key in table.NEVER_NAMES
        or key in table.CALENDAR
        or key in STOPWORDS
        or fold(word.text) in STOPWORDS
        or fold(word.text) in table.STARTERS
        or (len(word.text) == 1 and word.text.isascii())
    )


def is_given_name(key: str) -> bool:
    """Whether a folded word is a known first name."""
    return key in table.GIVEN_SHE or key in table.GIVEN_HE


def _starts_name(words: list[Token], at: int, elsewhere: set[str], german: bool) -> bool:
    word = words[at]
    if (
        not word.capital
        or word.key in table.NEVER_NAMES
        or word.key in table.CALENDAR
        or fold(word.text) in STOPWORDS
    ):
        return False
    following = words[at + 1] if at + 1 < len(words) else None
    if german and not _german_name(words, at):
        return False
    if not word.initial:
        return not (len(word.text) == 1 and word.text.isascii()) and fold(word.text) not in table.STARTERS
    if is_common(word):
        return False
    key = word.key
    if (
        key in elsewhere
        or is_given_name(key)
        or key in table.WELL_KNOWN_PLACES
        or sum(c.isupper() for c in word.text) > 1
    ):
        return True
    if following is None or key.endswith(_ADVERB_END) or is_topic_word(key):
        return False
    if following.capital and not following.initial and not is_common(following):
        return True
    if fold(following.text) in {"of", "&"} and at + 2 < len(words) and words[at + 2].capital:
        return True
    after = fold(following.text)
    if after == "and":  # "Almonds and walnuts" are no names, "Otter and Finch" may be
        return at + 2 < len(words) and words[at + 2].capital and not is_common(words[at + 2])
    return after in table.PERSON_VERBS or after in {"is", "was", "has", "had", "will", "does", "did"}


def _german_name(words: list[Token], at: int) -> bool:
    """German capitalises every noun: a name is one without article after a preposition, or a known one."""
    word = words[at]
    key = word.key
    if is_given_name(key) or key in table.WELL_KNOWN_PLACES:
        return True
    before = fold(words[at - 1].text) if at else ""
    if (
        before in table.GERMAN_LEADS
        or key.endswith(table.GERMAN_NOUN_END)
        or key in {"sie", "ihr", "ihnen", "ihre"}
    ):
        return False
    return before in table.GERMAN_NAME_LEADS or (
        at > 0 and words[at - 1].capital and not words[at - 1].initial
    )


@lru_cache(maxsize=512)
def name_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every proper name in `text`."""
    words = name_tokens(text)
    if _shouting(words):
        return []
    german = language(text) == "de"
    elsewhere = {w.key for w in words if w.capital and not w.initial and not is_common(w)}
    spans: list[tuple[int, int]] = []
    at = 0
    while at < len(words):
        if not _starts_name(words, at, elsewhere, german):
            at += 1
            continue
        end = _name_end(words, at, text)
        spans.append((words[at].start, words[at].start + len(text[words[at].start : words[end].end])))
        at = end + 1
    return spans


def _adjacent(left: Token, right: Token, text: str) -> bool:
    gap = text[left.end : right.start]
    return "\n" not in gap and len(gap) <= 2 and not gap.strip()


def _name_end(words: list[Token], at: int, text: str) -> int:
    """Index of the last word of the name that starts at `at`."""
    end = at
    while end + 1 < len(words) and (words[end].text == words[end].bare or _names_site(words, end)):
        nxt = words[end + 1]
        if nxt.text == "." and fold(words[end].text) in table.HONORIFICS | {"st"}:
            if end + 2 < len(words) and words[end + 2].capital:
                end += 2
                continue
            break
        if nxt.text == "." and _is_initial(words, at, end) and _adjacent(words[end], nxt, text):
            if end + 2 < len(words) and words[end + 2].capital and not is_common(words[end + 2]):
                end += 2
                continue
            break
        if not _adjacent(words[end], nxt, text) or nxt.text.startswith(("http:", "https:")):
            break
        if (
            nxt.capital
            and not nxt.initial
            and nxt.key not in table.NEVER_NAMES
            and nxt.key not in table.CALENDAR
        ):
            end += 1
            continue
        reach = _over_connectors(words, end, text)
        if reach == end:
            break
        end = reach
    return end


def _names_site(words: list[Token], end: int) -> bool:
    """Whether word `end` is the Mary's of "St Mary's Hospital"."""
    after = words[end + 1]
    return after.capital and not after.initial and after.key in table.PLACE_NOUNS


def _is_initial(words: list[Token], at: int, end: int) -> bool:
    """Whether word `end` is the K of "Ursula K. Vonn"."""
    return (
        end > at and len(words[end].text) == 1 and words[end].text.isupper() and is_given_name(words[at].key)
    )


def _over_connectors(words: list[Token], end: int, text: str) -> int:
    """ "Bank of the West": the index of the capitalised word beyond at most two connectors, else `end`."""
    for hops in (1, 2):
        target = end + hops + 1
        if target >= len(words):
            return end
        between = words[end + 1 : target]
        if not all(fold(w.text) in table.CONNECTORS for w in between):
            return end
        if not all(_adjacent(words[i], words[i + 1], text) for i in range(end, target)):
            return end
        word = words[target]
        if word.capital and word.key not in table.CALENDAR and word.key not in table.NEVER_NAMES:
            if word.text != word.bare:
                return end  # "the pic reminded Jon of Jo's house"
            single = fold(words[end + 1].text)
            return target if single not in {"for", "the", "do", "el"} or hops == 2 else end
    return end

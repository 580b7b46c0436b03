"""Names, places, numbers, titles, keywords and the language of a text, by rule.

Flows in: one message or sentence in any language. Flows out: tuples of strings as written, in order of
appearance. Will not consult a model or a gazetteer beyond its own tables, translate, or correct a spelling.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from meme.language import name_words as table
from meme.language.identify import language as language
from meme.language.words import STOPWORDS, fold

_TOKEN: Final = re.compile(r"https?://\S+|\S+@\S+\.\w+|[^\W_]+(?:['’.&-][^\W_]+)*[+#]*|[^\s\w]|_+")
_NUMBER: Final = re.compile(
    r"(?<![\w.,-])[$€£¥₹]?[+-]?\d+(?:[.,:/-]\d+)*(?:st|nd|rd|th)?(?![\d])%?"
    r"|(?<=[^\W\d_a-zA-Z\u00c0-\u024f])\d+(?:[.,:]\d+)*"
)
_QUOTED: Final = re.compile(
    r"\"([^\"\n]{1,100})\"|“([^”\n]{1,100})”|„([^“”\n]{1,100})[“”]|«\s?([^»\n]{1,100}?)\s?»"
    r"|「([^」\n]{1,100})」|『([^』\n]{1,100})』|《([^》\n]{1,100})》"
    r"|(?<!\w)['‘]([A-Z0-9](?:[^'’\n]|['’](?=\w)){1,80})['’](?!\w)"
)
_SENTENCE_END: Final = frozenset('.!?…:;。！？\n"“”«»([{-–—•*>|')
_ADVERB_END: Final = ("ing", "ed", "ly")
_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_CJK_FUNCTION: Final = re.compile(
    r"[的了是在我你他她它们我们和与及也都就很有没不去来到要会能吗呢吧啊这那个一下把被让给跟从对]"
    r"|[はがをにでのともへやからまでですますたてるいうれさしな]"
)
_POSSESSIVE: Final = re.compile(r"['’]s?$")


@dataclass(frozen=True, slots=True)
class _Word:
    """One token with its place. `initial`: it begins a sentence, so its capital says nothing."""

    text: str
    start: int
    end: int
    initial: bool

    @property
    def bare(self) -> str:
        return _POSSESSIVE.sub("", self.text)

    @property
    def key(self) -> str:
        return fold(self.bare)

    @property
    def capital(self) -> bool:
        return (
            any(c.isupper() for c in self.text)
            and self.text[0].isalnum()
            and self.text[0] not in "0123456789"
        )


@lru_cache(maxsize=512)
def _words(text: str) -> list[_Word]:
    found: list[_Word] = []
    initial = True
    last = 0
    for match in _TOKEN.finditer(text):
        if "\n" in text[last : match.start()]:
            initial = True
        token = match.group()
        is_word = token[0].isalnum() and not token.startswith(("http://", "https://")) and "@" not in token
        found.append(_Word(token, match.start(), match.end(), initial and is_word))
        if is_word:
            initial = False
        elif token in _SENTENCE_END or not token.isascii():
            # "Dr. Smith" begins no sentence.
            initial = not (token == "." and len(found) > 1 and found[-2].key in table.HONORIFICS)
        last = match.end()
    return found


def _unique(items: Iterable[str]) -> tuple[str, ...]:
    seen: dict[str, str] = {}
    for item in items:
        if item.strip():
            seen.setdefault(fold(item), item)
    return tuple(seen.values())


def _shouting(words: list[_Word]) -> bool:
    letters = [w.text for w in words if w.text[0].isalpha() and len(w.text) > 1]
    return len(letters) >= 3 and sum(t.isupper() for t in letters) > len(letters) * 0.6


def _common(word: _Word) -> bool:
    key = word.key
    return (
        key in table.NEVER_NAMES
        or key in table.CALENDAR
        or key in STOPWORDS
        or fold(word.text) in STOPWORDS
        or fold(word.text) in table.STARTERS
        or (len(word.text) == 1 and word.text.isascii())
    )


def _given(key: str) -> bool:
    return key in table.GIVEN_SHE or key in table.GIVEN_HE


def _starts_name(words: list[_Word], at: int, elsewhere: set[str], german: bool) -> bool:
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
    if _common(word):
        return False
    key = word.key
    if (
        key in elsewhere
        or _given(key)
        or key in table.WELL_KNOWN_PLACES
        or sum(c.isupper() for c in word.text) > 1
    ):
        return True
    if following is None or key.endswith(_ADVERB_END):
        return False
    if following.capital and not following.initial and not _common(following):
        return True
    if fold(following.text) in {"of", "&"} and at + 2 < len(words) and words[at + 2].capital:
        return True
    after = fold(following.text)
    return after in table.PERSON_VERBS or after in {"is", "was", "has", "had", "will", "does", "did", "and"}


def _german_name(words: list[_Word], at: int) -> bool:
    """German capitalises every noun: a name is one without article after a preposition, or a known one."""
    word = words[at]
    key = word.key
    if _given(key) or key in table.WELL_KNOWN_PLACES:
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
def _name_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every proper name in `text`."""
    words = _words(text)
    if _shouting(words):
        return []
    german = language(text) == "de"
    elsewhere = {w.key for w in words if w.capital and not w.initial and not _common(w)}
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


def _adjacent(left: _Word, right: _Word, text: str) -> bool:
    gap = text[left.end : right.start]
    return "\n" not in gap and len(gap) <= 2 and not gap.strip()


def _name_end(words: list[_Word], at: int, text: str) -> int:
    """Index of the last word of the name that starts at `at`."""
    end = at
    while end + 1 < len(words) and words[end].text == words[end].bare:
        nxt = words[end + 1]
        if nxt.text == "." and fold(words[end].text) in table.HONORIFICS | {"st"}:
            if end + 2 < len(words) and words[end + 2].capital:
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


def _over_connectors(words: list[_Word], end: int, text: str) -> int:
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


def proper_names(text: str) -> tuple[str, ...]:
    """The capitalised names inside the sentences of `text`, multi-word ones whole, without possessive 's."""
    return _unique(_POSSESSIVE.sub("", text[start:end]) for start, end in _name_spans(text))


def _known_in(text: str, known: Iterable[str]) -> Iterator[tuple[int, str]]:
    folded = fold(text)
    for name in known:
        key = fold(name).strip()
        if not key:
            continue
        edges = ("", "") if _CJK.search(key) else (r"(?<![^\W_])", r"(?![^\W_])")
        match = re.search(edges[0] + re.escape(key) + edges[1], folded)
        if match:
            yield match.start(), name
            continue
        short = _nickname(text, key)
        if short is not None:
            yield short, name


def _nickname(text: str, key: str) -> int | None:
    """Where a capitalised short form ("Mel" for "Melanie", "Ana" for "Ana Silva") stands in `text`."""
    first = key.split()[0]
    for word in _words(text) if len(first) > 2 else ():
        if word.capital and len(word.key) >= 3 and first.startswith(word.key) and not _common(word):
            return word.start
    return None


def persons(text: str, known: Iterable[str] = ()) -> tuple[str, ...]:
    """The persons named in `text`: `known` names in any case, and proper names where a person would stand.

    A known name is returned in its known spelling, also where only its short form is used ("Mel").
    """
    known = tuple(known)
    found = list(_known_in(text, known))
    taken = {fold(name) for _, name in found} | {fold(name).split()[0] for _, name in found if name.strip()}
    short = {fold(name) for name in known}
    for start, end in _name_spans(text):
        name = _POSSESSIVE.sub("", text[start:end])
        key = fold(name)
        if key in taken or any(k.startswith(key) for k in short):
            continue
        if _person_like(text, start, end, key):
            found.append((start, name))
    return _unique(name for _, name in sorted(found))


_BEFORE: Final = re.compile(r"([^\W\d_][\w'’-]*)\W{0,3}$")
_AFTER: Final = re.compile(r"^(?:['’]s)?[\s,]*([^\W\d_][\w'’]*)(?:\s+([^\W\d_][\w'’]*))?")


def _person_like(text: str, start: int, end: int, key: str) -> bool:
    parts = key.split()
    if parts[0].rstrip(".") in table.HONORIFICS and len(parts) > 1:
        return True
    if any(p in table.PLACE_NOUNS for p in parts[1:]) or key in table.WELL_KNOWN_PLACES:
        return False
    if _given(parts[0]) and parts[-1] not in {"ltd", "inc", "gmbh", "corp", "co", "university"}:
        return True
    before = _BEFORE.search(text[max(0, start - 40) : start])
    after = _AFTER.match(text[end : end + 60])
    lead = fold(before.group(1)) if before else ""
    if lead in table.KINSHIP or lead.rstrip("s") in table.KINSHIP or lead in table.MEETING_VERBS:
        return True
    if lead in table.HONORIFICS:
        return True
    if lead in {"named"} and _named_person(text, start):
        return True
    if not after:
        return False
    return fold(after.group(1)) in table.PERSON_VERBS or (
        after.group(1) == "and" and after.group(2) in {"I", "me"}
    )


def _named_person(text: str, start: int) -> bool:
    return any(fold(w) in table.KINSHIP for w in re.findall(r"[\w-]+", text[max(0, start - 60) : start])[-4:])


def places(text: str) -> tuple[str, ...]:
    """The places named in `text`: after "in", "from", "visited"; after "to" where somebody moves."""
    found: list[str] = []
    previous_end = -10
    for start, end in _name_spans(text):
        name = _POSSESSIVE.sub("", text[start:end])
        leads = [fold(w) for w in re.findall(r"[^\W\d_]+|[^\w\s]", text[max(0, start - 60) : start])][-5:]
        follows_place = text[previous_end:start].strip() == "," and previous_end > 0
        if follows_place or _place_like(fold(name), leads):
            found.append(name)
            previous_end = end
    return _unique(found)


def _place_like(key: str, leads: list[str]) -> bool:
    parts = key.split()
    if key in table.NOT_PLACES or parts[0] in table.NOT_PLACES:
        return False
    if key in table.WELL_KNOWN_PLACES or (len(parts) > 1 and {parts[0], parts[-1]} & table.PLACE_NOUNS):
        return True
    if leads and leads[-1] == "the":
        leads = leads[:-1]
    if not leads or (_given(parts[0]) and leads[-1] != "in" and not set(leads) & table.FAR_MOTION):
        return False
    if leads[-1] == "to":
        return any(w in table.MOTION for w in leads[:-1])
    return leads[-1] in table.PLACE_LEADS and not (leads[-1] == "from" and set(leads) & table.HEARD)


def numbers(text: str) -> tuple[str, ...]:
    """The numbers of `text` as written ("12", "3.5", "$200", "10:30", "3rd"); digits in a name are none."""
    return _unique(m.group() for m in _NUMBER.finditer(_URL.sub(lambda m: " " * len(m.group()), text)))


_URL: Final = re.compile(r"(?:https?://|www\.)\S+")


def titles(text: str) -> tuple[str, ...]:
    """What stands in quotation marks and reads like a title: "The Hobbit", «…», “…”; no quoted speech."""
    found = (next(g for g in match.groups() if g is not None) for match in _QUOTED.finditer(text))
    return _unique(title.strip() for title in found if _title_like(title.strip()))


def _title_like(title: str) -> bool:
    if not title or title.endswith((",", ";", ":")):
        return False
    if _CJK.match(title):
        return len(title) <= 40
    tokens = title.split()
    if not (title[0].isupper() or title[0].isdigit()) or len(tokens) > 12:
        return False
    long = [t for t in tokens if len(t) > 3 and t[0].isalpha()]
    capital = sum(t[0].isupper() for t in long)
    return capital * 2 >= len(long) if not title.endswith((".", "!", "?")) else capital == len(long)


def keywords(text: str, limit: int = 8) -> tuple[str, ...]:
    """The content words and short phrases of `text`, most telling first: titles, names, pairs, long words."""
    scores: dict[str, tuple[float, int]] = {}
    named = list(titles(text))
    named += [n for n in proper_names(text) if not any(fold(n) in fold(title) for title in named)]
    for rank, name in enumerate(named):
        scores[name] = (10.0 - rank * 0.01, rank)
    inside = {part for name in named for part in fold(name).split()}
    for position, run in enumerate(_content_runs(text)):
        kept = [w.lower() for w in run if fold(w) not in inside]
        for key in kept:
            score = min(len(key), 12) / 4 + (-1.0 if key.endswith(("ing", "ed", "ly")) else 0.0)
            old = scores.get(key, (0.0, position))
            scores[key] = (max(old[0] + 0.5, score), old[1])
        if len(kept) == 2 == len(run):
            scores[" ".join(kept)] = (4.0 + len("".join(kept)) / 20, position)
    ranked = sorted(scores, key=lambda k: (-scores[k][0], scores[k][1]))
    return _unique(ranked)[:limit]


def _latin(text: str) -> str:
    code = language(text)
    return code if code in table.LANGUAGE_WORDS else "en"


def _content_runs(text: str) -> Iterator[list[str]]:
    run: list[str] = []
    weak = STOPWORDS | table.WEAK | table.CALENDAR | table.LANGUAGE_WORDS[_latin(text)]
    for match in re.finditer(r"[^\W\d_][\w'’-]*|[^\w\s]|\d\S*", text):
        word = _POSSESSIVE.sub("", match.group())
        if _CJK.search(word):
            yield from ([part] for part in _CJK_FUNCTION.split(word) if len(part) >= 2)
            continue
        key = fold(word)
        if not word[:1].isalpha() or key in weak or word.lower() in weak or len(key) < 3:
            if run:
                yield run
            run = []
        else:
            run.append(word)
    if run:
        yield run

"""One English sentence as words that can be exchanged one by one.

Flows in: a sentence. Flows out: its words (lower case, for looking at) and, after exchanges, its new text,
all spacing and punctuation kept. Knows subjects, inversions and verbs joined by "and" by position and word
tables alone; will not parse, and changes no verb where it is not sure.
"""

import re
from collections.abc import Callable
from typing import Final

from meme.language.english import words as table
from meme.language.english.verbs import is_adverb, is_base, is_finite, is_past, third_person

_TOKEN: Final = re.compile(
    r"https?://\S+|\S+@\S+\.\w+|`[^`]*`|\"[^\"]*\"|“[^”]*”|«[^»]*»|[^\W_]+(?:['’-][^\W_]+)*|\s+|.", re.DOTALL
)
_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*\Z")
_JOINS: Final = frozenset(["and", "or", "but", "then", "&"])
_CONTRACTED: Final = frozenset(["it", "that", "this", "he", "she", "there", "what", "here", "who"])
_DIRECTIONAL: Final = frozenset(["work", "bed", "sleep", "school", "church", "town", "college", "class"])


class Clause:
    """The words of a sentence and their exchange."""

    def __init__(self, sentence: str) -> None:
        self._tokens: list[str] = _TOKEN.findall(sentence)
        self._at = [i for i, token in enumerate(self._tokens) if _WORD.match(token)]
        self._asking = sentence.rstrip().endswith("?")
        self._raw = [self._tokens[i] for i in self._at]
        self.words = [word.lower().replace("’", "'") for word in self._raw]

    def text(self) -> str:
        """The sentence as it now stands."""
        return re.sub(r"(?<=\S)  +", " ", "".join(self._tokens)).strip()

    def put(self, at: int, text: str | None) -> None:
        """Exchange word `at`; None takes it away. A capital at the head of the sentence is kept."""
        old = self._tokens[self._at[at]]
        if text and at == 0 and old[:1].isupper() and old != "I":
            text = text[:1].upper() + text[1:]
        self._tokens[self._at[at]] = text or ""

    def gap(self, at: int) -> str:
        """The punctuation between word `at - 1` and word `at`."""
        if at <= 0 or at >= len(self._at):
            return "."
        return "".join(self._tokens[self._at[at - 1] + 1 : self._at[at]]).strip()

    def follows_directly(self, at: int) -> bool:
        """Whether word `at` exists and only white space stands before it."""
        return at < len(self.words) and not self.gap(at)

    def verb_after(self, at: int) -> int | None:
        """Index of the word after subject `at` and its adverbs, or None where a border comes first."""
        i = at + 1
        if i < len(self.words) and self.gap(i) == ",":
            closing = next((j for j in range(i + 1, min(i + 6, len(self.words))) if self.gap(j) == ","), None)
            if closing is None:
                return None
            i = closing
        elif not self.follows_directly(i):
            return None
        while i < len(self.words) and (is_adverb(self.words[i]) or self._hedge(i)):
            if not self.follows_directly(i + 1) and self.gap(i + 1) != ",":
                return None
            i += 1
        return i if i < len(self.words) else None

    def _hedge(self, i: int) -> bool:
        return self.words[i : i + 2] in (["kind", "of"], ["sort", "of"]) or (
            self.words[i] == "of" and self.words[i - 1] in {"kind", "sort"}
        )

    def next_is(self, at: int, test: Callable[[str], bool]) -> bool:
        """Whether the first word after `at` that is no adverb passes `test`."""
        i = at + 1
        while i < len(self.words) and is_adverb(self.words[i]) and self.words[i] not in {"better"}:
            i += 1
        return i < len(self.words) and test(self.words[i])

    def inverted(self, at: int) -> bool:
        """Whether the verb stands before its subject: "do I", "so have I"."""
        if at == 0 or self.gap(at) or self.words[at - 1] not in table.INVERTED:
            return False
        if at > 1 and self.words[at - 2] == "to":
            return False  # "glad to have you"
        if at == 1 or self.gap(at - 1) or (self._asking and table.ASKING & set(self.words[: at - 1])):
            return True
        return self.words[at - 2] in table.INVERTERS or at + 1 >= len(self.words) or bool(self.gap(at + 1))

    def joined_subject(self, at: int) -> bool:
        """Whether the pronoun at `at` is one of several subjects: "Bob and I", "I and my wife"."""
        if at + 2 < len(self.words) and self.words[at + 1] in {"and", "&"} and not self.gap(at + 1):
            return self.words[at + 2] in table.DETERMINERS or self._raw[at + 2][:1].isupper()
        joined = at >= 2 and not self.gap(at) and self.words[at - 1] in {"and", "or"}
        if not (joined or (at >= 2 and self.gap(at) == "&")):
            return False
        end = at - 1 if joined else at
        begin = end
        while begin > 0 and end - begin < 7 and not self._border(begin):
            begin -= 1
        chunk = self.words[begin:end]
        return 0 < len(chunk) <= 5 and self._subject_like(begin, chunk)

    def _border(self, begin: int) -> bool:
        gap = self.gap(begin)
        return bool(gap.strip("&,")) or gap == "," or self.words[begin - 1] in table.STOPPERS - {"he", "she"}

    def _subject_like(self, begin: int, chunk: list[str]) -> bool:
        first = chunk[0]
        if (
            begin == 0
            and len(chunk) > 1
            and first not in table.DETERMINERS
            and not self._all_capital(begin, chunk)
        ):
            return False  # the capital of "Great weather and I've ..." is that of the sentence
        if any(word.partition("'")[0] in _CONTRACTED and "'" in word for word in chunk):
            return False  # "It's 34 degrees and I've ..."
        if (
            first in table.DETERMINERS
            or first in {"me", "you", "he", "she", "him", "her"}
            or (self._raw[begin][:1].isupper() and not is_finite(first))
        ):
            inner = chunk[1:]
        else:
            return False
        return not any(
            is_finite(w) and w not in table.NOUN_VERBS and w not in table.KIN_PRONOUN for w in inner
        )

    def _all_capital(self, begin: int, chunk: list[str]) -> bool:
        return all(raw[:1].isupper() for raw in self._raw[begin : begin + len(chunk)])

    def is_object(self, at: int) -> bool:
        """Whether a bare "you" at `at` is no subject: after a preposition or a verb, or before no verb."""
        before = self.words[at - 1] if at and not self.gap(at) else ""
        if before in table.INVERTED:
            return False
        verb = self.verb_after(at)
        verbal = verb is not None and is_finite(self.words[verb])
        if before in table.PREPOSITIONS or (before in table.CLAUSE_VERBS - table.SAYING and not verbal):
            return True
        governed = is_finite(before) or before.endswith("ing")
        return not verbal or (governed and before not in table.SAYING)

    def is_possessive(self, at: int) -> bool:
        """Whether "her" at `at` owns what follows."""
        if not self.follows_directly(at + 1):
            return False
        after = self.words[at + 1]
        return not (
            after in table.PREPOSITIONS
            or after in table.STOPPERS
            or after in table.DETERMINERS
            or after in _JOINS
            or is_adverb(after)
        )

    def names_kin(self, at: int) -> bool:
        """Whether a capitalised "Mom" at `at` stands like a name: no owner before it, nobody called."""
        before = self.words[at - 1] if at else ""
        owned = before in table.DETERMINERS or before.endswith("'s")
        called = bool(self.gap(at)) and at > 0
        return self._raw[at][:1].isupper() and not owned and not called and self.follows_directly(at + 1)

    def agree(self, at: int) -> None:
        """Bring the verb of the singular subject at word `at`, and verbs joined to it, into agreement."""
        verb = self.verb_after(at)
        if verb is None:
            return
        word = self.words[verb]
        if word in table.SINGULAR_PAST and self.words[at] in {"you", "u", "ya"} and not self._wished(at):
            self.put(verb, table.SINGULAR_PAST[word])
        elif word in table.MODALS:
            self.agree_coordinated(verb, kind="past" if word in {"was", "had"} else "modal")
        elif word in table.THIRD_PERSON:
            self.put(verb, third_person(word))
            self.agree_coordinated(verb, kind="modal" if word in _DO else "be")
        elif is_past(word) and not (word in table.SAME_FORM and self._habitual()):
            self.agree_coordinated(verb, kind="past")
        elif self._base_like(word):
            self.put(verb, third_person(self._raw[verb]))
            if word not in table.CLAUSE_VERBS:
                self.agree_coordinated(verb, kind="present")

    def _wished(self, at: int) -> bool:
        """Whether "were" is a subjunctive here: "I wish you were", "if you were"."""
        return any(word in {"wish", "wished", "if", "though"} for word in self.words[max(0, at - 2) : at])

    def _habitual(self) -> bool:
        return any(word in table.HABIT for word in self.words)

    def _base_like(self, word: str) -> bool:
        if is_base(word):
            return True
        if word.endswith("s") and is_finite(word):
            return False  # "makes" agrees already
        closed = word in table.PREPOSITIONS or word in table.STOPPERS or word in table.DETERMINERS
        return (
            not closed and word not in _JOINS | table.OBJECTS and word.isalpha() and not word.endswith("ing")
        )

    def agree_coordinated(self, start: int, *, kind: str) -> None:
        """Change the verbs joined by "and" to the one at `start`: "... and live in Berlin"."""
        infinitive = kind == "modal"
        listed = False
        i = start + 1
        while i < len(self.words):
            word, gap = self.words[i], self.gap(i)
            if gap.strip(",-&'’\"") or (word in table.STOPPERS and word not in {"than", "there"}):
                return
            if word == "to" and self._opens_infinitive(i):
                infinitive = True
            target = i + 1 if word in {"and", "but", "&"} else i if gap == "," and listed else None
            if gap == "," and i - start <= 3 and self._listed_verb(i):
                target, listed = i, True
            if target is not None:
                while target < len(self.words) and is_adverb(self.words[target]):
                    target += 1
                self._agree_joined(target, start, kind, infinitive)
            i += 1

    def _opens_infinitive(self, i: int) -> bool:
        after = self.words[i + 1] if i + 1 < len(self.words) else ""
        return (is_base(after) or after == "be") and after not in _DIRECTIONAL

    def _listed_verb(self, i: int) -> bool:
        """ ", clean," in "I cook, clean, and work": a base verb in a list that "and" ends."""
        return (
            is_base(self.words[i])
            and "and" in self.words[i + 1 : i + 8]
            and self.words[i] not in table.NOUN_VERBS
        )

    def _agree_joined(self, at: int, start: int, kind: str, infinitive: bool) -> None:
        if at >= len(self.words) or self.gap(at).strip(","):
            return
        word = self.words[at]
        if word in {"am", "don't", "haven't"} or (word in {"have", "do"} and not infinitive):
            self.put(at, third_person(word))
        elif (
            not infinitive
            and word in table.BASE_VERBS
            and not is_past(word)
            and self._verbal(at, start, kind)
        ):
            self.put(at, third_person(self._raw[at]))

    def _verbal(self, at: int, start: int, kind: str) -> bool:
        """Whether a word behind "and" that may be a noun is a verb here."""
        word = self.words[at]
        if word not in table.NOUN_VERBS:
            return True
        after = self.words[at + 1] if self.follows_directly(at + 1) else ""
        if after in table.DETERMINERS or after in table.OBJECTS:
            return True
        between = self.words[start + 1 : at - 1]
        loose = not between or any(w in table.PREPOSITIONS or is_adverb(w) for w in between)
        return loose and (
            after in table.PREPOSITIONS or is_adverb(after) or (kind == "present" and not between)
        )


_DO: Final = frozenset(["do", "don't", "dont", "wanna", "gotta"])

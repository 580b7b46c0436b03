"""English sentences restated so that they stand alone: names in the place of pronouns.

Flows in: one sentence, who says it to whom, and who was spoken of just before. Flows out: the sentence in the
third person. Will not touch quoted words, past tenses, modals or names, and leaves a pronoun as it is where
its meaning is not clear. Relative dates are not its business.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from meme.language.english import words as table
from meme.language.english.clauses import Clause
from meme.language.english.referents import Antecedent, gender, referents
from meme.language.english.sentences import sentences
from meme.language.english.verbs import is_base, is_participle, is_past
from meme.language.names import proper_names
from meme.language.words import fold

__all__ = ["Antecedent", "referents", "restate", "sentences"]

_FIRST: Final = frozenset(["i", "i'm", "i've", "i'll", "i'd", "im", "ive"])
_SECOND: Final = frozenset(["you", "you're", "you've", "you'll", "you'd", "u", "ya"])
_PLURAL: Final = frozenset(["we", "we're", "we've", "we'll", "we'd"])
_GENERIC_YOU: Final = re.compile(
    r"\b(?:if|when|whenever|where|how|as|once|until|whatever|because|than|so that|things|thing|what|way"
    r"|makes?|lets?|helps?|gives?|gets?|takes?|shows?|teaches|keeps?|reminds?|do anything|both of"
    r"|all of) you\b"
    r"(?! (?:said|mentioned|told|suggested|did|were|had|got|made|went|gave|said|wrote|sent|felt|\w+ed)\b)"
    r"|(?<!\bdo )(?<!\bdid )(?<!\bwill )(?<!\bwould )\byou (?:can(?!'t (?:eat|have|come|make))|never"
    r"|always|only|guys|all|two|both|folks|gotta|need|have to"
    r"|know,|know what|see,|bet|name it|just have)\b"
    r"|\bthank(?:s|ing)? you\b|\bsee you\b|\bfor you\b.*\byou\b|\byou and your\b"
    r"|\blike you\b(?! (?:and|had|have|were|are|got|did|'re))",
    re.IGNORECASE,
)
_INCLUSIVE: Final = re.compile(
    r"\b(?:let's|each other|one another|our (?:friendship|conversation|chat|talk|call|last)|both of us"
    r"|two of us|between us|we both|we last|we (?:\w+ )?(?:chatted|talked|spoke|met|caught up)"
    r"|you and i|you and me)\b",
    re.IGNORECASE,
)
_EVERYBODY: Final = re.compile(
    r"\b(?:we all|we're all|us all|all of us|we are all|our lives)\b(?: (\w+))?", re.IGNORECASE
)
_OWN_GROUP: Final = re.compile(
    r"\b(?:my|our) \w+|\b(?:with|and) the (?:kids|family|team|boys|girls|guys|dogs?)\b|\byou\b|\byour\b",
    re.IGNORECASE,
)


def restate(
    sentence: str,
    speaker: str,
    addressee: str | None,
    others: Sequence[str] = (),
    antecedents: Sequence[Antecedent] = (),
) -> str:
    """`sentence` with names for pronouns: the speaker's for "I", the addressee's for "you".

    "we" is both, or "Alice and others" where another group is meant. `addressee` is None where it is not
    clear who "you" is. `others` are further known names. `antecedents` are the persons spoken of just before,
    nearest sentence first: "he", "she" and "they" are replaced only where exactly one of them fits.
    """
    return _Restating(sentence, speaker, addressee, others, antecedents).text()


class _Restating:
    """One sentence on its way to the third person."""

    def __init__(
        self,
        sentence: str,
        speaker: str,
        addressee: str | None,
        others: Sequence[str],
        antecedents: Sequence[Antecedent],
    ) -> None:
        self.clause = Clause(sentence)
        self.speaker = speaker
        self.addressee = addressee if addressee and not _GENERIC_YOU.search(sentence) else None
        self.both = self._both(sentence, addressee, antecedents)
        self.people = self._people(sentence, others, antecedents)
        self.bound: set[str] = set()

    def _both(self, sentence: str, addressee: str | None, antecedents: Sequence[Antecedent]) -> str | None:
        """Who "we" is: both talkers, the speaker's own group, or not clear."""
        everybody = _EVERYBODY.search(sentence)
        if everybody and not is_past(everybody.group(1) or ""):
            return None
        if _INCLUSIVE.search(sentence):
            return f"{self.speaker} and {addressee or 'others'}"
        near = (a for a in antecedents if a.name.split()[-1] not in table.OUTSIDERS)
        group = next((a for a in near if a.name.startswith(f"{self.speaker}'s ")), None)
        if group:
            return f"{self.speaker} and {group.name}"
        if addressee is None:
            return f"{self.speaker} and others"
        words = [w.replace("’", "'") for w in re.findall(r"[\w'’]+", sentence.lower())]
        past = any(is_past(b) for a, b in pairwise(words) if a == "we" or "we" not in words)
        own = (
            past
            or "we've" in words
            or _THIRD.keys() & set(words[:1])
            or _OWN_GROUP.search(sentence)
            or table.GROUPS & set(words)
        )
        return f"{self.speaker} and others" if own else f"{self.speaker} and {addressee}"

    def _people(
        self, sentence: str, others: Sequence[str], antecedents: Sequence[Antecedent]
    ) -> dict[str, Antecedent]:
        """Which person each of he, she and they stands for, where exactly one fits."""
        found: dict[str, Antecedent] = {}
        for pronoun in ("he", "she", "they") if antecedents else ():
            first = _FORMS[pronoun].search(sentence)
            if first is None:
                continue
            before = sentence[: first.start()]
            if any(a.fits(pronoun) for a in referents(before, self.speaker, others)):
                continue
            owned = first.group().lower() in _OWNED
            if owned and (first.group().lower() in {"hers", "theirs"} or _has_subject(before, self.speaker)):
                continue  # "Ivy has her show": hers, whoever was spoken of before
            fitting = {a.name: a for a in antecedents if a.fits(pronoun)}
            exact = {a.name: a for a in fitting.values() if a.pronoun == pronoun}
            chosen = exact if len(exact) == 1 else fitting
            if len(chosen) == 1:
                found[pronoun] = next(iter(chosen.values()))
        return found

    def text(self) -> str:
        """The sentence as restated."""
        for at, word in enumerate(self.clause.words):
            if word in _FIRST and (word not in {"im", "ive"} or at == 0):
                self._subject(at, word, self.speaker, singular=True)
            elif word in _SECOND and self.addressee:
                self._subject(at, word, self.addressee, singular=True)
            elif word in _PLURAL and self.both:
                self._subject(at, word, self.both, singular=False)
            else:
                self._other(at, word)
        return self.clause.text()

    def _subject(self, at: int, word: str, name: str, *, singular: bool) -> None:
        """Put `name` for the subject pronoun at word `at`, and bring its verbs into agreement."""
        clause = self.clause
        tail = word.partition("'")[2] or {"im": "m", "ive": "ve"}.get(word, "")
        if word.startswith("you") and not tail and clause.is_object(at):
            clause.put(at, name)
            return
        joint = clause.joined_subject(at)
        one = singular and not joint
        verb = {
            "m": " is" if one else " are",
            "re": " is" if one else " are",
            "ve": " has" if one else " have",
            "ll": " will",
            "d": " had" if clause.next_is(at, is_participle) else " would",
        }.get(tail, "")
        clause.put(at, name + verb)
        if clause.next_is(at, lambda w: w == "gonna"):
            clause.put(clause.words.index("gonna", at), "going to")
        if not one:
            return
        if tail:
            clause.agree_coordinated(at, kind="modal" if tail in {"ll", "d"} else "be")
        elif clause.inverted(at):
            aux = clause.words[at - 1]
            if changed := table.THIRD_PERSON.get(aux) or table.SINGULAR_PAST.get(aux):
                clause.put(at - 1, changed)
        else:
            clause.agree(at)

    def _other(self, at: int, word: str) -> None:
        """Objects, possessives and third persons."""
        clause = self.clause
        if word.removesuffix("'s") in _OWN_KIN and clause.names_kin(at):
            clause.put(at, f"{self.speaker}'s {word}")
        elif word in {"me", "myself", "my", "mine"}:
            self._mine(at, word)
        elif word in {"you", "your", "yours", "yourself"} and self.addressee:
            clause.put(at, f"{self.addressee}'s" if word in {"your", "yours"} else self.addressee)
        elif word in {"us", "our", "ours", "ourselves"} and self.both:
            self._ours(at, word)
        elif word in _THIRD:
            self._third(at, word)

    def _mine(self, at: int, word: str) -> None:
        clause = self.clause
        before = clause.words[at - 1] if at else ""
        after = clause.words[at + 1] if at + 1 < len(clause.words) else ""
        if word == "my" and (after in {"god", "gosh", "goodness", "word", "dear", "bad"} or before == "oh"):
            return
        if word == "mine" and before in table.DETERMINERS | {"coal", "gold"}:
            return
        if word == "myself":
            clause.put(at, self._reflexive(at, before))
        elif word == "me":
            clause.put(at, self.speaker)
        else:
            clause.put(at, f"{self.speaker}'s")

    def _reflexive(self, at: int, before: str) -> str:
        """ "made it myself" is "personally", "by myself" "alone"; else "herself", "himself" or the name."""
        if before == "by":
            self.clause.put(at - 1, None)
            return "alone"
        own = {"she": "herself", "he": "himself"}.get(gender(self.speaker), self.speaker)
        emphatic = not self.clause.follows_directly(at + 1) and not (
            before in table.PREPOSITIONS or is_base(before) or is_past(before) or before.endswith("ing")
        )
        return "personally" if emphatic else own

    def _ours(self, at: int, word: str) -> None:
        """After a "we" of the same sentence "their" and "them" are clear; "ourselves" alone is anybody."""
        bound = any(earlier in _PLURAL for earlier in self.clause.words[:at])
        if bound or word == "ourselves":
            self.clause.put(at, _BOUND[word] if bound else word)
        elif word == "our" and self.both and self.both.endswith(" and others"):
            self.clause.put(at, f"{self.speaker}'s")
        else:
            self.clause.put(at, self.both if word == "us" else f"{self.both}'s")

    def _third(self, at: int, word: str) -> None:
        """ "she", "his", "them": the person they clearly stand for, once a sentence."""
        head, _, tail = word.partition("'")
        pronoun = _THIRD[head]
        person = self.people.get(pronoun)
        if person is None or pronoun in self.bound:
            return
        clause = self.clause
        if head in {"his", "their", "theirs", "hers"} or (head == "her" and clause.is_possessive(at)):
            name = person.name + ("'" if person.name.endswith("s") and pronoun == "they" else "'s")
        elif head in {"he", "she", "they"}:
            participle = clause.next_is(at, lambda w: is_participle(w) and w not in table.ADJECTIVAL)
            verbs = {"s": "has" if participle else "is", "re": "are", "ve": "have", "ll": "will"}
            verbs["d"] = "had" if participle else "would"
            name = f"{person.name} {verbs[tail]}" if tail in verbs else person.name
        else:
            name = person.name
        clause.put(at, name)
        self.bound.add(pronoun)


def _has_subject(before: str, speaker: str) -> bool:
    """Whether the words before a pronoun hold another third person it may be about."""
    named = [name for name in proper_names(before) if fold(name) != fold(speaker)]
    return bool(named) or re.match(r"(?:the|a|an|this|that)\s+\w+", before, re.IGNORECASE) is not None


_FORMS: Final = {
    "he": re.compile(r"\b(?:he|him|his)\b", re.IGNORECASE),
    "she": re.compile(r"\b(?:she|her|hers)\b", re.IGNORECASE),
    "they": re.compile(r"\b(?:they|them|theirs?)\b", re.IGNORECASE),
}
_OWN_KIN: Final = frozenset(["mom", "mum", "dad", "grandma", "grandpa", "granny", "daddy", "mommy", "mama"])
_BOUND: Final = {"our": "their", "ours": "theirs", "us": "them", "ourselves": "themselves"}
_OWNED: Final = frozenset(["her", "hers", "his", "their", "theirs", "him", "them"])
_THIRD: Final[dict[str, str]] = {
    **dict.fromkeys(["he", "he's", "he'd", "he'll", "him", "his"], "he"),
    **dict.fromkeys(["she", "she's", "she'd", "she'll", "her", "hers"], "she"),
    **dict.fromkeys(["they", "they're", "they've", "they'd", "they'll", "them", "their", "theirs"], "they"),
}

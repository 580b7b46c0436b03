"""Whom a later "he", "she" or "they" may stand for.

Flows in: one sentence and its speaker. Flows out: the persons it speaks of, as they would be named out of
context ("Ana", "Alice's sister"). Will not decide between them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from meme.language.english import words as table
from meme.language.names import persons
from meme.language.names import words as name_words
from meme.language.words import fold

_KIN: Final = "|".join(sorted(map(re.escape, table.KIN_PRONOUN), key=len, reverse=True))
_NOUN: Final = re.compile(
    rf"\b(my|our|your|the|a|an|her|his|their)\s+((?:(?!and\b|or\b|to\b|is\b"
    rf"|was\b)[\w-]+\s+){{0,2}}?)({_KIN})(?!['’\w-])"
    rf"(?:,?\s+(?:(?:named|called)\s+)?(?-i:([A-Z][\w'’-]+)))?",
    re.IGNORECASE,
)


_ELSEWHERE: Final = frozenset(["her", "his", "their"])


@dataclass(frozen=True, slots=True)
class Antecedent:
    """A person spoken of. `pronoun` is he, she, they (several persons), or "" where it may be he or she."""

    name: str
    pronoun: str = ""

    def fits(self, pronoun: str) -> bool:
        """Whether `pronoun` may stand for this person."""
        return self.pronoun == pronoun or (self.pronoun == "" and pronoun in {"he", "she"})


def gender(name: str) -> str:
    """ "he" or "she" by the first name, or "" where it is not known."""
    first = fold(name).split()[0] if name.strip() else ""
    she, he = first in name_words.GIVEN_SHE, first in name_words.GIVEN_HE
    return "she" if she and not he else "he" if he and not she else ""


def referents(
    sentence: str, speaker: str, known: Sequence[str] = (), addressee: str | None = None
) -> tuple[Antecedent, ...]:
    """The persons `sentence` speaks of, in order; the speaker is none of them.

    Several persons ("my parents") count only where the sentence begins with them: else "they" is not clear.
    """
    found: dict[str, Antecedent] = {}
    for match in _NOUN.finditer(sentence):
        owner, attribute, noun, name = match.groups()
        pronoun = table.KIN_PRONOUN[noun.lower()]
        if pronoun == "they" and len(sentence[: match.start()].split()) > 2:
            continue
        if (owner.lower() == "your" and not addressee) or (owner.lower() in _ELSEWHERE and not name):
            continue  # "her aunt" is nobody a later "she" clearly names
        owners = {"my": f"{speaker}'s", "our": f"{speaker}'s", "your": f"{addressee}'s"}
        whose = owners.get(owner.lower(), "the")
        usable = name and fold(name) not in name_words.CALENDAR and fold(name) not in name_words.NEVER_NAMES
        label = (
            re.sub(r"['’]s?$", "", name)
            if usable
            else f"{whose} {attribute.strip()} {noun}".replace("  ", " ")
        )
        found.setdefault(fold(label), Antecedent(label, pronoun))
    for person in persons(sentence, known):
        if fold(person) != fold(speaker):
            found.setdefault(fold(person), Antecedent(person, gender(person)))
    return tuple(found.values())

"""What a statement leaves to the one before it: "What's his name?" said of a cat just mentioned.

Flows in: statements. Flows out: for each, the text it leans on, "" for one that stands by itself.
Will not resolve a pronoun to a certain noun: it only lends the words of the statement before.
"""

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from meme.language.names import persons as person_names
from meme.language.words import STOPWORDS, fold, words
from meme.read.evidence.statements import Statement

_NEAR: Final = timedelta(minutes=5)
_MOST: Final = 4  # more statements said at that time: the time does not tell which is meant
_PRONOUN: Final = re.compile(
    r"\b(?:he|she|it|they|his|her|its|their|him|them)(?:['’]s|['’]re)?\b", re.IGNORECASE
)
_OBJECT: Final = re.compile(
    r"\b(?!said|says|told|was|is)[a-z]+(?:ed|s|ave|ent|ook|ought|ot)\s+it\b(?!\s+(?:was|is|to be|out|up)\b)"
)
_START: Final = re.compile(
    r"^(?P<who>[A-ZÀ-Þ][\w'’-]*)\s+(?:will\s+|is\s+)?(?:starts?|started|starting|begins?|began|leaves?|left|arrives?|arrived|"
    r"ends?|ended|finish\w*|opens?|closes?|returns?|returned|moves?|moved)\s+(?:on|in|at|from)\s+[^,;]*\d[^,;]*$"
)


def contexts(statements: Sequence[Statement]) -> dict[int, str]:
    """By position: the text of what was said within five minutes before by one of the same persons."""
    found: dict[int, str] = {}
    for at, one in enumerate(statements):
        if _leans(one):
            found[at] = _before(one, statements)
    return found


def _leans(one: Statement) -> bool:
    if one.asked:
        return bool(_PRONOUN.search(one.asked)) and not person_names(one.asked)
    text = one.text.strip()
    return bool(_OBJECT.search(text)) or bool(_START.match(text.rstrip(".!")))


def _before(one: Statement, statements: Sequence[Statement]) -> str:
    """Of the entries said shortly before, those said last; of a reply, not those said with it."""
    near = [
        other
        for other in statements
        if other.ref != one.ref
        and not other.quoted
        and timedelta(0) <= one.said_at - other.said_at <= _NEAR
        and not (one.asked and other.said_at == one.said_at)
        and _shares_person(one, other)
    ]
    if not near:
        return ""
    near.sort(key=lambda other: other.said_at, reverse=True)
    last = [other for other in near if other.said_at == near[0].said_at]
    if len(last) > _MOST:
        return ""
    lent = last if one.asked else near[:_MOST]
    return " ".join(f"{other.asked} {other.text}".strip() for other in lent)


def _shares_person(one: Statement, other: Statement) -> bool:
    if one.asked:
        return True
    names = {w for w in words(one.text) if w not in STOPWORDS}
    told = set(words(f"{other.text} {other.speaker} {other.asked}"))
    people = {fold(part) for name in (*one.persons, *person_names(one.text)) for part in name.split()}
    return bool(names & told & people) or not people

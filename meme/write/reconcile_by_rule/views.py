"""A fact or entry as the rules compare it: parsed, with its slot and the day it became true.

Flows in: facts and candidates. Flows out: views, and plain yes-or-no questions about two of
them. Will not decide a verdict.
"""

import re
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from meme.language.words import fold
from meme.records import Happened
from meme.write.reconcile_by_rule.slot_values import Slot
from meme.write.reconcile_by_rule.slots import slot_of
from meme.write.reconcile_by_rule.statement import Statement, parse
from meme.write.reconcile_by_rule.wording import concept, word_set
from meme.write.shapes import Candidate, NewFact


@dataclass(frozen=True, slots=True)
class Finding:
    """What holding a new statement against a known one gave. `weight` ranks equals, 0..1.

    `elliptic`: the new statement leaves its subject out; `vague`: it names less of it ("that gateway").
    """

    op: Literal["ADD", "UPDATE", "DELETE", "NOOP"]
    reason: str = ""
    text: str | None = None
    weight: float = 0.0
    elliptic: bool = False
    vague: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A fact or entry as the rules see it. `since` is the latest day it can have become true."""

    ref: str
    statement: Statement
    slot: Slot | None
    people: frozenset[str]
    dates: frozenset[str]
    since: date
    said: date


UNRELATED: Final = Finding("ADD", "nothing known says or contradicts this")
OLDER: Final = Finding("ADD", "said of an earlier time than what is known: kept beside it")
MORE: Final = Finding("UPDATE", "the same, with more detail", weight=0.7)


POINTING: Final = re.compile(
    r"\b(?:it|this|them|you|your|yours|so do|so did)\b|\b(?:that|so|here|there|too)\W*$", re.I
)


DATED_KINDS: Final = frozenset({"date", "time", "birthday", "hours"})


def view_of(item: NewFact | Candidate) -> View:
    """Parse a fact or candidate."""
    statement = parse(item.text)
    slot = slot_of(statement)
    dates = statement.dates or _iso(item.happened)
    since = item.said_at.date()
    if not (slot and slot.kind in DATED_KINDS):
        since = min(max(map(_last_day, dates), default=since), since)
    people = frozenset(fold(name) for name in (*item.persons, *item.entities))
    return View(item.ref, statement, slot, people, dates, since, item.said_at.date())


def _iso(happened: Happened | None) -> frozenset[str]:
    if happened is None:
        return frozenset()
    length = {"year": 4, "month": 7}.get(happened.precision, 10)
    return frozenset({happened.start.isoformat()[:length]})


def _last_day(iso: str) -> date:
    parts = [int(p) for p in iso.split("-")]
    if len(parts) == 3:
        try:
            return date(*parts)
        except ValueError:
            return date.max
    if parts[0] < 1000:  # a day without a year
        return date.max
    return date(parts[0], parts[1] if len(parts) == 2 and 1 <= parts[1] <= 12 else 12, 28)


def shares_subject(new: View, known: View) -> bool:
    """Whether both are about the same person or thing, as far as their words tell."""
    a, b = new.statement.subject, known.statement.subject
    if a.head and b.head:
        return a.matches(b)
    return not new.people or not known.people or bool(new.people & known.people)


def shares_slot(new: View, known: View) -> bool:
    """Whether both fill one slot of one subject."""
    return bool(new.slot and known.slot and new.slot.same_as(known.slot))


def newer(new: View, known: View) -> bool:
    """Whether the new statement is from the same day or later, by when each came true."""
    return new.since >= known.since


def dates_differ(new: View, known: View) -> bool:
    """Whether both are dated, and on different days."""
    if not new.dates or not known.dates:
        return False
    return not any(x.startswith(y) or y.startswith(x) for x in new.dates for y in known.dates)


_PAST: Final = word_set(
    """was were went came got gave took made met saw bought sold left began ran won lost found broke
    fell felt ate drank swam wrote sang taught flew drove rode spent had did told said held kept
    led paid put stood caught slept built"""
)


def is_event(statement: Statement) -> bool:
    """Whether it tells of something that happened once, by the form of its first verb."""
    first = next(
        (
            w
            for w in re.findall(r"[\w']+", fold(statement.predicate))
            if w not in ("just", "recently", "also", "then", "finally")
        ),
        "",
    )
    return (
        first in _PAST
        or (first.endswith("ed") and len(first) > 4)
        or first in ("didn't", "wasn't", "weren't")
    )


def details_beyond(a: Statement, b: Statement) -> frozenset[str]:
    """Details of `a` that `b` does not have."""
    missing = {d for d in a.dates if not any(o.startswith(d) for o in b.dates)}
    names = {n for n in a.names if concept(n) not in b.content and n not in b.names}
    return frozenset(
        missing | names | (a.times - b.times) | {n for n in a.numbers - b.numbers if n not in b.content}
    )


def subject_words(statement: Statement) -> set[str]:
    """The stems of the subject and its owner."""
    return set(statement.subject.head) | set(statement.subject.owner)

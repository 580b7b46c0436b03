"""What the stages before the answer did: is the evidence in the memory, and with the right date?

Flows in: what was built, and the questions with their evidence. Flows out: the share of evidence turns that
some entry rests on, and for temporal questions how the entries made from the evidence are dated.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from meme import Happened
from meme_bench.records import Answered, Built, EntryMade
from meme_bench.scores import gold_dates
from meme_bench.scores.intervals import Figure, wilson

Dating = Literal["right", "wrong", "undated", "uncovered", "unreadable"]


@dataclass(frozen=True, slots=True)
class Temporal:
    """Dates of entries made from the evidence of temporal questions.

    `rate` is over questions whose gold is a date; `unreadable` others were left out. `wrong`: entries are
    dated and none as the gold; `undated`: there are entries and none has a date; `uncovered`: no entry.
    """

    rate: Figure
    wrong: tuple[str, ...]
    undated: int
    uncovered: int
    unreadable: int


def coverage(answers: Iterable[Answered], built: Sequence[Built]) -> Figure | None:
    """The share of different evidence turns that some entry rests on; None where no entries are known."""
    rested = _rested(built)
    if not any(rested.values()):
        return None
    wanted = {(one.conversation, turn) for one in answers for turn in one.evidence}
    covered = sum(turn in rested.get(conversation, ()) for conversation, turn in wanted)
    return wilson(covered, len(wanted))


def _rested(built: Iterable[Built]) -> Mapping[str, Collection[str]]:
    return {
        one.conversation: {turn for entry in one.entries for turn in entry.sources if not one.error}
        for one in built
    }


def temporal(answers: Iterable[Answered], built: Sequence[Built], category: str = "2") -> Temporal | None:
    """How the entries behind temporal questions are dated; None without such questions or entries."""
    entries = {one.conversation: one.entries for one in built if not one.error}
    asked = [one for one in answers if one.category == category and one.gold is not None]
    if not asked or not any(entries.values()):
        return None
    found: dict[Dating, list[str]] = {
        "right": [],
        "wrong": [],
        "undated": [],
        "uncovered": [],
        "unreadable": [],
    }
    for one in asked:
        found[dating(one, entries.get(one.conversation, ()))].append(one.question)
    read = len(asked) - len(found["unreadable"])
    return Temporal(
        rate=wilson(len(found["right"]), read),
        wrong=tuple(found["wrong"]),
        undated=len(found["undated"]),
        uncovered=len(found["uncovered"]),
        unreadable=len(found["unreadable"]),
    )


def dating(one: Answered, entries: Iterable[EntryMade]) -> Dating:
    """How entries that rest on the evidence of one question are dated, by the best of them."""
    spans = gold_dates.read(one.gold or "")
    if not spans:
        return "unreadable"
    made = [entry for entry in entries if not set(entry.sources).isdisjoint(one.evidence)]
    if not made:
        return "uncovered"
    dated = [entry.happened for entry in made if entry.happened is not None]
    if not dated:
        return "undated"
    return "right" if any(_equals(happened, spans) for happened in dated) else "wrong"


def _equals(happened: tuple[str, str, str], spans: Iterable[Happened]) -> bool:
    """At the gold's precision: 7 June 2023 is "June 2023", and 2023 is not."""
    start, end = date.fromisoformat(happened[0][:10]), date.fromisoformat(happened[1][:10])
    return any(span.start <= start and end <= span.end for span in spans)

"""What a time phrase means and where it stands: the terms all rules about time are written in.

Flows in: a text, a place in it and the day it was said. Flows out: `Reading`s, and what several
rules need: the nearest date without a year, the direction of "last" and "next". Reads no phrase.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from meme.language.times import spans as spans
from meme.language.times import words as w
from meme.records import Happened


@dataclass(frozen=True, slots=True)
class Reading:
    """What a phrase means. `bare` is its absolute wording as a noun, `link` the preposition it takes.

    `end` is set where the phrase runs on behind its match. `feast` marks a holiday by name.
    """

    happened: Happened | None
    bare: str = ""
    link: str = ""
    relative: bool = True
    end: int | None = None
    feast: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match stands, and when it was said.

    `before` is the lower-cased word right before it. `lead` is a qualifier between the two ("early",
    "the end of"), which counts as part of the phrase. `anchor` reads the phrase at a position.
    """

    text: str
    start: int
    end: int
    before: str
    said_at: datetime
    anchor: Callable[[int], "tuple[Reading, int] | None"]
    lead: str = ""

    @property
    def today(self) -> date:
        """The calendar day at the speaker's own offset."""
        return self.said_at.date()

    @property
    def said(self) -> str:
        """The same day in words."""
        return spans.render_day(self.today)

    def past(self) -> bool | None:
        """Whether the clause speaks of the past; None where no verb tells."""
        if self.before == "since":
            return True
        return {"past": True, "future": False}.get(w.tense(self.text, self.start, self.end))

    def arranged(self) -> bool:
        """Whether the clause tells that something was planned or said, and not when it takes place."""
        return self.before != "since" and w.tense(self.text, self.start, self.end) == "arranged"


Groups = dict[str, str | None]
Rule = Callable[[Groups, Place], Reading | None]
VAGUE: Final = Reading(None)
_LINKS: Final = {
    "day": "on",
    "month": "in",
    "year": "in",
    "season": "in",
    "week": "in",
    "weekend": "on",
    "range": "",
}


def reading(happened: Happened, *, relative: bool = True, bare: str = "") -> Reading:
    """A reading worded by its own span, with the preposition of its precision."""
    return Reading(happened, bare or spans.render(happened), _LINKS[happened.precision], relative)


def on_day(of: date, part: str | None = None, *, relative: bool = True) -> Reading:
    """One day, or a part of it."""
    told = spans.render_day(of)
    return reading(spans.day(of), relative=relative, bare=f"the {part.lower()} of {told}" if part else told)


def year_of(groups: Groups) -> int | None:
    """The year of a match in four or two digits; None without one."""
    if groups.get("y"):
        return int(groups["y"] or 0)
    if groups.get("yy"):
        short = int(groups["yy"] or 0)
        return short + (2000 if short < 70 else 1900)
    return None


def month_of(groups: Groups, key: str = "m") -> int:
    """The number of the month a group names. Raises KeyError for none."""
    return w.MONTHS[(groups[key] or "").lower().rstrip(".")]


def weekday_of(word: str | None) -> int:
    """The number of a weekday, Monday 0. Raises KeyError for none."""
    return w.WEEKDAYS[(word or "").lower().rstrip(".")]


def nearest(place: Place, of_year: Callable[[int], date]) -> date:
    """The yearly day meant without a year: the latest one in a past clause, else the next one.

    Behind a verb that does not date the event, the closest in time.
    """
    today = place.today
    if place.arranged():
        return closest(today, (of_year(today.year + ahead) for ahead in (-1, 0, 1)))
    this = of_year(today.year)
    if place.past():
        return this if this <= today else of_year(today.year - 1)
    return this if this >= today else of_year(today.year + 1)


def closest(today: date, days: Iterable[date]) -> date:
    """The one of `days` with the least time between it and `today`; the later of two."""
    return min(days, key=lambda day: (abs(day - today), -day.toordinal()))


_BACK: Final = ("last", "past", "this past", "previous")
_AHEAD: Final = ("next", "coming", "this coming", "following")


def direction(rel: str | None) -> int:
    """-1 for "last" and its like, 1 for "next", 0 for "this"."""
    folded = " ".join((rel or "").lower().split()).removeprefix("the ")
    return -1 if folded in _BACK else 1 if folded in _AHEAD else 0


# What may follow a weekday or holiday that stands without a preposition: not a noun ("Friday meeting").
FREE: Final = re.compile(
    r"\s*(?:$|[.,!?;:)\n–—]|['’]s\b|\s(?:was|is|will|we|i|i['’]\w+|he|she|they|you|at|and|or|for|with"
    r"|in|to|after|before"
    r"|when|while|because|since|so|but|then|from|until|about|if|as|that|this|my|our|works|sounds|would"
    r"|might)\b)",
    re.IGNORECASE,
)

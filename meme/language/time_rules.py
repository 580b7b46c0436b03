"""The English time phrases: a pattern for each kind, and what it means.

Flows in: a match in a text, and the day the text was said. Flows out: a `Reading`: a span of
dates with its wording, or None where the match is no date at all. Will not invent: a phrase
without an exact meaning ("recently", "a few years ago", "over a year ago") reads as no span.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final

from meme.language import time_spans as spans
from meme.language import time_words as w
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
        return w.is_past(self.text, self.start, self.end)


Groups = dict[str, str | None]
Rule = Callable[[Groups, Place], Reading | None]
VAGUE: Final = Reading(None)
_LINKS: Final = {"day": "on", "month": "in", "year": "in", "season": "in", "week": "in", "weekend": "on", "range": ""}


def reading(happened: Happened, *, relative: bool = True, bare: str = "") -> Reading:
    """A reading worded by its own span, with the preposition of its precision."""
    return Reading(happened, bare or spans.render(happened), _LINKS[happened.precision], relative)


def _day(of: date, part: str | None = None, *, relative: bool = True) -> Reading:
    told = spans.render_day(of)
    return reading(spans.day(of), relative=relative, bare=f"the {part.lower()} of {told}" if part else told)


def _year_of(groups: Groups) -> int | None:
    if groups.get("y"):
        return int(groups["y"] or 0)
    if groups.get("yy"):
        short = int(groups["yy"] or 0)
        return short + (2000 if short < 70 else 1900)
    return None


def _month_of(groups: Groups, key: str = "m") -> int:
    return w.MONTHS[(groups[key] or "").lower().rstrip(".")]


def _weekday_of(word: str | None) -> int:
    return w.WEEKDAYS[(word or "").lower().rstrip(".")]


def _nearest(place: Place, of_year: Callable[[int], date]) -> date:
    """The yearly day meant without a year: the latest one in a past clause, else the next one."""
    today = place.today
    this = of_year(today.year)
    if place.past():
        return this if this <= today else of_year(today.year - 1)
    return this if this >= today else of_year(today.year + 1)


def _nearest_feast(place: Place, of_year: Callable[[int], date]) -> date:
    """As `_nearest`, but where no verb tells, the closest in time on either side."""
    if place.past() is not None:
        return _nearest(place, of_year)
    years = range(place.today.year - 1, place.today.year + 2)
    return min((of_year(year) for year in years), key=lambda day: abs(day - place.today))


# --- absolute dates ---------------------------------------------------------------------------


def _numeric(groups: Groups, place: Place) -> Reading | None:
    year = _year_of(groups) or 0
    first, second = int(groups["a"] or 0), int(groups["b"] or 0)
    if groups["sep"] == "." or first > 12 or first == second:
        return reading(spans.day(date(year, second, first)), relative=False)
    if second > 12:
        return reading(spans.day(date(year, first, second)), relative=False)
    return replace(VAGUE, relative=False)


def _iso(groups: Groups, place: Place) -> Reading | None:
    found = date(int(groups["y"] or 0), int(groups["m"] or 0), int(groups["d"] or 0))
    return reading(spans.day(found), relative=False)


def _month_day(groups: Groups, place: Place) -> Reading | None:
    month, first = _month_of(groups), int(groups["d"] or 0)
    year = _year_of(groups)
    if year is None and not groups.get("ord") and not groups.get("d2"):
        name = groups["m"] or ""
        unsure = name in ("may", "march", "mar", "dec", "sep") and place.before not in w.PREPOSITIONS
        if unsure and place.text.startswith(name, place.start):
            return None  # "we march 5 miles"
    if groups.get("d2"):
        last = int(groups["d2"] or 0)
        start = date(year, month, first) if year else _nearest(place, lambda y: date(y, month, first))
        last_month = _month_of(groups, "m2") if groups.get("m2") else month
        ends = date(start.year + (last_month < month), last_month, last)
        if ends <= start:
            return None
        return reading(spans.span(start, ends), relative=year is None)
    found = date(year, month, first) if year else _nearest(place, lambda y: date(y, month, first))
    return _day(found, groups.get("part"), relative=year is None)


def _month_year(groups: Groups, place: Place) -> Reading | None:
    return reading(spans.month(_year_of(groups) or 0, _month_of(groups)), relative=False)


def _lone_month(groups: Groups, place: Place) -> Reading | None:
    if place.before not in w.PREPOSITIONS or re.match(r"['’]s\b|\s+\d", place.text[place.end :]):
        return None
    month, today = _month_of(groups), place.today
    if place.past():
        return reading(spans.month(today.year - (month > today.month), month))
    return reading(spans.month(today.year + (month < today.month), month))


def _lone_year(groups: Groups, place: Place) -> Reading | None:
    if place.before not in w.PREPOSITIONS | {"of"}:
        return None
    return reading(spans.year(int(groups["y"] or 0)), relative=False)


def _years(groups: Groups, place: Place) -> Reading | None:
    first, last = int(groups["y1"] or 0), int(groups["y2"] or 0)
    if last <= first or (groups["sep"] in ("to", "and") and place.before not in ("from", "between")):
        return None
    return reading(spans.span(date(first, 1, 1), date(last, 12, 31)), relative=False)


def _decade(groups: Groups, place: Place) -> Reading | None:
    if groups["word"]:
        first = 1900 + w.DECADES[groups["word"].lower()]
    else:
        first = int(groups["century"] or 19) * 100 + int(groups["tens"] or 0) * 10
    if not groups["century"] and first < 1930:
        return replace(VAGUE, relative=False)  # "the 20s" may be either century's
    return reading(spans.span(date(first, 1, 1), date(first + 9, 12, 31)), relative=False)


def _day_of_month(groups: Groups, place: Place) -> Reading | None:
    if place.before not in w.PREPOSITIONS:
        return None
    number, today = int(groups["d"] or 0), place.today
    past = place.past()
    for ahead in range(4):
        bounds = spans.month(today.year, today.month + (-ahead if past else ahead))
        found = bounds.start + timedelta(days=number - 1)
        if found <= bounds.end and (found <= today if past else found >= today):
            return _day(found)
    return VAGUE


# --- counted from the day of the turn -----------------------------------------------------------

_NAMED: Final = {
    "today": 0, "yesterday": -1, "tomorrow": 1, "tonight": 0, "tmrw": 1,
    "the day before yesterday": -2, "the day after tomorrow": 2, "last night": -1, "last evening": -1,
    "the night before last": -2, "day before yesterday": -2, "day after tomorrow": 2, "night before last": -2,
}  # fmt: skip


def _named_day(groups: Groups, place: Place) -> Reading | None:
    name = " ".join((groups["name"] or "").lower().split())
    part = groups["part"]
    if "night" in name:
        part = "night"
    elif "evening" in name:
        part = "evening"
    return _day(place.today + timedelta(days=_NAMED[name]), part)


def _part_of_today(groups: Groups, place: Place) -> Reading | None:
    return _day(place.today, groups["part"])


_BACK: Final = ("last", "past", "this past", "previous")
_AHEAD: Final = ("next", "coming", "this coming", "following")


def _direction(rel: str | None) -> int:
    folded = " ".join((rel or "").lower().split()).removeprefix("the ")
    return -1 if folded in _BACK else 1 if folded in _AHEAD else 0


def _unit(groups: Groups, place: Place) -> Reading | None:
    rel, unit = (groups.get("rel") or "").lower(), (groups["unit"] or "").lower()
    way, today = _direction(rel), place.today
    if rel.startswith("the ") and unit != "weekend" and "coming" not in rel:
        # "the past week" is a duration up to now; "the last week of the course" hangs on something else.
        return None if re.match(r"\s+(?:of|before|in)\b", place.text[place.end :]) else VAGUE
    if unit == "weekend":
        return _weekend(place, way, rel)
    if unit == "week":
        found = spans.week(today + timedelta(weeks=way))
        if way:
            return Reading(found, f"the week {'before' if way < 0 else 'after'} {place.said}")
        return reading(found, bare=f"the week of {place.said}")
    if unit == "decade":
        first = today.year // 10 * 10 + 10 * way
        return reading(spans.span(date(first, 1, 1), date(first + 9, 12, 31)))
    return reading(spans.shifted(today, unit, way))


def _weekend(place: Place, way: int, rel: str) -> Reading:
    today = place.today
    if way < 0 and "past" in rel and today.weekday() == 6:
        return reading(spans.weekend(today))  # said on its own Sunday
    if way == 0 and today.weekday() < 5 and place.past():
        way = -1
    if way:
        word = "before" if way < 0 else "after"
        return Reading(spans.shifted(today, "weekend", way), f"the weekend {word} {place.said}")
    return reading(spans.weekend(today))


def _the_weekend(groups: Groups, place: Place) -> Reading | None:
    if place.before not in ("over", "during", "at", "on", "for"):
        return None
    past = place.past()
    if past is None:
        return VAGUE
    return _weekend(place, 0 if past or place.today.weekday() < 5 else 1, "")


def _relative_weekday(groups: Groups, place: Place) -> Reading | None:
    weekday, way, today = _weekday_of(groups["wd"]), _direction(groups.get("rel")), place.today
    if groups.get("week"):
        return _day(spans.week(today + timedelta(weeks=way)).start + timedelta(days=weekday), groups["part"])
    if way == 0:
        if weekday == today.weekday():
            return _day(today, groups["part"])
        way = -1 if place.past() else 1
    move = spans.weekday_before if way < 0 else spans.weekday_after
    return _day(move(today, weekday), groups["part"])


_OF_A_KIND: Final = frozenset(
    "every each other alternate my our their your his the a an all most some any one that good".split()
)
# What may follow a weekday or holiday that stands without a preposition: not a noun ("Friday meeting").
_FREE: Final = re.compile(
    r"\s*(?:$|[.,!?;:)\n–—]|['’]s\b|\s(?:was|is|will|we|i|i['’]\w+|he|she|they|you|at|and|or|for|with|in|to|after|before"
    r"|when|while|because|since|so|but|then|from|until|about|if|as|that|this|my|our|works|sounds|would|might)\b)",
    re.IGNORECASE,
)
_HABIT: Final = re.compile(r"\s+(?:mornings|afternoons|evenings|nights)\b", re.IGNORECASE)


def _lone_weekday(groups: Groups, place: Place) -> Reading | None:
    word = groups["wd"] or ""
    if place.before in _OF_A_KIND or _HABIT.match(place.text, place.end):
        return None
    if place.before not in w.PREPOSITIONS:
        short = word.rstrip(".") in ("Mon", "Wed", "Sat", "Sun") and not groups["part"]
        if short or not _FREE.match(place.text, place.end):
            return None
    move = spans.weekday_before if place.past() else spans.weekday_after
    return _day(move(place.today, _weekday_of(word)), groups["part"])


def _relative_month(groups: Groups, place: Place) -> Reading | None:
    month, way, today = _month_of(groups), _direction(groups.get("rel")), place.today
    if way < 0:
        return reading(spans.month(today.year - (month >= today.month), month))
    if way > 0:
        return reading(spans.month(today.year + (month <= today.month), month))
    return reading(spans.month(today.year, month))


def _season_near(name: str, today: date, way: int) -> Happened:
    """The latest season that is over, the one that runs or comes next, or the next one to start."""
    around = [spans.season(name, today.year + ahead) for ahead in (-2, -1, 0, 1)]
    if way < 0:
        return [s for s in around if s.end < today][-1]
    return next(s for s in around if (s.start > today if way > 0 else s.end >= today))


def _season(groups: Groups, place: Place) -> Reading | None:
    name = (groups["season"] or "").lower().replace("fall", "autumn")
    year = _year_of(groups)
    if year is not None:
        return reading(spans.season(name, year), relative=False)
    if groups.get("rel"):
        way = _direction(groups.get("rel"))
    elif place.before not in w.PREPOSITIONS | {"over"}:
        return None
    elif re.match(r"\s+of\b", place.text[place.end :]):
        return None
    else:
        past = place.past()
        if past is None:
            return VAGUE  # "in summer we swim" names no year
        way = -1 if past else 0
    found = _season_near(name, place.today, way)
    running = _season_near(name, place.today, 0)
    if way < 0 and not groups.get("rel") and running.start <= place.today:
        found = running
    return reading(found)


def _ago(groups: Groups, place: Place) -> Reading | None:
    unit = (groups["unit"] or "").lower()
    if groups["beyond"] or groups["vague"]:
        return VAGUE
    return _counted(groups, place, unit, -1)


def _ahead(groups: Groups, place: Place) -> Reading | None:
    unit = (groups["unit"] or "").lower()
    if place.past() or re.match(r"\s+of\b", place.text[place.end :]):
        return None  # "in two weeks of work", "I lost it in two days": a duration
    if groups["beyond"] or groups["vague"]:
        return VAGUE
    return _counted(groups, place, unit, 1)


def _counted(groups: Groups, place: Place, unit: str, sign: int) -> Reading:
    count = w.number(groups["n"] or "")
    if unit in ("minute", "hour"):
        moved = place.said_at.replace(tzinfo=None) + sign * timedelta(**{f"{unit}s": count})
        return _day(moved.date())
    unit = "day" if unit == "night" else unit
    if (groups.get("half") or groups.get("half2")):
        return reading(spans.month(place.today.year, place.today.month + sign * (12 * count + 6)))
    found = spans.shifted(place.today, unit, sign * count)
    if groups.get("exact"):
        return _day(_exactly(place.today, unit, sign * count))
    if groups["about"]:
        told = spans.render(found)
        if unit == "day":  # about ten days ago is no exact day
            found = spans.week(found.start)
        return Reading(found, f"around {told}")
    if unit in ("week", "fortnight", "weekend"):
        counted = f"{groups['n']} {unit}{'' if count == 1 else 's'}".lower()
        return Reading(found, f"{counted} {'before' if sign < 0 else 'after'} {place.said}")
    return reading(found)


def _half_year_ago(groups: Groups, place: Place) -> Reading | None:
    return reading(spans.month(place.today.year, place.today.month - 6))


def _exactly(of: date, unit: str, count: int) -> date:
    if unit in ("month", "year", "decade"):
        return spans.add_months(of, count * {"month": 1, "year": 12, "decade": 120}[unit])
    return spans.shifted(of, "day", count * {"week": 7, "fortnight": 14}.get(unit, 1)).start


def _before_last(groups: Groups, place: Place) -> Reading | None:
    sign = -2 if groups["last"] else 2
    word = (groups["unit"] or "").lower()
    if word.rstrip(".") in w.WEEKDAYS:
        move = spans.weekday_before if sign < 0 else spans.weekday_after
        return _day(move(move(place.today, _weekday_of(word)), _weekday_of(word)))
    found = spans.shifted(place.today, word, sign)
    if word in ("week", "weekend"):
        return Reading(found, f"two {word}s {'before' if sign < 0 else 'after'} {place.said}")
    return reading(found)


# --- hung on another date -------------------------------------------------------------------------


def _anchored(groups: Groups, place: Place) -> Reading | None:
    hit = place.anchor(place.end)
    if hit is None or hit[0].happened is None:
        return None
    anchor, end = hit
    if groups["vague"]:
        return Reading(None, relative=anchor.relative, end=end)
    found = _hang(groups, anchor)
    if found is None:
        return None
    head = " ".join(place.text[place.start : place.end].removesuffix("the ").split())
    if found.precision == "day" and (groups["unit"] or "").lower() not in w.PARTS:
        bare = spans.render(found)
    elif anchor.feast and found.precision == "week":
        bare = spans.render(found)
    else:
        bare = f"{head[0].lower()}{head[1:]} {anchor.bare}"
    link = "on" if found.precision == "day" else ""
    return Reading(found, bare, link, anchor.relative, end)


def _hang(groups: Groups, anchor: Reading) -> Happened | None:
    at = anchor.happened
    assert at is not None
    unit, way = (groups["unit"] or "").lower(), " ".join((groups["dir"] or "").lower().split())
    sign = -1 if way in ("before", "preceding", "prior to") else 0 if way == "of" else 1
    count = w.number(groups["n"]) if groups["n"] else 1
    if unit.rstrip(".") in w.WEEKDAYS:
        if not sign:
            return None
        move = spans.weekday_before if sign < 0 else spans.weekday_after
        return spans.day(move(at.start if sign < 0 else at.end, _weekday_of(unit)))
    if unit in w.PARTS:
        unit = "day"
    if sign == 0:
        return _within(unit, at)
    start = at.start if sign < 0 else at.end
    if way == "from" and unit == "week" and at.precision == "day":
        return spans.day(start + timedelta(weeks=count))  # "a week from Friday" is a Friday
    if sign < 0 and anchor.feast and unit == "week" and start.weekday() == 6:
        start += spans.ONE_DAY  # the week before Easter ends with it
    return spans.shifted(start, unit, sign * count)


def _within(unit: str, at: Happened) -> Happened | None:
    """The day, week or weekend "of" a date; None where that says nothing more."""
    if unit == at.precision:
        return at
    if at.precision != "day":
        return None
    return spans.week(at.start) if unit == "week" else spans.weekend(at.start) if unit == "weekend" else None


def _nth_of_month(groups: Groups, place: Place) -> Reading | None:
    nth, unit = w.NTH[(groups["nth"] or "").lower()], (groups["unit"] or "").lower()
    hit = place.anchor(place.end)
    if hit is None or hit[0].happened is None or hit[0].happened.precision != "month":
        return None
    bounds, end = hit[0].happened, hit[1]
    year, month = bounds.start.year, bounds.start.month
    if unit == "week":
        first = bounds.start + timedelta(weeks=nth - 1) if nth > 0 else bounds.end - timedelta(days=6)
        found = spans.span(first, min(first + timedelta(days=6), bounds.end))
    elif unit == "weekend":
        found = spans.weekend(spans.nth_weekday(year, month, 5, nth))
    else:
        found = spans.day(spans.nth_weekday(year, month, _weekday_of(unit), nth))
    return replace(reading(found, relative=hit[0].relative), end=end)


def _holiday(groups: Groups, place: Place) -> Reading | None:
    name = re.sub(r"['’]?s?['’]?\s+day$|['’]s?(?=\s|$)", "", (groups["holiday"] or "").lower())
    name = " ".join(name.replace("xmas", "christmas").replace("saint", "st").replace(".", "").split())
    name = {"easter sunday": "easter", "labour": "labor", "new years": "new year", "veteran": "veterans",
            "new years eve": "new year eve", "4th of july": "independence",
            "fourth of july": "independence"}.get(name, name)  # fmt: skip
    of_year = spans.HOLIDAYS[name]
    year = _year_of(groups)
    if year is not None:
        return replace(reading(spans.day(of_year(year)), relative=False), feast=True)
    today, rel = place.today, groups.get("rel")
    if rel and _direction(rel):
        years = range(today.year - 1, today.year + 2)
        if _direction(rel) < 0:
            found = [of_year(y) for y in years if of_year(y) < today][-1]
        else:
            found = next(of_year(y) for y in years if of_year(y) > today)
    elif rel:
        found = of_year(today.year)
    elif place.text == place.text[place.start : place.end]:
        found = _nearest_feast(place, of_year)
    elif place.before in w.PREPOSITIONS | {"for", "over", "at", "around", "of", "the", "to", "following", "preceding"}:
        if place.past() is None and place.before in ("for", "over", "at", "around", "the", "of", "to"):
            return None
        found = _nearest_feast(place, of_year)
    elif place.start and place.past() is not None and _FREE.match(place.text, place.end):
        found = _nearest(place, of_year)  # "we met New Year's Eve"
    else:
        return None
    return replace(_day(found), feast=True)


def _unresolved(groups: Groups, place: Place) -> Reading | None:
    return VAGUE


def _running(groups: Groups, place: Place) -> Reading | None:
    """ "The year", "the month": a date only behind "the end of"."""
    if not place.lead.lower().rstrip().endswith("of"):
        return None
    unit = (groups["unit"] or "").lower()
    if unit == "week":
        return reading(spans.week(place.today), bare=f"the week of {place.said}")
    return reading(spans.shifted(place.today, unit, 0))


# --- the table ------------------------------------------------------------------------------------

_Y: Final = rf"(?:,?\s+(?:of\s+)?(?P<y>{w.YEAR})|\s+['’](?P<yy>\d\d)\b)"
_REL: Final = r"(?P<rel>this\s+past|this\s+coming|the\s+coming|last|past|next|coming|this)"
_N: Final = rf"(?:(?P<vague>{w.VAGUE_COUNT})|(?P<n>{w.COUNT}))"
_ROUGHLY: Final = rf"(?:(?:(?P<about>{w.ABOUT})|(?P<beyond>{w.BEYOND}))\s+)?"
_WD: Final = rf"(?:{w.WEEKDAY},?\s+)?"
_DASH: Final = r"\s?(?:-|–|—|to|until|through)\s?"

# In order: where two fit at one place, the first wins. Longer and more exact phrases come first.
RULES: Final[tuple[tuple[str, Rule], ...]] = (
    (r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\d-])", _iso),
    (r"(?P<y>\d{4})/(?P<m>\d\d?)/(?P<d>\d\d?)(?![\d/])", _iso),
    (r"(?<![\d.])(?P<a>\d\d?)(?P<sep>[/.])(?P<b>\d\d?)(?P=sep)(?P<y>\d{4})(?![\d/])", _numeric),
    (r"(?<![\d/])(?P<a>\d\d?)(?P<sep>/)(?P<b>\d\d?)/(?P<yy>\d\d)(?![\d/])", _numeric),
    (rf"(?P<d>{w.DAY}){w.ORDINAL}?{_DASH}(?P<d2>{w.DAY}){w.ORDINAL}?(?:\s+of)?\s+(?P<m>{w.MONTH}){_Y}?", _month_day),
    (rf"(?P<m>{w.MONTH})\s+(?P<d>{w.DAY}){w.ORDINAL}?{_DASH}(?P<d2>{w.DAY}){w.ORDINAL}?(?!\d|:){_Y}?", _month_day),
    (rf"(?P<d>{w.DAY}){w.ORDINAL}?\s+(?P<m>{w.MONTH}){_DASH}(?P<d2>{w.DAY}){w.ORDINAL}?\s+(?P<m2>{w.MONTH}){_Y}?", _month_day),
    (rf"{_WD}(?:the\s+)?(?P<d>{w.DAY})(?P<ord>{w.ORDINAL})?(?:\s+of)?\s+(?P<m>{w.MONTH}){_Y}?{w.PART}", _month_day),
    (rf"{_WD}(?P<m>{w.MONTH})\s+(?:the\s+)?(?P<d>{w.DAY})(?P<ord>{w.ORDINAL})?(?!\d|[:.]\d|\s*[ap]\.?m\b|%){_Y}?{w.PART}", _month_day),
    (rf"(?P<m>{w.MONTH}){_Y}", _month_year),
    (rf"(?P<y1>{w.YEAR})\s?(?P<sep>-|–|—|to|and|until)\s?(?P<y2>{w.YEAR})", _years),
    (rf"(?:the\s+)?{w.SEASON.replace('(?:', '(?P<season>', 1)}{_Y}(?:/\d\d)?", _season),
    (r"(?P<name>(?:the\s+)?day\s+before\s+yesterday|(?:the\s+)?day\s+after\s+tomorrow|(?:the\s+)?night\s+before\s+last"
     rf"|last\s+night|last\s+evening|yesterday|today|tomorrow|tonight|tmrw)\b{w.PART}", _named_day),
    (r"this\s+(?P<part>morning|afternoon|evening)\b", _part_of_today),
    (rf"(?:the\s+)?(?P<unit>day|week|weekend|month|year|{w.WEEKDAY})\s+(?:(?P<last>before\s+last)|after\s+next)\b", _before_last),
    (rf"(?:the\s+)?(?:last|past|next|coming|previous)\s+(?:{w.VAGUE_COUNT}|{w.COUNT})\s+(?:hour|minute|{w.UNIT})s?\b", _unresolved),
    (rf"the\s+(?P<nth>first|second|third|fourth|last|1st|2nd|3rd|4th)\s+(?P<unit>week|weekend|{w.WEEKDAY})\s+(?:of|in)\s+(?:the\s+month\s+of\s+)?",
     _nth_of_month),
    (rf"(?:first|second|third|fourth)\s+weekend\s+of\s+(?={w.LONE_MONTH})", _unresolved),
    (rf"{_REL}\s+(?P<wd>{w.WEEKDAY}){w.PART}", _relative_weekday),
    (rf"(?P<wd>{w.WEEKDAY})\s+(?:of\s+)?(?P<rel>last|this|next)\s+(?P<week>week)\b{w.PART}", _relative_weekday),
    (rf"(?P<rel>last|this|next)\s+(?P<week>week)\s+(?:on\s+)?(?P<wd>{w.WEEKDAY}){w.PART}", _relative_weekday),
    (rf"{_REL}\s+(?P<m>{w.LONE_MONTH})(?!\s+\d)", _relative_month),
    (rf"{_REL}\s+{w.SEASON.replace('(?:', '(?P<season>', 1)}", _season),
    (rf"{_REL}\s+(?P<holiday>{w.HOLIDAY})", _holiday),
    (rf"(?P<rel>(?:the\s+)?(?:this\s+past|this\s+coming|last|past|next|coming|this))\s+(?P<unit>week|weekend|month|year|decade)\b",
     _unit),
    (rf"{_ROUGHLY}{_N}(?P<half>\s+and\s+a\s+half)?\s+(?P<unit>minute|hour|{w.UNIT})s?(?P<half2>\s+and\s+a\s+half)?"
     r"\s+(?:ago(?P<exact>\s+today\b)?|before\s+now|back(?=\s*[,.;!?)]|\s*$))(?![\w-])", _ago),
    (rf"half\s+a\s+year\s+ago\b", _half_year_ago),
    (rf"in\s+{_ROUGHLY}{_N}\s+(?P<unit>minute|hour|{w.UNIT})s?(?:['’]?\s+time)?\b", _ahead),
    (rf"{_ROUGHLY}{_N}\s+(?P<unit>minute|hour|{w.UNIT})s?\s+(?:from\s+(?:now|today)|hence)\b", _ahead),
    (rf"{_N}\s+(?:{w.UNIT})s?\s+(?:later|earlier|afterwards?)\b", _unresolved),
    (rf"(?:the\s+|{_N}\s+)(?P<unit>{w.UNIT}|morning|afternoon|evening|{w.WEEKDAY})s?\s+(?:right\s+|just\s+)?"
     r"(?P<dir>before|after|following|preceding|prior\s+to|of|from)\s+(?:the\s+(?:month\s+of\s+)?)?", _anchored),
    (rf"(?P<holiday>{w.HOLIDAY})(?:{_Y})?", _holiday),
    (w.VAGUE, _unresolved),
    (rf"(?:the\s+)?{w.SEASON.replace('(?:', '(?P<season>', 1)}", _season),
    (r"the\s+weekend\b(?!\s+(?:of|before|after))", _the_weekend),
    (r"the\s+(?P<unit>week|month|year)\b", _running),
    (rf"the\s+(?:(?P<century>1[6-9]|20)|['’]?)(?P<tens>\d)0['’]?s\b(?P<word>(?!))?", _decade),
    (rf"(?:the\s+)?(?P<century>1[6-9]|20)(?P<tens>\d)0['’]?s\b(?P<word>(?!))?", _decade),
    (rf"the\s+(?P<word>{'|'.join(w.DECADES)})\b(?P<century>(?!))?(?P<tens>(?!))?", _decade),
    (rf"the\s+(?P<d>{w.DAY}){w.ORDINAL}(?=\s*(?:[.,!?;)]|$|(?:at|and|for|with|we|I|to|in)\b))", _day_of_month),
    (rf"(?P<wd>{w.WEEKDAY}){w.PART}", _lone_weekday),
    (rf"(?P<m>{w.LONE_MONTH})", _lone_month),
    (rf"(?P<y>{w.YEAR})(?!\s*(?:[-/:]\s?\d|people|steps|dollars|euros|miles|km|meters))", _lone_year),
)

"""Phrases counted from the day of the turn, or hung on another date: "last week", "two days after Christmas".

Flows in: a match in a text and its place. Flows out: a `Reading`, or None where the match is no
date. Will not invent: a phrase without an exact meaning ("recently", "a few years ago", "over a
year ago") reads as no span.
"""

import re
from datetime import date, timedelta
from typing import Final

from meme.language.times import spans as spans
from meme.language.times import words as w
from meme.language.times.reading import (
    FREE,
    VAGUE,
    Groups,
    Place,
    Reading,
    closest,
    direction,
    month_of,
    on_day,
    reading,
    weekday_of,
    year_of,
)
from meme.records import Happened

_NAMED: Final = {
    "today": 0, "yesterday": -1, "tomorrow": 1, "tonight": 0, "tmrw": 1,
    "the day before yesterday": -2, "the day after tomorrow": 2, "last night": -1, "last evening": -1,
    "the night before last": -2, "day before yesterday": -2, "day after tomorrow": 2, "night before last": -2,
}  # fmt: skip


def named_day(groups: Groups, place: Place) -> Reading | None:
    """For "today", "yesterday evening", "last night", "the day after tomorrow"."""
    name = " ".join((groups["name"] or "").lower().split())
    part = groups["part"]
    if "night" in name:
        part = "night"
    elif "evening" in name:
        part = "evening"
    return on_day(place.today + timedelta(days=_NAMED[name]), part)


def part_of_today(groups: Groups, place: Place) -> Reading | None:
    """For "this morning"."""
    return on_day(place.today, groups["part"])


def unit_rule(groups: Groups, place: Place) -> Reading | None:
    """For "last week", "this month", "next year"."""
    rel, unit = (groups.get("rel") or "").lower(), (groups["unit"] or "").lower()
    way, today = direction(rel), place.today
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


def the_weekend(_groups: Groups, place: Place) -> Reading | None:
    """For "over the weekend": which one, the verb tells; unresolved without one."""
    if place.before not in ("over", "during", "at", "on", "for"):
        return None
    past = place.past()
    if past is None:
        return VAGUE
    return _weekend(place, 0 if past or place.today.weekday() < 5 else 1, "")


def relative_weekday(groups: Groups, place: Place) -> Reading | None:
    """For "last Friday", "this Monday morning", "Tuesday next week"."""
    weekday, way, today = weekday_of(groups["wd"]), direction(groups.get("rel")), place.today
    if groups.get("week"):
        return on_day(
            spans.week(today + timedelta(weeks=way)).start + timedelta(days=weekday), groups["part"]
        )
    if way == 0:
        if weekday == today.weekday():
            return on_day(today, groups["part"])
        way = -1 if place.past() else 1
    move = spans.weekday_before if way < 0 else spans.weekday_after
    return on_day(move(today, weekday), groups["part"])


_OF_A_KIND: Final = frozenset(
    ("every", "each", "other", "alternate", "all", "most", "some", "any", "one", "that", "good")
) | frozenset(("my", "our", "their", "your", "his", "the", "a", "an"))
_HABIT: Final = re.compile(r"\s+(?:mornings|afternoons|evenings|nights)\b", re.IGNORECASE)


def lone_weekday(groups: Groups, place: Place) -> Reading | None:
    """For "on Friday", "see you Friday": before or after the turn, the verb tells."""
    word = groups["wd"] or ""
    if place.before in _OF_A_KIND or _HABIT.match(place.text, place.end):
        return None
    if place.before not in w.PREPOSITIONS:
        short = word.rstrip(".") in ("Mon", "Wed", "Sat", "Sun") and not groups["part"]
        if short or not FREE.match(place.text, place.end):
            return None
    before, after = (
        move(place.today, weekday_of(word)) for move in (spans.weekday_before, spans.weekday_after)
    )
    if place.arranged() and place.before == "on":
        return on_day(closest(place.today, (before, after)), groups["part"])
    return on_day(before if place.past() else after, groups["part"])


def relative_month(groups: Groups, place: Place) -> Reading | None:
    """For "last May": the nearest that lies wholly before or after; "this May" is of the same year."""
    month, way, today = month_of(groups), direction(groups.get("rel")), place.today
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


def season_rule(groups: Groups, place: Place) -> Reading | None:
    """For "last summer", "in the summer of 2022", "in autumn"."""
    name = (groups["season"] or "").lower().replace("fall", "autumn")
    year = year_of(groups)
    if year is not None:
        return reading(spans.season(name, year), relative=False)
    if groups.get("rel"):
        way = direction(groups.get("rel"))
    elif place.before not in w.PREPOSITIONS | {"over"} or re.match(r"\s+of\b", place.text[place.end :]):
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


def ago_rule(groups: Groups, place: Place) -> Reading | None:
    """For "two years ago", "about ten days ago", "10 years ago today"."""
    unit = (groups["unit"] or "").lower()
    if groups["beyond"] or groups["vague"]:
        return VAGUE
    return _counted(groups, place, unit, -1)


def ahead_rule(groups: Groups, place: Place) -> Reading | None:
    """For "in two weeks", "a year from now"; in a past clause that is a duration."""
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
        return on_day(moved.date())
    unit = "day" if unit == "night" else unit
    if groups.get("half") or groups.get("half2"):
        return reading(spans.month(place.today.year, place.today.month + sign * (12 * count + 6)))
    found = spans.shifted(place.today, unit, sign * count)
    if groups.get("exact"):
        return on_day(_exactly(place.today, unit, sign * count))
    if groups["about"]:
        told = spans.render(found)
        if unit == "day":  # about ten days ago is no exact day
            found = spans.week(found.start)
        return Reading(found, f"around {told}")
    if unit in ("week", "fortnight", "weekend"):
        counted = f"{groups['n']} {unit}{'' if count == 1 else 's'}".lower()
        return Reading(found, f"{counted} {'before' if sign < 0 else 'after'} {place.said}")
    return reading(found)


def half_year_ago(_groups: Groups, place: Place) -> Reading | None:
    """For "half a year ago"."""
    return reading(spans.month(place.today.year, place.today.month - 6))


def _exactly(of: date, unit: str, count: int) -> date:
    if unit in ("month", "year", "decade"):
        return spans.add_months(of, count * {"month": 1, "year": 12, "decade": 120}[unit])
    return spans.shifted(of, "day", count * {"week": 7, "fortnight": 14}.get(unit, 1)).start


def before_last(groups: Groups, place: Place) -> Reading | None:
    """For "the week before last", "the Friday after next"."""
    sign = -2 if groups["last"] else 2
    word = (groups["unit"] or "").lower()
    if word.rstrip(".") in w.WEEKDAYS:
        move = spans.weekday_before if sign < 0 else spans.weekday_after
        return on_day(move(move(place.today, weekday_of(word)), weekday_of(word)))
    found = spans.shifted(place.today, word, sign)
    if word in ("week", "weekend"):
        return Reading(found, f"two {word}s {'before' if sign < 0 else 'after'} {place.said}")
    return reading(found)


def running_rule(groups: Groups, place: Place) -> Reading | None:
    """For "the year", "the month": a date only behind "the end of"."""
    if not place.lead.lower().rstrip().endswith("of"):
        return None
    unit = (groups["unit"] or "").lower()
    if unit == "week":
        return reading(spans.week(place.today), bare=f"the week of {place.said}")
    return reading(spans.shifted(place.today, unit, 0))


def unresolved(_groups: Groups, _place: Place) -> Reading | None:
    """A phrase about time without an exact meaning."""
    return VAGUE


def anchored(groups: Groups, place: Place) -> Reading | None:
    """For "the week before 9 June 2023", "two days after Christmas", "the night of 3 May"."""
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
    exact = found.precision == "day" and (groups["unit"] or "").lower() not in w.PARTS
    if exact or (anchor.feast and found.precision == "week"):
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
        return spans.day(move(at.start if sign < 0 else at.end, weekday_of(unit)))
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

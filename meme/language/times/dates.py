"""Dates that stand on the calendar by name: "7 May 2023", "May", "the 90s", "Christmas".

Flows in: a match in a text and its place. Flows out: a `Reading`, or None where the match is no
date ("May I"). A date without a year is read from the tense of its clause. Will not guess between
day and month: "5/7/2023" stays unresolved.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

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
    nearest,
    on_day,
    reading,
    weekday_of,
    year_of,
)


def numeric(groups: Groups, _place: Place) -> Reading | None:
    """For "31/12/2022", "12.05.2023"; unresolved where day and month could be swapped."""
    year = year_of(groups) or 0
    first, second = int(groups["a"] or 0), int(groups["b"] or 0)
    if groups["sep"] == "." or first > 12 or first == second:
        return reading(spans.day(date(year, second, first)), relative=False)
    if second > 12:
        return reading(spans.day(date(year, first, second)), relative=False)
    return replace(VAGUE, relative=False)


def iso_rule(groups: Groups, _place: Place) -> Reading | None:
    """For "2023-05-07", with or without a time."""
    found = date(int(groups["y"] or 0), int(groups["m"] or 0), int(groups["d"] or 0))
    return reading(spans.day(found), relative=False)


def month_day(groups: Groups, place: Place) -> Reading | None:
    """For "7 May 2023", "May 7th", "5-9 May", "28 April - 3 May 2023"."""
    month, first = month_of(groups), int(groups["d"] or 0)
    year = year_of(groups)
    if year is None and not groups.get("ord") and not groups.get("d2"):
        name = groups["m"] or ""
        unsure = name in ("may", "march", "mar", "dec", "sep") and place.before not in w.PREPOSITIONS
        if unsure and place.text.startswith(name, place.start):
            return None  # "we march 5 miles"
    if groups.get("d2"):
        last = int(groups["d2"] or 0)
        last_month = month_of(groups, "m2") if groups.get("m2") else month
        if year:
            start = date(year - (last_month < month), month, first)
        else:
            start = nearest(place, lambda y: date(y, month, first))
        ends = date(start.year + (last_month < month), last_month, last)
        if ends <= start:
            return None
        return reading(spans.span(start, ends), relative=year is None)
    found = date(year, month, first) if year else nearest(place, lambda y: date(y, month, first))
    return on_day(found, groups.get("part"), relative=year is None)


def month_year(groups: Groups, _place: Place) -> Reading | None:
    """For "May 2023"."""
    return reading(spans.month(year_of(groups) or 0, month_of(groups)), relative=False)


def lone_month(groups: Groups, place: Place) -> Reading | None:
    """For "in May": only behind a preposition, as it may be a name or a verb."""
    planned = place.before == "for" and place.arranged()  # "booked flights for July"
    if not (place.before in w.PREPOSITIONS or planned):
        return None
    if re.match(r"['’]s\b|\s+\d", place.text[place.end :]):
        return None
    month, today = month_of(groups), place.today
    if place.arranged():
        starts = (date(today.year + ahead, month, 15) for ahead in (-1, 0, 1))
        return reading(spans.month(closest(today, starts).year, month))
    if place.past():
        return reading(spans.month(today.year - (month > today.month), month))
    return reading(spans.month(today.year + (month < today.month), month))


def lone_year(groups: Groups, place: Place) -> Reading | None:
    """For "in 2022": only behind a preposition, as it may be an amount."""
    roughly = place.before in ("around", "circa") and FREE.match(place.text, place.end)
    if place.before not in w.PREPOSITIONS and not roughly:
        return None
    return reading(spans.year(int(groups["y"] or 0)), relative=False)


def years_rule(groups: Groups, place: Place) -> Reading | None:
    """For "2016-2018", "from 2016 to 2018"."""
    first, last = int(groups["y1"] or 0), int(groups["y2"] or 0)
    if last <= first or (groups["sep"] in ("to", "and") and place.before not in ("from", "between")):
        return None
    return reading(spans.span(date(first, 1, 1), date(last, 12, 31)), relative=False)


def decade_rule(groups: Groups, _place: Place) -> Reading | None:
    """For "the 90s", "the 1990s", "the nineties"."""
    if groups["word"]:
        first = 1900 + w.DECADES[groups["word"].lower()]
    else:
        first = int(groups["century"] or 19) * 100 + int(groups["tens"] or 0) * 10
    if not groups["century"] and first < 1930:
        return replace(VAGUE, relative=False)  # "the 20s" may be either century's
    return reading(spans.span(date(first, 1, 1), date(first + 9, 12, 31)), relative=False)


def day_of_month(groups: Groups, place: Place) -> Reading | None:
    """For "on the 21st": the latest in a past clause, else the next."""
    if place.before not in w.PREPOSITIONS:
        return None
    number, today = int(groups["d"] or 0), place.today
    past = place.past()
    if place.arranged():
        near = [spans.month(today.year, today.month + ahead) for ahead in (-1, 0, 1)]
        days = [m.start + timedelta(days=number - 1) for m in near if number <= m.end.day]
        return on_day(closest(today, days))
    for ahead in range(4):
        bounds = spans.month(today.year, today.month + (-ahead if past else ahead))
        found = bounds.start + timedelta(days=number - 1)
        if found <= bounds.end and (found <= today if past else found >= today):
            return on_day(found)
    return VAGUE


def nth_of_month(groups: Groups, place: Place) -> Reading | None:
    """For "the first weekend of August 2023", "the second Sunday of May"."""
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
        found = spans.day(spans.nth_weekday(year, month, weekday_of(unit), nth))
    return replace(reading(found, relative=hit[0].relative), end=end)


def _nearest_feast(place: Place, of_year: Callable[[int], date]) -> date:
    """As `nearest`, but where no verb tells, the closest in time on either side."""
    if place.past() is not None:
        return nearest(place, of_year)
    years = range(place.today.year - 1, place.today.year + 2)
    return min((of_year(year) for year in years), key=lambda day: abs(day - place.today))


def holiday_rule(groups: Groups, place: Place) -> Reading | None:
    """For "Christmas 2022", "last Thanksgiving", "on Halloween"."""
    name = re.sub(r"['’]?s?['’]?\s+day$|['’]s?(?=\s|$)", "", (groups["holiday"] or "").lower())
    name = " ".join(name.replace("xmas", "christmas").replace("saint", "st").replace(".", "").split())
    name = {"easter sunday": "easter", "labour": "labor", "new years": "new year", "veteran": "veterans",
            "new years eve": "new year eve", "4th of july": "independence",
            "fourth of july": "independence"}.get(name, name)  # fmt: skip
    of_year = spans.HOLIDAYS[name]
    year = year_of(groups)
    if year is not None:
        return replace(reading(spans.day(of_year(year)), relative=False), feast=True)
    today, rel = place.today, groups.get("rel")
    if rel and direction(rel):
        years = range(today.year - 1, today.year + 2)
        if direction(rel) < 0:
            found = [of_year(y) for y in years if of_year(y) < today][-1]
        else:
            found = next(of_year(y) for y in years if of_year(y) > today)
    elif rel:
        found = of_year(today.year)
    elif place.text == place.text[place.start : place.end]:
        found = _nearest_feast(place, of_year)
    elif place.before in w.PREPOSITIONS | {
        "for",
        "over",
        "at",
        "around",
        "of",
        "the",
        "to",
        "following",
        "preceding",
    }:
        if place.past() is None and place.before in ("for", "over", "at", "around", "the", "of", "to"):
            return None
        found = _nearest_feast(place, of_year)
    elif place.start and place.past() is not None and FREE.match(place.text, place.end):
        found = nearest(place, of_year)  # "we met New Year's Eve"
    else:
        return None
    return replace(on_day(found), feast=True)

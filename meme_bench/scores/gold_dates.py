"""Gold answers that are dates, read into spans.

Flows in: "7 May 2023", "The week before 9 June 2023", "In 2013", "first week of May 2023". Flows out: the
spans it may mean, at its own precision; nothing for what is no date or has no year ("4 years", "13 August").
Two readings are given where people mean two things: the week before a date is the last week from Monday to
Sunday, or the seven days before it.
"""

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final, Literal

from meme import Happened

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_COUNTS: Final = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "last": 1, "the": 1, "": 1}
_NTH: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4}

_MONTH: Final = rf"(?P<month>{'|'.join(_MONTHS)})[a-z]*"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_LEAD: Final = r"(?:(?:in|on|at|since|around|about|approximately|circa|the|of)\s+)*"
_OTHER_DAY: Final = _DAY.replace("day", "day2")
_OTHER_MONTH: Final = _MONTH.replace("month", "month2")
_OTHER_YEAR: Final = _YEAR.replace("year", "year2")
_DATE: Final = rf"(?:{_DAY} {_MONTH} {_YEAR}|{_OTHER_MONTH} {_OTHER_DAY} {_OTHER_YEAR})"
_WEEKDAY: Final = rf"(?P<weekday>{'|'.join(_WEEKDAYS)})"
_SEASON: Final = rf"(?P<season>{'|'.join(_SEASONS)})"

Precision = Literal["day", "weekend", "week", "month", "season", "year", "range"]
Spans = tuple[Happened, ...]
_Groups = dict[str, str]


def read(gold: str) -> Spans:
    """The spans a gold answer may mean, the likelier first; () for what cannot be read as a date."""
    text = " ".join(re.sub(r"[^\w\s-]", " ", gold.lower()).split())
    for pattern, reading in _FORMS:
        match = pattern.fullmatch(text)
        if match:
            groups = {name: value or "" for name, value in match.groupdict().items()}
            try:
                return tuple(dict.fromkeys(reading(groups)))
            except ValueError:  # 31 June
                return ()
    return ()


def _span(start: date, end: date, precision: Precision) -> Happened:
    return Happened(start, end, precision)


def _anchor(found: _Groups) -> date:
    day, month, year = (found[name] or found[f"{name}2"] for name in ("day", "month", "year"))
    return date(int(year), _MONTHS.index(month) + 1, int(day))


def _days(count: int) -> timedelta:
    return timedelta(days=count)


def _month(found: _Groups) -> tuple[date, date]:
    year, month = int(found["year"]), _MONTHS.index(found["month"]) + 1
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def _day(found: _Groups) -> Spans:
    at = _anchor(found)
    return (_span(at, at, "day"),)


def _whole_month(found: _Groups) -> Spans:
    return (_span(*_month(found), "month"),)


def _whole_year(found: _Groups) -> Spans:
    year = int(found["year"])
    return (_span(date(year, 1, 1), date(year, 12, 31), "year"),)


def _season(found: _Groups) -> Spans:
    year, month = int(found["year"]), _SEASONS[found["season"]]
    end_year, end_month = (year, month + 2) if month < 12 else (year + 1, 2)
    end = date(end_year, end_month, calendar.monthrange(end_year, end_month)[1])
    return (_span(date(year, month, 1), end, "season"),)


def _weekday_from(found: _Groups) -> Spans:
    """ "The Friday before 14 August 2023", "Saturday after 27 January, 2023"."""
    at, wanted = _anchor(found), _WEEKDAYS.index(found["weekday"])
    if found["way"] == "after":
        day = at + _days((wanted - at.weekday() - 1) % 7 + 1)
    else:
        day = at - _days((at.weekday() - wanted - 1) % 7 + 1)
    return (_span(day, day, "day"),)


def _weekend_from(found: _Groups) -> Spans:
    """ "Two weekends before 17 July 2023"; a weekend around the date itself is none before or after it."""
    at, count = _anchor(found), _COUNTS[found["count"]]
    saturday = at - _days((at.weekday() - 5) % 7)  # of this weekend, or of the last
    if found["way"] == "of":
        near = saturday if at.weekday() >= 5 else saturday + _days(7)
        return tuple(_span(start, start + _days(1), "weekend") for start in (near, saturday))
    if found["way"] == "after":
        start = saturday + _days(7 * count)
    else:
        latest = saturday - _days(7) if at.weekday() >= 5 else saturday
        start = latest - _days(7 * (count - 1))
    return (_span(start, start + _days(1), "weekend"),)


def _week_from(found: _Groups) -> Spans:
    """ "Two weeks before 11 August 2023", "the week of 23 August 2023"."""
    at, count = _anchor(found), _COUNTS[found["count"]]
    monday = at - _days(at.weekday())
    if found["way"] == "of":
        return (_span(monday, monday + _days(6), "week"), _span(at, at + _days(6), "week"))
    if found["way"] == "after":
        starts = (monday + _days(7 * count), at + _days(7 * (count - 1) + 1))
    else:
        starts = (monday - _days(7 * count), at - _days(7 * count))
    return tuple(_span(start, start + _days(6), "week") for start in starts)


def _few_days_before(found: _Groups) -> Spans:
    at = _anchor(found)
    return (_span(at - _days(7), at - _days(1), "range"),)


def _nth_week(found: _Groups) -> Spans:
    """ "First week of May 2023": its first seven days, or the Monday to Sunday with most of them."""
    first, last = _month(found)
    if found["unit"] == "weekend":
        saturdays = [day for day in (first + _days(i) for i in range(last.day)) if day.weekday() == 5]
        start = saturdays[-1 if found["nth"] == "last" else _NTH[found["nth"]] - 1]
        return (_span(start, start + _days(1), "weekend"),)
    start = last - _days(6) if found["nth"] == "last" else first + _days(7 * (_NTH[found["nth"]] - 1))
    monday = start - _days(start.weekday())
    nearest = monday if start.weekday() <= 3 else monday + _days(7)
    return (_span(start, start + _days(6), "week"), _span(nearest, nearest + _days(6), "week"))


def _part_of_month(found: _Groups) -> Spans:
    first, last = _month(found)
    start, end = {"early": (1, 10), "mid": (11, 20), "late": (21, 31)}[
        {"beginning": "early", "start": "early", "middle": "mid", "end": "late"}.get(
            found["part"], found["part"]
        )
    ]
    return (_span(first.replace(day=start), first.replace(day=min(end, last.day)), "range"),)


def _between(found: _Groups) -> Spans:
    """ "Between October 19 and 24, 2023", "between 26 March and 20 April 2023", "November 5-6, 2022"."""
    year = int(found["year"])
    month = _MONTHS.index(found["month"]) + 1
    other = _MONTHS.index(found["month2"]) + 1 if found.get("month2") else month
    return (_span(date(year, month, int(found["day"])), date(year, other, int(found["day2"])), "range"),)


def _compiled(form: str) -> re.Pattern[str]:
    return re.compile(form.replace(" ", r"\s*"))  # "15April 2022", as LoCoMo has it


_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[_Groups], Spans]], ...]] = tuple(
    (_compiled(form), reading)
    for form, reading in (
        (rf"{_LEAD}{_DATE}", _day),
        (rf"{_LEAD}{_MONTH} {_YEAR}", _whole_month),
        (rf"{_LEAD}{_YEAR}", _whole_year),
        (rf"{_LEAD}{_SEASON} (?:of )?{_YEAR}", _season),
        (rf"{_LEAD}{_WEEKDAY} (?P<way>before|after) {_DATE}", _weekday_from),
        (
            rf"{_LEAD}(?P<count>one|two|three|four|last|) weekends? (?P<way>before|after|of) {_DATE}",
            _weekend_from,
        ),
        (
            rf"{_LEAD}(?P<count>a|one|two|three|four|last|) weeks? (?P<way>before|after|of) {_DATE}",
            _week_from,
        ),
        (rf"(?:a )?few days before {_DATE}", _few_days_before),
        (
            rf"{_LEAD}(?P<nth>first|second|third|fourth|last) (?P<unit>week|weekend) of {_MONTH} {_YEAR}",
            _nth_week,
        ),
        (
            rf"{_LEAD}(?P<part>early|mid|late|beginning|start|middle|end) (?:of )?-?{_MONTH} {_YEAR}",
            _part_of_month,
        ),
        (rf"(?:between |{_LEAD}night of ){_MONTH} {_DAY} (?:and|to) {_OTHER_DAY} {_YEAR}", _between),
        (rf"(?:between ){_DAY} {_MONTH} and {_OTHER_DAY} {_OTHER_MONTH} {_YEAR}", _between),
        (rf"{_LEAD}{_MONTH} {_DAY}-{_OTHER_DAY} {_YEAR}", _between),
    )
)

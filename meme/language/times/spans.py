"""Calendar arithmetic: days, weeks, seasons and holidays as spans of dates, and their wording.

Flows in: calendar dates and counts. Flows out: `Happened` spans and English phrases for them.
Will not read text, and knows no clock and no time zone. Weeks are Monday to Sunday; seasons are
the northern meteorological ones (spring starts on 1 March). Dates outside the years 1 to 9999
raise ValueError or OverflowError, as in `datetime`.
"""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from meme.records import Happened

MONTH_NAMES: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
SEASON_START: Final = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
ONE_DAY: Final = timedelta(days=1)


def day(of: date) -> Happened:
    """One calendar day."""
    return Happened(of, of, "day")


def week(of: date) -> Happened:
    """The Monday-to-Sunday week that holds `of`."""
    monday = of - timedelta(days=of.weekday())
    return Happened(monday, monday + timedelta(days=6), "week")


def weekend(of: date) -> Happened:
    """The Saturday and Sunday of the week that holds `of`."""
    saturday = of + timedelta(days=5 - of.weekday())
    return Happened(saturday, saturday + ONE_DAY, "weekend")


def month(year_number: int, month_number: int) -> Happened:
    """One calendar month; `month_number` may run over into other years."""
    years, index = divmod(month_number - 1, 12)
    first = date(year_number + years, index + 1, 1)
    return Happened(first, _next_month(first) - ONE_DAY, "month")


def year(number: int) -> Happened:
    """One calendar year."""
    return Happened(date(number, 1, 1), date(number, 12, 31), "year")


def season(name: str, number: int) -> Happened:
    """The season that starts in year `number`; a winter runs into the next year."""
    first = month(number, SEASON_START[name])
    return Happened(first.start, month(number, SEASON_START[name] + 2).end, "season")


def span(start: date, end: date) -> Happened:
    """From `start` to `end`, both included."""
    return Happened(start, end, "range")


def _next_month(first: date) -> date:
    return date(first.year + first.month // 12, first.month % 12 + 1, 1)


def add_months(to: date, count: int) -> date:
    """The same day `count` months on, or the last day of that month where it has no such day."""
    target = month(to.year, to.month + count)
    return min(target.start + timedelta(days=to.day - 1), target.end)


def weekday_before(of: date, weekday: int) -> date:
    """The nearest such weekday (Monday is 0) strictly before `of`."""
    return of - timedelta(days=(of.weekday() - weekday - 1) % 7 + 1)


def weekday_after(of: date, weekday: int) -> date:
    """The nearest such weekday strictly after `of`."""
    return of + timedelta(days=(weekday - of.weekday() - 1) % 7 + 1)


def shifted(of: date, unit: str, count: int) -> Happened:
    """`count` units from `of`, at the precision of the unit: two weeks ago is a week, not a day.

    Units: day, week, fortnight, weekend, month, year, decade. Weekends count from the one before
    (or after) the week of `of`.
    """
    if unit == "day":
        return day(of + timedelta(days=count))
    if unit in ("week", "fortnight"):
        return week(of + timedelta(weeks=count * (2 if unit == "fortnight" else 1)))
    if unit == "weekend":
        # On a Monday to Friday, the coming weekend is already the first one ahead.
        ahead = count - 1 if count > 0 and of.weekday() < 5 else count
        return weekend(of + timedelta(weeks=ahead))
    if unit == "month":
        return month(of.year, of.month + count)
    return year(of.year + count * (10 if unit == "decade" else 1))


def nth_weekday(year_number: int, month_number: int, weekday: int, nth: int) -> date:
    """The nth such weekday of a month; nth -1 is the last."""
    bounds = month(year_number, month_number)
    if nth < 0:
        return weekday_before(bounds.end + ONE_DAY, weekday)
    found = weekday_after(bounds.start - ONE_DAY, weekday) + timedelta(weeks=nth - 1)
    if found > bounds.end:
        raise ValueError("no such weekday in this month")
    return found


def easter(year_number: int) -> date:
    """Western Easter Sunday (anonymous Gregorian algorithm, Meeus/Jones/Butcher)."""
    a, (b, c) = year_number % 19, divmod(year_number, 100)
    d, e = divmod(b, 4)
    g = (b - (b + 8) // 25 + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    offset = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * offset) // 451
    month_number, day_number = divmod(h + offset - 7 * m + 114, 31)
    return date(year_number, month_number, day_number + 1)


def _fixed(month_number: int, day_number: int) -> Callable[[int], date]:
    return lambda y: date(y, month_number, day_number)


def _moving(month_number: int, weekday: int, nth: int, plus: int = 0) -> Callable[[int], date]:
    return lambda y: nth_weekday(y, month_number, weekday, nth) + timedelta(days=plus)


def _from_easter(days: int) -> Callable[[int], date]:
    return lambda y: easter(y) + timedelta(days=days)


# By name, folded, without "day" where it may be left out; national ones are those of the US.
HOLIDAYS: Final[dict[str, Callable[[int], date]]] = {
    "new year": _fixed(1, 1),
    "new year eve": _fixed(12, 31),
    "mlk": _moving(1, 0, 3),
    "valentine": _fixed(2, 14),
    "st patrick": _fixed(3, 17),
    "good friday": _from_easter(-2),
    "easter": _from_easter(0),
    "easter monday": _from_easter(1),
    "mother": _moving(5, 6, 2),
    "memorial": _moving(5, 0, -1),
    "father": _moving(6, 6, 3),
    "juneteenth": _fixed(6, 19),
    "independence": _fixed(7, 4),
    "labor": _moving(9, 0, 1),
    "halloween": _fixed(10, 31),
    "veterans": _fixed(11, 11),
    "thanksgiving": _moving(11, 3, 4),
    "black friday": _moving(11, 3, 4, 1),
    "christmas eve": _fixed(12, 24),
    "christmas": _fixed(12, 25),
    "boxing": _fixed(12, 26),
}


def render_day(of: date) -> str:
    """A day in words: "7 May 2023"."""
    return f"{of.day} {MONTH_NAMES[of.month - 1]} {of.year}"


def render(happened: Happened) -> str:
    """A span in words at its own precision: "7 May 2023", "May 2023", "the week of 1 May 2023".

    Also "2022", "the weekend of 6 May 2023", "summer 2023", "winter 2022/23", "5-9 May 2023".
    """
    start, end = happened.start, happened.end
    if happened.precision == "month":
        return f"{MONTH_NAMES[start.month - 1]} {start.year}"
    if happened.precision == "year":
        return str(start.year)
    if happened.precision in ("week", "weekend"):
        return f"the {happened.precision} of {render_day(start)}"
    if happened.precision == "season":
        return _render_season(start, end)
    return render_day(start) if start == end else _render_range(start, end)


def _render_season(start: date, end: date) -> str:
    name = next((n for n, m in SEASON_START.items() if m == start.month), None)
    if name is None:
        return _render_range(start, end)
    suffix = f"/{end.year % 100:02d}" if end.year != start.year else ""
    return f"{name} {start.year}{suffix}"


def _render_range(start: date, end: date) -> str:
    if (start.month, start.day, end.month, end.day) == (1, 1, 12, 31):
        return f"{start.year}-{end.year}"
    if start.year != end.year:
        return f"{render_day(start)} - {render_day(end)}"
    if start.month != end.month:
        return f"{start.day} {MONTH_NAMES[start.month - 1]} - {render_day(end)}"
    return f"{start.day}-{render_day(end)}"

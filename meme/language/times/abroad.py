"""Rules for the time phrases of `time_tongues`, and those of Chinese, Japanese and Korean.

Flows in: a match in a text and the day it was said. Flows out: a `Reading` worded in the language
of the phrase. Will not read anything the tables do not name, except written-out dates
("3 maja 2025"), which go through dateparser; that is imported on the first such date.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from functools import lru_cache, partial
from typing import Final

from meme.language.times import spans as spans
from meme.language.times.reading import Groups, Place, Reading, Rule
from meme.language.times.tongues import TONGUES, Tongue
from meme.language.times.words import YEAR
from meme.records import Happened

_NO_DAY_BEFORE: Final = frozenset(
    [
        "guten",
        "am",
        "jeden",
        "diesen",
        "den",
        "gestern",
        "heute",
        "la",
        "esta",
        "una",
        "cada",
        "de",
        "à",
        "buon",
    ]
)
_FRENCH_HINT: Final = re.compile(
    r"\b(?:j['’]\w+|je|nous|vous|ils|elles|avec|chez|était|est|ai|suis|soir|matin|les?|une?|au|mon|ma"
    r"|mes|pour|et)\b",
    re.IGNORECASE,
)
_WAY_FIRST: Final = r"{article}(?P<way>{ways})\s+(?P<noun>{nouns})"
_NOUN_FIRST: Final = r"{article}(?P<noun>{nouns})\s+(?P<way>{ways})"


def _choice(words: Iterable[str]) -> str:
    """A pattern for any of the words, longest first; "a|b" counts as two."""
    single = sorted({word for entry in words for word in entry.split("|")}, key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\ ", r"\s+").replace("'", "['’]") for word in single)


def _plain(word: str) -> str:
    return " ".join(word.lower().replace("’", "'").split())


def _key(table: Mapping[str, int], word: str) -> int:
    return next(value for entry, value in table.items() if _plain(word) in entry.split("|"))


def _name(table: Mapping[str, str], word: str) -> str | None:
    return next((key for key, entry in table.items() if _plain(word) in entry.split("|")), None)


def _worded(tongue: Tongue, happened: Happened, place: Place, *, relative: bool = True) -> Reading:
    link, noun = tongue.wording[happened.precision]
    of = happened.start
    month = tongue.months[of.month - 1]
    bare = noun.format(d=of.day, m=month, in_m=f"{month[:-1]}е", y=of.year)
    if place.before in tongue.prepositions.split():
        link = ""
    return Reading(happened, f"{link} {bare}".strip(), "", relative)


def _day_word(tongue: Tongue, groups: Groups, place: Place) -> Reading | None:
    word = groups["word"] or ""
    if place.before in _NO_DAY_BEFORE and word.lower() in ("morgen", "mañana", "hier"):
        return None
    if (
        word == "Morgen"
        and place.start
        and place.text[: place.start].rstrip()[-1:] not in (".", "!", "?", "")
    ):
        return None  # the noun
    if word.lower() == "hier" and not _FRENCH_HINT.search(
        place.text[max(0, place.start - 80) : place.end + 80]
    ):
        return None  # "hier" is German for "here"
    return _worded(tongue, spans.day(place.today + timedelta(days=_key(tongue.days, word))), place)


def _pair(tongue: Tongue, groups: Groups, place: Place) -> Reading | None:
    way = next(k for k, entry in tongue.ways.items() if _plain(groups["way"] or "") in entry.split("|"))
    noun, today = groups["noun"] or "", place.today
    if unit := _name(tongue.units, noun):
        return _worded(tongue, _unit(today, unit, way), place)
    weekday = next(i for i, entry in enumerate(tongue.weekdays) if _plain(noun) in entry.split("|"))
    if way == 0:
        return _worded(tongue, spans.day(spans.week(today).start + timedelta(days=weekday)), place)
    move = spans.weekday_before if way < 0 else spans.weekday_after
    return _worded(tongue, spans.day(move(today, weekday)), place)


def _unit(today: date, unit: str, way: int) -> Happened:
    return spans.week(today + timedelta(weeks=way)) if unit == "week" else spans.shifted(today, unit, way)


def _counted(tongue: Tongue, sign: int, groups: Groups, place: Place) -> Reading | None:
    raw, noun = groups["n"] or "", groups["unit"] or ""
    count = int(raw) if raw.isdigit() else _key(tongue.counts, raw)
    unit = _name(tongue.counted_units, noun) or "day"
    return _worded(tongue, spans.shifted(place.today, unit, sign * count), place)


def _full_date(tongue: Tongue, groups: Groups, place: Place) -> Reading | None:
    month = [name.lower() for name in tongue.months].index(_plain(groups["m"] or "")) + 1
    year = int(groups["y"] or 0)
    if not groups["d"]:
        return _worded(tongue, spans.month(year, month), place, relative=False)
    of = date(year, month, int(groups["d"]))
    return _worded(tongue, spans.week(of) if groups["week"] else spans.day(of), place, relative=False)


def _rules(tongue: Tongue) -> list[tuple[str, Rule]]:
    table: list[tuple[str, Rule]] = [(rf"(?P<word>{_choice(tongue.days)})\b", partial(_day_word, tongue))]
    nouns = _choice((*tongue.units.values(), *tongue.weekdays))
    for way, entry in tongue.ways.items():
        order = (_WAY_FIRST,) if way == 0 or tongue.adjective_first else (_WAY_FIRST, _NOUN_FIRST)
        for shape in order:
            pattern = shape.format(article=f"(?:{tongue.article})?", ways=_choice([entry]), nouns=nouns)
            table.append((pattern + r"\b", partial(_pair, tongue)))
    count, unit = rf"\d{{1,3}}|{_choice(tongue.counts)}", _choice(tongue.counted_units.values())
    for sign, shapes in ((-1, tongue.ago), (1, tongue.ahead)):
        for shape in shapes:
            pattern = shape.format(n=f"(?P<n>{count})", unit=f"(?P<unit>{unit})")
            table.append((pattern + r"\b", partial(_counted, tongue, sign)))
    of = f"(?:{tongue.of})?" if tongue.of else ""
    date_of = (
        rf"(?:{tongue.article})?(?:(?P<week>{tongue.week_of})\s+)?(?:(?P<d>\d\d?)(?:\.|er|º|°)?\s+{of})?"
        rf"(?P<m>{_choice(tongue.months)})\s+{of}(?P<y>{YEAR})\b(?:\s+года\b)?"
    )
    return [*table, (date_of, partial(_full_date, tongue))]


# --- Chinese, Japanese, Korean ------------------------------------------------------------------

_EAST_DAYS: Final = {
    "大前天": -3, "前天": -2, "昨天": -1, "今天": 0, "明天": 1, "后天": 2, "後天": 2, "大后天": 3,
    "昨晚": -1, "今晚": 0, "明晚": 1, "一昨日": -2, "おととい": -2, "昨日": -1, "きのう": -1, "今日": 0,
    "明日": 1, "明後日": 2, "あさって": 2, "그저께": -2, "어제": -1, "오늘": 0, "내일": 1, "모레": 2,
}  # fmt: skip
_EAST_YEARS: Final = {
    "去年": -1, "昨年": -1, "今年": 0, "明年": 1, "来年": 1, "來年": 1, "작년": -1, "올해": 0, "내년": 1,
}  # fmt: skip
_EAST_WEEKS: Final = {"先々週": -2, "先週": -1, "今週": 0, "来週": 1, "再来週": 2}
_EAST_MONTHS: Final = {"先月": -1, "今月": 0, "来月": 1, "再来月": 2}
_HAN_WAYS: Final = {"上上": -2, "上": -1, "这": 0, "這": 0, "本": 0, "下": 1, "下下": 2}
_HAN_DAYS: Final = {c: i for i, c in enumerate("一二三四五六日")} | {"天": 6}
_HAN_COUNT: Final = {c: i for i, c in enumerate("一二三四五六七八九十", 1)} | {"两": 2, "兩": 2}
_EAST_UNITS: Final = {
    "天": "day", "日": "day", "周": "week", "週": "week", "星期": "week", "礼拜": "week", "週間": "week",
    "月": "month", "个月": "month", "個月": "month", "か月": "month", "ヶ月": "month", "年": "year",
    "일": "day",
    "주": "week", "개월": "month", "년": "year",
}  # fmt: skip


def _east(happened: Happened, japanese: bool = False, *, relative: bool = True) -> Reading:
    of = happened.start
    told = f"{of.year}年"
    if happened.precision != "year":
        told += f"{of.month}月"
    if happened.precision not in ("year", "month"):
        told += f"{of.day}日"
    if happened.precision in ("week", "weekend"):
        told += {"week": "の週" if japanese else "那一周", "weekend": "の週末" if japanese else "那个周末"}[
            happened.precision
        ]
    return Reading(happened, told, "", relative)


def _east_word(groups: Groups, place: Place) -> Reading | None:
    word = groups["word"] or ""
    if word in _EAST_YEARS:
        return _east(spans.year(place.today.year + _EAST_YEARS[word]))
    if word in _EAST_MONTHS:
        return _east(spans.shifted(place.today, "month", _EAST_MONTHS[word]))
    return _east(spans.day(place.today + timedelta(days=_EAST_DAYS[word])))


def _japanese_week(groups: Groups, place: Place) -> Reading | None:
    found = spans.week(place.today + timedelta(weeks=_EAST_WEEKS[groups["way"] or ""]))
    if groups["wd"]:
        return _east(spans.day(found.start + timedelta(days="月火水木金土日".index(groups["wd"]))))
    return _east(spans.weekend(found.start), True) if groups["end"] else _east(found, True)


def _han_week(groups: Groups, place: Place) -> Reading | None:
    found = spans.week(place.today + timedelta(weeks=_HAN_WAYS[groups["way"] or ""]))
    if groups["wd"]:
        return _east(spans.day(found.start + timedelta(days=_HAN_DAYS[groups["wd"]])))
    return _east(spans.weekend(found.start)) if groups["end"] else _east(found)


def _han_month(groups: Groups, place: Place) -> Reading | None:
    return _east(spans.shifted(place.today, "month", _HAN_WAYS[groups["way"] or ""]))


def _east_counted(groups: Groups, place: Place) -> Reading | None:
    raw = groups["n"] or ""
    count = int(raw) if raw.isdigit() else _HAN_COUNT[raw]
    sign = -1 if groups["side"] in ("前", "以前", "之前", "전") else 1
    return _east(spans.shifted(place.today, _EAST_UNITS[groups["unit"] or ""], sign * count))


def _east_date(groups: Groups, _place: Place) -> Reading | None:
    year = int(groups["y"] or 0)
    if not groups["m"]:
        return _east(spans.year(year), relative=False)
    if not groups["d"]:
        return _east(spans.month(year, int(groups["m"])), relative=False)
    found = date(year, int(groups["m"]), int(groups["d"]))
    return _east(spans.week(found) if groups["week"] else spans.day(found), relative=False)


# Scripts without spaces have no word boundaries, so these are looked for at every character.
EAST_RULES: Final[tuple[tuple[str, Rule], ...]] = (
    (
        r"(?P<y>\d{4})\s?[年년]\s?(?:(?P<m>\d\d?)\s?[月월]\s?(?:(?P<d>\d\d?)\s?[日号號일])?)?"
        r"(?P<week>那一周|の週)?",
        _east_date,
    ),
    (rf"(?P<n>\d{{1,3}}|[{''.join(_HAN_COUNT)}])\s?(?P<unit>{_choice(_EAST_UNITS)})\s?(?P<side>以前|之前|前|전|后|後|之后|之後|후)",
     _east_counted),
    (
        rf"(?P<way>{_choice(_EAST_WEEKS)})(?:の?(?P<wd>[月火水木金土日])曜日?|の?(?P<end>週末))?",
        _japanese_week,
    ),
    (
        rf"(?P<way>{_choice(_HAN_WAYS)})个?(?:周|星期|礼拜|週)"
        r"(?:(?P<wd>[一二三四五六日天])(?![月天年个])|(?P<end>末))?",
        _han_week,
    ),
    (rf"(?P<way>{_choice(_HAN_WAYS)})[个個]月", _han_month),
    (rf"(?P<word>{_choice(_EAST_DAYS)}|{_choice(_EAST_YEARS)}|{_choice(_EAST_MONTHS)})", _east_word),
)  # fmt: skip


# --- written-out dates of any further language ------------------------------------------------------

_FURTHER: Final = ["nl", "pl", "cs", "sv", "da", "nb", "fi", "tr", "uk", "ro", "hu", "el", "id", "ca"]


@lru_cache(maxsize=1024)
def _parsed(phrase: str) -> date | None:
    import dateparser  # noqa: PLC0415 - takes 0.2 s, and few texts need it

    settings = {"STRICT_PARSING": True, "REQUIRE_PARTS": ["day", "month", "year"], "DATE_ORDER": "DMY"}
    found = dateparser.parse(phrase, languages=_FURTHER, settings=settings)
    return None if found is None else found.date()


def _further(groups: Groups, place: Place) -> Reading | None:
    found = _parsed(place.text[place.start : place.end])
    if found is None or f"{found.year}" != groups["y"] or found.day != int(groups["d"] or 0):
        return None
    return Reading(spans.day(found), "", "", relative=False)


FURTHER_RULE: Final[tuple[str, Rule]] = (
    r"(?P<d>\d\d?)\.?\s+(?:de\s+)?(?!(?:people|in|and|to|of|or|for|by|from|the|times|years)\b)"
    rf"[^\W\d_]{{3,12}}\.?\s+(?:de\s+)?(?P<y>{YEAR})\b",
    _further,
)
WEST_RULES: Final[tuple[tuple[str, Rule], ...]] = tuple(rule for tongue in TONGUES for rule in _rules(tongue))

_ENGLISH_TOO: Final = frozenset(
    ["an", "de", "fin", "fine", "final", "weekend", "week", "end", "april", "august", "september", "november"]
)


def _cues() -> frozenset[str]:
    """Words that hardly stand in an English text, one of them in every phrase of these languages."""
    words: set[str] = set()
    for tongue in TONGUES:
        entries = (*tongue.days, *tongue.units.values(), *tongue.weekdays, *tongue.counted_units.values())
        entries = (*entries, *tongue.months, *tongue.ways.values(), tongue.cues)
        words.update(word for entry in entries for word in re.findall(r"\w{2,}|y", entry.lower()))
    return frozenset(words - _ENGLISH_TOO)


CUES: Final = _cues()

"""The English time phrases: a pattern for each kind, and the rule that reads it.

Flows out: the table `times` searches with. Reads nothing itself.
"""

from typing import Final

from meme.language.times import dates as dates
from meme.language.times import relative as relative
from meme.language.times import words as w
from meme.language.times.reading import Rule

_Y: Final = rf"(?:,?\s+(?:of\s+)?(?P<y>{w.YEAR})|\s+['’](?P<yy>\d\d)\b)"
_REL: Final = r"(?P<rel>this\s+past|this\s+coming|the\s+coming|last|past|next|coming|this)"
_N: Final = rf"(?:(?P<vague>{w.VAGUE_COUNT})|(?P<n>{w.COUNT}))"
_ROUGHLY: Final = rf"(?:(?:(?P<about>{w.ABOUT})|(?P<beyond>{w.BEYOND}))\s+)?"
_WD: Final = rf"(?:{w.WEEKDAY},?\s+)?"
_EARLY: Final = r"the\s+(?:(?:early|late|mid)[\s-]+)?"
_DASH: Final = r"\s?(?:-|–|—|to|until|through)\s?"

# In order: where two fit at one place, the first wins. Longer and more exact phrases come first.
RULES: Final[tuple[tuple[str, Rule], ...]] = (
    (
        r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z"
        r"|[+-]\d\d:?\d\d)?)?(?![\d-])",
        dates.iso_rule,
    ),
    (r"(?P<y>\d{4})/(?P<m>\d\d?)/(?P<d>\d\d?)(?![\d/])", dates.iso_rule),
    (r"(?<![\d.])(?P<a>\d\d?)(?P<sep>[/.])(?P<b>\d\d?)(?P=sep)(?P<y>\d{4})(?![\d/])", dates.numeric),
    (r"(?<![\d/])(?P<a>\d\d?)(?P<sep>/)(?P<b>\d\d?)/(?P<yy>\d\d)(?![\d/])", dates.numeric),
    (
        rf"(?P<d>{w.DAY}){w.ORDINAL}?{_DASH}(?P<d2>{w.DAY}){w.ORDINAL}?(?:\s+of)?\s+(?P<m>{w.MONTH}){_Y}?",
        dates.month_day,
    ),
    (
        rf"(?P<m>{w.MONTH})\s+(?P<d>{w.DAY}){w.ORDINAL}?{_DASH}(?P<d2>{w.DAY}){w.ORDINAL}?(?!\d|:){_Y}?",
        dates.month_day,
    ),
    (
        rf"(?P<d>{w.DAY}){w.ORDINAL}?\s+(?P<m>{w.MONTH}){_DASH}(?P<d2>{w.DAY}){w.ORDINAL}?"
        rf"\s+(?P<m2>{w.MONTH}){_Y}?",
        dates.month_day,
    ),
    (
        rf"{_WD}(?:the\s+)?(?P<d>{w.DAY})(?P<ord>{w.ORDINAL})?(?:\s+of)?\s+(?P<m>{w.MONTH}){_Y}?{w.PART}",
        dates.month_day,
    ),
    (
        rf"{_WD}(?P<m>{w.MONTH})\s+(?:the\s+)?(?P<d>{w.DAY})(?P<ord>{w.ORDINAL})?(?!\d|[:.]\d"
        rf"|\s*[ap]\.?m\b|%){_Y}?{w.PART}",
        dates.month_day,
    ),
    (rf"(?P<m>{w.MONTH}){_Y}", dates.month_year),
    (rf"(?P<y1>{w.YEAR})\s?(?P<sep>-|–|—|to|and|until)\s?(?P<y2>{w.YEAR})", dates.years_rule),
    (rf"(?:the\s+)?{w.SEASON.replace('(?:', '(?P<season>', 1)}{_Y}(?:/\d\d)?", relative.season_rule),
    (
        r"(?P<name>(?:the\s+)?day\s+before\s+yesterday|(?:the\s+)?day\s+after\s+tomorrow|(?:the"
        r"\s+)?night\s+before\s+last"
        rf"|last\s+night|last\s+evening|yesterday|today|tomorrow|tonight|tmrw)\b{w.PART}",
        relative.named_day,
    ),
    (r"this\s+(?P<part>morning|afternoon|evening)\b", relative.part_of_today),
    (
        rf"(?:the\s+)?(?P<unit>day|week|weekend|month|year|{w.WEEKDAY})\s+(?:(?P<last>before"
        rf"\s+last)|after\s+next)\b",
        relative.before_last,
    ),
    (
        rf"(?:the\s+)?(?:last|past|next|coming|previous)\s+(?:{w.VAGUE_COUNT}|{w.COUNT})\s+(?:hour"
        rf"|minute|{w.UNIT})s?\b",
        relative.unresolved,
    ),
    (
        rf"(?:the\s+)?(?P<nth>first|second|third|fourth|last|1st|2nd|3rd|4th)\s+(?P<unit>week|weekend"
        rf"|{w.WEEKDAY})\s+(?:of|in)\s+(?:the\s+month\s+of\s+)?",
        dates.nth_of_month,
    ),
    (rf"{w.WEEKDAY}\s?(?:-|–|to|through)\s?{w.WEEKDAY}", relative.unresolved),
    (rf"{_REL}\s+(?P<wd>{w.WEEKDAY}){w.PART}", relative.relative_weekday),
    (
        rf"(?P<wd>{w.WEEKDAY})\s+(?:of\s+)?(?P<rel>last|this|next)\s+(?P<week>week)\b{w.PART}",
        relative.relative_weekday,
    ),
    (
        rf"(?P<rel>last|this|next)\s+(?P<week>week)\s+(?:on\s+)?(?P<wd>{w.WEEKDAY}){w.PART}",
        relative.relative_weekday,
    ),
    (rf"{_REL}\s+(?P<m>{w.LONE_MONTH})(?!\s+\d)", relative.relative_month),
    (rf"{_REL}\s+{w.SEASON.replace('(?:', '(?P<season>', 1)}", relative.season_rule),
    (rf"{_REL}\s+(?P<holiday>{w.HOLIDAY})", dates.holiday_rule),
    (
        r"(?P<rel>(?:the\s+)?(?:this\s+past|this\s+coming|last|past|next|coming|this))"
        r"\s+(?P<unit>week|weekend|month|year|decade)\b",
        relative.unit_rule,
    ),
    (
        rf"{_ROUGHLY}{_N}(?P<half>\s+and\s+a\s+half)?\s+(?P<unit>minute|hour"
        rf"|{w.UNIT})s?(?P<half2>\s+and\s+a\s+half)?"
        r"\s+(?:ago(?P<exact>\s+today\b)?|before\s+now|back(?=\s*[,.;!?)]|\s*$))(?![\w-])",
        relative.ago_rule,
    ),
    (r"half\s+a\s+year\s+ago\b", relative.half_year_ago),
    (rf"in\s+{_ROUGHLY}{_N}\s+(?P<unit>minute|hour|{w.UNIT})s?(?:['’]?\s+time)?\b", relative.ahead_rule),
    (
        rf"{_ROUGHLY}{_N}\s+(?P<unit>minute|hour|{w.UNIT})s?\s+(?:from\s+(?:now|today)|hence)\b",
        relative.ahead_rule,
    ),
    (rf"{_N}\s+(?:{w.UNIT})s?\s+(?:later|earlier|afterwards?)\b", relative.unresolved),
    (
        rf"(?:the\s+|{_N}\s+)(?P<unit>{w.UNIT}|morning|afternoon|evening|{w.WEEKDAY})s?\s+"
        rf"(?:right\s+|just\s+)?"
        r"(?P<dir>before|after|following|preceding|prior\s+to|of|from)\s+(?:the\s+(?:month\s+of\s+)?)?",
        relative.anchored,
    ),
    (rf"(?P<holiday>{w.HOLIDAY})(?:{_Y})?", dates.holiday_rule),
    (w.VAGUE, relative.unresolved),
    (rf"(?:the\s+)?{w.SEASON.replace('(?:', '(?P<season>', 1)}", relative.season_rule),
    (r"the\s+weekend\b(?!\s+(?:of|before|after))", relative.the_weekend),
    (r"the\s+(?P<unit>week|month|year)\b", relative.running_rule),
    (
        _EARLY + r"(?:(?P<century>1[6-9]|20)|['’]?)(?P<tens>\d)0['’]?s\b(?P<word>(?!))?",
        dates.decade_rule,
    ),
    (r"(?:the\s+)?(?P<century>1[6-9]|20)(?P<tens>\d)0['’]?s\b(?P<word>(?!))?", dates.decade_rule),
    (
        _EARLY + rf"(?P<word>{'|'.join(w.DECADES)})\b(?P<century>(?!))?(?P<tens>(?!))?",
        dates.decade_rule,
    ),
    (
        rf"the\s+(?P<d>{w.DAY}){w.ORDINAL}(?=\s*(?:[.,!?;)]|$|(?:at|and|for|with|we|I|to|in)\b))",
        dates.day_of_month,
    ),
    (rf"(?P<wd>{w.WEEKDAY}){w.PART}", relative.lone_weekday),
    (rf"(?P<m>{w.LONE_MONTH})", dates.lone_month),
    (rf"(?P<y>{w.YEAR})(?!\s*(?:[-/:]\s?\d|people|steps|dollars|euros|miles|km|meters))", dates.lone_year),
)

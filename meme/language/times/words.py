"""The English words for dates, and the pattern pieces built from them.

Flows out: tables and pattern fragments for the rules in `time_rules`, and the tense of a clause.
Will not resolve anything to a date.
"""

import re
from functools import lru_cache
from typing import Final

MONTHS: Final = {
    name: number
    for number, names in enumerate(
        ("jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july",
         "aug august", "sep sept september", "oct october", "nov november", "dec december"), 1
    )
    for name in names.split()
}  # fmt: skip
WEEKDAYS: Final = {
    name: number
    for number, names in enumerate(
        ("mon monday", "tue tues tuesday", "wed weds wednesday", "thu thur thurs thursday",
         "fri friday", "sat saturday", "sun sunday")
    )
    for name in names.split()
}  # fmt: skip
_UNITS: Final = tuple(
    word
    for decade in (
        "zero one two three four five six seven eight nine",
        "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    )
    for word in decade.split()
)
_TENS: Final = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
NUMBERS: Final = {
    "a": 1,
    "an": 1,
    "hundred": 100,
    **{word: number for number, word in enumerate(_UNITS)},
    **_TENS,
    **{
        f"{ten} {_UNITS[unit]}": value + unit
        for ten, value in _TENS.items()
        for unit in range(1, 10)
    },
}  # fmt: skip
NTH: Final = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": -1,
}  # fmt: skip
DECADES: Final = {
    "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70,
    "eighties": 80, "nineties": 90,
}  # fmt: skip

# A month beside a day or year may be written in any case; alone, "may", "march" and "mar" are other words.
MONTH: Final = (
    r"(?:(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b(?:\.(?=,?\s*\d|,|\s+(?-i:[a-z])))?)"
)
LONE_MONTH: Final = (
    r"(?:january|february|april|june|july|august|september|october|november|december"
    r"|(?-i:March|May|MARCH|MAY|Jan|Feb|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec))\b"
    r"(?:\.(?=,|\s+(?-i:[a-z])))?"
)
WEEKDAY: Final = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tues|thurs|(?-i:Mon|Tue|Weds?|Thur?|Fri|Sat|Sun))\b"
    r"(?:\.(?=,|\s+(?-i:[a-z])))?"
)
SEASON: Final = r"(?:spring|summer|autumn|fall|winter)\b"
DAY: Final = r"(?:3[01]|[12]\d|0?[1-9])"
ORDINAL: Final = r"(?:st|nd|rd|th)"
YEAR: Final = r"(?:1[5-9]|20|21)\d\d(?![\d%]|[.,]\d)"
PART: Final = r"(?:\s+(?P<part>morning|afternoon|evening|night)\b)?"
UNIT: Final = r"(?:day|night|week|fortnight|weekend|month|year|decade)"
COUNT: Final = (
    r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    r"|sixteen|seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|ninety)"
    r"(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|(?:a |one )?hundred)"
)
VAGUE_COUNT: Final = r"(?:(?:an?\s+)?(?:good\s+)?(?:couple(?:\s+of)?|few|several|many|some|number\s+of))"
ABOUT: Final = r"(?:about|around|roughly|approximately|almost|nearly|maybe|like|some)"
BEYOND: Final = r"(?:over|more\s+than|at\s+least|less\s+than|under|well\s+over|up\s+to)"
HOLIDAY: Final = (
    r"(?:christmas(?:\s+(?:eve|day)\b)?|xmas(?:\s+(?:eve|day)\b)?|new\s+year['’]?s(?:\s+(?:eve|day)\b)?"
    r"|halloween|thanksgiving(?:\s+day\b)?|valentine['’]?s(?:\s+day\b)?|easter(?:\s+(?:sunday|monday)\b)?"
    r"|good\s+friday|black\s+friday|independence\s+day|(?:4th|fourth)\s+of\s+july|boxing\s+day"
    r"|memorial\s+day|labou?r\s+day|mother['’]?s['’]?\s+day|father['’]?s['’]?\s+day|juneteenth"
    r"|(?:st|saint)\.?\s+patrick['’]?s\s+day|veterans['’]?\s+day|mlk\s+day)\b"
)
PARTS: Final = frozenset(("morning", "afternoon", "evening", "night"))
PREPOSITIONS: Final = frozenset(
    ("on", "in", "since", "until", "till", "by", "from", "during", "before", "after", "between", "of")
)

VAGUE: Final = (
    r"(?:recently|lately|nowadays|someday|(?<!\bas )soon(?!\s+as\b)"
    r"|(?:the\s+)?other\s+(?:day|night|week|morning)"
    r"|(?:(?:quite\s+)?a\s+(?:little\s+|long\s+)?while|some\s+time|a\s+long\s+time|ages|long"
    r"|years\s+and\s+years)"
    r"\s+(?:ago|back)|these\s+days|once\s+upon\s+a\s+time|in\s+the\s+(?:near\s+future|past)|back\s+then"
    r"|the\s+(?:next|following|previous|same)\s+(?:day|night|morning|evening|week|month|year))\b"
)
# The first words of all English phrases: nowhere else does the search begin.
_OPENING: Final = (
    "the a an last this past next coming previous in day night week weekend month year half yesterday",
    "today tomorrow tonight tmrw about around roughly approximately almost nearly maybe like some over",
    "more at less under well up couple few several many number good spring summer autumn fall winter",
    "christmas xmas new halloween thanksgiving valentine valentines easter black independence fourth",
    "boxing memorial labor labour mother mothers father fathers juneteenth st saint veteran veterans",
    "mlk recently lately nowadays someday soon other quite long ages years these once back",
)
OPENERS: Final = frozenset(
    (
        *MONTHS,
        *WEEKDAYS,
        *NTH,
        *(entry.split()[0] for entry in NUMBERS),
        *(word for line in _OPENING for word in line.split()),
    )
)

_FUTURE: Final = (
    r"will|won['’]t|\w+['’]ll|gonna|going\s+to|shall|plan|plans|planning|about\s+to|hope|hoping|want"
    r"|wanna|intend"
    r"|would\s+(?:like|love)|can['’]t\s+wait|looking\s+forward|look\s+forward|upcoming|coming\s+up|let['’]s"
    r"|should|must|need\s+to|have\s+to|see\s+you|remind|due|expect|expecting|deadline|scheduled\s+for"
    r"|excited\s+(?:for|about)|(?:\w+['’](?:m|re|s)|am|is|are)\s+(?:not\s+)?(?!being\b)\w+ing"
)
_PAST: Final = (
    r"was|were|wasn['’]t|weren['’]t|had|did|didn['’]t|went|got|gone|been|made|took|saw|met|came|bought"
    r"|brought"
    r"|found|gave|felt|left|lost|won|began|became|ran|ate|drank|drove|flew|wrote|read"
    r"|spoke|spent|kept|held|heard|knew|grew|built|caught|taught|fell|sold|sent|sang|slept|stood|understood"
    r"|sat|lay|drew|shot|bit|blew|dug|fought|forgot|froze|hid|hurt|lit|rang|sank|shook|showed|stole"
    r"|stuck|swept"
    r"|(?:(?<=\bi )|(?<=\bwe )|(?<=\bthey )|(?<=\bhe )|(?<=\bshe ))(?:put|cut|set|let|quit|spread|shut"
    r"|read|lent|bet)"
    r"|tore|burnt|learnt|dreamt|woke|wore|broke|chose|hit|done|seen|taken|given|paid|led|threw|swam"
    r"|rode|hung|finally|just"
    r"|(?!need|speed|indeed|excited|tired|interested|married|hundred|scared|feed|seed|weed|breed)\w{2,}ed"
)
# What is planned, arranged, said or put right says nothing about when it takes place.
_ARRANGED: Final = (
    r"(?:pre)?booked|rented|hired|reserved|planned|decided|(?:re)?scheduled|agreed|arranged|organi[sz]ed"
    r"|postponed|delayed|signed\s+(?:\w+\s+)?up|enrolled|registered|invited|promised|offered|announced"
    r"|confirmed"
    r"|(?:was|were|been|is|are|got|gets)\s+(?:moved|pushed|shifted|changed|brought|put)"
    r"(?=\s+(?:(?:back|forward)\s+)?(?:to|until)\b)"
    r"|moved\s+(?=(?:(?:the|my|our|his|her|their|your)\s+(?:\w+\s+){0,2}|it\s+|that\s+)(?:to|from|until)\b)"
    r"|(?:got|bought|have|has)\s+(?=(?:\w+\s+){0,3}(?:tickets?|place|spot|slot|appointment|reservation)\b)"
    r"|(?:pushed|put|brought|set)\s+(?=(?:the\s+|my\s+|our\s+)?(?:\w+\s+){1,2}(?:back|off|forward|for)\b)"
    r"|meant|mean|said|told|thought|wrote\s+that|asked|mentioned|suggested|proposed|corrected"
)
# "told me on Tuesday": the day of the telling itself.
_TOLD_THEN: Final = re.compile(
    r"\b(?:said|told|asked|mentioned|announced|thought)(?:\s+(?:so|it|that|this|me|us|him|her|them|you"
    r"|[A-Z]\w+))?"
    r"\s+(?:on|in|during)?\s*$"
)
_PRESENT: Final = re.compile(
    r"(?:\b(?:is|are|starts?|begins?|opens?|takes\s+place)|['’]s)\s+(?:on|in)?\s*$", re.IGNORECASE
)
_TENSE: Final = re.compile(
    rf"\b(?:(?P<future>{_FUTURE})|(?P<arranged>{_ARRANGED})|(?P<past>{_PAST}))\b", re.IGNORECASE
)
_CLAUSE_END: Final = re.compile(r"[.!?;\n。！？]")
_NEXT_CLAUSE: Final = re.compile(r",\s+(?:but|and|so|because|which|who|although|though)\b", re.IGNORECASE)
_REACH: Final = 120  # characters: a verb further away says nothing about the phrase


@lru_cache(maxsize=512)
def _markers(clause: str) -> tuple[tuple[int, int, str], ...]:
    return tuple((m.start(), m.end(), m.lastgroup or "") for m in _TENSE.finditer(clause))


def tense(text: str, start: int, end: int) -> str:
    """What the nearest verb around text[start:end] says of its time: "past", "future", "arranged", or "".

    "arranged" is a verb that dates its own act and not the event: "we booked a cottage in August".
    """
    left = text[max(0, start - _REACH) : start]
    left = _CLAUSE_END.split(left)[-1]
    right = _CLAUSE_END.split(text[end : end + _REACH], maxsplit=1)[0]
    near = [(len(left) - e, kind) for _, e, kind in _markers(left)]
    if near:  # "for August, but nobody has answered": the next clause is none of its own
        right = _NEXT_CLAUSE.split(right, maxsplit=1)[0]
    near += [(s, kind) for s, _, kind in _markers(right)]
    found = min(near)[1] if near else ""
    if found == "arranged" and _TOLD_THEN.search(left):
        return "past"
    # "He said the party is on Friday": the clause it stands in has a present tense of its own.
    return "" if found == "arranged" and _PRESENT.search(left) else found


def number(word: str) -> int:
    """The value of a number in digits or words. Raises ValueError for anything else."""
    folded = " ".join(word.lower().replace("-", " ").split())
    if folded.isascii() and folded.isdigit():
        return int(folded)
    value = NUMBERS.get(folded.removeprefix("a ").removeprefix("one ") if "hundred" in folded else folded)
    if value is None:
        raise ValueError(f"not a number: {word}")
    return value

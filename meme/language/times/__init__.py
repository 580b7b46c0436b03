"""Time phrases of a text, resolved to calendar dates.

Flows in: a text and the aware instant it was said at. Flows out: where its time phrases stand,
the dates they mean, and the text with relative phrases made absolute. Relative phrases are
counted from `said_at` in its own offset, never from a clock. Will not invent a day: what has no
exact meaning stays as written, and what is less exact than a day keeps its precision.

Conventions: weeks run Monday to Sunday. "last Friday" is the nearest Friday before the day of
the turn, "next Friday" the nearest after it. "two years ago" is a year, "two months ago" a month,
"two weeks ago" a week, "ten days ago" a day; "about ten days ago" is the week around it; "a few",
"a couple of" and "over two" of anything stay unresolved. A weekday, month, day or holiday without
a year lies in the past if the nearest verb of its sentence is in the past tense, else it is the
next one; where that verb tells what was planned, said or put right ("we booked a cottage in
August", "I meant the 3rd"), it is the one closest in time; a season without a verb that tells
stays unresolved.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from functools import lru_cache, partial
from typing import Final

from meme.errors import UsageError
from meme.language.times import abroad as abroad
from meme.language.times import reading as reading
from meme.language.times import rules as rules
from meme.language.times import words as w
from meme.language.times.spans import render
from meme.records import Happened

__all__ = ["Spotted", "parse_day", "parse_instant", "render", "restate", "spot"]


@dataclass(frozen=True, slots=True)
class Spotted:
    """A time phrase: text[start:end] == phrase.

    `happened` is None where the phrase names no exact date; it then stays as written. `relative`
    tells whether it depends on when it was said. `absolute` is what to write instead: "on 7 May
    2023", "in April 2023", "the week before 9 June 2023"; else the phrase itself.
    """

    start: int
    end: int
    phrase: str
    happened: Happened | None
    relative: bool
    absolute: str


_BEHIND: Final = 48  # characters before a match that may belong to it
_LEAD: Final = re.compile(
    r"(?:\b(?P<prep>(?!(?:earlier|later|early|late|mid|sometime)\b|the\s+(?:very\s+)?(?:beginning|start"
    r"|middle|end)\s+of\b)[^\W\d_]+)\s+)?(?P<lead>(?:(?:the\s+)?(?:very\s+)?(?:beginning|start|middle"
    r"|end)\s+of"
    r"|earlier|later|early|late|mid|sometime)[\s-]+)?$",
    re.IGNORECASE,
)
_TAKEN: Final = ("on", "in", "since")  # prepositions that belong to the phrase
_OTHERS: Final = w.PREPOSITIONS | frozenset(
    ("for", "at", "over", "than", "to", "through", "throughout", "around", "about", "within", "like")
)
_NAMING: Final = frozenset(
    ("mean", "means", "meant", "booked", "reserved")
)  # "I meant the 3rd of June": no "on" before it
_VERB_NEXT: Final = re.compile(
    r"\s+(?:was|is|will|has|had|would|could|might|seems|felt|feels|went|brought|works|looks|sounds)\b"
)
_STARTS: Final = re.compile(r"(?:^|[.!?\n:;,\"“(–—-]|\b(?:and|but|so|because|that))\s*$", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?:^|[.!?\n\"“])\s*$")
_TOKEN: Final = re.compile(r"\w+")
_EASTERN: Final = "\u3040-\u9fff\uac00-\ud7a3"
_EASTERN_CHARACTER: Final = re.compile(f"[{_EASTERN}]")
_SPACED_WORD: Final = re.compile(rf"(?:(?![{_EASTERN}])\w)+")
# "It feels like just yesterday that ...": a figure of speech, and no day.
_FIGURE: Final = re.compile(
    r"\b(?:(?:feel|seem|look)(?:s|ed)? like|felt like|as (?:if|though)|like)"
    r" (?:it (?:was|were|is) )?(?:just |only )?$",
    re.IGNORECASE,
)
_NAMED_GROUP: Final = re.compile(r"\(\?P<\w+>")


def _unnamed(pattern: str) -> str:
    numbered = _NAMED_GROUP.sub("(?:", pattern)
    return numbered.replace("(?P=sep)", "[/.]")


@dataclass(frozen=True, slots=True)
class _Scanner:
    """Alternations that find a phrase, and for each rule the pattern that reads it.

    `english` is tried at the words that can open a phrase; `every` holds all languages and is tried
    everywhere. Trying all patterns at each of 24 words took 1.2 ms a turn; this way it is a fifth.
    """

    english: re.Pattern[str]
    every: re.Pattern[str]
    each: tuple[tuple[re.Pattern[str], reading.Rule], ...]


@lru_cache(maxsize=1)
def _scanner() -> _Scanner:
    english = (*rules.RULES, abroad.FURTHER_RULE)
    table = (*english, *abroad.WEST_RULES, *abroad.EAST_RULES)
    named = [f"(?P<r{index}>{_unnamed(pattern)})" for index, (pattern, _) in enumerate(table)]
    first, spaced = "|".join(named[: len(english)]), len(named) - len(abroad.EAST_RULES)
    # French dates and the like come before the rule that hands further languages to dateparser.
    west = "|".join((*named[: len(english) - 1], *named[len(english) : spaced], named[len(english) - 1]))
    east = "|".join(named[spaced:])
    return _Scanner(
        re.compile(rf"\b(?:{first})", re.IGNORECASE),
        re.compile(rf"(?=[\d{_EASTERN}])(?:{east})|\b(?:{west})", re.IGNORECASE),
        tuple((re.compile(pattern, re.IGNORECASE), rule) for pattern, rule in table),
    )


def spot(text: str, said_at: datetime) -> tuple[Spotted, ...]:
    """The time phrases of `text`, in order, never overlapping.

    `said_at` has to be aware: relative phrases are counted from its day at its own offset.
    """
    found: list[Spotted] = []
    floor = 0
    for match in _candidates(text):
        spotted = _read(text, match, said_at, floor) if match.start() >= floor else None
        if spotted is not None:
            found.append(spotted)
            floor = spotted.end
    return tuple(found)


def _candidates(text: str) -> Iterator[re.Match[str]]:
    """Everything that looks like a phrase, from left to right; phrases may overlap."""
    scanner = _scanner()
    tokens = [(token[0].lower(), token.start()) for token in _TOKEN.finditer(text)]
    foreign = any(word in abroad.CUES for word, _ in tokens) or _EASTERN_CHARACTER.search(text)
    if not foreign:
        for word, start in tokens:
            if (word in w.OPENERS or word[0].isdigit()) and (match := scanner.english.match(text, start)):
                yield match
        return
    position = 0
    while match := scanner.every.search(text, position):
        yield match
        position = _next_place(text, match)


def _next_place(text: str, match: re.Match[str]) -> int:
    """Behind the first word of a match, or behind its first character where words are not spaced."""
    word = _SPACED_WORD.match(text, match.start())
    return word.end() if word else match.start() + 1


def _interpret(
    text: str, match: re.Match[str], before: str, said_at: datetime, lead: str = ""
) -> reading.Reading | None:
    index = int((match.lastgroup or "r0")[1:])
    pattern, rule = _scanner().each[index]
    own = pattern.match(text, match.start())
    if own is None:  # pragma: no cover - the alternation holds the same pattern
        return None
    anchor = partial(_anchor, text, said_at)
    place = reading.Place(text, own.start(), own.end(), before, said_at, anchor, lead)
    try:
        return rule(own.groupdict(), place)
    except (ValueError, OverflowError):
        return replace(reading.VAGUE, relative=False)  # "31 June", a year beyond the calendar


def _anchor(text: str, said_at: datetime, at: int) -> tuple[reading.Reading, int] | None:
    match = _scanner().english.match(text, at)
    if match is None:
        return None
    read = _interpret(text, match, "before", said_at)
    return None if read is None else (read, read.end or match.end())


def _read(text: str, match: re.Match[str], said_at: datetime, floor: int) -> Spotted | None:
    start = match.start()
    lead = _LEAD.search(text, max(floor, start - _BEHIND), start)
    prep, qualifier = (lead["prep"] or "").lower() if lead else "", (lead["lead"] or "") if lead else ""
    before = "in" if qualifier else prep
    read = _interpret(text, match, before, said_at, qualifier)
    if read is None:
        return None
    end = read.end or match.end()
    assert lead is not None
    if qualifier:
        start = lead.start("lead")
    if prep == "at" and read.link == "on":
        prep = "on"  # "at Christmas" is on a day
    if prep in _TAKEN:
        start = lead.start("prep")
    phrase = text[start:end]
    happened = read.happened
    if read.relative and _FIGURE.search(text, max(0, start - _BEHIND), start):
        happened = None
    if happened is not None:
        happened = Happened(happened.start, happened.end, happened.precision, phrase)
    if happened is None or not read.relative:
        return Spotted(start, end, phrase, happened, read.relative, phrase)
    absolute = _wording(read, prep, " ".join(qualifier.split()))
    return Spotted(start, end, phrase, happened, True, _in_place(absolute, read, text, start, end, prep))


def _wording(read: reading.Reading, prep: str, qualifier: str) -> str:
    """The absolute phrase with the preposition it needs, none of them doubled."""
    linked = f"{read.link} {read.bare}".strip()
    if qualifier.lower().endswith("of"):
        inner = f"{qualifier} {read.bare}"
        return f"{prep} {inner}" if prep in _TAKEN else inner
    if qualifier.lower().rstrip("-") == "mid":
        return f"{prep or read.link or 'in'} mid-{read.bare}"
    if qualifier:
        inner = f"{qualifier} {read.link or 'in'} {read.bare}"
        return f"{prep} {qualifier} {read.bare}" if prep in _TAKEN else inner
    if prep == "since":
        return f"since {read.bare}"
    if prep in _TAKEN:
        return linked if read.link else f"{prep} {read.bare}"
    return read.bare if prep in _OTHERS or prep in _NAMING else linked


def _in_place(absolute: str, read: reading.Reading, text: str, start: int, end: int, prep: str) -> str:
    """The wording fitted to its sentence: a noun before a verb or 's, a capital at the start."""
    before, after = text[max(0, start - 8) : start], text[end : end + 12]
    opens = _STARTS.search(before) is not None
    noun = after[:2] in ("'s", "’s") or (opens and _VERB_NEXT.match(after))
    if noun and prep not in _TAKEN and absolute == f"{read.link} {read.bare}":
        absolute = read.bare
    if text[start].isupper() and _SENTENCE.search(before):
        return absolute[0].upper() + absolute[1:]
    return absolute


def restate(text: str, said_at: datetime) -> str:
    """`text` with every resolved relative phrase in its absolute form; the rest is untouched."""
    parts: list[str] = []
    done = 0
    for spotted in spot(text, said_at):
        if spotted.relative and spotted.happened is not None:
            parts += (text[done : spotted.start], spotted.absolute)
            done = spotted.end
    return "".join(parts) + text[done:]


# --- single values, as callers give them ------------------------------------------------------------

_SPOKEN: Final = re.compile(
    r"(?P<h>\d{1,2}):(?P<min>\d{2})(?::(?P<s>\d{2}))?\s*(?P<half>[ap])\.?m\.?\s+(?:on\s+)?(?P<day>.+)",
    re.IGNORECASE,
)
_ASK_INSTANT: Final = (
    'use ISO 8601 such as "2023-05-08T13:56:00+02:00" or "2023-05-08", epoch seconds, '
    'or "1:56 pm on 8 May, 2023".'
)
_ASK_DAY: Final = 'use "2023-05-07" or "7 May 2023".'


def parse_instant(value: str | int | float | datetime, zone: tzinfo) -> datetime:
    """The aware instant `value` names, in its own offset; without one it is in `zone`.

    Takes a datetime, epoch seconds, ISO 8601 (also with Z, also a date alone: midnight) and
    "1:56 pm on 8 May, 2023". Raises UsageError for anything else, and for instants that have no
    counterpart in UTC.
    """
    try:
        found = _instant(value, zone)
        aware = found if found.utcoffset() is not None else found.replace(tzinfo=zone)
    except (ValueError, OverflowError, OSError, TypeError) as error:
        raise UsageError(f"{value!r} is not a time: {_ASK_INSTANT}") from error
    # The first and the last year hold instants that some offset pushes off the calendar.
    if not 1 < aware.year < 9999:
        raise UsageError(f"{value!r} cannot be shifted to UTC: use a year between 2 and 9998.")
    return aware


def _instant(value: str | int | float | datetime, zone: tzinfo) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, bool):
        raise TypeError("a truth value is no time")
    if isinstance(value, int | float):
        return datetime.fromtimestamp(value, UTC).astimezone(zone)
    if not isinstance(value, str):
        raise TypeError("neither text nor number")
    text = value.strip()
    if re.fullmatch(r"[+-]?\d{9,11}(?:\.\d+)?", text):
        return datetime.fromtimestamp(float(text), UTC).astimezone(zone)
    if spoken := _SPOKEN.fullmatch(text):
        hour, minute = int(spoken["h"]), int(spoken["min"])
        if not 1 <= hour <= 12:
            raise ValueError("no such hour")
        hour = hour % 12 + (12 if spoken["half"].lower() == "p" else 0)
        day = _named_day(spoken["day"])
        return datetime(day.year, day.month, day.day, hour, minute, int(spoken["s"] or 0), tzinfo=zone)
    if not re.match(r"\d{4}-\d\d-\d\d(?:$|[T ])", text):
        day = _named_day(text)
        return datetime(day.year, day.month, day.day, tzinfo=zone)
    return datetime.fromisoformat(text)


def _named_day(text: str) -> date:
    """The one absolute day `text` names in full. Raises ValueError where it is anything else."""
    stripped = text.strip()
    noon = datetime(2000, 1, 1, 12, tzinfo=UTC)
    found = spot(stripped, noon)
    if len(found) != 1 or found[0].phrase != stripped or found[0].relative:
        raise ValueError("not a day")
    happened = found[0].happened
    if happened is None or happened.precision != "day":
        raise ValueError("not a day")
    return happened.start


def parse_day(value: str) -> date:
    """The calendar day `value` names: "2023-05-07" or "7 May 2023".

    Raises UsageError for anything else, such as a relative phrase or a day that does not exist.
    """
    try:
        return _named_day(value)
    except ValueError as error:
        raise UsageError(f"{value!r} is not a day: {_ASK_DAY}") from error

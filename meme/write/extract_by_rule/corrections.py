"""Dates put right by their day alone: "the 14th, not the 12th".

Flows in: a sentence and the days named before it. Flows out: the sentence with its day in full, and that day.
Will not guess a month: the wrong day must have been named, or the sentence stays as it is.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from meme.language.times import render
from meme.records import Happened

_ORDINAL: Final = r"(?:the\s+)?(?P<{}>\d{{1,2}})(?:st|nd|rd|th)\b(?!\s+of\b)"
_RIGHT_FIRST: Final = re.compile(
    _ORDINAL.format("right")
    + r",?\s+(?:and\s+)?(?:not|instead\s+of|rather\s+than)\s+(?:on\s+)?"
    + _ORDINAL.format("wrong"),
    re.IGNORECASE,
)
_WRONG_FIRST: Final = re.compile(
    r"\bnot\s+(?:on\s+)?" + _ORDINAL.format("wrong") + r",?\s+but\s+(?:on\s+)?" + _ORDINAL.format("right"),
    re.IGNORECASE,
)


def corrected(sentence: str, days: Sequence[date]) -> tuple[str, Happened] | None:
    """`sentence` with the right day in full and that day, where one of `days` (in order) is the wrong one."""
    match = _RIGHT_FIRST.search(sentence) or _WRONG_FIRST.search(sentence)
    if match is None:
        return None
    right, wrong = int(match["right"]), int(match["wrong"])
    meant = next((day for day in reversed(days) if day.day == wrong), None)
    if meant is None:
        return None
    try:
        found = meant.replace(day=right)
    except ValueError:  # no such day in that month
        return None
    begin = match.start("right")
    lead = re.search(r"the\s+$", sentence[:begin], re.IGNORECASE)
    start = lead.start() if lead else begin
    end = re.compile(r"\d{1,2}(?:st|nd|rd|th)", re.IGNORECASE).match(sentence, begin)
    assert end is not None
    phrase = sentence[start : end.end()]
    happened = Happened(found, found, "day", phrase)
    return sentence[:start] + render(happened) + sentence[end.end() :], happened

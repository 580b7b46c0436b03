"""Numbers a sentence gives: counts, amounts with their unit, ages, frequencies, stretches of time.

Flows in: a read question and a fitting sentence. Flows out: a phrase in the sentence's wording, or None.
Will not calculate.
"""

import re
from typing import Final

from meme.language.concepts import concept
from meme.language.questions import Question
from meme.language.words import fold, words

_COUNT: Final = (
    r"\d+(?:[.,]\d+)*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    r"sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|"
    r"zwei|drei|vier|fünf|deux|trois|quatre|cinq|dos|tres|cuatro|cinco|quattro|cinque|два|три|"
    r"a dozen|dozens|a couple(?: of)?|a few|several|once|twice|both"
)
_NUMBER: Final = re.compile(
    rf"(?<![\w$€£])(?P<n>[$€£]?(?:{_COUNT})(?:[- ](?:{_COUNT}))*)(?![\w])", re.IGNORECASE
)
_UNIT: Final = r"(?:second|minute|hour|day|night|week|weekend|month|year|decade)s?"
_DURATION: Final = re.compile(
    rf"(?:(?P<since>since\s+(?:\w+\s+)?(?:\d{{4}}|\w+))|(?:(?:for|over|about|almost|nearly|around)\s+)?"
    rf"(?P<span>(?:more than |over |about |almost |nearly )?(?:{_COUNT}|an?|half an?|many)[ -]{_UNIT}))\b",
    re.IGNORECASE,
)
_FREQUENCY: Final = re.compile(
    rf"\b(?:every (?:other |single |few )?\w+|each \w+"
    rf"|(?:once|twice|(?:{_COUNT})(?: or (?:{_COUNT}))? times?)(?: (?:a|per|every|each|an) \w+)?"
    r"|daily|weekly|monthly|yearly|annually"
    r"|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b",
    re.IGNORECASE,
)
_LOOSELY: Final = re.compile(r"\b(?:often|rarely|never|always|regularly|sometimes)\b", re.IGNORECASE)


def count_in(question: Question, sentence: str) -> str | None:
    """The number next to the counted noun, else the only number; a frequency where that is asked."""
    if question.need == "frequency":
        match = _FREQUENCY.search(sentence) or _LOOSELY.search(sentence)
        return match[0] if match else None
    best: tuple[int, str] | None = None
    counted = set(question.asked)
    for match in _NUMBER.finditer(sentence):
        if re.fullmatch(r"(?:19|20)\d\d", match["n"]) or (match["n"].lower() == "one" and not counted):
            continue
        after = [concept(w) for w in words(sentence[match.end() : match.end() + 40])[:3]]
        if counted and counted.isdisjoint(after) and _of_another_thing(sentence, match):
            continue
        rank = next((i for i, word in enumerate(after) if word in counted), 3)
        if best is None or rank < best[0]:
            best = (rank, _measured(question, sentence, match))
    return best[1] if best else None


def _of_another_thing(sentence: str, number: re.Match[str]) -> bool:
    """Whether a number is an age, or counts a noun of its own: "Felix is eight", "twelve sensors"."""
    age = _AGE.search(sentence)
    return age is not None and age.start() <= number.start() < age.end()


_MEASURE: Final = re.compile(
    r"\s*(?:%|°C?|[-\s]?(?:euros?|dollars?|pounds?|pence|cents?|bucks|francs?|yen|rupees|crowns|million|billion|thousand"
    r"|percent|degrees?|kilomet(?:er|re)s?|met(?:er|re)s?|centimet(?:er|re)s?|miles?|km|cm|m|ft|feet|foot|inch(?:es)?|yards?"
    r"|kilos?|kilograms?|kg|grams?|g|lbs?|tons?|tonnes?|lit(?:er|re)s?|pints?|cups?|hours?|minutes?|days?|weeks?|months?"
    r"|years?)\b)+(?:\s+(?:a|an|per|each|every)\s+\w+)?(?:\s+(?:old|tall|long|away)\b)?",
    re.IGNORECASE,
)
_AMOUNT_ASKED: Final = re.compile(r"\bhow (?:much|old|tall|far|high|big|heavy|long|deep|wide|fast)\b")


def _measured(question: Question, sentence: str, number: re.Match[str]) -> str:
    """The number with its unit where an amount is asked: "870 euros a month"."""
    unit = _MEASURE.match(sentence, number.end())
    if unit is None or not _AMOUNT_ASKED.search(fold(question.text)):
        return number["n"]
    return number["n"] + unit[0].rstrip()


_AGE: Final = re.compile(
    rf"\b(?:is|am|was|turn(?:s|ed|ing)?|['’]m|['’]s|aged?)\s+(?:now\s+|already\s+|only\s+|just\s+|about\s+|almost\s+|nearly\s+)?"
    rf"(?P<age>\d{{1,3}}|{_COUNT})(?P<unit>(?:[-\s](?:years?|months?|weeks?|days?)(?:[-\s]old)?)?)"
    rf"(?=\s*(?:[.,;!?]|$|\b(?:now|today|and|this|last|next|on|in|the|years?|but|already)\b))"
    rf"|(?<!\w)(?P<age2>\d{{1,3}}|{_COUNT})(?P<unit2>[-\s](?:years?|months?|weeks?|days?)[-\s]olds?)\b",
    re.IGNORECASE,
)


def age_in(sentence: str) -> str | None:
    """How old somebody is or turned: "33", "two years old"; None for any other number."""
    match = _AGE.search(sentence)
    if match is None:
        return None
    return f"{match['age'] or match['age2']}{match['unit'] or match['unit2'] or ''}".strip()


def number_in(sentence: str) -> str | None:
    """The first number of a sentence, whatever it counts."""
    match = _NUMBER.search(sentence)
    return match["n"] if match else None


def duration_in(sentence: str) -> str | None:
    """A stretch of time: "seven years", "since 2016"."""
    match = _DURATION.search(sentence)
    return (match["span"] or match["since"]) if match else None

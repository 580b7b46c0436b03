"""The lossless check: what a turn names, counts and dates, and whether the entries still hold it.

Flows in: turns and the texts of the entries made from them. Flows out: how much is covered, and what is
missing where. Compares without case and accents, numbers as numbers, time phrases as dates. Will not judge
meaning.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Final

from meme.language.english.sentences import sentences
from meme.language.english.small_talk import courtesy, small_talk, without_address
from meme.language.names import numbers, proper_names, titles
from meme.language.times import Spotted, spot
from meme.language.words import fold, words
from meme.records import Coverage
from meme.write.shapes import Line

_ANY_DAY: Final = datetime(2001, 1, 1, tzinfo=UTC)  # phrases are found the same whatever the day
_SMALL: Final = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_NUMBER_WORDS: Final = {
    **{word: float(value) for value, word in enumerate(_SMALL.split(), start=2)},
    **{word: 10.0 * value for value, word in enumerate(_TENS.split(), start=2)},
}


@dataclass(frozen=True, slots=True)
class _Item:
    """One thing a turn holds. `days` is what a time phrase means, `absolute` how it reads once resolved;
    `value` is what a number is worth.
    """

    text: str
    days: tuple[date, date] | None = None
    absolute: str = ""
    value: float | None = None


def required(turn_text: str, captions: Sequence[str] = ()) -> tuple[str, ...]:
    """Every number, date, proper name and quoted title of a turn, as written, without names called out."""
    return tuple(item.text for item in _items(turn_text, captions, (), _ANY_DAY))


def missing_in(items: Sequence[str], text: str, said_at: datetime) -> tuple[str, ...]:
    """Those of `items` (as given by `required`) that `text` does not hold."""
    held = _Held((text,), said_at)
    return tuple(item for item in items if not held.has(_item(item, said_at)))


def measure(
    lines: Sequence[Line], texts: Sequence[str], excused: Collection[str] = ()
) -> tuple[Coverage, dict[str, tuple[str, ...]]]:
    """How much of what `lines` say is in `texts`, and for each line ref what is in none of them.

    `excused` holds what need not be carried: refs of whole lines, or single items as written. Only lines that
    are evidence count.
    """
    free = {fold(item) for item in excused}
    talkers = tuple(dict.fromkeys(line.speaker for line in lines))
    total = Coverage()
    missing: dict[str, tuple[str, ...]] = {}
    held = _Held(tuple(texts), lines[0].said_at if lines else _ANY_DAY)
    for line in lines:
        if not line.evidence or fold(line.ref) in free:
            continue
        found = _items(line.text, line.captions, talkers, line.said_at)
        items = [item for item in found if fold(item.text) not in free]
        gone = tuple(i.text for i in items if not held.has(i) and not held.has(_full(i, talkers)))
        total += Coverage(len(items), len(items) - len(gone), gone)
        if gone:
            missing[line.ref] = gone
    return total, missing


def _items(text: str, captions: Sequence[str], talkers: Sequence[str], said_at: datetime) -> list[_Item]:
    found: dict[str, _Item] = {}
    for sentence in sentences(text):
        for item in _in_sentence(_addressed(sentence, talkers), said_at):
            found.setdefault(fold(item.text), item)
    for caption in captions:  # what a machine counts in a picture is nothing that was said
        for name in (*titles(caption), *proper_names(caption)):
            found.setdefault(fold(name), _Item(name))
    return list(found.values())


def _full(item: _Item, talkers: Sequence[str]) -> _Item:
    """The short form of a talker's name as the whole name: "Mel" as "Melanie"."""
    key = fold(item.text)
    whole = next((name for name in talkers if len(key) > 2 and fold(name).startswith(key)), item.text)
    return replace(item, text=whole)


def _addressed(sentence: str, talkers: Sequence[str]) -> str:
    """The sentence without the names it calls out to; any name may be called out where all is small talk.

    Nothing is left of a courtesy: "Give Rex a hug from me!" names whom it greets.
    """
    if courtesy(sentence, talkers):
        return ""
    names = [*talkers, *proper_names(sentence)]
    called = names if len(names) > len(talkers) and small_talk(sentence, names) else talkers
    return without_address(sentence, called) if called else sentence


# "I 100% agree", "24/7": numbers that count nothing.
_IDLE: Final = re.compile(
    r"\b(?:(?:100|110|200|1000) ?% "
    r"(?=agree|sure|right|certain|worth|behind|support|with you|recommend|true|there)|24/7\b)",
    re.IGNORECASE,
)


def _in_sentence(sentence: str, said_at: datetime) -> list[_Item]:
    sentence = _IDLE.sub("", sentence)
    spotted = spot(sentence, said_at)
    found = [_timed(one) for one in spotted if one.happened is not None]
    plain = _without(sentence, spotted)
    names = titles(sentence)
    found += [_Item(title) for title in names]
    inside = " ".join(fold(title) for title in names)
    found += [_Item(name) for name in proper_names(plain) if fold(name) not in inside]
    found += [_Item(number, value=_value(number)) for number in numbers(plain)]
    found += [_Item(word, value=_NUMBER_WORDS[word]) for word in words(plain) if word in _NUMBER_WORDS]
    return found


def _without(sentence: str, spotted: Sequence[Spotted]) -> str:
    """The sentence with its time phrases blanked, so that their numbers count once."""
    plain = sentence
    for one in spotted:
        plain = plain[: one.start] + "_" * (one.end - one.start) + plain[one.end :]
    return plain


def _timed(one: Spotted) -> _Item:
    days = (one.happened.start, one.happened.end) if one.happened else None
    return _Item(one.phrase, days=days, absolute=fold(one.absolute))


def _item(text: str, said_at: datetime) -> _Item:
    spotted = spot(text, said_at)
    if len(spotted) == 1 and len(spotted[0].phrase) >= len(text.strip()) - 3:
        return replace(_timed(spotted[0]), text=text)
    return _Item(text, value=_value(text) if text in numbers(text) else _NUMBER_WORDS.get(fold(text)))


def _value(number: str) -> float | None:
    """What a written number is worth: "1,000" is 1000, "$2.50" 2.5, "3rd" 3; None for "10:30"."""
    bare = number.lstrip("$€£¥₹+").rstrip("%")
    bare = bare[:-2] if bare[-2:] in {"st", "nd", "rd", "th"} else bare
    groups = bare.split(".")[0].split(",")
    if len(groups) > 1 and all(len(group) == 3 for group in groups[1:]):
        bare = bare.replace(",", "")
    try:
        return float(bare.replace(",", "."))
    except ValueError:
        return None


_SHORT: Final = re.compile(r"[A-Z]{2,4}")
_NAME_RUN: Final = re.compile(r"[A-Z]\w+(?: (?:of |and |the )?[A-Z]\w+)+")


class _Held:
    """What the entry texts hold, indexed once for many questions."""

    def __init__(self, texts: Sequence[str], said_at: datetime) -> None:
        self._texts = texts
        self._said_at = said_at

    @cached_property
    def _folded(self) -> str:
        return "\n".join(fold(text) for text in self._texts)

    @cached_property
    def _words(self) -> str:
        return "\n".join(f" {' '.join(_bare(word) for word in words(text))} " for text in self._texts)

    @cached_property
    def _initials(self) -> set[str]:
        """ "HP" for "Harry Potter": a short form is held by the full name."""
        names = (re.findall(r"[^\W\d_]+", run) for text in self._texts for run in _NAME_RUN.findall(text))
        return {
            "".join(word[0] for word in name[start:end])
            for name in names
            for start in range(len(name))
            for end in range(start + 2, min(len(name), start + 4) + 1)
        }

    @cached_property
    def _values(self) -> set[float]:
        written = {_value(number) for text in self._texts for number in numbers(text)}
        spelled = {
            _NUMBER_WORDS[word] for text in self._texts for word in words(text) if word in _NUMBER_WORDS
        }
        return {value for value in written if value is not None} | spelled

    @cached_property
    def _days(self) -> set[tuple[date, date]]:
        spotted = (one.happened for text in self._texts for one in spot(text, self._said_at))
        return {(happened.start, happened.end) for happened in spotted if happened is not None}

    def has(self, item: _Item) -> bool:
        """Whether some text holds `item`."""
        if item.days is not None and item.days in self._days:
            return True
        if item.absolute and item.absolute in self._folded:
            return True
        if item.value is not None and item.value in self._values:
            return True
        key = fold(item.text)
        if _SHORT.fullmatch(item.text) and item.text in self._initials:
            return True
        if not key.isascii() or not any(c.isalpha() for c in key):
            return key in self._folded
        wanted = [_bare(word) for word in words(item.text)]
        return f" {' '.join(wanted)} " in self._words or (not wanted and key in self._folded)


def _bare(word: str) -> str:
    return word.removesuffix("'s")

"""Corrections of a value said before: "Ana meant the 14th, not the 12th", "not 780 but 870".

Flows in: the text of a new fact, and texts that may hold the refuted value. Flows out: the text
with the right value in its place, or nothing. Will not correct a text that lacks the old value.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final

from meme.language.words import fold
from meme.write.reconcile_by_rule.clauses import clauses
from meme.write.reconcile_by_rule.statement import DATE_FORMS, TIME, content_stems, split_subject
from meme.write.reconcile_by_rule.wording import MONTHS, WEEKDAYS
from meme.write.shapes import Candidate, NewFact

_LEAD: Final = (
    r"(?:(?:and|but|oh|no|wait|sorry|actually|oops|correction|well|scratch that|rather|i mean)\b"
    r"[\s,:;!.–—-]*)*"
)
_WHO: Final = (
    r"(?:(?P<who>the user|i|[a-z][\w'-]+(?: [a-z][\w'-]+)?) (?:actually |really )?(?:meant|means|mean)"
    r"(?: to say| to write)?(?: that)?:? )?"
)
_IT: Final = (
    r"(?:(?P<it>it|that|this|(?:the )?(?:right |correct )?(?:date|time|day|number|name|place|year|"
    r"amount|value))"
    r"(?:'s|s| is| was| should be| will be| is actually| should have been)? )?"
)
_PLACED: Final = r"(?:(?:on|at|in|for|to|by|the|around|from|until) )*"
_TAIL: Final = r"(?P<tail>,? (?:for|about|as|in|at|on|with|of) [^,]+)?"
_FORMS: Final = tuple(
    re.compile(f"^{_LEAD}{_WHO}{_LEAD}{_IT}{form}$", re.I)
    for form in (
        rf"(?:on |at |in )?not {_PLACED}(?P<old>[^,]+?),? but (?:rather )?{_PLACED}(?P<new>[^,]+?)",
        rf"{_PLACED}(?P<new>[^,]+?),? (?:and )?not {_PLACED}(?P<old>[^,]+?){_TAIL}",
        rf"{_PLACED}(?P<new>[^,]+?) (?:instead of|rather than) {_PLACED}(?P<old>[^,]+?){_TAIL}",
    )
)
_MONTH: Final = "(?P<m>" + "|".join(f"{name}|{name[:3]}" for name in MONTHS) + r")\.?"
_DAY: Final = re.compile(
    rf"(?:\w+day,? )?(?P<d>\d{{1,2}})(?P<th>st|nd|rd|th)?(?:(?: of)? {_MONTH})?(?:,? (?P<y>\d{{4}}))?", re.I
)
_MONTH_FIRST: Final = re.compile(rf"{_MONTH} (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<y>\d{{4}}))?", re.I)
_ISO: Final = re.compile(r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_RECENT_DAYS: Final = 2  # a correction that names nothing but a value corrects what was said just now


@dataclass(frozen=True, slots=True)
class Correction:
    """A right value, the refuted one, what it was about, and what else was said beside it."""

    value: str
    old: str
    who: str = ""
    about: frozenset[str] = frozenset()
    rest: str = ""


@dataclass(frozen=True, slots=True)
class _Day:
    """A day as it was written; 0 for a part that was not said."""

    day: int
    month: int = 0
    year: int = 0


@lru_cache(maxsize=20_000)
def correction_in(text: str) -> Correction | None:
    """The correction in a text that names only values, not a full statement; None if there is none."""
    parts = [clause.text for clause in clauses(text)]
    for spoken in dict.fromkeys((text, *parts)):
        bare = re.sub(r"\s+", " ", spoken.replace("’", "'")).strip().rstrip(".!")
        for form in _FORMS:
            match = form.match(bare)
            if match and _plausible(match):
                others = [p for p in parts if p != spoken] if spoken != text else []
                rest = " ".join(p for p in others if len(content_stems(p)) > 1 and split_subject(p)[0])
                tail = match.groupdict().get("tail") or ""
                about = content_stems(tail) - content_stems(match["who"] or "")
                return Correction(match["new"].strip(), match["old"].strip(), match["who"] or "", about, rest)
    return None


def _plausible(match: re.Match[str]) -> bool:
    new, old = match["new"], match["old"]
    if max(len(new.split()), len(old.split())) > 6 or split_subject(new)[0] or split_subject(old)[0]:
        return False
    if re.search(r"[.;!?]\s", f"{new} | {old} {match.groupdict().get('tail') or ''}"):
        return False
    valued = all(v[:1].isdigit() or v[:1].isupper() or fold(v.split()[0]) in WEEKDAYS for v in (new, old))
    single = match["it"] and ", not " in fold(match[0]) and len(new.split()) == len(old.split()) == 1
    return bool(match["who"] or valued or single) and fold(new) != fold(old)


def affirmed(text: str) -> str:
    """What a text states once the refuted value is taken out; the text itself if it corrects nothing."""
    found = correction_in(text)
    return f"{found.value} {found.rest}".strip() if found else text


def applied(found: Correction, text: str, *, phrase: str = "") -> str:
    """`text` with the right value in place of the refuted one; "" if it does not hold that one.

    A bare day takes month and year of the day it replaces. `phrase` is the wording of the right
    date: where it gave no year, the year nearest to the refuted day is meant.
    """
    merged = _day_replaced(found, text, phrase) or _word_replaced(found, text)
    if not merged:
        return ""
    merged = merged.strip().rstrip(".") + "."
    return f"{merged} {found.rest}" if found.rest else merged


def holds(old: str, text: str) -> bool:
    """Whether a text holds a value, a bare day ("the 12th") as part of a date included."""
    return bool(applied(Correction("?", old), text) or _day_found(_day(old), text))


def _day(value: str) -> _Day | None:
    match = _ISO.fullmatch(value) or _DAY.fullmatch(value) or _MONTH_FIRST.fullmatch(value)
    if not match or not 1 <= int(match["d"]) <= 31:
        return None
    return _Day(int(match["d"]), _month(match["m"]), int(match["y"] or 0))


def _month(name: str | None) -> int:
    if not name:
        return 0
    if name.isdigit():
        return int(name)
    return next((i for i, m in enumerate(MONTHS, 1) if m.startswith(fold(name)[:3])), 0)


def _day_found(old: _Day | None, text: str) -> re.Match[str] | None:
    """The one date in `text` that is the day `old`, as far as `old` is said."""
    for form in DATE_FORMS[:3] if old else ():
        for match in form.finditer(text):
            month, year = _month(match["m"]), int(match["y"] or 0)
            assert old is not None
            if int(match["d"]) == old.day and old.month in (0, month) and old.year in (0, year):
                return match
    return None


def _day_replaced(found: Correction, text: str, phrase: str) -> str:
    new, old = _day(found.value), _day(found.old)
    numbers = found.value.isdigit() and found.old.isdigit()  # "5, not 4" may be of cats
    at = _day_found(old, text) if new and not numbers else None
    if new is None or at is None:
        return ""
    month, year = new.month or _month(at["m"]), int(at["y"] or 0)
    if new.year and (not phrase or re.search(r"\b(?:19|20)\d\d\b", phrase)):
        year = new.year
    elif year and new.month:
        year = _nearest(year, _month(at["m"]), month)
    if "-" in at[0]:
        written = f"{year:04}-{month:02}-{new.day:02}"
    else:
        written = f"{new.day} {MONTHS[month - 1].capitalize()}" + (f" {year}" if year else "")
    before = re.sub(
        r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?:the )?$", "", text[: at.start()], flags=re.I
    )
    return before + written + text[at.end() :]


def _nearest(year: int, was: int, month: int) -> int:
    """The year in which `month` is nearest to the month `was` of `year`."""
    return min((year, year - 1, year + 1), key=lambda y: abs((y - year) * 12 + month - was))


def _word_replaced(found: Correction, text: str) -> str:
    """The text with a time, number, weekday or name replaced, where it stands outside of dates."""
    spans = [m.span() for form in DATE_FORMS[:3] for m in form.finditer(text)]
    if not (_NUMBER.fullmatch(found.old) or TIME.fullmatch(found.old)):
        spans = []
    for at in re.finditer(rf"(?<![\w.,:-]){_pattern(found.old)}(?![\w:]|[.,]\d)", text, re.I):
        if any(a < at.end() and at.start() < b for a, b in spans):
            continue
        value = found.value
        number = _NUMBER.match(value)
        if number and _NUMBER.fullmatch(found.old) and text[at.end() :].startswith(value[number.end() :]):
            value = number[0]  # the unit stands there already
        return text[: at.start()] + value + text[at.end() :]
    return ""


def _pattern(old: str) -> str:
    bare = re.sub(r"^an? ", "", old, flags=re.I)
    digits = bare.replace(",", "")
    if digits.isdigit() and len(digits) > 3:
        return f"(?:{digits}|{int(digits):,})"
    return re.escape(bare)


def target_of(found: Correction, fact: NewFact, near: Sequence[Candidate]) -> tuple[Candidate, str] | None:
    """The entry a correction is about with its corrected text, or None where nobody can tell.

    Earlier facts of the window come before older entries, what shares its topic or person before
    what does not, the newest before the rest. An older entry must share the topic, or have been
    said just now by or of the same person.
    """
    phrase = fact.happened.phrase if fact.happened else ""
    held = [(c, text) for c in near if (text := applied(found, c.text, phrase=phrase))]
    topical = [(c, text) for c, text in held if found.about & content_stems(c.text)]
    held = topical or held
    here = [h for h in held if h[0].ref[:1] == "n"]
    if here:
        return max(here, key=lambda h: (_same_person(found, fact, h[0]), int(h[0].ref[1:])))
    if not topical:
        held = [
            h
            for h in held
            if _same_person(found, fact, h[0]) and abs((fact.said_at - h[0].said_at).days) <= _RECENT_DAYS
        ]
        if len({h[0].said_at for h in held}) < len(held):
            return None
    return max(held, key=lambda h: h[0].said_at, default=None)


def _same_person(found: Correction, fact: NewFact, known: Candidate) -> bool:
    people = {fold(name) for name in (found.who, *fact.persons) if name}
    return bool(people & {fold(n) for n in known.persons}) or any(
        re.search(rf"(?<!\w){re.escape(p)}(?!\w)", fold(known.text)) for p in people
    )


def day_in(text: str) -> list[date]:
    """The full dates written in a text, in order."""
    found = []
    for form in DATE_FORMS[:3]:
        for match in form.finditer(text):
            if match["y"]:
                try:
                    found.append((match.start(), date(int(match["y"]), _month(match["m"]), int(match["d"]))))
                except ValueError:
                    continue
    return [day for _, day in sorted(found)]

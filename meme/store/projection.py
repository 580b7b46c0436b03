"""What the store asks of a search index: one protocol, two real implementations, two in memory.

Flows in: `Row`s folded from the journal, with the position they bring the index to. Flows
out: ranked keys. A projection never returns text, never decides who may see what (it filters
by scope, and the store checks again), and never outlives the journal.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final, Literal, Protocol

from meme.language.words import fold
from meme.records import Filters, HitType, MemoryEntry, Scope, Turn

Name = Literal["memories", "lexicon"]
NAMES: Final[tuple[Name, ...]] = ("memories", "lexicon")


@dataclass(frozen=True, slots=True)
class Row:
    """One entry or turn as the indexes see it.

    `facets` look like "person=alice". `start`/`end` are proleptic ordinals of UTC days.
    `vector` is little-endian float32, or None where there is none (yet).
    """

    key: int
    stamp: int
    type: HitType
    scope: Scope
    text: str
    start: int
    end: int
    facets: tuple[str, ...] = ()
    vector: bytes | None = None


@dataclass(frozen=True, slots=True)
class Probe:
    """One question to an index. `required`, `since`, `until` are hard; `wanted` only lifts."""

    scope: Scope
    limit: int
    text: str = ""
    vector: bytes | None = None
    required: tuple[str, ...] = ()
    since: int | None = None
    until: int | None = None
    wanted: tuple[str, ...] = ()
    wanted_days: tuple[int, int] | None = None
    type: HitType | None = None


Ranked = tuple[int, float]  # (key, score), best first; a higher score is better


def counted(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Keys with their stamps; a key that comes twice gets -1, so that it shows as stale."""
    found: dict[int, int] = {}
    for key, stamp in pairs:
        found[key] = -1 if key in found else stamp
    return found


class Projection(Protocol):
    """A search index that can be deleted and rebuilt. Raises ProjectionError."""

    def position(self) -> int:
        """The journal sequence number this index reflects; 0 when it is new."""

    def write(self, rows: Sequence[Row], gone: Sequence[int], position: int) -> None:
        """Upsert `rows`, drop the keys in `gone`, and move to `position`: all in one commit."""

    def search(self, probe: Probe) -> list[Ranked]:
        """Rows of the probe's scope that fit its text or vector, best first."""

    def inventory(self) -> Mapping[int, int]:
        """Every key with its stamp, for comparison with the journal; -1 where a key is held twice."""

    def reset(self) -> None:
        """Forget everything, the position included."""

    def close(self) -> None:
        """Let go of files and handles."""


class LexicalProjection(Projection, Protocol):
    """A projection that also answers by metadata."""

    def match(self, probe: Probe) -> list[Ranked]:
        """Entries by their facets and days: the more of `wanted` they carry, the better."""


def _named(kind: str, value: str) -> list[str]:
    """A facet for the whole value and, for names of several words, one for each word."""
    whole = fold(value).strip()
    parts = whole.split()
    return [f"{kind}={text}" for text in ([whole, *parts] if len(parts) > 1 else [whole]) if text]


def facets_of(memory: MemoryEntry) -> tuple[str, ...]:
    """The metadata of an entry as comparable strings: folded, so case and accents do not matter."""
    found = [facet for name in memory.persons for facet in _named("person", name)]
    found += [facet for name in memory.entities for facet in _named("entity", name)]
    found += _named("location", memory.location) if memory.location else []
    found += _named("topic", memory.topic) if memory.topic else []
    found += [f"tag={fold(tag)}" for tag in memory.tags]
    found.append(f"kind={memory.kind}")
    return tuple(dict.fromkeys(found))


def facets_asked(filters: Filters) -> tuple[str, ...]:
    """What an entry's facets must contain to pass `filters`."""
    found = [f"person={fold(name).strip()}" for name in filters.persons]
    found += [f"entity={fold(name).strip()}" for name in filters.entities]
    found += [f"location={fold(filters.location).strip()}"] if filters.location else []
    found += [f"topic={fold(filters.topic).strip()}"] if filters.topic else []
    found += [f"tag={fold(tag)}" for tag in filters.tags]
    found += [f"kind={filters.kind}"] if filters.kind else []
    return tuple(found)


def utc_day(instant: datetime) -> int:
    """The ordinal of the UTC day an instant falls on (case O27: bare dates are UTC days)."""
    return instant.astimezone(UTC).date().toordinal()


def days_of(memory: MemoryEntry) -> tuple[int, int]:
    """First and last day of an entry: when it happened, else the day it was said."""
    if memory.happened:
        return memory.happened.start.toordinal(), memory.happened.end.toordinal()
    said = utc_day(memory.said_at)
    return said, said


def ordinal(day: date | None) -> int | None:
    """The proleptic ordinal of a date, None for None."""
    return day.toordinal() if day else None


def row_of_memory(key: int, stamp: int, memory: MemoryEntry, vector: bytes | None) -> Row:
    """The indexes' view of an entry: its words are its content, keywords and tags."""
    start, end = days_of(memory)
    text = " \n ".join((memory.content, " ".join((*memory.keywords, *memory.tags))))
    return Row(key, stamp, "memory", memory.scope, text, start, end, facets_of(memory), vector)


def row_of_turn(key: int, turn: Turn, vector: bytes | None) -> Row:
    """The indexes' view of a turn; the speaker is searchable as a person."""
    day = utc_day(turn.said_at)
    return Row(
        key, key, "turn", turn.scope, turn.content, day, day, (f"person={fold(turn.speaker)}",), vector
    )

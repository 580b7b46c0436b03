"""What the verbs return: hits, recalls, answers, pages, and what a write did.

Nothing here does I/O or decides anything; the nouns these are made of are in `records`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from meme.records import Coverage, FailedWindow, HitType, MemoryEntry, Plan, StageUsage, Turn


@dataclass(frozen=True, slots=True)
class Part:
    """One layer's share in a hit: its rank (1 is best), its raw score, and what it added to the total."""

    rank: int
    score: float
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Hit:
    """One result of a search: an entry, or a turn that no entry carries yet."""

    type: HitType
    record: MemoryEntry | Turn
    score: float
    parts: Mapping[str, Part]
    turns: tuple[Turn, ...] = ()

    @property
    def id(self) -> str:
        """The id of the entry or turn."""
        return self.record.id

    @property
    def content(self) -> str:
        """The text a person reads."""
        return self.record.content

    @property
    def message_ids(self) -> tuple[str, ...]:
        """The callers' message ids of the source turns."""
        return tuple(turn.message_id for turn in self.turns if turn.message_id)


@dataclass(frozen=True, slots=True)
class Recall(Sequence[Hit]):
    """What a search found, best first; behaves as a sequence of hits.

    `timings` are seconds per step. `failed` names layers that did not answer and why.
    `notes` says in words what was cut, relaxed or overlaid.
    """

    plan: Plan
    hits: tuple[Hit, ...]
    timings: Mapping[str, float] = field(default_factory=dict)
    rounds: int = 0
    failed: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, index: Any) -> Any:
        return self.hits[index]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with the ids of the entries (or pending turns) it rests on, or an honest "not known"."""

    question: str
    text: str
    citations: tuple[str, ...] = ()
    abstained: bool = False
    reason: str = ""
    recall: Recall | None = None
    usage: StageUsage = field(default_factory=dict)
    trace: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WriteResult:
    """What a write did. `pending` counts turns that still wait for extraction."""

    turns: int = 0
    duplicates: int = 0
    blank: int = 0
    added: tuple[MemoryEntry, ...] = ()
    updated: tuple[MemoryEntry, ...] = ()
    deleted: tuple[MemoryEntry, ...] = ()
    unchanged: tuple[MemoryEntry, ...] = ()
    pending: int = 0
    failed: tuple[FailedWindow, ...] = ()
    coverage: Coverage = Coverage()
    usage: StageUsage = field(default_factory=dict)
    changesets: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    """One step in the life of an entry or of its predecessors."""

    memory_id: str
    verb: Literal["ADD", "UPDATE", "DELETE", "NOOP", "REVISE"]
    at: datetime
    before: str | None
    after: str | None
    reason: str = ""
    sources: tuple[str, ...] = ()
    changeset: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """One page of `list`. `cursor` continues it; None at the end. `total` counts all pages."""

    entries: tuple[MemoryEntry, ...]
    total: int
    cursor: str | None = None
    pending: tuple[Turn, ...] = ()

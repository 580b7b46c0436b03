"""What a check of the store finds: how far journal and projections agree, entry by entry.

Flows in: what a projection holds and what it should hold. Flows out: counts of the differences.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from meme.store.projection import Name


@dataclass(frozen=True, slots=True)
class Drift:
    """How a projection differs from the journal. All zero in a healthy store."""

    expected: int = 0
    missing: int = 0
    stale: int = 0
    foreign: int = 0

    @property
    def clean(self) -> bool:
        """Whether it holds exactly what it should."""
        return not (self.missing or self.stale or self.foreign)


@dataclass(frozen=True, slots=True)
class Verification:
    """What `verify` found. `misfolded` counts entries whose state differs from the fold of their events."""

    misfolded: int
    drift: Mapping[Name, Drift]
    sizes: Mapping[str, int]
    owed_vectors: int
    notes: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether journal and projections agree entry by entry."""
        return self.misfolded == 0 and all(drift.clean for drift in self.drift.values())


def compared(held: Mapping[int, int], wanted: Mapping[int, int]) -> Drift:
    """The differences between two inventories, each key -> stamp."""
    return Drift(
        expected=len(wanted),
        missing=len(wanted.keys() - held.keys()),
        stale=sum(held[key] != wanted[key] for key in wanted.keys() & held.keys()),
        foreign=len(held.keys() - wanted.keys()),
    )

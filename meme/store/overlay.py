"""What a projection does not hold yet, searched beside it.

Flows in: the rows of pending events, and a projection's ranking. Flows out: the ranking as if it held
them. An overlay is never changed in place: searches that use the last one go on undisturbed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from meme.records import Layer
from meme.store.in_memory import InMemoryLexicon, InMemoryVectors
from meme.store.projection import LexicalProjection, Probe, Projection, Ranked, Row


@dataclass(frozen=True, slots=True)
class Overlay:
    """The pending rows, searchable, and every key the projection may hold in an older state.

    It covers the journal's events in (`since`, `upto`].
    """

    pending: InMemoryVectors | InMemoryLexicon
    touched: frozenset[int] = frozenset()
    since: int = 0
    upto: int = 0

    def grown(self, rows: Sequence[Row], touched: Sequence[int], upto: int) -> "Overlay":
        """The overlay with what happened up to `upto`."""
        pending = self.pending.extended(rows, touched)
        return Overlay(pending, self.touched.union(touched), self.since, upto)

    def laid_over(self, found: Sequence[Ranked], layer: Layer, probe: Probe) -> list[Ranked]:
        """A projection's ranking with the pending rows, and without what they have changed."""
        kept = [pair for pair in found if pair[0] not in self.touched]
        kept += ranking(self.pending, layer, probe)
        return sorted(kept, key=lambda pair: -pair[1])[: probe.limit]


def widened(probe: Probe, overlay: Overlay | None) -> Probe:
    """The probe with room for the hits that the overlay may take away again."""
    return replace(probe, limit=probe.limit + len(overlay.touched)) if overlay else probe


def ranking(projection: Projection, layer: Layer, probe: Probe) -> list[Ranked]:
    """What a projection finds for one of the layers it serves."""
    if layer != "structured":
        return projection.search(probe)
    lexical: LexicalProjection = projection  # type: ignore[assignment]  # the store knows which is which
    return lexical.match(probe)

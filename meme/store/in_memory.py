"""The two projections in plain Python: they search what an index has not caught up with.

The store overlays the few pending rows with these, and `meme.testing` ships them for tests.
Scores follow the real indexes: cosine for vectors, BM25 (k1 1.2, b 0.75; Robertson and
Zaragoza 2009) for words. Not meant for more than some thousand rows.
"""

import math
from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from operator import mul
from typing import Self

from meme.language.words import terms
from meme.store.projection import Probe, Ranked, Row

Frequencies = Callable[[str], tuple[int, int]]  # a stem -> (documents with it, all documents)


def _unit(data: bytes) -> "array[float]":
    values = array("f")
    values.frombytes(data)
    norm = math.sqrt(sum(map(mul, values, values)))
    return array("f", (value / norm for value in values)) if norm else values


def _dot(left: "array[float]", right: "array[float]") -> float:
    return sum(map(mul, left, right)) if len(left) == len(right) else 0.0


def passes(row: Row, probe: Probe) -> bool:
    """Whether a row is in the probe's scope and meets all its hard conditions."""
    return (
        probe.scope.covers(row.scope)
        and probe.type in (None, row.type)
        and set(probe.required) <= set(row.facets)
        and (probe.since is None or row.end >= probe.since)
        and (probe.until is None or row.start <= probe.until)
    )


def facet_score(row: Row, probe: Probe) -> float:
    """How many of the wanted facets a row carries, and whether it falls into the wanted days."""
    days = probe.wanted_days
    hits = len(set(probe.wanted) & set(row.facets))
    return hits + (1.0 if days and row.start <= days[1] and row.end >= days[0] else 0.0)


class _Rows:
    """Rows by key, with the position they reflect."""

    def __init__(self) -> None:
        self.rows: dict[int, Row] = {}
        self._position = 0

    def position(self) -> int:
        """See Projection."""
        return self._position

    def write(self, rows: Sequence[Row], gone: Sequence[int], position: int) -> None:
        """See Projection."""
        dropped = set(gone)
        kept = {key: row for key, row in self.rows.items() if key not in dropped}
        self.rows = kept | {row.key: row for row in rows if self._accepts(row)}
        self._position = position

    def extended(self, rows: Sequence[Row], gone: Sequence[int]) -> Self:
        """A copy with `rows` and without `gone`; a search running in the original is not disturbed."""
        made = copy(self)  # nothing is changed in place by `write`, so a shallow copy will do
        made.write(rows, gone, self._position)
        return made

    def inventory(self) -> Mapping[int, int]:
        """See Projection."""
        return {row.key: row.stamp for row in self.rows.values()}

    def reset(self) -> None:
        """See Projection."""
        self.rows = {}
        self._position = 0

    def close(self) -> None:
        """Nothing to let go of."""

    def _accepts(self, _row: Row) -> bool:
        return True

    def _best(self, probe: Probe, score: Callable[[Row], float], floor: float = 0.0) -> list[Ranked]:
        scored = [(row.key, score(row)) for row in self.rows.values() if passes(row, probe)]
        kept = [pair for pair in scored if pair[1] > floor]
        return sorted(kept, key=lambda pair: (-pair[1], pair[0]))[: probe.limit]


class InMemoryVectors(_Rows):
    """Exact cosine search."""

    def __init__(self) -> None:
        super().__init__()
        self._units: dict[int, array[float]] = {}

    def write(self, rows: Sequence[Row], gone: Sequence[int], position: int) -> None:
        """See Projection."""
        super().write(rows, gone, position)
        fresh = {row.key for row in rows}
        self._units = {
            key: self._units[key] if key in self._units and key not in fresh else _unit(row.vector or b"")
            for key, row in self.rows.items()
        }

    def _accepts(self, row: Row) -> bool:
        return row.vector is not None

    def search(self, probe: Probe) -> list[Ranked]:
        """See Projection."""
        wanted = probe.vector
        if wanted is None:
            return []
        asked = _unit(wanted)
        return self._best(probe, lambda row: _dot(asked, self._units[row.key]), floor=-math.inf)


class InMemoryLexicon(_Rows):
    """BM25 over stems. `background` adds the frequencies of a larger index, so that scores compare."""

    def __init__(self, background: Frequencies | None = None) -> None:
        super().__init__()
        self._background = background or (lambda _stem: (0, 0))
        self._bags: dict[int, Counter[str]] = {}

    def write(self, rows: Sequence[Row], gone: Sequence[int], position: int) -> None:
        """See Projection."""
        super().write(rows, gone, position)
        fresh = {row.key for row in rows}
        self._bags = {
            key: self._bags[key] if key in self._bags and key not in fresh else Counter(terms(row.text))
            for key, row in self.rows.items()
        }

    def reset(self) -> None:
        """See Projection."""
        super().reset()
        self._bags = {}

    def search(self, probe: Probe) -> list[Ranked]:
        """See Projection."""
        asked = set(terms(probe.text))
        average = sum(bag.total() for bag in self._bags.values()) / max(1, len(self._bags))
        weights = {term: self._idf(term) for term in asked}

        def bm25(row: Row) -> float:
            bag = self._bags[row.key]
            length = 1.2 * (0.25 + 0.75 * bag.total() / max(average, 1.0))
            return sum(weights[t] * bag[t] * 2.2 / (bag[t] + length) for t in asked if bag[t])

        return self._best(probe, bm25)

    def match(self, probe: Probe) -> list[Ranked]:
        """See LexicalProjection."""
        return self._best(probe, lambda row: facet_score(row, probe))

    def _idf(self, term: str) -> float:
        beyond, size = self._background(term)
        count = beyond + sum(1 for bag in self._bags.values() if term in bag)
        total = size + len(self._bags)
        return math.log(1 + (total - count + 0.5) / (count + 0.5))

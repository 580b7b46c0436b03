"""How sure a figure is: 95 % intervals of rates and means, and the difference of two runs.

Flows in: what each question scored, and a seed. Flows out: figures with their intervals, the same for the
same seed. Questions are resampled as if they were independent; those of one conversation are not quite, so
true intervals are somewhat wider.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import fsum, sqrt
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

RESAMPLES: Final = 2000
_Z: Final = 1.959963984540054  # the normal quantile at 97.5 %


@dataclass(frozen=True, slots=True)
class Figure:
    """A rate or mean over `n` questions with its 95 % interval; all None where `n` is 0."""

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Paired:
    """First minus second over the `n` questions both have; `better`: the share of resamples above 0.

    A resample without any difference counts half, so that equal runs stand at 0.5.
    """

    n: int
    difference: float | None
    low: float | None = None
    high: float | None = None
    better: float | None = None


def wilson(right: int, n: int) -> Figure:
    """The rate `right` / `n` with Wilson's score interval."""
    if n == 0:
        return Figure(None, 0)
    rate = right / n
    spread = _Z * sqrt(rate * (1 - rate) / n + _Z * _Z / (4 * n * n))
    centre, scale = rate + _Z * _Z / (2 * n), 1 + _Z * _Z / n
    return Figure(rate, n, max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale))


def rate(outcomes: Sequence[bool]) -> Figure:
    """The share that is true, with Wilson's interval."""
    return wilson(sum(outcomes), len(outcomes))


def mean(values: Sequence[float], seed: int = 0) -> Figure:
    """The mean with the percentile interval of a seeded bootstrap."""
    n = len(values)
    if n == 0:
        return Figure(None, 0)
    resampled = sorted(_resampled_means(values, seed))
    return Figure(fsum(values) / n, n, _percentile(resampled, 0.025), _percentile(resampled, 0.975))


def paired(first: Sequence[float], second: Sequence[float], seed: int = 0) -> Paired:
    """The mean difference of two runs on the same questions, in the same order, bootstrapped in pairs.

    Raises ValueError when they are not of one length.
    """
    differences = [one - other for one, other in zip(first, second, strict=True)]
    n = len(differences)
    if n == 0:
        return Paired(0, None)
    resampled = sorted(_resampled_means(differences, seed))
    above = sum(1.0 if value > 0 else 0.5 if value == 0 else 0.0 for value in resampled)
    low, high = _percentile(resampled, 0.025), _percentile(resampled, 0.975)
    return Paired(n, fsum(differences) / n, low, high, above / len(resampled))


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the values lie, interpolated; 0 for none."""
    return _percentile(sorted(values), share) if values else 0.0


def _percentile(ordered: Sequence[float], share: float) -> float:
    at = share * (len(ordered) - 1)
    below = int(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (at - below)


def _resampled_means(values: Sequence[float], seed: int) -> list[float]:
    import numpy as np  # noqa: PLC0415 -- heavy

    n = len(values)
    means: list[float] = (_counts(n, seed) @ np.asarray(values, dtype=np.float64) / n).tolist()
    return means


@lru_cache(maxsize=4)
def _counts(n: int, seed: int) -> "NDArray[float32]":
    """How often each of n questions is drawn, resample by resample: one drawing serves all figures over n."""
    import numpy as np  # noqa: PLC0415 -- heavy

    drawn = np.random.default_rng(seed).multinomial(n, [1 / n] * n, size=RESAMPLES)
    return drawn.astype(np.float32)

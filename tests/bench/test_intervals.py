"""Intervals against published and hand-worked values."""

import pytest

from meme_bench.scores.intervals import Figure, mean, paired, percentile, rate, wilson


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [
        (8, 10, 0.4902, 0.9433),  # Wilson's interval as R's prop.test gives it without correction
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (50, 100, 0.4038, 0.5962),
    ],
)
def test_a_rate_has_wilsons_interval(right: int, n: int, low: float, high: float) -> None:
    found = wilson(right, n)
    assert found.value == right / n
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-4)


def test_nothing_asked_is_no_figure() -> None:
    assert wilson(0, 0) == rate([]) == mean([]) == Figure(None, 0)
    assert paired([], []).difference is None


def test_a_mean_has_an_interval_that_the_seed_fixes_and_that_holds_the_mean() -> None:
    values = [0.0, 0.25, 0.5, 1.0] * 25
    first = mean(values, seed=3)
    assert first == mean(values, seed=3) != mean(values, seed=4)
    assert first.value == 0.4375
    assert first.low is not None
    assert first.high is not None
    # Standard error: sqrt(0.1367 / 100) = 0.037, so about 0.4375 - 0.0725 and + 0.0725.
    assert (first.low, first.high) == pytest.approx((0.365, 0.510), abs=0.012)


def test_equal_values_leave_no_room() -> None:
    assert mean([0.5] * 7) == Figure(0.5, 7, 0.5, 0.5)


def test_two_runs_are_compared_question_by_question() -> None:
    # The second is worse by 0.1 on every question: unpaired intervals would overlap, the difference is sure.
    first = [index / 100 for index in range(100)]
    found = paired(first, [value - 0.1 for value in first])
    assert found.n == 100
    assert (found.difference, found.low, found.high) == pytest.approx((0.1, 0.1, 0.1))
    assert found.better == 1.0


def test_equal_runs_are_neither_better_nor_worse() -> None:
    found = paired([0.1, 0.7, 1.0], [0.1, 0.7, 1.0])
    assert (found.difference, found.low, found.high, found.better) == (0, 0, 0, 0.5)


def test_runs_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        paired([1.0, 0.0], [1.0])


def test_percentiles_are_interpolated() -> None:
    assert percentile([4, 1, 3, 2], 0.5) == 2.5
    assert percentile([1, 2, 3, 4, 5], 0.95) == pytest.approx(4.8)
    assert percentile([], 0.5) == 0.0

"""What a run cost: tokens, calls and seconds, stage by stage, building and answering apart.

Flows in: what was built and answered. Flows out: sums, and percentiles of wall time over conversations (when
building) or questions (when answering). Seconds depend on the machine; compare them within a machine only.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from meme_bench.records import Answered, Built, Spent
from meme_bench.scores.intervals import percentile


@dataclass(frozen=True, slots=True)
class StageCost:
    """One stage over a run; `p50` and `p95` are seconds per conversation or question that had the stage."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    seconds: float
    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class Phase:
    """Building or answering: its stages, all its tokens and calls, wall time per conversation or question."""

    stages: dict[str, StageCost]
    calls: int
    tokens: int
    seconds: float
    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run cost. `tokens_per_correct` is None where nothing is right; `correct_by` says by which rule.

    `answering_per_correct` leaves the building out: what a correct answer costs once the memory is there.
    """

    building: Phase
    answering: Phase
    context_mean: float
    context_p50: float
    context_p95: float
    correct: int
    correct_by: str
    tokens_per_correct: float | None
    answering_per_correct: float | None


def cost(built: Sequence[Built], answers: Sequence[Answered], *, correct: int, correct_by: str) -> Cost:
    """The cost of a run in which `correct` answers are right by the rule `correct_by`."""
    building = _phase([one.spent for one in built], [one.seconds for one in built])
    answering = _phase([one.spent for one in answers], [one.seconds for one in answers])
    context = [float(one.context_tokens) for one in answers if not one.error]
    return Cost(
        building=building,
        answering=answering,
        context_mean=sum(context) / len(context) if context else 0.0,
        context_p50=percentile(context, 0.5),
        context_p95=percentile(context, 0.95),
        correct=correct,
        correct_by=correct_by,
        tokens_per_correct=(building.tokens + answering.tokens) / correct if correct else None,
        answering_per_correct=answering.tokens / correct if correct else None,
    )


def _phase(spent: Sequence[dict[str, Spent]], seconds: Sequence[float]) -> Phase:
    names = dict.fromkeys(name for one in spent for name in one)
    stages = {name: _stage(one[name] for one in spent if name in one) for name in names}
    return Phase(
        stages=stages,
        calls=sum(one.calls for one in stages.values()),
        tokens=sum(one.prompt_tokens + one.completion_tokens for one in stages.values()),
        seconds=sum(seconds),
        p50=percentile(seconds, 0.5),
        p95=percentile(seconds, 0.95),
    )


def _stage(spent: Iterable[Spent]) -> StageCost:
    parts = list(spent)
    seconds = [one.seconds for one in parts]
    return StageCost(
        calls=sum(one.calls for one in parts),
        prompt_tokens=sum(one.prompt_tokens for one in parts),
        completion_tokens=sum(one.completion_tokens for one in parts),
        cached_tokens=sum(one.cached_tokens for one in parts),
        seconds=sum(seconds),
        p50=percentile(seconds, 0.5),
        p95=percentile(seconds, 0.95),
    )

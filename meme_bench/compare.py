"""Whether one run is better than another: a paired bootstrap over the questions that both were asked.

Flows in: two runs on the same file. Flows out: the difference of their official F1 by category with a 95 %
interval, what else is different between them, and a table. It does not say why they differ.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from meme import UsageError
from meme_bench.records import Answered, Run, RunHeader
from meme_bench.scores import abstention, official_of
from meme_bench.scores.intervals import Paired, paired
from meme_bench.tables import NOTHING, Table

_MADE_WITH: Final = (
    "system",
    "facts",
    "model",
    "embedder",
    "k",
    "seed",
    "version",
    "revision",
    "prompts",
    "config",
)

Pair = tuple[Answered, Answered]
Points = Callable[[Answered], float]


@dataclass(frozen=True, slots=True)
class Difference:
    """Of one measure over some questions: the mean of each run, and the first minus the second."""

    questions: str
    measure: str
    first: float
    second: float
    paired: Paired


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs, question by question. `unpaired` questions were asked in one of them only.

    `differs` holds what they were made with where it is not the same: a difference can be due to any of it.
    """

    first: str
    second: str
    rows: tuple[Difference, ...]
    unpaired: int
    differs: dict[str, tuple[str, str]]


def compare(first: Run, second: Run, *, seed: int = 0) -> Comparison:
    """Compare two runs. Raises UsageError when they are on different files or share no question."""
    if first.header.dataset_sha256 != second.header.dataset_sha256:
        raise UsageError(
            f"{first.path} and {second.path} are on different files ({first.header.dataset}, "
            f"{second.header.dataset}): only runs on the same file can be compared."
        )
    others = {one.question: one for one in second.answers}
    pairs = [(one, others[one.question]) for one in first.answers if one.question in others]
    if not pairs:
        raise UsageError(f"{first.path} and {second.path} have no question in common.")
    return Comparison(
        first=_name(first),
        second=_name(second),
        rows=tuple(_rows(pairs, first.header.categories, seed)),
        unpaired=len(first.answers) + len(second.answers) - 2 * len(pairs),
        differs=_differs(first.header, second.header),
    )


def table(made: Comparison) -> Table:
    """A comparison as a table; points are hundredths."""
    rows = tuple(
        (
            row.questions,
            row.measure,
            f"{row.paired.n:,}",
            f"{100 * row.first:.1f}",
            f"{100 * row.second:.1f}",
            _signed(row.paired),
            NOTHING if row.paired.better is None else f"{100 * row.paired.better:.1f}",
        )
        for row in made.rows
    )
    columns = ("questions", "measure", "n", "A", "B", "A - B [95 %]", "A better in % of resamples")
    differs = "; ".join(f"{name}: {one} / {other}" for name, (one, other) in made.differs.items())
    notes = (
        f"A is {made.first}. B is {made.second}.",
        f"Made with (A / B): {differs or 'the same'}.",
        "Paired over the questions that both were asked. One that failed counts as wrong, but in the row of "
        f"those that both answered. {made.unpaired:,} questions were asked in one of the two only.",
        "Where the interval holds 0, no difference was shown. By chance one row in twenty leaves 0 out: "
        "decide beforehand which row counts.",
    )
    return Table("A compared with B", columns, rows, notes)


def _rows(pairs: Sequence[Pair], names: dict[str, str], seed: int) -> list[Difference]:
    keys = dict.fromkeys([*names, *(one.category for one, _ in pairs)])
    with_answer = [pair for pair in pairs if not abstention.unanswerable(pair[0])]
    without = [pair for pair in pairs if abstention.unanswerable(pair[0])]
    answered = [pair for pair in with_answer if not pair[0].error and not pair[1].error]
    chosen: list[tuple[str, str, Sequence[Pair], Points]] = [
        (_category(key, names), "official F1", [p for p in pairs if p[0].category == key], official_of)
        for key in keys
    ]
    chosen.append(("with an answer", "official F1", with_answer, official_of))
    if len(answered) < len(with_answer):
        chosen.append(("with an answer, both answered", "official F1", answered, official_of))
    chosen.append(("with an answer", "not refused", with_answer, _not_refused))
    chosen.append(("without an answer", "refused or corrected", without, _withstood))
    chosen.append(("all", "official micro", pairs, official_of))
    return [_difference(*one, seed) for one in chosen if one[2]]


def _difference(questions: str, measure: str, pairs: Sequence[Pair], points: Points, seed: int) -> Difference:
    first, second = [points(one) for one, _ in pairs], [points(other) for _, other in pairs]
    n = len(pairs)
    return Difference(questions, measure, sum(first) / n, sum(second) / n, paired(first, second, seed))


def _category(key: str, names: dict[str, str]) -> str:
    name = names.get(key, key)
    return key if name == key else f"{key} {name}"


def _not_refused(one: Answered) -> float:
    return float(not one.error and not abstention.refuses(one))


def _withstood(one: Answered) -> float:
    return float(not one.error and abstention.outcome_of(one) in abstention.RIGHT)


def _name(run: Run) -> str:
    return f"{run.header.system} ({run.path})"


def _differs(first: RunHeader, second: RunHeader) -> dict[str, tuple[str, str]]:
    both = ((name, getattr(first, name), getattr(second, name)) for name in _MADE_WITH)
    return {name: (_told(one), _told(other)) for name, one, other in both if one != other}


def _told(value: object) -> str:
    """A value in a few words: of what has many parts only that it is another."""
    return f"{len(value)} settings" if isinstance(value, dict) else str(value)[:40] or "none"


def _signed(found: Paired) -> str:
    if found.difference is None or found.low is None or found.high is None:
        return NOTHING
    return f"{100 * found.difference:+.1f} [{100 * found.low:+.1f}, {100 * found.high:+.1f}]"

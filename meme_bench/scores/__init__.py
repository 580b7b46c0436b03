"""What a run is worth: one frozen record that a report prints.

Flows in: a run read back from its file, and where they are at hand the audited key and a judge's verdicts.
Flows out: `Scores`. Pure: no model is called and nothing is written, so scoring can be repeated at no cost.
An answer with an error counts as wrong everywhere, and the text of the error reaches no scorer.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from meme import UsageError
from meme_bench.records import Answered, Run, RunHeader
from meme_bench.scores import abstention, official, stages
from meme_bench.scores import corrected as audited
from meme_bench.scores import retrieval as found
from meme_bench.scores.corrected import Correction
from meme_bench.scores.cost import Cost, cost
from meme_bench.scores.intervals import Figure, mean, rate
from meme_bench.scores.retrieval import Retrieval
from meme_bench.scores.stages import Temporal

if TYPE_CHECKING:
    from meme_bench.scores.judge import Verdicts

__all__ = ["Cost", "Figure", "Group", "Retrieval", "Scores", "Temporal", "points", "score"]

_RIGHT_F1: Final = 0.5


@dataclass(frozen=True, slots=True)
class Group:
    """The questions of a category, or of several. A figure is None where it has no meaning.

    `n` were asked, `failed` of them with an error, `abstained` without an answer. `f1` is official and
    over all asked, `f1_answered` over those without an error. `precision` to `bleu1` are over questions that
    have an answer, as is `false_refusals`; `abstention` is over those that have none: the share refused or
    corrected in any wording, with `outcomes` counting what was done. `judged` leaves out `judge_errors`.
    """

    key: str
    name: str
    n: int
    failed: int
    abstained: int
    f1: Figure
    f1_answered: Figure
    corrected_f1: Figure | None
    precision: Figure
    recall: Figure
    exact: Figure
    bleu1: Figure
    judged: Figure | None
    judge_errors: int
    abstention: Figure
    outcomes: dict[str, int]
    false_refusals: Figure
    retrieval: Retrieval | None
    corrected_retrieval: Retrieval | None
    coverage: Figure | None


@dataclass(frozen=True, slots=True)
class Scores:
    """A run's scores. `answerable` are the questions with an answer (LoCoMo's categories 1-4).

    `everything` is over all questions: its `f1` is the official micro mean over all five categories, which
    mixes words matched with refusals worded as the rule expects. `errors` are question ids, `build_errors`
    conversation ids. `flags` say what to know before a figure is believed.
    """

    path: str
    header: RunHeader
    categories: tuple[Group, ...]
    answerable: Group
    everything: Group
    temporal: Temporal | None
    cost: Cost
    errors: tuple[str, ...]
    build_errors: tuple[str, ...]
    flags: tuple[str, ...]
    judge: "Verdicts | None" = None

    def as_json(self) -> dict[str, Any]:
        """The record as plain values."""
        return asdict(self)


def official_of(one: Answered) -> float:
    """The official score of one recorded answer.

    The published rule reads wordings: a refusal is right in category 5 where it says "no information
    available" or "not mentioned". A system that says that it abstains is read as saying just that. Elsewhere
    an abstention is no answer, and its text is not matched against the gold.
    """
    if one.error:
        return 0.0
    if one.abstained:
        return float(abstention.unanswerable(one))
    return official.official(one.category, one.answer, one.gold)


def points(run: Run) -> dict[str, float]:
    """The official score of each question by its id: what two runs are compared by."""
    return {one.question: official_of(one) for one in run.answers}


def score(
    run: Run,
    *,
    corrected: Mapping[str, Correction] | None = None,
    judge: "Verdicts | None" = None,
    seed: int = 0,
) -> Scores:
    """Score a run. `corrected` is from `corrected.read`, `judge` from `judge.judge`.

    Raises UsageError when a question was answered twice.
    """
    twice = [name for name, count in Counter(one.question for one in run.answers).items() if count > 1]
    if twice:
        raise UsageError(f"{run.path} answers {twice[0]} more than once: it is no run of meme-bench.")
    grouping = _Grouping(run, corrected, judge, seed)
    unnamed = {one.category: one.category for one in run.answers if one.category not in run.header.categories}
    names = run.header.categories | unnamed
    groups = {key: [one for one in run.answers if one.category == key] for key in names}
    right, rule = grouping.correct(run.answers)
    return Scores(
        path=run.path,
        header=run.header,
        categories=tuple(grouping.group(key, names[key], group) for key, group in groups.items() if group),
        answerable=grouping.group(
            "answerable",
            "questions with an answer",
            [one for one in run.answers if not abstention.unanswerable(one)],
        ),
        everything=grouping.group("all", "official micro over all categories", run.answers),
        temporal=stages.temporal(run.answers, run.built),
        cost=cost(run.built, run.answers, correct=right, correct_by=rule),
        errors=tuple(one.question for one in run.answers if one.error),
        build_errors=tuple(one.conversation for one in run.built if one.error),
        flags=(*_unfinished(run), *found.flags(run.answers, run.built), *grouping.flags(run.answers)),
        judge=judge,
    )


def _unfinished(run: Run) -> tuple[str, ...]:
    left = run.header.questions - len(run.answers)
    told = f"{left} of {run.header.questions} questions are not in this file: the run was not finished."
    return (told,) if left > 0 else ()


@dataclass(frozen=True, slots=True)
class _Grouping:
    run: Run
    corrected: Mapping[str, Correction] | None
    judge: "Verdicts | None"
    seed: int

    def group(self, key: str, name: str, answers: Sequence[Answered]) -> Group:
        """All figures over some of the answers."""
        with_answer = [one for one in answers if not abstention.unanswerable(one)]
        without = [one for one in answers if abstention.unanswerable(one)]
        measured = [_words(one) for one in with_answer]
        outcomes = Counter("failed" if one.error else abstention.outcome_of(one) for one in without)
        again = None if self.corrected is None else audited.apply(answers, self.corrected)
        return Group(
            key=key,
            name=name,
            n=len(answers),
            failed=sum(bool(one.error) for one in answers),
            abstained=sum(abstention.refuses(one) for one in answers),
            f1=self._mean(official_of(one) for one in answers),
            f1_answered=self._mean(official_of(one) for one in answers if not one.error),
            corrected_f1=None if again is None else self._mean(official_of(one) for one in again),
            precision=self._mean(one.precision for one in measured),
            recall=self._mean(one.recall for one in measured),
            exact=rate([one.exact for one in measured]),
            bleu1=self._mean(one.bleu1 for one in measured),
            judged=self._judged(answers),
            judge_errors=sum(one.question in self.judge.errors for one in answers) if self.judge else 0,
            abstention=rate([self._withstood(one) for one in without]),
            outcomes=dict(sorted(outcomes.items())),
            false_refusals=rate([abstention.refuses(one) for one in with_answer]),
            retrieval=found.retrieval(answers, self.seed),
            corrected_retrieval=None if again is None else found.retrieval(again, self.seed),
            coverage=stages.coverage(answers, self.run.built),
        )

    def correct(self, answers: Sequence[Answered]) -> tuple[int, str]:
        """How many answers are right, and by which rule that was decided."""
        if self.judge:
            return sum(self.judge.right.get(one.question, False) for one in answers), "judge"
        right = sum(
            self._withstood(one) if abstention.unanswerable(one) else official_of(one) >= _RIGHT_F1
            for one in answers
        )
        return right, f"F1 >= {_RIGHT_F1}, or refused or corrected where there is no answer"

    def flags(self, answers: Sequence[Answered]) -> tuple[str, ...]:
        """What a reader has to know about keys and judges."""
        said = []
        if self.corrected is not None and self.corrected.keys().isdisjoint(one.question for one in answers):
            said.append("The audited key corrects none of these questions: is it that of another dataset?")
        if self.judge and self.judge.errors:
            said.append(f"The judge gave no readable verdict on {len(self.judge.errors)} answers.")
        return tuple(said)

    def _mean(self, values: Iterable[float]) -> Figure:
        return mean(list(values), self.seed)

    def _judged(self, answers: Sequence[Answered]) -> Figure | None:
        if self.judge is None:
            return None
        right = self.judge.right
        return rate([right[one.question] for one in answers if one.question in right])

    def _withstood(self, one: Answered) -> bool:
        """Whether a question without answer was refused or corrected: by patterns, then by the judge."""
        by_pattern = not one.error and abstention.outcome_of(one) in abstention.RIGHT
        return by_pattern or bool(self.judge and self.judge.right.get(one.question))


def _words(one: Answered) -> official.Words:
    if one.error or one.abstained or one.gold is None:
        return official.Words(0.0, 0.0, False, 0.0)
    return official.words(one.answer, official.key(one.category, one.gold))

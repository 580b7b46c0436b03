"""The tables of a report: rows are categories or measures, columns are runs.

Flows in: labelled `Scores` on one dataset. Flows out: tables of text, every figure with its interval and
its n. A table that no run has anything for is left out.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from meme_bench.scores import Figure, Group, Retrieval, Scores
from meme_bench.scores.cost import Phase, StageCost
from meme_bench.scores.retrieval import DEPTHS

LOCOMO: Final = frozenset("12345")
NOTHING: Final = "–"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A run's scores under the name that its columns have."""

    label: str
    scores: Scores


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text, each as long as `columns`."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


Runs = Sequence[Labelled]


def tables(runs: Runs) -> tuple[Table, ...]:
    """All tables about some runs on one dataset."""
    made = (
        _runs(runs),
        _by_category("Official F1, over all asked", runs, lambda group: group.f1, micro=True),
        _answered(runs),
        _by_category(
            "Official F1 against the audited key", runs, lambda group: group.corrected_f1, micro=True
        ),
        _words(runs),
        _judge(runs),
        _refusals(runs),
        *retrieval_tables(runs),
        _stages(runs),
        _costs(runs),
    )
    return tuple(table for table in made if table is not None)


def retrieval_tables(runs: Runs) -> tuple[Table, ...]:
    """The tables about what was found, where anything was searched for."""
    made = (
        _retrieval("Retrieval of evidence", runs, lambda group: group.retrieval),
        _retrieval(
            "Retrieval of the evidence of the audited key", runs, lambda group: group.corrected_retrieval
        ),
        _recall(runs),
    )
    return tuple(table for table in made if table is not None)


def row_name(group: Group, scores: Scores) -> str:
    """A category by number and name. Of LoCoMo, what is over several says over which."""
    locomo = scores.header.categories.keys() == LOCOMO
    if group.key == "answerable":
        return "1-4 with an answer" if locomo else "with an answer"
    if group.key == "all":
        return "1-5 official micro" if locomo else "all"
    return group.name if group.key == group.name else f"{group.key} {group.name}"


def figure(found: Figure | None, *, n: int | None = None) -> str:
    """A figure in percent with its interval, and its n where the row does not say it."""
    if found is None or found.value is None:
        return NOTHING
    told = f"{100 * found.value:.1f}"
    if found.low is not None and found.high is not None:
        told += f" [{100 * found.low:.1f}, {100 * found.high:.1f}]"
    return told if found.n == n else f"{told} n {found.n:,}"


def _runs(runs: Runs) -> Table:
    columns = ("run", "facts", "model", "embedder", "k", "seed", "asked", "failed", "version", "revision")
    rows = [
        (
            run.label,
            run.scores.header.facts or NOTHING,
            run.scores.header.model or NOTHING,
            run.scores.header.embedder or NOTHING,
            str(run.scores.header.k),
            str(run.scores.header.seed),
            f"{run.scores.everything.n:,}",
            f"{run.scores.everything.failed:,}",
            run.scores.header.version,
            _revision(run.scores.header.revision),
        )
        for run in runs
    ]
    return Table("Runs", columns, tuple(rows))


def _revision(told: str) -> str:
    """Its beginning, and the "+" of code that was changed since."""
    return told[:12] + "+" * (len(told) > 12 and told.endswith("+")) or NOTHING


def _by_category(
    title: str, runs: Runs, of: Callable[[Group], Figure | None], *, micro: bool = False
) -> Table | None:
    """One figure by category; `micro` adds the row over all questions."""
    keys = dict.fromkeys(group.key for run in runs for group in run.scores.categories)
    rows = []
    for key in [*keys, "answerable", *(["all"] if micro else [])]:
        groups = [_group(run.scores, key) for run in runs]
        figures = [of(group) if group else None for group in groups]
        counts = {found.n for found in figures if found}
        if not any(found and found.n for found in figures):
            continue
        n = max(counts)
        named = next((group, run.scores) for group, run in zip(groups, runs, strict=True) if group)
        rows.append((row_name(*named), f"{n:,}", *(figure(found, n=n) for found in figures)))
    return Table(title, ("category", "n", *_labels(runs)), tuple(rows)) if rows else None


def _group(scores: Scores, key: str) -> Group | None:
    whole = {"answerable": scores.answerable, "all": scores.everything}
    return whole.get(key) or next((group for group in scores.categories if group.key == key), None)


def _answered(runs: Runs) -> Table | None:
    """Over answered: what a run would be worth had its failures not been asked."""
    title = "Official F1, over answered"
    if any(run.scores.everything.failed for run in runs):
        return _by_category(title, runs, lambda group: group.f1_answered, micro=True)
    counts = ("answered", *(f"{run.scores.everything.n:,}" for run in runs))
    return Table(
        title, ("", *_labels(runs)), (counts,), ("No question failed: the figures are those over all asked.",)
    )


def _measures(title: str, runs: Runs, rows: Iterable[tuple[str, Sequence[str]]], *notes: str) -> Table | None:
    """A table whose rows are measures; rows without any figure are left out."""
    told = [(name, *cells) for name, cells in rows if any(cell != NOTHING for cell in cells)]
    return Table(title, ("measure", *_labels(runs)), tuple(told), notes) if told else None


def _labels(runs: Runs) -> tuple[str, ...]:
    return tuple(run.label for run in runs)


def _words(runs: Runs) -> Table | None:
    groups = [run.scores.answerable for run in runs]
    measures: tuple[tuple[str, Callable[[Group], Figure]], ...] = (
        ("precision of words", lambda group: group.precision),
        ("recall of words", lambda group: group.recall),
        ("exact match", lambda group: group.exact),
        ("BLEU-1", lambda group: group.bleu1),
    )
    rows = [("n", [f"{group.n:,}" for group in groups])]
    rows += [(name, [figure(of(group), n=group.n) for group in groups]) for name, of in measures]
    return (
        _measures("Words, over all questions with an answer", runs, rows)
        if any(g.n for g in groups)
        else None
    )


def _judge(runs: Runs) -> Table | None:
    """The judge's verdicts, with what they are worth."""
    made = _by_category("Judged right by a model", runs, lambda group: group.judged, micro=True)
    return replace(made, notes=tuple(_judge_note(run) for run in runs)) if made else None


def _judge_note(run: Labelled) -> str:
    judge = run.scores.judge
    if judge is None:
        return f"{run.label}: not judged."
    accepted = ", ".join(f"{figure(found)} of the {kind}" for kind, found in judge.bank.accepted.items())
    return (
        f"{run.label}: judged by {judge.model} ({judge.variant}, prompt {judge.fingerprint}, against the "
        f"{'audited' if judge.corrected else 'published'} key); {judge.asked:,} answers asked about, "
        f"{len(judge.errors):,} without a readable verdict and left out. Of answers of known worth it gets "
        f"wrong {figure(judge.bank.error_rate)}, {judge.bank.unreadable} unreadable; it accepts {accepted}."
    )


def _refusals(runs: Runs) -> Table | None:
    every = [run.scores.everything for run in runs]
    outcomes = sorted({name for group in every for name in group.outcomes})
    rows: list[tuple[str, list[str]]] = [
        ("no answer exists: refused or corrected", [figure(group.abstention) for group in every]),
        ("an answer exists: refused all the same", [figure(group.false_refusals) for group in every]),
    ]
    rows += [
        (f"no answer exists: {name}", [f"{group.outcomes.get(name, 0):,}" for group in every])
        for name in outcomes
    ]
    note = (
        "The first two belong together: a system that always refuses has 100 in both. `baited` gave the "
        "wrong answer that the question tempts with, `hedged` offered it or another guess beside a refusal, "
        "`asserted` said something else. Wordings are judged by patterns; the official rule knows two."
    )
    return _measures("Refusals", runs, rows, note)


def _recall(runs: Runs) -> Table | None:
    """By category, at the deepest k that all runs retrieved, 10 at most."""
    k = max((k for k in DEPTHS if k <= min(10, *(run.scores.header.k for run in runs))), default=None)
    return (
        None
        if k is None
        else _by_category(
            f"Evidence recall@{k}",
            runs,
            lambda group: group.retrieval.at[str(k)].recall if group.retrieval else None,
        )
    )


def _retrieval(title: str, runs: Runs, of: Callable[[Group], Retrieval | None]) -> Table | None:
    found = [of(run.scores.everything) for run in runs]

    depths = [(one, run.scores.header.k) for one, run in zip(found, runs, strict=True)]

    def row(name: str, cell: Callable[[Retrieval], str]) -> tuple[str, list[str]]:
        return name, [cell(one) if one else NOTHING for one in found]

    def at(name: str, cell: Callable[[Retrieval, str], str]) -> list[tuple[str, list[str]]]:
        return [
            (name.format(k=k), [cell(one, str(k)) if one and k <= most else NOTHING for one, most in depths])
            for k in DEPTHS
        ]

    rows = [
        row("n, questions with evidence", lambda one: f"{one.n:,}"),
        row("left out, without evidence", lambda one: f"{one.without_evidence:,}"),
        *at("recall@{k}", lambda one, k: figure(one.at[k].recall, n=one.n)),
        *at("precision@{k}", lambda one, k: figure(one.at[k].precision, n=one.n)),
        row("nDCG@10", lambda one: figure(one.ndcg10, n=one.n)),
        *at("turns named by {k} hits", lambda one, k: f"{one.at[k].turns:.1f}"),
    ]
    note = (
        "A hit counts for every turn it rests on, so hits that rest on many turns find evidence easily: "
        "compare at equal numbers of turns named. Nothing is said of depths beyond a run's k."
    )
    return _measures(title, runs, rows, note)


def _stages(runs: Runs) -> Table | None:
    found = [run.scores.temporal for run in runs]
    rows: list[tuple[str, list[str]]] = [
        ("evidence turns an entry rests on", [figure(run.scores.everything.coverage) for run in runs]),
        ("temporal: dated as the gold", [figure(one.rate) if one else NOTHING for one in found]),
        ("temporal: dated otherwise", [f"{len(one.wrong):,}" if one else NOTHING for one in found]),
        ("temporal: without a date", [f"{one.undated:,}" if one else NOTHING for one in found]),
        ("temporal: without an entry", [f"{one.uncovered:,}" if one else NOTHING for one in found]),
        ("temporal: gold is no date, left out", [f"{one.unreadable:,}" if one else NOTHING for one in found]),
    ]
    return _measures("Stages before the answer", runs, rows)


def _costs(runs: Runs) -> Table | None:
    costs = [run.scores.cost for run in runs]
    rows = [
        *_phase("building", "conversation", [one.building for one in costs]),
        *_phase("answering", "question", [one.answering for one in costs]),
        ("context tokens, p50 / p95", [f"{one.context_p50:,.0f} / {one.context_p95:,.0f}" for one in costs]),
        ("right answers", [f"{one.correct:,}" for one in costs]),
        ("tokens per right answer", [_tokens(one.tokens_per_correct) for one in costs]),
        ("of them for answering", [_tokens(one.answering_per_correct) for one in costs]),
    ]
    rules = "; ".join(dict.fromkeys(one.correct_by for one in costs))
    note = f"Right here: {rules}. Tokens are prompt + completion. Seconds depend on the machine and its load."
    return _measures("Cost", runs, rows, note)


def _phase(name: str, unit: str, phases: Sequence[Phase]) -> list[tuple[str, list[str]]]:
    stages = dict.fromkeys(stage for phase in phases for stage in phase.stages)
    rows = [(f"{name}: s a {unit}, p50 / p95", [f"{one.p50:.2f} / {one.p95:.2f}" for one in phases])]
    for stage in stages:
        spent = [phase.stages.get(stage) for phase in phases]
        rows += [
            (f"{name}, {stage}: calls", [f"{one.calls:,}" if one else NOTHING for one in spent]),
            (f"{name}, {stage}: tokens", [_both(one) if one else NOTHING for one in spent]),
            (f"{name}, {stage}: s, p50 / p95", [_seconds(one) if one else NOTHING for one in spent]),
        ]
    return rows


def _both(spent: StageCost) -> str:
    return f"{spent.prompt_tokens:,} + {spent.completion_tokens:,}"


def _seconds(spent: StageCost) -> str:
    return f"{spent.p50:.2f} / {spent.p95:.2f}"


def _tokens(value: float | None) -> str:
    return NOTHING if value is None else f"{value:,.0f}"

"""Scores as a report: Markdown for people, JSON for programs, and a chart.

Flows in: `Scores` of one or several runs. Flows out: for each dataset a section with its tables, in which the
runs stand beside each other, and what to know before a figure is believed: flags, errors, footnotes. No
score is computed here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from meme import UsageError
from meme_bench import plot
from meme_bench.scores import Scores
from meme_bench.tables import LOCOMO, Labelled, Table, retrieval_tables, row_name, tables

BASELINES: Final = ("refuse", "full-context", "bm25", "dense")
SHORT: Final = ("Official F1, over all asked", "Refusals")
_LISTED: Final = 20  # errors of a run, in Markdown; JSON has them all
_NAMES: Final = (
    "Categories go by the numbers in LoCoMo's file: 1 multi-hop (282 questions in the full file), 2 temporal "
    "(321), 3 open-domain (96), 4 single-hop (841), 5 adversarial (446). Elsewhere 3 is also called "
    "commonsense, and many publications swap the names of 1, 3 and 4: compare by count."
)
_MICRO: Final = (
    "The official micro over all five categories mixes matched words with refusals worded as the published "
    "rule expects; a system that always refuses gets the share of category 5."
)
_INTERVALS: Final = (
    "Figures are percentages with a 95 % interval: Wilson's for rates, a bootstrap for means. Over equal "
    "scores the bootstrap's is a point, however few they are; and questions of one conversation resemble "
    "each other, so true intervals are wider. `compare` tests a difference."
)


@dataclass(frozen=True, slots=True)
class Section:
    """The runs on one dataset. `remarks` are what to know first, `footnotes` explain names."""

    dataset: str
    sha256: str
    runs: tuple[Labelled, ...]
    tables: tuple[Table, ...]
    remarks: tuple[str, ...]
    footnotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A section for each dataset, in the order in which the runs were given."""

    sections: tuple[Section, ...]


def report(scored: Sequence[Scores]) -> Report:
    """The report of some runs; runs on different files are never in one table."""
    by_file: dict[str, list[Scores]] = {}
    for one in scored:
        by_file.setdefault(one.header.dataset_sha256, []).append(one)
    return Report(tuple(_section(group) for group in by_file.values()))


def markdown(made: Report) -> str:
    """The report as Markdown, the same for the same scores."""
    return "\n".join(_markdown(section) for section in made.sections)


def as_json(made: Report) -> dict[str, Any]:
    """The report as plain values: of each run all that was scored, beside the tables as they are printed."""
    return {
        "datasets": [
            {
                "dataset": section.dataset,
                "sha256": section.sha256,
                "runs": [{"label": run.label, **run.scores.as_json()} for run in section.runs],
                "tables": [asdict(table) for table in section.tables],
                "remarks": list(section.remarks),
                "footnotes": list(section.footnotes),
            }
            for section in made.sections
        ]
    }


def chart(made: Report, path: Path) -> None:
    """Draw official F1 by category, one colour for each run. Raises UsageError for several datasets."""
    if len(made.sections) != 1:
        raise UsageError("A chart is of one dataset: give the runs of one.")
    runs = made.sections[0].runs
    keys = dict.fromkeys(group.key for run in runs for group in run.scores.categories)
    series = []
    for run in runs:
        groups = {group.key: group for group in run.scores.categories} | {"": run.scores.answerable}
        figures = [groups[key].f1 if key in groups else None for key in [*keys, ""]]
        bars = (plot.Bar(one.value, one.low, one.high) if one else plot.Bar(None) for one in figures)
        series.append(plot.Series(run.label, tuple(bars)))
    first = runs[0].scores
    named = {group.key: group for run in runs for group in run.scores.categories} | {"": first.answerable}
    labels = [f"{row_name(named[key], first)}\nn = {named[key].n:,}" for key in [*keys, ""]]
    plot.draw(path, f"{made.sections[0].dataset}: official F1 (%), 95 % intervals", labels, series)


def summary(made: Report) -> str:
    """The remarks, official F1 and refusals: what a person wants to see when a run is done."""
    lines = []
    for section in made.sections:
        lines += [*(f"- {remark}" for remark in section.remarks), ""] if section.remarks else []
        for table in section.tables:
            if table.title in SHORT:
                lines += table_lines(table)
    return "\n".join(lines)


def retrieval_report(
    scored: Sequence[Scores], seconds: Sequence[Mapping[str, float]]
) -> tuple[str, dict[str, Any]]:
    """What searches found of the evidence, and their seconds, as Markdown and as plain values."""
    runs = _labelled(scored)
    names = ("system", *seconds[0])
    rows = tuple(
        (run.label, *(f"{value:.1f}" for value in one.values()))
        for run, one in zip(runs, seconds, strict=True)
    )
    note = (
        "embed: vectors of turns and questions. index: journal and indexes. search: finding. Summed over the "
        "workers; wall is the time that passed."
    )
    made = (*retrieval_tables(runs), Table("Seconds", names, rows, (note,)))
    remarks = [remark for run in runs for remark in _remarks(run)]
    lines = [f"# {scored[0].header.dataset}: retrieval", "", *(f"- {remark}" for remark in remarks), ""]
    plain = [
        {"label": run.label, "seconds": dict(one), **run.scores.as_json()}
        for run, one in zip(runs, seconds, strict=True)
    ]
    return "\n".join([*lines, *(text for table in made for text in table_lines(table))]), {
        "dataset": scored[0].header.dataset,
        "runs": plain,
        "tables": [asdict(table) for table in made],
        "remarks": remarks,
    }


def _labelled(scored: Sequence[Scores]) -> tuple[Labelled, ...]:
    return tuple(Labelled(label, one) for label, one in zip(_labels(scored), scored, strict=True))


def _section(scored: Sequence[Scores]) -> Section:
    runs = _labelled(scored)
    locomo = scored[0].header.categories.keys() == LOCOMO
    return Section(
        dataset=scored[0].header.dataset,
        sha256=scored[0].header.dataset_sha256,
        runs=runs,
        tables=tables(runs),
        remarks=(*_missing(scored), *(remark for run in runs for remark in _remarks(run))),
        footnotes=(*((_NAMES, _MICRO) if locomo else ()), _INTERVALS),
    )


def _labels(scored: Sequence[Scores]) -> list[str]:
    """The shortest names that tell the runs apart: system, then facts, k and model, then the file."""
    ways = (
        [one.header.system for one in scored],
        [f"{one.header.system} ({one.header.facts})" for one in scored],
        [f"{one.header.system} ({one.header.facts}, k {one.header.k})" for one in scored],
        [f"{one.header.system} ({one.header.facts}, {one.header.model})" for one in scored],
        [f"{one.header.system} ({Path(one.path).stem})" for one in scored],
        [f"{one.header.system} ({one.path})" for one in scored],
    )
    found = next((way for way in ways if len(set(way)) == len(way)), None)
    if found is None:
        raise UsageError("The same run file is given twice.")
    return found


def _missing(scored: Sequence[Scores]) -> tuple[str, ...]:
    """What a table lacks to be read: the baselines, and the same questions for all."""
    absent = [name for name in BASELINES if name not in {one.header.system for one in scored}]
    counts = {tuple((group.key, group.n) for group in one.categories) for one in scored}
    said = []
    if absent:
        said.append(f"Not beside it: the baselines {', '.join(absent)}. A figure says little without them.")
    if len(counts) > 1:
        said.append("The runs were not asked the same questions: use `compare`, which pairs those both have.")
    return tuple(said)


def _remarks(run: Labelled) -> list[str]:
    scores = run.scores
    said = [f"{run.label}: {flag}" for flag in scores.flags]
    if scores.build_errors:
        said.append(f"{run.label}: could not be built: {', '.join(scores.build_errors)}.")
    if scores.errors:
        more = f" and {len(scores.errors) - _LISTED} more" if len(scores.errors) > _LISTED else ""
        named = ", ".join(scores.errors[:_LISTED])
        said.append(f"{run.label}: failed, counted as wrong: {len(scores.errors)} ({named}{more}).")
    return said


def _markdown(section: Section) -> str:
    lines = [f"# {section.dataset}", "", f"sha256 `{section.sha256}`", ""]
    lines += [*(f"- {remark}" for remark in section.remarks), ""] if section.remarks else []
    for table in section.tables:
        lines += table_lines(table)
    return "\n".join([*lines, *(f"{note}\n" for note in section.footnotes)])


def table_lines(table: Table) -> list[str]:
    """One table as lines of Markdown, with its title and notes."""
    return [f"## {table.title}", "", *_rows(table), "", *(f"{note}\n" for note in table.notes)]


def _rows(table: Table) -> list[str]:
    """Padded, so that a table can be read as it is; the first column holds names, the others figures."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (table.columns, *table.rows)]
    widths = [max(3, *(len(row[at]) for row in cells)) for at in range(len(table.columns))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return [_row(row, widths) for row in (cells[0], rule, *cells[1:])]


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    rest = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
    return f"| {' | '.join([cells[0].ljust(widths[0]), *rest])} |"

"""The `meme-bench` command: arguments in, tables and exit codes out.

Flows in: what a person typed. Flows out: results on stdout; progress, remarks and errors on stderr. What a
command does is in the modules it calls, and each is imported when its command needs it.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from meme import UsageError, __version__
from meme_bench.console import bar, emit, emit_json, remark, run_file
from meme_bench.options import (
    Categories,
    Conversations,
    Corrected,
    Data,
    Facts,
    Json,
    Judge,
    K,
    Keep,
    Lenient,
    Limit,
    Model,
    Output,
    ReportFile,
    Resume,
    RunFile,
    RunFiles,
    Searching,
    Seed,
    System,
    Workers,
    listed,
)
from meme_cli.ending import EXIT_INTERRUPTED, EXIT_PARTIAL, carry_out

if TYPE_CHECKING:  # `meme-bench --help` need not load them
    from meme_bench.cases import Dataset
    from meme_bench.records import Run
    from meme_bench.scores import Scores
    from meme_bench.scores.corrected import Correction
    from meme_bench.scores.judge import Variant, Verdicts

app = typer.Typer(
    name="meme-bench",
    help="Memory systems over conversations with questions, scored so that nobody can be flattered.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"meme-bench {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Memory systems over conversations with questions, scored so that nobody can be flattered."""


@app.command()
def run(
    dataset: Data,
    system: System = "meme",
    model: Model = None,
    conversations: Conversations = None,
    categories: Categories = None,
    limit: Limit = None,
    facts: Facts = None,
    k: K = 30,
    workers: Workers = 1,
    seed: Seed = 0,
    output: ReportFile = None,
    resume: Resume = False,
    keep: Keep = False,
    json: Json = False,
) -> None:
    """Let a system read the conversations and answer the questions; what it says goes to a run file."""
    from meme_bench.report import as_json, report, summary  # noqa: PLC0415 -- `--help` needs none
    from meme_bench.run import Options  # noqa: PLC0415 -- `--help` needs none
    from meme_bench.run import run as carry_out  # noqa: PLC0415 -- `--help` needs none
    from meme_bench.scores.official import stems  # noqa: PLC0415 -- `--help` needs none

    stems("scored")  # what scoring lacks is said now, and not after hours
    told = output or Path(f"{dataset.stem}-{system}{f'-{facts}' if facts else ''}.json")
    _apart([told.with_suffix(".json"), told.with_suffix(".jsonl")], [dataset])
    only, of = listed(conversations), listed(categories)
    options = Options(system, facts, model, k, seed, only, of, limit, workers, keep)
    loaded = _dataset(dataset)
    try:
        with bar(system) as progress:
            made = carry_out(loaded, options, told.with_suffix(".jsonl"), resume=resume, progress=progress)
    except KeyboardInterrupt:
        remark("meme-bench: interrupted; the same command with --resume goes on.")
        raise typer.Exit(EXIT_INTERRUPTED) from None
    remark(f"written: {made}")
    scored = _scored([made], None, None, False, seed)
    outcome = report(scored)
    emit_json(as_json(outcome), told.with_suffix(".json"))
    emit_json(as_json(outcome)) if json else emit(summary(outcome))
    remark(f"All figures: meme-bench report {made}")
    _exit_for(scored)


@app.command()
def retrieval(
    dataset: Data,
    system: Searching = None,
    facts: Facts = None,
    conversations: Conversations = None,
    categories: Categories = None,
    limit: Limit = None,
    k: K = 30,
    workers: Workers = 1,
    seed: Seed = 0,
    output: Output = None,
    json: Json = False,
) -> None:
    """How much of the evidence a search finds. No question is answered, so no model is needed."""
    from meme_bench.report import retrieval_report  # noqa: PLC0415 -- `--help` needs none
    from meme_bench.run import Options, retrieve_all  # noqa: PLC0415 -- `--help` needs none
    from meme_bench.scores import score as scores_of  # noqa: PLC0415 -- `--help` needs none

    only, of = listed(conversations), listed(categories)
    _apart([output] if output else [], [dataset])
    loaded, found = _dataset(dataset), []
    for name in system or ["hybrid"]:
        options = Options(name, facts, None, k, seed, only, of, limit, workers)
        with bar(name) as progress:
            found.append(retrieve_all(loaded, options, progress=progress))
    scored = [scores_of(one.run, seed=seed) for one in found]
    seconds = [{name: getattr(one, name) for name in ("embed", "index", "search", "wall")} for one in found]
    text, plain = retrieval_report(scored, seconds)
    emit_json(plain, output) if json else emit(text, output)
    _exit_for(scored)


@app.command()
def score(
    path: RunFile,
    corrected: Corrected = None,
    judge: Judge = None,
    lenient: Lenient = False,
    seed: Seed = 0,
    output: Output = None,
    json: Json = False,
) -> None:
    """Score one run. Repeat it as often as you like: it costs nothing without a judge."""
    _apart([output] if output else [], [path])
    scored = _scored([path], corrected, judge, lenient, seed)
    if json:
        emit_json(scored[0].as_json(), output)
    else:
        from meme_bench.report import markdown, report  # noqa: PLC0415 -- `--help` needs none

        emit(markdown(report(scored)), output)
    _exit_for(scored)


@app.command("report")
def show_report(
    run_files: RunFiles,
    corrected: Corrected = None,
    judge: Judge = None,
    lenient: Lenient = False,
    plot: Annotated[
        Path | None, typer.Option(help="Draw a chart too, to a .png or .svg file.", show_default=False)
    ] = None,
    seed: Seed = 0,
    output: Output = None,
    json: Json = False,
) -> None:
    """Put runs on the same dataset beside each other, as Markdown or JSON, with a chart on request."""
    from meme_bench import plot as charts  # noqa: PLC0415 -- `--help` needs none
    from meme_bench.report import as_json, chart, markdown, report  # noqa: PLC0415 -- `--help` needs none

    if plot is not None:
        charts.check(plot)
    _apart([output] if output else [], run_files)
    scored = _scored(run_files, corrected, judge, lenient, seed)
    made = report(scored)
    if plot is not None:
        chart(made, plot)
        remark(f"drawn: {plot}")
    emit_json(as_json(made), output) if json else emit(markdown(made), output)
    _exit_for(scored)


@app.command("compare")
def show_comparison(
    first: Annotated[Path, typer.Argument(metavar="A", help="A run file.", show_default=False)],
    second: Annotated[Path, typer.Argument(metavar="B", help="Another one.", show_default=False)],
    seed: Seed = 0,
    output: Output = None,
    json: Json = False,
) -> None:
    """Compare two runs question by question: the difference, its 95 % interval, and what else differs."""
    from meme_bench.compare import compare, table  # noqa: PLC0415 -- `--help` needs none
    from meme_bench.report import table_lines  # noqa: PLC0415 -- `--help` needs none

    _apart([output] if output else [], [first, second])
    made = compare(run_file(first), run_file(second), seed=seed)
    if json:
        emit_json(asdict(made), output)
    else:
        emit("\n".join(table_lines(table(made))), output)


@app.command()
def sample(
    output: Annotated[Path, typer.Option("--output", "-o", help="A new file.")] = Path("sample_bench.json"),
) -> None:
    """Write a small self-made dataset in LoCoMo's format, to try the commands with."""
    from meme_bench.sources.sample import write  # noqa: PLC0415 -- `--help` needs none

    write(output)
    emit(f"{output}\n")
    remark(f"Try: meme-bench run --dataset {output} --system bm25")


@app.command()
def datasets(json: Json = False) -> None:
    """What can be loaded, where it comes from, under which licence, and its checksum."""
    from meme_bench.sources.catalogue import KNOWN  # noqa: PLC0415 -- `--help` needs none

    if json:
        emit_json([asdict(one) for one in KNOWN])
        return
    for one in KNOWN:
        facts = {
            "": one.about,
            "questions": f"{one.questions:,}",
            "from": one.home,
            "licence": one.licence,
            "sha256": one.sha256,
            "note": one.note,
        }
        typer.echo(one.name)
        for name, value in facts.items():
            if value:
                typer.echo(f"    {name:<10}{value}" if name else f"    {value}")


def _dataset(path: Path) -> "Dataset":
    """A loaded file; what is broken in it is named, never passed over."""
    from meme_bench.sources import load  # noqa: PLC0415 -- `--help` needs none

    loaded = load(path)
    for problem in loaded.problems:
        remark(f"{path}: {problem}")
    return loaded


def _apart(outputs: Sequence[Path], inputs: Sequence[Path]) -> None:
    """Raise UsageError where a result would take the place of what it is made from."""
    for output in outputs:
        if output.resolve() in {given.resolve() for given in inputs}:
            raise UsageError(f"{output} is what is read: give --output another name.")


def _scored(
    paths: Sequence[Path], corrected: Path | None, model: str | None, lenient: bool, seed: int
) -> "list[Scores]":
    from meme_bench.scores import score as scores_of  # noqa: PLC0415 -- `--help` needs none
    from meme_bench.scores.corrected import read  # noqa: PLC0415 -- `--help` needs none

    key = None if corrected is None else read(corrected)
    runs = [run_file(path) for path in paths]
    verdicts = [None if model is None else _judged(run, model, key, lenient) for run in runs]
    return [
        scores_of(run, corrected=key, judge=judged, seed=seed)
        for run, judged in zip(runs, verdicts, strict=True)
    ]


def _judged(run: "Run", model: str, key: "Mapping[str, Correction] | None", lenient: bool) -> "Verdicts":
    """The verdicts of the model; `llm.cache` keeps its replies, so that they are paid once."""
    from meme import Meme, build_llm  # noqa: PLC0415 -- `--help` needs none
    from meme_bench.scores.judge import judge  # noqa: PLC0415 -- `--help` needs none

    with Meme() as memory:  # opened for its settings alone
        settings = memory.settings.config.llm
    llm = build_llm(settings.model_copy(update={"model": model}))

    async def ask() -> "Verdicts":
        variant: Variant = "lenient" if lenient else "strict"
        try:
            with bar("judged") as progress:
                return await judge(run, llm, variant=variant, corrected=key, progress=progress)
        finally:
            close = getattr(llm, "close", None)
            if close is not None:
                await close()

    return asyncio.run(ask())


def _exit_for(scored: "Sequence[Scores]") -> None:
    """1 when something in a run failed, so that no script takes its figures for whole."""
    if any(one.errors or one.build_errors for one in scored):
        raise typer.Exit(EXIT_PARTIAL)


def main() -> None:
    """Run the command line; every error of ours becomes one sentence on stderr and an exit code."""
    carry_out("meme-bench", app)

"""The arguments that commands share, as a person sees them in --help.

Flows in: nothing. Flows out: types for Typer, and lists read from "a,b".
"""

from pathlib import Path
from typing import Annotated

import typer

from meme_bench.systems import SYSTEMS

System = Annotated[str, typer.Option(help=f"One of {', '.join(SYSTEMS)}.")]
Searching = Annotated[
    list[str] | None,
    typer.Option(
        "--system",
        help="One that searches, such as bm25, dense, meme; may be repeated.",
        show_default="hybrid",
    ),
]
Model = Annotated[
    str | None, typer.Option(help="At the endpoint meme is set to.", show_default="as meme is set")
]
ReportFile = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="The report (JSON), written when the run is done. The run file is beside it: report.json has "
        "report.jsonl.",
        show_default="DATASET-SYSTEM.json",
    ),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with a run that was stopped.")]
Keep = Annotated[bool, typer.Option("--keep", help="Leave the memories on disk.")]
Data = Annotated[
    Path, typer.Option("--dataset", help="A LoCoMo or LongMemEval file (see `datasets`).", show_default=False)
]
Facts = Annotated[
    str | None,
    typer.Option(
        help="What memory is made of: extracted, turns (word for word) or observations (LoCoMo's own).",
        show_default="extracted for meme, else turns",
    ),
]
Conversations = Annotated[
    str | None, typer.Option(help="Only these, by id: conv-26,conv-30.", show_default="all")
]
Categories = Annotated[
    str | None, typer.Option(help="Only these, by the file's own key: 1,2.", show_default="all")
]
Limit = Annotated[int | None, typer.Option(min=1, help="The first so many questions.", show_default="all")]
K = Annotated[int, typer.Option("--k", min=1, help="How many hits are told of each question.")]
Workers = Annotated[int, typer.Option(min=1, help="Processes, each with a conversation at a time.")]
RunFile = Annotated[Path, typer.Argument(metavar="RUN", help="A run file (.jsonl).", show_default=False)]
RunFiles = Annotated[
    list[Path], typer.Argument(metavar="RUN...", help="Run files (.jsonl).", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Seed = Annotated[int, typer.Option(help="Of the bootstrap that intervals are made by.")]
Corrected = Annotated[
    Path | None,
    typer.Option(help="Score against the audited key too (locomo10_errors.json).", show_default=False),
]
Judge = Annotated[
    str | None,
    typer.Option(
        "--judge", help="Have this model judge answers, at the endpoint meme is set to.", show_default=False
    ),
]
Lenient = Annotated[bool, typer.Option("--lenient", help="Have the judge be lenient about lists and dates.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write to this file, not stdout.", show_default=False)
]


def listed(given: str | None) -> tuple[str, ...]:
    """The names in "a, b"; none for nothing."""
    return tuple(name.strip() for name in (given or "").split(",") if name.strip())

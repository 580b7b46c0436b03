"""Where questions come from: one module for each published format, and one way to load them all.

Flows in: a path. Flows out: a `Dataset` that names the problems of its file. Gold answers,
evidence and bait go into `Question` and nowhere else; what a file holds for its annotators is not read.
"""

import hashlib
import json
from pathlib import Path

from meme import UsageError
from meme_bench.cases import Dataset
from meme_bench.sources import locomo, longmemeval
from meme_bench.sources.shapes import Source

__all__ = ["load"]

_FORMATS: tuple[Source, ...] = (locomo, longmemeval)
_SHAPES = (
    "LoCoMo is a JSON list of objects with `conversation` and `qa`, "
    "LongMemEval one of objects with `question` and `haystack_sessions`"
)


def load(path: Path, *, name: str | None = None) -> Dataset:
    """The dataset in a file, whichever format it is in; its name is the file's, unless one is given.

    The whole file is held in memory. Raises UsageError for a file that cannot be read, that is in no known
    format, or that holds no question; anything less is in `problems`, with what was made of it.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    try:
        items = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not JSON: {error}.") from error
    records = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    source = next((one for one in _FORMATS if any(map(one.fits, records))), None)
    if source is None:
        raise UsageError(f"{path} is no dataset: {_SHAPES}.")
    cases, problems = source.read(items)
    if not any(case.questions for case in cases):
        raise UsageError(f"{path} holds no question that can be asked. {'; '.join(problems[:3])}")
    return Dataset(
        name=name or path.stem,
        path=str(path),
        sha256=hashlib.sha256(content).hexdigest(),
        cases=cases,
        categories=source.categories(cases),
        problems=problems,
    )

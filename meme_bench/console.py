"""What commands share: results to stdout or a file, remarks and progress to stderr, run files read.

Flows in: text and paths. Flows out: the same where it belongs, and what cannot be read or written as one
sentence.
"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from meme import UsageError
from meme_bench.records import Run, read

Progress = Callable[[int, int], None]


def emit(text: str, output: Path | None = None) -> None:
    """A result to stdout, or to a file that is then named on stderr."""
    if output is None:
        sys.stdout.write(text)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror}.") from error
    remark(f"written: {output}")


def emit_json(value: Any, output: Path | None = None) -> None:
    """A result as indented JSON."""
    emit(json.dumps(value, ensure_ascii=False, indent=2) + "\n", output)


def remark(text: str) -> None:
    """A line for people on stderr."""
    print(text, file=sys.stderr)


def run_file(path: Path) -> Run:
    """The run in a file. Raises UsageError for a file that is none."""
    try:
        return read(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no run file: it is not text.") from error
    except ValueError as error:
        raise UsageError(str(error)) from error


@contextmanager
def bar(what: str) -> Iterator[Progress | None]:
    """A progress bar on stderr while a person watches; nothing when piped."""
    if not sys.stderr.isatty():
        yield None
        return
    from meme_cli import show  # noqa: PLC0415 -- rich is loaded only where someone watches

    with show.bar(what) as progress:
        yield progress

"""How a command of ours ends: an exit code, and one sentence on stderr for every error of ours.

Flows in: a command line to run. Flows out: the process's end. Knows neither `meme` nor `meme-bench`.
"""

import os
import sys
from collections.abc import Callable
from typing import Final, NoReturn

EXIT_PARTIAL: Final = 1
EXIT_USAGE: Final = 2
EXIT_PROVIDER: Final = 3
EXIT_STORE: Final = 4
EXIT_UNKNOWN_ID: Final = 5
EXIT_INTERRUPTED: Final = 130


def exit_code_of(error: Exception) -> int:
    """0 done (also "not known") · 1 in part · 2 usage · 3 model or embedder · 4 store · 5 no such id."""
    from meme import NotFoundError, ProviderError, StoreError, UsageError  # noqa: PLC0415 -- `--help` needs none

    kinds = (
        (UsageError, EXIT_USAGE),
        (ProviderError, EXIT_PROVIDER),
        (StoreError, EXIT_STORE),
        (NotFoundError, EXIT_UNKNOWN_ID),
    )
    return next((code for kind, code in kinds if isinstance(error, kind)), EXIT_PARTIAL)


def carry_out(name: str, command: Callable[[], object]) -> NoReturn:
    """Run the command line called `name` and end the process."""
    try:
        _carry_out(name, command)
    except KeyboardInterrupt:
        print(f"{name}: interrupted.", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)


def _carry_out(name: str, command: Callable[[], object]) -> NoReturn:
    from meme import MemeError  # noqa: PLC0415 -- keeps the import of a command free

    code: int | str | None = 0
    try:
        try:
            command()
        except SystemExit as stop:
            code = stop.code
        sys.stdout.flush()  # a full disk is an error here, and would go unnoticed at exit
    except MemeError as error:
        print(f"{name}: {error}", file=sys.stderr)
        code = exit_code_of(error)
    except BrokenPipeError:  # the reader went away, as `| head` does
        _drop_output()
    except OSError as error:
        _drop_output()
        print(f"{name}: the output could not be written: {error.strerror}.", file=sys.stderr)
        code = EXIT_PARTIAL
    sys.exit(code)


def _drop_output() -> None:
    """Let what is still buffered go nowhere, or Python complains about it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

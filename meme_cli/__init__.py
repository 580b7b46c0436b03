"""The `meme` command: a face of the library with no logic of its own."""

import os
import sys
from typing import Final

EXIT_PARTIAL: Final = 1
EXIT_USAGE: Final = 2
EXIT_PROVIDER: Final = 3
EXIT_INTERRUPTED: Final = 130


def exit_code_of(error: Exception) -> int:
    """0 done (also "not known") · 1 in part · 2 usage · 3 model or embedder · 4 store · 5 no such id."""
    from meme import NotFoundError, ProviderError, StoreError, UsageError  # noqa: PLC0415 -- `--help` needs none

    kinds = ((UsageError, EXIT_USAGE), (ProviderError, EXIT_PROVIDER), (StoreError, 4), (NotFoundError, 5))
    return next((code for kind, code in kinds if isinstance(error, kind)), EXIT_PARTIAL)


def main() -> None:
    """Run the command line; every error of ours becomes one sentence on stderr and an exit code."""
    try:
        _run()
    except KeyboardInterrupt:
        print("meme: interrupted.", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)


def _run() -> None:
    from meme import MemeError  # noqa: PLC0415 -- keeps `import meme_cli` free
    from meme_cli.app import app  # noqa: PLC0415 -- keeps `import meme_cli` free

    code: int | str | None = 0
    try:
        try:
            app()
        except SystemExit as stop:
            code = stop.code
        sys.stdout.flush()  # a full disk is an error here, and would go unnoticed at exit
    except MemeError as error:
        print(f"meme: {error}", file=sys.stderr)
        code = exit_code_of(error)
    except BrokenPipeError:  # the reader went away, as `| head` does
        _drop_output()
    except OSError as error:
        _drop_output()
        print(f"meme: the output could not be written: {error.strerror}.", file=sys.stderr)
        code = EXIT_PARTIAL
    sys.exit(code)


def _drop_output() -> None:
    """Let what is still buffered go nowhere, or Python complains about it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

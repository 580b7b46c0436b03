"""The command line run in this process: fast, with the same error handling as the real one."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

import meme_cli
from tests.ran import Ran

Run = Callable[..., Ran]


@pytest.fixture
def meme(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Call `meme(*arguments)`; the embedder needs no model, so each call takes milliseconds."""
    monkeypatch.setenv("MEME_EMBEDDING_PROVIDER", "hashing")

    def run(*arguments: str) -> Ran:
        from meme_cli import show

        monkeypatch.setattr(sys, "argv", ["meme", *arguments])
        monkeypatch.setattr(show.out, "file", sys.stdout)
        monkeypatch.setattr(show.err, "file", sys.stderr)
        code: Any = 0
        try:
            meme_cli.main()
        except SystemExit as stop:
            code = stop.code
        printed = capfd.readouterr()
        return Ran(code or 0, printed.out, printed.err)

    return run

"""What every test gets: a memory folder of its own, a clean environment, and no way out to a network."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

LOOPBACK = ("127.0.0.1", "::1", "localhost")

settings.register_profile("meme", deadline=None, print_blob=True)  # machines are shared: nothing is timed
settings.load_profile("meme")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith(("MEME_", "OPENAI_")):
            monkeypatch.delenv(name)
    folder = tmp_path / "home"
    monkeypatch.setenv("MEME_HOME", str(folder))
    monkeypatch.setenv("COLUMNS", "200")
    return folder


@pytest.fixture(autouse=True, scope="session")
def loopback_only() -> Iterator[None]:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        outside = self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in LOOPBACK
        if outside:
            raise AssertionError(f"a test tried to reach {address}: tests talk to loopback only")
        connect(self, address)

    socket.socket.connect = guarded  # type: ignore[method-assign]
    yield
    socket.socket.connect = connect  # type: ignore[method-assign]

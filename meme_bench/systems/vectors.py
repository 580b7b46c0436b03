"""Vectors by (model, text), kept on disk so that the runs of a folder make each only once; and their time.

Flows in: texts. Flows out: vectors, from disk where they were made before. Several processes may share the
folder: each reads all files when it begins and appends to one of its own, so none waits for another.
"""

import hashlib
import struct
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final

from meme import Embedder

_HEAD: Final = struct.Struct("<32sI")  # what was embedded, by its hash; length of the vector in bytes


class KeptVectors:
    """An embedder that remembers. `seconds` is the time spent in it, vectors read from disk included."""

    def __init__(self, inner: Embedder, folder: Path | None) -> None:
        self._inner, self._folder = inner, folder
        self._known: dict[bytes, bytes] | None = None
        self._own: BinaryIO | None = None
        self.seconds = 0.0

    @property
    def id(self) -> str:
        """Names the vector space: that of the embedder inside."""
        return self._inner.id

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        return self._inner.dimension

    async def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector per text, in order; only texts that are not known are embedded."""
        started = time.perf_counter()
        try:
            if self._folder is None:
                return list(await self._inner.embed(texts))
            return await self._kept(self._folder, texts)
        finally:
            self.seconds += time.perf_counter() - started

    async def _kept(self, folder: Path, texts: Sequence[str]) -> list[bytes]:
        if self._known is None:
            self._known = dict(_read(folder))
        known = self._known
        keys = [hashlib.sha256(f"{self.id}\n{text}".encode("utf-8", "replace")).digest() for text in texts]
        fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        # A dimension that only an answer tells is told by one: the first text is asked for again.
        if not fresh and not self.dimension and texts:
            fresh = {keys[0]: texts[0]}
        made = dict(zip(fresh, await self._inner.embed(list(fresh.values())), strict=True)) if fresh else {}
        sound = {key: vector for key, vector in made.items() if vector}
        known.update(sound)
        if sound:
            self._write(folder, sound)
        return [known.get(key, b"") for key in keys]

    def _write(self, folder: Path, made: dict[bytes, bytes]) -> None:
        if self._own is None:
            folder.mkdir(parents=True, exist_ok=True)
            handle, _ = tempfile.mkstemp(suffix=".vectors", dir=folder)
            self._own = open(handle, "wb")  # noqa: SIM115 -- closed by `close`
        self._own.write(b"".join(_HEAD.pack(key, len(vector)) + vector for key, vector in made.items()))
        self._own.flush()

    async def close(self) -> None:
        """Close the file and the embedder inside."""
        if self._own is not None:
            self._own.close()
            self._own = None
        close = getattr(self._inner, "close", None)
        if close is not None:
            await close()


def _read(folder: Path) -> Iterator[tuple[bytes, bytes]]:
    """Every whole record of every file; one that a kill cut short, or that is being written, is the last."""
    for path in sorted(folder.glob("*.vectors")):
        data, at = path.read_bytes(), 0
        while at + _HEAD.size <= len(data):
            key, length = _HEAD.unpack_from(data, at)
            end = at + _HEAD.size + length
            if end > len(data):
                break
            yield key, data[at + _HEAD.size : end]
            at = end

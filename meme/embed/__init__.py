"""Embedders behind one method: texts go in, unit vectors come out.

A vector travels as little-endian float32 bytes, the form in which it is stored. `embed_checked`
is the way the rest of meme calls an embedder: it splits long texts, checks what comes back, and
never lets a bad vector near the store.
"""

import math
from array import array
from collections.abc import Sequence
from typing import Final, Protocol

from meme.errors import EmbeddingError, ProviderError

# About 512 word pieces, MiniLM's limit, at 3.5 characters each; longer texts are embedded in
# pieces and averaged. The tail beyond 16 pieces is found by word only.
PIECE_CHARS: Final = 1_800
MAX_PIECES: Final = 16


class Embedder(Protocol):
    """Anything that turns texts into vectors. Raises ProviderError or one of its children."""

    @property
    def id(self) -> str:
        """Names the vector space: vectors of different ids are never compared."""

    @property
    def dimension(self) -> int:
        """Length of every vector."""

    async def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector per text, in order; a vector that could not be made is b''."""


def pack(values: Sequence[float]) -> bytes:
    """A vector as it is stored."""
    return array("f", values).tobytes()


def is_sound(vector: bytes, dimension: int) -> bool:
    """Whether a vector has the right length, only finite values, and is not all zero."""
    if len(vector) != 4 * dimension:
        return False
    values = array("f")
    values.frombytes(vector)
    return math.isfinite(sum(values)) and any(values)


def pieces(text: str) -> list[str]:
    """A text in pieces an embedder can take whole, cut at white space where there is some."""
    found: list[str] = []
    start = 0
    while start < len(text) and len(found) < MAX_PIECES:
        end = start + PIECE_CHARS
        if end < len(text):
            space = text.rfind(" ", start + PIECE_CHARS // 2, end)
            end = space if space > start else end
        found.append(text[start:end])
        start = end
    return found or [text]


def _mean(vectors: Sequence[bytes], dimension: int) -> bytes:
    sound = [vector for vector in vectors if is_sound(vector, dimension)]
    if len(sound) <= 1:
        return sound[0] if sound else b""
    sums = [0.0] * dimension
    for vector in sound:
        values = array("f")
        values.frombytes(vector)
        sums = [total + value for total, value in zip(sums, values, strict=True)]
    norm = math.sqrt(sum(total * total for total in sums))
    return pack([total / norm for total in sums]) if norm else b""


async def embed_checked(embedder: Embedder, texts: Sequence[str]) -> list[bytes]:
    """One sound vector per text; b'' where the embedder gave none that can be stored.

    Bad ones are asked for once more. Raises EmbeddingError when the embedder fails, when the count is
    wrong, or when no vector is sound.
    """
    split = [pieces(text) for text in texts]
    flat = [piece for one in split for piece in one]
    vectors = await _embedded(embedder, flat)
    if len(vectors) != len(flat):
        raise EmbeddingError(f"{embedder.id} returned {len(vectors)} vectors for {len(flat)} texts.")
    bad = [i for i, vector in enumerate(vectors) if not is_sound(vector, embedder.dimension)]
    if bad:
        lengths = {len(vectors[i]) // 4 for i in bad if vectors[i]} - {embedder.dimension}
        try:
            again = await _embedded(embedder, [flat[i] for i in bad])
        except EmbeddingError:
            if len(bad) == len(flat):
                raise
            again = []  # the good ones are kept whatever became of the others
        for i, vector in zip(bad, [*again, *[b""] * len(bad)], strict=False):
            vectors[i] = vector if is_sound(vector, embedder.dimension) else b""
        if not any(vectors):
            raise EmbeddingError(_unsound(embedder, lengths))
    found, at = [], 0
    for one in split:
        found.append(_mean(vectors[at : at + len(one)], embedder.dimension))
        at += len(one)
    return found


async def _embedded(embedder: Embedder, texts: list[str]) -> list[bytes]:
    """Whatever keeps an embedder from its work is one error: callers go on without vectors."""
    try:
        return list(await embedder.embed(texts))
    except EmbeddingError:
        raise
    except ProviderError as error:
        raise EmbeddingError(str(error), retry_after=error.retry_after) from error


def _unsound(embedder: Embedder, lengths: set[int]) -> str:
    if lengths:
        got = " and ".join(str(length) for length in sorted(lengths))
        return (
            f"{embedder.id} returned vectors of {got} numbers where {embedder.dimension} are expected: "
            "set embedding.dimension to what the model gives, or leave it out."
        )
    return f"{embedder.id} returned no vector that can be stored (empty, NaN or zero)."

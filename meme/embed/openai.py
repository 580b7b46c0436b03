"""Embedding through any OpenAI-compatible /embeddings endpoint.

Flows in: texts. Flows out: their vectors, from batches that the endpoint takes: what it refuses as too
much is halved, and a text that it refuses even alone is owed. Will not judge the vectors: `embed_checked`
does.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from meme.embed import pack
from meme.endpoint import Endpoint
from meme.errors import RefusedError, UnavailableError
from meme.patience import Patience

# OpenAI takes 2,048 texts and 300,000 tokens a request, other servers less; a character of Chinese may
# cost more than a token. Fewer texts also mean less to repeat when one request fails.
_MOST_TEXTS: Final = 128
_MOST_CHARS: Final = 100_000
_TOO_MUCH: Final = (400, 413, 422)


class OpenAIEmbedder:
    """`dimension` is asked of the endpoint when given; otherwise the model's own is found by one call.

    The id is the model's name without its address: one set of weights is served at many addresses, and
    a server that moves must not cost all vectors.
    """

    def __init__(
        self, endpoint: Endpoint, patience: Patience, *, model: str, dimension: int | None = None
    ) -> None:
        self._endpoint, self._patience = endpoint, patience
        self._model, self._asked, self._dimension = model, dimension, dimension or 0
        self._most_texts = _MOST_TEXTS  # until the endpoint turns out to take less

    @property
    def id(self) -> str:
        """See Embedder."""
        return self._model if not self._asked else f"{self._model}@{self._asked}"

    @property
    def dimension(self) -> int:
        """See Embedder; 0 until the first vector came, if none was configured."""
        return self._dimension

    async def embed(self, texts: Sequence[str]) -> list[bytes]:
        """See Embedder. Batches go side by side, as many as the Patience lets through."""
        batches = self._batches(texts)
        working = [asyncio.ensure_future(self._taken(batch)) for batch in batches]
        try:
            return _joined(batches, await asyncio.gather(*working))
        finally:
            for task in working:  # when one fails, the others need not go on
                task.cancel()
            await asyncio.gather(*working, return_exceptions=True)

    async def close(self) -> None:
        """Close the connections, if any were opened."""
        await self._endpoint.close()

    def _batches(self, texts: Sequence[str]) -> list[list[str]]:
        batches: list[list[str]] = []
        room = 0
        for text in texts:
            if not batches or len(batches[-1]) == self._most_texts or len(text) > room:
                batches.append([])
                room = _MOST_CHARS
            batches[-1].append(text)
            room -= len(text)
        return batches

    async def _taken(self, texts: list[str], *, halve: bool = True) -> list[bytes] | RefusedError:
        """Vectors of a batch, or the refusal when the endpoint took not one of its texts.

        When a whole half is refused down to its last text, the other is asked for once and not halved:
        then it is probably the request, and not a text, that the endpoint does not like.
        """
        try:
            return await self._patience.run(partial(self._request, texts))
        except RefusedError as refusal:
            if len(texts) == 1 or not halve or refusal.status not in _TOO_MUCH:
                return refusal
        half = len(texts) // 2
        halves = [texts[:half], texts[half:]]
        first = await self._taken(halves[0])
        second = await self._taken(halves[1], halve=not isinstance(first, RefusedError))
        if isinstance(first, RefusedError) and isinstance(second, RefusedError):
            return first
        vectors = _joined(halves, [first, second])
        if all(vectors):  # it was the size, and not one of the texts
            self._most_texts = min(self._most_texts, half)
        return vectors

    async def _request(self, texts: list[str]) -> list[bytes]:
        # Numbers, since some servers know no base64; not "", since some take that for an error.
        asked: dict[str, Any] = {
            "model": self._model,
            "input": [text or " " for text in texts],
            "encoding_format": "float",
        }
        if self._asked:
            asked["dimensions"] = self._asked
        reply = await self._endpoint.post("/embeddings", asked, model=self._model)
        vectors = _vectors(reply, len(texts))
        if not any(vectors):
            raise UnavailableError(f"{self._model} gave no vectors: check that it is an embedding model.")
        if not self._dimension:
            self._dimension = len(next(filter(None, vectors))) // 4
        return vectors


def _joined(batches: list[list[str]], outcomes: Sequence[list[bytes] | RefusedError]) -> list[bytes]:
    """All vectors in order, b'' for what was refused; raises the refusal when nothing was taken."""
    vectors: list[bytes] = []
    for batch, outcome in zip(batches, outcomes, strict=True):
        vectors += [b""] * len(batch) if isinstance(outcome, RefusedError) else outcome
    for outcome in outcomes:
        if isinstance(outcome, RefusedError) and not any(vectors):
            raise outcome
    return vectors


def _vectors(reply: Any, count: int) -> list[bytes]:
    """One vector a text by the index beside it, or by its place where a server gives no usable index."""
    data = reply.get("data") if isinstance(reply, dict) else None
    items = [item for item in data if isinstance(item, dict)] if isinstance(data, list) else []
    places = {item["index"]: item for item in items if isinstance(item.get("index"), int)}
    if len(places) < len(items) == count:
        places = dict(enumerate(items))
    return [_packed(places.get(i, {}).get("embedding")) for i in range(count)]


def _packed(values: Any) -> bytes:
    """A vector as it is stored; b'' for what is none."""
    try:
        return pack(values)
    except (TypeError, ValueError, OverflowError):
        return b""

"""The endpoint embedder against a loopback server: order, batches, odd bodies, errors."""

import asyncio
import math
from collections.abc import Mapping
from typing import Any

import pytest
from embedding_server import body, serving

from meme.embed import embed_checked, pack
from meme.embed.openai import OpenAIEmbedder
from meme.errors import AccountError, EmbeddingError, ProviderError, RateLimitError

KEY = "sk-secret-0123456789"


def client(url: str, *, dimension: int | None = None, retries: int = 0) -> OpenAIEmbedder:
    return OpenAIEmbedder(
        model="served", dimension=dimension, base_url=url, api_key=KEY, max_retries=retries, timeout=10.0
    )


def numbered(request: Mapping[str, Any]) -> tuple[int, Any]:
    return 200, body([[float(text), 1.0] for text in request["input"]])


def test_many_texts_go_in_several_requests_and_come_back_in_order() -> None:
    sizes: list[int] = []

    def answer(request: Mapping[str, Any]) -> tuple[int, Any]:
        sizes.append(len(request["input"]))
        return numbered(request)

    with serving(answer) as url:
        vectors = asyncio.run(client(url).embed([str(i) for i in range(300)]))
    assert vectors == [pack([float(i), 1.0]) for i in range(300)]
    assert len(sizes) > 1
    assert sum(sizes) == 300


def test_the_dimension_is_asked_for_when_configured_and_learned_otherwise() -> None:
    asked: list[Any] = []

    def answer(request: Mapping[str, Any]) -> tuple[int, Any]:
        asked.append(request.get("dimensions"))
        return numbered(request)

    with serving(answer) as url:
        free, fixed = client(url), client(url, dimension=2)
        assert (free.dimension, fixed.dimension) == (0, 2)
        asyncio.run(free.embed(["1"]))
        asyncio.run(fixed.embed(["1"]))
        assert (free.dimension, fixed.dimension) == (2, 2)
    assert asked == [None, 2]


GOOD = [0.6, 0.8]


@pytest.mark.parametrize(
    "bad", [None, [], "text", ["a", "b"], [math.nan, 1.0], [0.0, 0.0], [1.0], [None, None], 7], ids=str
)
def test_a_body_with_one_bad_vector_gives_the_others_and_owes_that_one(bad: object) -> None:
    with serving(
        lambda request: (200, body([bad if text == "b" else GOOD for text in request["input"]]))
    ) as url:
        found = asyncio.run(embed_checked(client(url), ["a", "b", "c"]))
    assert found == [pack(GOOD), b"", pack(GOOD)]


def test_a_vector_that_is_missing_from_the_body_is_owed() -> None:
    def answer(request: Mapping[str, Any]) -> tuple[int, Any]:
        full = body([GOOD for _ in request["input"]])
        return 200, {**full, "data": [item for item in full["data"] if item["index"] != 1]}

    with serving(answer) as url:
        assert asyncio.run(client(url).embed(["a", "b", "c"])) == [pack(GOOD), b"", pack(GOOD)]


@pytest.mark.parametrize(
    "reply",
    [{"data": []}, {"data": None}, {"error": {"message": "busy"}}, [], "busy", None, b"<html>", b""],
    ids=str,
)
def test_a_body_without_vectors_is_an_embedding_error(reply: object) -> None:
    with serving(lambda _: (200, reply)) as url, pytest.raises(EmbeddingError, match="served"):
        asyncio.run(embed_checked(client(url), ["a"]))


@pytest.mark.parametrize(
    ("status", "code", "error"),
    [
        (401, "invalid_api_key", AccountError),
        (403, "forbidden", AccountError),
        (429, "insufficient_quota", AccountError),
        (429, "rate_limit_exceeded", RateLimitError),
        (400, "bad", EmbeddingError),
        (500, "server_error", EmbeddingError),
        (503, "unavailable", EmbeddingError),
    ],
)
def test_an_error_status_is_ours_and_never_quotes_the_key(
    status: int, code: str, error: type[ProviderError]
) -> None:
    problem = {"error": {"message": f"wrong key {KEY}", "type": code, "code": code}}
    with serving(lambda _: (status, problem)) as url, pytest.raises(error) as caught:
        asyncio.run(client(url).embed(["a"]))
    assert type(caught.value) is error
    assert "served" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_an_endpoint_that_is_not_there_is_named_as_such() -> None:
    with serving(numbered) as url:
        pass
    with pytest.raises(EmbeddingError, match="cannot be reached"):
        asyncio.run(client(url).embed(["1"]))

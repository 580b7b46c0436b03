"""The endpoint embedder against a loopback server: order, batches, refusals, odd bodies, errors."""

import asyncio
import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from embedding_server import body, serving

from meme.embed import embed_checked, pack
from meme.embed.openai import OpenAIEmbedder
from meme.endpoint import Endpoint, RefusedError
from meme.errors import AccountError, EmbeddingError, ProviderError, RateLimitError, UnavailableError
from meme.patience import Patience

KEY = "sk-secret-0123456789"
Reply = tuple[int, Any]


def client(
    url: str,
    *,
    dimension: int | None = None,
    retries: int = 0,
    at_once: int = 4,
    waits: list[float] | None = None,
) -> OpenAIEmbedder:
    told = [] if waits is None else waits

    async def sleep(seconds: float) -> None:
        told.append(seconds)

    patience = Patience(retries, at_once, sleep=sleep, clock=lambda: sum(told), jitter=lambda: 0.0)
    endpoint = Endpoint(base_url=url, api_key=KEY, timeout=10.0)
    return OpenAIEmbedder(endpoint, patience, model="served", dimension=dimension)


def numbered(request: Mapping[str, Any]) -> Reply:
    return 200, body([[float(text), 1.0] for text in request["input"]])


def refusal(status: int = 400) -> Reply:
    return status, {"error": {"message": "too much", "type": "x", "code": "x"}}


def embed(
    answer: Callable[[Mapping[str, Any]], Reply], texts: list[str]
) -> tuple[list[bytes], list[list[str]]]:
    """The vectors, and the texts of each request that was made."""
    asked: list[list[str]] = []

    def noting(request: Mapping[str, Any]) -> Reply:
        asked.append(request["input"])
        return answer(request)

    with serving(noting) as url:
        return asyncio.run(client(url, at_once=1).embed(texts)), asked


# ---------------------------------------------------------------- batches


@pytest.mark.parametrize("at_once", [1, 4])
def test_many_texts_go_in_several_requests_and_come_back_in_order(at_once: int) -> None:
    sizes: list[int] = []

    def answer(request: Mapping[str, Any]) -> Reply:
        sizes.append(len(request["input"]))
        return numbered(request)

    with serving(answer) as url:
        vectors = asyncio.run(client(url, at_once=at_once).embed([str(i) for i in range(300)]))
    assert vectors == [pack([float(i), 1.0]) for i in range(300)]
    assert sorted(sizes) == [44, 128, 128]


def test_long_texts_go_in_smaller_batches() -> None:
    long = "1" + " " * 39_999
    vectors, asked = embed(numbered, [long] * 5)
    assert vectors == [pack([1.0, 1.0])] * 5
    assert [len(texts) for texts in asked] == [2, 2, 1]


def test_an_overlong_text_is_not_left_out() -> None:
    vectors, asked = embed(numbered, ["1", "2" + " " * 200_000, "3"])
    assert vectors == [pack([float(i), 1.0]) for i in (1, 2, 3)]
    assert [len(texts) for texts in asked] == [1, 1, 1]


def test_empty_text_is_sent_as_a_blank_since_some_servers_refuse_it() -> None:
    _, asked = embed(lambda _: (200, body([[1.0, 1.0]])), [""])
    assert asked == [[" "]]


def test_numbers_are_asked_for_and_no_base64() -> None:
    asked: list[Any] = []

    def answer(request: Mapping[str, Any]) -> Reply:
        asked.append(request["encoding_format"])
        return numbered(request)

    with serving(answer) as url:
        asyncio.run(client(url).embed(["1"]))
    assert asked == ["float"]


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_batch_that_is_too_large_is_halved_and_the_size_that_worked_remembered(status: int) -> None:
    sizes: list[int] = []

    def answer(request: Mapping[str, Any]) -> Reply:
        sizes.append(len(request["input"]))
        return numbered(request) if len(request["input"]) <= 32 else refusal(status)

    with serving(answer) as url:
        embedder = client(url, at_once=1)
        texts = [str(i) for i in range(128)]
        assert asyncio.run(embedder.embed(texts)) == [pack([float(i), 1.0]) for i in range(128)]
        assert sorted(sizes, reverse=True) == [128, 64, 64, 32, 32, 32, 32]
        sizes.clear()
        asyncio.run(embedder.embed(texts))
        assert sizes == [32] * 4


@pytest.mark.parametrize("at", [0, 1, 63, 64, 77, 127, 128, 199])
def test_one_text_that_the_endpoint_does_not_take_is_owed_and_costs_the_others_nothing(at: int) -> None:
    vectors, asked = embed(
        lambda request: refusal() if str(at) in request["input"] else numbered(request),
        [str(i) for i in range(200)],
    )
    assert vectors == [b"" if i == at else pack([float(i), 1.0]) for i in range(200)]
    assert len(asked) <= 2 + 2 * 7


def test_one_bad_text_does_not_make_the_next_batches_smaller() -> None:
    sizes: list[int] = []

    def answer(request: Mapping[str, Any]) -> Reply:
        sizes.append(len(request["input"]))
        return refusal() if "7" in request["input"] else numbered(request)

    with serving(answer) as url:
        embedder = client(url, at_once=1)
        asyncio.run(embedder.embed([str(i) for i in range(100)]))
        sizes.clear()
        asyncio.run(embedder.embed([str(i) for i in range(100, 228)]))
    assert sizes == [128]


def test_a_long_text_in_a_batch_of_its_own_is_owed_when_it_is_refused() -> None:
    long = "2" + " " * 150_000
    vectors, _ = embed(
        lambda request: refusal() if long in request["input"] else numbered(request), ["1", long, "3"]
    )
    assert vectors == [pack([1.0, 1.0]), b"", pack([3.0, 1.0])]


@pytest.mark.parametrize("count", [1, 2, 128, 300])
def test_a_request_that_is_refused_whatever_is_in_it_is_an_error_after_a_few_tries(count: int) -> None:
    asked: list[int] = []

    def answer(request: Mapping[str, Any]) -> Reply:
        asked.append(len(request["input"]))
        return refusal()

    with serving(answer) as url, pytest.raises(RefusedError, match="too much"):
        asyncio.run(client(url).embed([str(i) for i in range(count)]))
    assert len(asked) <= 15 * math.ceil(count / 128)


def test_a_model_that_is_not_there_is_not_looked_for_in_halves() -> None:
    asked: list[int] = []

    def answer(request: Mapping[str, Any]) -> Reply:
        asked.append(len(request["input"]))
        return refusal(404)

    with serving(answer) as url, pytest.raises(RefusedError, match="check model"):
        asyncio.run(client(url).embed(["1", "2"]))
    assert asked == [2]


# ---------------------------------------------------------------- dimension


def test_the_dimension_is_asked_for_when_configured_and_learned_otherwise() -> None:
    asked: list[Any] = []

    def answer(request: Mapping[str, Any]) -> Reply:
        asked.append(request.get("dimensions"))
        return numbered(request)

    with serving(answer) as url:
        free, fixed = client(url), client(url, dimension=2)
        assert (free.dimension, fixed.dimension) == (0, 2)
        asyncio.run(free.embed(["1"]))
        asyncio.run(fixed.embed(["1"]))
        assert (free.dimension, fixed.dimension) == (2, 2)
    assert asked == [None, 2]


def test_vectors_of_another_length_than_asked_for_are_an_error_that_names_both() -> None:
    with (
        serving(numbered) as url,
        pytest.raises(EmbeddingError, match=r"of 2 numbers where 512 are expected"),
    ):
        asyncio.run(embed_checked(client(url, dimension=512), ["1", "2"]))


# ---------------------------------------------------------------- odd bodies

GOOD = [0.6, 0.8]


@pytest.mark.parametrize(
    "bad",
    [None, [], "text", "zczMPwAAgD8=", ["a", "b"], [math.nan, 1.0], [0.0, 0.0], [1.0], [None, None], 7, {}],
    ids=str,
)
def test_a_body_with_one_bad_vector_gives_the_others_and_owes_that_one(bad: object) -> None:
    with serving(
        lambda request: (200, body([bad if text == "b" else GOOD for text in request["input"]]))
    ) as url:
        found = asyncio.run(embed_checked(client(url), ["a", "b", "c"]))
    assert found == [pack(GOOD), b"", pack(GOOD)]


def test_a_vector_that_is_missing_from_the_body_is_owed() -> None:
    def answer(request: Mapping[str, Any]) -> Reply:
        full = body([GOOD for _ in request["input"]])
        return 200, {**full, "data": [item for item in full["data"] if item["index"] != 1]}

    with serving(answer) as url:
        assert asyncio.run(client(url).embed(["a", "b", "c"])) == [pack(GOOD), b"", pack(GOOD)]


@pytest.mark.parametrize("index", ["missing", None, 0, "0"])
def test_vectors_without_a_usable_index_are_taken_in_order(index: object) -> None:
    def answer(request: Mapping[str, Any]) -> Reply:
        items = [{"embedding": [float(text), 1.0], "index": index} for text in request["input"]]
        if index == "missing":
            items = [{"embedding": item["embedding"]} for item in items]
        return 200, {"data": items}

    vectors, _ = embed(answer, ["1", "2", "3"])
    assert vectors == [pack([float(i), 1.0]) for i in (1, 2, 3)]


NO_VECTORS = [
    {"data": []},
    {"data": None},
    {"data": [None]},
    {"error": {"message": "busy"}},
    [],
    "busy",
    None,
]


@pytest.mark.parametrize("reply", [*NO_VECTORS, b"<html>", b""], ids=str)
def test_a_body_without_vectors_is_tried_again_and_then_an_embedding_error(reply: object) -> None:
    asked: list[int] = []

    def answer(request: Mapping[str, Any]) -> Reply:
        asked.append(1)
        return 200, reply

    with serving(answer) as url, pytest.raises(EmbeddingError, match="served"):
        asyncio.run(embed_checked(client(url, retries=2), ["a"]))
    assert len(asked) == 3


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("status", "code", "error"),
    [
        (401, "invalid_api_key", AccountError),
        (403, "forbidden", AccountError),
        (429, "insufficient_quota", AccountError),
        (429, "rate_limit_exceeded", RateLimitError),
        (400, "bad", RefusedError),
        (500, "server_error", UnavailableError),
        (503, "unavailable", UnavailableError),
    ],
)
def test_an_error_status_is_ours_and_never_quotes_the_key(
    status: int, code: str, error: type[ProviderError]
) -> None:
    problem = {"error": {"message": f"wrong key {KEY}", "type": code, "code": code}}
    with serving(lambda _: (status, problem)) as url:
        with pytest.raises(error) as caught:
            asyncio.run(client(url).embed(["a"]))
        with pytest.raises(EmbeddingError) as checked:
            asyncio.run(embed_checked(client(url), ["a"]))
    assert type(caught.value) is error
    assert "served" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert str(checked.value) == str(caught.value), "callers of embed_checked have one error to go on from"


def test_a_passing_outage_is_waited_out() -> None:
    answers, waits = [refusal(503), refusal(429)], list[float]()
    with serving(lambda request: answers.pop(0) if answers else numbered(request)) as url:
        assert asyncio.run(client(url, retries=2, waits=waits).embed(["1"])) == [pack([1.0, 1.0])]
    assert len(waits) == 2


def test_an_endpoint_that_is_not_there_is_named_as_such() -> None:
    with serving(numbered) as url:
        pass
    with pytest.raises(UnavailableError, match="cannot be reached"):
        asyncio.run(client(url).embed(["1"]))


def test_when_one_batch_fails_for_good_the_others_are_not_gone_on_with() -> None:
    asked: list[str] = []

    def answer(request: Mapping[str, Any]) -> Reply:
        asked.append(request["input"][0])
        return (401, {}) if request["input"][0] == "0" else numbered(request)

    with serving(answer) as url, pytest.raises(AccountError):
        asyncio.run(client(url, at_once=1).embed([str(i) for i in range(1_000)]))
    assert len(asked) <= 2, "of eight: the next one may have begun already"


def test_one_embedder_serves_one_event_loop_after_another() -> None:
    with serving(numbered) as url:
        embedder = client(url, at_once=1)
        texts = [str(i) for i in range(300)]
        assert asyncio.run(embedder.embed(texts)) == asyncio.run(embedder.embed(texts))
        asyncio.run(embedder.close())

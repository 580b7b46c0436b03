"""The endpoint adapter against a loopback server: formats, odd bodies, errors, and what never leaks."""

import asyncio
from collections.abc import Iterator

import pytest
from chat_server import Endpoint, completion, failure, serving
from pydantic import BaseModel

from meme.errors import AccountError, ProviderError, RateLimitError, ReplyError, TruncatedError
from meme.llm import Reply, Request
from meme.llm.openai import OpenAIChat
from meme.llm.reader import read

KEY = "sk-secret-0123456789"


class Word(BaseModel):
    word: str


ASKED = Request("say", None, Word, system="Be short.", prompt="Say a word.")
TEXT = '{"word":"tea"}'


def client(endpoint: Endpoint, *, retries: int = 0, timeout: float = 10.0) -> OpenAIChat:
    return OpenAIChat(
        model="served",
        base_url=endpoint.url,
        api_key=KEY,
        temperature=0.1,
        max_retries=retries,
        timeout=timeout,
    )


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving(Endpoint([(200, completion(TEXT))])) as served:
        yield served


def ask(llm: OpenAIChat, times: int = 1) -> list[Reply]:
    async def asking() -> list[Reply]:
        return [await llm.complete(ASKED) for _ in range(times)]

    return asyncio.run(asking())


def test_the_request_carries_model_temperature_both_prompts_and_the_schema(endpoint: Endpoint) -> None:
    ask(client(endpoint))
    (sent,) = endpoint.requests
    assert sent["model"] == "served"
    assert sent["temperature"] == 0.1
    assert [m["content"] for m in sent["messages"]] == ["Be short.", "Say a word."]
    assert sent["response_format"]["json_schema"]["schema"]["properties"].keys() == {"word"}


def test_tokens_are_counted_as_the_endpoint_says(endpoint: Endpoint) -> None:
    usage = ask(client(endpoint))[0].usage
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens) == (1, 11, 7, 3)


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": None, "completion_tokens": "7"}])
def test_an_endpoint_that_counts_no_tokens_is_still_read(endpoint: Endpoint, usage: object) -> None:
    endpoint.answers = [(200, {**completion(TEXT), "usage": usage})]
    reply = ask(client(endpoint))[0]
    assert read(reply, Word).word == "tea"
    assert (reply.usage.calls, reply.usage.prompt_tokens) == (1, 0)


@pytest.mark.parametrize(
    ("accepts", "tried"),
    [
        (("json_schema",), ["json_schema"]),
        (("json_object", "text"), ["json_schema", "json_object"]),
        (("text",), ["json_schema", "json_object", "text"]),
    ],
)
def test_a_refused_reply_format_is_stepped_down_and_the_one_that_worked_remembered(
    endpoint: Endpoint, accepts: tuple[str, ...], tried: list[str]
) -> None:
    endpoint.accepts = accepts
    replies = ask(client(endpoint), times=3)
    assert [read(reply, Word).word for reply in replies] == ["tea"] * 3
    assert endpoint.formats == [*tried, tried[-1], tried[-1]]


def test_requests_side_by_side_each_step_down_by_themselves(endpoint: Endpoint) -> None:
    endpoint.accepts = ("json_object",)
    llm = client(endpoint)

    async def asking() -> list[Reply]:
        return await asyncio.gather(*(llm.complete(ASKED) for _ in range(8)))

    assert [read(reply, Word).word for reply in asyncio.run(asking())] == ["tea"] * 8
    assert "text" not in endpoint.formats


def test_a_request_that_is_bad_in_every_format_does_not_spoil_the_next_one(endpoint: Endpoint) -> None:
    refused = failure(400, "context_length_exceeded", "too long")
    endpoint.answers = [refused, refused, refused, (200, completion(TEXT))]
    llm = client(endpoint)

    async def asking() -> Reply:
        with pytest.raises(ProviderError, match="400"):
            await llm.complete(ASKED)
        return await llm.complete(ASKED)

    assert read(asyncio.run(asking()), Word).word == "tea"
    assert endpoint.formats[-1] == "json_schema"


ODD_BUT_USABLE = {
    "the answer in the reasoning (O02 a)": completion(None, reasoning_content=f"hm {TEXT}"),
    "the answer in a tool call (O02 c)": completion(
        None,
        finish="tool_calls",
        tool_calls=[{"id": "x1", "type": "function", "function": {"name": "emit", "arguments": TEXT}}],
    ),
    "blank content beside a tool call": completion(
        " ", tool_calls=[{"id": "x1", "type": "function", "function": {"name": "emit", "arguments": TEXT}}]
    ),
    "content in parts": completion([{"type": "text", "text": TEXT[:5]}, {"type": "text", "text": TEXT[5:]}]),
    "no finish reason": completion(TEXT, finish=None),  # type: ignore[arg-type]
    "a fence": completion(f"```json\n{TEXT}\n```"),
}


@pytest.mark.parametrize("body", ODD_BUT_USABLE.values(), ids=ODD_BUT_USABLE.keys())
def test_an_odd_body_with_an_answer_in_it_is_read(endpoint: Endpoint, body: object) -> None:
    endpoint.answers = [(200, body)]
    assert read(ask(client(endpoint))[0], Word).word == "tea"


WITHOUT_ANSWER = {
    "no choices (O02 b)": {"id": "b", "object": "chat.completion", "choices": []},
    "choices is null": {"id": "b", "choices": None},
    "a choice without a message": {"id": "b", "choices": [{"index": 0, "finish_reason": "stop"}]},
    "a message that is null": {"id": "b", "choices": [{"index": 0, "message": None}]},
    "a choice that is null": {"id": "b", "choices": [None]},
    "an error with status 200": {"error": {"message": "overloaded"}},
    "empty content (O02 d)": completion(""),
    "null content": completion(None),
    "a tool call without a function": completion(None, tool_calls=[{"id": "x", "type": "custom"}]),
    "a list": [],
    "a string": "busy",
    "null": None,
    "no JSON at all": b"<html>busy</html>",
    "nothing": b"",
}


@pytest.mark.parametrize("body", WITHOUT_ANSWER.values(), ids=WITHOUT_ANSWER.keys())
def test_a_body_without_an_answer_is_a_reply_error_and_nothing_else(endpoint: Endpoint, body: object) -> None:
    endpoint.answers = [(200, body)]
    with pytest.raises(ReplyError, match="served"):
        read(ask(client(endpoint))[0], Word)


def test_a_reply_cut_at_the_output_limit_says_so(endpoint: Endpoint) -> None:
    endpoint.answers = [(200, completion('{"word":"te', finish="length"))]
    with pytest.raises(TruncatedError):
        read(ask(client(endpoint))[0], Word)


LEAKY = f"Incorrect API key provided: {KEY}. You can find your key at ..."


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (failure(401, "invalid_api_key", LEAKY), AccountError),
        (failure(403, "forbidden", LEAKY), AccountError),
        (failure(429, "insufficient_quota", LEAKY), AccountError),
        (failure(429, "rate_limit_exceeded", LEAKY), RateLimitError),
        (failure(400, "bad", LEAKY), ProviderError),
        (failure(404, "model_not_found", LEAKY), ProviderError),
        (failure(422, "bad", LEAKY), ProviderError),
        (failure(500, "server_error", LEAKY), ProviderError),
        ((503, b"<html>unavailable</html>"), ProviderError),
    ],
    ids=lambda value: str(value[0]) if isinstance(value, tuple) else value.__name__,
)
def test_an_error_status_is_ours_names_the_model_and_never_the_key(
    endpoint: Endpoint, answer: tuple[int, object], error: type[ProviderError]
) -> None:
    endpoint.answers = [answer]
    with pytest.raises(error) as caught:
        ask(client(endpoint))
    assert type(caught.value) is error
    assert "served" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_passing_outage_is_waited_out(endpoint: Endpoint) -> None:
    endpoint.answers = [failure(500), (200, completion(TEXT))]
    assert read(ask(client(endpoint, retries=2))[0], Word).word == "tea"
    assert len(endpoint.requests) == 2


def test_an_endpoint_that_is_not_there_is_named_as_such() -> None:
    gone = Endpoint([(200, completion(TEXT))])
    with serving(gone):
        pass
    with pytest.raises(ProviderError, match="cannot be reached"):
        ask(client(gone))


def test_a_local_server_without_a_key_is_served(endpoint: Endpoint) -> None:
    llm = OpenAIChat(
        model="local", base_url=endpoint.url, api_key=None, temperature=0.0, max_retries=0, timeout=5.0
    )
    assert read(ask(llm)[0], Word).word == "tea"

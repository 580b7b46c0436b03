"""The chat adapter against a loopback server: formats, refusals, odd bodies, and cases O02, O03, O34."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from chat_server import Answer, Server, completion, failure, format_of, good, serving
from pydantic import BaseModel

from meme.endpoint import Endpoint
from meme.errors import (
    AccountError,
    ProviderError,
    RateLimitError,
    ReplyError,
    TruncatedError,
    UnavailableError,
)
from meme.llm import LLM, Reply, Request
from meme.llm.openai import OpenAIChat
from meme.llm.reader import read
from meme.llm.wrap import Retried
from meme.patience import Patience

KEY = "sk-secret-0123456789"


class Word(BaseModel):
    word: str


ASKED = Request("say", None, Word, system="Be short.", prompt="Say a word.")
OTHER = Request("plan", None, Word, prompt="Make a plan.")
TEXT = '{"word":"tea"}'


def client(server: Server) -> OpenAIChat:
    endpoint = Endpoint(base_url=server.url, api_key=KEY, timeout=10.0)
    return OpenAIChat(endpoint, model="served", temperature=0.1)


class Waits:
    """A sleep and a clock: nothing is waited for, and `told` keeps what would have been."""

    def __init__(self) -> None:
        self.told: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.told.append(seconds)

    def clock(self) -> float:
        return sum(self.told)

    def patience(self, retries: int = 3) -> Patience:
        return Patience(retries, 4, sleep=self.sleep, clock=self.clock, jitter=lambda: 0.5)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Server([good(TEXT)])) as running:
        yield running


def ask(llm: LLM, *requests: Request) -> list[Reply]:
    async def asking() -> list[Reply]:
        return [await llm.complete(request) for request in requests or (ASKED,)]

    return asyncio.run(asking())


# ---------------------------------------------------------------- what is sent


def test_the_request_carries_model_temperature_both_prompts_and_the_schema(server: Server) -> None:
    ask(client(server))
    (sent,) = server.requests
    assert sent["model"] == "served"
    assert sent["temperature"] == 0.1
    assert sent["messages"] == [
        {"role": "system", "content": "Be short."},
        {"role": "user", "content": "Say a word."},
    ]
    form = sent["response_format"]["json_schema"]
    assert form["name"] == "say"
    assert form["schema"] == {
        "type": "object",
        "properties": {"word": {"type": "string"}},
        "required": ["word"],
    }
    assert not sent.get("stream")


def test_an_empty_system_prompt_is_no_message(server: Server) -> None:
    ask(client(server), OTHER)
    assert [message["role"] for message in server.requests[0]["messages"]] == ["user"]


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("accepts", "tried"),
    [
        (("json_schema",), ["json_schema"]),
        (("json_object", "text"), ["json_schema", "json_object"]),
        (("text",), ["json_schema", "json_object", "text"]),
    ],
)
def test_a_refused_reply_format_is_stepped_down_and_the_one_that_worked_remembered(
    server: Server, accepts: tuple[str, ...], tried: list[str]
) -> None:
    server.accepts = accepts
    replies = ask(client(server), *[ASKED] * 3)
    assert [read(reply, Word).word for reply in replies] == ["tea"] * 3
    assert server.formats == [*tried, tried[-1], tried[-1]]


def test_a_task_whose_schema_alone_is_refused_costs_the_other_tasks_nothing(server: Server) -> None:
    def answer(request: Mapping[str, Any]) -> Answer:
        form = request.get("response_format", {})
        if form.get("type") == "json_schema" and form["json_schema"]["name"] == "say":
            return failure(400, "invalid_schema", "cannot compile the grammar")
        return good(TEXT)

    server.script = answer
    ask(client(server), ASKED, OTHER, ASKED, OTHER)
    assert server.formats == ["json_schema", "json_object", "json_schema", "json_object", "json_schema"]


def test_requests_side_by_side_each_step_down_by_themselves(server: Server) -> None:
    server.accepts = ("json_object",)
    llm = client(server)

    async def asking() -> list[Reply]:
        return await asyncio.gather(*(llm.complete(ASKED) for _ in range(8)))

    assert [read(reply, Word).word for reply in asyncio.run(asking())] == ["tea"] * 8
    assert "text" not in server.formats


def test_a_request_that_is_bad_in_every_format_does_not_spoil_the_next_one(server: Server) -> None:
    server.script = [*[failure(400, "bad", "no")] * 3, good(TEXT)]
    llm = client(server)

    async def asking() -> Reply:
        with pytest.raises(ProviderError, match="400"):
            await llm.complete(ASKED)
        return await llm.complete(ASKED)

    assert read(asyncio.run(asking()), Word).word == "tea"
    assert server.formats == ["json_schema", "json_object", "text", "json_schema"]


def test_a_reply_that_once_failed_its_schema_is_no_reason_to_ask_for_less_the_next_time(
    server: Server,
) -> None:
    server.script = [failure(400, "json_validate_failed", "generated JSON does not match"), good(TEXT)]
    ask(client(server), ASKED, ASKED)
    assert server.formats == ["json_schema", "json_object", "json_schema"]


@pytest.mark.parametrize(
    "refusal",
    [
        failure(400, "context_length_exceeded", "too long"),
        failure(400, "invalid", "bad content", param="messages"),
        failure(400, "400", "This model's maximum context length is 8192 tokens"),
        failure(400, "exceed_context_size_error", "the request exceeds the available context size"),
        failure(404, "model_not_found", "no such model"),
        failure(413, "too_large", "too large"),
    ],
    ids=lambda refusal: refusal.body["error"]["code"],
)
def test_a_refusal_that_is_not_about_the_format_is_not_asked_again_in_another(
    server: Server, refusal: Answer
) -> None:
    server.script = [refusal]
    with pytest.raises(ProviderError) as caught:
        ask(client(server))
    message = refusal.body["error"]["message"]
    assert message in str(caught.value)
    assert len(server.requests) == 1
    assert isinstance(caught.value, TruncatedError) == (
        "context" in f"{message} {refusal.body['error']['code']}"
    )


@pytest.mark.parametrize(
    "refusal",
    [
        failure(400, "unsupported_value", "Only the default (1) value is supported.", param="temperature"),
        failure(400, "unsupported_parameter", "x", param="temperature"),
        failure(422, "bad", "Temperature is deprecated for this model."),
    ],
)
def test_a_refused_temperature_is_left_out_from_then_on_and_the_format_kept(
    server: Server, refusal: Answer
) -> None:
    server.script = lambda request: refusal if "temperature" in request else good(TEXT)
    replies = ask(client(server), ASKED, OTHER)
    assert [read(reply, Word).word for reply in replies] == ["tea"] * 2
    assert ["temperature" in request for request in server.requests] == [True, False, False]
    assert server.formats == ["json_schema"] * 3


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
def test_a_limit_of_tokens_goes_by_the_name_that_the_server_takes(server: Server, name: str) -> None:
    server.script = lambda request: (
        good(TEXT) if name in request else failure(400, "unsupported_parameter", "no", param="max_tokens")
    )
    endpoint = Endpoint(base_url=server.url, api_key=KEY, timeout=10.0)
    llm = OpenAIChat(endpoint, model="served", temperature=0.1, max_tokens=256)
    assert [read(reply, Word).word for reply in ask(llm, ASKED, OTHER)] == ["tea"] * 2
    assert server.requests[-1][name] == 256
    assert len(server.requests) == (2 if name == "max_tokens" else 3)


def test_a_server_may_refuse_both_the_temperature_and_the_schema(server: Server) -> None:
    def answer(request: Mapping[str, Any]) -> Answer:
        if "temperature" in request:
            return failure(400, "bad", "no", param="temperature")
        return good(TEXT) if format_of(request) == "text" else failure(400, "bad", "no response_format here")

    server.script = answer
    assert read(ask(client(server))[0], Word).word == "tea"
    assert server.formats == ["json_schema", "json_schema", "json_object", "text"]


def test_a_temperature_that_was_not_at_fault_is_sent_again(server: Server) -> None:
    complaint = failure(400, "bad", "temperature or something else")
    server.script = [*[complaint] * 4, good(TEXT)]
    llm = client(server)

    async def asking() -> None:
        with pytest.raises(ProviderError):
            await llm.complete(ASKED)
        await llm.complete(ASKED)

    asyncio.run(asking())
    assert "temperature" in server.requests[-1]


# ---------------------------------------------------------------- what comes back


def test_tokens_are_counted_as_the_endpoint_says(server: Server) -> None:
    usage = ask(client(server))[0].usage
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens) == (1, 11, 7, 3)


@pytest.mark.parametrize("usage", [None, {}, [], {"prompt_tokens": None, "completion_tokens": "7"}], ids=str)
def test_an_endpoint_that_counts_no_tokens_is_still_read(server: Server, usage: object) -> None:
    server.script = [Answer(200, {**completion(TEXT), "usage": usage})]
    reply = ask(client(server))[0]
    assert read(reply, Word).word == "tea"
    assert (reply.usage.calls, reply.usage.prompt_tokens) == (1, 0)


def call(arguments: object) -> list[object]:
    return [{"id": "x1", "type": "function", "function": {"name": "emit", "arguments": arguments}}]


ODD_BUT_USABLE = {
    "the answer in the reasoning (O02 a)": completion(None, reasoning_content=f"hm {TEXT}"),
    "the answer in a reasoning of another name": completion("", reasoning=TEXT),
    "the answer in a tool call (O02 c)": completion(None, finish="tool_calls", tool_calls=call(TEXT)),
    "a tool call with an object": completion(None, tool_calls=call({"word": "tea"})),
    "blank content beside a tool call": completion(" ", tool_calls=call(TEXT)),
    "content in parts": completion([{"type": "text", "text": TEXT[:5]}, {"type": "text", "text": TEXT[5:]}]),
    "no finish reason": completion(TEXT, finish=None),
    "a finish reason that is no text": completion(TEXT, finish=7),
    "a fence": completion(f"```json\n{TEXT}\n```"),
    "thinking before it": completion(f"<think>{{}}</think>{TEXT}"),
}


@pytest.mark.parametrize("body", ODD_BUT_USABLE.values(), ids=ODD_BUT_USABLE.keys())
def test_an_odd_body_with_an_answer_in_it_is_read(server: Server, body: object) -> None:
    server.script = [Answer(200, body)]
    assert read(ask(client(server))[0], Word).word == "tea"


STREAM = b'data: {"choices":[{"delta":{"content":"hi"}}]}\n\ndata: [DONE]\n\n'
WITHOUT_ANSWER = {
    "no choices (O02 b)": (Answer(200, {"id": "b", "choices": []}), "no choices"),
    "choices is null": (Answer(200, {"id": "b", "choices": None}), "no choices"),
    "choices is an object": (Answer(200, {"choices": {"a": 1}}), "no choices"),
    "a choice that is null": (Answer(200, {"choices": [None]}), "no choices"),
    "a choice without a message": (Answer(200, {"choices": [{"finish_reason": "stop"}]}), "no message"),
    "a message that is null": (Answer(200, {"choices": [{"index": 0, "message": None}]}), "no message"),
    "an error with status 200": (Answer(200, {"error": {"message": "overloaded"}}), "error: overloaded"),
    "an error that is a word": (Answer(200, {"error": "busy"}), "error: busy"),
    "an error with a key in it": (Answer(200, {"error": {"message": f"bad {KEY}"}}), "error: bad [key]"),
    "an error in a choice": (
        Answer(200, {"choices": [{"error": {"message": "gone"}, "finish_reason": "error", "message": {}}]}),
        "error: gone",
    ),
    "empty content (O02 d)": (good(""), "stop"),
    "blank content": (good(" \n"), "stop"),
    "null content": (good(None), "stop"),
    "null content, null finish": (Answer(200, completion(None, finish=None)), "no content"),
    "content that is a number": (good(7), "stop"),
    "filtered": (Answer(200, completion("", finish="content_filter")), "content_filter"),
    "refused": (Answer(200, completion(None, refusal="I cannot")), "refusal"),
    "a tool call without a function": (
        Answer(200, completion(None, finish="tool_calls", tool_calls=[{"id": "x", "type": "custom"}])),
        "tool_calls",
    ),
    "tool calls that are none": (Answer(200, completion(None, tool_calls="x")), "stop"),
    "reasoning without an answer": (Answer(200, completion(None, reasoning_content="hm {} hm")), "stop"),
    "reasoning with two drafts": (
        Answer(200, completion(None, reasoning_content=f'{TEXT} or {{"word":"milk"}}')),
        "stop",
    ),
    "a list": (Answer(200, []), "no completion"),
    "null": (Answer(200, None), "no completion"),
    "a string": (Answer(200, "busy"), "not JSON"),
    "no JSON at all": (Answer(200, b"<html>busy</html>"), "not JSON"),
    "nothing": (Answer(200, b""), "not JSON"),
    "a page": (Answer(200, b"<html>log in</html>", content_type="text/html"), "not JSON"),
    "a stream nobody asked for": (Answer(200, STREAM, content_type="text/event-stream"), "not JSON"),
}


@pytest.mark.parametrize(("answer", "there"), WITHOUT_ANSWER.values(), ids=WITHOUT_ANSWER.keys())
def test_a_body_without_an_answer_is_an_empty_reply_that_says_what_was_there(
    server: Server, answer: Answer, there: str
) -> None:
    server.script = [answer]
    reply = ask(client(server))[0]
    assert (reply.text.strip(), reply.finish, reply.usage.calls) == ("", there, 1)
    with pytest.raises(ReplyError, match="served"):
        read(reply, Word)


def test_an_empty_reply_has_cost_its_tokens(server: Server) -> None:
    server.script = [good("")]
    assert ask(client(server))[0].usage.prompt_tokens == 11


@pytest.mark.parametrize(
    "message", [None, {}, {"content": ""}, {"content": '{"word":"te'}, {"reasoning_content": TEXT}], ids=str
)
def test_a_reply_cut_at_the_output_limit_says_so_whatever_is_in_it(server: Server, message: object) -> None:
    server.script = [Answer(200, {"choices": [{"finish_reason": "length", "message": message}]})]
    with pytest.raises(TruncatedError, match="served"):
        read(ask(client(server))[0], Word)


# ---------------------------------------------------------------- with patience: the cases


class Entry(BaseModel):
    text: str


class Entries(BaseModel):
    entries: list[Entry]


EXTRACT = Request("extract", None, Entries, prompt="...")
MINA = '{"entries":[{"text":"Mina owns a tandem bicycle."}]}'
O02 = [
    '{"id":"a","object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":null,"reasoning_content":"{\\"entries\\":[{\\"text\\":\\"Mina owns a tandem bicycle.\\"}]}"}}]}',
    '{"id":"b","object":"chat.completion","choices":[],"prompt_filter_results":[{"prompt_index":0}]}',
    '{"id":"c","object":"chat.completion","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[{"id":"x1","type":"function","function":{"name":"emit","arguments":"{\\"entries\\":[{\\"text\\":\\"Mina owns a tandem bicycle.\\"}]}"}}]}}]}',
    '{"id":"d","object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":""}}]}',
]


@pytest.mark.parametrize("body", [O02[0], O02[2]], ids=["a", "c"])
def test_o02_an_answer_in_an_odd_place_is_used(server: Server, body: str) -> None:
    server.script = [Answer(200, json.loads(body))]
    (reply,) = ask(Retried(client(server), Waits().patience()), EXTRACT)
    assert read(reply, Entries).entries == [Entry(text="Mina owns a tandem bicycle.")]
    assert len(server.requests) == 1


@pytest.mark.parametrize(("body", "finish"), [(O02[1], "no choices"), (O02[3], "stop")], ids=["b", "d"])
def test_o02_no_usable_text_is_tried_again_within_the_budget_and_then_named(
    server: Server, body: str, finish: str
) -> None:
    empty, waits = Answer(200, json.loads(body)), Waits()
    server.script = [empty, empty, good(MINA)]
    llm = Retried(client(server), waits.patience())
    (reply,) = ask(llm, EXTRACT)
    assert len(read(reply, Entries).entries) == 1
    assert reply.usage.calls == 3
    assert len(waits.told) == 2
    server.script = [empty]
    (reply,) = ask(llm, EXTRACT)
    assert len(server.requests) == 3 + 4
    with pytest.raises(ReplyError, match=f"served.*{finish}"):
        read(reply, Entries)


def test_o03_a_cut_reply_is_never_sent_again_unchanged(server: Server) -> None:
    cut = '{"entries":[{"text":"Omar started pottery in April 2024."},{"text":"Omar\'s studio is on Quay St'
    server.script = [Answer(200, completion(cut, finish="length"))]
    (reply,) = ask(Retried(client(server), Waits().patience()), EXTRACT)
    assert len(server.requests) == 1
    with pytest.raises(TruncatedError):
        read(reply, Entries)


def test_o34_a_stated_wait_is_kept_to_then_a_date_up_to_the_most_then_backoff(server: Server) -> None:
    waits = Waits()
    limit = {"error": {"type": "rate_limit_exceeded", "message": "slow down"}}
    date = {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT", "Date": "Wed, 21 Oct 2026 07:00:00 GMT"}
    server.script = [
        Answer(429, limit, {"Retry-After": "2"}),
        Answer(429, limit, date),
        Answer(503, b""),
        good(MINA),
    ]
    (reply,) = ask(Retried(client(server), waits.patience()), EXTRACT)
    assert len(read(reply, Entries).entries) == 1
    first, second, third = waits.told
    assert 2.0 <= first <= 2.5
    assert 60.0 <= second <= 60.5, "28 minutes were asked for: no wait is longer than a minute"
    assert third == 2.0 * 0.75, "the third backoff, with half of its jitter"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (failure(429, "insufficient_quota", "You exceeded your quota"), "You exceeded your quota"),
        (Answer(401, {"error": {"message": "bad key sk-abc123"}}), "check api_key"),
    ],
    ids=["quota", "key"],
)
def test_o34_what_will_never_work_fails_at_once_with_the_reason_and_without_the_key(
    server: Server, answer: Answer, says: str
) -> None:
    waits = Waits()
    server.script = [answer]
    with pytest.raises(AccountError, match=says) as caught:
        ask(Retried(client(server), waits.patience()))
    assert "sk-" not in str(caught.value)
    assert waits.told == []
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (failure(429, "rate_limit_exceeded"), RateLimitError),
        (failure(500), UnavailableError),
        (Answer(200, {}, how="reset"), UnavailableError),
        (Answer(200, {}, how="cut"), UnavailableError),
    ],
    ids=["429", "500", "reset", "cut"],
)
def test_an_outage_is_waited_out_or_else_named(
    server: Server, answer: Answer, kind: type[ProviderError]
) -> None:
    server.script = [answer, answer, good(TEXT)]
    waits = Waits()
    llm = Retried(client(server), waits.patience(retries=2))
    assert read(ask(llm)[0], Word).word == "tea"
    assert len(waits.told) == 2
    server.script = [answer]
    with pytest.raises(kind, match="served"):
        ask(llm)
    assert len(server.requests) == 6


def test_parallel_workers_share_one_limit(server: Server) -> None:
    """Workers that never saw the 429 wait as long as the one that did."""
    waits = Waits()
    script: Callable[[Mapping[str, Any]], Answer] = lambda _: (  # noqa: E731
        failure(429, "rate_limit_exceeded", retry_after="30") if len(server.requests) == 1 else good(TEXT)
    )
    server.script = script
    llm = Retried(client(server), waits.patience())

    async def asking() -> None:
        first = asyncio.create_task(llm.complete(ASKED))
        while not waits.told:
            await asyncio.sleep(0.001)
        await asyncio.gather(first, *(llm.complete(ASKED) for _ in range(3)))

    asyncio.run(asking())
    assert len(server.requests) == 5
    assert waits.told[0] >= 30.0


def test_a_local_server_without_a_key_is_served(server: Server) -> None:
    endpoint = Endpoint(base_url=server.url, api_key=None, timeout=5.0)
    assert read(ask(OpenAIChat(endpoint, model="local", temperature=0.0))[0], Word).word == "tea"

"""One door to every endpoint: what it sends, what it gives back, and what each failure is called."""

import asyncio
import traceback
from collections.abc import Iterator
from typing import Any

import pytest

from meme.endpoint import Endpoint, retry_after
from meme.errors import (
    AccountError,
    ConfigError,
    ProviderError,
    RateLimitError,
    RefusedError,
    UnavailableError,
)
from tests.llm.chat_server import Answer, Server, failure, serving

KEY = "sk-secret-0123456789"
ASKED = {"model": "served", "text": "hello"}


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Server([Answer(200, {"fine": True})])) as running:
        yield running


def door(url: str, *, key: str | None = KEY, timeout: float = 10.0) -> Endpoint:
    return Endpoint(base_url=url, api_key=key, timeout=timeout)


def post(endpoint: Endpoint, body: dict[str, Any] = ASKED) -> Any:
    async def posting() -> Any:
        try:
            return await endpoint.post("/chat/completions", body, model="served")
        finally:
            await endpoint.close()

    return asyncio.run(posting())


def failed(endpoint: Endpoint) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        post(endpoint)
    shown = "".join(traceback.format_exception(caught.value))
    assert "secret" not in shown, "a traceback must not quote the key"
    return caught.value


def test_a_json_body_goes_in_and_the_json_value_comes_out(server: Server) -> None:
    assert post(door(server.url)) == {"fine": True}
    assert server.requests == [ASKED]
    assert server.keys == [f"Bearer {KEY}"]


@pytest.mark.parametrize(
    ("key", "sent"), [(None, "none"), ("", "none"), ("  ", "none"), (f" {KEY}\n", KEY), ("abc", "abc")]
)
def test_a_key_is_sent_without_the_blanks_around_it_and_a_missing_one_is_no_obstacle(
    server: Server, key: str | None, sent: str
) -> None:
    post(door(server.url, key=key))
    assert server.keys == [f"Bearer {sent}"]


@pytest.mark.parametrize("key", ["schlüssel", "sk-\nsecret", "sk-\x00"], ids=ascii)
def test_a_key_that_cannot_be_sent_is_refused_before_anything_is(server: Server, key: str) -> None:
    with pytest.raises(AccountError, match="check api_key"):
        post(door(server.url, key=key))
    assert server.requests == []


def test_half_an_emoji_does_not_cost_the_request(server: Server) -> None:
    post(door(server.url), {"text": "a \ud83d b é 東"})
    assert server.requests == [{"text": "a ? b é 東"}]


@pytest.mark.parametrize(
    "url",
    ["", "localhost:11434/v1", "ftp://host/v1", "http://", "http://[::1", "http://a b/v1", "http://h:x/"],
)
def test_an_address_that_is_none_is_a_setting_to_correct(url: str) -> None:
    with pytest.raises(ConfigError, match="base_url"):
        post(door(url))


def test_what_the_environment_says_wrong_about_proxies_is_a_setting_to_correct(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", "carrier-pigeon://loft")
    with pytest.raises(ConfigError, match="proxies"):
        post(door(server.url))


@pytest.mark.parametrize(
    ("answer", "kind", "says"),
    [
        (failure(401, "invalid_api_key"), AccountError, "check api_key"),
        (failure(403, "forbidden"), AccountError, "check api_key"),
        (failure(402, "payment_required", "Insufficient Balance"), AccountError, "Insufficient Balance"),
        (failure(429, "insufficient_quota", "You exceeded"), AccountError, "You exceeded"),
        (failure(429, "billing_hard_limit_reached"), AccountError, "billing"),
        (failure(400, "billing_hard_limit_reached"), AccountError, "billing"),
        (Answer(429, {"error": {"type": "insufficient_quota"}}), AccountError, "quota"),
        (failure(429, "rate_limit_exceeded"), RateLimitError, "max_build_workers"),
        (Answer(429, b"slow down"), RateLimitError, "slow down"),
        (failure(408), UnavailableError, "HTTP 408"),
        (failure(409), UnavailableError, "HTTP 409"),
        (failure(500, "server_error", "out of memory"), UnavailableError, "out of memory"),
        (failure(500, "insufficient_quota"), UnavailableError, "HTTP 500"),
        (Answer(503, b"<html>unavailable</html>", content_type="text/html"), UnavailableError, "later"),
        (Answer(529, None), UnavailableError, "HTTP 529"),
        (failure(404, "model_not_found", "no such model"), RefusedError, "check model and base_url"),
        (Answer(404, b"<html>nginx</html>"), RefusedError, "check model and base_url"),
        (failure(400, "x", "maximum context length is 8192"), RefusedError, "maximum context length is 8192"),
        (
            Answer(422, {"detail": [{"loc": ["body"], "msg": "field required"}]}),
            RefusedError,
            "field required",
        ),
        (Answer(400, {"object": "error", "message": "too long", "code": 400}), RefusedError, "too long"),
        (Answer(400, {"error": "model is required"}), RefusedError, "model is required"),
        (Answer(400, [{"error": {"message": "in a list", "status": "X"}}]), RefusedError, "in a list"),
        (Answer(413, b"", content_type="text/plain"), RefusedError, "HTTP 413"),
        (Answer(400, 7), RefusedError, "HTTP 400"),
        (Answer(400, {"error": {"message": {"odd": 1}, "type": ["x"], "code": {}}}), RefusedError, "odd"),
    ],
    ids=lambda value: f"{value.status}" if isinstance(value, Answer) else None,
)
def test_every_status_is_one_of_our_errors_names_the_model_and_says_what_to_do(
    server: Server, answer: Answer, kind: type[ProviderError], says: str
) -> None:
    server.script = [answer]
    error = failed(door(server.url))
    assert type(error) is kind
    assert says in str(error)
    assert str(error).startswith("served at 127.0.0.1:")
    assert len(server.requests) == 1, "nothing is tried again here"


def test_a_refusal_says_which_field_and_why(server: Server) -> None:
    server.script = [failure(400, "unsupported_value", "only the default (1)", param="temperature")]
    error = failed(door(server.url))
    assert isinstance(error, RefusedError)
    assert (error.status, error.code, error.param) == (400, "unsupported_value", "temperature")
    assert error.reason == "only the default (1)"


@pytest.mark.parametrize("status", [400, 401, 402, 404, 429, 500])
@pytest.mark.parametrize(
    "leak",
    [
        f"Incorrect API key provided: {KEY}. You can find it at ...",
        f"x{KEY}x",
        "bad key sk-secret",
        "Authorization: Bearer c2VjcmV0 was refused",
        "key sk-proj-secr****************cret",
        "secr********cret",
        "AIzaSecretsecretsecret",
        "token secret0secret0secret0secret0",
        f"{'é' * 190} {KEY}",
    ],
)
def test_no_message_and_no_traceback_quotes_a_key(server: Server, status: int, leak: str) -> None:
    server.script = [failure(status, "x", leak)]
    assert "secr" not in str(failed(door(server.url))).lower()


def test_foreign_words_are_one_line_and_not_long(server: Server) -> None:
    server.script = [failure(400, "x", "first\n\tsecond\x1b[31m " + "and so on " * 100)]
    error = failed(door(server.url))
    assert isinstance(error, RefusedError)
    assert error.reason.startswith("first second [31m and so on")
    assert len(error.reason) == 200
    assert str(error).isprintable()


def test_ordinary_words_are_not_taken_for_keys() -> None:
    told = (
        "The model `claude-3-5-sonnet-20241022` of user-4711 takes 8192 tokens: see https://x.org/docs/errors"
    )
    assert door("http://localhost/v1").redacted(told) == told


STREAM = b'data: {"choices":[{"delta":{"content":"hi"}}]}\n\ndata: [DONE]\n\n'


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        (Answer(200, {"a": 1}, content_type="text/plain"), {"a": 1}),
        (Answer(200, [], content_type="text/html; charset=utf-8"), []),
        (Answer(200, None), None),
        (Answer(200, b"<html>log in</html>", content_type="text/html"), "<html>log in</html>"),
        (Answer(200, STREAM, content_type="text/event-stream"), STREAM.decode()),
        (Answer(200, STREAM), ""),
        (Answer(200, b"<html>"), ""),
        (Answer(200, b""), ""),
        (Answer(200, b'{"cut": '), ""),
        (Answer(200, b"[" * 200_000), ""),
        (Answer(200, b"[" * 200_000, content_type="text/plain"), "[" * 200_000),
        (Answer(200, b'"\xff\xfe"'), ""),
    ],
    ids=lambda value: None if isinstance(value, Answer) else repr(value)[:20],
)
def test_a_body_of_any_kind_comes_back_as_a_value_or_as_text(
    server: Server, answer: Answer, value: object
) -> None:
    server.script = [answer]
    assert post(door(server.url)) == value


@pytest.mark.parametrize("how", ["silent", "dripping"])
def test_a_server_that_never_comes_to_an_end_is_left_after_the_timeout(server: Server, how: Any) -> None:
    server.script = [Answer(200, {"slow": True}, how=how), Answer(200, {"fine": True})]
    endpoint = door(server.url, timeout=0.3)

    async def posting() -> Any:
        with pytest.raises(UnavailableError, match=r"did not answer within 0\.3 s: raise llm\.timeout"):
            await endpoint.post("/x", ASKED, model="served")
        return await door(server.url).post("/x", ASKED, model="served")

    assert asyncio.run(posting()) == {"fine": True}


@pytest.mark.parametrize("how", ["cut", "reset"])
def test_a_connection_that_breaks_is_an_outage_and_the_next_call_works(server: Server, how: Any) -> None:
    server.script = [Answer(200, {"half": True}, how=how), Answer(200, {"fine": True})]
    endpoint = door(server.url)

    async def posting() -> Any:
        with pytest.raises(UnavailableError, match="broke off the connection"):
            await endpoint.post("/x", ASKED, model="served")
        return await endpoint.post("/x", ASKED, model="served")

    assert asyncio.run(posting()) == {"fine": True}


def test_an_endpoint_that_is_not_there_is_named_as_such() -> None:
    with serving(Server([Answer(200)])) as gone:
        pass
    assert "cannot be reached" in str(failed(door(gone.url)))


def test_a_server_that_speaks_no_tls_is_named_as_such(server: Server) -> None:
    error = failed(door(server.url.replace("http:", "https:")))
    assert isinstance(error, UnavailableError)
    assert "SSL" in str(error)


SENT = "Wed, 21 Oct 2026 07:27:30 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "20", "retry-after": "1"}, 0.02),
        ({"retry-after-ms": "soon", "retry-after": "1"}, 1.0),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT", "date": SENT}, 30.0),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, None),
        ({"retry-after": "Wed, 21 Oct 2026 07:27:00 GMT", "date": SENT}, None),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00", "date": SENT}, None),
        ({"retry-after": "Wed, 99 Oct 2026 07:28:00 GMT", "date": SENT}, None),
        ({"retry-after": "tomorrow", "date": SENT}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "1e999"}, None),
        ({"retry-after": ""}, None),
    ],
    ids=str,
)
def test_a_wait_is_read_in_every_form_and_a_date_against_the_servers_own(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after(headers) == seconds


@pytest.mark.parametrize("status", [429, 503])
def test_the_wait_a_server_asks_for_travels_with_the_error(server: Server, status: int) -> None:
    server.script = [failure(status, retry_after="Wed, 21 Oct 2026 07:28:00 GMT", date=SENT)]
    assert failed(door(server.url)).retry_after == 30.0


def test_one_endpoint_serves_one_event_loop_after_another(server: Server) -> None:
    endpoint = door(server.url)

    async def posting() -> Any:
        return [await endpoint.post("/x", ASKED, model="served") for _ in range(2)]

    for _ in range(3):
        assert asyncio.run(posting()) == [{"fine": True}] * 2
    asyncio.run(endpoint.close())


def test_closing_needs_no_connection_and_may_be_done_twice(server: Server) -> None:
    endpoint = door(server.url)

    async def closing() -> None:
        await endpoint.close()
        await endpoint.post("/x", ASKED, model="served")
        await endpoint.close()
        await endpoint.close()

    asyncio.run(closing())

"""Every way to a model keeps one promise: a Request goes in, a readable Reply or a ProviderError out."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from chat_server import Endpoint, completion, failure, serving
from pydantic import BaseModel, Field

from meme.errors import ProviderError
from meme.llm import LLM, Reply, Request
from meme.llm.openai import OpenAIChat
from meme.llm.reader import read
from meme.llm.rules import Rules
from meme.testing import ScriptedLLM


class Verdict(BaseModel):
    word: str = Field(min_length=1)


TEXT = '{"word":"yes, naïve 東京"}'
ASKED = Request("judge", {"about": "tea"}, Verdict, system="Judge.", prompt="Is it so?")


@dataclass(frozen=True)
class Side:
    """One implementation: working, and failing (None where it cannot fail)."""

    working: LLM
    failing: Callable[[], LLM] | None
    calls: int  # model calls that one request costs


def chat(url: str, **options: object) -> OpenAIChat:
    settings: dict[str, object] = {
        "model": "served",
        "base_url": url,
        "api_key": "sk-secret-123",
        "temperature": 0.1,
        "max_retries": 0,
        "timeout": 10.0,
    }
    return OpenAIChat(**{**settings, **options})  # type: ignore[arg-type]


@pytest.fixture(params=["rules", "scripted", "openai"])
def side(request: pytest.FixtureRequest) -> Iterator[Side]:
    if request.param == "rules":
        yield Side(Rules({"judge": lambda _: Verdict(word="yes, naïve 東京")}), None, calls=0)
    elif request.param == "scripted":
        yield Side(
            ScriptedLLM([TEXT, TEXT]), lambda: ScriptedLLM([ProviderError("the line is dead")]), calls=1
        )
    else:
        with (
            serving(Endpoint([(200, completion(TEXT))])) as good,
            serving(Endpoint([failure(500)])) as bad,
        ):
            yield Side(chat(good.url), lambda: chat(bad.url), calls=1)


def complete(llm: LLM, request: Request = ASKED) -> Reply:
    return asyncio.run(llm.complete(request))


def test_a_request_gives_a_reply_that_the_reader_can_read(side: Side) -> None:
    reply = complete(side.working)
    assert isinstance(reply, Reply)
    assert reply.finish == "stop"
    assert read(reply, Verdict) == Verdict(word="yes, naïve 東京")


def test_the_same_request_twice_gives_the_same_verdict(side: Side) -> None:
    async def twice() -> tuple[Reply, Reply]:
        return await side.working.complete(ASKED), await side.working.complete(ASKED)

    first, second = asyncio.run(twice())
    assert read(first, Verdict) == read(second, Verdict)


def test_every_model_has_a_name_and_signs_its_replies_with_it(side: Side) -> None:
    assert side.working.model.strip()
    assert complete(side.working).model == side.working.model


def test_what_a_request_cost_is_counted(side: Side) -> None:
    usage = complete(side.working).usage
    assert usage.calls == side.calls
    assert usage.seconds >= 0
    assert (usage.prompt_tokens > 0) == (usage.completion_tokens > 0)


def test_a_failure_is_a_provider_error_with_a_sentence(side: Side) -> None:
    if side.failing is None:
        pytest.skip("rules call nobody, so nobody can fail them")
    with pytest.raises(ProviderError, match=r"\w+ \w+"):
        complete(side.failing())

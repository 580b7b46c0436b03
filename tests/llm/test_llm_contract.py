"""Every way to a model keeps one promise: a Request goes in, a readable Reply or a ProviderError out."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from chat_server import Server, failure, good, serving
from pydantic import BaseModel, Field

from meme.endpoint import Endpoint
from meme.errors import ProviderError
from meme.llm import LLM, Reply, Request
from meme.llm.kept import Cached, Recorder, Replayed
from meme.llm.meter import Metered
from meme.llm.openai import OpenAIChat
from meme.llm.reader import read
from meme.llm.rules import Rules
from meme.llm.wrap import Retried
from meme.parts import Closeable
from meme.patience import Patience
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
    calls: tuple[int, int]  # model calls that a request costs the first and the second time


class Closing(ScriptedLLM):
    """A scripted model that holds something."""

    closed = False

    async def close(self) -> None:
        self.closed = True


def scripted() -> ScriptedLLM:
    return ScriptedLLM([TEXT, TEXT, TEXT])


def dead() -> ScriptedLLM:
    return ScriptedLLM([ProviderError("the line is dead")])


def patient(llm: LLM) -> LLM:
    async def no_sleep(_: float) -> None:
        return

    return Retried(llm, Patience(0, 4, sleep=no_sleep, jitter=lambda: 0.0))


def replayed(folder: Path) -> LLM:
    asyncio.run(Recorder(scripted(), folder).complete(ASKED))
    return Replayed(folder, model="scripted")


def chat(stack: ExitStack, script: list[object]) -> OpenAIChat:
    server = stack.enter_context(serving(Server(script)))  # type: ignore[arg-type]
    endpoint = Endpoint(base_url=server.url, api_key="sk-secret-123", timeout=10.0)
    return OpenAIChat(endpoint, model="served", temperature=0.1)


WRAPPERS: dict[str, Callable[[LLM, Path], LLM]] = {
    "retried": lambda llm, _: patient(llm),
    "cached": lambda llm, folder: Cached(llm, folder / "cache"),
    "recorder": lambda llm, folder: Recorder(llm, folder / "record"),
    "metered": lambda llm, _: Metered(llm),
    "all of them": lambda llm, folder: Metered(Cached(Recorder(patient(llm), folder / "r"), folder / "c")),
}


@pytest.fixture(params=["rules", "scripted", "openai", "replayed", *WRAPPERS])
def side(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Side]:
    with ExitStack() as stack:
        if request.param == "rules":
            yield Side(Rules({"judge": lambda _: Verdict(word="yes, naïve 東京")}), None, calls=(0, 0))
        elif request.param == "scripted":
            yield Side(scripted(), dead, calls=(1, 1))
        elif request.param == "openai":
            working = chat(stack, [good(TEXT)])
            yield Side(working, lambda: chat(stack, [failure(500)]), calls=(1, 1))
        elif request.param == "replayed":
            elsewhere = tmp_path / "nothing here"
            yield Side(replayed(tmp_path), lambda: Replayed(elsewhere, model="scripted"), calls=(1, 1))
        else:
            wrapped = WRAPPERS[request.param]
            calls = (1, 0) if request.param in ("cached", "all of them") else (1, 1)
            yield Side(wrapped(scripted(), tmp_path), lambda: wrapped(dead(), tmp_path / "dead"), calls)


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
    assert (first.usage.calls, second.usage.calls) == side.calls


def test_requests_side_by_side_are_each_answered(side: Side) -> None:
    async def together() -> list[Reply]:
        return list(await asyncio.gather(*(side.working.complete(ASKED) for _ in range(3))))

    assert [read(reply, Verdict).word for reply in asyncio.run(together())] == ["yes, naïve 東京"] * 3


def test_every_model_has_a_name_and_signs_its_replies_with_it(side: Side) -> None:
    assert side.working.model.strip()
    assert complete(side.working).model == side.working.model


def test_what_a_request_cost_is_counted(side: Side) -> None:
    usage = complete(side.working).usage
    assert usage.calls == side.calls[0]
    assert usage.seconds >= 0
    assert (usage.prompt_tokens > 0) == (usage.completion_tokens > 0)


def test_a_failure_is_a_provider_error_with_a_sentence(side: Side) -> None:
    if side.failing is None:
        pytest.skip("rules call nobody, so nobody can fail them")
    with pytest.raises(ProviderError, match=r"\w+ \w+"):
        complete(side.failing())


@pytest.mark.parametrize("name", [name for name in WRAPPERS if name in ("retried", "cached", "recorder")])
def test_a_wrapper_closes_what_it_wraps_and_needs_nothing_to_close(name: str, tmp_path: Path) -> None:
    inner = Closing([TEXT])
    outer, around_nothing = WRAPPERS[name](inner, tmp_path), WRAPPERS[name](scripted(), tmp_path)
    assert isinstance(outer, Closeable)
    assert isinstance(around_nothing, Closeable)
    asyncio.run(outer.close())
    asyncio.run(around_nothing.close())
    assert inner.closed

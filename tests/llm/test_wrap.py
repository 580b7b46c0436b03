"""Patience around a model: what is tried again, what it costs, and what comes out in the end."""

import asyncio
from typing import Any

import pytest
from pydantic import BaseModel

from meme.errors import AccountError, MemeError, RateLimitError, ReplyError, UnavailableError
from meme.llm import Reply, Request
from meme.llm.wrap import Retried
from meme.patience import Patience
from meme.records import Usage
from meme.testing import ScriptedLLM


class Word(BaseModel):
    word: str


ASKED = Request("say", None, Word, prompt="Say a word.")
SPENT = Usage(calls=1, prompt_tokens=10, completion_tokens=2)
GOOD = Reply('{"word":"tea"}', model="scripted", usage=SPENT)
EMPTY = Reply(" ", finish="no choices", model="scripted", usage=SPENT)
CUT = Reply("", finish="length", model="scripted", usage=SPENT)
DOWN = UnavailableError("HTTP 503")


def ask(script: list[Any], retries: int = 2) -> tuple[Reply | MemeError, int]:
    """What came out, and how many times the model was asked."""
    llm = ScriptedLLM(script)

    async def no_sleep(_: float) -> None:
        await asyncio.sleep(0)

    async def asking() -> Reply | MemeError:
        patience = Patience(retries, 1, sleep=no_sleep, jitter=lambda: 0.0)
        try:
            return await Retried(llm, patience).complete(ASKED)
        except MemeError as error:
            return error

    return asyncio.run(asking()), len(llm.requests)


@pytest.mark.parametrize(
    ("script", "asked", "text", "calls"),
    [
        ([GOOD], 1, GOOD.text, 1),
        ([EMPTY, GOOD], 2, GOOD.text, 2),
        ([EMPTY, EMPTY, GOOD], 3, GOOD.text, 3),
        ([DOWN, GOOD], 2, GOOD.text, 1),
        ([DOWN, EMPTY, GOOD], 3, GOOD.text, 2),
        ([EMPTY, DOWN, GOOD], 3, GOOD.text, 2),
        ([EMPTY, EMPTY, EMPTY, GOOD], 3, EMPTY.text, 3),
        ([DOWN, DOWN, EMPTY, GOOD], 3, EMPTY.text, 1),
        ([CUT, GOOD], 1, CUT.text, 1),
        ([EMPTY, CUT, GOOD], 2, CUT.text, 2),
    ],
)
def test_an_empty_reply_is_tried_again_like_an_outage_and_every_answer_is_paid_for(
    script: list[Any], asked: int, text: str, calls: int
) -> None:
    reply, times = ask(script)
    assert isinstance(reply, Reply)
    assert (reply.text, times) == (text, asked)
    assert reply.usage == Usage(calls, 10 * calls, 2 * calls)


@pytest.mark.parametrize(
    ("script", "asked"),
    [
        ([DOWN, DOWN, DOWN, GOOD], 3),
        ([EMPTY, EMPTY, DOWN, GOOD], 3),
        ([RateLimitError("slow down")] * 4, 3),
        ([AccountError("no quota"), GOOD], 1),
        ([ReplyError("odd"), GOOD], 1),
    ],
)
def test_the_error_of_the_last_try_is_raised(script: list[Any], asked: int) -> None:
    error, times = ask(script)
    assert error is script[times - 1]
    assert times == asked


def test_the_last_empty_reply_is_given_back_as_it_was() -> None:
    reply, _ = ask([EMPTY], retries=0)
    assert reply == EMPTY


def test_two_requests_do_not_pay_for_each_other() -> None:
    llm = ScriptedLLM([EMPTY, GOOD, GOOD])

    async def no_sleep(_: float) -> None:
        await asyncio.sleep(0)

    async def asking() -> list[Reply]:
        retried = Retried(llm, Patience(2, 4, sleep=no_sleep, jitter=lambda: 0.0))
        return list(await asyncio.gather(retried.complete(ASKED), retried.complete(ASKED)))

    assert sorted(reply.usage.calls for reply in asyncio.run(asking())) == [1, 2]

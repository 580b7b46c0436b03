"""One question and one usable answer: ask, read, and once more with the problem named.

Flows in: a model and a request. Flows out: a value of the request's shape. A cut reply is never asked
for again unchanged: TruncatedError goes to the caller, who knows how to ask for less.
"""

from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel

from meme.errors import BudgetError, ReplyError
from meme.llm import LLM, Request
from meme.llm.reader import read

T = TypeVar("T", bound=BaseModel)


async def exchange(llm: LLM, request: Request, shape: type[T], *, tries: int = 2) -> T:
    """The first of at most `tries` replies that validates against `shape`, which is the request's.

    Raises ReplyError when none does, TruncatedError for one that was cut, and what the model raises.
    """
    asked, last = request, None
    while True:
        tries -= 1
        try:
            reply = await llm.complete(asked)
        except BudgetError:
            if last is None:
                raise
            raise last from None  # the budget has no room for the repair
        try:
            return read(reply, shape)
        except ReplyError as problem:
            if tries < 1:
                raise
            last = problem
            told = f"Your last reply could not be used: {problem}\nAnswer with the JSON only."
            asked = replace(request, prompt=f"{request.prompt}\n\n{told}")

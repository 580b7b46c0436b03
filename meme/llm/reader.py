"""The one reader of model replies: raw text in, a validated value out, or a clear error.

Order matters. A reply cut at the output limit is refused before it is parsed (case O03);
then think tags go, then the text is scanned for JSON values anywhere in it, inside fences
or prose (case O01), and the first that validates wins. Nothing is ever repaired: a reply in
Python quotes or with missing brackets is refused, since guessing stores made-up facts.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from meme.errors import ReplyError, TruncatedError
from meme.llm import Reply

T = TypeVar("T", bound=BaseModel)

_THINK: Final = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_DECODER: Final = json.JSONDecoder()
_MAX_STARTS: Final = 200  # a reply with more opening brackets than this is not an answer


def json_values(text: str) -> Iterator[Any]:
    """Every JSON object or array that stands in `text`, outermost first, left to right."""
    at = 0
    for _ in range(_MAX_STARTS):
        opening = re.compile(r"[{\[]").search(text, at)
        if not opening:
            return
        try:
            value, at = _DECODER.raw_decode(text, opening.start())
        except (json.JSONDecodeError, RecursionError):
            at = opening.start() + 1
            continue
        yield value


def _candidates(value: Any, shape: type[BaseModel]) -> Iterator[Any]:
    """The value itself; a root array as the shape's first (list) field."""
    if isinstance(value, dict):
        yield value
    elif isinstance(value, list):
        yield {next(iter(shape.model_fields)): value}


def read(reply: Reply, shape: type[T]) -> T:
    """The first JSON value in `reply` that validates against `shape`.

    Raises TruncatedError when the provider cut the reply, ReplyError when nothing validates.
    """
    if reply.finish == "length":
        raise TruncatedError(f"{reply.model or 'The model'} cut its reply at the output limit.")
    text = _THINK.sub("", reply.text)
    problem = "there is no JSON value in it"
    for value in json_values(text):
        for candidate in _candidates(value, shape):
            try:
                return shape.model_validate(candidate)
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(str(step) for step in first["loc"])
                problem = f"{where or 'the value'}: {first['msg']}"
    shown = " ".join(text.split())[:80]
    raise ReplyError(
        f"The reply of {reply.model or 'the model'} (finish reason {reply.finish!r}) "
        f"cannot be used: {problem}. It begins: {shown!r}"
    )

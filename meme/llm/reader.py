"""The one reader of model replies: raw text in, a validated value out, or a clear error.

Order matters. A reply cut at the output limit is refused before it is parsed (case O03);
then the text is scanned for JSON values anywhere in it, inside fences or prose (case O01),
thinking passed over, and the first that validates wins. Nothing is ever repaired: a reply in
Python quotes or with missing brackets is refused, since guessing stores made-up facts.
"""

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from meme.errors import ReplyError, TruncatedError
from meme.llm import Reply

T = TypeVar("T", bound=BaseModel)

_MARK: Final = re.compile(r"[{\[]|<(/?)(think|thinking|reasoning)>", re.IGNORECASE)
_TAG: Final = re.compile(r"<(/?)(think|thinking|reasoning)>", re.IGNORECASE)
_CLOSING: Final = re.compile(r"</(think|thinking|reasoning)>", re.IGNORECASE)
_DECODER: Final = json.JSONDecoder()
_MAX_STARTS: Final = 200  # a reply with more opening brackets than this is not an answer


def json_values(text: str) -> Iterator[Any]:
    """Every JSON object or array that stands in `text` outside thinking, outermost first, left to right."""
    at = 0
    for _ in range(_MAX_STARTS):
        mark = _MARK.search(text, at)
        if not mark:
            return
        if mark.group(2):  # tags inside a JSON string are passed with it: they are what somebody said
            closing = None if mark.group(1) else _CLOSING.search(text, mark.end())
            if not (closing or mark.group(1)):  # never ended: what is in it are drafts, but for a last word
                yield from _last_word(text[mark.end() :])
                return
            at = (closing or mark).end()
            continue
        try:
            value, at = _DECODER.raw_decode(text, mark.start())
            yield _without_surrogates(value) if "\\u" in text else value
        except (ValueError, RecursionError):  # ValueError: also a number of more than 4,300 digits
            at = mark.start() + 1


def _last_word(thinking: str) -> Iterator[Any]:
    """The one JSON value in `thinking` that nothing follows but the end of a fence."""
    starts = [match.start() for match in re.finditer(r"[{\[]", thinking)][:_MAX_STARTS]
    for start in starts:
        try:
            value, end = _DECODER.raw_decode(thinking, start)
        except (ValueError, RecursionError):
            continue
        if not thinking[end:].strip("` \n"):
            yield value
            return


def _without_surrogates(value: Any) -> Any:
    """Half an emoji (a lone surrogate escape) becomes "?": it must not cost the whole reply."""
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


def _parts(text: str) -> Iterator[str]:
    """The text to look at: first what follows thinking whose opening tag was in the prompt."""
    final = text.rpartition("<|channel|>final")
    if final[1]:  # "harmony" replies name their channels; the others are thinking
        yield final[2]
        return
    tag = _TAG.search(text)
    if tag and tag.group(1):
        yield text[tag.end() :]
    yield text


def _candidates(text: str, shape: type[BaseModel]) -> Iterator[Any]:
    """What may be meant, likeliest first: objects that name a field of the shape, then root arrays.

    Brackets in prose are often valid JSON themselves (`[]`, `{}`), so these come last. A root
    array stands for the shape's first (list) field; an empty one only when it is the whole reply,
    since `{'entries': []}` in Python quotes is to be refused and not read as "nothing".
    """
    bare = text.strip().removeprefix("```json").strip("`").strip()
    values = [value for part in _parts(text) for value in json_values(part)]
    inside = [item for value in values for item in (value if isinstance(value, list) else [value])]
    objects = [one for one in inside if isinstance(one, dict)]
    first = next(iter(shape.model_fields))
    return chain(
        (one for one in objects if one.keys() & shape.model_fields.keys()),
        ({first: value} for value in values if isinstance(value, list) and (value or bare == "[]")),
        (one for one in objects if not one),
    )


def read(reply: Reply, shape: type[T]) -> T:
    """The first JSON value in `reply` that validates against `shape`.

    Raises TruncatedError when the provider cut the reply, ReplyError when nothing validates.
    """
    if reply.finish == "length":
        raise TruncatedError(f"{reply.model or 'The model'} cut its reply at the output limit.")
    problem = "there is no JSON value in it"
    for candidate in _candidates(reply.text, shape):
        try:
            return shape.model_validate(candidate)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(step) for step in first["loc"])
            problem = f"{where or 'the value'}: {first['msg']}"
    shown = " ".join(reply.text.split())[:80]
    raise ReplyError(
        f"The reply of {reply.model or 'the model'} (finish reason {reply.finish!r}) "
        f"cannot be used: {problem}. It begins: {shown!r}"
    )

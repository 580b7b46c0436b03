"""Chat models at any OpenAI-compatible endpoint: OpenAI, Ollama, vLLM, llama.cpp and others.

Asks for JSON in the strictest form the endpoint takes (json_schema, then json_object, then plain
text) and remembers which worked. A body without usable text is an empty Reply whose finish says what
was there instead. Never streams, never retries (see `wrap`), never reads a reply (see `reader`).
"""

import json
import re
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from meme.endpoint import Endpoint
from meme.errors import RefusedError, TruncatedError
from meme.llm import Reply, Request
from meme.llm.reader import json_values
from meme.llm.schema import small_schema
from meme.records import Usage

_FORMATS: Final = ("json_schema", "json_object", "text")
# Refusals that name these are about the request itself: another reply format cannot help.
_NOT_THE_FORMAT: Final = {"messages", "model", "input_tokens", "context_length_exceeded", "model_not_found"}
_TOO_LONG: Final = re.compile(r"context (?:length|size|window)", re.IGNORECASE)  # servers without codes
# What this one time was generated did not fit: no reason to ask for less the next time.
_THIS_TIME: Final = "json_validate_failed"


class OpenAIChat:
    """One model at one endpoint, with what was found out about it."""

    def __init__(
        self, endpoint: Endpoint, *, model: str, temperature: float, max_tokens: int | None = None
    ) -> None:
        self._endpoint, self._model = endpoint, model
        self._temperature: float | None = temperature
        self._max_tokens, self._limit = max_tokens, "max_tokens"
        # By task, since a server that takes json_schema may still refuse the schema of one.
        self._formats: dict[str, int] = {}

    @property
    def model(self) -> str:
        """See LLM."""
        return self._model

    @property
    def _taken(self) -> int:
        """Where to begin with a new task: at the strictest format that the endpoint took for two others.

        One may have a schema that is refused for itself, which says nothing of the endpoint.
        """
        return min(self._formats.values()) if len(self._formats) > 1 else 0

    async def complete(self, request: Request) -> Reply:
        """See LLM. What the endpoint refuses is left out: first the temperature, then the reply format.

        Raises TruncatedError for a request that is longer than the model's context.
        """
        at, temperature, limit = self._formats.get(request.task, self._taken), self._temperature, self._limit
        remembered = True
        while True:
            try:
                asked = self._body(request, _FORMATS[at], temperature, limit)
                body = await self._endpoint.post("/chat/completions", asked, model=self._model)
            except RefusedError as error:
                if temperature is not None and _is_about_temperature(error):
                    temperature = None
                elif limit == "max_tokens" == error.param:  # what OpenAI's reasoning models call it
                    limit = "max_completion_tokens"
                elif at + 1 < len(_FORMATS) and _may_be_about_format(error):
                    at, remembered = at + 1, remembered and error.code != _THIS_TIME
                elif _is_too_long(error):
                    told = f"The request is longer than {self._model} takes ({error.reason})."
                    raise TruncatedError(told) from error
                else:
                    raise
            else:  # requests run side by side: only what worked is remembered
                if remembered:
                    self._formats[request.task] = at
                if temperature is None:
                    self._temperature = None
                self._limit = limit
                return self._reply(body, request.shape)

    async def close(self) -> None:
        """Close the connections, if any were opened."""
        await self._endpoint.close()

    def _body(self, request: Request, form: str, temperature: float | None, limit: str) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": "user", "content": request.prompt}],
        }
        if request.system:
            body["messages"].insert(0, {"role": "system", "content": request.system})
        if temperature is not None:
            body["temperature"] = temperature
        if self._max_tokens is not None:
            body[limit] = self._max_tokens
        if form == "json_schema":
            schema = {"name": request.task, "schema": small_schema(request.shape)}
            body["response_format"] = {"type": form, "json_schema": schema}
        elif form == "json_object":
            body["response_format"] = {"type": form}
        return body

    def _reply(self, body: Any, shape: type[BaseModel]) -> Reply:
        """The reply in a body of any compatible endpoint: nothing in it is taken for granted (case O02)."""
        if not isinstance(body, dict):
            there = "not JSON" if isinstance(body, str) else "no completion"
            return Reply("", there, self._model, Usage(calls=1))
        choice = _first(body.get("choices"))
        message = _dict(choice.get("message"))
        calls = message.get("tool_calls")
        called = [_dict(_dict(call).get("function")) for call in calls] if isinstance(calls, list) else []
        texts = (
            _text(message.get("content")),
            "\n".join(_arguments(function.get("arguments")) for function in called),
            _only_value(_text(message.get("reasoning_content") or message.get("reasoning")), shape),
        )
        text = next((text for text in texts if text.strip()), "")
        finish = choice.get("finish_reason") or ("stop" if text else "no content")
        if not text and finish != "length":
            finish = self._instead(body, choice) or finish
        return Reply(text, str(finish), self._model, _usage(_dict(body.get("usage"))))

    def _instead(self, body: dict[str, Any], choice: dict[str, Any]) -> str:
        """What a body without text has in its place; "" for a message that is just empty."""
        error = body.get("error") or choice.get("error")
        if error:  # some gateways report a failure with status 200
            return f"error: {self._endpoint.redacted(str(_dict(error).get('message') or error))}"
        if not choice:
            return "no choices"
        message = _dict(choice.get("message"))
        return ("refusal" if message.get("refusal") else "") if message else "no message"


def _is_about_temperature(error: RefusedError) -> bool:
    return error.param == "temperature" or (not error.param and "temperature" in error.reason.lower())


def _may_be_about_format(error: RefusedError) -> bool:
    if {error.param, error.code} & _NOT_THE_FORMAT or _is_too_long(error):
        return False
    return error.status in (400, 422)


def _is_too_long(error: RefusedError) -> bool:
    """Whether less text would have been taken: the caller knows how to ask for less."""
    return error.code == "context_length_exceeded" or bool(_TOO_LONG.search(error.reason))


def _first(value: Any) -> dict[str, Any]:
    return _dict(value[0]) if isinstance(value, list) and value else {}


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    """Text as it is, or as a list of parts; anything else is none."""
    if isinstance(value, list):
        return "".join(_text(part.get("text") if isinstance(part, dict) else part) for part in value)
    return value if isinstance(value, str) else ""


def _arguments(value: Any) -> str:
    """A tool call's arguments: JSON text by the book, an object from some servers."""
    return json.dumps(value) if isinstance(value, dict) else _text(value)


def _only_value(thinking: str, shape: type[BaseModel]) -> str:
    """The one object in `thinking` that validates; several are drafts, and none of them is the answer."""
    found = []
    for value in json_values(thinking):
        if isinstance(value, dict) and value.keys() & shape.model_fields.keys():
            try:
                shape.model_validate(value)
            except ValidationError:
                continue
            found.append(value)
    return json.dumps(found[0]) if len(found) == 1 else ""


def _usage(spent: dict[str, Any]) -> Usage:
    return Usage(
        calls=1,
        prompt_tokens=_count(spent.get("prompt_tokens")),
        completion_tokens=_count(spent.get("completion_tokens")),
        cached_tokens=_count(_dict(spent.get("prompt_tokens_details")).get("cached_tokens")),
    )


def _count(value: Any) -> int:
    return value if isinstance(value, int) else 0

"""Chat models through any OpenAI-compatible endpoint: OpenAI, Ollama, vLLM, llama.cpp and others.

Asks for JSON in the strictest form the endpoint takes (json_schema, then json_object, then
plain text) and remembers which worked. Reading the reply is `reader`'s work.
"""

from typing import Any, Final

from meme.errors import AccountError, MemeError, ProviderError, RateLimitError, ReplyError
from meme.llm import Reply, Request
from meme.records import Usage

_FORMATS: Final = ("json_schema", "json_object", "text")


class OpenAIChat:
    """One model at one endpoint. The client is made, and the SDK imported, by the first call."""

    def __init__(
        self,
        *,
        model: str,
        base_url: str,
        api_key: str | None,
        temperature: float,
        max_retries: int,
        timeout: float,
    ) -> None:
        self._model, self._temperature = model, temperature
        # Local servers take any key, but the SDK insists on one.
        self._options: dict[str, Any] = {
            "base_url": base_url,
            "api_key": api_key or "none",
            "max_retries": max_retries,
            "timeout": timeout,
        }
        self._client: Any = None
        self._format = 0

    @property
    def model(self) -> str:
        """See LLM."""
        return self._model

    async def complete(self, request: Request) -> Reply:
        """See LLM. Retries with backoff are the SDK's; a refused reply format is stepped down here."""
        import openai  # noqa: PLC0415 -- 0.9 to 1.5 s that only calls to an endpoint should pay

        if self._client is None:
            self._client = openai.AsyncOpenAI(**self._options)
        # Requests run side by side, so each steps down by itself; only what worked is remembered.
        for at in range(self._format, len(_FORMATS)):
            try:
                body = await self._create(request, _FORMATS[at])
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if at + 1 == len(_FORMATS):
                    raise _mapped(error, self._model) from error
            except openai.OpenAIError as error:
                raise _mapped(error, self._model) from error
            except ValueError as error:  # the SDK lets a body that is not JSON through
                raise ReplyError(
                    f"The endpoint of {self._model} answered with something else than JSON."
                ) from error
            else:
                self._format = max(self._format, at)
                return self._reply(body)
        raise AssertionError("the last format either answers or raises")

    async def close(self) -> None:
        """Close the connections, if any were opened."""
        if self._client is not None:
            await self._client.close()

    async def _create(self, request: Request, kind: str) -> Any:
        form: dict[str, Any] = {}
        if kind == "json_schema":
            schema = {"name": request.task, "schema": request.shape.model_json_schema()}
            form = {"response_format": {"type": kind, "json_schema": schema}}
        elif kind == "json_object":
            form = {"response_format": {"type": kind}}
        return await self._client.chat.completions.create(
            model=self._model,
            temperature=self._temperature,
            messages=[
                {"role": "system", "content": request.system},
                {"role": "user", "content": request.prompt},
            ],
            **form,
        )

    def _reply(self, body: Any) -> Reply:
        """The reply in a body of any compatible endpoint: the SDK checks none of its fields (case O02)."""
        choices = getattr(body, "choices", None) or [None]
        message = getattr(choices[0], "message", None)
        if message is None:
            raise ReplyError(f"{self._model} returned no choices.")
        called = [getattr(call, "function", None) for call in getattr(message, "tool_calls", None) or []]
        texts = (
            _text(getattr(message, "content", None)),
            "\n".join(_text(getattr(function, "arguments", None)) for function in called),
            _text(getattr(message, "reasoning_content", None)),
        )
        spent = getattr(body, "usage", None)
        usage = Usage(
            calls=1,
            prompt_tokens=_count(spent, "prompt_tokens"),
            completion_tokens=_count(spent, "completion_tokens"),
            cached_tokens=_count(getattr(spent, "prompt_tokens_details", None), "cached_tokens"),
        )
        text = next((text for text in texts if text.strip()), "")
        return Reply(text, getattr(choices[0], "finish_reason", None) or "stop", self._model, usage)


def _text(value: Any) -> str:
    """Text as it is, or as a list of parts; anything else is none."""
    if isinstance(value, list):
        return "".join(_text(part.get("text") if isinstance(part, dict) else part) for part in value)
    return value if isinstance(value, str) else ""


def _count(holder: Any, name: str) -> int:
    value = getattr(holder, name, 0)
    return value if isinstance(value, int) else 0


def _mapped(error: Exception, model: str) -> MemeError:
    """An SDK error as ours. The provider's own text may quote the key, so it is not repeated."""
    import openai  # noqa: PLC0415 -- see above

    if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
        return AccountError(f"The endpoint of {model} refused the key: check api_key.")
    if isinstance(error, openai.RateLimitError):
        if error.code == "insufficient_quota":
            return AccountError(f"{model}: the quota is used up; check the account's billing.")
        return RateLimitError(f"{model} is rate limited and waiting did not help: try again later.")
    if isinstance(error, openai.APIConnectionError):
        return ProviderError(f"The endpoint of {model} cannot be reached: check base_url and the network.")
    if isinstance(error, openai.APIStatusError):
        return ProviderError(f"The endpoint of {model} answered HTTP {error.status_code}.")
    return ProviderError(f"{model} failed: {type(error).__name__}.")

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
        while True:
            try:
                return self._reply(await self._create(request))
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if self._format + 1 >= len(_FORMATS):
                    raise _mapped(error, self._model) from error
                self._format += 1
            except openai.OpenAIError as error:
                raise _mapped(error, self._model) from error

    async def _create(self, request: Request) -> Any:
        kind = _FORMATS[self._format]
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
        if not getattr(body, "choices", None):
            raise ReplyError(f"{self._model} returned no choices.")
        choice = body.choices[0]
        message = choice.message
        calls = [call.function.arguments for call in message.tool_calls or [] if hasattr(call, "function")]
        text = message.content or "\n".join(calls) or getattr(message, "reasoning_content", None) or ""
        spent = body.usage
        details = getattr(spent, "prompt_tokens_details", None)
        usage = Usage(
            calls=1,
            prompt_tokens=spent.prompt_tokens if spent else 0,
            completion_tokens=spent.completion_tokens if spent else 0,
            cached_tokens=(details.cached_tokens or 0) if details else 0,
        )
        return Reply(text, choice.finish_reason or "stop", self._model, usage)


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

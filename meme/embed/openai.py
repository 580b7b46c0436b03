"""Embedding through any OpenAI-compatible /embeddings endpoint."""

from collections.abc import Sequence
from typing import Any, Final

from meme.embed import pack
from meme.errors import AccountError, EmbeddingError, MemeError, ProviderError, RateLimitError

_BATCH: Final = 128  # texts per request: under every common endpoint's limit


class OpenAIEmbedder:
    """`dimension` is asked of the endpoint when given; otherwise the model's own is found by one call."""

    def __init__(
        self,
        *,
        model: str,
        dimension: int | None,
        base_url: str,
        api_key: str | None,
        max_retries: int,
        timeout: float,
    ) -> None:
        self._model, self._asked, self._dimension = model, dimension, dimension or 0
        self._options: dict[str, Any] = {
            "base_url": base_url,
            "api_key": api_key or "none",
            "max_retries": max_retries,
            "timeout": timeout,
        }
        self._client: Any = None

    @property
    def id(self) -> str:
        """See Embedder."""
        return self._model if not self._asked else f"{self._model}@{self._asked}"

    @property
    def dimension(self) -> int:
        """See Embedder; 0 until the first vector came, if none was configured."""
        return self._dimension

    async def embed(self, texts: Sequence[str]) -> list[bytes]:
        """See Embedder."""
        found: list[bytes] = []
        for start in range(0, len(texts), _BATCH):
            found += await self._request(list(texts[start : start + _BATCH]))
        return found

    async def close(self) -> None:
        """Close the connections, if any were opened."""
        if self._client is not None:
            await self._client.close()

    async def _request(self, texts: list[str]) -> list[bytes]:
        import openai  # noqa: PLC0415 -- 0.9 to 1.5 s that only calls to an endpoint should pay

        if self._client is None:
            self._client = openai.AsyncOpenAI(**self._options)
        extra: dict[str, Any] = {"dimensions": self._asked} if self._asked else {}
        try:
            reply = await self._client.embeddings.create(
                model=self._model, input=texts, encoding_format="float", **extra
            )
        except openai.OpenAIError as error:
            raise mapped(error, f"The embedding endpoint ({self._model})") from error
        except ValueError as error:  # the SDK lets a body that is not JSON, or has no data, through
            raise EmbeddingError(
                f"The embedding endpoint ({self._model}) answered without vectors."
            ) from error
        vectors = {item.index: _packed(item.embedding) for item in getattr(reply, "data", None) or []}
        if not self._dimension and any(vectors.values()):
            self._dimension = len(next(filter(None, vectors.values()))) // 4
        return [vectors.get(i, b"") for i in range(len(texts))]


def _packed(values: Any) -> bytes:
    """A vector as it is stored; b'' for what is none (the SDK checks no field)."""
    try:
        return pack(values)
    except (TypeError, ValueError, OverflowError):
        return b""


def mapped(error: Exception, who: str) -> MemeError:
    """An OpenAI SDK error as ours. The provider's own text may quote the key, so it is not repeated."""
    import openai  # noqa: PLC0415 -- see above

    if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
        return AccountError(f"{who} refused the key: check api_key.")
    if isinstance(error, openai.RateLimitError):
        if error.code == "insufficient_quota":
            return AccountError(f"{who} says the quota is used up: check the account's billing.")
        return RateLimitError(f"{who} is rate limited and waiting did not help: try again later.")
    if isinstance(error, openai.APIConnectionError):
        return EmbeddingError(f"{who} cannot be reached: check base_url and the network.")
    if isinstance(error, openai.APIStatusError):
        return EmbeddingError(f"{who} answered HTTP {error.status_code}.")
    return ProviderError(f"{who} failed: {type(error).__name__}.")

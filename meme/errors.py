"""Every error meme raises on purpose. Each message says what to do next.

MemeError
├── UsageError            the call cannot be carried out as given; nothing was changed
│   ├── ScopeError        a user, agent or session id is missing or blank
│   ├── ConfigError       a setting is unknown or has a wrong value (names file, key, allowed values)
│   └── EntryClosedError  update/delete on a superseded or retracted entry (names its successor)
├── NotFoundError         no such id in this scope, or an id prefix that fits several
├── ProviderError         a language model or embedder did not do its work
│   ├── EmbeddingError    the embedder failed or returned vectors that cannot be stored
│   ├── ReplyError        the model's reply has no usable value in it
│   ├── TruncatedError    request or reply do not fit the model: ask about less text
│   ├── RateLimitError    the provider asked us to wait, and waiting did not help
│   ├── UnavailableError  no answer, or a server error; waiting did not help
│   ├── RefusedError      the endpoint takes the key but not this request: it says what to change
│   ├── AccountError      bad key or no quota: retrying cannot help
│   └── BudgetError       the caller's budget of calls or tokens is used up
└── StoreError            the store on disk did not do its work
    ├── StoreBusyError    another process held the store longer than we wait
    ├── StoreFormatError  written by a newer meme, or not a meme store
    ├── EmbedderMismatchError  vectors in the store come from another model: `meme reembed`
    └── ProjectionError   a search index failed; the journal is intact: `meme rebuild`
"""


class MemeError(Exception):
    """Base of everything meme raises on purpose."""


class UsageError(MemeError):
    """The call cannot be carried out as given; nothing was changed."""


class ScopeError(UsageError):
    """A user, agent or session id is missing or blank."""


class ConfigError(UsageError):
    """A setting is unknown or has a wrong value."""


class EntryClosedError(UsageError):
    """The entry is superseded or retracted and cannot be changed any more."""


class NotFoundError(MemeError):
    """No entry or turn with this id in this scope."""


class ProviderError(MemeError):
    """A language model or an embedder did not do its work.

    `retry_after` is how long the provider asked to wait, in seconds, where it said so.
    """

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class EmbeddingError(ProviderError):
    """The embedder failed, or returned vectors that cannot be stored."""


class ReplyError(ProviderError):
    """The model's reply has no usable value in it."""


class TruncatedError(ProviderError):
    """The reply was cut at the output limit, or the request is longer than the model's context."""


class RateLimitError(ProviderError):
    """The provider asked us to wait, and waiting did not help."""


class UnavailableError(ProviderError):
    """The endpoint gave no answer, or that of a broken server, and waiting did not help."""


class RefusedError(ProviderError):
    """The endpoint takes the key but not this request; sending the same again cannot help.

    `param` is the field of the request that the endpoint names, `reason` its own words.
    """

    def __init__(
        self, message: str, *, status: int, code: str = "", param: str = "", reason: str = ""
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.param, self.reason = status, code, param, reason


class AccountError(ProviderError):
    """The key is wrong or the quota is used up: retrying cannot help."""


class BudgetError(ProviderError):
    """The caller's budget of calls or tokens is used up."""


class StoreError(MemeError):
    """The store on disk did not do its work."""


class StoreBusyError(StoreError):
    """Another process held the store longer than we wait."""


class StoreFormatError(StoreError):
    """The store was written by a newer meme, or is not a meme store."""


class EmbedderMismatchError(StoreError):
    """The store's vectors come from another embedding model."""


class ProjectionError(StoreError):
    """A search index failed; the journal behind it is intact."""

"""Long-term memory for AI agents.

    from meme import Meme

    with Meme(user_id="ana") as memory:
        memory.add("I moved to Porto in March.")
        print(memory.ask("Where do I live?").text)

Names are imported when first used, so `from meme import Meme` stays cheap.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from meme.blocking import Meme
    from meme.config import (
        Config,
        EmbeddingConfig,
        LLMConfig,
        PipelineConfig,
        Settings,
        StoreConfig,
        build_embedder,
        build_llm,
    )
    from meme.embed import Embedder
    from meme.errors import (
        AccountError,
        BudgetError,
        ConfigError,
        EmbedderMismatchError,
        EmbeddingError,
        EntryClosedError,
        MemeError,
        NotFoundError,
        ProjectionError,
        ProviderError,
        RateLimitError,
        RefusedError,
        ReplyError,
        ScopeError,
        StoreBusyError,
        StoreError,
        StoreFormatError,
        TruncatedError,
        UnavailableError,
        UsageError,
    )
    from meme.facade import AsyncMeme
    from meme.inputs import BadLine, TurnInput
    from meme.language.times import render
    from meme.llm import LLM, Reply, Request
    from meme.records import (
        ChangeSet,
        Coverage,
        Decision,
        FailedWindow,
        Happened,
        MemoryEntry,
        Plan,
        Scope,
        Turn,
        Usage,
    )
    from meme.results import Answer, HistoryEvent, Hit, Page, Part, Recall, WriteResult
    from meme.transfer import ImportResult
    from meme.upkeep import Checkup, Stats

__version__: Final = "0.1.0"

__all__ = [
    "LLM",
    "AccountError",
    "Answer",
    "AsyncMeme",
    "BadLine",
    "BudgetError",
    "ChangeSet",
    "Checkup",
    "Config",
    "ConfigError",
    "Coverage",
    "Decision",
    "Embedder",
    "EmbedderMismatchError",
    "EmbeddingConfig",
    "EmbeddingError",
    "EntryClosedError",
    "FailedWindow",
    "Happened",
    "HistoryEvent",
    "Hit",
    "ImportResult",
    "LLMConfig",
    "Meme",
    "MemeError",
    "MemoryEntry",
    "NotFoundError",
    "Page",
    "Part",
    "PipelineConfig",
    "Plan",
    "ProjectionError",
    "ProviderError",
    "RateLimitError",
    "Recall",
    "RefusedError",
    "Reply",
    "ReplyError",
    "Request",
    "Scope",
    "ScopeError",
    "Settings",
    "Stats",
    "StoreBusyError",
    "StoreConfig",
    "StoreError",
    "StoreFormatError",
    "TruncatedError",
    "Turn",
    "TurnInput",
    "UnavailableError",
    "Usage",
    "UsageError",
    "WriteResult",
    "__version__",
    "build_embedder",
    "build_llm",
    "render",
]

# Which module to import for which name, when it is first asked for.
_HOMES: Final[dict[str, tuple[str, ...]]] = {
    "blocking": ("Meme",),
    "config": (
        "Config",
        "EmbeddingConfig",
        "LLMConfig",
        "PipelineConfig",
        "Settings",
        "StoreConfig",
        "build_embedder",
        "build_llm",
    ),
    "embed": ("Embedder",),
    "facade": ("AsyncMeme",),
    "inputs": ("BadLine", "TurnInput"),
    "language.times": ("render",),
    "llm": ("LLM", "Reply", "Request"),
    "results": ("Answer", "HistoryEvent", "Hit", "Page", "Part", "Recall", "WriteResult"),
    "transfer": ("ImportResult",),
    "upkeep": ("Checkup", "Stats"),
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'meme' has no attribute {name!r}")
    named = [home for home, names in _HOMES.items() if name in names]
    kind = "errors" if name.endswith("Error") else "records"
    value = getattr(import_module(f"meme.{named[0] if named else kind}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__

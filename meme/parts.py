"""What the write and the read path work with: a store on its own thread, a model, an embedder, a clock.

Flows in: the built parts, from config. Flows out: awaitable access to the store. SQLite and the
projection lock live on one thread; only `rank` may run beside it.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, TypeVar, runtime_checkable

from meme.embed import Embedder
from meme.llm import LLM
from meme.records import Layer
from meme.store.overlay import Overlay
from meme.store.projection import Probe, Ranked
from meme.store.store import Store

T = TypeVar("T")


@runtime_checkable
class Closeable(Protocol):
    """A model or embedder that holds connections."""

    async def close(self) -> None:
        """Let go of them; it is not used afterwards."""


class StoreThread:
    """The store behind one thread, opened by the first call that needs it."""

    def __init__(self, opener: Callable[[], Store], *, readers: int) -> None:
        self._opener = opener
        self._store: Store | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="meme-store")
        self._readers = ThreadPoolExecutor(readers, thread_name_prefix="meme-search")

    async def do(self, work: Callable[[Store], T]) -> T:
        """Run `work` on the store's thread and return what it returns."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._with_store, work)

    def _with_store(self, work: Callable[[Store], T]) -> T:
        if self._store is None:
            self._store = self._opener()
        return work(self._store)

    async def rank(self, layer: Layer, probe: Probe, overlay: Overlay | None) -> list[Ranked]:
        """One layer's ranking, on a reader thread; the projection must have been made fresh before."""
        store = self._store
        if store is None:
            return []
        return await asyncio.get_running_loop().run_in_executor(
            self._readers, store.rank, layer, probe, overlay
        )

    async def close(self) -> None:
        """Close the store, if it was opened, and end the threads."""
        if self._store is not None:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._store.close)
            self._store = None
        self._readers.shutdown(wait=True)
        self._thread.shutdown(wait=True)


@dataclass(frozen=True, slots=True)
class Tuning:
    """The numbers and switches the two paths are run with; see PipelineConfig for their meaning."""

    window_size: int = 40
    overlap_size: int = 2
    semantic_top_k: int = 25
    keyword_top_k: int = 5
    structured_top_k: int = 5
    enable_planning: bool = True
    enable_reflection: bool = True
    max_reflection_rounds: int = 2
    context_tokens: int = 1_600
    dialogue_context: bool = True
    max_build_workers: int = 16
    flush_before_ask: bool = True
    ignored_roles: tuple[str, ...] = ("system", "tool")
    prompts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything a path needs, handed in: nothing below the facade reads a clock or makes an id."""

    store: StoreThread
    llm: LLM
    embedder: Embedder
    clock: Callable[[], datetime]
    new_id: Callable[[], str]
    tuning: Tuning
    locks: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))

"""Meme: the same verbs as AsyncMeme, for code without an event loop.

Each verb is AsyncMeme's own, run on one background loop; none is written twice, and signatures
and types come with it.
"""

import asyncio
import functools
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

from meme.config import DEFAULT_USER, Config, Settings
from meme.embed import Embedder
from meme.errors import UsageError
from meme.facade import AsyncMeme
from meme.llm import LLM
from meme.parts import Parts

P = ParamSpec("P")
R = TypeVar("R")


class _Loop:
    """One event loop on one daemon thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="meme-loop", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, R]) -> R:
        """The result of `work`. A Ctrl-C cancels it; what the store is at finishes by itself."""
        if self._loop.is_closed():
            work.close()
            raise UsageError("This memory is closed: open a new one.")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise

    def stop(self) -> None:
        """End the loop and its thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def _blocking(
    verb: Callable[Concatenate[AsyncMeme, P], Coroutine[Any, Any, R]],
) -> "Callable[Concatenate[Meme, P], R]":
    def run(self: "Meme", /, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._loop.run(verb(self._core, *args, **kwargs))

    functools.update_wrapper(run, verb)
    return run


class Meme:
    """Long-term memory for an agent; see AsyncMeme for every verb and argument."""

    def __init__(
        self,
        api_key: str | None = None,
        model: str | None = None,
        base_url: str | None = None,
        user_id: str = DEFAULT_USER,
        agent_id: str | None = None,
        session_id: str | None = None,
        config: Config | None = None,
        *,
        llm: LLM | None = None,
        embedder: Embedder | None = None,
        parts: Parts | None = None,
    ) -> None:
        self._core = AsyncMeme(
            api_key,
            model,
            base_url,
            user_id,
            agent_id,
            session_id,
            config,
            llm=llm,
            embedder=embedder,
            parts=parts,
        )
        self._loop = _Loop()
        self._closed = False

    def __enter__(self) -> "Meme":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close files and threads; closing twice is harmless. No model is called."""
        if not self._closed:
            self._closed = True
            try:
                self._loop.run(self._core.close())
            finally:
                self._loop.stop()

    @property
    def settings(self) -> Settings:
        """The settings in force, with where each came from."""
        return self._core.settings

    add = _blocking(AsyncMeme.add)
    add_dialogue = _blocking(AsyncMeme.add_dialogue)
    add_turns = _blocking(AsyncMeme.add_turns)
    add_lines = _blocking(AsyncMeme.add_lines)
    finalize = _blocking(AsyncMeme.finalize)
    search = _blocking(AsyncMeme.search)
    ask = _blocking(AsyncMeme.ask)
    get = _blocking(AsyncMeme.get)
    update = _blocking(AsyncMeme.update)
    delete = _blocking(AsyncMeme.delete)
    delete_all = _blocking(AsyncMeme.delete_all)
    history = _blocking(AsyncMeme.history)
    list = _blocking(AsyncMeme.list)
    export = _blocking(AsyncMeme.export)
    export_lines = _blocking(AsyncMeme.export_lines)
    import_ = _blocking(AsyncMeme.import_)
    stats = _blocking(AsyncMeme.stats)
    doctor = _blocking(AsyncMeme.doctor)
    rebuild = _blocking(AsyncMeme.rebuild)
    reembed = _blocking(AsyncMeme.reembed)
    changesets = _blocking(AsyncMeme.changesets)

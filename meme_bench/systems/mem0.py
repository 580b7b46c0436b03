"""mem0 (extra [peers]) by its public verbs, with the same embedder and answerer as the others.

Flows in: a talk and questions. Flows out: hits as turn ids and answers. Its telemetry is switched off before
it is imported. Written against mem0ai 2.2: vectors in its local Qdrant, in the system's own folder.

`turns` stores each turn as it was said (`infer=False`), with no model. `extracted` hands it two turns at a
time, as its authors do on LoCoMo, and lets its model make memories of them; a memory then counts as resting
on both turns, for mem0 does not say on which. Nor does it say what its own calls cost: they are not counted.
"""

import asyncio
import os
import time
from array import array
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from itertools import groupby
from typing import Any, Final

from meme import Config, ProviderError, UsageError, build_embedder
from meme_bench.cases import Asked, Talk, Turn
from meme_bench.records import Built, EntryMade, Spent
from meme_bench.systems import Found, Setting, Told, wording
from meme_bench.systems.answerer import Answerer, Quoted, needs_model
from meme_bench.systems.baselines import spoken
from meme_bench.systems.vectors import KeptVectors

_USER: Final = "user"
_TOGETHER: Final = 2  # turns in one call


class Mem0:
    """mem0 with the memory of one conversation."""

    name = "mem0"

    def __init__(self, setting: Setting) -> None:
        self._setting, self._config = setting, setting.config
        self._embedder = KeptVectors(build_embedder(setting.config), setting.vectors)
        self._loop = asyncio.new_event_loop()
        self._memory: Any = None
        self._answerer: Answerer | None = None

    def build(self, talk: Talk) -> Built:
        """Hand over the turns in their order."""
        memory = self._opened()
        started = time.perf_counter()
        extracted = self._setting.facts == "extracted"
        for turns in _batches(talk.turns, _TOGETHER if extracted else 1):
            told = [{"role": turn.role, "content": _content(turn, dated=extracted)} for turn in turns]
            about = {"turns": [turn.id for turn in turns], "said_at": turns[0].said_at}
            memory.add(told, user_id=_USER, metadata=about, infer=extracted)
        seconds = time.perf_counter() - started
        kept = memory.get_all(filters={"user_id": _USER}, top_k=100_000)["results"]
        return Built(
            conversation=talk.id,
            turns=len(talk.turns),
            stored=len(kept),
            entries=tuple(EntryMade(_turns(one), None, one["memory"]) for one in kept),
            spent={"embed": Spent(seconds=self._embedder.seconds)},
            seconds=seconds,
        )

    def answer(self, asked: Asked, k: int) -> Told:
        """Its best `k` memories, and the answer that the common answerer makes of them."""
        needs_model(self.name, self._config)
        self._answerer = self._answerer or Answerer(self._config)
        started = time.perf_counter()
        found = self._searched(wording(asked), k)
        searched = Spent(seconds=time.perf_counter() - started)
        quoted = [Quoted(one["memory"], one["metadata"]["said_at"], _turns(one)) for one in found]
        told = self._answerer.answer(asked, quoted, k)
        return replace(told, spent={**told.spent, "search": searched})

    def retrieve(self, asked: Asked, k: int) -> Found:
        """See System."""
        before, started = self._embedder.seconds, time.perf_counter()
        found = self._searched(asked.text, k)
        embed = self._embedder.seconds - before
        search = time.perf_counter() - started - embed
        spent = {"embed": Spent(seconds=embed), "search": Spent(seconds=search)}
        return Found(tuple(_turns(one) for one in found), spent)

    def close(self) -> None:
        """See System."""
        if self._loop.is_closed():
            return
        if self._memory is not None:
            self._memory.vector_store.client.close()
            self._memory.close()
        if self._answerer is not None:
            self._answerer.close()
        self._loop.run_until_complete(self._embedder.close())
        self._loop.close()

    def _searched(self, question: str, k: int) -> list[dict[str, Any]]:
        # Without a threshold: how many are returned is k, as for the others.
        found = self._opened().search(question, top_k=k, filters={"user_id": _USER}, threshold=0.0)
        return list(found["results"])

    def _opened(self) -> Any:
        if self._memory is None:
            mem0 = _imported()
            dimension = len(self._vector("dimension"))
            self._memory = mem0.Memory.from_config(_settings(self._setting, self._config, dimension))
            self._memory.embedding_model = _embedding(self._vector)
        return self._memory

    def _vector(self, text: str) -> list[float]:
        vector = self._loop.run_until_complete(self._embedder.embed([text]))[0]
        if not vector:
            raise ProviderError("The embedder made no vector.")
        return array("f", vector).tolist()


def open_system(_name: str, setting: Setting) -> Mem0:
    """mem0 on the setting's folder."""
    return Mem0(setting)


def check(_name: str, setting: Setting, *, answering: bool) -> None:
    """Raise UsageError where mem0 is not installed, or has to extract or answer without a model."""
    if answering or setting.facts == "extracted":
        needs_model("mem0", setting.config)
    _imported()


def _imported() -> Any:
    os.environ.update(MEM0_TELEMETRY="False")
    try:
        return import_module("mem0")
    except ImportError as error:
        raise UsageError("mem0 is not installed: pip install 'meme-memory[peers]'.") from error


def _embedding(vector: Any) -> Any:
    """Our embedder in mem0's shape. Its `langchain` provider would take one too, with langchain installed."""
    base: Any = import_module("mem0.embeddings.base").EmbeddingBase

    def embed(_: Any, text: str, memory_action: str | None = None) -> list[float]:  # noqa: ARG001 -- its name
        made: list[float] = vector(text)
        return made

    return type("SameEmbedder", (base,), {"embed": embed})()


def _settings(setting: Setting, config: Config, dimension: int) -> dict[str, Any]:
    key = config.llm.api_key
    secret = key.get_secret_value() if key else "unused"
    model = {"model": config.llm.model, "temperature": config.llm.temperature, "api_key": secret}
    return {
        "vector_store": {
            "provider": "qdrant",
            "config": {
                "collection_name": "bench",
                "path": str(setting.folder / "qdrant"),
                "embedding_model_dims": dimension,
                "on_disk": True,
            },
        },
        "llm": {"provider": "openai", "config": {**model, "openai_base_url": config.llm.base_url}},
        "embedder": {"provider": "openai", "config": {"api_key": "unused"}},  # replaced before it is used
        "history_db_path": str(setting.folder / "history.db"),
    }


def _content(turn: Turn, *, dated: bool) -> str:
    """A turn as text; dated where a model has to resolve "yesterday"."""
    return f"({turn.said_at}) {spoken(turn)}" if dated else spoken(turn)


def _batches(turns: Sequence[Turn], size: int) -> list[list[Turn]]:
    """Turns of a session, `size` at a time."""
    found: list[list[Turn]] = []
    for _, same in groupby(turns, lambda turn: turn.session):
        session = list(same)
        found += [session[at : at + size] for at in range(0, len(session), size)]
    return found


def _turns(memory: dict[str, Any]) -> tuple[str, ...]:
    return tuple((memory.get("metadata") or {}).get("turns", ()))

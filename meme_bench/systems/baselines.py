"""What every system has to beat: one layer of search, all of the text, a refusal, and the evidence itself.

Flows in: a talk and questions. Flows out: hits and answers. `bm25`, `dense` and `hybrid` are meme's own
search over turns kept word for word; the answers are meme's too, with planning and reflection off.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from meme import EmbeddingConfig, UsageError
from meme_bench.cases import Asked, Talk, Turn
from meme_bench.records import Built
from meme_bench.systems import ORACLE, Found, Setting, System, Told
from meme_bench.systems.answerer import Answerer, Quoted, needs_model
from meme_bench.systems.product import Layer, MemeSystem, line, told

_LAYERS: Final[dict[str, tuple[Layer, ...]]] = {
    "bm25": ("lexical",),
    "dense": ("semantic",),
    "hybrid": ("semantic", "lexical"),
}
_NO_VECTORS: Final = EmbeddingConfig(provider="hashing")


def open_system(name: str, setting: Setting) -> System:
    """The baseline called `name`."""
    if name in _LAYERS:
        return _searching(name, setting)
    return Refuse() if name == "refuse" else FullContext(setting)


def check(name: str, setting: Setting, *, answering: bool) -> None:
    """Raise UsageError for `full-context` without a model, and where nothing is searched."""
    if not answering and name not in _LAYERS:
        raise UsageError(f"{name} does not search.")
    if name == "full-context":
        needs_model(name, setting.config)


def _searching(name: str, setting: Setting) -> MemeSystem:
    """meme in some layers, handing at most `k` hits to the answer: of `hybrid` about a sixth by word."""
    by_word = max(1, setting.k // 6)
    tuned = {
        "bm25": {"keyword_top_k": setting.k},
        "dense": {"semantic_top_k": setting.k},
        "hybrid": {
            "semantic_top_k": max(1, setting.k - by_word - 1),
            "keyword_top_k": by_word,
            "structured_top_k": 1,
        },
    }[name]
    if name == "bm25":  # no vector is looked at: none has to be made by a model
        setting = replace(setting, config=setting.config.model_copy(update={"embedding": _NO_VECTORS}))
    plain = {"enable_planning": False, "enable_reflection": False, "dialogue_context": False}
    return MemeSystem(name, setting, layers=_LAYERS[name], **plain, **tuned)


class Refuse:
    """Knows nothing and says so: what a figure is worth that refusals can earn."""

    name = "refuse"

    def build(self, talk: Talk) -> Built:
        """Nothing is kept."""
        return Built(talk.id, len(talk.turns), 0)

    def answer(self, _asked: Asked, _k: int) -> Told:
        """Always "Not known"."""
        return Told("Not known", True, "This system always refuses.")

    def retrieve(self, _asked: Asked, _k: int) -> Found:
        """Nothing is found."""
        return Found(())

    def close(self) -> None:
        """Nothing is open."""


class FullContext:
    """All turns in order, in one request to the model: no memory at all, and hard to beat while it fits."""

    name = "full-context"

    def __init__(self, setting: Setting) -> None:
        self._path = setting.folder / "turns.json"
        self._config = setting.config
        self._answerer: Answerer | None = None
        self._turns: tuple[Quoted, ...] = ()

    def build(self, talk: Talk) -> Built:
        """Keep the turns as they are handed over."""
        started = time.perf_counter()
        quoted = [Quoted(spoken(turn), turn.said_at, (turn.id,)) for turn in talk.turns]
        self._path.write_text(json.dumps([asdict(one) for one in quoted]), encoding="utf-8")
        return Built(talk.id, len(talk.turns), len(quoted), seconds=time.perf_counter() - started)

    def answer(self, asked: Asked, k: int) -> Told:
        """One request with everything. No hits are told: nothing was chosen."""
        needs_model(self.name, self._config)
        self._answerer = self._answerer or Answerer(self._config)
        self._turns = self._turns or tuple(_quoted(one) for one in json.loads(self._path.read_text("utf-8")))
        return replace(self._answerer.answer(asked, self._turns, k), hits=())

    def retrieve(self, _asked: Asked, _k: int) -> Found:
        """See System."""
        raise UsageError("full-context does not search: it hands over everything.")

    def close(self) -> None:
        """See System."""
        if self._answerer is not None:
            self._answerer.close()


class Oracle:
    """meme's answer given the gold evidence and nothing else: what perfect retrieval of turns would allow.

    It is the one that sees evidence, and so no `System`. Each question has a user of its own in one store.
    """

    name = ORACLE

    def __init__(self, setting: Setting) -> None:
        self._system = MemeSystem(
            self.name, setting, enable_planning=False, enable_reflection=False, dialogue_context=False
        )

    def build(self, talk: Talk) -> Built:
        """Nothing is kept before the question is known."""
        return Built(talk.id, len(talk.turns), 0)

    def answer(self, asked: Asked, evidence: Sequence[Turn], k: int) -> Told:
        """The answer from the evidence turns. The same question asked again stores nothing twice."""
        memory, whose = self._system.memory, asked.id
        if evidence:
            memory.add_turns([line(turn) for turn in evidence], infer=False, user_id=whose)
        return told(memory, asked, k, user_id=whose)

    def close(self) -> None:
        """See System."""
        self._system.close()


def spoken(turn: Turn) -> str:
    """A turn as one line: speaker, text, captions of what was shared."""
    return f"{turn.speaker}: {turn.text}" + "".join(f" [shares {caption}]" for caption in turn.captions)


def _quoted(data: dict[str, Any]) -> Quoted:
    return Quoted(data["text"], data["said_at"], tuple(data["turns"]))

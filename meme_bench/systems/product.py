"""meme itself, by its public names: entries extracted, word for word, or imported, and asked as users ask.

Flows in: a talk and questions. Flows out: what the store holds afterwards, hits as turn ids, answers. The
turns' own ids are their message ids, by which hits lead back to them.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal

from meme import (
    Config,
    EmbeddingConfig,
    Meme,
    MemoryEntry,
    StoreConfig,
    Usage,
    WriteResult,
    build_embedder,
)
from meme_bench.cases import Asked, Talk, Turn
from meme_bench.records import Built, EntryMade, Spent
from meme_bench.systems import Found, Setting, Told, tokens, wording
from meme_bench.systems.vectors import KeptVectors

DEFAULT_USER: Final = "default"
Layer = Literal["semantic", "lexical", "structured"]

_EVERYTHING: Final = 1_000_000  # a window that no dialogue fills: nothing is extracted


class MemeSystem:
    """meme on a folder, searching all of its layers or some of them."""

    def __init__(
        self, name: str, setting: Setting, *, layers: Sequence[Layer] | None = None, **pipeline: Any
    ) -> None:
        self.name, self._setting, self._layers = name, setting, layers
        # What could not be extracted stays pending and is found as it was said: a question does not pay.
        self._config = configured(setting.config, setting.folder, flush_before_ask=False, **pipeline)
        self._embedder = KeptVectors(build_embedder(self._config), setting.vectors)
        self.memory = Meme(config=self._config, embedder=self._embedder)

    def build(self, talk: Talk) -> Built:
        """Take in the talk as `facts` says, bring the indexes up to date, and list what was made."""
        started = time.perf_counter()
        if self._setting.facts == "observations":
            self._import(talk)
            written = WriteResult()
        elif self._setting.facts == "turns":
            written = self.memory.add_turns(_lines(talk.turns), infer=False)
        else:  # all at once: sessions are settled in their order, and extracted side by side
            written, _ = self.memory.add_lines(json.dumps(line) for line in _lines(talk.turns))
        self.memory.search("first", top_k=1, layers=self._layers)  # indexes follow when they are first used
        seconds = time.perf_counter() - started
        failed = [f"{one.turns} turns: {one.reason}" for one in written.failed]
        entries = self._entries()
        return Built(
            conversation=talk.id,
            turns=len(talk.turns),
            stored=len(entries) + self.memory.stats().pending,
            entries=entries,
            spent={**spent(written.usage), "embed": Spent(seconds=self._embedder.seconds)},
            seconds=seconds,
            error=f"Not extracted: {'; '.join(failed)}" if failed else "",
        )

    def answer(self, asked: Asked, k: int) -> Told:
        """See System."""
        return told(self.memory, asked, k, layers=self._layers)

    def retrieve(self, asked: Asked, k: int) -> Found:
        """See System."""
        found = self.memory.search(asked.text, top_k=k, layers=self._layers)
        return Found(tuple(hit.message_ids for hit in found), _timed(found.timings))

    def close(self) -> None:
        """See System."""
        self.memory.close()

    def _entries(self) -> tuple[EntryMade, ...]:
        """What is known now, each entry with the turns it rests on, oldest first."""
        lines = map(json.loads, self.memory.export_lines())
        said = {line["id"]: line.get("message_id", "") for line in lines if line["type"] == "turn"}
        return tuple(_made(entry, said) for entry in reversed(self.memory.list().entries))

    def _import(self, talk: Talk) -> None:
        """Facts as entries that cite their turns, by the file that `export` writes and `import_` reads."""
        source = self._setting.folder / "observations.jsonl"
        scratch = configured(self._config, self._setting.folder / "journal", window_size=_EVERYTHING)
        unused = EmbeddingConfig(provider="hashing")
        with Meme(config=scratch.model_copy(update={"embedding": unused})) as journal:
            journal.add_turns(_lines(talk.turns))
            header, *turns = map(json.loads, journal.export_lines())
            lines = [header, *_imported(talk, turns)]
            source.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        self.memory.import_(source, strict=True)


def open_system(name: str, setting: Setting) -> MemeSystem:
    """The product as it is configured."""
    return MemeSystem(name, setting)


def check(_name: str, _setting: Setting, *, answering: bool) -> None:
    """Nothing can be wrong: with no model it runs on the rules."""


def configured(config: Config, folder: Path, **pipeline: Any) -> Config:
    """The settings with their memory in `folder`."""
    return Config(
        llm=config.llm,
        embedding=config.embedding,
        store=StoreConfig(lancedb_path=folder / "memory"),
        pipeline=config.pipeline.model_copy(update=pipeline),
    )


def told(
    memory: Meme, asked: Asked, k: int, *, layers: Sequence[Layer] | None = None, user_id: str = DEFAULT_USER
) -> Told:
    """The answer of a memory, its hits and citations as turn ids."""
    found = memory.ask(wording(asked), layers=layers, user_id=user_id)
    hits = tuple(found.recall or ())
    cited = [turn for hit in hits if hit.id in found.citations for turn in hit.message_ids]
    return Told(
        answer=found.text,
        abstained=found.abstained,
        reason=found.reason,
        hits=tuple(hit.message_ids for hit in hits[:k]),
        cited=tuple(dict.fromkeys(cited)),
        spent={**spent(found.usage), **_timed(found.recall.timings if found.recall else {})},
        context_tokens=tokens([hit.content for hit in hits]),
    )


def spent(usage: Mapping[str, Usage]) -> dict[str, Spent]:
    """What meme says a stage cost, as a run records it."""
    return {
        stage: Spent(one.calls, one.prompt_tokens, one.completion_tokens, one.cached_tokens, one.seconds)
        for stage, one in usage.items()
    }


def _timed(timings: Mapping[str, float]) -> dict[str, Spent]:
    """Embedding the question and searching for it, apart. The layers work side by side with it."""
    embed = timings.get("embed", 0.0)
    search = max(0.0, timings.get("search", 0.0) - embed) + timings.get("hydrate", 0.0)
    return {"embed": Spent(seconds=embed), "search": Spent(seconds=search)} if timings else {}


def line(turn: Turn) -> dict[str, Any]:
    """A turn as meme takes it."""
    return {
        "speaker": turn.speaker,
        "role": turn.role,
        "text": turn.text,
        "timestamp": turn.said_at,
        "message_id": turn.id,
        "session_id": turn.session,
        "attachments": list(turn.captions),
    }


def _lines(turns: Sequence[Turn]) -> list[dict[str, Any]]:
    return [line(turn) for turn in turns]


def _made(entry: MemoryEntry, said: Mapping[str, str]) -> EntryMade:
    happened = entry.happened
    when = (happened.start.isoformat(), happened.end.isoformat(), happened.precision) if happened else None
    return EntryMade(tuple(said[one] for one in entry.sources if said.get(one)), when, entry.content)


def _imported(talk: Talk, turns: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Turns, the change set that settled them, and an entry for each fact, as lines of an export."""
    by_message = {turn["message_id"]: turn for turn in turns}
    by_session = {
        session: next(iter(same)) for session, same in groupby(turns, lambda one: one["session_id"])
    }
    owner = {"user_id": turns[0]["user_id"]}
    settled, recorded = "0000-observations", turns[0]["recorded_at"]
    for turn in turns:
        yield {**turn, "changeset": settled, "embedded": True}
    yield {
        "type": "changeset",
        "id": settled,
        **owner,
        "recorded_at": recorded,
        "window_id": None,
        "model": "observations",
        "prompt": "",
        "nothing": {},
        "coverage": [0, 0, []],
        "usage": {},
        "decisions": [],
    }
    for number, fact in enumerate(talk.facts):
        name = f"{number:04}-observation"
        entry = {
            "id": name,
            **owner,
            "session_id": fact.session,
            "content": fact.text,
            "said_at": by_session[fact.session]["said_at"],
            "recorded_at": recorded,
            "persons": [fact.speaker],
            "sources": [by_message[one]["id"] for one in fact.sources],
        }
        added = {"id": f"{name}-added", "kind": "added", "at": recorded, "changeset": settled, "body": entry}
        yield {"type": "entry", "id": name, **owner, "session_id": fact.session, "events": [added]}

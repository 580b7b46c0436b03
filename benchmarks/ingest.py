"""How fast dialogue becomes entries with the embedded default, by stage, and how fast texts are embedded.

Run: python benchmarks/ingest.py [LOCOMO.json] [--conversation conv-26]. Without a file it takes the
packaged demo dialogue alone. Stages are timed at meme's own seams (model, embedder, store); extraction of
later windows runs while earlier ones are embedded and stored, so their sum may exceed the whole. The first
embedding loads the model, which is timed apart.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from figures import machine, show, timed

from meme import Config, Meme, MemoryEntry, StoreConfig
from meme.config import build, load
from meme.embed import Embedder
from meme.llm import LLM, Reply, Request
from meme.parts import StoreThread
from meme.store.journal import Commit, Committed
from meme.store.projection import Probe
from meme.store.store import Store
from meme.testing import sample_dialogue

Turns = list[dict[str, Any]]
STAGES = ("extract", "embed", "neighbours", "reconcile", "commit")


class Watch:
    """Seconds per stage."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def on(self, stage: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[stage] += time.perf_counter() - started


class TimedLLM:
    """A model whose calls are timed by task: "extract" and "reconcile" are stages."""

    def __init__(self, inner: LLM, watch: Watch) -> None:
        self._inner, self._watch = inner, watch

    @property
    def model(self) -> str:
        return self._inner.model

    async def complete(self, request: Request) -> Reply:
        with self._watch.on(request.task):
            return await self._inner.complete(request)


class TimedEmbedder:
    """An embedder whose calls are timed."""

    def __init__(self, inner: Embedder, watch: Watch) -> None:
        self._inner, self._watch = inner, watch

    @property
    def id(self) -> str:
        return self._inner.id

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    async def embed(self, texts: Sequence[str]) -> list[bytes]:
        with self._watch.on("embed"):
            return await self._inner.embed(texts)


class TimedStore(Store):
    """A store whose commits and looks for neighbours are timed."""

    def __init__(self, folder: Path, watch: Watch) -> None:
        super().__init__(folder, "memories", store_id="benchmark")
        self._watch = watch

    def commit(self, commit: Commit) -> Committed:
        with self._watch.on("commit"):
            return super().commit(commit)

    def nearest(self, vectors: Sequence[bytes], probe: Probe) -> list[list[tuple[MemoryEntry, float]]]:
        with self._watch.on("neighbours"):
            return super().nearest(vectors, probe)

    def containing(self, texts: Sequence[str], probe: Probe) -> list[list[MemoryEntry]]:
        with self._watch.on("neighbours"):
            return super().containing(texts, probe)


def ingest(name: str, turns: Turns, embedder: Embedder) -> None:
    """Put a dialogue in and extract all of it; where the time went."""
    watch = Watch()
    with tempfile.TemporaryDirectory(prefix="meme-bench-") as folder:
        config = Config(store=StoreConfig(lancedb_path=Path(folder)))
        built = build(load(config, {}), embedder=TimedEmbedder(embedder, watch))
        store = StoreThread(lambda: TimedStore(Path(folder), watch), readers=8)
        parts = replace(built, llm=TimedLLM(built.llm, watch), store=store)
        with Meme(parts=parts, user_id="benchmark") as memory, timed() as whole:
            written = memory.add_turns(turns)
            added = len(written.added) + len(written.updated)
            settled = memory.finalize()
            added += len(settled.added) + len(settled.updated)
            took = whole()
    print(f"{name}: {len(turns)} turns, {added} entries")
    show("turns", f"{len(turns) / took:,.1f}/s")
    show("entries", f"{added / took:,.1f}/s")
    for stage in STAGES:
        seconds = watch.seconds[stage]
        show(f"  {stage}", f"{seconds:7.3f} s {seconds / took:6.1%}{rate(added, seconds):>17}")
    rest = max(0.0, took - sum(watch.seconds[stage] for stage in STAGES))
    show("  the rest (dates, coverage, imports)", f"{rest:7.3f} s {rest / took:6.1%}{'':>17}")
    show("  the whole", f"{took:7.3f} s {1:6.1%}{rate(added, took):>17}")


def rate(entries: int, seconds: float) -> str:
    return f"{entries / seconds:,.0f} entries/s" if seconds else ""


def embedding(embedder: Embedder, texts: Sequence[str], runs: int) -> None:
    """Texts per second, the model loaded; the median of several runs over the same texts.

    The rate per CPU second says what a busy machine would do if it were free: times its cores.
    """
    with timed() as loading:
        asyncio.run(_embedded(embedder, ["The first text loads the model."]))
    show("loading the embedding model", f"{loading():,.2f} s")
    rates, busy = [], []
    for _ in range(runs):
        worked = time.process_time()
        with timed() as seconds:
            asyncio.run(_embedded(embedder, texts))
        rates.append(len(texts) / seconds())
        busy.append(len(texts) / (time.process_time() - worked))
    length = statistics.mean(len(text) for text in texts)
    show(
        f"embedding {len(texts)} turns of {length:.0f} characters",
        f"{statistics.median(rates):,.1f}/s",
        ">= 55/s",
    )
    show("  per CPU second", f"{statistics.median(busy):,.1f}/s")


async def _embedded(embedder: Embedder, texts: Sequence[str]) -> list[bytes]:
    return await embedder.embed(texts)


def demo() -> Turns:
    return list(sample_dialogue())


def locomo(path: Path, wanted: str | None) -> tuple[str, Turns]:
    """One conversation of a LoCoMo file: the first, or the one whose sample id is given."""
    samples = json.loads(path.read_text(encoding="utf-8"))
    sample = next(one for one in samples if wanted in (None, one["sample_id"]))
    return str(sample["sample_id"]), list(_turns(sample["conversation"]))


def _turns(conversation: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for number in range(1, 100):
        lines = conversation.get(f"session_{number}") or ()
        for line in lines:
            told = f"{conversation[f'session_{number}_date_time']} +0000"
            said = datetime.strptime(told, "%I:%M %p on %d %B, %Y %z")
            yield {
                "speaker": line["speaker"],
                "text": line["text"],
                "timestamp": said,
                "message_id": line["dia_id"],
                "session_id": f"session {number}",
                "attachments": [line["blip_caption"]] if line.get("blip_caption") else [],
            }


def main() -> None:
    """Run everything and print one line per figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("locomo", type=Path, nargs="?", help="a LoCoMo file, e.g. locomo10.json")
    parser.add_argument("--conversation", help="the sample id of one conversation (default: the first)")
    parser.add_argument("--texts", type=int, default=300, help="turns to embed (default 300)")
    parser.add_argument("--runs", type=int, default=3, help="runs of the embedding (default 3)")
    given = parser.parse_args()
    print(machine())
    dialogues = [("demo dialogue", demo())]
    if given.locomo:
        dialogues.append(locomo(given.locomo, given.conversation))
    with tempfile.TemporaryDirectory(prefix="meme-bench-") as folder:
        embedder = build(load(Config(store=StoreConfig(lancedb_path=Path(folder))), {})).embedder
        print("embedding")
        embedding(
            embedder,
            [f"{one['speaker']}: {one['text']}" for one in dialogues[-1][1]][: given.texts],
            given.runs,
        )
        for name, turns in dialogues:
            ingest(name, turns, embedder)


if __name__ == "__main__":
    main()

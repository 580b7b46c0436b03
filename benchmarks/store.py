"""How fast the store takes entries in and finds them, and what they take on disk; embedding excluded.

Run: python benchmarks/store.py [--large]. Vectors are random and made beforehand, so every figure is
meme's own: journal, indexes, hydration. Each store lies in a temporary folder (--folder DIR for another
disk) and is removed afterwards. Entries belong to ten users; a search asks for one of them.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from figures import DIMENSION, InstantEmbedder, machine, sentences, show, size, spread, timed

from meme import Config, Meme, PipelineConfig, Recall, StoreConfig

USERS = 10
SEARCHES = 60
STEPS = ("plan", "semantic", "lexical", "structured", "hydrate")


@contextmanager
def memory(folder: Path, embedder: InstantEmbedder) -> Iterator[Meme]:
    """A memory in its own folder under `folder`, removed at the end."""
    with tempfile.TemporaryDirectory(dir=folder) as home, opened(Path(home), embedder) as made:
        yield made


def opened(home: Path, embedder: InstantEmbedder) -> Meme:
    """A memory whose store lies in `home`."""
    return Meme(config=Config(store=StoreConfig(lancedb_path=home)), embedder=embedder)


def one_by_one(folder: Path, embedder: InstantEmbedder, count: int) -> None:
    """Durable adds one after the other, the time of each, and the disk they take after some searches."""
    texts = sentences(count + count // 100)
    with tempfile.TemporaryDirectory(dir=folder) as made:
        home = Path(made)
        with opened(home, embedder) as memory:
            memory.add("The first entry opens the store.", infer=False)
            spent = [seconds_of(memory, text) for text in texts[:count]]
            show(f"{count} adds one by one", f"{count / sum(spent):,.0f}/s", ">= 500/s")
            show("one add", spread(spent))
            for text in texts[count:]:
                memory.search(text)
            disk(home, count + 1, "open")
        disk(home, count + 1, "closed")


def seconds_of(memory: Meme, text: str) -> float:
    """How long one add takes."""
    started = time.perf_counter()
    memory.add(text, infer=False)
    return time.perf_counter() - started


def mixed(folder: Path, embedder: InstantEmbedder, count: int) -> None:
    """Adds with a search after every tenth: files and bytes must stay bounded, and adds stay flat."""
    with tempfile.TemporaryDirectory(dir=folder) as made:
        home = Path(made)
        with opened(home, embedder) as memory:
            spent, searched, most = [], [], 0
            for number, text in enumerate(sentences(count, seed=8), 1):
                spent.append(seconds_of(memory, text))
                if number % 10 == 0:
                    started = time.perf_counter()
                    memory.search(text)
                    searched.append(time.perf_counter() - started)
                    most = max(most, sum(1 for _ in home.rglob("*")))
            show("add, first tenth", spread(spent[: count // 10]))
            show("add, last tenth", spread(spent[-count // 10 :]))
            show("search just after an add", spread(searched))
            show("most files at any time", f"{most}")
        disk(home, count, "closed")


def disk(home: Path, entries: int, state: str) -> None:
    """Bytes of the store's parts per 1,000 entries, and per entry without the vectors.

    A vector is stored twice, in the journal (the truth) and in the table that is searched.
    """
    parts = {"journal": size(home, "*.db*"), "lexicon": size(home, "*.lexicon/*")}
    parts["vectors"] = size(home, "*.lance/**/*")
    vectors = 2 * 4 * DIMENSION * entries
    shares = "  ".join(f"{name} {taken / entries / 1e3:.2f}" for name, taken in parts.items())
    show(f"disk per 1,000 entries, {state} (MB)", f"{shares}  all {sum(parts.values()) / entries / 1e3:.2f}")
    besides = (sum(parts.values()) - vectors) / entries
    show(f"bytes an entry besides its vectors, {state}", f"{besides:,.0f}", "<= 3,000")


def batch(folder: Path, embedder: InstantEmbedder, count: int, runs: int) -> None:
    """One call with `count` turns, kept word for word; the median of several calls."""
    with memory(folder, embedder) as stored:
        stored.add("The first entry opens the store.", infer=False)
        rates = []
        for run in range(runs):
            turns = [{"speaker": "Ana", "text": text} for text in sentences(count, seed=run)]
            with timed() as seconds:
                stored.add_turns(turns, infer=False, session_id=f"run {run}")
            rates.append(count / seconds())
        show(
            f"{count} adds in one batch, median of {runs}", f"{statistics.median(rates):,.0f}/s", ">= 5,000/s"
        )


def journal(folder: Path, embedder: InstantEmbedder, count: int) -> None:
    """One line of dialogue put on disk (no extraction yet): the acknowledgement a caller waits for."""
    pipeline = PipelineConfig(window_size=10**6)
    with tempfile.TemporaryDirectory(dir=folder) as home:
        config = Config(store=StoreConfig(lancedb_path=Path(home)), pipeline=pipeline)
        with Meme(config=config, embedder=embedder) as memory:
            memory.add_dialogue("Ana", "The first line opens the store.")
            spent = []
            for text in sentences(count):
                started = time.perf_counter()
                memory.add_dialogue("Ana", text)
                spent.append(time.perf_counter() - started)
    show("journal append of one line", spread(spent))


def searching(folder: Path, embedder: InstantEmbedder, entries: int, floor: str) -> None:
    """Searches of one user among ten, all three layers, and where the time goes."""
    with memory(folder, embedder) as stored:
        texts = sentences(entries)
        for user in range(USERS):
            for start in range(user * entries // USERS, (user + 1) * entries // USERS, 1_000):
                end = min(start + 1_000, (user + 1) * entries // USERS)
                turns = [{"speaker": "Ana", "text": text} for text in texts[start:end]]
                stored.add_turns(turns, infer=False, user_id=f"user {user}")
        stored.search("Who bought a guitar in Porto?", user_id="user 0")  # brings the indexes up
        spent, found = [], []
        for number, text in enumerate(sentences(SEARCHES, seed=9)):
            started = time.perf_counter()
            found.append(stored.search(text, user_id=f"user {number % USERS}"))
            spent.append(time.perf_counter() - started)
        show(f"search, {entries:,} entries of {USERS} users", spread(spent), floor)
        show("  its steps (p50 ms)", layers(found))
        spent = []
        for text in sentences(SEARCHES, seed=9):
            started = time.perf_counter()
            stored.search(text, layers=["lexical"], user_id="user 0")
            spent.append(time.perf_counter() - started)
        show("  the lexical layer alone", spread(spent))


def layers(found: list[Recall]) -> str:
    """The median of each step."""
    middle = {step: statistics.median(1e3 * one.timings.get(step, 0.0) for one in found) for step in STEPS}
    return "  ".join(f"{step} {value:.1f}" for step, value in middle.items())


def main() -> None:
    """Run everything and print one line per figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--adds", type=int, default=1_000, help="entries added one by one (default 1,000)")
    parser.add_argument("--runs", type=int, default=5, help="batches of 1,000 (default 5)")
    parser.add_argument("--large", action="store_true", help="also search 100,000 entries")
    parser.add_argument("--folder", type=Path, help="where the temporary stores lie")
    given = parser.parse_args()
    embedder = InstantEmbedder()
    print(machine())
    with tempfile.TemporaryDirectory(dir=given.folder, prefix="meme-bench-") as made:
        folder = Path(made)
        print("adds, one by one")
        one_by_one(folder, embedder, given.adds)
        print("adds with a search after every tenth")
        mixed(folder, embedder, given.adds)
        print("batches and the journal")
        batch(folder, embedder, 1_000, given.runs)
        journal(folder, embedder, 300)
        print("search")
        searching(folder, embedder, 1_000, "p50 <= 12 ms")
        searching(folder, embedder, 10_000, "p50 <= 20 ms")
        if given.large:
            searching(folder, embedder, 100_000, "")


if __name__ == "__main__":
    main()

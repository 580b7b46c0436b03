"""Several processes on one store at once: nothing lost, nothing twice, everybody's writes seen by all."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from crash_worker import opened
from process_worker import ROUNDS
from rows import ANA, EMBEDDER, START, entry, turn, vector

from meme.events import Added, Event
from meme.store.journal import Commit
from meme.store.store import Store

WORKER = Path(__file__).with_name("process_worker.py")
NAMES = ["anna", "bella", "carla", "diana"]


def at_once(folder: Path, names: Sequence[str], task: str) -> list[dict[str, Any]]:
    """What each process did; all are let go at the same moment."""
    environment = {**os.environ, "MEME_HOME": str(folder.parent / "home")}
    running = [
        subprocess.Popen(
            [sys.executable, str(WORKER), str(folder), name, task],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        )
        for name in names
    ]
    try:
        for process in running:
            assert process.stdout
            assert process.stdout.readline() == b"ready\n"
        for process in running:
            assert process.stdin
            process.stdin.write(b"go\n")
            process.stdin.flush()
        done = [process.communicate(timeout=120) for process in running]
    finally:
        for process in running:
            if process.poll() is None:
                process.kill()
    problems = [errors.decode() for _, errors in done if errors]
    assert problems == []
    return [json.loads(said) for said, _ in done]


def test_four_processes_write_and_read_one_new_store_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    done = at_once(folder, NAMES, "mixed")
    assert [one["misses"] for one in done] == [[]] * len(NAMES), "every process reads its own writes"
    with opened(folder) as memory:
        entries = memory.list().entries
        assert sorted(entry.id for entry in entries) == sorted(key for one in done for key in one["ids"])
        assert len({entry.content for entry in entries}) == len(NAMES) * ROUNDS
        said = [turn.text for turn in memory.list().pending]
        assert sorted(said) == sorted(f"{name} said word{n}." for name in NAMES for n in range(ROUNDS))
        for name in NAMES:
            hits = memory.search(f"{name} note", layers=["lexical"], top_k=200)
            own = {f"The {name} note number{n} is here." for n in range(ROUNDS)}
            assert own <= {hit.content for hit in hits}
            assert own <= {hit.content for hit in memory.search(f"The {name} note", top_k=200)}
        checkup = memory.doctor()
        assert checkup.clean
        assert checkup.verification.notes == (), "no process took another's unfinished index for a broken one"
        assert memory.rebuild().clean
    assert list(folder.glob("*.broken")) == []


def test_the_same_messages_from_four_processes_at_once_are_kept_once(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    done = at_once(folder, NAMES, "same")
    assert sum(one["duplicates"] for one in done) == 3 * ROUNDS * (len(NAMES) - 1)
    with opened(folder) as memory:
        entries = memory.list(all_status=True).entries
        assert sorted(entry.content for entry in entries) == sorted(
            f"I bought canoe number{n}." for n in range(ROUNDS)
        )
        texts = [f"I {what} lake number{n}." for what in ("like", "swam in") for n in range(ROUNDS)]
        assert sorted(turn.text for turn in memory.list().pending) == sorted(texts)
        for one in entries:
            assert [step.verb for step in memory.history(one.id)] == ["ADD"]
        assert memory.doctor().clean


def test_many_threads_open_and_write_one_new_store_at_once(tmp_path: Path) -> None:
    together, problems = threading.Barrier(6), []

    def work(number: int) -> None:
        try:
            together.wait()
            store = Store(tmp_path, "memories", store_id=f"s{number}")
            store.bind_embedder(EMBEDDER.id, EMBEDDER.dimension)
            for step in range(5):
                one = entry(100 * number + step, f"walrus {number} {step}")
                store.commit(
                    Commit(
                        turns=[(turn(100 * number + step, "hello"), f"k{number}-{step}")],
                        events=[Event(f"e{one.id}", one.id, START, Added(one))],
                        vectors={one.id: vector(one.content)},
                    )
                )
                store.fresh("lexicon", 0)
            store.fresh("memories", 0)
            store.close()
        except BaseException as error:  # noqa: BLE001 -- told to the test's own thread
            problems.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    store = Store(tmp_path, "memories", store_id="last")
    assert len(store.views.pending(ANA)) == 30
    checked = store.verify()
    assert checked.clean
    assert (checked.drift["memories"].expected, checked.drift["lexicon"].expected) == (30, 60)
    assert store.views.meta("store_id") != "last"
    store.close()
    assert list(tmp_path.glob("*.broken")) == []

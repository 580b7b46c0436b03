"""kill -9 at any moment: every finished verb is there afterwards, whole, once, and findable."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from crash_worker import opened

WORKER = Path(__file__).with_name("crash_worker.py")


class Worker:
    """A worker process: started and warm, then let go, then killed."""

    def __init__(self, folder: Path, seed: int, mode: str) -> None:
        command = [sys.executable, str(WORKER), str(folder), str(seed), mode]
        environment = {**os.environ, "MEME_HOME": str(folder.parent / "home")}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )

    def run_and_die(self, seconds: float) -> list[dict[str, Any]]:
        """What the worker told until it was killed, `seconds` after its fourth finished verb.

        Waiting for verbs and not for time makes it busy when it is killed, however slow the machine is.
        """
        process = self._process
        assert process.stdin
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        process.stdin.write(b"go\n")
        process.stdin.flush()
        begun: list[bytes] = []
        while sum(b'"done"' in line for line in begun) < 4:
            begun.append(process.stdout.readline())
            assert begun[-1], process.stderr.read().decode() if process.stderr else ""
        time.sleep(seconds)
        assert process.poll() is None, process.stderr.read().decode() if process.stderr else ""
        os.kill(process.pid, signal.SIGKILL)
        told = process.stdout.read()  # not communicate(): it would miss what readline has buffered
        process.wait()
        return [json.loads(line) for line in (*begun, *told.splitlines())]

    def end(self) -> None:
        """Make sure it is gone."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


@dataclass
class Expected:
    """What must be in the store by what was told, and what may be, since its verb was cut off."""

    active: dict[str, str] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    said: set[str] = field(default_factory=set)
    doubt: dict[str, Any] = field(default_factory=dict)

    def hear(self, told: Sequence[dict[str, Any]]) -> None:
        self.doubt = {}
        for line in told:
            if "start" in line:
                self.doubt = line
                continue
            self.doubt = {}
            if line["done"] in ("add", "update"):
                self.active[line["id"]] = line["content"]
            elif line["done"] == "delete":
                del self.active[line["id"]]
                self.deleted.add(line["id"])
            else:
                self.said.add(line["text"])

    def settle(self, active: dict[str, str], deleted: set[str], said: set[str]) -> None:
        """Take the verb that was cut off as done where the store shows it done, as a whole."""
        doubt = self.doubt
        verb = doubt.get("start")
        if verb == "add":
            fresh = {key: text for key, text in active.items() if text == doubt["content"]}
            assert len(fresh) <= 1
            self.active |= fresh
        elif verb == "update" and active.get(doubt["id"]) == doubt["content"]:
            self.active[doubt["id"]] = doubt["content"]
        elif verb == "delete" and doubt["id"] in deleted:
            del self.active[doubt["id"]]
            self.deleted.add(doubt["id"])
        elif verb == "say" and doubt["text"] in said:
            self.said.add(doubt["text"])


def check(folder: Path, expected: Expected, *, mode: str) -> None:
    """Open the store again and compare it with what was told."""
    with opened(folder) as memory:
        entries = memory.list(all_status=True).entries
        active = {entry.id: entry.content for entry in entries if entry.status == "active"}
        deleted = {entry.id for entry in entries if entry.status == "retracted"}
        said = Counter(turn.text for turn in memory.list().pending)
        expected.settle(active, deleted, set(said))
        assert active == expected.active
        assert deleted == expected.deleted
        assert said == Counter(expected.said)
        if mode != "write":
            for content in sorted(active.values())[-3:]:
                word = content.split()[2]
                hits = memory.search(word, layers=["lexical"], top_k=50)
                assert [hit.content for hit in hits if word in hit.content] == [content]
            for text in sorted(said)[-2:]:
                assert text in [
                    hit.record.text for hit in memory.search(text, layers=["lexical"]) if hit.type == "turn"
                ]
        if mode == "all":
            assert memory.doctor().clean


@pytest.mark.parametrize(("mode", "kills"), [("write", 10), ("lexical", 10), ("all", 5)])
def test_nothing_that_was_acknowledged_is_lost_or_doubled_by_a_kill(
    tmp_path: Path, mode: str, kills: int
) -> None:
    folder, expected, chance = tmp_path / "store", Expected(), random.Random(mode)
    worker = Worker(folder, 0, mode)
    finished = 0
    try:
        for number in range(1, kills + 1):
            running, worker = worker, Worker(folder, number, mode)  # the next one warms up meanwhile
            told = running.run_and_die(chance.uniform(0.02, 0.7))
            finished += sum("done" in line for line in told)
            expected.hear(told)
            check(folder, expected, mode=mode)
    finally:
        worker.end()
    assert finished > 3 * kills, "the workers were killed before they did anything worth killing them for"
    with opened(folder) as memory:
        checkup = memory.doctor()
        assert checkup.clean
        assert checkup.verification.sizes["turns"] >= len(expected.said) + len(expected.active)
        told_words = [entry.content for entry in memory.list(all_status=True).entries]
        assert len(set(told_words)) == len(told_words)
        assert memory.rebuild().clean

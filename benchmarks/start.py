"""How long a command takes from a cold start: every figure is a fresh process, read as ratios to bare Python.

Run: python benchmarks/start.py. A small store is made first (--entries, with the hashing embedder's cost
left out by using the default model once); then each command runs --runs times, interleaved so that a busy
moment of the machine falls on all of them. Minimum and median are printed: the minimum is the cost, the
gap to the median is the machine.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from figures import machine, sentences, show

QUERY = "Who bought a guitar in Porto?"


def once(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Seconds of one process; raises when it fails."""
    started = time.perf_counter()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return time.perf_counter() - started


def prepared(home: Path, entries: int) -> tuple[dict[str, str], str]:
    """An environment whose meme has that many entries, and the id of one of them."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MEME_", "OPENAI_"))}
    environment["MEME_HOME"] = str(home)
    os.environ.clear()
    os.environ.update(environment)
    from meme import Meme

    with Meme() as memory:
        turns = [{"speaker": "Ana", "text": text} for text in sentences(entries)]
        result = memory.add_turns(turns, infer=False)
        memory.search(QUERY)  # brings the indexes up
    return environment, result.added[0].id


def main() -> None:
    """Run every command and print one line each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5, help="processes per command (default 5)")
    parser.add_argument("--entries", type=int, default=500, help="entries in the store (default 500)")
    given = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="meme-bench-") as folder:
        environment, identity = prepared(Path(folder), given.entries)
        meme = [sys.executable, "-m", "meme_cli"]
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "python -c 'import meme'": [sys.executable, "-c", "import meme"],
            "meme --help": [*meme, "--help"],
            "meme get ID": [*meme, "get", identity],
            "meme list": [*meme, "list"],
            "meme add -s Ana TEXT": [*meme, "add", "-s", "Ana", "I would like to see the sea again."],
            "meme search --layers lexical": [*meme, "search", QUERY, "--layers", "lexical"],
            "meme search (all layers)": [*meme, "search", QUERY],
            "meme ask": [*meme, "ask", QUERY],
        }
        spent: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(given.runs):
            for name, command in commands.items():
                spent[name].append(once(command, environment))
        bare = min(spent["python -c pass"])
        print(f"cold start, {given.runs} fresh processes each, {given.entries} entries")
        for name, seconds in spent.items():
            figure = f"min {min(seconds):6.3f}  median {statistics.median(seconds):6.3f} s"
            show(name, figure, ratio=min(seconds) / bare)


if __name__ == "__main__":
    main()

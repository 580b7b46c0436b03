"""One of several processes that use one store at the same time.

Usage: process_worker.py FOLDER NAME TASK. It says "ready", waits for a line on its standard input,
does TASK ("mixed" or "same"), and prints what it did as one JSON line.
"""

import json
import sys
from pathlib import Path

from crash_worker import opened

from meme import Meme

ROUNDS = 12


def mixed(memory: Meme, name: str) -> dict[str, object]:
    """Add entries and turns, and look for one's own by word and, now and then, by meaning."""
    ids, misses = [], []
    for number in range(ROUNDS):
        content = f"The {name} note number{number} is here."
        (made,) = memory.add(content, infer=False).added
        ids.append(made.id)
        memory.add_dialogue(
            name, f"{name} said word{number}.", "2025-01-01T00:00:00Z", message_id=f"{name}-{number}"
        )
        layers = ["semantic"] if number % 4 == 3 else ["lexical"]
        hits = memory.search(content, layers=layers, top_k=200)  # type: ignore[arg-type]
        if made.id not in [hit.id for hit in hits]:
            misses.append(content)
    return {"ids": ids, "misses": misses}


def same(memory: Meme, name: str) -> dict[str, object]:
    """Submit messages that every other process submits too, some of them extracted at once."""
    added, duplicates = [], 0
    for number in range(ROUNDS):
        key = f"wh-{number}"
        kept = memory.add(f"I bought canoe number{number}.", infer=False, message_id=key)
        said = memory.add_dialogue(
            "Lio", f"I like lake number{number}.", "2025-08-03T15:00:00Z", message_id=f"d{key}"
        )
        plain = memory.add_dialogue("Lio", f"I swam in lake number{number}.", "2025-08-03T15:00:00Z")
        added += [entry.id for entry in kept.added]
        duplicates += kept.duplicates + said.duplicates + plain.duplicates
    return {"added": added, "duplicates": duplicates}


if __name__ == "__main__":
    folder, name, task = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    if task == "mixed":
        import lancedb  # noqa: F401 -- before the start, so that the work of all coincides
    import tantivy  # noqa: F401 -- as above

    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    with opened(folder) as memory:
        done = mixed(memory, name) if task == "mixed" else same(memory, name)
    sys.stdout.write(json.dumps(done) + "\n")

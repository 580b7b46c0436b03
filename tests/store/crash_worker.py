"""A process that works on a store until it is killed, telling each finished verb on its standard output.

Usage: crash_worker.py FOLDER SEED MODE. It waits for a line on its standard input before it begins,
so that its imports are done when the clock of its killer starts.
"""

import json
import random
import sys
from pathlib import Path

from meme import Config, EmbeddingConfig, Meme, StoreConfig
from meme.records import MemoryEntry

EMBEDDING = EmbeddingConfig(provider="hashing", dimension=16)


def opened(folder: Path) -> Meme:
    """A memory with real indexes and hashed vectors."""
    return Meme(user_id="ana", config=Config(embedding=EMBEDDING, store=StoreConfig(lancedb_path=folder)))


def tell(**what: object) -> None:
    """One finished verb, as one line in one write: a killed process has told it whole or not at all."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def work(memory: Meme, seed: int, mode: str) -> None:
    """Verbs without end. `mode`: "write", "lexical" (searches by word too), "all" (by meaning too)."""
    chance = random.Random(seed)
    living: dict[str, str] = {}
    number = 0
    while True:
        number += 1
        word = f"w{seed}x{number}"
        verb = chance.choice(["add", "add", "say", "update", "delete", "search"])
        if verb == "add":
            (made,) = memory.add(f"The note {word} is here.", infer=False, message_id=word).added
            living[made.id] = made.content
            tell(verb="add", id=made.id, content=made.content)
        elif verb == "say":
            memory.add_dialogue("Ana", f"I said {word}.", "2025-01-01T00:00:00Z", message_id=word)
            tell(verb="say", message=word, text=f"I said {word}.")
        elif verb == "update" and living:
            chosen = chance.choice(sorted(living))
            changed = memory.update(chosen, f"The note {word} is new.")
            living[chosen] = changed.content
            tell(verb="update", id=chosen, content=changed.content)
        elif verb == "delete" and living:
            chosen = chance.choice(sorted(living))
            memory.delete(chosen)
            del living[chosen]
            tell(verb="delete", id=chosen)
        elif verb == "search" and mode != "write":
            memory.search("note", layers=["lexical"] if mode == "lexical" else ["lexical", "semantic"])
            if number % 3 == 0:
                assert memory.doctor().verification.clean if mode == "all" else True
                tell(verb="search")


def is_active(entry: object) -> bool:
    return isinstance(entry, MemoryEntry) and entry.status == "active"


if __name__ == "__main__":
    import tantivy  # noqa: F401 -- before the start, so that kills hit work and not imports

    folder, seed, mode = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    if mode == "all":
        import lancedb  # noqa: F401 -- as above
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    with opened(folder) as memory:
        work(memory, seed, mode)

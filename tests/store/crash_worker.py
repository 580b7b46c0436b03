"""A process that works on a store until it is killed, telling what it starts and what it has finished.

Usage: crash_worker.py FOLDER SEED MODE. It says "ready" and waits for a line on its standard input,
so that its imports are done when its killer's clock starts. MODE is "write", "lexical" (searches by
word, which projects the lexicon) or "all" (has both indexes brought up and compared as well).
"""

import json
import random
import sys
from pathlib import Path

from meme import Config, EmbeddingConfig, Meme, PipelineConfig, StoreConfig


def opened(folder: Path) -> Meme:
    """A memory with real indexes and hashed vectors, in which turns stay pending."""
    config = Config(
        embedding=EmbeddingConfig(provider="hashing", dimension=16),
        store=StoreConfig(lancedb_path=folder),
        pipeline=PipelineConfig(window_size=100_000),
    )
    return Meme(user_id="ana", config=config)


def tell(**what: object) -> None:
    """One line in one write: a killed process has told it whole or not at all."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def work(memory: Meme, seed: int, mode: str) -> None:
    """Verbs without end; every one has a word of its own."""
    chance = random.Random(seed)
    living = [entry.id for entry in memory.list().entries]
    number = 0
    while True:
        number += 1
        word = f"w{seed}x{number}"
        verb = chance.choice(["add", "add", "say", "update", "delete", "look"])
        chosen = chance.choice(living) if living else None
        if verb == "add":
            tell(start=verb, content=f"The note {word} is here.")
            (made,) = memory.add(f"The note {word} is here.", infer=False, message_id=word).added
            living.append(made.id)
            tell(done=verb, id=made.id, content=made.content)
        elif verb == "say":
            tell(start=verb, text=f"I said {word}.")
            memory.add_dialogue("Ana", f"I said {word}.", "2025-01-01T00:00:00Z", message_id=word)
            tell(done=verb, text=f"I said {word}.")
        elif verb == "update" and chosen:
            tell(start=verb, id=chosen, content=f"The note {word} is new.")
            memory.update(chosen, f"The note {word} is new.")
            tell(done=verb, id=chosen, content=f"The note {word} is new.")
        elif verb == "delete" and chosen:
            tell(start=verb, id=chosen)
            memory.delete(chosen)
            living.remove(chosen)
            tell(done=verb, id=chosen)
        elif verb == "look" and mode == "lexical":
            memory.search(f"note {word}", layers=["lexical"])
        elif verb == "look" and mode == "all" and number % 2:
            assert memory.doctor().verification.clean


if __name__ == "__main__":
    folder, seed, mode = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    import tantivy  # noqa: F401 -- before the start, so that kills hit work and not imports

    if mode == "all":
        import lancedb  # noqa: F401 -- as above
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    with opened(folder) as memory:
        work(memory, seed, mode)

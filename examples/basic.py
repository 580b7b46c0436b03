"""Ten lines of memory: dialogue and a fact go in, a search and an answer come out.

Run it: python examples/basic.py (it writes to a folder that is thrown away).
"""

import tempfile
from pathlib import Path

from meme import Config, Meme, StoreConfig


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = StoreConfig(lancedb_path=Path(folder) / "lancedb")
        with Meme(user_id="ana", config=Config(store=store)) as memory:
            memory.add_dialogue("Alice", "Let's meet at Luna Cafe tomorrow at 2pm.", "2025-11-15T14:30:00")
            memory.add_dialogue("Bob", "Great, I will bring the budget report.", "2025-11-15T14:31:00")
            memory.finalize()
            memory.add("I prefer aisle seats.")

            results = memory.search("What will Bob bring?")
            print(memory.get(results[0].id).content)
            memory.update(results[0].id, "Bob will bring the travel plan.")
            for event in memory.history(results[0].id):
                print(f"{event.verb}: {event.before} -> {event.after}")
            memory.delete(results[0].id)

            answer = memory.ask("When will Alice and Bob meet?")
            print(answer.text, answer.citations)
            print(memory.ask("What will Bob bring?").text)


if __name__ == "__main__":
    main()

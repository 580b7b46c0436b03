"""A whole dialogue from a JSONL file, its bad lines told, and the memory exported again.

Run it: python examples/batch_import.py datasets/demo.jsonl export.jsonl
"""

import sys
import tempfile
from pathlib import Path

from meme import Config, Meme, StoreConfig


def main(source: Path, target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = StoreConfig(lancedb_path=Path(folder) / "lancedb")
        with Meme(user_id="ana", config=Config(store=store)) as memory:
            result, bad = memory.add_lines(source.read_text(encoding="utf-8").splitlines())
            print(f"{result.turns} turns, {len(result.added)} entries, coverage {result.coverage.share:.0%}")
            for line in bad:
                print(f"line {line.number} was left out: {line.problem}")
            print(f"{memory.export(target)} lines exported")
            for entry in memory.list(limit=3).entries:
                print("-", entry.content)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: batch_import.py DIALOGUE.jsonl EXPORT.jsonl")
    main(Path(sys.argv[1]), Path(sys.argv[2]))

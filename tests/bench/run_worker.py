"""A run in a process of its own, to be killed: `run_worker.py DATASET OUTPUT SYSTEM WORKERS [resume]`."""

import sys
from pathlib import Path

from meme import Config, EmbeddingConfig
from meme_bench.run import Options, run
from meme_bench.sources import load


def main() -> None:
    dataset, output, system, workers, *resume = sys.argv[1:]
    config = Config(embedding=EmbeddingConfig(provider="hashing"))
    options = Options(system=system, workers=int(workers), config=config)
    run(load(Path(dataset)), options, Path(output), resume=bool(resume))


if __name__ == "__main__":
    main()

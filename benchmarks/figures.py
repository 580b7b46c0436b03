"""What the benchmark scripts share: the machine's line, percentiles, sizes, aligned output, made-up input.

Flows in: measured seconds and bytes. Flows out: plain lines on stdout. Input is made from fixed seeds, so
two runs measure the same work.
"""

import os
import platform
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from meme.embed import pack

DIMENSION = 384
_WORDS = {
    "who": "Ana Ben Chloé Dmitri Esra Farid Greta Hugo Ines Jonas Kofi Lena Mateo Nadia Omar Petra",
    "did": "bought sold painted repaired borrowed lost found cooked planted photographed ordered wrapped",
    "how": "red old small wooden heavy bright cheap rare broken Turkish woollen silver quiet empty",
    "what": "bicycle guitar lamp table ticket kettle camera jacket novel piano tent carpet mirror basket "
    "violin blanket canoe telescope notebook oven puzzle rucksack saddle teapot umbrella vase wagon",
    "where": "Porto Lisbon Ghent Oslo Riga Turin Seville Krakow Bergen Malmö Split Tartu Basel Bilbao Cork "
    "Delft Graz Izmir Leeds Nantes Padua Uppsala",
}


def machine() -> str:
    """One line on what the figures were measured with."""
    model = next((line.split(":", 1)[1].strip() for line in _cpuinfo() if "model name" in line), "unknown")
    return f"machine: {os.cpu_count()} x {model}, {platform.system()}, Python {platform.python_version()}"


def _cpuinfo() -> Iterator[str]:
    try:
        yield from Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return


def show(name: str, value: str, floor: str = "", *, ratio: float | None = None) -> None:
    """One aligned line: what, how much, and the floor it is held against or its ratio to the first line."""
    note = f"floor: {floor}" if floor else "" if ratio is None else f"{ratio:7.1f} x bare"
    print(f"  {name:<46}{value:>32}   {note}".rstrip(), flush=True)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of the sorted values do not exceed (nearest rank)."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]


def spread(seconds: Sequence[float]) -> str:
    """Median and 95th percentile in milliseconds."""
    return f"p50 {1e3 * statistics.median(seconds):7.2f}  p95 {1e3 * percentile(seconds, 0.95):7.2f} ms"


@contextmanager
def timed() -> Iterator[Callable[[], float]]:
    """Inside and after the block, the returned function gives the seconds since it began (or it took)."""
    began, ended = time.perf_counter(), 0.0
    yield lambda: (ended or time.perf_counter()) - began
    ended = time.perf_counter()


def size(folder: Path, pattern: str = "**/*") -> int:
    """Bytes of all files under a folder that fit the pattern."""
    return sum(file.stat().st_size for file in folder.glob(pattern) if file.is_file())


def sentences(count: int, seed: int = 7) -> list[str]:
    """Short made-up statements, about 60 characters each."""
    chance = random.Random(seed)
    words = {slot: listed.split() for slot, listed in _WORDS.items()}
    made = []
    for number in range(count):
        one = {slot: chance.choice(listed) for slot, listed in words.items()}
        made.append(
            f"{one['who']} {one['did']} a {one['how']} {one['what']} in {one['where']}"
            f" for {chance.randint(3, 900)} euros on day {number}."
        )
    return made


class InstantEmbedder:
    """Random unit vectors made beforehand, handed out in turn: embedding costs nothing here."""

    def __init__(self, count: int = 2_000, dimension: int = DIMENSION, seed: int = 7) -> None:
        chance = random.Random(seed)
        self._dimension, self._next = dimension, 0
        self._ready = [self._unit(chance) for _ in range(count)]

    def _unit(self, chance: random.Random) -> bytes:
        values = [chance.gauss(0.0, 1.0) for _ in range(self._dimension)]
        norm = sum(value * value for value in values) ** 0.5
        return pack([value / norm for value in values])

    @property
    def id(self) -> str:
        """See meme.embed.Embedder."""
        return f"benchmark/instant-{self._dimension}"

    @property
    def dimension(self) -> int:
        """See meme.embed.Embedder."""
        return self._dimension

    async def embed(self, texts: Sequence[str]) -> list[bytes]:
        """See meme.embed.Embedder."""
        first, self._next = self._next, self._next + len(texts)
        return [self._ready[number % len(self._ready)] for number in range(first, self._next)]

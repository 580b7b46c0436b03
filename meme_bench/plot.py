"""One chart: groups of bars with their intervals.

Flows in: names and figures between 0 and 1. Flows out: a PNG or SVG file, by the file's ending. It knows
nothing of runs; what is drawn is chosen by the report.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from meme import UsageError

ENDINGS: Final = (".png", ".svg")
_WIDTH: Final = 0.8  # of the room between two groups


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of height `value`, with its interval; one without a value is left out."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """The bars of one colour, one for each group, in the order of the groups."""

    name: str
    bars: tuple[Bar, ...]


def check(path: Path) -> None:
    """Raise UsageError when no chart could be written to `path`, before anything is computed for it."""
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(f"A chart is a PNG or SVG file: {path} should end in .png or .svg.")
    try:
        import matplotlib  # noqa: F401, PLC0415 -- heavy, and an extra
    except ImportError as error:
        raise UsageError("A chart needs matplotlib: pip install 'meme-memory[plot]'.") from error


def draw(path: Path, title: str, groups: Sequence[str], series: Sequence[Series]) -> None:
    """Write the chart. Raises UsageError where matplotlib is missing or the file cannot be written."""
    check(path)
    import matplotlib as mpl  # noqa: PLC0415 -- heavy
    from matplotlib.figure import Figure  # noqa: PLC0415 -- heavy; without pyplot no display is looked for

    # Equal figures make equal files: no date, and ids drawn from a fixed salt.
    with mpl.rc_context({"svg.hashsalt": "meme-bench", "svg.fonttype": "none"}):
        figure = Figure(figsize=(max(7.0, 1.6 * len(groups)), 4.2), layout="constrained")
        axes = figure.subplots()
        width = _WIDTH / max(1, len(series))
        for number, one in enumerate(series):
            drawn = [(at, bar) for at, bar in enumerate(one.bars) if bar.value is not None]
            places = [at + (number - (len(series) - 1) / 2) * width for at, _ in drawn]
            heights = [100 * (bar.value or 0.0) for _, bar in drawn]
            axes.bar(places, heights, width, label=one.name, yerr=_whiskers([bar for _, bar in drawn]))
        axes.set_xticks(range(len(groups)), groups)
        axes.set_ylim(0, 100)
        axes.set_title(title, loc="left", fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)
        figure.legend(
            frameon=False, fontsize=8, loc="outside lower center", ncols=min(4, max(1, len(series)))
        )
        try:
            figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}.") from error


def _whiskers(bars: Sequence[Bar]) -> tuple[list[float], list[float]]:
    """How far the interval reaches below and above each bar, in points."""
    below = [100 * max(0.0, (bar.value or 0.0) - _or(bar.low, bar.value)) for bar in bars]
    above = [100 * max(0.0, _or(bar.high, bar.value) - (bar.value or 0.0)) for bar in bars]
    return below, above


def _or(value: float | None, otherwise: float | None) -> float:
    return value if value is not None else otherwise or 0.0

"""Rankings of several layers in, one list out, with every hit's share of its score kept.

A normalised weighted sum: plain reciprocal rank fusion lost to it on LoCoMo (recall@10 .569 against
.657 over turns). Pure arithmetic over keys; will not look at texts.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from meme.results import Part

Rankings = Mapping[str, Sequence[tuple[int, float]]]

WEIGHTS: Final[Mapping[str, float]] = {"semantic": 0.5, "lexical": 0.5, "structured": 0.1}
# Of a cited turn's score, which its entry gets on top of its own. Evidence recall@10 of extracted entries on
# LoCoMo's conv-26, 30 and 41 (383 questions): .779 at 0.3, .792 at 0.6, .799 at 1.0.
LIFT: Final = 1.0


@dataclass(frozen=True, slots=True)
class Fused:
    """A key with its total and what each layer added to it."""

    key: int
    score: float
    parts: Mapping[str, Part]


def normalised(ranked: Sequence[tuple[int, float]]) -> dict[int, float]:
    """Scores between 0 and 1: each one's share of the way from the list's worst to its best.

    The floor is a tenth, so that the last of a list still counts more than what is not in it.
    """
    if not ranked:
        return {}
    low, high = min(score for _, score in ranked), max(score for _, score in ranked)
    spread = high - low
    return {key: 0.1 + 0.9 * (score - low) / spread if spread > 0 else 1.0 for key, score in ranked}


def fuse(rankings: Rankings, lifts: Mapping[int, Sequence[int]], alone: Collection[int] = ()) -> list[Fused]:
    """Best first. `lifts` maps the key of a cited turn to the keys of the entries that cite it.

    A cited turn is no hit of its own; in each layer its score lifts its entries, the best turn counting.
    Turns in `alone`, which wait to be extracted, stand for their entry as well, and lift themselves.
    """
    totals: dict[int, dict[str, Part]] = {}
    for layer, ranked in rankings.items():
        weight = WEIGHTS.get(layer, 0.0)
        scores = normalised(ranked)
        rank_of = {key: rank for rank, (key, _) in enumerate(ranked, 1)}
        raw = dict(ranked)
        lifted: dict[int, tuple[float, int]] = {}
        for turn, entries in lifts.items():
            for entry in entries:
                if turn in scores:
                    lifted[entry] = max(lifted.get(entry, (0.0, 0)), (scores[turn], turn))
        lifted |= {key: (scores[key], key) for key in alone if key in scores}
        for key in (scores.keys() | lifted.keys()) - lifts.keys():
            gain, turn = lifted.get(key, (0.0, 0))
            share = weight * (scores.get(key, 0.0) + LIFT * gain)
            source = key if key in scores else turn
            totals.setdefault(key, {})[layer] = Part(rank_of[source], raw[source], share)
    fused = [Fused(key, sum(part.weight for part in parts.values()), parts) for key, parts in totals.items()]
    return sorted(fused, key=lambda one: (-one.score, one.key))

"""Rankings of several layers in, one list out, with every hit's share of its score kept.

A normalised weighted sum: plain reciprocal rank fusion lost to it on LoCoMo (recall@10 .569 against
.657 over turns). On top of it what a dialogue adds: a turn shares in the score of the turns beside it,
a session that has much of what is asked for lifts all of it, as does being said by somebody the question
names; and what is said of one moment already makes room for others. Each pays (decision 0008). Pure
arithmetic over keys; will not look at texts.
"""

import heapq
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from meme.results import Part

Rankings = Mapping[str, Sequence[tuple[int, float]]]

WEIGHTS: Final[Mapping[str, float]] = {"semantic": 0.5, "lexical": 0.5, "structured": 0.1}
# Of a cited turn's score, which its entry gets on top of its own. Evidence recall@10 of extracted entries on
# LoCoMo's conv-26, 30 and 41 (383 questions): .779 at 0.3, .792 at 0.6, .799 at 1.0.
LIFT: Final = 1.0


SHARE: Final = 0.2  # of a turn's score, which the turns beside it get
SESSION: Final = 0.3  # what the session with most of the score adds to its hits, others in proportion
SPEAKER: Final = 0.2  # what being said by a person of the question adds
REPEATED: Final = 0.7  # a hit's score, once for each better hit on the same turns


@dataclass(frozen=True, slots=True)
class Talk:
    """Where the keys stand in the talk.

    `cites` maps a cited turn to the entries that cite it, `sources` an entry to its turns, oldest first.
    `session` and `speaker` are of turns, `beside` holds the turns just before and after. Turns in `alone`
    wait to be extracted and stand for their entry as well.
    """

    cites: Mapping[int, Sequence[int]] = field(default_factory=dict)
    sources: Mapping[int, Sequence[int]] = field(default_factory=dict)
    session: Mapping[int, str] = field(default_factory=dict)
    speaker: Mapping[int, str] = field(default_factory=dict)
    beside: Mapping[int, Sequence[int]] = field(default_factory=dict)
    alone: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class Fused:
    """A key with its total and what each layer, and its place in the talk, added to it."""

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


def fuse(
    rankings: Rankings, talk: Talk, persons: Collection[str] = (), *, most: int | None = None
) -> list[Fused]:
    """Best first, `most` of them. `persons` are the folded names of those the question is about.

    A cited turn is no hit of its own; in each layer its score lifts its entries, the best turn counting.
    """
    totals: dict[int, dict[str, Part]] = {}
    ranked_anywhere = {key for ranked in rankings.values() for key, _ in ranked}
    found = ranked_anywhere.union(*(talk.cites.get(key, ()) for key in ranked_anywhere))
    for layer, ranked in rankings.items():
        weight = WEIGHTS.get(layer, 0.0)
        rank_of = {key: rank for rank, (key, _) in enumerate(ranked, 1)}
        raw = dict(ranked)
        for key, (score, source) in _in_layer(normalised(ranked), talk).items():
            if key not in found:
                continue  # what stands beside a hit is lifted by it, and is no hit for that alone
            totals.setdefault(key, {})[layer] = Part(rank_of[source], raw[source], weight * score)
    _place(totals, talk, persons)
    return _varied(totals, talk, len(totals) if most is None else most)


def _in_layer(scores: Mapping[int, float], talk: Talk) -> dict[int, tuple[float, int]]:
    """What a layer adds to each hit, and the ranked key that it comes from most."""
    shared: dict[int, tuple[float, int]] = {}
    for turn, score in scores.items():
        for other in talk.beside.get(turn, ()):
            shared[other] = max(shared.get(other, (0.0, 0)), (SHARE * score, turn))
    lifts: dict[int, tuple[float, int]] = {}
    for turn in (scores.keys() | shared.keys()) & (talk.cites.keys() | set(talk.alone)):
        extra, source = shared.get(turn, (0.0, turn))
        gain = (scores.get(turn, 0.0) + extra, turn if turn in scores else source)
        for entry in talk.cites.get(turn, (turn,)):
            lifts[entry] = max(lifts.get(entry, (0.0, 0)), gain)
    found: dict[int, tuple[float, int]] = {}
    for key in (scores.keys() | lifts.keys() | shared.keys()) - talk.cites.keys():
        extra, beside = shared.get(key, (0.0, key))
        lifted, turn = lifts.get(key, (0.0, key))
        source = key if key in scores else turn if key in lifts else beside
        found[key] = (scores.get(key, 0.0) + extra + LIFT * lifted, source)
    return found


def _place(totals: dict[int, dict[str, Part]], talk: Talk, persons: Collection[str]) -> None:
    """Add what a hit's session and speaker are worth."""
    place = {key: (talk.sources.get(key) or (key,))[-1] for key in totals}
    weight: dict[str, float] = {}
    for key, turn in place.items():
        if turn in talk.session:
            gained = sum(part.weight for part in totals[key].values())
            weight[talk.session[turn]] = weight.get(talk.session[turn], 0.0) + gained
    most = max(weight.values(), default=0.0)
    for key, turn in place.items():
        share = weight.get(talk.session.get(turn, ""), 0.0) / most if most and turn in talk.session else 0.0
        if share and len(weight) > 1:
            totals[key]["session"] = Part(1, share, SESSION * share)
        if talk.speaker.get(turn) in persons:
            totals[key]["speaker"] = Part(1, 1.0, SPEAKER)


def _varied(totals: Mapping[int, dict[str, Part]], talk: Talk, most: int) -> list[Fused]:
    """Best first, each hit worth less for every better one that rests on the same turns."""
    plain = {key: sum(part.weight for part in parts.values()) for key, parts in totals.items()}
    waiting = [(-score, key) for key, score in plain.items()]
    heapq.heapify(waiting)
    told: Counter[int] = Counter()
    best: list[Fused] = []
    while waiting and len(best) < most:
        score, key = heapq.heappop(waiting)
        turns = talk.sources.get(key) or (key,)
        repeats = min(told[turn] for turn in turns)
        worth = plain[key] * REPEATED**repeats
        if worth < -score:  # better hits on its turns came meanwhile: it has to stand in line again
            heapq.heappush(waiting, (-worth, key))
            continue
        told.update(turns)
        again = {"repeats": Part(1, float(repeats), worth - plain[key])} if repeats else {}
        best.append(Fused(key, worth, {**totals[key], **again}))
    return best

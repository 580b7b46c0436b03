"""How much of the evidence the retrieved items lead to.

Flows in: answers with their hits and evidence. Flows out: recall and precision at several depths, nDCG at
10. A hit counts for every turn among its sources; a system whose items rest on many turns finds evidence
easily, so the number of turns that the hits name stands beside the recall.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log2
from typing import Final

from meme_bench.records import Answered, Built
from meme_bench.scores.intervals import Figure, mean

DEPTHS: Final = (5, 10, 20, 30)
_TOO_MUCH: Final = 0.3

Hits = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Depth:
    """At one k: recall, precision, and the mean number of different turns that the first k hits name."""

    recall: Figure
    precision: Figure
    turns: float


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Retrieval over `n` questions with evidence; `without_evidence` others were left out."""

    n: int
    without_evidence: int
    at: dict[str, Depth]
    ndcg10: Figure


def retrieval(answers: Sequence[Answered], seed: int = 0) -> Retrieval | None:
    """Retrieval over all answers; None where the system retrieves nothing at all.

    A question that failed, or that came back without hits, counts with its recall of 0.
    """
    if not any(one.hits for one in answers):
        return None
    counted = [one for one in answers if one.evidence]
    return Retrieval(
        n=len(counted),
        without_evidence=len(answers) - len(counted),
        at={str(k): _at(counted, k, seed) for k in DEPTHS},
        ndcg10=mean([ndcg(one.hits, one.evidence, 10) for one in counted], seed),
    )


def _at(answers: Sequence[Answered], k: int, seed: int) -> Depth:
    named = [len(_turns(one.hits[:k])) for one in answers]
    return Depth(
        recall=mean([recall(one.hits, one.evidence, k) for one in answers], seed),
        precision=mean([precision(one.hits, one.evidence, k) for one in answers], seed),
        turns=sum(named) / len(named) if named else 0.0,
    )


def recall(hits: Hits, evidence: Sequence[str], k: int) -> float:
    """The share of the evidence turns that the first k hits name."""
    return len(_turns(hits[:k]) & set(evidence)) / len(set(evidence))


def precision(hits: Hits, evidence: Sequence[str], k: int) -> float:
    """The share of the first k hits that name an evidence turn; of those there are, where they are fewer."""
    first = hits[:k]
    return sum(not set(evidence).isdisjoint(hit) for hit in first) / len(first) if first else 0.0


def ndcg(hits: Hits, evidence: Sequence[str], k: int) -> float:
    """Each evidence turn gains 1 at the first hit that names it, discounted by rank.

    The ideal has one evidence turn a hit, best first; hits that name several at once can reach it
    earlier and are cut at 1.
    """
    wanted, gained = set(evidence), 0.0
    for rank, hit in enumerate(hits[:k], 1):
        new = wanted & set(hit)
        gained += len(new) / log2(rank + 1)
        wanted -= new
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(len(set(evidence)), k) + 1))
    return min(1.0, gained / ideal)


def flags(answers: Iterable[Answered], built: Iterable[Built]) -> tuple[str, ...]:
    """What makes a recall worth little: depths that return more than 30 % of a store or of a conversation."""
    sizes = {one.conversation: one for one in built}
    stored: dict[int, set[str]] = {k: set() for k in DEPTHS}
    turns: dict[int, set[str]] = {k: set() for k in DEPTHS}
    for one in answers:
        size = sizes.get(one.conversation)
        if size is None:
            continue
        for k in DEPTHS:
            if len(one.hits[:k]) > _TOO_MUCH * size.stored:
                stored[k].add(one.conversation)
            if len(_turns(one.hits[:k])) > _TOO_MUCH * size.turns:
                turns[k].add(one.conversation)
    return (
        *_flag(stored, sizes, "return more than 30 % of what is stored"),
        *_flag(turns, sizes, "name more than 30 % of a conversation's turns"),
    )


def _flag(found: dict[int, set[str]], sizes: dict[str, Built], what: str) -> Iterable[str]:
    """The smallest depth with each number of conversations: a greater one says no more."""
    told = 0
    for k, conversations in found.items():
        if len(conversations) > told:
            told = len(conversations)
            yield f"k = {k}: the hits {what} in {told} of {len(sizes)} conversations."


def _turns(hits: Hits) -> set[str]:
    return {turn for hit in hits for turn in hit}

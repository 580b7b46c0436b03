"""What a new fact is compared with: the few known entries and earlier facts that it may repeat or change.

Flows in: a window's facts and the neighbours found for each. Flows out: the reconciler's payload, with short
ids for everything. Will not compare: a near entry is offered, no more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from meme.language.words import fold, stems
from meme.records import Fact, MemoryEntry, Neighbour
from meme.write.reconcile_by_rule.corrections import correction_in
from meme.write.reconcile_by_rule.statement import CORRECTION
from meme.write.reconcile_by_rule.views import View, shares_slot, view_of
from meme.write.shapes import Candidate, NewFact, ReconcilePayload


def payload_of(
    facts: Sequence[Fact], neighbours: Sequence[Sequence[Neighbour]]
) -> tuple[ReconcilePayload, dict[str, MemoryEntry]]:
    """Short refs for everything: n1... for facts, m1... for distinct neighbours, and the entries by ref."""
    refs: dict[str, str] = {}
    entries: dict[str, MemoryEntry] = {}
    similarity: dict[tuple[str, str], float] = {}
    new = [
        NewFact(f"n{i}", fact.content, fact.said_at, fact.persons, fact.entities, fact.happened)
        for i, fact in enumerate(facts, 1)
    ]
    views = [view_of(fact) for fact in new]
    told = [_Told.of(fact) for fact in facts]
    for i, view in enumerate(views):
        near: list[str] = []
        for neighbour in _worth_comparing(view, neighbours[i] if i < len(neighbours) else ()):
            memory = neighbour.memory
            ref = refs.setdefault(memory.id, f"m{len(refs) + 1}")
            entries[ref] = memory
            near.append(ref)
            if neighbour.similarity:
                similarity[(f"n{i + 1}", ref)] = neighbour.similarity
        near += [f"n{j + 1}" for j in _akin(facts, views, told, i)]
        new[i] = replace(new[i], near=tuple(near))
    candidates = tuple(_candidate(ref, memory) for ref, memory in entries.items())
    return ReconcilePayload(tuple(new), candidates, similarity), entries


def _candidate(ref: str, memory: MemoryEntry) -> Candidate:
    return Candidate(ref, memory.content, memory.said_at, memory.persons, memory.entities, memory.happened)


# What a fact is compared with, besides all that fills its slot. With 8 neighbours by meaning, 5 by word and
# every akin fact of the window, the comparison of a full window took 19,000 tokens; of the 20 entries that
# LoCoMo's conv-26, 30 and 41 say again, 19 are the nearest by meaning and one is the third.
BY_MEANING: Final = 3
BY_WORD: Final = 1
AKIN: Final = 2
CORRECTED: Final = 6  # how many facts back a correction of a value may reach by that value alone


def _worth_comparing(view: View, neighbours: Sequence[Neighbour]) -> list[Neighbour]:
    """The nearest by meaning, the best by word, and those that fill the fact's own slot."""
    by_meaning = [one for one in neighbours if one.similarity][:BY_MEANING]
    by_word = [one for one in neighbours if not one.similarity][:BY_WORD]
    return [
        one
        for one in neighbours
        if one in by_meaning or one in by_word or shares_slot(view, view_of(_candidate("", one.memory)))
    ]


@dataclass(frozen=True, slots=True)
class _Told:
    """What makes two facts of a window akin: whom they name, and their content stems."""

    named: frozenset[str]
    stems: frozenset[str]

    @classmethod
    def of(cls, fact: Fact) -> "_Told":
        return cls(frozenset(map(fold, (*fact.persons, *fact.entities))), frozenset(stems(fact.content)))


def _akin(facts: Sequence[Fact], views: Sequence[View], told: Sequence[_Told], at: int) -> list[int]:
    """Which earlier facts of the window the one at `at` is compared with, by place.

    The likest of those that share a person, an entity or two content stems with it, those that fill its
    slot, and what a bare correction may follow.
    """
    fact, own, likeness = facts[at], told[at], dict[int, int]()
    for place, earlier in enumerate(told[:at]):
        shared = len(own.stems & earlier.stems)
        if shared >= 2 or own.named & earlier.named:
            likeness[place] = shared
    likest = sorted(likeness, key=lambda place: (-likeness[place], at - place))[:AKIN]
    slot = [place for place in range(at) if shares_slot(views[at], views[place])]
    back = CORRECTED if correction_in(fact.content) else 1 if CORRECTION.search(fact.content) else 0
    return sorted({*likest, *slot, *range(max(0, at - back), at)})

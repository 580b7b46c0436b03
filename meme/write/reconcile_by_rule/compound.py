"""A new fact held against a known entry, clause by clause where either is a compound sentence.

Flows in: a fact and a candidate. Flows out: a Finding; where it closes a compound entry, its
text carries over what else that entry states. Will not weigh several candidates.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from meme.write.reconcile_by_rule.clauses import Clause, answered, clauses
from meme.write.reconcile_by_rule.compare import judge
from meme.write.reconcile_by_rule.views import MORE, UNRELATED, Finding, View, details_beyond, view_of
from meme.write.shapes import Candidate, NewFact


def compared(fact: NewFact, known: Candidate) -> Finding:
    """What the fact means for the entry; UNRELATED where no rule applies."""
    mine, theirs = clauses(fact.text), clauses(known.text)
    whole = judge(view_of(fact), view_of(known))
    if len(mine) == len(theirs) == 1 and not answered(fact.text) and not answered(known.text):
        return whole
    if whole.op == "NOOP" or whole is MORE or whole.text == "" or view_of(fact).statement.forget:
        return whole
    for new, old, clause in _pairs(fact, known):
        finding = judge(new, old)
        if finding.op in ("UPDATE", "DELETE") and finding is not MORE:
            return _carrying(finding, fact, [c for c in theirs if c != clause])
    return UNRELATED


def pairs(fact: NewFact, known: Candidate) -> Iterator[tuple[View, View]]:
    """The clauses of both, each with each; those without a subject of their own left out."""
    return ((new, old) for new, old, _ in _pairs(fact, known))


def _pairs(fact: NewFact, known: Candidate) -> Iterator[tuple[View, View, Clause]]:
    for clause in clauses(known.text):
        old = view_of(replace(known, text=clause.text))
        for my in clauses(fact.text):
            new = view_of(replace(fact, text=my.text))
            if new.statement.subject.head and old.statement.subject.head:
                yield new, old, clause


def _carrying(finding: Finding, fact: NewFact, others: list[Clause]) -> Finding:
    """The finding with the other clauses of the entry in its text, as far as they state something."""
    told = view_of(fact).statement
    kept = []
    for clause in others:
        view = view_of(Candidate("", clause.text, fact.said_at))
        told_more = details_beyond(view.statement, told) - view.statement.numbers
        states = view.slot is not None or told_more or re.search(r"\d", clause.text)
        repeats = view.statement.content <= told.content
        if view.statement.subject.head and not clause.dependent and states and not repeats:
            kept.append(clause.text)
    if not kept:
        return replace(finding, text=None) if others else finding
    text = " ".join((fact.text.strip().rstrip(".") + ".", *kept))
    return Finding("UPDATE", finding.reason, text, finding.weight, vague=finding.vague)

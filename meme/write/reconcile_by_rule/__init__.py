"""The embedded default's reconciler: verdicts on new facts from words alone, no model.

Flows in: a window's new facts and the known entries near them. Flows out: a verdict for every
fact. It would rather keep two entries than close a true one: a fact closes only an entry that
shares its subject and its slot, or that it denies in the same words.

- Another value in a single-valued slot is an UPDATE; a new value of taste ("loves" → "can't
  stand") is one too.
- A plain denial ("no longer", "stopped", "was not Max") is a DELETE, and the new statement is
  kept; only a request to forget keeps nothing.
- Similarity only chooses between entries that say the same. It decides no verdict: with MiniLM
  "from Paris to Rome" and "from Rome to Paris" have cosine 1.00, "a brother" and "a sister" .93,
  true paraphrases .70 to 1.00, so no threshold tells a paraphrase from a changed word.
- The same statement with more in it is an UPDATE if everything known is in the new one, else an
  ADD: nothing may be lost. With less in it, it is a NOOP.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from meme.write.reconcile_by_rule.compare import judge
from meme.write.reconcile_by_rule.views import Finding, View, view_of
from meme.write.shapes import Candidate, DecisionReply, NewFact, ReconcilePayload, ReconcileReply


def reconcile_by_rule(payload: ReconcilePayload) -> ReconcileReply:
    """Decide every new fact of a window, in order.

    A fact that closes several entries gets one item for each. Similarities may be absent.
    """
    closed: set[str] = set()
    merged: set[str] = set()
    decisions: list[DecisionReply] = []
    for fact in payload.facts:
        near = [c for c in payload.near(fact) if c.ref not in closed | merged]
        items = _decide(fact, near, payload)
        decisions += items
        for item in items:
            if item.op in ("UPDATE", "DELETE") and item.id:
                closed.add(item.id)
            if item.op == "NOOP" or item.text == "":
                merged.add(fact.ref)  # carried by another entry, or by none: nothing to compare with
    return ReconcileReply(decisions=list(decisions))


@dataclass(frozen=True, slots=True)
class _Judged:
    candidate: Candidate
    finding: Finding
    similarity: float = 0.0


def _decide(fact: NewFact, near: Sequence[Candidate], payload: ReconcilePayload) -> list[DecisionReply]:
    new = view_of(fact)
    judged = [
        _Judged(c, judge(new, view_of(c)), payload.similarity.get((fact.ref, c.ref), 0.0)) for c in near
    ]
    closing = [j for j in judged if j.finding.op in ("UPDATE", "DELETE")]
    same = [j for j in judged if j.finding.op == "NOOP"]
    if closing and same and all(j.finding.op == "UPDATE" for j in closing):
        # Known already, but an outdated value stands beside it: the new statement replaces both.
        closing += [_Judged(j.candidate, Finding("UPDATE", "says the same")) for j in same if _covers(new, j)]
        same = [] if len(closing) > 1 else same
    if same:
        best = max(same, key=lambda j: (j.finding.weight, j.similarity))
        return [_item(fact, best)]
    if closing := _nearest_only(closing):
        return [_item(fact, j) for j in closing]
    return [DecisionReply(new=fact.ref, op="ADD", reason="nothing known says or contradicts this")]


def _covers(new: View, judged: _Judged) -> bool:
    known = view_of(judged.candidate).statement
    return known.details <= new.statement.details


def _nearest_only(closing: list[_Judged]) -> list[_Judged]:
    """What a statement that leaves its subject out, or names little of it, can mean: one entry, not all."""
    elliptic = [j for j in closing if j.finding.elliptic]
    vague = [j for j in closing if j.finding.vague]
    if len(vague) > 1 and not elliptic:
        # "That gateway" is one of them: the one spoken of last, or nobody can tell.
        last = max(j.candidate.said_at for j in vague)
        latest = [j for j in vague if j.candidate.said_at == last]
        return [j for j in closing if not j.finding.vague] + (latest if len(latest) == 1 else [])
    if not elliptic:
        return closing
    return [max(elliptic, key=lambda j: (j.candidate.ref[:1] == "n", _number(j.candidate.ref)))]


def _number(ref: str) -> int:
    digits = "".join(c for c in ref if c.isdigit())
    return int(digits) if digits else 0


def _item(fact: NewFact, judged: _Judged) -> DecisionReply:
    finding = judged.finding
    return DecisionReply(
        new=fact.ref, op=finding.op, id=judged.candidate.ref, text=finding.text, reason=finding.reason
    )

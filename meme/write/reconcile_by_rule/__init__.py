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
- A correction of a value ("the 14th, not the 12th") goes to the one entry that holds the refuted
  value, whose sentence is restated with the right one.
- A plan is closed when it is carried out or called off, never by another plan. That somebody
  stopped a habit closes the habit, not the event of its start.
- A compound entry is compared clause by clause; what else it states is carried into the new one.
- The same statement with more in it is an UPDATE if everything known is in the new one, else an
  ADD: nothing may be lost. With less in it, it is a NOOP.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from meme.write.reconcile_by_rule.compound import compared
from meme.write.reconcile_by_rule.corrections import Correction, correction_in, target_of
from meme.write.reconcile_by_rule.views import OLDER, UNRELATED, Finding, view_of
from meme.write.shapes import Candidate, DecisionReply, NewFact, ReconcilePayload, ReconcileReply


def reconcile_by_rule(payload: ReconcilePayload) -> ReconcileReply:
    """Decide every new fact of a window, in order.

    A fact that closes several entries gets one item for each. Similarities may be absent.
    """
    closed: set[str] = set()
    merged: set[str] = set()
    restated: dict[str, str] = {}
    decisions: list[DecisionReply] = []
    for fact in payload.facts:
        near = [c for c in payload.near(fact) if c.ref not in closed | merged]
        near = [replace(c, text=restated.get(c.ref, c.text)) for c in near]
        items = _decide(fact, near, payload)
        decisions += items
        for item in items:
            if item.op in ("UPDATE", "DELETE") and item.id:
                closed.add(item.id)
            if item.op == "NOOP" or item.text == "":
                merged.add(fact.ref)  # carried by another entry, or by none: nothing to compare with
            elif item.text:
                restated[fact.ref] = item.text
    return ReconcileReply(decisions=list(decisions))


@dataclass(frozen=True, slots=True)
class _Judged:
    candidate: Candidate
    finding: Finding
    similarity: float = 0.0


def _decide(fact: NewFact, near: Sequence[Candidate], payload: ReconcilePayload) -> list[DecisionReply]:
    correction = correction_in(fact.text)
    if correction:
        return [_correct(correction, fact, near)]
    judged = [_Judged(c, compared(fact, c), payload.similarity.get((fact.ref, c.ref), 0.0)) for c in near]
    closing = [j for j in judged if j.finding.op in ("UPDATE", "DELETE")]
    same = [j for j in judged if j.finding.op == "NOOP"]
    if closing and same and all(j.finding.op == "UPDATE" for j in closing):
        # Known already, but an outdated value stands beside it: the new statement replaces both.
        closing += [
            _Judged(j.candidate, Finding("UPDATE", "says the same")) for j in same if _covers(fact, j)
        ]
        same = [] if len(closing) > 1 else same
    if same:
        best = max(same, key=lambda j: (j.finding.weight, j.similarity))
        return [_item(fact, best)]
    if closing := _nearest_only(closing, view_of(fact).people):
        return [_item(fact, j) for j in closing]
    reason = next((j.finding.reason for j in judged if j.finding is OLDER), UNRELATED.reason)
    return [DecisionReply(new=fact.ref, op="ADD", reason=reason)]


def _correct(correction: Correction, fact: NewFact, near: Sequence[Candidate]) -> DecisionReply:
    """The one entry that holds the refuted value, with the right one put in; else the fact stands alone."""
    target = target_of(correction, fact, near)
    if target is None:
        return DecisionReply(new=fact.ref, op="ADD", reason="no entry is sure to hold the value it corrects")
    known, text = target
    reason = f"corrected: {correction.value}, not {correction.old}"
    return DecisionReply(new=fact.ref, op="UPDATE", id=known.ref, text=text, reason=reason)


def _covers(fact: NewFact, judged: _Judged) -> bool:
    known = view_of(judged.candidate).statement
    return known.details <= view_of(fact).statement.details


def _nearest_only(closing: list[_Judged], people: frozenset[str]) -> list[_Judged]:
    """What a statement that leaves its subject out, or names little of it, can mean: one entry, not all."""
    elliptic = [j for j in closing if j.finding.elliptic]
    vague = [j for j in closing if j.finding.vague]
    if len(vague) > 1 and not elliptic:
        # "That gateway" is one of them: the one spoken of last, or nobody can tell.
        last = max(j.candidate.said_at for j in vague)
        latest = [j for j in vague if j.candidate.said_at == last]
        if len(latest) > 1:
            latest = [j for j in latest if people & view_of(j.candidate).people]
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

"""A reconciler's raw items in, checked verdicts by fact out; and what may never close what.

Flows in: the untrusted list of a reply. Flows out: normalised verdicts, each pointing at an
offered candidate or carrying a flag that names the offending value. Will not touch entries.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import ValidationError

from meme.language.identify import language
from meme.language.words import fold, stems
from meme.write.reconcile_by_rule.compound import pairs
from meme.write.reconcile_by_rule.corrections import applied, correction_in
from meme.write.reconcile_by_rule.plans import called_off, taken_up
from meme.write.reconcile_by_rule.views import View, shares_slot, shares_subject, view_of
from meme.write.shapes import Candidate, DecisionReply, NewFact, ReconcilePayload


@dataclass(frozen=True, slots=True)
class Verdict:
    """One item of a reply after checking. With a `flag` it counts for nothing but its flag."""

    op: Literal["ADD", "UPDATE", "DELETE", "NOOP"]
    ref: str = ""
    text: str | None = None
    reason: str = ""
    flag: str | None = None


def verdicts_by_fact(
    items: Sequence[Any], payload: ReconcilePayload
) -> tuple[dict[str, list[Verdict]], list[str]]:
    """The items sorted by the fact they are about, and notes on those that are about none.

    An item that names no fact belongs to the only fact of a window, else to nobody.
    """
    by_fact: dict[str, list[Verdict]] = {}
    notes: list[str] = []
    facts = {fact.ref: fact for fact in payload.facts}
    for item in items:
        named = item.model_dump() if isinstance(item, DecisionReply) else item
        if not isinstance(named, dict):
            notes.append(f"item ignored, not an object: {_brief(item)}")
            continue
        ref = _ref(named.get("new"), "n")
        if not ref and len(facts) == 1:
            ref = next(iter(facts))
        if ref not in facts:
            notes.append(f"item ignored, new={_brief(named.get('new'))} is no fact that was asked about")
            continue
        by_fact.setdefault(ref, []).append(_checked(named, facts[ref]))
    return by_fact, notes


def _checked(raw: dict[str, Any], fact: NewFact) -> Verdict:
    try:
        item = DecisionReply.model_validate(raw)
    except ValidationError as error:
        fields = sorted({str(e["loc"][0]) for e in error.errors() if e["loc"]})
        named = ", ".join(f"{name}={_brief(raw.get(name))}" for name in fields)
        return Verdict("ADD", flag=f"{type(error).__name__}: {named}")
    if item.op == "ADD":
        return Verdict("ADD", reason=item.reason)
    ref = _ref(item.id, "m")
    if ref not in fact.near:
        return Verdict("ADD", flag=f"{item.op} names id={_brief(raw.get('id'))}, which was not offered")
    return Verdict(item.op, ref, item.text, item.reason)


def _ref(value: Any, letter: str) -> str:
    """ "m2" from "m2", " M2 ", "[m2]", "2" or 2; "" where there is no such thing."""
    match = re.fullmatch(r"\W*([a-z]?)0*(\d+)\W*", fold(str(value)))
    if match is None or isinstance(value, bool | float):
        return ""
    return f"{match[1] or letter}{match[2]}"


def _brief(value: Any) -> str:
    return repr(value)[:60]


_CONTRADICTS: Final = re.compile(
    r"\bno longer\b|\bany ?more\b|\binstead\b|\bactually\b|\bnot\b|n't\b|\bwrong\b|\brather than\b", re.I
)


_ENDS: Final = re.compile(
    r"\bno longer\b|\bany ?more\b|\bnot\b|n't\b|\bnever\b|\bnor\b|\bwithout\b|\bwrong\b|\bfalse\b|\bmistake"
    r"|\b(?:stop|quit|cancel|end|finish|close|los|s[oe]l[dl]|die|pass|leave|left|g[ao]ve|got rid|br[eo]a?k"
    r"|split|divorc|retir|resign|fire|delete|remove|drop|return|over|gone|expire|former|ex-|used to|instead"
    r"|moved|forget|hate|hates|dislike)",
    re.IGNORECASE,
)


def refusal(fact: NewFact, known: Candidate, op: str = "UPDATE") -> str | None:
    """Why `fact` may not close `known` by `op`, or None.

    It may not if it was said before it, if they are about different people or fill different
    slots, or if it adds ("also ...") without contradicting. Of compound sentences one clause
    that may is enough. Where the rules know no slot the model is believed; but an English fact that
    says of nothing that it is over cannot DELETE.
    """
    if op == "DELETE" and language(fact.text) == "en" and not _ENDS.search(fact.text):
        return "it does not say that anything is over"
    if fact.said_at < known.said_at and fact.said_at.date() != known.said_at.date():
        return "it was said before the entry"
    found = correction_in(fact.text)
    if found and applied(found, known.text):
        return None
    why = _refused(view_of(fact), view_of(known))
    if why and any(_refused(new, old) is None for new, old in pairs(fact, known)):
        return None
    return why


def _refused(new: View, old: View) -> str | None:
    if new.statement.correction or new.statement.wrong or new.statement.forget:
        return None if _touches(new, old) or not new.statement.subject.head else "another subject"
    if shares_slot(new, old) or called_off(new, old):
        return None
    if not _touches(new, old):
        return "another subject"
    if new.statement.denies:
        return None
    if new.slot and old.slot and not (_one_slot(new, old) or taken_up(new, old)):
        return f"another slot ({new.slot.kind}, not {old.slot.kind})"
    if new.statement.additive and not _CONTRADICTS.search(new.statement.text):
        return "it adds to the entry and contradicts nothing"
    return None


def _one_slot(new: View, old: View) -> bool:
    """Whether two known slots may be one after all: a day and an hour, or one thing's value."""
    if not new.slot or not old.slot:
        return True
    loose = {"date", "time", "value", "number", "price", "version"}
    return new.slot.kind == old.slot.kind or {new.slot.kind, old.slot.kind} <= loose


def _touches(new: View, old: View) -> bool:
    """Whether they share a subject: the same one, a name or noun of one in the other, or a named person.

    Two statements whose subjects are different people share none, whatever else they mention.
    """
    if shares_subject(new, old):
        return True
    a, b = new.statement, old.statement
    mentioned = set(b.subject.head) <= a.content or set(a.subject.head) <= b.content
    if a.subject.animate and b.subject.animate:
        return bool(a.wrong or a.replaced) and mentioned
    if a.subject.head and b.subject.head and mentioned:
        return True
    return bool(new.people & old.people) or len(set(stems(a.text)) & set(stems(b.text))) >= 2

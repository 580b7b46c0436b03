"""New facts and their neighbours in, one enforced decision for every fact out.

A model (or the rules) proposes verdicts; the code here holds them to the rules of the house:
only offered candidates, one verdict for every fact, no entry closed without reason, nothing
lost. A verdict that breaks one becomes ADD with a flag. Reads and writes no store.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final

from meme.errors import ProviderError, ReplyError, TruncatedError
from meme.language import times
from meme.language.words import fold
from meme.llm import LLM, Request
from meme.llm.exchange import exchange
from meme.prompts import as_line, render
from meme.records import Decision, Fact, Happened, MemoryEntry, Neighbour, Verb
from meme.write.near import payload_of
from meme.write.reconcile_by_rule.corrections import affirmed, correction_in, day_in
from meme.write.reconcile_by_rule.statement import FORGET
from meme.write.shapes import Candidate, NewFact, ReconcilePayload, ReconcileReply
from meme.write.verdicts import Verdict, refusal, verdicts_by_fact


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The decisions of one window, in the order of its facts.

    `notes` says in words what of the reply was refused. `model` and `prompt` (a fingerprint,
    blank when no model was asked) are recorded with the change set.
    """

    decisions: tuple[Decision, ...]
    model: str
    prompt: str
    notes: tuple[str, ...] = ()


async def reconcile(
    facts: Sequence[Fact],
    neighbours: Sequence[Sequence[Neighbour]],
    llm: LLM,
    *,
    new_id: Callable[[], str],
) -> Reconciled:
    """Decide how each new fact changes what is known.

    `neighbours` runs parallel to `facts`. The model is not asked when nothing is near, or only what a fact
    repeats word for word. Raises ProviderError when it does not answer; an answer that cannot be used
    leaves every fact added and flagged.
    """
    payload, entries = payload_of(facts, neighbours)
    ledger = _Ledger(payload, facts, entries, new_id)
    same = _repeated(payload)
    open_ = _open(payload, same)
    if not open_.facts:
        return Reconciled(ledger.settle(same), llm.model, "")
    by_fact, notes, fingerprint = await _asked(open_, llm)
    decisions = ledger.settle(by_fact | same)
    return Reconciled(decisions, llm.model, fingerprint, (*notes, *ledger.remarks()))


async def _asked(payload: ReconcilePayload, llm: LLM) -> tuple[dict[str, list[Verdict]], list[str], str]:
    """A model's verdicts by fact, remarks on its reply, and the prompt's fingerprint.

    A reply that is cut is asked for in two halves; one that cannot be used leaves every fact added.
    """
    prompt = render("reconcile", **_shown(payload))
    request = Request("reconcile", payload, ReconcileReply, prompt.system, prompt.text)
    try:
        reply = await exchange(llm, request, ReconcileReply)
    except TruncatedError as problem:
        if len(payload.facts) > 1:
            first, second = [await _asked(half, llm) for half in _halves(payload)]
            return first[0] | second[0], first[1] + second[1], prompt.fingerprint
        return _unread(payload, problem), [], prompt.fingerprint
    except ReplyError as problem:
        return _unread(payload, problem), [], prompt.fingerprint
    by_fact, notes = verdicts_by_fact(reply.decisions, payload)
    unsaid = {fact.ref: [Verdict("ADD", flag="no verdict in the reply")] for fact in payload.facts}
    return unsaid | by_fact, notes, prompt.fingerprint


def _unread(payload: ReconcilePayload, problem: ProviderError) -> dict[str, list[Verdict]]:
    flag = f"no usable reply ({type(problem).__name__}: {problem})"
    return {fact.ref: [Verdict("ADD", flag=flag)] for fact in payload.facts}


def _halves(payload: ReconcilePayload) -> tuple[ReconcilePayload, ReconcilePayload]:
    """The facts in two; the second half is shown those of the first that it may be compared with."""
    middle = len(payload.facts) // 2
    parts = payload.facts[:middle], payload.facts[middle:]
    first, second = (replace(payload, facts=part, candidates=_shown_with(part, payload)) for part in parts)
    return first, second


def _shown_with(asked: Sequence[NewFact], payload: ReconcilePayload) -> tuple[Candidate, ...]:
    """What the asked facts are compared with, but for themselves; other facts of the window like entries."""
    shown = {near.ref: near for fact in asked for near in payload.near(fact)}
    for fact in asked:
        shown.pop(fact.ref, None)
    return tuple(shown.values())


def _repeated(payload: ReconcilePayload) -> dict[str, list[Verdict]]:
    """Facts that say word for word, of the same dates, what is near them: no model has to compare these."""
    same = {}
    for fact in payload.facts:
        for near in payload.near(fact):
            alike = fold(near.text).rstrip(" .!") == fold(fact.text).rstrip(" .!")
            if alike and _days(near.happened) == _days(fact.happened):
                same[fact.ref] = [Verdict("NOOP", near.ref, reason="says the same, word for word")]
                break
    return same


def _days(happened: Happened | None) -> tuple[date, date] | None:
    return (happened.start, happened.end) if happened else None


def _open(payload: ReconcilePayload, same: Mapping[str, list[Verdict]]) -> ReconcilePayload:
    """What a model has to compare: facts with something near that do not just repeat it."""
    asked = tuple(fact for fact in payload.facts if fact.near and fact.ref not in same)
    return replace(payload, facts=asked, candidates=_shown_with(asked, payload))


def _shown(payload: ReconcilePayload) -> dict[str, str]:
    """The payload as JSON lines: nothing inside a text can end its line or begin another."""
    candidates = "\n".join(_line(c, {}) for c in payload.candidates) or "(none)"
    facts = "\n".join(_line(f, {"near": list(f.near)}) for f in payload.facts)
    return {"candidates": candidates, "facts": facts}


def _line(item: Candidate | NewFact, more: dict[str, object]) -> str:
    data: dict[str, object] = {"id": item.ref, "said": item.said_at.date().isoformat(), "text": item.text}
    if item.happened and not any(one.happened for one in times.spot(item.text, item.said_at)):
        data["happened"] = times.render(item.happened)
    return as_line({**data, **more})


_DETAIL: Final = re.compile(r"\d+(?:[.,:/-]\d+)*|(?<=[^\W_]\s)[A-Z][\w'’-]*|(?<=[,;]\s)[A-Z][\w'’-]*")


# "210 euros, not 180", "Porto instead of Braga": what is refuted need not be kept.
_REFUTED: Final = re.compile(
    r"(?:, (?:and )?not| instead of| rather than) (?:\S+ ){0,2}?\S+?(?=[,;.!?)]?(?:\s|$))", re.IGNORECASE
)


def keeps_details(text: str, fact: str) -> bool:
    """Whether `text` still has every number and capitalised name of `fact`, but for those it refutes."""
    had = {fold(d).removesuffix("'s") for d in _DETAIL.findall(_REFUTED.sub("", fact))}
    held = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", fold(text))
    return all(re.search(rf"(?<!\w){re.escape(d)}(?!\w)", held) for d in had)


def restated(fact: Fact, content: str, replaced: Sequence[MemoryEntry]) -> Fact:
    """The fact as its decision words it: `content`, with what the wording takes from `replaced` entries.

    A wording of its own may have another date than the fact ("I meant the 14th" gives "... on 14
    June 2025"): `happened` is the day that is written in it and in none of the replaced entries.
    """
    if content == fact.content or not replaced:
        return fact
    old = {day for entry in replaced for day in day_in(entry.content)}
    days = list(dict.fromkeys(day for day in day_in(content) if day not in old))
    happened = fact.happened
    if len(days) == 1:
        phrase = happened.phrase if happened else ""
        happened = Happened(days[0], days[0], "day", phrase)
    elif happened is None:
        happened = next(
            (e.happened for e in replaced if e.happened and e.happened.start in day_in(content)), None
        )
    first = replaced[0]
    return replace(
        fact,
        content=content,
        happened=happened,
        persons=_joined(fact.persons, *(e.persons for e in replaced)),
        entities=_joined(fact.entities, *(e.entities for e in replaced)),
        keywords=_joined(fact.keywords, *(e.keywords for e in replaced)),
        kind=first.kind if correction_in(fact.content) else fact.kind,
        topic=fact.topic or first.topic,
        location=fact.location or first.location,
    )


def _joined(*lists: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for one in lists for item in one))


@dataclass(slots=True)
class _Ledger:
    """Settles verdicts in order and remembers what earlier facts closed and where they went."""

    payload: ReconcilePayload
    facts: Sequence[Fact]
    entries: dict[str, MemoryEntry]
    new_id: Callable[[], str]
    closed: dict[str, str] = field(default_factory=dict)  # real id -> the ref that closed it
    settled: dict[str, str] = field(default_factory=dict)  # n-ref -> the id that carries it
    flagged: dict[str, list[NewFact]] = field(default_factory=dict)

    def remarks(self) -> list[str]:
        """What of the reply was refused, each reason once."""
        return [
            f"{len(facts)} facts: {flag}" if len(facts) > 1 else f"{facts[0].text!r}: {flag}"
            for flag, facts in self.flagged.items()
        ]

    def settle(self, by_fact: Mapping[str, list[Verdict]]) -> tuple[Decision, ...]:
        """One decision for every fact, in order; one that nobody had to be asked about is added."""
        return tuple(self._decide(fact, by_fact.get(fact.ref, [])) for fact in self.payload.facts)

    def add(self, fact: NewFact, *, flag: str | None = None, reason: str = "") -> Decision:
        """The fact as an entry of its own."""
        self._note(fact, flag)
        return self._made(
            Decision("ADD", fact.text, self.new_id(), (), reason, self._quote(fact), flag), fact
        )

    def _made(self, decision: Decision, fact: NewFact) -> Decision:
        self.settled[fact.ref] = decision.memory_id
        for target in decision.targets if decision.verb in ("UPDATE", "DELETE") else ():
            self.closed[target] = fact.ref
        return decision

    def _quote(self, fact: NewFact) -> str | None:
        return self.facts[int(fact.ref[1:]) - 1].quote

    def _real(self, ref: str) -> str:
        return self.entries[ref].id if ref in self.entries else self.settled[ref]

    def _decide(self, fact: NewFact, verdicts: list[Verdict]) -> Decision:
        flags = [v.flag for v in verdicts if v.flag]
        closing: list[Verdict] = []
        same: Verdict | None = None
        for verdict in verdicts:
            if verdict.flag or verdict.op == "ADD":
                continue
            problem = self._problem(fact, verdict)
            if problem:
                flags.append(problem)
            elif verdict.op == "NOOP":
                same = same or verdict
            else:
                closing.append(verdict)
        flag = "; ".join(flags) or None
        if closing:
            return self._close(fact, closing, flag)
        if same:
            self._note(fact, flag)
            target = self._real(same.ref)
            noop = Decision("NOOP", fact.text, target, (target,), same.reason, self._quote(fact), flag)
            return self._made(noop, fact)
        return self.add(fact, flag=flag, reason=next((v.reason for v in verdicts if not v.flag), ""))

    def _problem(self, fact: NewFact, verdict: Verdict) -> str | None:
        """Why this verdict may not stand, in words with the offending value."""
        closer = self.closed.get(self._real(verdict.ref))
        if closer:
            return f"{verdict.op} {verdict.ref} refused: {closer} has closed it already"
        if verdict.op == "NOOP":
            return None
        known = next(c for c in self.payload.near(fact) if c.ref == verdict.ref)
        why = refusal(fact, known, verdict.op)
        return f"{verdict.op} {verdict.ref} refused: {why}" if why else None

    def _note(self, fact: NewFact, flag: str | None) -> None:
        if flag:
            self.flagged.setdefault(flag, []).append(fact)

    def _close(self, fact: NewFact, closing: list[Verdict], flag: str | None) -> Decision:
        targets = tuple(dict.fromkeys(self._real(v.ref) for v in closing))
        reason = "; ".join(dict.fromkeys(v.reason for v in closing if v.reason))
        updates = [v for v in closing if v.op == "UPDATE"]
        if not updates and all(v.text == "" for v in closing):
            if FORGET.search(fact.text):
                self._note(fact, flag)
                gone = Decision("DELETE", fact.text, targets[0], targets, reason, self._quote(fact), flag)
                return self._made(gone, fact)
            kept = 'text "" ignored: the fact is a statement, not a request to forget, and is kept'
            flag = f"{flag}; {kept}" if flag else kept
        self._note(fact, flag)
        merged = next((v.text.strip() for v in updates if v.text and v.text.strip()), "")
        known = " ".join((fact.text, *(near.text for near in self.payload.near(fact))))
        sound = keeps_details(merged, affirmed(fact.text)) and keeps_details(known, merged)
        content = merged if merged and sound else fact.text
        verb: Verb = "UPDATE" if updates else "DELETE"
        return self._made(
            Decision(verb, content, self.new_id(), targets, reason, self._quote(fact), flag), fact
        )

"""Asking, top to bottom: settle what waits, look, plan unless that was decisive, look again, reflect, answer.

Flows in: a question, a scope and a budget. Flows out: an Answer with the ids it rests on, or an honest
"not known" with the reason, and every step, call and token it took.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from meme.errors import RefusedError, ReplyError, TruncatedError
from meme.llm.meter import Metered
from meme.parts import Parts
from meme.read.answer import NOT_KNOWN, Answered, answer
from meme.read.plan import plan, plan_without_model
from meme.read.reflect import reflect, sufficient_by_rule
from meme.read.shapes import AnswerPayload, Evidence, PlanPayload, ReflectPayload
from meme.recall import Asked, plan_payload, retrieve
from meme.records import MemoryEntry, Plan, Turn
from meme.remember import settle
from meme.results import Answer, Hit, Recall, WriteResult

# A share of the best score. Of 35 hits on LoCoMo's conv-26, 30 and 41 it leaves 28.5; recall .894 of .896.
WORTH_SHOWING: Final = 0.25


UNUSABLE: Final = (ReplyError, TruncatedError, RefusedError)  # a plan and a reflection can be done without
WINDOW_CALLS: Final = 3  # what a window may take: two passes of extraction and one comparison


@dataclass(frozen=True, slots=True)
class Budget:
    """The most one question may spend: model calls, and tokens over all of them. None is no limit."""

    max_calls: int | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class _Asking:
    """One question on its way: what it is asked with, and the steps so far."""

    parts: Parts
    llm: Metered
    asked: Asked
    user: str
    trace: list[str] = field(default_factory=list)

    def told(self, step: str) -> None:
        self.trace.append(step)


async def ask(parts: Parts, question: str, asked: Asked, budget: Budget, *, user: str) -> Answer:
    """An answer from the memory with what it rests on, or "not known" with the reason."""
    llm = Metered(parts.llm, max_calls=budget.max_calls, tokens=budget.tokens)
    asking = _Asking(parts, llm, asked, user)
    settled = await _flushed(asking, budget)
    try:
        answered = await _answered(asking, question)
    finally:
        own = {stage: spent for stage, spent in llm.usage.items() if stage not in settled.usage}
        await parts.store.do(lambda store: store.journal.note_usage(asked.scope, own))
    if answered.abstained and settled.failed:
        turns = sum(failed.turns for failed in settled.failed)
        waits = f"{turns} turns wait to be extracted ({settled.failed[0].reason})."
        return replace(answered, reason=f"{answered.reason} {waits}".strip())
    return answered


async def _flushed(asking: _Asking, budget: Budget) -> WriteResult:
    """What waits is extracted first, window by window, as long as the budget leaves enough for the answer."""
    if not asking.parts.tuning.flush_before_ask:
        return WriteResult()
    parts = asking.parts
    limited = budget.max_calls is not None or budget.tokens is not None
    if limited:  # one window after the other: what is begun should be finished
        parts = replace(parts, tuning=replace(parts.tuning, max_build_workers=1))

    def begin() -> bool:
        half = budget.tokens is None or asking.llm.tokens < budget.tokens / 2
        return half and asking.llm.allows(WINDOW_CALLS + 1)

    settled = await settle(replace(parts, llm=asking.llm), asking.asked.scope, final=True, begin=begin)
    for failed in settled.failed:
        asking.told(f"a window is still pending: {failed.reason}")
    return settled


async def _answered(asking: _Asking, question: str) -> Answer:
    parts, llm, asked, user = asking.parts, asking.llm, asking.asked, asking.user
    payload = await plan_payload(parts, question, asked.scope, user)
    made, found = await _looked(asking, payload)
    evidence = _evidence(found.hits)
    if evidence and not llm.allows(1):
        reason = "The budget does not allow the call that answers: raise max_calls or budget_tokens."
        return Answer(question, NOT_KNOWN, (), True, reason, found, llm.usage, tuple(asking.trace))
    given = AnswerPayload(made, evidence, user, payload.asked_at, parts.tuning.context_tokens)
    reply = await _answer(asking, given)
    asking.told(f"answered from {len(evidence)} entries: {'known' if reply.known else 'not known'}")
    ids = {one.ref: hit.id for one, hit in zip(evidence, found.hits, strict=True)}
    citations = tuple(ids[ref] for ref in reply.refs)
    trace = tuple(asking.trace)
    return Answer(question, reply.text, citations, not reply.known, reply.why, found, llm.usage, trace)


async def _answer(asking: _Asking, given: AnswerPayload) -> Answered:
    """The model's answer, from half as much of the evidence when that is too long, and so on."""
    source = asking.parts.tuning.prompts.get("answer")
    while True:
        try:
            return await answer(given, asking.llm, source=source)
        except TruncatedError as error:
            if given.room < 200:
                raise
            given = replace(given, room=given.room // 2)
            asking.told(f"too long ({error}); answering from about {given.room} tokens")


async def _looked(asking: _Asking, payload: PlanPayload) -> tuple[Plan, Recall]:
    """The plan and what it found. No call is spent where the first look is decisive or finds nothing."""
    made = plan_without_model(payload)
    found = await _merged(asking, made.queries, made)
    asking.told(f"looked for {list(made.queries)}: {len(found.hits)} hits")
    if not found.hits:
        asking.told("nothing found: no plan and no reflection")
        return made, found
    if _agreed(found) and _sufficient(asking, made, found):
        asking.told("decisive: no plan and no reflection")
        return made, found
    better = await _planned(asking, payload)
    if better not in (None, made):
        made = better or made
        more = await _merged(asking, made.queries, made)
        found = replace(_joined([more, found], asking.parts), plan=made)
        asking.told(f"looked for {list(made.queries)}: {len(found.hits)} hits")
    if _agreed(found) or _sufficient(asking, made, found):
        asking.told("enough by rule: no reflection")
        return made, found
    return made, await _reflected(asking, made, found)


# How good a sign these are: the share of LoCoMo's questions of which the hits have all of the evidence.
#                              all 383 / 505    agreed        sufficient    both
# conv-26, 30, 41              .849             .978 of 137   .860 of 214   .989 of 91
# conv-42, 47, 49, held out    .802             .957 of 141   .839 of 273   .949 of 98
# A model that was shown the hits of 24 plans found 22 enough, and had no search for the other two.


def _agreed(found: Recall) -> bool:
    """Whether search by meaning and search by word put the same hit first."""
    first = found.hits[0].parts
    best = {layer: min(hit.parts[layer].rank for hit in found.hits if layer in hit.parts) for layer in first}
    return {"semantic", "lexical"} <= first.keys() and all(first[one].rank == best[one] for one in best)


def _sufficient(asking: _Asking, made: Plan, found: Recall) -> bool:
    """Whether the rules see the answer in what was found."""
    return sufficient_by_rule(ReflectPayload(made, _evidence(found.hits), made.queries, asking.user))


async def _planned(asking: _Asking, payload: PlanPayload) -> Plan | None:
    """The model's plan, where planning is on and fits the budget."""
    if not asking.parts.tuning.enable_planning:
        return None
    if not asking.llm.allows(2):  # this call and the one that answers
        asking.told("no plan: budget")
        return None
    try:
        made = await plan(payload, asking.llm)
    except UNUSABLE as error:
        asking.told(f"the plan could not be used ({error}); planned by rule")
        return None
    asking.told(f"planned: {made.intent}, {', '.join(made.needs) or 'no special need'}")
    return made


async def _merged(asking: _Asking, queries: Sequence[str], made: Plan) -> Recall:
    """One Recall for several queries: each hit with its best score."""
    wide = replace(asking.asked, top_k=2 * _kept(asking.parts))  # not all of these are near in some layer
    recalls = [await retrieve(asking.parts, query, made, wide) for query in queries]
    return _joined(recalls, asking.parts)


def _kept(parts: Parts) -> int:
    tuning = parts.tuning
    return tuning.semantic_top_k + tuning.keyword_top_k + tuning.structured_top_k


def _joined(recalls: Sequence[Recall], parts: Parts) -> Recall:
    best: dict[str, Hit] = {}
    for hit in (hit for recall in recalls for hit in recall.hits if _is_near(hit, parts)):
        if hit.id not in best or best[hit.id].score < hit.score:
            best[hit.id] = hit
    ranked = sorted(best.values(), key=lambda hit: -hit.score)[: _kept(parts)]
    hits = tuple(hit for hit in ranked if hit.score >= ranked[0].score * WORTH_SHOWING)
    timings: dict[str, float] = {}
    for recall in recalls:
        for step, seconds in recall.timings.items():
            timings[step] = timings.get(step, 0.0) + seconds
    failed = {layer: why for recall in recalls for layer, why in recall.failed.items()}
    notes = tuple(dict.fromkeys(note for recall in recalls for note in recall.notes))
    return Recall(recalls[0].plan, hits, timings, recalls[0].rounds, failed, notes)


def _is_near(hit: Hit, parts: Parts) -> bool:
    """Whether a hit is among the best of some layer, as many as that layer may hand to the answer."""
    tuning = parts.tuning
    most = {
        "semantic": tuning.semantic_top_k,
        "lexical": tuning.keyword_top_k,
        "structured": tuning.structured_top_k,
    }
    return any(part.rank <= most.get(layer, 0) for layer, part in hit.parts.items())


async def _reflected(asking: _Asking, made: Plan, found: Recall) -> Recall:
    """Further rounds while they bring something new; why they ended is in the trace."""
    tried, tuning = list(made.queries), asking.parts.tuning
    if not tuning.enable_reflection:
        return found
    for number in range(1, tuning.max_reflection_rounds + 1):
        if not asking.llm.allows(2):
            asking.told("no reflection: budget")
            break
        try:
            room = tuning.context_tokens
            given = ReflectPayload(made, _evidence(found.hits), tuple(tried), asking.user, room)
            verdict = await reflect(given, asking.llm)
        except UNUSABLE as error:
            asking.told(f"the reflection could not be used ({error})")
            break
        if verdict.sufficient or not verdict.queries:
            asking.told("enough found" if verdict.sufficient else "nothing else to look for")
            break
        tried += verdict.queries
        more = await _merged(asking, verdict.queries, made)
        fresh = {hit.id for hit in more.hits} - {hit.id for hit in found.hits}
        found = replace(_joined([found, more], asking.parts), rounds=number)
        asking.told(f"round {number}: {verdict.queries} brought {len(fresh)} new")
        if not fresh:
            break
    return found


def _evidence(hits: Sequence[Hit]) -> tuple[Evidence, ...]:
    return tuple(_one_evidence(f"m{i}", hit) for i, hit in enumerate(hits, 1))


def _one_evidence(ref: str, hit: Hit) -> Evidence:
    record = hit.record
    if isinstance(record, Turn):
        return Evidence(ref, record.content, record.said_at, hit.score, persons=(record.speaker,))
    return Evidence(
        ref=ref,
        text=record.content,
        said_at=record.said_at,
        score=hit.score,
        persons=record.persons,
        entities=record.entities,
        location=record.location,
        happened=record.happened,
        quotes=_quotes(record, hit.turns),
    )


def _quotes(entry: MemoryEntry, turns: Sequence[Turn]) -> tuple[str, ...]:
    """The wording the entry came from: its own sentence where that is known, else whole turns.

    A whole turn may say more than the entry, and what it says besides may no longer hold. One of another
    day, which said the same again, has its day in front: its "yesterday" is another one.
    """
    if entry.quote and turns:
        return (f"{turns[-1].speaker}: {entry.quote}",)
    own = entry.said_at.date()
    days = ["" if turn.said_at.date() == own else f"({turn.said_at:%Y-%m-%d}) " for turn in turns]
    return tuple(f"{day}{turn.content}" for day, turn in zip(days, turns, strict=True))

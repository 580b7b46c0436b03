"""The read path, top to bottom: plan, three layers at once, fuse, hydrate, reflect, answer.

Flows in: a question and a scope. Flows out: a Recall or an Answer. Every hit is read back from
the journal, where its scope and status are checked again: a stale index can hide a hit for a
moment, never show a wrong one. A layer that fails is named, and fails the call when no other answers.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from meme.embed import embed_checked
from meme.errors import EmbeddingError, ProjectionError, ReplyError
from meme.parts import Parts
from meme.read.answer import NOT_KNOWN, answer
from meme.read.fuse import Fused, fuse
from meme.read.plan import plan, plan_without_model
from meme.read.reflect import reflect
from meme.read.shapes import AnswerPayload, Evidence, PlanPayload, ReflectPayload
from meme.records import LAYERS, Filters, Layer, MemoryEntry, Plan, Scope, Turn, Usage, merge_usage
from meme.results import Answer, Hit, Recall
from meme.store.overlay import Overlay
from meme.store.projection import Probe, Ranked, facets_asked, ordinal
from meme.store.store import Store

DEPTH = 60  # candidates of each layer before fusing: enough for the tenth hit to be stable


@dataclass(frozen=True, slots=True)
class Asked:
    """One search: where, with what hard filters, which layers, how many hits."""

    scope: Scope
    filters: Filters = Filters()
    layers: tuple[Layer, ...] = LAYERS
    top_k: int = 10


async def search(parts: Parts, question: str, asked: Asked, *, user: str) -> Recall:
    """Hits for a question by the rules' plan; no model is ever called."""
    started = time.perf_counter()
    made = plan_without_model(await _plan_payload(parts, question, asked.scope, user))
    timings = {"plan": time.perf_counter() - started}
    return await retrieve(parts, question, made, asked, timings)


async def _plan_payload(parts: Parts, question: str, scope: Scope, user: str) -> PlanPayload:
    persons = await parts.store.do(lambda store: tuple(store.views.persons(scope)))
    return PlanPayload(question, parts.clock(), user, persons)


async def retrieve(
    parts: Parts, query: str, made: Plan, asked: Asked, timings: Mapping[str, float] | None = None
) -> Recall:
    """All layers for one query, fused and read back from the journal."""
    clock = _Stopwatch(timings)
    probe = _probe(query, made, asked)
    rankings, failed = await _all_layers(parts, probe, asked.layers, clock)
    if failed and not any(rankings.values()):
        problems = "; ".join(f"{layer}: {problem}" for layer, problem in failed.items())
        if len(failed) == len(asked.layers) or "lexical" in failed:
            raise ProjectionError(f"The memory could not be searched ({problems}).")
    with clock.step("hydrate"):
        hits, notes = await parts.store.do(lambda store: (_hits(store, rankings, asked), store.take_notes()))
    return Recall(made, hits, clock.timings, failed=failed, notes=notes)


class _Stopwatch:
    """Seconds per step."""

    def __init__(self, timings: Mapping[str, float] | None = None) -> None:
        self.timings = dict(timings or {})
        self._step = ""
        self._started = 0.0

    def step(self, name: str) -> "_Stopwatch":
        self._step = name
        return self

    def __enter__(self) -> None:
        self._started = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        spent = time.perf_counter() - self._started
        self.timings[self._step] = self.timings.get(self._step, 0.0) + spent


def _probe(query: str, made: Plan, asked: Asked) -> Probe:
    """The hard filters as conditions; the plan's persons, entities and days as wishes."""
    filters, required = asked.filters, facets_asked(asked.filters)
    planned = facets_asked(Filters(persons=made.persons, entities=made.entities))
    since, until = ordinal(filters.since), ordinal(filters.until)
    wanted = (ordinal(made.since) or since, ordinal(made.until) or until)
    days = (wanted[0] or 1, wanted[1] or 3_652_059) if any(wanted) else None
    return Probe(
        scope=asked.scope,
        limit=max(DEPTH, 4 * asked.top_k),
        text=query,
        required=required,
        since=since,
        until=until,
        wanted=tuple(dict.fromkeys((*required, *planned))),
        wanted_days=days,
    )


async def _all_layers(
    parts: Parts, probe: Probe, layers: Sequence[Layer], clock: _Stopwatch
) -> tuple[dict[str, list[Ranked]], dict[str, str]]:
    """Each layer's ranking, and the layers that failed with why."""
    working = {layer: asyncio.create_task(_layer(parts, layer, probe)) for layer in layers}
    with clock.step("search"):
        done = await asyncio.gather(*working.values(), return_exceptions=True)
    rankings: dict[str, list[Ranked]] = {}
    failed: dict[str, str] = {}
    for layer, outcome in zip(working, done, strict=True):
        if isinstance(outcome, EmbeddingError | ProjectionError):
            failed[layer] = str(outcome)
        elif isinstance(outcome, BaseException):
            raise outcome  # a wrong embedder or an unreadable journal is no matter of one layer
        else:
            rankings[layer], spent = outcome
            clock.timings.update(spent)
    return rankings, failed


async def _layer(parts: Parts, layer: Layer, probe: Probe) -> tuple[list[Ranked], dict[str, float]]:
    clock = _Stopwatch()
    if layer == "semantic":
        if not await parts.store.do(lambda store: _has_vectors(store, parts.embedder.id)):
            return [], {}
        with clock.step("embed"):
            vector = (await embed_checked(parts.embedder, [probe.text]))[0]
        probe = replace(probe, vector=vector)
    overlay: Overlay | None = await parts.store.do(
        lambda store: store.fresh("memories" if layer == "semantic" else "lexicon")
    )
    with clock.step(layer):
        return await parts.store.rank(layer, probe, overlay), clock.timings


def _has_vectors(store: Store, embedder: str) -> bool:
    """Whether anything was ever embedded; raises EmbedderMismatchError when by another embedder."""
    store.check_embedder(embedder)
    return store.views.meta("dimension") is not None


def _hits(store: Store, rankings: Mapping[str, Sequence[Ranked]], asked: Asked) -> tuple[Hit, ...]:
    """The best of all layers; only those are read back whole, of the others just scope and status."""
    keys = {key for ranked in rankings.values() for key, _ in ranked}
    active = store.views.active(keys, asked.scope)
    turns = store.views.turn_ids(keys - active, asked.scope)
    cited, hidden = _citations(store, turns)
    visible = active | (turns.keys() - hidden)
    trimmed = {
        layer: [(key, score) for key, score in ranked if key in visible] for layer, ranked in rankings.items()
    }
    best = fuse(trimmed, {key: entries for key, entries in cited.items() if key in visible})
    wanted = [one.key for one in best if one.key not in active and one.key not in turns]
    active |= store.views.active(wanted, asked.scope)  # entries found only through their turns
    if asked.filters != Filters():  # a lifted entry must meet the filters by itself
        best = [one for one in best if one.key in keys]
    best = [one for one in best if one.key in active or one.key in turns][: asked.top_k]
    return _hydrated(store, best, asked.scope)


def _citations(store: Store, turns: Mapping[int, str]) -> tuple[dict[int, list[int]], set[int]]:
    """Which active entries each turn lifts, and which turns must not be shown.

    A turn whose entry was retracted is hidden: nothing deleted returns. One whose entries
    were all superseded lifts nothing and is no hit either.
    """
    key_of = {turn_id: key for key, turn_id in turns.items()}
    lifts: dict[int, list[int]] = {}
    hidden: set[int] = set()
    for turn_id, memory, status in store.views.citing(key_of):
        key = key_of[turn_id]
        if status == "active":
            lifts.setdefault(key, []).append(memory)
        elif status == "retracted":
            hidden.add(key)
        else:
            lifts.setdefault(key, [])
    return lifts, hidden


def _hydrated(store: Store, best: Sequence[Fused], scope: Scope) -> tuple[Hit, ...]:
    memories = store.views.memories_by_key([one.key for one in best], scope)
    turns = store.views.turns_by_key([one.key for one in best if one.key not in memories], scope)
    wanted = {source for memory in memories.values() for source in memory.sources}
    found = store.views.turns(wanted, scope.without_session())
    retracted = {turn for turn, _, status in store.views.citing(wanted) if status == "retracted"}
    hits = []
    for one in best:
        if one.key in memories:
            memory = memories[one.key]
            sources = tuple(found[s] for s in memory.sources if s in found and s not in retracted)
            hits.append(Hit("memory", memory, one.score, one.parts, sources))
        elif one.key in turns:
            hits.append(Hit("turn", turns[one.key], one.score, one.parts, (turns[one.key],)))
    return tuple(hits)


# ---------------------------------------------------------------- asking


@dataclass(frozen=True, slots=True)
class Budget:
    """The most one `ask` may spend: model calls, and tokens over all of them."""

    max_calls: int | None = None
    tokens: int | None = None


class _Ledger:
    """What an `ask` has spent so far, per stage, and the steps it took."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self.usage: dict[str, Usage] = {}
        self.trace: list[str] = []

    def add(self, stage: str, usage: Usage) -> None:
        self.usage = merge_usage(self.usage, {stage: usage})

    def allows(self, calls: int) -> bool:
        """Whether `calls` more calls fit, the tokens spent so far considered."""
        spent = sum((one for one in self.usage.values()), Usage())
        tokens = spent.prompt_tokens + spent.completion_tokens
        fits = self._budget.max_calls is None or spent.calls + calls <= self._budget.max_calls
        return fits and (self._budget.tokens is None or tokens < self._budget.tokens)


async def ask(parts: Parts, question: str, asked: Asked, budget: Budget, *, user: str) -> Answer:
    """An answer from the memory with what it rests on, or "not known" with the reason."""
    ledger = _Ledger(budget)
    payload = await _plan_payload(parts, question, asked.scope, user)
    made = await _planned(parts, payload, ledger)
    found = await _merged(parts, made.queries, made, asked)
    ledger.trace.append(f"searched {len(made.queries)} queries: {len(found.hits)} hits")
    found = await _reflected(parts, made, found, asked, ledger, user)
    evidence = _evidence(found.hits)
    if not ledger.allows(1):
        reason = "The budget does not allow the call that answers: raise max_calls or budget_tokens."
        return Answer(question, NOT_KNOWN, (), True, reason, found, ledger.usage, tuple(ledger.trace))
    given = AnswerPayload(made, evidence, user)
    reply = await answer(given, parts.llm, source=parts.tuning.prompts.get("answer"))
    ledger.add("answer", reply.usage)
    ledger.trace.append(f"answered from {len(evidence)} entries: {'known' if reply.known else 'not known'}")
    ids = {one.ref: hit.id for one, hit in zip(evidence, found.hits, strict=True)}
    citations = tuple(ids[ref] for ref in reply.refs)
    trace = tuple(ledger.trace)
    return Answer(question, reply.text, citations, not reply.known, reply.why, found, ledger.usage, trace)


async def _planned(parts: Parts, payload: PlanPayload, ledger: _Ledger) -> Plan:
    """The model's plan where planning is on and fits the budget; the rules' plan otherwise."""
    if parts.tuning.enable_planning and ledger.allows(2):  # this call and the one that answers
        try:
            made, usage = await plan(payload, parts.llm)
            ledger.add("plan", usage)
            ledger.trace.append(f"planned: {made.intent}, queries {list(made.queries)}")
            return made
        except ReplyError as error:
            ledger.trace.append(f"the plan could not be used ({error}); planned by rule")
    return plan_without_model(payload)


async def _merged(parts: Parts, queries: Sequence[str], made: Plan, asked: Asked) -> Recall:
    """One Recall for several queries: each hit with its best score."""
    wide = replace(asked, top_k=_kept(parts))
    recalls = [await retrieve(parts, query, made, wide) for query in queries]
    return _joined(recalls, parts)


def _kept(parts: Parts) -> int:
    tuning = parts.tuning
    return tuning.semantic_top_k + tuning.keyword_top_k + tuning.structured_top_k


def _joined(recalls: Sequence[Recall], parts: Parts) -> Recall:
    best: dict[str, Hit] = {}
    for hit in (hit for recall in recalls for hit in recall.hits if _is_near(hit, parts)):
        if hit.id not in best or best[hit.id].score < hit.score:
            best[hit.id] = hit
    hits = tuple(sorted(best.values(), key=lambda hit: -hit.score))[: _kept(parts)]
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


async def _reflected(
    parts: Parts, made: Plan, found: Recall, asked: Asked, ledger: _Ledger, user: str
) -> Recall:
    """Further rounds while they bring something new; why they ended is in the trace."""
    tried = list(made.queries)
    if not parts.tuning.enable_reflection:
        return found
    for number in range(1, parts.tuning.max_reflection_rounds + 1):
        if not found.hits or not ledger.allows(2):
            ledger.trace.append("no reflection: nothing found" if not found.hits else "no reflection: budget")
            break
        try:
            verdict, usage = await reflect(
                ReflectPayload(made, _evidence(found.hits), tuple(tried), user), parts.llm
            )
        except ReplyError as error:
            ledger.trace.append(f"the reflection could not be used ({error})")
            break
        ledger.add("reflect", usage)
        if verdict.sufficient or not verdict.queries:
            ledger.trace.append("enough found" if verdict.sufficient else "nothing else to look for")
            break
        tried += verdict.queries
        more = await _merged(parts, verdict.queries, made, asked)
        fresh = {hit.id for hit in more.hits} - {hit.id for hit in found.hits}
        found = replace(_joined([found, more], parts), rounds=number)
        ledger.trace.append(f"round {number}: {verdict.queries} brought {len(fresh)} new")
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

    A whole turn may say more than the entry, and what it says besides may no longer hold.
    """
    if entry.quote and turns:
        return (f"{turns[-1].speaker}: {entry.quote}",)
    return tuple(turn.content for turn in turns)

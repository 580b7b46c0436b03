"""Finding, top to bottom: plan by rule, three layers at once, fuse, read back from the journal.

Flows in: a question and a scope. Flows out: a Recall. Every hit is read back from the journal, where
its scope and status are checked again: a stale index can hide a hit for a moment, never show a wrong
one. A layer that fails is named, and fails the call when no other answers. Calls no model.
"""

import asyncio
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from meme.embed import embed_checked
from meme.errors import EmbeddingError, ProjectionError
from meme.language.words import fold
from meme.parts import Parts
from meme.read.fuse import Fused, Talk, fuse
from meme.read.plan import plan_without_model
from meme.read.shapes import PlanPayload
from meme.records import LAYERS, Filters, Layer, Plan, Scope, Turn
from meme.results import Hit, Recall
from meme.store.moments import Moment
from meme.store.overlay import Overlay
from meme.store.projection import Probe, Ranked, facets_asked, ordinal
from meme.store.store import Store
from meme.write.recited import candidates

DEPTH = 150  # candidates of each layer before fusing: 60 gave .010 less recall@20 on LoCoMo


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
    made = plan_without_model(await plan_payload(parts, question, asked.scope, user))
    timings = {"plan": time.perf_counter() - started}
    return await retrieve(parts, question, made, asked, timings)


async def plan_payload(parts: Parts, question: str, scope: Scope, user: str) -> PlanPayload:
    """What a plan is made from: the question, the day, who asks, and the names the scope knows."""
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
    persons = frozenset(map(fold, made.persons)) if parts.tuning.dialogue_context else None
    with clock.step("hydrate"):
        hits = await parts.store.do(lambda store: _hits(store, rankings, asked, persons))
        notes = await parts.store.do(Store.take_notes)
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
        model, dimension = parts.embedder.id, parts.embedder.dimension
        await parts.store.do(lambda store: store.check_embedder(model, dimension))
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


def _placed(
    store: Store, talk: Talk, entries: Collection[int], turns: Collection[int], around: Mapping[int, Moment]
) -> Talk:
    """The talk with where its visible entries and turns stand in it."""
    sources = store.around.sources({*entries, *chain.from_iterable(talk.cites.values())})
    last = {own[-1] for own in sources.values()}
    places = {**around, **store.around.moments(last - around.keys())}
    return replace(
        talk,
        sources=sources,
        session={key: moment.session for key, moment in places.items()},
        speaker={key: moment.speaker for key, moment in places.items()},
        beside={key: [one for one in around[key].beside if one in turns] for key in around if key in turns},
    )


def _hits(
    store: Store, rankings: Mapping[str, Sequence[Ranked]], asked: Asked, persons: Collection[str] | None
) -> tuple[Hit, ...]:
    """The best of all layers; only those are read back whole, of the others just scope and status.

    `persons` are those the question names; None leaves the places of hits in the talk out of their weight.
    """
    keys = {key for ranked in rankings.values() for key, _ in ranked}
    active = store.views.active(keys, asked.scope)
    turns = store.views.turn_ids(keys - active, asked.scope)
    around = {} if persons is None else store.around.moments(turns)
    beside = {key for moment in around.values() for key in moment.beside} - turns.keys()
    turns |= store.views.turn_ids(beside, asked.scope)  # what was said just before and after
    cited, hidden = _citations(store, turns)
    visible = active | (turns.keys() - hidden)
    trimmed = {
        layer: [(key, score) for key, score in ranked if key in visible] for layer, ranked in rankings.items()
    }
    plain = asked.filters == Filters() and asked.scope.session_id is None  # nothing is sorted out below
    most = asked.top_k if plain else None
    told = turns.keys() & visible
    cites = {key: cited[key] for key in told if key in cited}
    talk = Talk(cites=cites, alone=store.views.pending_among(told))
    if persons is not None:
        talk = _placed(store, talk, active, told, around)
    best = fuse(trimmed, talk, persons or (), most=most)
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
    turns = _without_retracted(store, turns, scope)
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


def _without_retracted(store: Store, turns: Mapping[int, Turn], scope: Scope) -> dict[int, Turn]:
    """The turns that recite no retracted entry: what was deleted does not return in somebody's prompt."""
    recited = {key: set(candidates(turn)) for key, turn in turns.items()}
    gone = store.views.contents_among(set().union(*recited.values()), scope, status="retracted")
    return {key: turn for key, turn in turns.items() if not recited[key] & gone}

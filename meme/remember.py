"""The write path, top to bottom: turns in, journal, windows, extract, embed, reconcile, commit.

Flows in: turns. Flows out: a WriteResult that says what was done. A turn is on disk before any
model is called. A window that fails stays pending with its reason and never stops the others;
what was decided is one journal transaction.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from meme.embed import embed_checked
from meme.errors import AccountError, BudgetError, EmbeddingError, ProviderError, TruncatedError
from meme.events import Embedded, Event
from meme.llm.meter import Metered
from meme.parts import Parts
from meme.records import (
    Coverage,
    Decision,
    Fact,
    FailedWindow,
    Neighbour,
    Scope,
    Turn,
    Usage,
    Window,
    merge_usage,
)
from meme.results import WriteResult
from meme.store.journal import Commit, Committed, ScopeMovedError, WindowTakenError
from meme.store.projection import Probe
from meme.store.store import Store
from meme.store.views import turn_text
from meme.write.extract import Extraction, Hearing, extract
from meme.write.recited import candidates
from meme.write.reconcile import Reconciled, reconcile
from meme.write.settled import Settled
from meme.write.windows import by_scope, cut, window_id

NEAR_BY_MEANING: Final = 8  # neighbours fetched per fact; `reconcile` keeps those worth comparing
NEAR_BY_WORD: Final = 5
Progress = Callable[[int, int], None]  # (windows done, windows in all)
TRIES: Final = 3  # reconciliations of one window while others write to the same user


@dataclass(frozen=True, slots=True)
class _Work:
    """One window on its way, with the meter of what it costs."""

    parts: Parts
    llm: Metered
    window: Window


async def journal(parts: Parts, turns: Sequence[tuple[Turn, str]]) -> Committed:
    """Put turns on disk, each under its uniqueness key; no model is called."""
    return await parts.store.do(lambda store: store.commit(Commit(turns=turns)))


async def settle(
    parts: Parts,
    scope: Scope,
    *,
    final: bool,
    only: Sequence[str] | None = None,
    progress: Progress | None = None,
    begin: Callable[[], bool] = lambda: True,
) -> WriteResult:
    """Extract and reconcile the scope's pending turns: full windows, and with `final` the rest too.

    `only` restricts it to the given turns, taken as facts a caller handed in, each call one window.
    `begin` is asked before a window is paid for, whether that may be.
    """
    await parts.store.do(lambda store: store.check_embedder(parts.embedder.id))
    windows = await parts.store.do(lambda store: _windows(store, scope, parts, final=final, only=only))
    if windows:
        await _same_length(parts)
    hearing = await parts.store.do(lambda store: _hearing(store, scope, parts, windows, only=only))
    limit = asyncio.Semaphore(parts.tuning.max_build_workers)

    hopeless: list[AccountError] = []

    async def extracted(work: _Work) -> Extraction:
        async with limit:
            if hopeless:  # no key and no quota for one window is none for the others
                raise hopeless[0]
            if not begin():
                raise BudgetError("The budget does not allow another window: it waits for the next call.")
            try:
                return await extract(work.window, work.llm, hearing)
            except AccountError as error:
                hopeless.append(error)
                raise

    works = [_Work(parts, Metered(parts.llm), window) for window in windows]
    working = [asyncio.create_task(extracted(work)) for work in works]
    results: list[WriteResult] = []
    try:
        for work, task in zip(works, working, strict=True):
            results.append(await _settle_one(work, task))
            if progress:
                progress(len(results), len(works))
    finally:
        for task in working:
            task.cancel()
    pending = await parts.store.do(lambda store: store.views.count("turns", scope, "changeset IS NULL"))
    done = combine(results)
    notes = await parts.store.do(Store.take_notes)
    return replace(done, pending=pending, notes=done.notes + notes)


async def _same_length(parts: Parts) -> None:
    """An endpoint tells its dimension with a vector: better asked for one before models are paid for."""
    model = parts.embedder.id
    if parts.embedder.dimension or not await parts.store.do(lambda store: store.views.meta("dimension")):
        return
    try:
        await embed_checked(parts.embedder, ["dimension"])
    except EmbeddingError:
        return  # entries can do without vectors for a while
    await parts.store.do(lambda store: store.check_embedder(model, parts.embedder.dimension))


def _windows(
    store: Store, scope: Scope, parts: Parts, *, final: bool, only: Sequence[str] | None
) -> list[Window]:
    pending = store.views.pending(scope)
    if only is not None:
        pending = [turn for turn in pending if turn.id in set(only)]
    found = []
    for turns in by_scope(pending).values():
        overlap = 0 if only is not None else parts.tuning.overlap_size
        before = store.views.settled_before(turns[0], overlap) if overlap else []
        found += cut(turns, before, size=parts.tuning.window_size, overlap=overlap, final=final)
    return found


def _hearing(
    store: Store, scope: Scope, parts: Parts, windows: Sequence[Window], *, only: Sequence[str] | None
) -> Hearing:
    """How the windows are listened to; what is recited in them is looked for once for all of them."""
    turns = [turn for window in windows for turn in (*window.context, *window.turns)]
    recited = {text for turn in turns for text in candidates(turn)} if only is None else set()
    return Hearing(
        ignored=parts.tuning.ignored_roles,
        known=store.views.contents_among(recited, scope),
        explicit=only is not None,
        source=parts.tuning.prompts.get("extract"),
    )


async def _settle_one(work: _Work, working: "asyncio.Task[Extraction]") -> WriteResult:
    window, store = work.window, work.parts.store
    try:
        extraction = await working
        async with work.parts.locks[window.scope.user_id]:
            settled = await _decide(work, extraction)
        left = await _left_pending(work, extraction)
        return replace(settled, failed=left)
    except ProviderError as error:
        failed = FailedWindow(window.id, len(window.turns), f"{type(error).__name__}: {error}")
        result = WriteResult(failed=(failed,), usage=work.llm.usage)
        if not isinstance(error, BudgetError):  # the caller's limit, and no fault of the window
            await _note(work, failed)
    except WindowTakenError:
        note = "Another process settled this window first."
        result = WriteResult(notes=(note,), usage=work.llm.usage)
    await store.do(lambda store: store.journal.note_usage(window.scope, result.usage))
    return result


def _settled(
    work: _Work, extraction: Extraction, verdict: Reconciled, near: Sequence[Sequence[Neighbour]]
) -> Settled:
    parts = work.parts
    return Settled(
        _taken(work.window, extraction),
        extraction,
        verdict,
        known={one.memory.id: one.memory for found in near for one in found},
        usage=work.llm.usage,
        now=parts.clock(),
        new_id=parts.new_id,
    )


async def _left_pending(work: _Work, extraction: Extraction) -> tuple[FailedWindow, ...]:
    """Turns that are too long for the model stay behind when the others of their window are settled."""
    if not extraction.failed:
        return ()
    why = next(iter(extraction.failed.values()))
    left = FailedWindow(
        window_id(list(extraction.failed)), len(extraction.failed), f"{TruncatedError.__name__}: {why}"
    )
    await _note(work, left)
    return (left,)


async def _note(work: _Work, failed: FailedWindow) -> None:
    now, scope = work.parts.clock(), work.window.scope
    await work.parts.store.do(lambda store: store.journal.note_failure(scope, failed, now))


def _taken(window: Window, extraction: Extraction) -> Window:
    """The window as far as the model could take it."""
    turns = tuple(turn for turn in window.turns if turn.id not in extraction.failed)
    if len(turns) == len(window.turns):
        return window
    return replace(window, id=window_id([turn.id for turn in turns]), turns=turns)


async def _decide(work: _Work, extraction: Extraction) -> WriteResult:
    """Embed, compare with what is known, commit; again when somebody else wrote meanwhile."""
    parts, facts = work.parts, extraction.facts
    vectors, notes = await _embed(work, extraction)
    scope = work.window.scope.without_session()
    for _ in range(TRIES):
        seen = await parts.store.do(lambda store: store.scope_head(scope))
        near = await _neighbours(parts, scope, facts, vectors)
        verdict = await reconcile(facts, near, work.llm, new_id=parts.new_id)
        settled = _settled(work, extraction, verdict, near)
        try:
            await _commit(parts, settled, vectors, seen=(scope, seen))
        except ScopeMovedError:
            continue
        return replace(settled.result(), notes=notes + verdict.notes)
    plain = tuple(
        Decision("ADD", fact.content, parts.new_id(), reason="others kept writing", flag="not reconciled")
        for fact in facts
    )
    note = f"{len(plain)} entries were added without comparing them: the user's memory kept changing."
    settled = _settled(work, extraction, Reconciled(plain, parts.llm.model, ""), [])
    await _commit(parts, settled, vectors, seen=None)
    return replace(settled.result(), notes=(*notes, note))


async def _embed(work: _Work, extraction: Extraction) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Vectors of the facts (by content) and of the cited turns (by id); b'' is owed for later."""
    parts, window = work.parts, work.window
    if not extraction.facts:
        return {}, ()
    turns = [*window.context, *window.turns]
    cited = {source for fact in extraction.facts for source in fact.sources}
    said = {turn.id: turn_text(turn, turns[:i]) for i, turn in enumerate(turns) if turn.id in cited}
    wanted = {fact.content: fact.content for fact in extraction.facts} | said
    started = time.perf_counter()
    try:
        made = await embed_checked(parts.embedder, list(wanted.values()))
    except EmbeddingError as error:
        note = f"Entries were stored without vectors ({error}); run `meme reembed` to make them."
        return dict.fromkeys(wanted, b""), (note,)
    finally:
        work.llm.count("embed", Usage(seconds=time.perf_counter() - started))
    await parts.store.do(lambda store: store.bind_embedder(parts.embedder.id, parts.embedder.dimension))
    return dict(zip(wanted, made, strict=True)), ()


async def _neighbours(
    parts: Parts, scope: Scope, facts: Sequence[Fact], vectors: Mapping[str, bytes]
) -> list[list[Neighbour]]:
    """For each fact the known entries near it, by meaning and by word."""

    def look(store: Store) -> list[list[Neighbour]]:
        sound = [fact for fact in facts if vectors.get(fact.content)]
        probe = Probe(scope, NEAR_BY_MEANING, type="memory")
        asked = [vectors[fact.content] for fact in sound]
        ranked = store.nearest(asked, probe) if asked else []
        by_meaning = {fact.content: one for fact, one in zip(sound, ranked, strict=True)}
        texts = [fact.content for fact in facts]
        by_word = store.containing(texts, Probe(scope, NEAR_BY_WORD, type="memory"))
        found = []
        for fact, worded in zip(facts, by_word, strict=True):
            near = {memory.id: Neighbour(memory, score) for memory, score in by_meaning.get(fact.content, ())}
            for memory in worded:
                near.setdefault(memory.id, Neighbour(memory))
            found.append(list(near.values()))
        return found

    return await parts.store.do(look) if facts else []


async def _commit(
    parts: Parts, settled: Settled, vectors: Mapping[str, bytes], *, seen: tuple[Scope, int] | None
) -> None:
    window = settled.window
    owners = {entry.id: vectors[entry.content] for entry in settled.added if entry.content in vectors}
    missing = [entry for entry in settled.added if entry.content not in vectors]
    if missing and vectors:  # a merged wording the reconciler gave: its text was not embedded yet
        try:
            made = await embed_checked(parts.embedder, [entry.content for entry in missing])
        except EmbeddingError:
            made = [b""] * len(missing)  # owed, as with any other entry
        owners |= {entry.id: vector for entry, vector in zip(missing, made, strict=True)}
    said = {turn.id: vectors[turn.id] for turn in window.turns if turn.id in vectors}
    now = settled.changeset.recorded_at
    heard = [Event(parts.new_id(), turn, now, Embedded()) for turn in said]
    commit = Commit(
        events=[*settled.events, *heard],
        changesets=[settled.changeset],
        consumed={turn.id: settled.changeset.id for turn in window.turns},
        vectors=owners | said,
        seen=seen,
    )
    await parts.store.do(lambda store: store.commit(commit))


async def vectors_for(parts: Parts, texts: Mapping[str, str]) -> dict[str, bytes]:
    """Vectors by the keys of `texts`; the store remembers which embedder made them.

    Raises EmbedderMismatchError before anything is embedded, ProviderError when that fails.
    """
    if not texts:
        return {}
    await parts.store.do(lambda store: store.check_embedder(parts.embedder.id))
    vectors = await embed_checked(parts.embedder, list(texts.values()))
    await parts.store.do(lambda store: store.bind_embedder(parts.embedder.id, parts.embedder.dimension))
    return dict(zip(texts, vectors, strict=True))


def combine(results: Sequence[WriteResult]) -> WriteResult:
    """Several results as one."""
    return WriteResult(
        turns=sum(one.turns for one in results),
        duplicates=sum(one.duplicates for one in results),
        blank=sum(one.blank for one in results),
        added=tuple(entry for one in results for entry in one.added),
        updated=tuple(entry for one in results for entry in one.updated),
        deleted=tuple(entry for one in results for entry in one.deleted),
        unchanged=tuple(entry for one in results for entry in one.unchanged),
        pending=sum(one.pending for one in results),
        failed=tuple(failed for one in results for failed in one.failed),
        coverage=sum((one.coverage for one in results), Coverage()),
        usage=merge_usage(*(one.usage for one in results)),
        changesets=tuple(changeset for one in results for changeset in one.changesets),
        notes=tuple(note for one in results for note in one.notes),
    )

"""AsyncMeme: every verb of meme, in a few statements each.

Flows in: what a caller says. Flows out: records. It resolves whose memory is meant, checks input at
the border, and hands over to `remember`, `recall` or the store; it decides nothing itself.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TypeVar, Unpack
from zoneinfo import ZoneInfo

from meme import recall, remember
from meme.ask import Budget, ask
from meme.config import DEFAULT_USER, Config, Settings, build, load
from meme.embed import Embedder
from meme.entries import changes_for, find, find_open, history_of, page
from meme.errors import StoreError, UsageError
from meme.events import Event, Retracted, Revised
from meme.inputs import BadLine, TurnInput, TurnMaker, read_lines, required, turn_input
from meme.llm import LLM
from meme.options import Adding, Asking, Who, entry_fields, filters_of, layers_of
from meme.parts import Closeable, Parts
from meme.records import STATUSES, ChangeSet, Layer, MemoryEntry, Scope, Turn, is_blank
from meme.remember import Progress
from meme.results import Answer, HistoryEvent, Page, Recall, WriteResult
from meme.store.journal import Commit
from meme.store.store import Store
from meme.transfer import Importer, ImportResult, Incoming, export_lines, read_file, write_whole
from meme.upkeep import Checkup, Stats, checkup, reembed, stats
from meme.verbatim import keep_verbatim

T = TypeVar("T")
_MOST_HITS: Final = 10_000  # more is what `list` and `export` are for
_MOST_ENTRIES: Final = 1 << 31  # beyond this a limit is no limit


class AsyncMeme:
    """Long-term memory for an agent.

    `api_key`, `base_url` and `model` choose an OpenAI-compatible model; without them the embedded
    default works with no key and no network, at reduced quality. Use it as an async context
    manager, or call `close`. Every verb takes `user_id`, `agent_id`, `session_id` for one call.
    """

    def __init__(
        self,
        api_key: str | None = None,
        model: str | None = None,
        base_url: str | None = None,
        user_id: str = DEFAULT_USER,
        agent_id: str | None = None,
        session_id: str | None = None,
        config: Config | None = None,
        *,
        llm: LLM | None = None,
        embedder: Embedder | None = None,
        parts: Parts | None = None,
    ) -> None:
        given = {"llm.api_key": api_key, "llm.model": model, "llm.base_url": base_url}
        self._scope = Scope(user_id, agent_id, session_id)
        self._settings = load(config, given)
        self._parts = parts or build(self._settings, llm=llm, embedder=embedder)

    async def __aenter__(self) -> "AsyncMeme":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close files, threads and connections. No model is called: what is pending stays so, on disk."""
        for client in (self._parts.llm, self._parts.embedder):
            if isinstance(client, Closeable):
                await client.close()
        await self._parts.store.close()

    @property
    def settings(self) -> Settings:
        """The settings in force, with where each came from."""
        return self._settings

    # ------------------------------------------------------------ remembering

    async def add(
        self, text: str, *, infer: bool = True, message_id: str | None = None, **given: Unpack[Adding]
    ) -> WriteResult:
        """Remember a fact. With `infer` it is extracted and reconciled at once, else kept word for word.

        "I" in the text is the user. Raises UsageError for a blank text.
        """
        said = turn_input({"text": required(text, "text"), "message_id": message_id})
        scope, fields = self._scope_of(given), entry_fields(given)
        turn, key = self._maker(scope).make(said)
        if not infer:
            return await keep_verbatim(self._parts, [(turn, key)], [turn.text], fields)
        done = await remember.journal(self._parts, [(replace(turn, given=fields), key)])
        settled = await self._settled(scope, final=True, only=done.turn_ids)
        return replace(settled, turns=1 - done.duplicates, duplicates=done.duplicates)

    async def add_dialogue(
        self,
        speaker: str,
        text: str,
        timestamp: datetime | str | float | None = None,
        *,
        role: str | None = None,
        message_id: str | None = None,
        **who: Unpack[Who],
    ) -> WriteResult:
        """Journal one line of a dialogue; a full window is extracted, the rest waits for `finalize`."""
        line = {
            "speaker": required(speaker, "speaker"),
            "text": required(text, "text"),
            "timestamp": timestamp,
            "role": role,
            "message_id": message_id,
        }
        return await self.add_turns([line], **who)

    async def add_turns(
        self,
        turns: Iterable[TurnInput | Mapping[str, Any]],
        *,
        infer: bool = True,
        **who: Unpack[Who],
    ) -> WriteResult:
        """Journal many lines of dialogue: mappings with speaker, text, timestamp, role, ids (see TurnInput).

        Blank lines are counted and skipped. With `infer=False` each line becomes an entry "Speaker: text".
        """
        scope = self._scope_of(who)
        maker = self._maker(scope)
        given = [turn_input(one) for one in turns]
        made = [maker.make(one) for one in given if not is_blank(one.text) or one.attachments]
        blank = len(given) - len(made)
        if not made:
            return WriteResult(blank=blank)
        if not infer:
            texts = [turn.content for turn, _ in made]
            kept = await keep_verbatim(self._parts, made, texts, {})
            return replace(kept, blank=blank)
        done = await remember.journal(self._parts, made)
        settled = await self._settled(scope, final=False)
        return replace(settled, turns=len(made) - done.duplicates, duplicates=done.duplicates, blank=blank)

    async def add_lines(
        self, lines: Iterable[str], *, progress: Progress | None = None, **who: Unpack[Who]
    ) -> tuple[WriteResult, tuple[BadLine, ...]]:
        """Journal JSONL dialogue and extract all of it; bad lines are returned by number."""
        scope = self._scope_of(who)
        maker = self._maker(scope)
        bad: list[BadLine] = []
        made: list[tuple[Turn, str]] = []
        blank = 0
        for number, one in read_lines(lines):
            try:
                if isinstance(one, BadLine):
                    bad.append(one)
                elif is_blank(one.text) and not one.attachments:
                    blank += 1
                else:
                    made.append(maker.make(one))
            except UsageError as error:
                bad.append(BadLine(number, str(error)))
        done = await remember.journal(self._parts, made)
        settled = await self._settled(scope, final=True, progress=progress)
        result = replace(settled, turns=len(made) - done.duplicates, duplicates=done.duplicates, blank=blank)
        return result, tuple(bad)

    async def finalize(self, *, progress: Progress | None = None, **who: Unpack[Who]) -> WriteResult:
        """Extract and reconcile every pending turn now. Windows that fail stay pending, with the reason."""
        return await remember.settle(self._parts, self._scope_of(who), final=True, progress=progress)

    # ------------------------------------------------------------ finding

    async def search(
        self,
        query: str,
        *,
        top_k: int = 10,
        layers: Sequence[Layer] | None = None,
        **asking: Unpack[Asking],
    ) -> Recall:
        """Entries (and pending turns) for a query, best first, each with its score's parts.

        `layers` picks from semantic, lexical, structured. No model is called. Raises UsageError for a
        blank query, ProjectionError when nothing could be searched.
        """
        if not 1 <= top_k <= _MOST_HITS:
            raise UsageError(f"top_k is {top_k}: ask for 1 to {_MOST_HITS:,} hits.")
        asked = recall.Asked(self._scope_of(asking), filters_of(asking), layers_of(layers), top_k)
        question = required(query, "query")
        return await recall.search(self._parts, question, asked, user=self._name(asked.scope))

    async def ask(
        self,
        question: str,
        *,
        layers: Sequence[Layer] | None = None,
        max_calls: int | None = None,
        budget_tokens: int | None = None,
        **who: Unpack[Who],
    ) -> Answer:
        """An answer with the ids it rests on, or `abstained` with why; pending turns are extracted first.

        `layers` is as for `search`. `max_calls` and `budget_tokens` bound what it may spend on the model,
        that extraction included.
        """
        text = required(question, "question")
        for name, most in (("max_calls", max_calls), ("budget_tokens", budget_tokens)):
            if most is not None and most < 1:
                raise UsageError(f"{name} is {most}: give at least 1, or leave it out.")
        asked = recall.Asked(self._scope_of(who), layers=layers_of(layers))
        budget = Budget(max_calls, budget_tokens)
        return await ask(self._parts, text, asked, budget, user=self._name(asked.scope))

    # ------------------------------------------------------------ single entries

    async def get(self, memory_id: str, **who: Unpack[Who]) -> MemoryEntry | Turn:
        """The entry, in any status, or the turn with this id or unique id prefix. Raises NotFoundError."""
        scope = self._scope_of(who)
        return await self._store(lambda store: find(store, memory_id, scope))

    async def update(self, memory_id: str, text: str | None = None, **given: Unpack[Adding]) -> MemoryEntry:
        """A new revision of an entry under the same id. `metadata` is merged; a null removes its key.

        Raises EntryClosedError for one that is superseded or retracted, and leaves it as it was when
        anything fails.
        """
        scope, parts = self._scope_of(given), self._parts
        entry = await self._store(lambda store: find_open(store, memory_id, scope, "updated"))
        changes = changes_for(entry, text, given, parts.clock())
        vectors = await remember.vectors_for(
            parts, {entry.id: changes["content"]} if text is not None else {}
        )
        event = Event(parts.new_id(), entry.id, parts.clock(), Revised(changes), "edited by the user")
        await self._store(
            lambda store: store.commit(Commit(events=[event], vectors=vectors, active=[entry.id]))
        )
        return await self._store(lambda store: store.views.memories([entry.id], scope)[entry.id].memory)

    async def delete(self, memory_id: str, *, reason: str = "", **who: Unpack[Who]) -> MemoryEntry:
        """Retract an entry: never found again, its history stays. Raises NotFoundError, EntryClosedError."""
        scope = self._scope_of(who)
        entry = await self._store(lambda store: find_open(store, memory_id, scope, "deleted"))
        await self._retract([entry], reason or "deleted by the user", active=[entry.id])
        return replace(entry, status="retracted")

    async def delete_all(self, user_id: str, *, agent_id: str | None = None, reason: str = "") -> int:
        """Retract every entry of the named user (and agent); how many there were. The user must be named.

        What was said stays in the journal: turns that still wait for extraction are not touched.
        """
        scope = Scope(user_id, agent_id)
        found = await self._store(lambda store: page(store, scope, ("active",), None, None))
        await self._retract(found.entries, reason or "all deleted by the user")
        return found.total

    async def history(self, memory_id: str, **who: Unpack[Who]) -> list[HistoryEvent]:
        """What happened to an entry and to those it replaced or was replaced by, oldest first."""
        scope = self._scope_of(who)
        found = await self._store(lambda store: find(store, memory_id, scope))
        if isinstance(found, Turn):
            raise UsageError(f"{found.id} is a turn: it has no history; entries made from it have.")
        return await self._store(lambda store: history_of(store, found.id, scope))

    async def list(
        self,
        limit: int | None = None,
        cursor: str | None = None,
        *,
        all_status: bool = False,
        **who: Unpack[Who],
    ) -> Page:
        """Entries newest first, with the total and the cursor of the next page. No limit means all."""
        if limit is not None and limit < 1:
            raise UsageError(f"limit is {limit}: ask for at least one entry, or leave it out.")
        limit = None if limit is not None and limit > _MOST_ENTRIES else limit
        if cursor is not None and not (cursor.isdecimal() and int(cursor) < 1 << 62):
            raise UsageError(f"{cursor!r} is no cursor: use the one a page of `list` came with.")
        scope = self._scope_of(who)
        statuses = STATUSES if all_status else ("active",)
        before = int(cursor) if cursor else None
        return await self._store(lambda store: page(store, scope, statuses, before, limit))

    # ------------------------------------------------------------ the memory as a whole

    async def export(self, path: str | Path, *, all_users: bool = False, **who: Unpack[Who]) -> int:
        """Write the user's memory (or everybody's) as JSONL, whole or not at all; how many lines."""
        lines = await self.export_lines(all_users=all_users, **who)
        return await asyncio.to_thread(write_whole, Path(path), lines)

    async def export_lines(self, *, all_users: bool = False, **who: Unpack[Who]) -> Sequence[str]:
        """The lines that `export` writes."""
        scope = self._scope_of(who)

        def read(store: Store) -> Sequence[str]:
            scopes = [Scope(user) for user in store.views.users()] if all_users else [scope]
            return tuple(export_lines(store, scopes))

        return await self._store(read)

    async def import_(
        self, path: str | Path, *, all_users: bool = False, strict: bool = False, **who: Unpack[Who]
    ) -> ImportResult:
        """Take in an export in one transaction, into the current user unless `all_users`; twice adds nothing.

        Bad lines are left out and returned; with `strict` they raise UsageError and nothing is loaded.
        """
        lines = await asyncio.to_thread(read_file, Path(path))
        scope, parts = self._scope_of(who), self._parts
        now = parts.clock()

        def read(store: Store) -> tuple[Incoming, dict[str, str]]:
            views = store.views
            importer = Importer(
                scope, keep_users=all_users, now=now, known_turns=views.known_turns, owner_of=views.owner_of
            )
            found = importer.read(lines)
            known = [views.memories([one.id], one.scope) for one in found.entries.values()]
            return found, {subject: old.memory.content for one in known for subject, old in one.items()}

        found, held = await self._store(read)
        if strict and found.bad:
            raise UsageError(f"Line {found.bad[0].number}: {found.bad[0].problem}. Nothing was loaded.")
        fresh = {subject: text for subject, text in found.texts.items() if held.get(subject) != text}
        vectors = await remember.vectors_for(parts, fresh)
        done = await self._store(lambda store: store.commit(found.commit(vectors)))
        turns = len(found.turns) - done.duplicates
        return ImportResult(turns, len(found.entries) - len(held), len(held), tuple(found.bad))

    async def stats(self, **who: Unpack[Who]) -> Stats:
        """Counts, coverage and costs of the scope, from the journal alone."""
        scope = self._scope_of(who)
        llm = self._parts.llm.model
        return await self._store(lambda store: stats(store, scope, llm))

    async def doctor(self, **who: Unpack[Who]) -> Checkup:
        """Compare journal and search indexes entry by entry, and name what waits or failed."""
        scope = self._scope_of(who)
        return await self._store(lambda store: checkup(store, scope))

    async def rebuild(self) -> Checkup:
        """Compute state and indexes afresh from the journal; no model and no embedder is called."""
        await self._store(Store.rebuild)
        return await self.doctor()

    async def reembed(self, progress: Progress | None = None) -> int:
        """Make every vector with the configured embedder; how many were made. A stopped run goes on."""
        return await reembed(self._parts, progress)

    async def changesets(self, **who: Unpack[Who]) -> Sequence[ChangeSet]:
        """What every ingest of the scope decided, oldest first."""
        scope = self._scope_of(who)
        return await self._store(lambda store: store.views.changesets(scope))

    # ------------------------------------------------------------ inside

    async def _store(self, work: Callable[[Store], T]) -> T:
        return await self._parts.store.do(work)

    def _scope_of(self, given: Mapping[str, Any]) -> Scope:
        """The object's scope with what a call says otherwise. An explicit None user is an error."""
        own = self._scope
        return Scope(
            given.get("user_id", own.user_id),
            given.get("agent_id", own.agent_id),
            given.get("session_id", own.session_id),
        )

    def _name(self, scope: Scope) -> str:
        """What "I" stands for."""
        return "The user" if scope.user_id == DEFAULT_USER else scope.user_id

    def _maker(self, scope: Scope) -> TurnMaker:
        zone = ZoneInfo(self._settings.config.pipeline.timezone)
        parts = self._parts
        return TurnMaker(scope, user=self._name(scope), now=parts.clock(), zone=zone, new_id=parts.new_id)

    async def _settled(self, scope: Scope, *, final: bool, **how: Any) -> WriteResult:
        """Settle what was just journaled; an error says that it is kept, so that nobody sends it again."""
        try:
            return await remember.settle(self._parts, scope, final=final, **how)
        except StoreError as error:
            raise type(error)(f"{error} What was said is journaled and waits for `meme flush`.") from error

    async def _retract(
        self, entries: Sequence[MemoryEntry], reason: str, *, active: Sequence[str] = ()
    ) -> None:
        parts = self._parts
        now = parts.clock()
        events = [Event(parts.new_id(), one.id, now, Retracted(now), reason) for one in entries]
        await self._store(lambda store: store.commit(Commit(events=events, active=active)))

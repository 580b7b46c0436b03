"""Keeping turns word for word: the write path without a model.

Flows in: turns and what each is to read as an entry. Flows out: a WriteResult. Everything is one
journal transaction; nothing is extracted and nothing compared.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from meme.embed import embed_checked
from meme.events import Added, Event
from meme.parts import Parts
from meme.records import ChangeSet, MemoryEntry, Scope, Turn
from meme.results import WriteResult
from meme.store.journal import Commit, Committed
from meme.store.store import Store


async def keep_verbatim(
    parts: Parts, turns: Sequence[tuple[Turn, str]], contents: Sequence[str], fields: Mapping[str, Any]
) -> WriteResult:
    """Store turns as entries word for word, in one transaction; no model decides anything.

    Raises EmbedderMismatchError when the store's vectors come from another embedder.
    """
    now = parts.clock()
    vectors = await embed_checked(parts.embedder, contents)
    changeset = ChangeSet(parts.new_id(), turns[0][0].scope, now, model="verbatim")
    entries = [
        MemoryEntry(
            id=parts.new_id(),
            scope=turn.scope,
            content=content,
            said_at=turn.said_at,
            recorded_at=now,
            persons=(turn.speaker,),
            sources=(turn.id,),
            **fields,
        )
        for (turn, _), content in zip(turns, contents, strict=True)
    ]
    made = dict(zip((entry.id for entry in entries), vectors, strict=True))

    def write(store: Store) -> tuple[Committed, list[MemoryEntry], tuple[str, ...]]:
        # The one visit to the store's thread: two would cost a busy machine two more waits for a core.
        store.bind_embedder(parts.embedder.id, parts.embedder.dimension)
        fresh = _unknown(store, turns, entries)
        done = store.commit(_verbatim(turns, fresh, changeset, made))
        journaled = set(done.turn_ids)  # a message that another process was faster with has its id there
        return done, [entry for turn, _, entry in fresh if turn.id in journaled], store.take_notes()

    done, added, notes = await parts.store.do(write)
    return WriteResult(
        turns=len(turns) - done.duplicates,
        duplicates=done.duplicates,
        added=tuple(added),
        changesets=(changeset.id,) if added else (),
        notes=notes,
    )


def _unknown(
    store: Store, turns: Sequence[tuple[Turn, str]], entries: Sequence[MemoryEntry]
) -> list[tuple[Turn, str, MemoryEntry]]:
    """The turns not journaled yet, with their keys and entries."""
    keys: dict[Scope, list[str]] = {}
    for turn, key in turns:
        keys.setdefault(turn.scope, []).append(key)
    known = {scope: store.views.known_turns(scope, asked) for scope, asked in keys.items()}
    pairs = zip(turns, entries, strict=True)
    return [(turn, key, entry) for (turn, key), entry in pairs if key not in known[turn.scope]]


def _verbatim(
    turns: Sequence[tuple[Turn, str]],
    fresh: Sequence[tuple[Turn, str, MemoryEntry]],
    changeset: ChangeSet,
    vectors: Mapping[str, bytes],
) -> Commit:
    now = changeset.recorded_at
    return Commit(
        turns=turns,
        # One event id per message: two processes that store it at once add one entry.
        events=[
            Event(_verbatim_id(turn, key), entry.id, now, Added(entry), changeset=changeset.id)
            for turn, key, entry in fresh
        ],
        changesets=[changeset] if fresh else [],
        consumed={turn.id: changeset.id for turn, _, _ in fresh},
        vectors=vectors,
    )


def _verbatim_id(turn: Turn, key: str) -> str:
    scope = turn.scope
    named = "\n".join((scope.user_id, scope.agent_id or "", scope.session_id or "", key))
    return hashlib.sha256(named.encode("utf-8", "replace")).hexdigest()[:32]

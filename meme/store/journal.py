"""The journal's writing side: everything meme knows goes in here, one transaction at a time.

Flows in: `Commit`s of turns, events, change sets and vectors. Flows out: an acknowledgement
that means "on disk". The current state of every entry is folded from its events in the same
transaction that appends them, by `events.apply` alone. Reading is `views`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from datetime import datetime
from typing import Any

from meme.errors import EntryClosedError, StoreError, StoreFormatError
from meme.events import (
    Added,
    Corroborated,
    Event,
    TurnJournaled,
    apply,
    changeset_to_dict,
    encode,
    memory_to_dict,
    to_json,
)
from meme.records import ChangeSet, FailedWindow, MemoryEntry, Scope, StageUsage, Turn
from meme.store.schema import FORMAT, TABLES, UPGRADES
from meme.store.sqlite import Database
from meme.store.views import scope_columns, stored


class ScopeMovedError(StoreError):
    """Somebody wrote to the scope since its neighbours were read; nothing was committed."""


class WindowTakenError(StoreError):
    """Another worker already committed this window; nothing was committed."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One transaction. `turns` pair a turn with the key that makes it unique in its session.

    `consumed` maps turn ids to the change set that settles them. `vectors` are by subject id; an
    empty one means that it is still owed.
    `seen` is the scope head the decisions were made at (None: they hold whatever the scope is).
    `active` are ids of entries that must still be open. `imported` change sets may be of a window
    that was settled here as well: they are kept as history and claim nothing.
    """

    turns: Sequence[tuple[Turn, str]] = ()
    events: Sequence[Event] = ()
    changesets: Sequence[ChangeSet] = ()
    consumed: Mapping[str, str] = field(default_factory=dict)
    vectors: Mapping[str, bytes] = field(default_factory=dict)
    seen: tuple[Scope, int] | None = None
    active: Sequence[str] = ()
    imported: bool = False


@dataclass(frozen=True, slots=True)
class Committed:
    """The id each given turn is journaled under, and how many of them were known before."""

    turn_ids: tuple[str, ...]
    duplicates: int


class Journal:
    """Appends to the store's truth. Opening creates the tables or brings an older format up to date."""

    def __init__(self, db: Database, *, store_id: str) -> None:
        self._db = db
        tables = self._tables()
        if tables and "meta" not in tables:
            raise StoreFormatError("The journal is another program's database: choose another folder.")
        if not tables:
            self._create(store_id)
        self._upgrade()

    def _tables(self) -> set[str]:
        """In one look: another process may be making them at this moment."""
        return {row["name"] for row in self._db.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}

    def _create(self, store_id: str) -> None:
        self._db.write_ahead()
        with self._db.transaction():
            if self._tables():  # another process was faster
                return
            for statement in TABLES.split(";"):
                self._db.run(statement)
            self._put_meta({"format": str(FORMAT), "store_id": store_id})

    def _upgrade(self) -> None:
        row = self._db.one("SELECT value FROM meta WHERE name = 'format'")
        if row is None or not row["value"].isdecimal():
            raise StoreFormatError("The journal does not say which format it has: it is no meme store.")
        found = int(row["value"])
        if found > FORMAT:
            raise StoreFormatError(
                f"The store has format {found}, this meme knows up to {FORMAT}: upgrade meme-memory."
            )
        for step in range(found, FORMAT):
            with self._db.transaction():
                for statement in UPGRADES[step].split(";"):
                    self._db.run(statement)
                self._put_meta({"format": str(step + 1)})

    def commit(self, commit: Commit) -> Committed:
        """Append everything in `commit`, or nothing.

        Raises ScopeMovedError, WindowTakenError or EntryClosedError when its decisions no longer apply.
        """
        with self._db.transaction():
            if commit.seen and scope_head(self._db, commit.seen[0]) != commit.seen[1]:
                raise ScopeMovedError("The scope changed while the window was decided.")
            self._check_active(commit.active)
            for changeset in commit.changesets:
                self._insert_changeset(changeset, imported=commit.imported)
            known = [self._insert_turn(turn, key) for turn, key in commit.turns]
            for event in commit.events:
                self._append(event)
            for turn_id, changeset_id in commit.consumed.items():
                self._consume(turn_id, changeset_id)
            self._put_vectors(commit.vectors)
        fresh = {turn.id for turn, _ in commit.turns}
        return Committed(tuple(known), sum(found not in fresh for found in known))

    def _check_active(self, ids: Sequence[str]) -> None:
        for row in self._db.rows_in("SELECT id, status FROM memories WHERE id IN ({})", ids):
            if row["status"] != "active":
                raise EntryClosedError(f"{row['id']} was closed by somebody else just now ({row['status']}).")

    def _consume(self, turn_id: str, changeset_id: str) -> None:
        """Settle a turn once: windows that overlap (cut by two processes) may not both decide about it."""
        done = self._db.run(
            "UPDATE turns SET changeset = ? WHERE id = ? AND changeset IS NULL", (changeset_id, turn_id)
        )
        known = done.rowcount or self._db.one(
            "SELECT 1 FROM turns WHERE id = ? AND changeset = ?", (turn_id, changeset_id)
        )
        if not known and self._db.one("SELECT 1 FROM turns WHERE id = ?", (turn_id,)):
            raise WindowTakenError("A turn of the window is already settled.")

    def _insert_changeset(self, changeset: ChangeSet, *, imported: bool) -> None:
        window = changeset.window_id
        if window:
            taken = self._db.one("SELECT id FROM changesets WHERE window_id = ?", (window,))
            if taken and taken["id"] != changeset.id:  # the same id comes with a repeated import
                if not imported:
                    raise WindowTakenError("The window is already settled.")
                window = None
        if window:
            self._db.run("DELETE FROM failures WHERE window_id = ?", (window,))
        self._db.run(
            "INSERT OR IGNORE INTO changesets VALUES (?,?,?,?,?,?)",
            (changeset.id, window, *scope_columns(changeset.scope), to_json(changeset_to_dict(changeset))),
        )

    def _insert_turn(self, turn: Turn, message_key: str) -> str:
        """The id the turn is known under: its own, or that of the same message journaled before."""
        columns = (*scope_columns(turn.scope), message_key)
        known = self._db.one(
            "SELECT id FROM turns WHERE user_id=? AND agent_id=? AND session_id=? AND message_key=?", columns
        )
        if known:
            return str(known["id"])
        at = turn.recorded_at.isoformat()
        key = self._insert_event((turn.id, "turn", turn.id, at, "", None, "{}"))
        if not key:
            raise StoreError(
                f"The turn {turn.id} is journaled already, as another message: give it a new id."
            )
        attachments = to_json(list(turn.attachments)) if turn.attachments else ""
        said = (turn.message_id, turn.speaker, turn.role, turn.text, turn.said_at.isoformat())
        given = to_json(dict(turn.given)) if turn.given else ""
        self._db.run(
            "INSERT INTO turns VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,NULL,?)",
            (key, turn.id, *columns, *said, at, attachments, given),
        )
        return turn.id

    def _insert_event(self, values: tuple[Any, ...]) -> int:
        """The new event's sequence number; 0 when its id is journaled already."""
        cursor = self._db.run(
            "INSERT OR IGNORE INTO events (id, kind, subject, at, reason, changeset, body)"
            " VALUES (?,?,?,?,?,?,?)",
            values,
        )
        return int(cursor.lastrowid or 0) if cursor.rowcount else 0

    def _append(self, event: Event) -> None:
        """Append one event (skipped when its id is known) and fold it into the state."""
        kind, body = encode(event)
        seq = self._insert_event(
            (event.id, kind, event.subject, event.at.isoformat(), event.reason, event.changeset, body)
        )
        if seq and isinstance(event.what, Added):
            self._insert_memory(seq, event.what.memory, None)
        elif seq and not isinstance(event.what, TurnJournaled):
            self._fold(seq, event)

    def _insert_memory(self, seq: int, memory: MemoryEntry, body: str | None) -> None:
        made = self._db.run(
            "INSERT OR IGNORE INTO memories VALUES (?,?,?,?,?,?,?,?,?)",
            (seq, memory.id, seq, *scope_columns(memory.scope), memory.status, memory.superseded_by, body),
        )
        if made.rowcount:  # added twice keeps the first
            self._link(seq, memory.sources)

    def _link(self, key: int, sources: Iterable[str]) -> None:
        self._db.run_many("INSERT OR IGNORE INTO sources VALUES (?,?)", [(s, key) for s in sources])

    def _fold(self, seq: int, event: Event) -> None:
        row = self._db.one("SELECT * FROM entries WHERE id = ?", (event.subject,))
        if row is None:
            return  # a turn's vector, or an event on an entry that was never added
        before = stored(row)
        after = apply(before.memory, event)
        if after is None:
            return
        # Sources are not in the projections, so hearing a thing again must not touch them.
        stamp = before.stamp if isinstance(event.what, Corroborated) else seq
        self._db.run(
            "UPDATE memories SET stamp=?, status=?, superseded_by=?, body=? WHERE key=?",
            (stamp, after.status, after.superseded_by, to_json(memory_to_dict(after)), before.key),
        )
        self._link(before.key, after.sources)

    def _put_vectors(self, vectors: Mapping[str, bytes]) -> None:
        self._db.run_many(
            "INSERT OR REPLACE INTO vectors SELECT key, ? FROM memories WHERE id = ?"
            " UNION ALL SELECT key, ? FROM turns WHERE id = ?",
            [(data, subject, data, subject) for subject, data in vectors.items()],
        )

    def pay_vectors(self, vectors: Mapping[int, bytes]) -> None:
        """Store owed vectors by key; one that was made meanwhile, by an update, stands."""
        with self._db.transaction():
            self._db.run_many(
                "UPDATE vectors SET data = ? WHERE key = ? AND length(data) = 0",
                [(data, key) for key, data in vectors.items()],
            )

    def owe_vectors(self, **meta: str) -> None:
        """Mark every vector as still to be made, as a change of embedding model needs."""
        with self._db.transaction():
            self._db.run("UPDATE vectors SET data = x''")
            self._put_meta(meta)

    def note_failure(self, scope: Scope, failed: FailedWindow, at: datetime) -> None:
        """Remember why a window is still pending."""
        with self._db.transaction():
            self._db.run(
                "INSERT INTO failures VALUES (?,?,?,?,?,1,?,?) ON CONFLICT (window_id) DO UPDATE"
                " SET attempts = attempts + 1, at = excluded.at, reason = excluded.reason",
                (failed.window_id, *scope_columns(scope), failed.turns, at.isoformat(), failed.reason),
            )

    def note_usage(self, scope: Scope, usage: StageUsage) -> None:
        """Add up what models cost that no change set carries; stages without a call cost nothing."""
        rows = [(*scope_columns(scope), stage, *astuple(one)) for stage, one in usage.items() if one.calls]
        if not rows:
            return
        counted = ("calls", "prompt_tokens", "completion_tokens", "cached_tokens", "seconds")
        added = ", ".join(f"{name} = {name} + excluded.{name}" for name in counted)
        with self._db.transaction():
            self._db.run_many(
                "INSERT INTO spent VALUES (?,?,?,?,?,?,?,?,?)"
                f" ON CONFLICT (user_id, agent_id, session_id, stage) DO UPDATE SET {added}",
                rows,
            )

    def refold(self, fold: Callable[[], Mapping[int, tuple[int, MemoryEntry]]]) -> None:
        """Replace the state by the fold of all events, key -> (stamp, entry).

        `fold` is called inside the transaction, so that nothing is added between reading and replacing.
        """
        with self._db.transaction():
            memories = fold()
            self._db.run("DELETE FROM memories")
            self._db.run("DELETE FROM sources")
            for key, (stamp, memory) in memories.items():
                self._insert_memory(key, memory, to_json(memory_to_dict(memory)))
                self._db.run("UPDATE memories SET stamp = ? WHERE key = ?", (stamp, key))

    def claim_meta(self, name: str, value: str, **more: str) -> str:
        """The setting as it stands: `value`, with `more`, where it was not set before."""
        with self._db.transaction():
            row = self._db.one("SELECT value FROM meta WHERE name = ?", (name,))
            if row is None:
                self._put_meta({name: value, **more})
        return str(row["value"]) if row else value

    def set_meta(self, **values: str) -> None:
        """Store settings that describe the store as a whole."""
        with self._db.transaction():
            self._put_meta(values)

    def _put_meta(self, values: Mapping[str, str]) -> None:
        self._db.run_many("INSERT OR REPLACE INTO meta VALUES (?,?)", list(values.items()))


def scope_head(db: Database, scope: Scope) -> int:
    """The stamp of the last change to any entry of the scope's user."""
    row = db.one("SELECT max(stamp) AS stamp FROM memories WHERE user_id = ?", (scope.user_id,))
    return int(row["stamp"] or 0) if row else 0

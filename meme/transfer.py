"""The store as versioned JSONL and back: turns, change sets, entries with their history; no vectors.

Flows out on export: one JSON object a line, in journal order. Flows in on import: the same, or plain
lines `{"text": ...}` of other tools. An import is one transaction, keeps ids and times, and done
twice adds nothing. Into another user, ids are derived anew, so two users never share one.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from meme.errors import StoreFormatError, UsageError
from meme.events import (
    Added,
    Corroborated,
    Embedded,
    Event,
    Superseded,
    apply,
    changeset_from_dict,
    changeset_to_dict,
    decode,
    encode,
    scope_to_dict,
    to_json,
)
from meme.inputs import BadLine, clean, required
from meme.language.times import parse_instant
from meme.options import entry_fields
from meme.records import STATUSES, ChangeSet, MemoryEntry, Scope, Turn
from meme.store.journal import Commit
from meme.store.store import Store
from meme.store.views import Journaled, turn_text

VERSION: Final = 1
_HEADER: Final = {"type": "header", "format": "meme", "version": VERSION}


def export_lines(store: Store, scopes: Iterable[Scope]) -> Iterator[str]:
    """Everything of the given scopes, the header first."""
    yield to_json(_HEADER)
    for scope in scopes:
        for journaled in store.views.journaled(scope):
            yield to_json(_turn_to_dict(journaled))
        for changeset in store.views.changesets(scope):
            yield to_json({"type": "changeset", **changeset_to_dict(changeset)})
        for stored in reversed(store.views.page(scope, statuses=STATUSES, before=None, limit=None)):
            events = store.views.events_of([stored.memory.id])
            told = [_event_to_dict(event) for event in events if not isinstance(event.what, Embedded)]
            owner = scope_to_dict(stored.memory.scope)
            yield to_json({"type": "entry", "id": stored.memory.id, **owner, "events": told})


def _turn_to_dict(one: Journaled) -> dict[str, Any]:
    turn = one.turn
    data = {
        "type": "turn",
        "id": turn.id,
        **scope_to_dict(turn.scope),
        "key": one.key,
        "message_id": turn.message_id,
        "speaker": turn.speaker,
        "role": turn.role,
        "text": turn.text,
        "said_at": turn.said_at.isoformat(),
        "recorded_at": turn.recorded_at.isoformat(),
        "attachments": list(turn.attachments),
        "given": dict(turn.given),
        "changeset": one.changeset,
        "embedded": one.embedded,
    }
    return {name: value for name, value in data.items() if value not in (None, [], {}, False)}


def _event_to_dict(event: Event) -> dict[str, Any]:
    kind, body = encode(event)
    return {
        "id": event.id,
        "kind": kind,
        "at": event.at.isoformat(),
        "reason": event.reason,
        "changeset": event.changeset,
        "body": json.loads(body),
    }


@dataclass(slots=True)
class Incoming:
    """A file read and checked, ready to be committed. `texts` are to be embedded, by subject id."""

    turns: list[tuple[Turn, str]] = field(default_factory=list)
    consumed: dict[str, str] = field(default_factory=dict)
    changesets: list[ChangeSet] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    entries: dict[str, MemoryEntry] = field(default_factory=dict)
    bad: list[BadLine] = field(default_factory=list)

    def commit(self, vectors: Mapping[str, bytes]) -> Commit:
        """All of it as one transaction."""
        return Commit(
            turns=self.turns,
            events=self.events,
            changesets=self.changesets,
            consumed=self.consumed,
            vectors=vectors,
            imported=True,
        )


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What an import did. `known` entries were there before; `bad` lines were left out, by number."""

    turns: int
    entries: int
    known: int
    bad: tuple[BadLine, ...] = ()


class Importer:
    """Reads export lines for `scope`'s user, or (with `keep_users`) for the users they name."""

    def __init__(
        self,
        scope: Scope,
        *,
        keep_users: bool,
        now: datetime,
        known_turns: Callable[[Scope, list[str]], Mapping[str, str]],
        owner_of: Callable[[str], str | None],
    ) -> None:
        self._scope, self._keep, self._now, self._known = scope, keep_users, now, known_turns
        self._owner_of = owner_of
        self._last: dict[Scope, Turn] = {}
        self._said: dict[str, str] = {}  # turn ids of the file that are journaled under another id
        self.found = Incoming()

    def read(self, lines: Iterable[str]) -> Incoming:
        """Every good line taken, every bad one noted by number. Raises StoreFormatError for a newer file."""
        for number, line in enumerate(lines, 1):
            text = line.strip().lstrip("\ufeff").strip()
            if not text:
                continue
            try:
                self._take(json.loads(text), number)
            except json.JSONDecodeError as error:
                self.found.bad.append(BadLine(number, f"not JSON ({error.msg})"))
            except KeyError as error:
                self.found.bad.append(BadLine(number, f"the field {error} is missing"))
            except (UsageError, TypeError, ValueError, AttributeError, RecursionError) as error:
                self.found.bad.append(BadLine(number, str(error)))
        return self.found

    def _take(self, data: Any, number: int) -> None:
        if not isinstance(data, dict):
            raise UsageError("not a JSON object")
        kind = data.get("type")
        if kind == "header":
            self._header(data)
        elif kind == "turn":
            self._turn(data)
        elif kind == "changeset":
            self._changeset(data)
        elif kind == "entry" and "events" in data:
            self._entry(data)
        else:
            self._plain(data, number)

    def _header(self, data: Mapping[str, Any]) -> None:
        if data.get("format") == "meme" and int(data["version"]) > VERSION:
            raise StoreFormatError(
                f"The file has version {data['version']}, this meme reads {VERSION}: upgrade meme-memory."
            )

    def _target(self, data: Mapping[str, Any]) -> Scope:
        user = data["user_id"] if self._keep else self._scope.user_id
        return Scope(user, data.get("agent_id"), data.get("session_id"))

    def _id(self, data: Mapping[str, Any], old: str) -> str:
        """An id as it is, or derived anew when it moves to another user or is somebody else's here."""
        user = self._target(data).user_id
        if user == data["user_id"] and self._owner_of(old) in (None, user):
            return old
        return _derived_id(user, old)

    def _turn_id(self, data: Mapping[str, Any], old: str) -> str:
        return self._said.get(old) or self._id(data, old)

    def _turn(self, data: Mapping[str, Any]) -> None:
        scope = self._target(data)
        known = self._known(scope, [data["key"]]).get(data["key"])
        if known:
            self._said[data["id"]] = known
            return
        turn = Turn(
            id=self._id(data, data["id"]),
            scope=scope,
            speaker=data["speaker"],
            text=data["text"],
            said_at=datetime.fromisoformat(data["said_at"]),
            recorded_at=datetime.fromisoformat(data["recorded_at"]),
            role=data.get("role", "user"),
            message_id=data.get("message_id"),
            attachments=tuple(data.get("attachments", ())),
            given=entry_fields(data.get("given", {})),
        )
        if data.get("embedded"):
            before = self._last.get(turn.scope)
            self.found.texts[turn.id] = turn_text(turn, [before] if before else [])
            self.found.events.append(Event(f"{turn.id}:e", turn.id, self._now, Embedded()))
        self._last[turn.scope] = turn
        self.found.turns.append((turn, data["key"]))
        if data.get("changeset"):
            self.found.consumed[turn.id] = self._id(data, data["changeset"])

    def _changeset(self, data: dict[str, Any]) -> None:
        one = changeset_from_dict(data)
        decisions = tuple(
            replace(
                d,
                memory_id=self._id(data, d.memory_id),
                targets=tuple(self._id(data, target) for target in d.targets),
            )
            for d in one.decisions
        )
        window = self._id(data, one.window_id) if one.window_id else None
        nothing = {self._turn_id(data, turn): why for turn, why in one.nothing.items()}
        self.found.changesets.append(
            replace(
                one,
                id=self._id(data, one.id),
                scope=self._target(data),
                window_id=window,
                decisions=decisions,
                nothing=nothing,
            )
        )

    def _entry(self, data: Mapping[str, Any]) -> None:
        subject = self._id(data, data["id"])
        events = [self._event(data, subject, one) for one in data["events"]]
        memory = None
        for event in events:
            memory = apply(memory, event)
        if memory is None:
            raise UsageError("the entry's history does not begin with its creation")
        self.found.events += events
        self.found.texts[subject] = memory.content
        self.found.entries[subject] = memory

    def _event(self, data: Mapping[str, Any], subject: str, one: Mapping[str, Any]) -> Event:
        envelope = {
            "id": self._id(data, one["id"]),
            "subject": subject,
            "at": datetime.fromisoformat(one["at"]),
            "reason": one.get("reason", ""),
            "changeset": self._id(data, one["changeset"]) if one.get("changeset") else None,
        }
        event = decode(one["kind"], to_json(one["body"]), envelope)
        what = event.what
        if isinstance(what, Added):
            sources = tuple(self._turn_id(data, source) for source in what.memory.sources)
            memory = replace(what.memory, id=subject, sources=sources, scope=self._target(data))
            return replace(event, what=Added(memory))
        if isinstance(what, Corroborated):
            sources = tuple(self._turn_id(data, source) for source in what.sources)
            return replace(event, what=Corroborated(sources))
        if isinstance(what, Superseded):
            return replace(event, what=replace(what, by=self._id(data, what.by)))
        return event

    def _plain(self, data: Mapping[str, Any], number: int) -> None:
        """A line of another tool: a text, perhaps an id, a time, tags and metadata."""
        if "speaker" in data or "role" in data:
            raise UsageError("a line of dialogue, no entry: use `meme add --file`")
        text = required(data.get("text") or data.get("content") or "", "text of the line")
        said = data.get("created_at") or data.get("timestamp")
        said_at = parse_instant(said, UTC) if said is not None else self._now
        named_user = data.get("user_id") or data.get("user")
        if self._keep and not named_user:
            raise UsageError("the line names no user")
        scope = Scope(str(named_user)) if self._keep else self._scope
        # The same line read again must give the same id, whatever the clock says by then.
        subject = _derived_id(scope.user_id, str(data.get("id", number)), text, str(said))
        memory = MemoryEntry(
            id=subject,
            scope=scope,
            content=text,
            said_at=said_at,
            recorded_at=self._now,
            tags=tuple(clean(str(tag)) for tag in data.get("tags", ())),
            metadata=dict(data.get("metadata", {})),
        )
        if subject not in self.found.entries:
            self.found.events.append(Event(f"{subject}:import", subject, self._now, Added(memory)))
            self.found.texts[subject] = text
            self.found.entries[subject] = memory


def _derived_id(*named: str) -> str:
    """An id in the form of a UUID that the same names always give again."""
    digest = hashlib.sha256("\n".join(named).encode()).hexdigest()
    return f"{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:20]}-{digest[20:32]}"


def write_whole(target: Path, lines: Iterable[str]) -> int:
    """Write lines to a file that appears whole or not at all; how many."""
    if target.exists() and not target.is_file():
        raise UsageError(f"{target} is no ordinary file: name another one.")
    staging = target.with_name(f".{target.name}.part")
    count = 0
    try:
        with staging.open("w", encoding="utf-8", newline="\n") as out:
            for line in lines:
                out.write(line + "\n")
                count += 1
        staging.replace(target)
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror}.") from error
    finally:
        staging.unlink(missing_ok=True)
    return count


def read_file(path: Path) -> list[str]:
    """The lines of a text file. Raises UsageError for one that cannot be read."""
    try:
        return path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f"{path} cannot be read: {why}.") from error

"""What can happen to an entry, as journaled facts; state is nothing but their fold.

Flows in: events in journal order. Flows out: `apply` gives the entry after each. Events are
never changed or removed; a new need is a new kind, and `decode` keeps reading the old ones.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final

from meme.errors import StoreFormatError
from meme.records import ChangeSet, Coverage, Decision, Happened, MemoryEntry, Scope, Usage


@dataclass(frozen=True, slots=True)
class Added:
    """A new entry."""

    memory: MemoryEntry


@dataclass(frozen=True, slots=True)
class Revised:
    """A user's own edit: a new revision under the same id. `changes` holds only changed fields."""

    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Superseded:
    """Another entry took this one's place."""

    by: str
    valid_until: datetime


@dataclass(frozen=True, slots=True)
class Retracted:
    """No longer holds, or never did."""

    valid_until: datetime


@dataclass(frozen=True, slots=True)
class Corroborated:
    """Said again: further source turns for the same statement."""

    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Embedded:
    """A vector came later than its entry or turn; nothing else changed."""


@dataclass(frozen=True, slots=True)
class TurnJournaled:
    """A turn was said; its text is in the turns table."""


Happening = Added | Revised | Superseded | Retracted | Corroborated | Embedded | TurnJournaled


@dataclass(frozen=True, slots=True)
class Event:
    """One happening to one subject (an entry or a turn), with when, why and in which change set."""

    id: str
    subject: str
    at: datetime
    what: Happening
    reason: str = ""
    changeset: str | None = None


def apply(memory: MemoryEntry | None, event: Event) -> MemoryEntry | None:
    """The entry after `event`; None stands for an entry that does not exist (yet).

    An event on a missing entry leaves it missing, so any prefix of a journal can be folded.
    """
    what = event.what
    if isinstance(what, Added):
        return memory or what.memory
    if memory is None or isinstance(what, Embedded | TurnJournaled):
        return memory
    if isinstance(what, Revised):
        return replace(memory, **what.changes, updated_at=event.at)
    if isinstance(what, Corroborated):
        fresh = tuple(s for s in what.sources if s not in memory.sources)
        return replace(memory, sources=memory.sources + fresh, updated_at=event.at) if fresh else memory
    if memory.status != "active":
        return memory  # the first closing stands
    if isinstance(what, Superseded):
        return replace(
            memory,
            status="superseded",
            superseded_by=what.by,
            valid_until=what.valid_until,
            updated_at=event.at,
        )
    return replace(memory, status="retracted", valid_until=what.valid_until, updated_at=event.at)


# ---------------------------------------------------------------- encoding
# Written by hand instead of dataclasses.asdict, which copies deeply and writes every default: a
# short entry is 2.4x smaller this way, and the journal holds each one twice (event and state).

_SCALARS: Final = ("kind", "status", "topic", "location", "superseded_by", "importance", "quote", "language")
_LISTS: Final = ("keywords", "persons", "entities", "tags", "sources")
_INSTANTS: Final = ("said_at", "recorded_at", "valid_from", "valid_until", "updated_at")
# What a user may edit: never whose an entry is, or what only another event may set.
_REVISABLE: Final = frozenset(
    {"content", "happened", "metadata", "said_at", "recorded_at", "valid_from", "valid_until"}
).union(_SCALARS, _LISTS) - {"status", "superseded_by"}
_DEFAULTS: Final[Mapping[str, Any]] = {"kind": "semantic", "status": "active", "importance": 0.5}


def scope_to_dict(scope: Scope) -> dict[str, str]:
    """The given ids of a scope, without the empty ones."""
    found = {"user_id": scope.user_id, "agent_id": scope.agent_id, "session_id": scope.session_id}
    return {name: value for name, value in found.items() if value is not None}


def happened_to_dict(happened: Happened) -> dict[str, str]:
    """ISO dates, precision and phrase."""
    return {
        "start": happened.start.isoformat(),
        "end": happened.end.isoformat(),
        "precision": happened.precision,
        "phrase": happened.phrase,
    }


def happened_from_dict(data: Mapping[str, Any]) -> Happened:
    """The inverse of happened_to_dict."""
    start, end = date.fromisoformat(data["start"]), date.fromisoformat(data["end"])
    return Happened(start, end, data["precision"], data.get("phrase", ""))


def _field_to_json(name: str, value: Any) -> Any:
    if name in _INSTANTS:
        return value.isoformat() if value is not None else None
    if name == "happened":
        return happened_to_dict(value) if value is not None else None
    if name in _LISTS:
        return list(value)
    return dict(value) if name == "metadata" else value


def _field_from_json(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in _INSTANTS:
        return datetime.fromisoformat(value)
    if name == "happened":
        return happened_from_dict(value)
    return tuple(value) if name in _LISTS else value


def _revised(body: Mapping[str, Any]) -> Revised:
    unknown = sorted(body.keys() - _REVISABLE)
    if unknown:
        raise StoreFormatError(f"A revision changes {unknown[0]!r}, which needs a newer meme.")
    return Revised({name: _field_from_json(name, value) for name, value in body.items()})


def memory_to_dict(memory: MemoryEntry) -> dict[str, Any]:
    """A JSON object of everything in the entry that differs from its default."""
    data: dict[str, Any] = {"id": memory.id, **scope_to_dict(memory.scope), "content": memory.content}
    for name in (*_SCALARS, *_LISTS, *_INSTANTS, "happened", "metadata"):
        value = getattr(memory, name)
        if value is not None and value != () and value != {} and value != _DEFAULTS.get(name):
            data[name] = _field_to_json(name, value)
    return data


def memory_from_dict(data: Mapping[str, Any]) -> MemoryEntry:
    """The inverse of memory_to_dict."""
    scope = Scope(data["user_id"], data.get("agent_id"), data.get("session_id"))
    named = (*_SCALARS, *_LISTS, *_INSTANTS, "happened", "metadata")
    values = {name: _field_from_json(name, data[name]) for name in named if name in data}
    return MemoryEntry(id=data["id"], scope=scope, content=data["content"], **values)


def changeset_to_dict(changeset: ChangeSet) -> dict[str, Any]:
    """The change set as a JSON object, its id and scope included."""
    return {
        "id": changeset.id,
        **scope_to_dict(changeset.scope),
        "recorded_at": changeset.recorded_at.isoformat(),
        "window_id": changeset.window_id,
        "model": changeset.model,
        "prompt": changeset.prompt,
        "nothing": dict(changeset.nothing),
        "coverage": [
            changeset.coverage.required,
            changeset.coverage.covered,
            list(changeset.coverage.missing),
        ],
        "usage": {
            stage: [u.calls, u.prompt_tokens, u.completion_tokens, u.cached_tokens, round(u.seconds, 4)]
            for stage, u in changeset.usage.items()
        },
        "decisions": [
            [d.verb, d.content, d.memory_id, list(d.targets), d.reason, d.quote, d.flag]
            for d in changeset.decisions
        ],
    }


def changeset_from_dict(data: Mapping[str, Any]) -> ChangeSet:
    """The inverse of changeset_to_dict."""
    required, covered, missing = data["coverage"]
    return ChangeSet(
        id=data["id"],
        scope=Scope(data["user_id"], data.get("agent_id"), data.get("session_id")),
        recorded_at=datetime.fromisoformat(data["recorded_at"]),
        window_id=data["window_id"],
        model=data["model"],
        prompt=data["prompt"],
        nothing=data["nothing"],
        coverage=Coverage(required, covered, tuple(missing)),
        usage={stage: Usage(*values) for stage, values in data["usage"].items()},
        decisions=tuple(
            Decision(verb, content, memory_id, tuple(targets), reason, quote, flag)
            for verb, content, memory_id, targets, reason, quote, flag in data["decisions"]
        ),
    )


_Body = dict[str, Any]
_ENCODERS: Final[Mapping[type, tuple[str, Callable[[Any], _Body]]]] = {
    Added: ("added", lambda w: memory_to_dict(w.memory)),
    Revised: ("revised", lambda w: {n: _field_to_json(n, v) for n, v in w.changes.items()}),
    Superseded: ("superseded", lambda w: {"by": w.by, "valid_until": w.valid_until.isoformat()}),
    Retracted: ("retracted", lambda w: {"valid_until": w.valid_until.isoformat()}),
    Corroborated: ("corroborated", lambda w: {"sources": list(w.sources)}),
    Embedded: ("embedded", lambda _: {}),
    TurnJournaled: ("turn", lambda _: {}),
}
_DECODERS: Final[Mapping[str, Callable[[_Body], Happening]]] = {
    "added": lambda b: Added(memory_from_dict(b)),
    "revised": _revised,
    "superseded": lambda b: Superseded(b["by"], datetime.fromisoformat(b["valid_until"])),
    "retracted": lambda b: Retracted(datetime.fromisoformat(b["valid_until"])),
    "corroborated": lambda b: Corroborated(tuple(b["sources"])),
    "embedded": lambda _: Embedded(),
    "turn": lambda _: TurnJournaled(),
}


def to_json(value: Any) -> str:
    """Compact JSON in UTF-8, lone surrogates escaped so that every text survives."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"))
    return text


def encode(event: Event) -> tuple[str, str]:
    """(kind, body): the name and JSON body an event is journaled under."""
    kind, body = _ENCODERS[type(event.what)]
    return kind, to_json(body(event.what))


def decode(kind: str, body: str, envelope: Mapping[str, Any]) -> Event:
    """The inverse of encode; `envelope` holds id, subject, at, reason and changeset.

    Raises StoreFormatError for a kind, or a field in a revision, that this version does not know.
    """
    decoder = _DECODERS.get(kind)
    if decoder is None:
        raise StoreFormatError(f"The journal holds an event of kind {kind!r}: it needs a newer meme.")
    return Event(what=decoder(json.loads(body)), **envelope)

"""What can be done with entries by their id: find, page, revise, tell their history.

Flows in: the store, ids, scopes. Flows out: records. Reads SQLite alone, so nothing here waits for an index.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from meme.errors import EntryClosedError, NotFoundError, UsageError
from meme.events import Added, Corroborated, Retracted, Revised, Superseded, apply
from meme.inputs import required
from meme.language.names import keywords, persons, proper_names
from meme.language.times import spot
from meme.language.topics import topic_of
from meme.options import entry_fields
from meme.records import MemoryEntry, Scope, Status, Turn
from meme.results import HistoryEvent, Page
from meme.store.store import Store


def find(store: Store, memory_id: str, scope: Scope) -> MemoryEntry | Turn:
    """The entry or turn with this id, or whose id alone begins with it. Raises NotFoundError."""
    wanted = required(memory_id, "id").strip().lower()
    matches = store.views.ids_with_prefix(wanted, scope)
    exact = [one for one in matches if one == wanted]
    if not matches:
        raise NotFoundError(f"No entry or turn has the id {memory_id!r} here; `meme list` shows the ids.")
    if len(matches) > 1 and not exact:
        shown = ", ".join(matches[:4])
        raise NotFoundError(f"Several ids begin with {memory_id!r} ({shown}, ...): give more of it.")
    found = (exact or matches)[0]
    memories = store.views.memories([found], scope)
    return memories[found].memory if memories else store.views.turns([found], scope)[found]


def find_open(store: Store, memory_id: str, scope: Scope, verb: str) -> MemoryEntry:
    """The active entry with this id. Raises UsageError for a turn, EntryClosedError for a closed entry."""
    found = find(store, memory_id, scope)
    if isinstance(found, Turn):
        raise UsageError(f"{found.id} is a turn: what was said cannot be {verb}; entries made from it can.")
    if found.status != "active":
        successor = f", replaced by {found.superseded_by}" if found.superseded_by else ""
        raise EntryClosedError(f"{found.id} is {found.status}{successor}; it cannot be {verb}.")
    return found


def page(
    store: Store, scope: Scope, statuses: Sequence[Status], before: int | None, limit: int | None
) -> Page:
    """Entries newest first. The cursor is the last entry's key, so pages stay put while entries are added."""
    found = store.views.page(
        scope, statuses=statuses, before=before, limit=None if limit is None else limit + 1
    )
    shown = found if limit is None else found[:limit]
    marks = ",".join(f"'{status}'" for status in statuses)  # from STATUSES, never from a caller
    return Page(
        entries=tuple(one.memory for one in shown),
        total=store.views.count("memories", scope, f"status IN ({marks})"),
        cursor=str(shown[-1].key) if len(found) > len(shown) else None,
        pending=tuple(store.views.pending(scope)),
    )


def changes_for(
    entry: MemoryEntry, text: str | None, given: Mapping[str, Any], now: datetime
) -> dict[str, Any]:
    """The fields an update changes: the new text with what is derived from it, and the caller's own."""
    fields = entry_fields(given)
    if "metadata" in fields:  # merge-patch (RFC 7396) at the top level: a null removes its key
        merged = {**entry.metadata, **fields["metadata"]}
        fields["metadata"] = {name: value for name, value in merged.items() if value is not None}
    if text is None:
        if not fields:
            raise UsageError("Nothing to update: give a new text or a field.")
        return fields
    content = required(text, "text")
    dated = [one.happened for one in spot(content, now) if one.happened]
    known = persons(content, entry.persons) or entry.persons
    derived = {
        "content": content,
        "keywords": keywords(content),
        "persons": known,
        "entities": tuple(name for name in proper_names(content) if name not in known),
        "topic": topic_of(content),
        "happened": dated[0] if dated else entry.happened,
        "quote": content,  # the old wording no longer speaks for the entry
    }
    return {**derived, **fields}


def history_of(store: Store, memory_id: str, scope: Scope) -> list[HistoryEvent]:
    """Every event of the entry and of those it replaced or was replaced by, oldest first.

    An UPDATE is one step: the closing of the old entry and the adding of the new, told together.
    """
    lineage = store.views.lineage(memory_id, scope)
    told: list[HistoryEvent] = []
    states: dict[str, MemoryEntry | None] = dict.fromkeys(lineage)
    events = store.views.events_of(lineage)
    replacing = {e.what.by: e for e in events if isinstance(e.what, Superseded) and e.what.by in states}
    for event in events:
        before = states[event.subject]
        after = states[event.subject] = apply(before, event)
        old = before.content if before else None
        new = after.content if after else None
        step = (event.subject, event.at, event.reason, event.changeset)
        if isinstance(event.what, Added) and after:
            closing = replacing.get(event.subject)
            earlier = states.get(closing.subject) if closing else None
            verb = "UPDATE" if closing else "ADD"
            told.append(_step(step, verb, earlier.content if earlier else None, new, after.sources))
        elif isinstance(event.what, Revised):
            told.append(_step(step, "REVISE", old, new))
        elif isinstance(event.what, Corroborated):
            told.append(_step(step, "NOOP", old, new, event.what.sources))
        elif isinstance(event.what, Retracted):
            told.append(_step(step, "DELETE", old, None))
    return told


def _step(
    step: tuple[str, datetime, str, str | None],
    verb: Any,
    before: str | None,
    after: str | None,
    sources: tuple[str, ...] = (),
) -> HistoryEvent:
    subject, at, reason, changeset = step
    return HistoryEvent(subject, verb, at, before, after, reason, sources, changeset)

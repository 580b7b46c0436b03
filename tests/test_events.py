"""Events and records survive being journaled, and folding them obeys a few laws."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meme.errors import StoreFormatError
from meme.events import (
    Added,
    Corroborated,
    Embedded,
    Event,
    Happening,
    Retracted,
    Revised,
    Superseded,
    TurnJournaled,
    apply,
    changeset_from_dict,
    changeset_to_dict,
    decode,
    encode,
    memory_from_dict,
    memory_to_dict,
    to_json,
)
from meme.records import (
    KINDS,
    STATUSES,
    ChangeSet,
    Coverage,
    Decision,
    Happened,
    MemoryEntry,
    Scope,
    Usage,
    is_blank,
)

# Lone surrogates are cleaned at the border, everything else may come: NUL, line ends, any script.
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
names = text.filter(lambda value: not is_blank(value))
tuples = st.lists(text, max_size=3).map(tuple)
zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
# A day is left free at both ends of the calendar for the offset.
instants = st.tuples(st.timedeltas(timedelta(days=2), timedelta(days=3_652_000)), st.just(UTC) | zones).map(
    lambda drawn: (datetime(1, 1, 1, tzinfo=UTC) + drawn[0]).astimezone(drawn[1])
)
days = st.dates()
metadata = st.dictionaries(
    text,
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | text,
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(text, inner, max_size=2),
        max_leaves=4,
    ),
    max_size=3,
)
scopes = st.builds(Scope, names, st.none() | names, st.none() | names)
happenings = st.builds(
    lambda ends, precision, phrase: Happened(min(ends), max(ends), precision, phrase),
    st.tuples(days, days),
    st.sampled_from(["day", "weekend", "week", "month", "season", "year", "range"]),
    text,
)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "kind": st.sampled_from(KINDS),
    "status": st.sampled_from(STATUSES),
    "keywords": tuples,
    "topic": st.none() | text,
    "persons": tuples,
    "entities": tuples,
    "location": st.none() | text,
    "happened": st.none() | happenings,
    "valid_from": st.none() | instants,
    "valid_until": st.none() | instants,
    "updated_at": st.none() | instants,
    "superseded_by": st.none() | text,
    "importance": st.floats(0, 1),
    "tags": tuples,
    "sources": tuples,
    "quote": st.none() | text,
    "metadata": metadata,
    "language": st.none() | text,
}
memories = st.builds(
    MemoryEntry, id=text, scope=scopes, content=text, said_at=instants, recorded_at=instants, **FIELDS
)
FIXED = {"status", "superseded_by", "updated_at"}  # what only another event, or the clock, may set
changes = st.fixed_dictionaries(
    {}, optional={"content": text, **{name: drawn for name, drawn in FIELDS.items() if name not in FIXED}}
)
whats: st.SearchStrategy[Happening] = st.one_of(
    st.builds(Added, memories),
    st.builds(Revised, changes),
    st.builds(Superseded, text, instants),
    st.builds(Retracted, instants),
    st.builds(Corroborated, tuples),
    st.just(Embedded()),
    st.just(TurnJournaled()),
)
events = st.builds(Event, text, text, instants, whats, text, st.none() | text)


def envelope(event: Event) -> dict[str, Any]:
    """What the journal keeps of an event in columns of its own."""
    return {
        "id": event.id,
        "subject": event.subject,
        "at": datetime.fromisoformat(event.at.isoformat()),
        "reason": event.reason,
        "changeset": event.changeset,
    }


def offsets(memory: MemoryEntry) -> list[timedelta | None]:
    """Equal instants may differ in their offset, which has to be kept as well."""
    found = (memory.said_at, memory.recorded_at, memory.valid_from, memory.valid_until, memory.updated_at)
    return [instant.utcoffset() if instant else None for instant in found]


# ---------------------------------------------------------------- there and back


@given(events)
def test_an_event_of_any_kind_is_the_same_after_encoding_and_decoding(event: Event) -> None:
    kind, body = encode(event)
    back = decode(kind, body, envelope(event))
    assert back == event
    assert body.encode("utf-8").decode("utf-8") == body


@given(memories)
def test_every_field_of_an_entry_is_kept_with_the_offsets_of_its_instants(memory: MemoryEntry) -> None:
    back = memory_from_dict(json.loads(to_json(memory_to_dict(memory))))
    assert back == memory
    assert offsets(back) == offsets(memory)


def test_an_entry_of_defaults_is_stored_small_and_comes_back_whole() -> None:
    at = datetime(2025, 1, 2, tzinfo=UTC)
    memory = MemoryEntry("m1", Scope("ana"), "Ana lives in Porto.", at, at)
    assert memory_to_dict(memory).keys() == {"id", "user_id", "content", "said_at", "recorded_at"}
    assert memory_from_dict(memory_to_dict(memory)) == memory


@pytest.mark.parametrize("importance", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("topic", [None, ""])
def test_an_empty_value_is_not_taken_for_a_missing_one(importance: float, topic: str | None) -> None:
    at = datetime(2025, 1, 2, tzinfo=UTC)
    memory = MemoryEntry("m1", Scope("ana"), "", at, at, importance=importance, topic=topic, quote=topic)
    assert memory_from_dict(memory_to_dict(memory)) == memory


usages = st.builds(
    Usage,
    st.integers(0, 9),
    st.integers(0, 10**9),
    st.integers(0, 10**9),
    st.integers(0, 10**9),
    st.floats(0, 10**5),
)
changesets = st.builds(
    ChangeSet,
    id=text,
    scope=scopes,
    recorded_at=instants,
    decisions=st.lists(
        st.builds(
            Decision,
            st.sampled_from(["ADD", "UPDATE", "DELETE", "NOOP"]),
            text,
            text,
            tuples,
            text,
            st.none() | text,
            st.none() | text,
        ),
        max_size=3,
    ).map(tuple),
    window_id=st.none() | text,
    nothing=st.dictionaries(text, text, max_size=3),
    coverage=st.builds(Coverage, st.integers(0, 99), st.integers(0, 99), tuples),
    model=text,
    prompt=text,
    usage=st.dictionaries(text, usages, max_size=3),
)


@given(changesets)
def test_a_change_set_is_kept_whole_but_for_fractions_of_a_tenth_of_a_millisecond(
    changeset: ChangeSet,
) -> None:
    # The one thing that is not stored as it was: seconds are rounded to four decimals.
    back = changeset_from_dict(json.loads(to_json(changeset_to_dict(changeset))))
    usage = {stage: replace(one, seconds=round(one.seconds, 4)) for stage, one in changeset.usage.items()}
    assert back == replace(changeset, usage=usage)
    assert changeset_from_dict(changeset_to_dict(back)) == back


def test_a_lone_surrogate_that_slips_in_does_not_make_the_body_unwritable() -> None:
    body = to_json({"text": "half \ud83d of it"})
    assert json.loads(body.encode("utf-8")) == {"text": "half \ud83d of it"}


def test_a_kind_from_a_newer_meme_is_refused_by_name() -> None:
    with pytest.raises(StoreFormatError, match="'merged'"):
        decode("merged", "{}", {})


@pytest.mark.parametrize("field", ["id", "scope", "user_id", "status", "superseded_by", "updated_at", "mood"])
def test_a_revision_of_what_nobody_may_edit_is_refused_by_name(field: str) -> None:
    with pytest.raises(StoreFormatError, match=field):
        decode("revised", json.dumps({field: "x"}), {"id": "e", "subject": "m", "at": AT})


# ---------------------------------------------------------------- the laws of apply

AT = datetime(2025, 3, 1, tzinfo=UTC)


def happening(what: Happening, *, at: datetime = AT) -> Event:
    return Event("e1", "m1", at, what)


open_memories = memories.map(lambda memory: replace(memory, status="active", superseded_by=None))
closings = st.one_of(st.builds(Superseded, text, instants), st.builds(Retracted, instants))


@given(events.filter(lambda event: not isinstance(event.what, Added)))
def test_an_event_on_a_missing_entry_leaves_it_missing(event: Event) -> None:
    assert apply(None, event) is None


@given(memories, memories)
def test_added_twice_keeps_the_first(first: MemoryEntry, second: MemoryEntry) -> None:
    once = apply(None, happening(Added(first)))
    assert once == first
    assert apply(once, happening(Added(second))) == first


@given(open_memories, closings, closings, instants)
def test_the_first_closing_stands(
    memory: MemoryEntry, first: Superseded | Retracted, second: Superseded | Retracted, later: datetime
) -> None:
    closed = apply(memory, happening(first))
    assert closed is not None
    assert closed.status == ("superseded" if isinstance(first, Superseded) else "retracted")
    assert closed.superseded_by == (first.by if isinstance(first, Superseded) else None)
    assert closed.valid_until == first.valid_until
    assert apply(closed, happening(second, at=later)) == closed


@given(open_memories, closings)
def test_closing_takes_nothing_away(memory: MemoryEntry, closing: Superseded | Retracted) -> None:
    closed = apply(memory, happening(closing))
    assert closed is not None
    kept = replace(
        closed,
        status=memory.status,
        superseded_by=memory.superseded_by,
        valid_until=memory.valid_until,
        updated_at=memory.updated_at,
    )
    assert kept == memory


@given(memories, changes)
def test_a_revision_changes_what_it_names_and_nothing_else(
    memory: MemoryEntry, changed: dict[str, Any]
) -> None:
    after = apply(memory, happening(Revised(changed)))
    assert after is not None
    assert after.id == memory.id
    assert after.updated_at == AT
    for name in ("content", "said_at", "recorded_at", *(FIELDS.keys() - {"updated_at"})):
        assert getattr(after, name) == changed.get(name, getattr(memory, name))


@given(memories, st.lists(tuples, max_size=3))
def test_corroborating_adds_each_source_once_and_keeps_their_order(
    memory: MemoryEntry, heard: list[tuple[str, ...]]
) -> None:
    after: MemoryEntry | None = memory
    for sources in heard:
        after = apply(after, happening(Corroborated(sources)))
    assert after is not None
    assert after.sources[: len(memory.sources)] == memory.sources
    assert set(after.sources) == set(memory.sources).union(*heard)
    assert apply(after, happening(Corroborated(after.sources))) == after
    assert replace(after, sources=memory.sources, updated_at=memory.updated_at) == memory


@pytest.mark.parametrize("what", [Embedded(), TurnJournaled()])
def test_a_vector_or_a_turn_changes_no_entry(what: Happening) -> None:
    memory = MemoryEntry("m1", Scope("ana"), "Ana lives in Porto.", AT, AT)
    assert apply(memory, happening(what)) == memory


@given(st.lists(st.builds(Event, text, st.just("m1"), instants, whats), max_size=8), st.integers(0, 8))
def test_a_fold_can_be_cut_anywhere_and_continued(story: list[Event], cut: int) -> None:
    def fold(memory: MemoryEntry | None, told: list[Event]) -> MemoryEntry | None:
        for event in told:
            memory = apply(memory, event)
        return memory

    whole = fold(None, story)
    stored = fold(None, story[:cut])
    if stored is not None:  # as the journal does it: what was folded so far went through JSON
        stored = memory_from_dict(json.loads(to_json(memory_to_dict(stored))))
    assert fold(stored, story[cut:]) == whole


def test_dates_before_the_year_1000_survive() -> None:
    old = Happened(date(44, 3, 15), date(44, 3, 15), "day", "the Ides of March")
    memory = MemoryEntry("m1", Scope("ana"), "Caesar died.", AT, AT, happened=old)
    assert memory_from_dict(json.loads(to_json(memory_to_dict(memory)))) == memory

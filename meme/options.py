"""The keyword arguments that the verbs share, and what they mean: whose memory, filters, entry fields.

Flows in: keywords as a caller wrote them. Flows out: checked records, or a UsageError in one sentence.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, TypedDict

from meme.errors import UsageError
from meme.inputs import clean
from meme.language.times import parse_day
from meme.records import KINDS, LAYERS, Filters, Kind, Layer, is_blank


class Who(TypedDict, total=False):
    """Whose memory a single call is about; what is left out is as the object was made."""

    user_id: str
    agent_id: str | None
    session_id: str | None


class Conditions(TypedDict, total=False):
    """Hard filters of a search. `since` and `until` are days (UTC), both included."""

    persons: Sequence[str]
    entities: Sequence[str]
    location: str
    topic: str
    tags: Sequence[str]
    kind: Kind
    since: date | str
    until: date | str


class Asking(Conditions, Who, total=False):
    """Filters and whose memory, for `search`."""


class EntryFields(TypedDict, total=False):
    """What a caller may set on an entry himself."""

    kind: Kind
    tags: Sequence[str]
    importance: float
    metadata: Mapping[str, Any]


class Adding(EntryFields, Who, total=False):
    """Entry fields and whose memory, for `add` and `update`."""


def filters_of(given: Mapping[str, Any]) -> Filters:
    """The hard filters among the keywords. A blank value is an error, never "all"."""
    for name in ("location", "topic"):
        if name in given and is_blank(given[name]):
            raise UsageError(f"The filter {name} is blank: leave it out or give it a value.")
    since, until = (_day(given.get(name)) for name in ("since", "until"))
    if since and until and since > until:
        raise UsageError(f"since ({since}) is after until ({until}): no day lies between them.")
    return Filters(
        persons=_names(given, "persons"),
        entities=_names(given, "entities"),
        location=clean(given["location"]) if given.get("location") else None,
        topic=clean(given["topic"]) if given.get("topic") else None,
        tags=_names(given, "tags"),
        kind=_kind(given.get("kind")),
        since=since,
        until=until,
    )


def _names(given: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = given.get(name) or ()
    listed = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, Iterable) else (value,)
    if not all(isinstance(one, str) for one in listed):
        raise UsageError(f"{name} holds something that is no text.")
    if any(is_blank(one) for one in listed):
        raise UsageError(f"The filter {name} holds a blank value: leave it out or give it one.")
    return tuple(clean(one) for one in listed)


def _day(value: date | str | None) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    return parse_day(value) if isinstance(value, str) else value


def _kind(value: Any) -> Kind | None:
    if value is not None and value not in KINDS:
        raise UsageError(f"{value!r} is no kind: use one of {', '.join(KINDS)}.")
    found: Kind | None = value
    return found


def layers_of(given: Sequence[Layer] | None) -> tuple[Layer, ...]:
    """The layers to search, all by default."""
    unknown = [name for name in given or () if name not in LAYERS]
    if unknown or (given is not None and not given):
        raise UsageError(f"Unknown layer {unknown[0] if unknown else ''!r}: use some of {', '.join(LAYERS)}.")
    return tuple(dict.fromkeys(given)) if given else LAYERS


def entry_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """What the caller sets on an entry himself, checked."""
    found: dict[str, Any] = {}
    if given.get("kind") is not None:
        found["kind"] = _kind(given["kind"])
    if given.get("tags") is not None:
        found["tags"] = _names(given, "tags")
    if given.get("importance") is not None:
        found["importance"] = _importance(given["importance"])
    if given.get("metadata") is not None:
        found["metadata"] = _metadata(given["metadata"])
    return found


def _importance(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise UsageError(f"importance is {value!r}: it is a number between 0 and 1.")
    return float(value)


def _metadata(value: Any) -> dict[str, Any]:
    try:
        found = json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"metadata is not JSON: {error}.") from error
    if not isinstance(found, dict):
        raise UsageError("metadata is not a JSON object: give a mapping.")
    return found

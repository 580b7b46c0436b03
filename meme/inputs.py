"""What callers hand in, checked once at the border: texts, timestamps, dialogue lines, JSONL.

Flows in: anything a caller may pass. Flows out: clean turns with the key that makes each unique,
or a UsageError in one sentence. Nothing is stored here.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from meme.errors import UsageError
from meme.language.times import parse_instant
from meme.records import Scope, Turn, is_blank

MAX_ID = 512  # characters; longer ones are a mistake, and would not fit an index term


def _text(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


class TurnInput(BaseModel):
    """One line of a dialogue as callers write it: `speaker` or `role`, `text` or `content`."""

    model_config = ConfigDict(extra="ignore", arbitrary_types_allowed=True)

    text: str = Field(validation_alias=AliasChoices("text", "content"))
    speaker: str | None = None
    role: str | None = None
    timestamp: datetime | str | int | float | None = None
    message_id: Annotated[str | None, BeforeValidator(_text)] = Field(default=None, max_length=MAX_ID)
    session_id: Annotated[str | None, BeforeValidator(_text)] = Field(default=None, max_length=MAX_ID)
    attachments: list[str] = []


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that could not be read: its number, counted from 1, and why."""

    number: int
    problem: str


def clean(text: str) -> str:
    """The text with lone surrogates replaced: nothing on disk can hold them."""
    return text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text


def required(text: str, what: str) -> str:
    """The cleaned text; raises UsageError when there is nothing in it."""
    if not isinstance(text, str) or is_blank(text):
        raise UsageError(f"The {what} is blank: say something.")
    return clean(text)


def turn_input(value: "TurnInput | Mapping[str, Any]") -> TurnInput:
    """A mapping as a TurnInput; raises UsageError naming the field that is wrong."""
    if isinstance(value, TurnInput):
        return value
    if not isinstance(value, Mapping):
        raise UsageError(f"A turn is a mapping with a text, not {type(value).__name__}.")
    try:
        return TurnInput.model_validate(dict(value))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(step) for step in first["loc"]) or "the line"
        raise UsageError(f"{where}: {first['msg']}") from error


def read_lines(lines: Iterable[str]) -> Iterator[tuple[int, TurnInput | BadLine]]:
    """JSONL dialogue, line by line with its number; blank lines are passed over, bad ones reported."""
    for number, line in enumerate(lines, 1):
        stripped = line.strip().lstrip("\ufeff").strip()
        if not stripped:
            continue
        try:
            value = json.loads(stripped)
            if not isinstance(value, dict):
                raise UsageError("not a JSON object")
            yield number, turn_input(value)
        except json.JSONDecodeError as error:
            yield number, BadLine(number, f"not JSON ({error.msg})")
        except (UsageError, RecursionError) as error:
            yield number, BadLine(number, str(error))


class TurnMaker:
    """Turns inputs into turns with their uniqueness keys; one maker serves one call.

    Two equal lines of one call get different ordinals and are both kept; the same call made again
    gives the same keys, so a resubmission is recognised.
    """

    def __init__(
        self,
        scope: Scope,
        *,
        user: str,
        now: datetime,
        zone: tzinfo,
        new_id: Callable[[], str],
    ) -> None:
        self._scope, self._user, self._now, self._zone, self._new_id = scope, user, now, zone, new_id
        self._seen: Counter[str] = Counter()

    def make(self, given: TurnInput) -> tuple[Turn, str]:
        """The turn and its key. Raises UsageError for a timestamp that cannot be read."""
        scope = self._scope
        if given.session_id:
            scope = Scope(scope.user_id, scope.agent_id, given.session_id)
        role = (given.role or "user").strip().lower()
        speaker = (given.speaker or "").strip() or (self._user if role == "user" else role.capitalize())
        said_at = self._now if given.timestamp is None else parse_instant(given.timestamp, self._zone)
        turn = Turn(
            id=self._new_id(),
            scope=scope,
            speaker=clean(speaker),
            text=clean(given.text),
            said_at=said_at,
            recorded_at=self._now,
            role=role,
            message_id=given.message_id,
            attachments=tuple(clean(caption) for caption in given.attachments if not is_blank(caption)),
        )
        return turn, self._key(turn)

    def _key(self, turn: Turn) -> str:
        if turn.message_id:
            return f"id:{turn.message_id}"
        told = "\n".join((turn.speaker, turn.said_at.isoformat(), turn.text, turn.scope.session_id or ""))
        told += "".join(f"\n[{caption}]" for caption in turn.attachments)
        digest = hashlib.sha256(told.encode()).hexdigest()[:32]
        self._seen[digest] += 1
        return f"text:{digest}:{self._seen[digest]}"

"""The frozen nouns that every other module passes around.

Nothing here does I/O, reads a clock or knows a third party. Three clocks are kept apart
and never mixed: when a thing *happened* (calendar dates), when it was *said* (an aware
instant with its original offset) and when it was *recorded* (an aware UTC instant).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal

from meme.errors import ScopeError

Kind = Literal["semantic", "episodic", "procedural"]
Status = Literal["active", "superseded", "retracted", "archived"]
Verb = Literal["ADD", "UPDATE", "DELETE", "NOOP"]
Precision = Literal["day", "weekend", "week", "month", "season", "year", "range"]
Layer = Literal["semantic", "lexical", "structured"]
HitType = Literal["memory", "turn"]

KINDS: tuple[Kind, ...] = ("semantic", "episodic", "procedural")
STATUSES: tuple[Status, ...] = ("active", "superseded", "retracted", "archived")
LAYERS: tuple[Layer, ...] = ("semantic", "lexical", "structured")

# Characters that str.strip() keeps but nobody can see: zero-width space, joiners, BOM (case O25).
INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"


def is_blank(text: str | None) -> bool:
    """Whether `text` holds nothing a person could see."""
    return text is None or not text.strip().strip(INVISIBLE).strip()


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memory this is. Isolation is by user, and by agent where one is given.

    `session_id` labels writes; reads span all sessions of the user unless it is given.
    Raises ScopeError for a blank id: a missing id never means "everybody".
    """

    user_id: str
    agent_id: str | None = None
    session_id: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.user_id, str) or is_blank(self.user_id):
            raise ScopeError("user_id is blank: name the user whose memory this is.")
        for name in ("user_id", "agent_id", "session_id"):
            value = getattr(self, name)
            # A lone surrogate is what a byte that is not UTF-8 becomes on the command line.
            if isinstance(value, str) and any("\ud800" <= c <= "\udfff" for c in value):
                raise ScopeError(f"{name} is not valid UTF-8 text: give it another name.")
        for name in ("agent_id", "session_id"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, str) or is_blank(value)):
                raise ScopeError(f"{name} is blank: leave it out or give it a name.")

    def covers(self, other: "Scope") -> bool:
        """Whether a reader with this scope may see a record of scope `other`."""
        return (
            self.user_id == other.user_id
            and self.agent_id in (None, other.agent_id)
            and self.session_id in (None, other.session_id)
        )

    def without_session(self) -> "Scope":
        """The same user and agent, all sessions."""
        return Scope(self.user_id, self.agent_id)


@dataclass(frozen=True, slots=True)
class Happened:
    """When something took place: calendar dates, both ends included.

    `precision` says how much of the dates is meant: a "year" stays a year and never becomes
    its first of January. `phrase` is the wording it was resolved from.
    """

    start: date
    end: date
    precision: Precision
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a dialogue, as it was said. `attachments` are captions of shared images.

    `given` is what the caller set for every entry made from it: kind, tags, importance, metadata.
    """

    id: str
    scope: Scope
    speaker: str
    text: str
    said_at: datetime
    recorded_at: datetime
    role: str = "user"
    message_id: str | None = None
    attachments: tuple[str, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)

    @property
    def content(self) -> str:
        """The turn as one line: speaker, text, captions."""
        captions = "".join(f" [shares {caption}]" for caption in self.attachments)
        return f"{self.speaker}: {self.text}{captions}"


@dataclass(frozen=True, slots=True)
class Window:
    """The turns one extraction looks at. `context` turns come before and are no evidence."""

    id: str
    scope: Scope
    turns: tuple[Turn, ...]
    context: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """One atomic statement taken from a window, not yet compared with what is known."""

    content: str
    sources: tuple[str, ...]
    said_at: datetime
    kind: Kind = "semantic"
    keywords: tuple[str, ...] = ()
    topic: str | None = None
    persons: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    location: str | None = None
    happened: Happened | None = None
    importance: float = 0.5
    quote: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """One thing that is known: a lossless, self-contained statement with where it came from.

    `content` is a full sentence without pronouns or relative time. `sources` are turn ids.
    `metadata` is the caller's own JSON object and is never touched by meme.
    """

    id: str
    scope: Scope
    content: str
    said_at: datetime
    recorded_at: datetime
    kind: Kind = "semantic"
    status: Status = "active"
    keywords: tuple[str, ...] = ()
    topic: str | None = None
    persons: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    location: str | None = None
    happened: Happened | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    updated_at: datetime | None = None
    superseded_by: str | None = None
    importance: float = 0.5
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    quote: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A known entry near a new fact. `similarity` is the cosine (0 where there is no vector)."""

    memory: MemoryEntry
    similarity: float = 0.0


@dataclass(frozen=True, slots=True)
class Decision:
    """What the reconciler decided about one new fact.

    `targets` are ids of entries that UPDATE or DELETE close, or that NOOP found to say the same.
    `memory_id` is the entry that carries the fact afterwards.
    """

    verb: Verb
    content: str
    memory_id: str
    targets: tuple[str, ...] = ()
    reason: str = ""
    quote: str | None = None
    flag: str | None = None


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of what a window says is in its entries: names, numbers, dates, quoted titles."""

    required: int = 0
    covered: int = 0
    missing: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """0..1; 1.0 when nothing was required."""
        return self.covered / self.required if self.required else 1.0

    def __add__(self, other: "Coverage") -> "Coverage":
        return Coverage(
            self.required + other.required, self.covered + other.covered, self.missing + other.missing
        )


@dataclass(frozen=True, slots=True)
class Usage:
    """What a stage cost: calls, tokens, seconds."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    seconds: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cached_tokens + other.cached_tokens,
            self.seconds + other.seconds,
        )


StageUsage = Mapping[str, Usage]


def merge_usage(*parts: StageUsage) -> dict[str, Usage]:
    """Add usages stage by stage."""
    total: dict[str, Usage] = {}
    for part in parts:
        for stage, usage in part.items():
            total[stage] = total.get(stage, Usage()) + usage
    return total


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """What one ingest decided: the unit of history.

    `nothing` maps turn ids that gave no entry to the reason. `window_id` is None for changes a
    caller made by hand.
    """

    id: str
    scope: Scope
    recorded_at: datetime
    decisions: tuple[Decision, ...] = ()
    window_id: str | None = None
    nothing: Mapping[str, str] = field(default_factory=dict)
    coverage: Coverage = Coverage()
    model: str = ""
    prompt: str = ""
    usage: StageUsage = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Filters:
    """Hard conditions on a search: all given ones must hold. Text compares without case and accents.

    `since`/`until` are UTC days, both included, and match when `happened` overlaps them
    (entries without `happened` are placed at the day they were said).
    """

    persons: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    location: str | None = None
    topic: str | None = None
    tags: tuple[str, ...] = ()
    kind: Kind | None = None
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """How a question is to be looked for. Its persons, entities and time are soft: they lift, never hide."""

    question: str
    intent: str = "other"
    queries: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    persons: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FailedWindow:
    """A window that stays pending, and why: the name of the error, a colon, a sentence."""

    window_id: str
    turns: int
    reason: str

    @property
    def error(self) -> str:
        """The name of the error: "AccountError" is one that retrying cannot help."""
        return self.reason.partition(":")[0]

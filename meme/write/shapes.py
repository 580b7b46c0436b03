"""What goes into and comes out of the two writing tasks, as the model or the rules see it.

Payloads are frozen records with short ids (t1, n1, m1); replies are pydantic models that
forgive the usual slips of a model (a bare string for a list, an integer id, lower-case verbs).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic.json_schema import SkipJsonSchema

from meme.records import Happened, Kind, Precision


def _listed(value: Any) -> Any:
    if value is None:
        return []
    if isinstance(value, str):
        return [value] if value.strip() else []
    return value


def _texted(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Text = Annotated[str, BeforeValidator(_texted)]
Texts = Annotated[list[Text], BeforeValidator(_listed)]
# Small models under a schema repeat themselves without end: a list gets one. More is read, if it comes.
Words = Annotated[Texts, WithJsonSchema({"type": "array", "items": {"type": "string"}, "maxItems": 12})]


class HappenedReply(BaseModel):
    """When it happened: calendar dates, both included, at the stated precision. What the rules give."""

    start: date
    end: date | None = None
    precision: Precision = "day"
    phrase: str = ""

    def record(self) -> Happened:
        """The same as a record; a missing end is the start."""
        end = self.end if self.end and self.end >= self.start else self.start
        return Happened(self.start, end, self.precision, self.phrase)


# A model names the date in words, and code reads it: less to write, and nothing to get wrong.
When = Annotated[
    HappenedReply | str | None, WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "null"}]})
]


class EntryReply(BaseModel):
    """One extracted statement. `happened` is the date as the text has it, or the resolved dates."""

    model_config = ConfigDict(extra="ignore")

    text: str = Field(min_length=1)
    keywords: Words = []
    persons: Words = []
    entities: Words = []
    location: str | None = None
    topic: str | None = None
    happened: When = None
    kind: Kind = "semantic"
    importance: float = Field(default=0.5, ge=0.0, le=1.0)
    sources: Words = []
    quote: SkipJsonSchema[str | None] = None  # these two are what the rules know besides
    language: SkipJsonSchema[str | None] = None


class ExtractReply(BaseModel):
    """Entries, and the turns that gave none: a list of turn ids or a mapping to reasons."""

    entries: list[EntryReply]
    nothing: Annotated[
        dict[str, str],
        BeforeValidator(lambda v: _reasons(v)),
        WithJsonSchema({"type": "array", "items": {"type": "string"}}),
    ] = {}


def _reasons(value: Any) -> Any:
    if value is None:
        return {}
    if isinstance(value, list | tuple):
        return {str(ref): "nothing to remember" for ref in value}
    return value


@dataclass(frozen=True, slots=True)
class Line:
    """One turn as the extractor sees it. `times` are its date phrases, already resolved by code.

    `evidence` is False for overlap turns: they give context and no entries.
    """

    ref: str
    speaker: str
    text: str
    said_at: datetime
    role: str = "user"
    captions: tuple[str, ...] = ()
    times: tuple[Happened, ...] = ()
    evidence: bool = True


@dataclass(frozen=True, slots=True)
class ExtractPayload:
    """A window to extract from. `missing` is filled on the second call: what the first left out.

    `explicit` says that a caller handed the text in as a fact: it gives an entry whatever it looks like.
    """

    lines: tuple[Line, ...]
    missing: tuple[str, ...] = ()
    explicit: bool = False


@dataclass(frozen=True, slots=True)
class NewFact:
    """A new fact as the reconciler sees it. `near` holds the refs it may be compared with."""

    ref: str
    text: str
    said_at: datetime
    persons: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    happened: Happened | None = None
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A known entry (m1...) offered for comparison. Earlier facts of the same window are offered as n1..."""

    ref: str
    text: str
    said_at: datetime
    persons: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    happened: Happened | None = None


@dataclass(frozen=True, slots=True)
class ReconcilePayload:
    """All new facts of a window, in order, and the known entries near them.

    `similarity` is the cosine of a (new ref, near ref) pair; a pair that is absent has none.
    """

    facts: tuple[NewFact, ...]
    candidates: tuple[Candidate, ...]
    similarity: dict[tuple[str, str], float]

    def near(self, fact: NewFact) -> Sequence[Candidate]:
        """What this fact may be compared with: known entries, and earlier facts of the window."""
        by_ref = {c.ref: c for c in self.candidates}
        earlier = {
            f.ref: Candidate(f.ref, f.text, f.said_at, f.persons, f.entities, f.happened) for f in self.facts
        }
        return [by_ref.get(ref) or earlier[ref] for ref in fact.near]


Op = Annotated[
    Literal["ADD", "UPDATE", "DELETE", "NOOP"],
    BeforeValidator(lambda v: v.strip().upper() if isinstance(v, str) else v),
]


class DecisionReply(BaseModel):
    """One verdict. `id` names the candidate it is about; `text` may restate the surviving fact."""

    new: Text = ""
    op: Op
    id: Text | None = None
    text: str | None = None
    reason: str = ""


class ReconcileReply(BaseModel):
    """One verdict for every new fact. Items that do not validate are kept raw and judged by code."""

    decisions: Annotated[
        list[Any], WithJsonSchema({"type": "array", "items": DecisionReply.model_json_schema()})
    ]

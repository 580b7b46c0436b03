"""What goes into and comes out of the two writing tasks, as the model or the rules see it.

Payloads are frozen records with short ids (t1, n1, m1); replies are pydantic models that
forgive the usual slips of a model (a bare string for a list, an integer id, lower-case verbs).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic.json_schema import SkipJsonSchema

from meme.llm.lenient import Share, Text, Texts, or_else
from meme.records import Happened, Kind, Precision


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
    HappenedReply | str | None,
    or_else(None),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "null"}]}),
]


class EntryReply(BaseModel):
    """One extracted statement. `happened` is the date as the text has it, or the resolved dates."""

    model_config = ConfigDict(extra="ignore")

    text: Annotated[Text, Field(min_length=1)]
    keywords: Texts = []
    persons: Texts = []
    entities: Texts = []
    location: Annotated[str | None, or_else(None)] = None
    topic: Annotated[Text | None, or_else(None)] = None
    happened: When = None
    kind: Annotated[Kind, or_else("semantic")] = "semantic"
    importance: Share = 0.5
    sources: Texts = []
    quote: SkipJsonSchema[str | None] = None  # these two are what the rules know besides
    language: SkipJsonSchema[str | None] = None


class ExtractReply(BaseModel):
    """Entries, and the turns that gave none: a list of turn ids or a mapping to reasons.

    An entry without a usable text is left out: the lossless check asks for what it was to carry.
    """

    entries: Annotated[list[EntryReply], BeforeValidator(lambda v: _usable(v))]
    nothing: Annotated[
        dict[str, str],
        BeforeValidator(lambda v: _reasons(v)),
        WithJsonSchema({"type": "array", "items": {"type": "string"}}),
    ] = {}


def _usable(value: Any) -> Any:
    """The entries that validate, all of them where none does: then the reply is asked for once more."""
    if not isinstance(value, list):
        return value
    usable = []
    for one in value:
        try:
            usable.append(EntryReply.model_validate({"text": one} if isinstance(one, str) else one))
        except ValidationError:
            continue
    return usable or value


def _reasons(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(ref): str(why or "nothing to remember") for ref, why in value.items()}
    listed = [value] if isinstance(value, str) else value if isinstance(value, list | tuple) else []
    return {str(ref): "nothing to remember" for ref in listed}


@dataclass(frozen=True, slots=True)
class Line:
    """One turn as the extractor sees it. `evidence` is False for overlap turns: they give no entries."""

    ref: str
    speaker: str
    text: str
    said_at: datetime
    role: str = "user"
    captions: tuple[str, ...] = ()
    evidence: bool = True


@dataclass(frozen=True, slots=True)
class ExtractPayload:
    """A window to extract from. `missing` is filled on the second call: what the first left out; `written`
    is what it did write about these lines.

    `explicit` says that a caller handed the text in as a fact: it gives an entry whatever it looks like.
    """

    lines: tuple[Line, ...]
    missing: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
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
    id: Annotated[str | None, BeforeValidator(lambda v: str(v) if isinstance(v, int) else v)] = None
    text: str | None = None
    reason: Annotated[Text, or_else("")] = ""


class ReconcileReply(BaseModel):
    """One verdict for every new fact. Items that do not validate are kept raw and judged by code."""

    decisions: Annotated[
        list[Any], WithJsonSchema({"type": "array", "items": DecisionReply.model_json_schema()})
    ]

"""What goes into and comes out of the three reading tasks, as the model or the rules see it."""

import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator

from meme.llm.lenient import Text, Texts, or_else
from meme.records import Happened, Plan


def _refs(value: Any) -> Any:
    """Ids as offered: "m2" for "[m2]", "2" and 2; several in one text are several."""
    parts = re.split(r"[,;\s]+", value) if isinstance(value, str) else value
    listed = parts if isinstance(parts, list | tuple) else [parts]
    bare = [str(one).strip(" []()#") for one in listed if one is not None]
    return [f"m{one}" if one.isdecimal() else one for one in bare if one]


Refs = Annotated[list[str], BeforeValidator(_refs)]


class TimeReply(BaseModel):
    """A soft time range; an open end is None."""

    since: date | None = None
    until: date | None = None


class PlanReply(BaseModel):
    """How to look for the answer to a question."""

    intent: Annotated[str, or_else("other")] = "other"
    queries: Texts = []
    keywords: Texts = []
    persons: Texts = []
    entities: Texts = []
    time: Annotated[TimeReply | None, or_else(None)] = None
    needs: Texts = []


class ReflectReply(BaseModel):
    """Whether the evidence is enough, and what else to look for."""

    sufficient: bool
    missing: Texts = []
    queries: Texts = []


class AnswerReply(BaseModel):
    """The answer, the short ids (m1...) it rests on, and whether it is known at all."""

    answer: Text = ""
    citations: Refs = []
    known: Annotated[bool, or_else(True)] = True
    why: Annotated[Text, or_else("")] = ""


@dataclass(frozen=True, slots=True)
class PlanPayload:
    """A question, the day it is asked, and who is asking ("I" in the question is `user`)."""

    question: str
    asked_at: datetime
    user: str
    persons: tuple[str, ...] = ()  # names known to this scope, most frequent first


@dataclass(frozen=True, slots=True)
class Evidence:
    """One retrieved entry (or pending turn) under a short id, best first.

    `quotes` are its source turns as "Speaker: text". `score` is the fused score, 0..1.
    """

    ref: str
    text: str
    said_at: datetime
    score: float = 0.0
    persons: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    location: str | None = None
    happened: Happened | None = None
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReflectPayload:
    """What was asked, what has been found so far, and who is asking ("I" in the question).

    `room` is how many tokens of the evidence a model is shown, about.
    """

    plan: Plan
    evidence: tuple[Evidence, ...]
    tried: tuple[str, ...]
    user: str = ""
    room: int = 1_600


@dataclass(frozen=True, slots=True)
class AnswerPayload:
    """What was asked, by whom and when, and the evidence to answer it from; `room` as for ReflectPayload."""

    plan: Plan
    evidence: tuple[Evidence, ...]
    user: str
    asked_at: datetime
    room: int = 1_600

"""LongMemEval (Wu et al., 2025), oracle, S and M: each question comes with a chat history of its own.

Flows in: the parsed file. Flows out: a case for each question, and the problems met.

The file's names tell where answers are: sessions that hold evidence are called `answer_...`, questions
without an answer end in `_abs`. A system gets names by position instead, which also keeps apart the sessions
that a history holds twice: question 17 of the file is `longmemeval_17`, the fifth turn of its third session
`s3:5`. Histories are put in the order of their dates (the oracle file is not), and dates are rewritten to ISO
8601, with no zone, as the published "2023/04/10 (Mon) 17:50" is read by nobody else.

Evidence are the turns marked `has_answer`, whoever said them; the published retrieval script looks at the
user's alone, and so leaves out most questions on what the assistant said. A question without an answer has no
evidence, as published.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final, Literal

from pydantic import Field

from meme_bench.cases import Asked, Case, Question, Talk, Turn
from meme_bench.sources.shapes import Shape, Text, checked

_NO_ANSWER: Final = "_abs"
_DATE = re.compile(r"(\d{4})/(\d\d?)/(\d\d?)(?: \(\w+\))? (\d\d?):(\d\d)")


class _Item(Shape):
    question_id: str
    question_type: str
    question: str
    answer: Text
    question_date: str
    haystack_session_ids: list[str]
    haystack_dates: list[str]
    haystack_sessions: list[list[object]]
    answer_session_ids: list[str] = Field(default_factory=list)


class _Turn(Shape):
    role: Literal["user", "assistant"]
    content: str
    has_answer: bool | None = None


def fits(item: Mapping[str, object]) -> bool:
    """Whether an object looks like one of LongMemEval's."""
    return "question" in item and "haystack_sessions" in item


def categories(cases: Sequence[Case]) -> dict[str, str]:
    """The question types that occur, which are their own names."""
    return {kind: kind for kind in sorted({one.category for case in cases for one in case.questions})}


def read(items: Sequence[object]) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """The cases of a file in their order, and its problems."""
    problems: list[str] = []
    cases: list[Case] = []
    seen: set[str] = set()
    for number, raw in enumerate(items):
        item = checked(_Item, raw, f"question {number}", problems)
        if item is None:
            continue
        name = f"question {number} ({item.question_id})"
        lengths = {len(item.haystack_session_ids), len(item.haystack_dates), len(item.haystack_sessions)}
        if item.question_id in seen:
            problems.append(f"{name}: `question_id` is taken; left out")
        elif len(lengths) > 1:
            problems.append(f"{name}: sessions, their ids and their dates differ in number; left out")
        else:
            seen.add(item.question_id)
            case = _case(item, number, name, problems)
            if case.talk.turns:
                cases.append(case)
            else:
                problems.append(f"{name}: its history is empty; left out")
    return tuple(cases), tuple(problems)


def _case(item: _Item, number: int, name: str, problems: list[str]) -> Case:
    told = list(_turns(item, name, problems))
    answerable = not item.question_id.endswith(_NO_ANSWER)
    evidence = tuple(turn.id for turn, marked in told if marked) if answerable else ()
    if answerable and not evidence:
        problems.append(f"{name}: no turn is marked as evidence; kept, out of reach of retrieval figures")
    asked_at = _iso(item.question_date)
    if asked_at is None:
        problems.append(f"{name}: `question_date` {item.question_date!r} is no date; asked without one")
    key = f"longmemeval_{number}"
    question = Question(
        asked=Asked(key, item.question, asked_at),
        category=item.question_type,
        gold=str(item.answer) if answerable else None,
        evidence=evidence,
    )
    return Case(Talk(key, tuple(turn for turn, _ in told)), (question,))


def _turns(item: _Item, name: str, problems: list[str]) -> Iterator[tuple[Turn, bool]]:
    """The turns of a history by date, each with whether it is marked as evidence."""
    for position, (said_at, identity, listed) in enumerate(_sessions(item, name, problems), 1):
        for place, raw in enumerate(listed, 1):
            where = f"{name} {identity}[{place - 1}]"
            turn = checked(_Turn, raw, where, problems)
            if turn is None:
                continue
            if not turn.content.strip():
                problems.append(f"{where}: nothing is said; left out")
                continue
            session = f"s{position}"
            made = Turn(f"{session}:{place}", session, turn.role, turn.content, said_at, turn.role)
            yield made, bool(turn.has_answer)


def _sessions(item: _Item, name: str, problems: list[str]) -> list[tuple[str, str, list[object]]]:
    """Date, published id and turns of each session, oldest first; sessions of one minute keep their order."""
    found: list[tuple[str, str, list[object]]] = []
    seen: set[str] = set()
    for identity, date, listed in zip(
        item.haystack_session_ids, item.haystack_dates, item.haystack_sessions, strict=True
    ):
        said_at = _iso(date)
        if said_at is None:
            problems.append(f"{name} {identity}: {date!r} is no date; the session is left out")
            continue
        if identity in seen:
            problems.append(f"{name} {identity}: the history holds the session again; kept, as published")
        seen.add(identity)
        found.append((said_at, identity, listed))
    for identity in item.answer_session_ids:
        if identity not in seen:
            problems.append(f"{name}: evidence session {identity!r} is not in the history")
    return sorted(found, key=lambda one: one[0])


def _iso(date: str) -> str | None:
    """ "2023/04/10 (Mon) 17:50" as "2023-04-10T17:50"; None for anything else. The day's name is not read."""
    found = _DATE.fullmatch(date.strip())
    if found is None:
        return None
    year, month, day, hour, minute = map(int, found.groups())
    try:
        return datetime(year, month, day, hour, minute).isoformat(timespec="minutes")  # noqa: DTZ001 -- none given
    except ValueError:
        return None

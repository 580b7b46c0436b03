"""How the embedded default plans a search: what kind of answer, which words, whom and when.

Flows in: a question, the day it is asked and who asks. Flows out: a PlanReply.
Will not search, and will not answer.
"""

import re
from datetime import date

from meme.language.names import proper_names, titles
from meme.language.questions import Question, read_question
from meme.language.questions.mentions import same_name
from meme.language.questions.words import NEEDS
from meme.language.times import spot
from meme.language.words import STOPWORDS, fold, words
from meme.read.shapes import PlanPayload, PlanReply, TimeReply


def plan_by_rule(payload: PlanPayload) -> PlanReply:
    """Plan the search for `payload.question`; relative time is counted from `asked_at`. Never raises."""
    question = read_question(payload.question, user=payload.user, known=payload.persons)
    entities = _entities(payload.question, question.persons)
    reduced = _reduced(question)
    queries = [payload.question.strip()]
    if reduced and fold(reduced) != fold(queries[0]):
        queries.append(reduced)
    needs = [question.need] if question.need else list(NEEDS.get(question.kind, ()))
    return PlanReply(
        intent=question.kind,
        queries=[query for query in queries if query],
        keywords=list(question.content),
        persons=list(question.persons),
        entities=entities,
        time=_range(payload),
        needs=needs,
    )


def _reduced(question: Question) -> str:
    """Names and content words only."""
    return " ".join((*question.persons, *question.content)) if question.content else ""


def _entities(text: str, persons: tuple[str, ...]) -> list[str]:
    first = words(text)[:1]
    found = [*titles(text), *proper_names(text)]
    kept = [
        name
        for name in found
        if not any(same_name(name, person) for person in persons)
        and not (words(name) == first and first[0] in STOPWORDS)
    ]
    return [n for i, n in enumerate(kept) if not any(fold(n) in fold(other) for other in kept[:i])]


def _range(payload: PlanPayload) -> TimeReply | None:
    since: date | None = None
    until: date | None = None
    for spotted in spot(payload.question, payload.asked_at):
        if spotted.happened is None:
            continue
        start, end = spotted.happened.start, spotted.happened.end
        since = min(since, start) if since else start
        until = max(until, end) if until else end
        before = payload.question[: spotted.start].rstrip()
        if re.search(r"\b(?:since|after)$", before, re.IGNORECASE):
            until = None
        elif re.search(r"\b(?:before|until|by)$", before, re.IGNORECASE):
            since = None
    return TimeReply(since=since, until=until) if since or until else None

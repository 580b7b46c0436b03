"""How the embedded default judges what was found: enough, or what else to look for.

Flows in: the plan, the evidence so far and the queries already tried. Flows out: a ReflectReply.
Will not answer; ends by itself: without a new query there is nothing more to look for.
"""

from collections.abc import Sequence

from meme.language.concepts import concept, synonyms
from meme.language.names import proper_names
from meme.language.questions import Question, read_question
from meme.language.questions.mentions import same_name
from meme.language.words import fold, words
from meme.read.evidence.fit import Fit, fits
from meme.read.evidence.spans import phrases
from meme.read.evidence.statements import read_evidence
from meme.read.evidence.unknown import SUBJECT, known_names, why_unknown
from meme.read.evidence.values import value_of
from meme.read.evidence.verdicts import verdict
from meme.read.shapes import Evidence, ReflectPayload, ReflectReply

_MAX_QUERIES = 2


def reflect_by_rule(payload: ReflectPayload) -> ReflectReply:
    """Judge the evidence and give at most two queries never tried before; none when nothing new is left."""
    statements = read_evidence(payload.evidence)
    names = known_names(payload.plan, statements, payload.user)
    question = read_question(payload.plan.question, user=payload.user, known=names)
    found = fits(question, statements, known=names)
    missing = _missing(question, found)
    if not missing:
        return ReflectReply(sufficient=True)
    tried = {fold(query) for query in (*payload.tried, *payload.plan.queries, payload.plan.question)}
    fresh: list[str] = []
    for query in _more(question, payload.evidence):
        if query and fold(query) not in tried:
            fresh.append(query)
            tried.add(fold(query))
    return ReflectReply(sufficient=False, missing=missing, queries=fresh[:_MAX_QUERIES])


def _missing(question: Question, found: Sequence[Fit]) -> list[str]:
    why = why_unknown(question, found)
    if why:
        return [why]
    own = [fit for fit in found if fit.about >= SUBJECT]
    best = own[0]
    if best.coverage < 0.6:
        return [f"Nothing found mentions {', '.join(best.missing)}."]
    near = [fit for fit in own if fit.score >= best.score * 0.8]
    if not _carries(question, near):
        return [f"No {question.need or question.kind} in what was found."]
    return []


def _carries(question: Question, near: Sequence[Fit]) -> bool:
    """Whether a good fit holds the kind of value the answer needs."""
    if question.kind == "yes_no":
        return verdict(question, near) is not None
    if question.kind in ("what", "which", "list", "other"):
        return any(phrases(fit.sentence, question) for fit in near)
    return any(value_of(question, fit.statement, fit.sentence) for fit in near)


def _more(question: Question, evidence: Sequence[Evidence]) -> list[str]:
    content = question.content
    persons = " ".join(question.persons)
    swapped = [next((s for s in synonyms(word) if s != word), word) for word in content]
    queries = []
    if swapped != list(content) and content:
        queries.append(f"{persons} {' '.join(swapped)}".strip())
    linked = [
        name
        for item in evidence[:3]
        for name in (*item.entities, *proper_names(item.text))
        if not any(same_name(name, person) for person in question.persons)
        and fold(name) not in fold(question.text)
    ]
    if linked:
        queries.append(f"{linked[0]} {' '.join(content)}".strip())
    if persons:
        queries.append(" ".join(content))
    keys = [word for word in content if concept(word) not in question.asked]
    queries.append(f"{persons} {' '.join(keys[-2:])}".strip())
    return [query for query in queries if words(query)]

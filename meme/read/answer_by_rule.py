"""The embedded default's answer: a value taken from the evidence, with citations, or an honest "Not known".

Flows in: the question's plan and retrieved evidence. Flows out: an AnswerReply.
Will not infer beyond what a statement says, and will not answer from a statement about somebody else.
"""

import re
from collections.abc import Sequence
from typing import Final

from meme.language.concepts import concepts
from meme.language.questions import Question, read_question
from meme.language.time_spans import render_day
from meme.read.fit import Fit, fits
from meme.read.shapes import AnswerPayload, AnswerReply
from meme.read.spans import phrases
from meme.read.statements import Statement, read_evidence
from meme.read.unknown import SUBJECT, known_names, why_unknown
from meme.read.values import date_in, value_of
from meme.read.verdicts import alternatives, choice, verdict

NOT_KNOWN: Final = "Not known"


def answer_by_rule(payload: AnswerPayload) -> AnswerReply:
    """Answer the plan's question from the evidence; `known` is False when nothing said fits. Never raises."""
    statements = read_evidence(payload.evidence)
    names = known_names(payload.plan, statements, payload.user)
    question = read_question(payload.plan.question, user=payload.user, known=names)
    found = fits(question, statements, known=names)
    why = why_unknown(question, found)
    if why:
        return _unknown(why)
    own = _newest_first(question, [fit for fit in found if fit.about >= SUBJECT])
    if question.kind == "yes_no":
        return _closed(question, own)
    offered = alternatives(question)
    picked = choice(offered, own) if offered else None
    if picked:
        return AnswerReply(answer=picked.word, citations=[picked.fit.statement.ref], known=True)
    if question.kind == "list":
        return _listed(question, own)
    return _valued(question, own)


def _unknown(why: str) -> AnswerReply:
    return AnswerReply(answer=NOT_KNOWN, citations=[], known=False, why=why)


_PRESENT: Final = re.compile(r"\b(?:does|do|is|are|now|current|currently)\b", re.IGNORECASE)


def _newest_first(question: Question, own: Sequence[Fit]) -> list[Fit]:
    """Of equally fitting statements the later one holds, when the question asks how things are."""
    if not own or not (_PRESENT.search(question.text) or question.language != "en"):
        return list(own)
    return sorted(
        own, key=lambda fit: (-round(fit.score, 1), -fit.statement.said_at.timestamp(), fit.statement.rank)
    )


def _closed(question: Question, own: Sequence[Fit]) -> AnswerReply:
    ruled = verdict(question, own)
    if ruled is None:
        return _unknown(f"Nothing known says whether {_as_clause(question)}.")
    said = ruled.fit.sentence.strip()
    text = f"{ruled.word}: {said}" if ruled.word in ("Yes", "No") else ruled.word
    return AnswerReply(answer=text, citations=[ruled.fit.statement.ref], known=True)


def _as_clause(question: Question) -> str:
    return f'the answer to "{question.text.strip()}" is yes or no'


def _ranked(question: Question, own: Sequence[Fit]) -> list[tuple[float, str, Fit]]:
    """The best phrase of each of the ten best sentences, most likely answer first."""
    found: list[tuple[float, str, Fit]] = []
    for order, fit in enumerate(own[:10]):
        best = next(iter(phrases(fit.sentence, question)), None)
        if best is None:
            continue
        # Weighed together with the phrases (see spans.WEIGHTS).
        worth = best.worth + 1.6 * fit.statement.score + 0.85 * (fit.score - own[0].score) + 0.2 * fit.near
        worth += 0.3 * (order == 0) + 0.2 * (order < 3) - 0.4 * (fit.sentence in fit.statement.captions)
        found.append((worth, best.text, fit))
    return sorted(found, key=lambda item: -item[0])


def _listed(question: Question, own: Sequence[Fit]) -> AnswerReply:
    items: list[str] = []
    refs: list[str] = []
    seen: set[str] = set()
    ranked = _ranked(question, own)
    for worth, text, fit in ranked:
        fresh = set(concepts(text)) - seen
        if len(items) >= _MOST or worth < ranked[0][0] - 1.0 or len(fresh) * 2 <= len(set(concepts(text))):
            continue
        seen |= fresh
        items.append(text)
        refs.append(fit.statement.ref)
    if not items:
        return _whole(own[0])
    return AnswerReply(answer=joined(items), citations=list(dict.fromkeys(refs)), known=True)


_MOST: Final = 5  # items of a list answer


def joined(items: Sequence[str]) -> str:
    """ "a", "a and b", "a, b, and c"."""
    if len(items) < 3:
        return " and ".join(items)
    return f"{', '.join(items[:-1])}, and {items[-1]}"


def _valued(question: Question, own: Sequence[Fit]) -> AnswerReply:
    floor = own[0].score * 0.7
    best: tuple[float, str, Statement] | None = None
    for order, fit in enumerate(own[:12]):
        if fit.score < floor:
            break
        value = value_of(question, fit.statement, fit.sentence)
        if value is None:
            continue
        worth = fit.score + 0.2 * (fit.about - 1) - 0.02 * order
        if best is None or worth > best[0]:
            best = (worth, value, fit.statement)
    if best:
        return AnswerReply(answer=best[1], citations=[best[2].ref], known=True)
    return _fallback(question, own)


def _fallback(question: Question, own: Sequence[Fit]) -> AnswerReply:
    """No value of the asked kind in any fitting sentence: the day it was said, or the best phrase."""
    statement = own[0].statement
    if question.kind == "when":
        text = date_in(statement, statement.text) or render_day(statement.said_at.date())
        return AnswerReply(answer=text, citations=[statement.ref], known=True)
    ranked = _ranked(question, own)
    if not ranked:
        return _whole(own[0])
    _, text, fit = ranked[0]
    return AnswerReply(answer=text, citations=[fit.statement.ref], known=True)


def _whole(fit: Fit) -> AnswerReply:
    return AnswerReply(answer=fit.sentence.strip(), citations=[fit.statement.ref], known=True)

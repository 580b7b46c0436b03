"""The embedded default's answer: a value taken from the evidence, with citations, or an honest "Not known".

Flows in: the question's plan and retrieved evidence. Flows out: an AnswerReply.
Will not infer beyond what a statement says, and will not answer from a statement about somebody else.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from meme.language.concepts import concepts
from meme.language.questions import Question, read_question
from meme.language.questions.words import NEEDS
from meme.language.times.spans import render_day
from meme.read.evidence.asked import asks_age, must_be_said
from meme.read.evidence.fit import Fit, fits, of_another
from meme.read.evidence.relations import identity_asked, kin_asked, names_of, role_in
from meme.read.evidence.spans import Phrase, phrases
from meme.read.evidence.statements import Statement, read_evidence
from meme.read.evidence.unknown import SUBJECT, in_sentence, known_names, why_unknown
from meme.read.evidence.values import named_reply, object_in, value_of
from meme.read.evidence.verdicts import alternatives, avoids, choice, denies, verdict
from meme.read.shapes import AnswerPayload, AnswerReply
from meme.records import Plan

NOT_KNOWN: Final = "Not known"


def answer_by_rule(payload: AnswerPayload) -> AnswerReply:
    """Answer the plan's question from the evidence; `known` is False when nothing said fits. Never raises."""
    statements = read_evidence(payload.evidence)
    names = known_names(payload.plan, statements, payload.user)
    question = read_question(payload.plan.question, user=payload.user, known=names)
    found = fits(question, statements, known=names)
    named = _introduced(question, found)
    if named:
        return named
    why = why_unknown(question, found)
    if why:
        return _unknown(why)
    own = _newest_first(question, [fit for fit in found if fit.about >= SUBJECT])
    if question.kind != "when" and (payload.plan.since or payload.plan.until):
        own = _in_time_first(own, payload.plan)
    if question.kind == "yes_no":
        return _closed(question, own)
    own, why = _fitting(question, own)
    return _unknown(why) if why else _open(question, own)


def _fitting(question: Question, own: Sequence[Fit]) -> tuple[list[Fit], str]:
    """What tells of the asked time and side: of before, where that is asked, and no denials; else why not."""
    if _EARLIER_ASKED.search(question.text) and question.kind != "when":
        own = [fit for fit in own if _EARLIER.search(f"{fit.statement.asked} {fit.sentence}")]
        if not own:
            return [], "What is known does not say what was before."
    kept = [fit for fit in own if not denies(question, fit.sentence) and avoids(question, fit.sentence)]
    if kept:
        return kept, ""
    if denies(question, own[0].sentence):
        return [], f"It is only known what is not so: {own[0].sentence.strip()}"
    return [], "What is known does not say what is not so."


def _open(question: Question, own: list[Fit]) -> AnswerReply:
    """One of two, a list, or a value."""
    offered = alternatives(question)
    picked = choice(offered, own) if offered else None
    if picked:
        return AnswerReply(answer=picked.word, citations=[picked.fit.statement.ref], known=True)
    if made := _objects(question, own):
        return made
    if question.kind == "list":
        return _listed(question, own)
    return _valued(question, own)


def _introduced(question: Question, found: Sequence[Fit]) -> AnswerReply | None:
    """ "Who is Edie?" and "Who is Clara's niece?" by a relation somebody stated; else None."""
    person, role = identity_asked(question), kin_asked(question)
    if question.language != "en" or not (person or role):
        return None
    items: dict[str, str] = {}
    for fit in found:
        ref, speaker = fit.statement.ref, fit.statement.speaker
        if role:
            values = names_of(question, fit.sentence, speaker) or named_reply(question, fit)
        else:
            values = [one for one in (role_in(person, fit.sentence, speaker),) if one]
        for value in values:
            items.setdefault(value, ref)
    if not items:
        return None
    kept = list(items) if role and (question.plural or _MANY.search(question.text)) else list(items)[:1]
    refs = dict.fromkeys(items[value] for value in kept)
    return AnswerReply(answer=joined(kept), citations=list(refs), known=True)


_EARLIER_ASKED: Final = re.compile(
    r"\b(?:before(?!\s+(?:\d|(?:january|february|march|april|may|june|july|august|september|october|november|december)\b))"
    r"|previously|formerly|used to)\b",
    re.IGNORECASE,
)
_EARLIER: Final = re.compile(
    r"\b(?:before|previous\w*|former\w*|used to|left(?!\s+(?:knee|hand|foot|leg|arm|side|eye|ear|shoulder))"
    r"|leav\w+|quit|until|prior|earlier|(?:moved|came|switched) from|was|were)\b",
    re.IGNORECASE,
)
_MANY: Final = re.compile(r"\b(?:are|were|names)\b", re.IGNORECASE)


def _unknown(why: str) -> AnswerReply:
    return AnswerReply(answer=NOT_KNOWN, citations=[], known=False, why=why)


_PRESENT: Final = re.compile(r"\b(?:does|do|is|are|now|current|currently)\b", re.IGNORECASE)


def _newest_first(question: Question, own: Sequence[Fit]) -> list[Fit]:
    """Of equally fitting statements the later one holds, when the question asks how things are.

    An entry comes before the turns quoted with it: it names its subject, a turn's sentence may be
    about somebody else ("her aunt lives in Porto").
    """
    if not own or not (_PRESENT.search(question.text) or question.language != "en"):
        return list(own)
    return sorted(
        own,
        key=lambda fit: (
            -round(fit.score, 1),
            fit.statement.quoted,
            -fit.statement.said_at.timestamp(),
            fit.statement.rank,
        ),
    )


def _in_time_first(own: Sequence[Fit], plan: Plan) -> list[Fit]:
    """What happened, or was told, in the time asked about comes first among what fits nearly as well."""
    since, until = plan.since or date.min, plan.until or date.max
    late = min(until, date.max - _TOLD_LATER) + _TOLD_LATER

    def placed(fit: Fit) -> Fit:
        happened = fit.statement.happened
        if happened is not None:
            inside = happened.start <= until and happened.end >= since
        else:
            inside = since <= fit.statement.said_at.date() <= late
        return replace(fit, bonus=_IN_TIME) if inside else fit

    return sorted(map(placed, own), key=lambda fit: -fit.score)


_TOLD_LATER: Final = timedelta(days=7)  # what happened in a week is told by the end of the next
_IN_TIME: Final = 0.25


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
        value = value_of(question, fit.statement, fit.sentence) if question.kind == "list" else None
        best = Phrase(value, 2.0) if value else next(iter(phrases(fit.sentence, question)), None)
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
        items += map(_tidy, _parts(text))
        refs.append(fit.statement.ref)
    if not items:
        return _whole(own[0])
    return AnswerReply(answer=joined(items), citations=list(dict.fromkeys(refs)), known=True)


def _objects(question: Question, own: Sequence[Fit]) -> AnswerReply | None:
    """ "What has Alice made?": every object of the asked verb; None where none is plainly said."""
    items: dict[str, str] = {}
    heads: set[str] = set()
    for fit in own:
        value = object_in(question, fit.sentence) if fit.score >= own[0].score * 0.7 else None
        head = next(reversed(concepts(re.split(r"\s(?:of|with)\s", value)[0])), "") if value else ""
        if value and head and head not in heads:
            heads.add(head)
            items[_tidy(value)] = fit.statement.ref
    if not items:
        return None
    kept = list(items)[:_MOST]
    return AnswerReply(answer=joined(kept), citations=list(dict.fromkeys(items[i] for i in kept)), known=True)


def _parts(text: str) -> list[str]:
    """ "tennis and football" as two items; longer stretches stay whole."""
    parts = [part for part in re.split(r",\s*(?:and\s+)?|\s+and\s+", text) if part.strip()]
    return parts if all(len(part.split()) <= 3 for part in parts) else [text]


_MOST: Final = 5  # items of a list answer


def joined(items: Sequence[str]) -> str:
    """ "a", "a and b", "a, b, and c"."""
    if len(items) < 3:
        return " and ".join(items)
    return f"{', '.join(items[:-1])}, and {items[-1]}"


def _valued(question: Question, own: Sequence[Fit]) -> AnswerReply:
    for whole in (False,) if asks_age(question) else (False, True):
        found = _best_value(question, own, whole=whole)
        if found:
            return AnswerReply(answer=_tidy(found[0]), citations=[found[1].ref], known=True)
    if question.kind in _HAS_TO_BE_SAID or must_be_said(question):
        whom = in_sentence(question.subjects)
        about = f"What is known about {whom}" if whom else "What is known"
        if identity_asked(question):
            return _unknown(f"{about} does not say who that is.")
        need = question.need or next(iter(NEEDS.get(question.kind, ("name",))))
        return _unknown(f"{about} gives no {need}.")
    return _fallback(question, own)


# Without a value of the asked kind, any other phrase would be nonsense.
_HAS_TO_BE_SAID: Final = frozenset({"how_many", "how_long", "why"})


_PRESENT_WORDS: Final = (
    r"(?:now|nowadays|currently|at present|presently|at the moment|right now|these days|today|still|already"
    r"|any ?more)"
)
_ADVERBS_AROUND: Final = re.compile(rf"^(?:{_PRESENT_WORDS}\s+)+|(?:\s+{_PRESENT_WORDS})+$", re.IGNORECASE)


def _tidy(value: str) -> str:
    """A value without the adverbs around it: "Acme now" is "Acme"."""
    return _ADVERBS_AROUND.sub("", value.strip()).strip(" ,") or value


def _best_value(question: Question, own: Sequence[Fit], *, whole: bool) -> tuple[str, Statement] | None:
    """The value in the best fitting sentence that has one; `whole` looks around it in its statement."""
    best: tuple[float, str, Statement] | None = None
    for order, fit in enumerate(own[:12]):
        if fit.score < own[0].score * 0.7:
            break
        if whole and any(map(of_another, fit.statement.sentences)):
            continue
        value = value_of(question, fit.statement, fit.statement.text if whole else fit.sentence)
        worth = fit.score + 0.2 * (fit.about - 1) - 0.02 * order
        if value is not None and (best is None or worth > best[0]):
            best = (worth, value, fit.statement)
    return (best[1], best[2]) if best else None


def _fallback(question: Question, own: Sequence[Fit]) -> AnswerReply:
    """No value of the asked kind in any fitting sentence: the day it was said, or the best phrase."""
    statement = own[0].statement
    if question.kind == "when":
        if question.language == "en" and not _PAST.search(question.text):
            return _unknown("What is known gives no date.")
        text = f"by {render_day(statement.said_at.date())}"  # it had happened when it was told
        return AnswerReply(answer=text, citations=[statement.ref], known=True)
    ranked = _ranked(question, own)
    if not ranked:
        return _whole(own[0])
    _, text, fit = ranked[0]
    if not set(concepts(text)) - set(concepts(question.text)):
        return _whole(fit)  # a piece that only repeats the question says nothing
    if question.kind == "other":
        return _whole(fit)  # "How did it go?" is answered by what was said, not by a piece of it
    return AnswerReply(answer=_tidy(text), citations=[fit.statement.ref], known=True)


_PAST: Final = re.compile(r"\b(?:did|was|were|has|have|had|long ago)\b", re.IGNORECASE)


def _whole(fit: Fit) -> AnswerReply:
    return AnswerReply(answer=fit.sentence.strip(), citations=[fit.statement.ref], known=True)

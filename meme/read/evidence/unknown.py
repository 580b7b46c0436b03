"""When the evidence does not answer: nothing fits, or it is about somebody or something else.

Flows in: a read question and the fits of all evidence. Flows out: a sentence saying what is missing, or "".
Will not look for an answer.
"""

import re
from collections.abc import Sequence
from typing import Final

from meme.language.concepts import concept
from meme.language.names import persons as person_names
from meme.language.questions import Question
from meme.language.questions.words import AUXILIARIES
from meme.language.words import STOPWORDS, fold, words
from meme.read.evidence.compounds import half_said
from meme.read.evidence.fit import DESCRIBING, Fit
from meme.read.evidence.statements import Statement
from meme.records import Plan

# From here on a sentence counts as being about the asked person.
SUBJECT: Final = 0.6
_DOUBT: Final = 0.4


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
    whom = in_sentence(question.subjects or question.persons)
    if not found:
        return "Nothing is known about this."
    if not own:
        if question.owned and any(fit.about > 0 for fit in found):
            return f"What is known about {whom} does not mention {_as_written(question, question.owned[0])}."
        if any(fit.about > 0.4 for fit in found):
            return f"What is known about {whom} does not say this."
        return f"Nothing found is about {whom}." if whom else "Nothing found is about this."
    best = max(own, key=lambda fit: fit.score)
    lacking = _lacking(question, own, best)
    about = f"What is known about {whom}" if whom else "What is known"
    if lacking:
        return f"{about} does not mention {_as_written(question, lacking)}."
    others = max((fit.score for fit in found if fit.about < SUBJECT), default=0.0)
    if doubt(question, own, best, others) > _DOUBT:
        if whom and others > best.score:
            return f"What was found says this of somebody else, not of {whom}."
        return f"{about} does not say this."
    return ""


def in_sentence(names: Sequence[str]) -> str:
    """Names as they stand inside a sentence: "Clara and the user"."""
    return " and ".join(re.sub(r"^The\b", "the", name) for name in names)


def doubt(question: Question, own: Sequence[Fit], best: Fit, others: float) -> float:
    """How likely the evidence is about somebody or something else; above _DOUBT it is.

    Weighed on dialogue questions: the lead that statements about others have, what the best own
    statement covers, and the telling words it lacks.
    """
    hard = telling(question)
    absent = sum(key in best.missing for key in hard) / len(hard) if hard else 0.0
    last_absent = bool(hard) and hard[-1] not in _said(question, own)
    return 2 * (others - best.score) - best.score + 0.5 * absent + 0.3 * last_absent


def telling(question: Question) -> tuple[str, ...]:
    """The keys that have to be said: not those that only describe the answer."""
    # What is counted, and what is asked of somebody's ("Teo's blood type"), has to be there.
    counted = question.kind == "how_many"
    asked = set() if counted else set(question.asked) - set(question.owned)
    return tuple(key for key in question.keys if key not in DESCRIBING and key not in asked)


def _said(question: Question, own: Sequence[Fit]) -> set[str]:
    keys = set(question.keys)
    return {key for fit in own for key in keys - set(fit.missing)}


def _lacking(question: Question, own: Sequence[Fit], best: Fit) -> str:
    """The concept that must be mentioned and is not, or "": a thing owned, the object, a named subject."""
    hard, said = telling(question), _said(question, own)
    if absent := half_said(question, own) or _unsaid(question, said, best):
        return absent
    if hard and all(key in best.missing for key in hard):
        return hard[-1]
    needed = (*question.owned, *(question.asked if question.kind == "how_many" else ()))
    for key in needed:
        if key in hard and key not in said:
            return key
    if question.kind in _LOOSE:
        only_verb = all(key in best.missing or key == question.verb for key in hard)
        strict: tuple[str, ...] = (question.object,) if only_verb else ()
    elif sum(key in best.missing for key in hard) * 2 >= len(hard):
        strict = (question.object, *question.definite)
    else:
        strict = ()
    if not question.persons:
        # Without a person the thing asked about is the subject: every word of its name has to be there.
        named = (*question.definite, *_after_prepositions(question))
        strict = (*strict, *(key for key in named if key in best.missing))
        said -= set(best.missing)
    return next((key for key in strict if key in hard and key not in said), "")


def _unsaid(question: Question, said: set[str], best: Fit) -> str:
    """ "breed" in "What breed is Rex?" and "give" in "Who gave Rex?" where nothing told has it."""
    unsaid = [key for key in question.keys if key not in DESCRIBING and key not in said]
    if unsaid and len(unsaid) == len(question.keys) and _OF_BEING.match(question.text):
        return unsaid[0]
    verb = _who_verb(question) if question.kind == "who" else ""
    return verb if verb in unsaid and verb in best.missing and not _FROM.search(best.sentence) else ""


_OF_BEING: Final = re.compile(r"^\s*(?:what|which)\s+\w+\s+(?:is|are|was|were)\b", re.IGNORECASE)
_FROM: Final = re.compile(r"\bfrom\b", re.IGNORECASE)


def _who_verb(question: Question) -> str:
    """ "give" in "Who gave Alice the bowl?", or ""."""
    after = words(question.text)[1:2] if fold(question.text).strip().startswith("who ") else []
    return concept(after[0]) if after and after[0] not in STOPWORDS | AUXILIARIES else ""


def _after_prepositions(question: Question) -> tuple[str, ...]:
    """ "staging" in "What is the rotation interval for staging?"."""
    return tuple(concept(word) for word in re.findall(_PREPOSITION, " ".join(words(question.text))))


_PREPOSITION: Final = r"\b(?:for|of|in|at|from)\s+(?:(?:the|a|an)\s+)?([\w'-]+)"

# Kinds whose questions often put the matter in other words than it was told.
_LOOSE: Final = frozenset({"when", "list", "other"})


def _as_written(question: Question, key: str) -> str:
    return next((f'"{word}"' for word in words(question.text) if concept(word) == key), f'"{key}"')

"""A restated fact as its clauses: "A, and B" and 'Asked by X "...", Y answered: "A. B"' → A, B.

Flows in: the text of a fact or entry. Flows out: clauses that can be parsed one by one, each with
a subject where the sentence gives one. Will not resolve pronouns or split a list of things.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from meme.language.words import fold
from meme.write.reconcile_by_rule.statement import QUOTED, split_subject
from meme.write.reconcile_by_rule.wording import NOUNISH, PREDICATE_STARTS, word_set

_ANSWER: Final = re.compile(r"^Asked by .+, [^\",]{1,40} answered: [\"“](?P<said>.+)[\"”]$", re.S)
_SENTENCE: Final = re.compile(r"(?<=[\w)\"”]{2}[.!?])\s+(?=[A-Z\"“])")
_JOINT: Final = re.compile(
    r"(?:(?P<semicolon>;) |(?P<comma>,) (?P<word>and|but|so|because|since|while|although|"
    r"though|which|where) )|"
    r" (?:and|but|so|because) "
)
_DEPENDENT: Final = re.compile(r"\b(?:so|because|since|although|though|which|where)\b")
_SUBORDINATE: Final = re.compile(
    r"^(?:if|when|whenever|while|since|because|although|though|once|after|before|until|unless|whether|as)\b",
    re.I,
)
_WISHED: Final = re.compile(r"^(?:\w+ )?(?:hop|wish|want|dream|wonder|imagin)(?:e?s|ed|ing|es)?\b")
_ADVERBS: Final = word_set("now then also just still never always often usually only sometimes finally")
_AFTER_VERB: Final = word_set("at as for in with on to from a an the her his their every")
_FINITE: Final = word_set(
    """is are was were has had does did isn't aren't wasn't weren't hasn't doesn't didn't don't
    won't can't will would can went came got gave took made met saw bought sold left began ran won
    lost found broke fell felt ate drank swam wrote sang taught flew drove rode spent told kept led paid"""
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause. `dependent`: it gives the reason for, or the result of, the one before."""

    text: str
    dependent: bool = False


def answered(text: str) -> str:
    """What was answered in 'Asked by X "...", Y answered: "..."'; "" for any other text."""
    match = _ANSWER.match(text.strip())
    return match["said"].strip() if match else ""


@lru_cache(maxsize=20_000)
def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a text, in order; a text that cannot be divided is one clause."""
    found: list[Clause] = []
    for sentence in _SENTENCE.split(answered(text) or text.strip()):
        found += _divided(sentence)
    return tuple(found) or (Clause(text),)


def _divided(sentence: str) -> list[Clause]:
    found: list[Clause] = []
    if QUOTED.search(sentence) or sentence.rstrip("\"'”").endswith("?") or _SUBORDINATE.match(sentence):
        return [Clause(sentence)]  # its second half is as little asserted as its first
    subject, start, dependent = "", 0, False
    for joint in _JOINT.finditer(sentence):
        left, right = sentence[start : joint.start()], sentence[joint.end() :]
        mine, predicate = split_subject(left)
        if not (mine or subject) or not predicate or not (mine or found) or _WISHED.search(predicate):
            continue
        opened = _opened(right, mine or subject, hard=bool(joint["comma"] or joint["semicolon"]))
        if not opened:
            continue
        found.append(Clause(_full(left, subject), dependent))
        subject, start = mine or subject, joint.end()
        dependent = bool(_DEPENDENT.search(joint[0]))
    found.append(Clause(_full(sentence[start:], subject), dependent))
    return found


def _full(text: str, subject: str) -> str:
    """The clause with the subject of the one before where it has none of its own."""
    opened = _opened(text, subject, hard=True) if subject else ""
    full = (opened or text).strip().rstrip(",;")
    return full if full.endswith((".", "!", "?")) else full + "."


def _opened(right: str, subject: str, *, hard: bool) -> str:
    """`right` as a clause, with `subject` put before a bare verb; "" if no clause begins there.

    `hard`: a comma and a conjunction stand before it, so a subject of common nouns may open it.
    """
    tokens = right.split()
    skipped = 0
    while skipped < len(tokens) - 1 and fold(tokens[skipped]) in _ADVERBS:
        skipped += 1
    first = fold(tokens[skipped].strip(".,")) if tokens else ""
    after = fold(tokens[skipped + 1]) if skipped + 1 < len(tokens) else ""
    if _is_finite(first) or (first in NOUNISH and first.endswith("s") and after in _AFTER_VERB):
        return f"{subject} {right}" if subject else ""
    rest = " ".join(tokens[skipped:])
    own, predicate = split_subject(rest)
    if not own or not predicate or "," in own or len(own.split()) > 8:
        return ""
    if not hard and not (own[:1].isupper() and len(own.split()) <= 4):
        return ""
    return right if rest == right else f"{rest.rstrip('.')} {' '.join(tokens[:skipped])}"


def _is_finite(word: str) -> bool:
    if word in _FINITE:
        return True
    if word in NOUNISH or word in _ADVERBS:
        return False
    return word in PREDICATE_STARTS and word.endswith(("s", "ed")) and not word.endswith("ss")

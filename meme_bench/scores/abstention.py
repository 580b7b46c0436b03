"""Whether an answer refuses, corrects its question, or takes the bait.

Flows in: an answer with its question and bait. Flows out: one word for what it does. Patterns decide, in
English; they were made to err against the system where a wording is unclear: what is neither a refusal nor
a correction counts as an assertion, and a bait that is offered with a hedge counts as offered.
"""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final, Literal

from meme_bench.records import Answered
from meme_bench.scores import wordings as say
from meme_bench.scores.official import f1_of_words, normalise, stems

Outcome = Literal["refused", "corrected", "baited", "hedged", "asserted"]
RIGHT: Final = ("refused", "corrected")


def outcome(answer: str, *, question: str, bait: str | None, gold: str | None = None) -> Outcome:
    """What an answer does to a question that has none: "refused" and "corrected" are right.

    "baited" gives the bait, "hedged" offers it (or another guess) beside a refusal, "asserted" anything
    else. `gold` counts where the dataset has one all the same ("No" to "Is Oscar Melanie's pet?").
    """
    text = _plain(answer).replace(_plain(question), "")  # an answer may say again what it was asked
    bait = None if bait is None or is_refusal(bait) else _plain(bait)  # two of LoCoMo's baits are refusals
    if gold is not None and normalise(text) == normalise(gold):
        return "corrected"
    if bait is not None and normalise(text) == normalise(bait):
        return "baited"
    refused = bool(say.REFUSAL.search(text))
    if bait is not None and normalise(bait) in ("yes", "no") and not refused:
        said = normalise(text).split()[:1]
        if said in (["yes"], ["no"]):
            return "baited" if said == [normalise(bait)] else "corrected"
    corrects = _corrects(text, question, bait)
    clauses = _clauses(text)
    if not refused and (not corrects or any(_goes_on(clause, question, bait) for clause in clauses)):
        return "baited" if bait is not None and _mentions(text, bait) else "asserted"
    if _answers_first(clauses[0], question, bait):
        return "baited" if bait is not None and _mentions(text, bait) else "asserted"
    rest = " ".join(clause for clause in clauses if not say.DENIAL.search(clause))
    # The rest is looked at as a whole too: a bait may have seams itself.
    if any(_offers(claim, question, bait) for claim in [*clauses, rest]):
        return "hedged"
    return "refused" if refused else "corrected"


def unanswerable(one: Answered) -> bool:
    """Whether the conversation holds no answer to a question: LoCoMo's category 5, LongMemEval's "_abs"."""
    return one.category == "5" or one.gold is None


def outcome_of(one: Answered) -> Outcome:
    """The outcome of a recorded answer; against one that says it abstains, only the bait counts."""
    if one.error:
        return "asserted"
    found = outcome(one.answer, question=one.text, bait=one.bait, gold=one.gold)
    return "refused" if one.abstained and found == "asserted" else found


def refuses(one: Answered) -> bool:
    """Whether a recorded answer is none: the system abstained, or all it says is a refusal."""
    return not one.error and (one.abstained or is_refusal(one.answer))


def is_refusal(answer: str) -> bool:
    """Whether all an answer does is refuse: what says more after a "but" is an answer."""
    text = _plain(answer)
    if not say.REFUSAL.search(text):
        return False
    clauses = _clauses(text)
    refusing = [_refusing(clause) for clause in clauses]
    before = clauses[: refusing.index(True)] if True in refusing else clauses
    if any(_content(clause) or _YES.match(clause) for clause in before):
        return False  # "Porto. The exact date is not mentioned."
    return all(refuses or _empty(clause) for refuses, clause in zip(refusing, clauses, strict=True))


_YES = re.compile(r"\W*yes\b", re.IGNORECASE)


def _refusing(clause: str) -> bool:
    return any(kind.search(clause) for kind in (say.REFUSAL, say.DENIAL, say.TO_READER))


def _plain(text: str) -> str:
    return " ".join(text.replace("’", "'").replace("‘", "'").replace("*", "").split())


def _clauses(text: str) -> list[str]:
    return [clause.strip() for clause in say.SEAMS.split(text) if clause and clause.strip()]


def _content(text: str) -> set[str]:
    return set(stems(text)) - _little()


@lru_cache(maxsize=1)
def _little() -> frozenset[str]:
    return frozenset(stems(say.LITTLE))


def _empty(clause: str) -> bool:
    return len(_content(clause)) <= 1


def _mentions(text: str, bait: str) -> bool:
    """Whether most of the bait's words of content stand in the text."""
    wanted = _content(bait) or set(stems(bait))
    return len(wanted & set(stems(text))) > len(wanted) / 2


def _offers(clause: str, question: str, bait: str | None) -> bool:
    """Whether a clause, after a refusal or beside a correction, gives the bait or a guess after all."""
    baited = bait is not None and _mentions(clause, bait)
    denials = len(say.DENIAL.findall(clause)) - (len(say.DENIAL.findall(bait)) if bait and baited else 0)
    if denials > 0:
        # "Not stated, running": what stands after a comma may be the bait and nothing else.
        if bait is None or _others(clause, question, bait):
            return False
        ends = (
            comma.end()
            for comma in re.finditer(",", clause)
            if len(clause) - comma.end() < 2 * len(bait) + 20
        )
        return any(
            f1_of_words(clause[at:], bait) >= 0.8 and not _content(clause[:at]) & _content(bait)
            for at in ends
        )
    if say.HEDGE.search(clause):
        elsewhere = say.TO_READER.search(clause) or say.KNOWN_WORD.search(clause)
        return baited or (not elsewhere and bool(_content(say.HEDGE.sub(" ", clause))))
    return baited and not _others(clause, question, bait)


def _names(text: str) -> set[str]:
    """What looks like somebody's name. The first word of a clause is one only before a verb."""
    found = set()
    for clause in _clauses(text):
        for match in say.NAME.finditer(clause):
            name = match[0].removesuffix("'s")
            inside = match.start() > 0 or match[0] != name or say.VERB.match(clause[match.end() :])
            if inside and not say.NO_NAMES.fullmatch(name):
                found.add(name)
    return found


def _others(clause: str, question: str, bait: str | None) -> set[str]:
    """Names in a clause that neither the question nor the bait has: somebody else's doing."""
    known = {word.lower() for text in (question, bait or "") for word in re.findall(r"[A-Za-z]+", text)}
    return {name for name in _names(clause) if name.lower() not in known}


def _corrects(text: str, question: str, bait: str | None) -> bool:
    """Whether an answer denies what the question takes for granted, or says whom it is true of."""
    asked = _names(question[:1].lower() + question[1:])
    denied = (rf"\b(?:not|never|nor|rather\s+than|instead\s+of)\s+(?:\w+\s+)?{name}\b" for name in asked)
    whose = (
        rf"^(?:no,\s+)?(?:it|that|this)(?:'s|\s+is|\s+was)\s+(?:actually\s+)?{name}\b(?:'s|\s+who|\W*$)|"
        rf"\b{name}\s+(?:is|was)\s+the\s+(?:one|person)\b|"
        rf"\bonly\s+(?:says|said|mentions|mentioned|states)\s+(?:that\s+)?{name}\b"
        for name in _others(text, question, bait)
    )
    if say.CORRECTION.search(text) or any(
        re.search(pattern, text, re.IGNORECASE) for pattern in (*denied, *whose)
    ):
        return True
    return any(_denies_premise(clause, question, asked) for clause in _clauses(text))


def _answers_first(clause: str, question: str, bait: str | None) -> bool:
    """Whether a first clause is a bare answer: "about a decade; no exact figure is mentioned"."""
    kinds = (say.DENIAL, say.REFUSAL, say.CORRECTION, say.SUBJECT, say.TO_READER)
    about = any(kind.search(clause) for kind in kinds)
    named = _names(clause) & _names(question[:1].lower() + question[1:]) or _others(clause, question, bait)
    return not (about or named or _content(clause) <= _content(question))


def _goes_on(clause: str, question: str, bait: str | None) -> bool:
    """Whether a clause beside a correction asserts something of its own: "..., she plays the guitar"."""
    corrects = say.DENIAL.search(clause) or say.CORRECTION.search(clause) or say.TO_READER.search(clause)
    return not (corrects or _empty(clause) or _others(clause, question, bait))


def _denies_premise(clause: str, question: str, asked: Collection[str]) -> bool:
    """Somebody of the question who "did not" do something, or does "no" such thing, that it is about."""
    subject = "|".join(["he", "she", "they", "it", *(re.escape(name) for name in asked)])
    match = re.search(
        rf"^(?:no,?\s+|actually,?\s+)?(?:\w+,\s+)?(?:{subject})\s+(?:{say.NOT}|\w+\s+no)\b(?P<rest>.*)",
        clause,
        re.IGNORECASE,
    )
    if not match:
        return False
    return bool(
        _content(match["rest"]) & (_content(question) - {stem for name in asked for stem in stems(name)})
    )

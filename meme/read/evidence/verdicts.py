"""Yes, no, or one of two: the verdict of a statement on a closed question.

Flows in: a read question and the fits of statements about the right person. Flows out: a verdict with the
deciding sentence. Will not infer: what is asked must be said, or denied, in so many words.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from meme.language.concepts import concept, concept_set, concepts
from meme.language.questions import Question
from meme.language.words import fold, words
from meme.read.evidence.fit import Fit

_DENIAL: Final = re.compile(
    r"\b(?:not|never|no longer|cannot|nobody|none|without|no more"
    r"|(?:is|are|was|were|do|does|did|has|have|had|wo|ca|could"
    r"|would|should)n't|stop(?:s|ped|ping)?|quit(?:s|ting)?|g[ai]v(?:e|es|ing) up|refuses?"
    r"|nicht|kein\w*|jamais|nunca|non(?=\s))(?!\w)"
    r"|\bne\s+\w+\s+pas\b|(?<!\w)не(?!\w)|不|没|ない",
    re.IGNORECASE,
)
_DISLIKE: Final = concept_set("dislike hate detest loathe")
_LIKE: Final = frozenset({concept("love")})


@dataclass(frozen=True, slots=True)
class Verdict:
    """`word` is "Yes", "No" or the chosen alternative; `fit` is the deciding statement."""

    word: str
    fit: Fit


def denies(question: Question, sentence: str) -> bool:
    """Whether `sentence` denies what is taken for given: "no longer lives here" for "Where does he live?"."""
    if _DENIAL.search(question.text):
        return False
    asked = set(question.keys) | {question.verb}
    for match in _DENIAL.finditer(sentence):
        after = [concept(word) for word in words(sentence[match.end() :])[:3]]
        if asked & set(after):
            return True
    return False


def avoids(question: Question, sentence: str) -> bool:
    """Whether `sentence` may say what is not so, for a question that asks for it: "What can't he eat?"."""
    return not _DENIAL.search(_STOPS.sub(" ", question.text)) or bool(
        _DENIAL.search(sentence) or _AVOIDANCE.search(sentence)
    )


_STOPS: Final = re.compile(r"\b(?:stop|quit|g[ai]v)\w*(?:\s+up)?\b", re.IGNORECASE)
_AVOIDANCE: Final = re.compile(
    r"\b(?:allerg\w+|avoid\w*|hat(?:e|es|ed)|dislik\w+|intoleran\w+|only|except|can['’]t)\b", re.IGNORECASE
)


def alternatives(question: Question) -> tuple[str, str] | None:
    """The two things an "A or B?" question offers, or None."""
    match = re.search(
        r"([\w'’-]+),?\s+(?:or|oder|ou|o|или)\s+(?:an?\s+|the\s+|in\s+|to\s+)?([\w'’-]+)[\s?.!]*$",
        question.text,
    )
    return (match[1], match[2]) if match else None


def verdict(question: Question, own: Sequence[Fit]) -> Verdict | None:
    """The verdict of the best statement that says all that is asked, or None when none does."""
    offered = alternatives(question)
    if offered:
        return choice(offered, own)
    asked_denied = bool(_DENIAL.search(question.text))
    for fit in own:
        gap = tuple(key for key in fit.missing if key not in _LIKE | _DISLIKE)
        opposed = _opposed(question, fit)
        if gap or (fit.near < fit.coverage * 0.6) or (fit.missing and opposed is None):
            continue
        denied = bool(_DENIAL.search(fit.sentence)) != bool(opposed)
        if _restricted(question, fit) or not _in_that_state(question, fit.sentence):
            continue
        return Verdict("Yes" if denied == asked_denied else "No", fit)
    return None


def _in_that_state(question: Question, sentence: str) -> bool:
    """Whether the asked state is said of somebody: "wedding photos" do not make anybody married."""
    state = words(question.text)[-1:]
    if question.language != "en" or not state or state[0] not in _STATES:
        return True
    return bool(re.search(_STATES[state[0]], sentence, re.IGNORECASE))


# A state asked for, and how it is said; the events around it do not count.
_STATES: Final = {
    "married": r"\b(?:married|marry|marries|husband|wife|spouse|wedded|single|divorced|separated|widow\w*)\b",
    "engaged": r"\b(?:engaged|fianc\w+|propos\w+)\b",
    "divorced": r"\bdivorce[ds]?\b",
    "retired": r"\bretire[ds]?\b",
    "pregnant": r"\bpregnan\w+|\bexpecting\b",
    "employed": r"\b(?:employ\w*|works?|working|job|hired)\b",
}


def _opposed(question: Question, fit: Fit) -> bool | None:
    """True when one says "like" and the other "hate", False when not, None when taste is asked, not told."""
    asked, told = set(question.keys), set(concepts(fit.sentence)) | {concept(w) for w in words(fit.sentence)}
    if not asked & (_LIKE | _DISLIKE):
        return False
    if not told & (_LIKE | _DISLIKE):
        return None
    return bool(asked & _LIKE) != bool(told & _LIKE)


def _restricted(question: Question, fit: Fit) -> bool:
    """A wish or a condition is no fact: "would love to", "if"."""
    del question
    return bool(
        re.search(r"\b(?:if|whether|asked|wonders?|would)\b", fold(fit.sentence))
    ) or fit.sentence.rstrip().endswith("?")


def choice(offered: tuple[str, str], own: Sequence[Fit]) -> Verdict | None:
    """The alternative the best statement names first, or None when none of them is said."""
    for fit in own:
        said = [concept(word) for word in words(fit.sentence)]
        places = [(said.index(concept(fold(one))), one) for one in offered if concept(fold(one)) in said]
        if places and not _DENIAL.search(fit.sentence):
            return Verdict(min(places)[1], fit)
    return None

"""What only a value of its own kind can answer: an age, an hour, a title, who made or who is somebody.

Flows in: a read question. Flows out: whether it asks such a thing.
Will not look at evidence.
"""

import re
from typing import Final

from meme.language.questions import Question
from meme.read.evidence.relations import identity_asked, kin_asked

_OWN_NAME: Final = re.compile(
    r"\b(?:my|['’]s)\s+(?:full\s+|last\s+|first\s+)?(?:name|surname)\b", re.IGNORECASE
)


def must_be_said(question: Question) -> bool:
    """Whether only a value of the asked kind answers: a name, who somebody is, an author."""
    if question.language != "en":
        return False
    if (
        HOUR_ASKED.search(question.text)
        or TITLE_ASKED.search(question.text)
        or ORIGIN_ASKED.match(question.text)
    ):
        return True
    if question.kind == "what" and question.subjects and not question.keys and _BEING.match(question.text):
        return True
    if question.kind == "where" and re.search(r"\bbefore\b", question.text, re.IGNORECASE):
        return True
    by_name = bool(kin_asked(question) or identity_asked(question) or _OWN_NAME.search(question.text))
    return by_name or asks_age(question) or bool(MAKER_ASKED.search(question.text))


def asks_age(question: Question) -> bool:
    """Whether it is asked how old somebody is."""
    return bool(AGE_ASKED.search(question.text))


_BEING: Final = re.compile(
    r"^\s*what\s+(?:is|are|was|were)\s+[^\s?]+(?:\s+[^\s?]+)?\s*\??\s*$", re.IGNORECASE
)
HOUR_ASKED: Final = re.compile(r"\bwhat time\b", re.IGNORECASE)
TITLE_ASKED: Final = re.compile(r"\btitle of\b", re.IGNORECASE)
ORIGIN_ASKED: Final = re.compile(
    r"^\s*where\s+(?:(?:is|are|was|were)\b.*|(?:do|does|did)\b.*\bcome)\s+from\s*\??\s*$", re.IGNORECASE
)
AGE_ASKED: Final = re.compile(r"\bhow old\b", re.IGNORECASE)
MAKER_ASKED: Final = re.compile(
    r"^\s*who\s+(?:wrote|painted|directed|composed|created|designed|made|sang|recorded|drew|illustrated)\b",
    re.IGNORECASE,
)

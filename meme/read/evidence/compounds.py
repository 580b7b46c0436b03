"""Compounds a question asks for: both words of "blood type" have to be said, "blood" alone is another thing.

Flows in: a read question and the fits about the right person. Flows out: the word that is missing, or "".
Will not find compounds beyond those headed by a measure or a label.
"""

import re
from collections.abc import Sequence
from typing import Final

from meme.language.concepts import concept
from meme.language.questions import Question
from meme.language.words import STOPWORDS, fold
from meme.read.evidence.fit import Fit

# What of a compound has to be said too, or be seen from a value of its kind.
_HEADS: Final[dict[str, str]] = {
    "type": r"\btypes?\b",
    "group": r"\bgroups?\b",
    "number": r"\d{3}|\bnumbers?\b",
    "size": r"\d|\bsizes?\b|\b(?:small|medium|large)\b",
    "address": r"\S@\S|\d|\baddress\b",
    "code": r"\d|\bcodes?\b",
    "password": r"\bpass(?:word|phrase)s?\b",
    "plate": r"\bplates?\b|\d",
    "colour": r"\bcolou?r\b|\b(?:red|green|blue|yellow|orange|purple|violet|pink|brown|black|white|gr[ae]y"
    r"|beige|gold|silver|turquoise|teal|hazel|blond\w*|ginger|navy|maroon|crimson|indigo|cream|lilac|lavender)\b",
}
_HEADS["color"] = _HEADS["colour"]
_MODIFIER: Final = re.compile(
    rf"(?:['’]s?|\b(?:my|our|his|her|their|the|what|which))\s+(?P<what>[a-z][\w-]*)\s+(?P<head>{'|'.join(_HEADS)})\b",
    re.IGNORECASE,
)


def half_said(question: Question, own: Sequence[Fit]) -> str:
    """The head of a compound ("blood type") when no statement with its first word has it; else ""."""
    match = _MODIFIER.search(question.text)
    if match is None or fold(match["what"]) in _PLAIN | STOPWORDS:
        return ""
    first = concept(fold(match["what"]))
    having = [fit for fit in own if first not in fit.missing]
    head = re.compile(_HEADS[fold(match["head"])], re.IGNORECASE)
    if not having or any(head.search(f"{fit.statement.asked} {fit.sentence}") for fit in having):
        return ""
    return concept(fold(match["head"]))


_PLAIN: Final = frozenset(("new", "old", "first", "last", "same", "right", "other", "main", "current"))

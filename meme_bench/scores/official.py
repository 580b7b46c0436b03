"""LoCoMo's own scoring, to the letter, and the plain word measures beside it.

Flows in: an answer, the gold answer, the category. Flows out: numbers between 0 and 1. It judges words
and nothing else: a right answer in other words scores low, a wrong one in the same words high.
"""

import re
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from typing import Any, Final

_REFUSED: Final = ("no information available", "not mentioned")
_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)
_DROPPED: Final = re.compile(r"\b(a|an|the|and)\b")


@dataclass(frozen=True, slots=True)
class Words:
    """Word measures of one answer: over stemmed words, `bleu1` and `exact` over words as they are."""

    precision: float
    recall: float
    exact: bool
    bleu1: float


def normalise(text: str) -> str:
    """Commas deleted, lower case, ASCII punctuation deleted, articles and "and" dropped, spaces collapsed."""
    bare = text.replace(",", "").lower().translate(_PUNCTUATION)
    return " ".join(_DROPPED.sub(" ", bare).split())


def stems(text: str) -> list[str]:
    """The normalised words, each cut by Porter's stemmer as NLTK ships it."""
    return [_stem(word) for word in normalise(text).split()]


def f1_of_words(answer: str, gold: str) -> float:
    """F1 over the multisets of stems; 0 without a common one."""
    precision, recall = _overlap(stems(answer), stems(gold))
    return 2 * precision * recall / (precision + recall) if precision else 0.0


def f1_of_pieces(answer: str, gold: str) -> float:
    """Both split at commas: the mean over the gold's pieces of the best F1 of any piece of the answer."""
    pieces = [piece.strip() for piece in answer.split(",")]
    best = [max(f1_of_words(piece, wanted.strip()) for piece in pieces) for wanted in gold.split(",")]
    return sum(best) / len(best)


def key(category: str, gold: str) -> str:
    """The part of the gold answer that counts: in category 3 what stands before the first ";"."""
    return gold.split(";")[0].strip() if category == "3" else gold


def official(category: str, answer: str, gold: str | None) -> float:
    """The official score of one question, rounded to 3 decimals as published.

    In category 5 the wording alone decides. A question of any category without a gold answer is scored
    as one of category 5; categories of other datasets are scored as plain F1.
    """
    if category == "5" or gold is None:
        return float(any(words in answer.lower() for words in _REFUSED))
    score = f1_of_pieces if category == "1" else f1_of_words
    return round(score(answer, key(category, gold)), 3)


def words(answer: str, gold: str) -> Words:
    """Precision, recall, exact match (equal sets of normalised words) and BLEU-1 of a whole answer."""
    precision, recall = _overlap(stems(answer), stems(gold))
    said, wanted = normalise(answer).split(), normalise(gold).split()
    return Words(precision, recall, set(said) == set(wanted), _bleu1(said, wanted))


def _overlap(said: Sequence[str], wanted: Sequence[str]) -> tuple[float, float]:
    common = (Counter(said) & Counter(wanted)).total()
    return (common / len(said), common / len(wanted)) if common else (0.0, 0.0)


def _bleu1(said: Sequence[str], wanted: Sequence[str]) -> float:
    """Clipped precision of single words, times the penalty for answers shorter than the gold."""
    if not said or not wanted:
        return 0.0
    brevity = 1.0 if len(said) >= len(wanted) else exp(1 - len(wanted) / len(said))
    return brevity * _overlap(said, wanted)[0]


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    stemmed: str = _stemmer().stem(word)
    return stemmed


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    from meme import UsageError  # noqa: PLC0415 -- beside the import that may fail

    try:
        from nltk.stem.porter import PorterStemmer  # type: ignore[import-untyped]  # noqa: PLC0415 -- 0.3 s
    except ImportError as error:
        raise UsageError("Scoring needs NLTK's stemmer: pip install 'meme-memory[bench]'.") from error
    return PorterStemmer()

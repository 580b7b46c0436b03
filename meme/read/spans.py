"""Short phrases of a sentence that may be an answer, and which of them fits a question best.

Flows in: a sentence and a read question. Flows out: the best phrase in the sentence's own wording, or None.
Will not resolve dates or check whom the sentence is about.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from meme.language.concepts import concept
from meme.language.questions import Question
from meme.language.words import STOPWORDS, fold

_TOKEN: Final = re.compile(r"[\"“”]|[^\W_]+(?:['’.-][^\W_]+)*%?|[,;:!?…()—–.]|-{1,2}|&")
_HARD: Final = frozenset(
    "but so because cause since which who whose that when while where if though although then as than plus".split()
)
_SOFT: Final = frozenset("to for with at in on from by about during after before into of over near like and or & through".split())
_PRONOUNS: Final = frozenset(
    "i i'm i've i'd i'll you you're you've your we we're we've he she they it it's me us him them this that there my our "
    "he's she's they're".split()
)
_FILLER: Final = frozenset(
    "yeah yes no wow hey hi thanks thank sure really just also totally definitely absolutely super so very pretty cool "
    "awesome great glad nice good sounds actually well oh haha lol gonna wanna maybe recently currently now today "
    "yesterday always still even already check let know think guess been being be is are was were has have had do did "
    "does am can could will would should may might got get n't not".split()
)
_DETERMINERS: Final = frozenset("a an the my our his her their its some this these those your".split())
_LINKS: Final = _DETERMINERS | frozenset("to for with at in on from by about of and or & that is are was were be as".split())


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int
    folded: str
    key: bool
    word: bool


def _tokens(sentence: str, question: Question, names: frozenset[str]) -> list[_Token]:
    found: list[_Token] = []
    keys = set(question.keys)
    for match in _TOKEN.finditer(sentence):
        folded = fold(match[0])
        word = folded[:1].isalnum()
        bare = folded.removesuffix("'s")
        key = word and (bare in names or (folded not in STOPWORDS and concept(folded) in keys))
        found.append(_Token(match[0], match.start(), match.end(), folded, key, word))
    return found


def best_phrase(sentence: str, question: Question) -> tuple[str, float] | None:
    """The phrase of `sentence` that most likely answers `question`, with its worth, or None."""
    names = frozenset(part for person in question.persons for part in fold(person).split())
    tokens = _tokens(sentence, question, names)
    best: tuple[float, int, int] | None = None
    for first, last in _windows(tokens):
        worth = _worth(tokens, first, last, question)
        if best is None or worth > best[0]:
            best = (worth, first, last)
    if best is None:
        return None
    text = _trimmed(tokens, best[1], best[2], sentence)
    return (text, best[0]) if text else None


def _windows(tokens: list[_Token]) -> Iterator[tuple[int, int]]:
    """Spans between clause borders; a preposition or a key word may begin or end one, a full stop never lies inside."""
    starts = [i for i in range(len(tokens)) if tokens[i].word and _may_start(tokens, i)]
    for start in starts:
        depth = 0
        for end in range(start, min(len(tokens), start + 14)):
            token = tokens[end]
            if token.text in ";:!?….—–()" or (token.folded in _HARD and end > start):
                break
            depth += token.word
            if not token.word or depth > 11:
                continue
            if _may_end(tokens, end):
                yield start, end


def _may_start(tokens: list[_Token], at: int) -> bool:
    if at == 0:
        return True
    before = tokens[at - 1]
    return not before.word or before.key or before.folded in _SOFT | _HARD | _FILLER | _DETERMINERS | _PRONOUNS


def _may_end(tokens: list[_Token], at: int) -> bool:
    if at + 1 == len(tokens):
        return True
    after = tokens[at + 1]
    return not after.word or after.key or after.folded in _SOFT | _HARD | _PRONOUNS or after.folded in _TIMES


_TIMES: Final = frozenset("yesterday today tomorrow last next this recently now ago tonight".split())


def _worth(tokens: list[_Token], first: int, last: int, question: Question) -> float:
    inside = [t for t in tokens[first : last + 1] if t.word]
    novel = [t for t in inside if not t.key and t.folded not in STOPWORDS and t.folded not in _FILLER]
    if not novel:
        return -2.0
    worth = min(len(novel), 4) * 0.6 - max(0, len(novel) - 5) * 0.5
    worth -= 0.5 * sum(t.key for t in inside)
    worth -= 0.45 * sum(t.folded in _PRONOUNS for t in inside)
    worth -= 0.3 * sum(t.folded in _FILLER for t in inside)
    worth += 0.3 * any(t.text[:1].isupper() and first > 0 for t in novel)
    before = [t for t in tokens[max(0, first - 4) : first]]
    if before and any(t.key for t in before):
        worth += 0.9 if before[-1].key or (before[-1].folded in _LINKS and before[-2:][0].key) else 0.5
    elif any(t.key for t in tokens[last + 1 : last + 4]):
        worth += 0.4
    if tokens[first].folded in _LINKS:
        worth -= 0.1
    if first > 0 and tokens[first - 1].text in "\"“":
        worth += 0.6
    return worth


def _trimmed(tokens: list[_Token], first: int, last: int, sentence: str) -> str:
    while first < last and tokens[first].folded in _LINKS | _FILLER:
        first += 1
    while last > first and (not tokens[last].word or tokens[last].folded in _LINKS):
        last -= 1
    start, end = tokens[first].start, tokens[last].end
    if start and sentence[start - 1] in "\"“" and sentence[end : end + 1] in ("\"", "”"):
        start, end = start - 1, end + 1
    return sentence[start:end].strip(" ,;:.!?-")

"""Evidence read as statements: who says what about whom, sentence by sentence.

Flows in: retrieved evidence. Flows out: statements with their speaker, the question they reply to and
their sentences. Will not weigh them against a question: `fit.py` does.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from meme.language.words import fold
from meme.read.shapes import Evidence
from meme.records import Happened

_TURN: Final = re.compile(r"^\s*(?P<who>[^\W\d_][^\n:.!?,\"“”()]{0,39}?):\s+(?P<text>\S.*)$", re.DOTALL)
_REPLY: Final = re.compile(
    r"^\s*Asked by (?P<asker>[^\"“]{1,60}?)\s*[\"“](?P<question>.*?)[\"”],?\s*(?P<who>[^\"“:]{1,60}?)"
    r"\s+(?:answered|replied|said)\s*:\s*[\"“](?P<text>.*?)[\"”]?\.?\s*$",
    re.DOTALL,
)
_SHARED: Final = re.compile(r"\[\s*shares?\s+(?P<caption>[^\]]*)\]", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?<=[.!?…。！？])[\"'”’)]?\s+(?=[\"'“‘(]?[^\Wa-z_])|(?<=[。！？])|\n+")
_ABBREVIATION: Final = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Prof|Jr|vs|e\.g|i\.e|etc|No)\.$")


@dataclass(frozen=True, slots=True)
class Statement:
    """One evidence text, read. `speaker` is "" for a restated sentence; `asked` is what it replies to.

    `rank` counts from 0, best first; `quoted` marks a source turn of the entry `ref`.
    """

    ref: str
    rank: int
    text: str
    said_at: datetime
    speaker: str = ""
    asked: str = ""
    captions: tuple[str, ...] = ()
    happened: Happened | None = None
    location: str | None = None
    persons: tuple[str, ...] = ()
    quoted: bool = False
    score: float = 0.0

    @property
    def sentences(self) -> tuple[str, ...]:
        """The text sentence by sentence; captions come last."""
        return sentences(self.text) + self.captions


def read_evidence(evidence: Iterable[Evidence]) -> tuple[Statement, ...]:
    """Every evidence text as a statement, followed by its source turns where they say it differently."""
    found: list[Statement] = []
    for rank, item in enumerate(evidence):
        found.append(_statement(item, item.text, rank, quoted=False))
        for quote in item.quotes:
            if quote.strip() and fold(quote) != fold(item.text):
                found.append(_statement(item, quote, rank, quoted=True))
    return tuple(found)


def _statement(item: Evidence, text: str, rank: int, *, quoted: bool) -> Statement:
    captions = tuple(m["caption"].strip() for m in _SHARED.finditer(text) if m["caption"].strip())
    bare = _SHARED.sub(" ", text).strip()
    speaker, asked = "", ""
    reply, turn = _REPLY.match(bare), _TURN.match(bare)
    if reply:
        speaker, asked, bare = reply["who"].strip(), reply["question"].strip(), reply["text"].strip()
    elif turn and _is_speaker(turn["who"]):
        speaker, bare = _SAYS.sub("", turn["who"].strip()), turn["text"].strip()
    return Statement(
        ref=item.ref,
        rank=rank,
        text=bare,
        said_at=item.said_at,
        speaker=speaker,
        asked=asked,
        captions=captions,
        happened=item.happened,
        location=item.location,
        persons=item.persons,
        quoted=quoted,
        score=item.score,
    )


# An entry may name who said it: "Clara said: ...", "Clara asked Bob: ...".
_SAYS: Final = re.compile(r"\s+(?:said|added|replied|answered|asked(?:\s+\S+){0,3})$")


def _is_speaker(name: str) -> bool:
    return len(_SAYS.sub("", name).split()) <= 3


def sentences(text: str) -> tuple[str, ...]:
    """`text` split at sentence ends; abbreviations and initials do not end one."""
    result: list[str] = []
    for piece in _SENTENCE.split(text):
        if not piece or not piece.strip():
            continue
        if result and (_ABBREVIATION.search(result[-1]) or re.search(r"\b(?:[A-Z]|\d{1,2})\.$", result[-1])):
            result[-1] = f"{result[-1]} {piece.strip()}"
        else:
            result.append(piece.strip())
    return tuple(result)

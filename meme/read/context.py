"""Evidence in, the lines a model is shown out: the best that fit, quoted as data.

Flows in: evidence with scores, and how many tokens it may take. Flows out: JSON lines in order of time, and
which evidence they show. A source turn is shown only where its entry leaves something of it out, and no turn
is shown for itself twice. Will not cut a text: what does not fit is left out whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from meme.language.times import render, spot
from meme.language.words import stems
from meme.prompts import as_line
from meme.read.shapes import Evidence

SOURCES: Final = 6  # of the best entries: nearly all answers rest on these
LEFT_OUT: Final = 3  # content stems of a turn that are not in its entry make it worth showing


@dataclass(frozen=True, slots=True)
class Context:
    """What a model is shown: the lines, and the refs of the evidence in them."""

    text: str
    refs: frozenset[str]


def tokens(text: str) -> int:
    """An estimate: four characters of ASCII a token, and one of any other script."""
    plain = sum(char.isascii() for char in text)
    return plain // 4 + len(text) - plain


def context(evidence: Sequence[Evidence], *, room: int, sources: int = SOURCES) -> Context:
    """The best evidence in about `room` tokens, the very best whatever its length."""
    ranked = sorted(evidence, key=lambda one: -one.score)
    shown: list[Evidence] = []
    for one in ranked:
        cost = tokens(_line(one, ()))
        if shown and cost > room:
            break
        shown.append(one)
        room -= cost
    quotes: dict[str, tuple[str, ...]] = {}
    told: set[str] = set()
    for one in shown[:sources]:
        cost = tokens(as_line(list(one.quotes)))
        if _adds(one) and not told.issuperset(one.quotes) and cost <= room:
            quotes[one.ref] = one.quotes
            told.update(one.quotes)
            room -= cost
    in_time = sorted(shown, key=lambda one: one.said_at)
    lines = [_line(one, quotes.get(one.ref, ())) for one in in_time]
    return Context("\n".join(lines) or "none", frozenset(one.ref for one in shown))


def _adds(one: Evidence) -> bool:
    """Whether the source turns say more than their entry."""
    said = {stem for quote in one.quotes for stem in stems(quote)}
    return len(said - set(stems(one.text))) >= LEFT_OUT


def _line(one: Evidence, quotes: Sequence[str]) -> str:
    data: dict[str, object] = {"id": one.ref, "said": one.said_at.date().isoformat(), "text": one.text}
    if one.happened and not any(found.happened for found in spot(one.text, one.said_at)):
        data["happened"] = render(one.happened)
    if quotes:
        data["from"] = list(quotes)
    return as_line(data)

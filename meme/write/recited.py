"""Recalled memories that come back as input: found in a turn by their wording, and taken out of it.

Flows in: a turn and the contents of known entries. Flows out: what the turn says besides. An agent that
puts what it recalled in front of its next message must not have it extracted again (case O30), whatever
its status is by now: an entry that was deleted must not return this way. Will not judge meaning.
"""

import re
from collections.abc import Collection, Iterator
from typing import Final

from meme.records import Turn

# Before a recited line: "- ", "3. ", "[01a22f02-0a2a] ", "(2025-03-01) ", "m2: "; behind it: "(2025-03-01)".
_MARK: Final = re.compile(
    r"^\s*(?:[-*•–>]+\s+|\d+[.)]\s+|\[[^\]\n]{0,60}\]\s*|\([^)\n]{0,60}\)\s*|\w{1,4}:\s+)+"
)
_TAIL: Final = re.compile(r"\s*[\[(][^\[\]()\n]{0,60}[\])]\s*$")
# "Relevant memories:", "## Recalled memories about Mo", "<memories>"; not "My favourite memories:".
_HEADING: Final = re.compile(
    r"\W*(?:here are )?"
    r"(?:(?:the|some|relevant|recalled|retrieved|stored|known|user|saved|long-term|past)\s+)+"
    r"memor(?:y|ies)\b[^\n.!?]{0,60}[:>\])]?\s*$|\W*</?\w*memor(?:y|ies)\w*>\s*$|\W*memories:\s*$",
    re.IGNORECASE,
)


def candidates(turn: Turn) -> Iterator[str]:
    """What would be recited if an entry said just that: lines of a listing, or all an assistant says.

    A person who repeats a fact in a line of his own is no recital: the reconciler notes the repetition.
    """
    lines = turn.text.splitlines()
    if len(lines) > 1 or turn.role == "assistant":
        for line in lines:
            yield from _readings(line)


def without_recited(turn: Turn, known: Collection[str]) -> str:
    """The turn's text without lines in `known`, and without a heading of recalled memories and its items."""
    looked_for = set(candidates(turn)) & set(known)
    kept: list[str] = []
    listing = False
    lines = turn.text.splitlines()
    for line in lines:
        heading = _HEADING.match(line) is not None
        item = listing and _MARK.match(line) is not None
        listing = heading or item
        if not (heading or item or looked_for.intersection(_readings(line))):
            kept.append(line)
    return "\n".join(kept).strip() if len(kept) < len(lines) else turn.text


def _readings(line: str) -> Iterator[str]:
    """The line as it is, without what marks it as an item, and without what follows it in brackets."""
    bare = _MARK.sub("", line).strip()
    yield from dict.fromkeys(one for one in (line.strip(), bare, _TAIL.sub("", bare)) if one)

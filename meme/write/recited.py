"""Recalled memories that come back as input: found in a turn by their wording, and taken out of it.

Flows in: a turn and the contents of known entries. Flows out: what the turn says besides. An agent that
puts what it recalled in front of its next message must not have it extracted again (case O30), whatever
its status is by now: an entry that was deleted must not return this way. Only what is known word for word
is taken out: everything else may be news. Will not judge meaning.
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
_HEADING: Final = re.compile(
    r"[^\n.!?]{0,80}(?:\bmemor(?:y|ies)\b[^\n.!?]{0,60}|:\s*)|\W*<\w+>\W*", re.IGNORECASE
)
_CLOSING: Final = re.compile(r"\W*</\w+>\W*")


def candidates(turn: Turn) -> Iterator[str]:
    """What would be recited if an entry said just that: items of a list, or all an assistant says.

    A person who repeats a fact in words of his own line is no recital: the reconciler notes it.
    """
    for line in turn.text.splitlines():
        if turn.role == "assistant" or _MARK.match(line):
            yield from _readings(line)


def without_recited(turn: Turn, known: Collection[str]) -> str:
    """The turn's text without recited lines, and without the headings and tags of nothing else."""
    looked_for = set(candidates(turn)) & set(known)
    if not looked_for:
        return turn.text
    kept: list[str] = []
    gone = False  # whether the lines just before were recited
    for line in turn.text.splitlines():
        if looked_for.intersection(_readings(line)):
            if not gone and kept and _HEADING.fullmatch(kept[-1]):
                kept.pop()
            gone = True
        elif not (gone and _CLOSING.fullmatch(line)):
            kept.append(line)
            gone = False
    return "\n".join(kept).strip()


def _readings(line: str) -> Iterator[str]:
    """The line as it is, without what marks it as an item, and without what follows it in brackets."""
    bare = _MARK.sub("", line).strip()
    yield from dict.fromkeys(one for one in (line.strip(), bare, _TAIL.sub("", bare)) if one)

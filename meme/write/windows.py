"""Cutting pending turns into windows: turns in order go in, windows with their context come out."""

import hashlib
from collections.abc import Sequence

from meme.records import Scope, Turn, Window


def window_id(turn_ids: Sequence[str]) -> str:
    """The hash of the turn ids: two workers that cut the same turns claim the same window."""
    return hashlib.sha256("\n".join(turn_ids).encode()).hexdigest()[:32]


def by_scope(turns: Sequence[Turn]) -> dict[Scope, list[Turn]]:
    """Turns of each user, agent and session apart, in order: one window never mixes sessions."""
    grouped: dict[Scope, list[Turn]] = {}
    for turn in turns:
        grouped.setdefault(turn.scope, []).append(turn)
    return grouped


def cut(
    turns: Sequence[Turn], before: Sequence[Turn], *, size: int, overlap: int, final: bool
) -> list[Window]:
    """Windows of `size` turns of one session; the rest makes a last, smaller one only when `final`.

    Each window's context is the `overlap` turns before it; `before` are the turns before the first.
    """
    windows = []
    for start in range(0, len(turns), size):
        evidence = tuple(turns[start : start + size])
        if len(evidence) < size and not final:
            break
        earlier = [*before, *turns[:start]]
        context = tuple(earlier[-overlap:]) if overlap else ()
        identity = window_id([turn.id for turn in evidence])
        windows.append(Window(identity, evidence[0].scope, evidence, context))
    return windows


def halves(window: Window) -> tuple[Window, Window] | None:
    """The window in two, for a reply that was cut at the output limit; None for a single turn."""
    middle = len(window.turns) // 2
    if not middle:
        return None
    first, second = window.turns[:middle], window.turns[middle:]
    return (
        Window(window_id([t.id for t in first]), window.scope, first, window.context),
        Window(window_id([t.id for t in second]), window.scope, second, first[-2:]),
    )

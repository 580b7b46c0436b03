"""Cutting: every turn is evidence exactly once, sessions stay apart, ids are claims."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from meme.records import Scope, Turn
from meme.write.windows import by_scope, cut, halves, window_id

NOW = datetime(2025, 1, 1, tzinfo=UTC)


def turns(count: int, session: str = "s") -> list[Turn]:
    scope = Scope("ana", None, session)
    return [Turn(f"{session}{i}", scope, "Al", f"text {i}", NOW, NOW) for i in range(count)]


@given(st.integers(0, 50), st.integers(1, 12), st.integers(0, 5), st.booleans())
def test_every_turn_is_evidence_once_and_in_order(count: int, size: int, overlap: int, final: bool) -> None:
    given_turns, before = turns(count), turns(3, "before")
    windows = cut(given_turns, before, size=size, overlap=overlap, final=final)
    used = [turn for window in windows for turn in window.turns]
    assert used == given_turns[: len(used)]
    assert len(used) == (count if final else count - count % size)
    everything = [*before, *given_turns]
    for window in windows:
        start = everything.index(window.turns[0])
        assert list(window.context) == everything[max(0, start - overlap) : start] or overlap == 0
        assert len(window.context) <= overlap
        assert len(window.turns) <= size


def test_a_full_window_goes_and_the_rest_waits() -> None:
    assert [len(w.turns) for w in cut(turns(7), (), size=3, overlap=0, final=False)] == [3, 3]
    assert [len(w.turns) for w in cut(turns(7), (), size=3, overlap=0, final=True)] == [3, 3, 1]


def test_sessions_are_never_mixed() -> None:
    mixed = [turn for pair in zip(turns(3, "a"), turns(3, "b"), strict=True) for turn in pair]
    assert [[t.id for t in group] for group in by_scope(mixed).values()] == [
        ["a0", "a1", "a2"],
        ["b0", "b1", "b2"],
    ]


def test_the_same_turns_make_the_same_claim_and_others_another() -> None:
    assert window_id(["a", "b"]) == window_id(["a", "b"])
    assert len({window_id(ids) for ids in (["a", "b"], ["b", "a"], ["ab"], ["a", "b", "c"])}) == 4


def test_halves_keep_all_turns_and_their_context() -> None:
    window = cut(turns(5), turns(2, "before"), size=5, overlap=2, final=True)[0]
    parts = halves(window)
    assert parts is not None
    first, second = parts
    assert first.turns + second.turns == window.turns
    assert first.context == window.context
    assert second.context == first.turns[-2:]
    single = cut(turns(1), (), size=1, overlap=0, final=True)[0]
    assert halves(single) is None

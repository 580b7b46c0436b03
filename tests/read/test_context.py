"""What a model is shown of the evidence: the best that fits, in order of time, a turn where it says more."""

from datetime import UTC, datetime, timedelta

import pytest

from meme.read.context import context, tokens
from meme.read.shapes import Evidence

DAY = datetime(2024, 5, 1, tzinfo=UTC)


def entry(number: int, text: str, *quotes: str) -> Evidence:
    """Better the lower its number, and said the later."""
    return Evidence(f"m{number}", text, DAY - timedelta(days=number), score=1 / number, quotes=tuple(quotes))


def test_evidence_is_shown_oldest_first() -> None:
    shown = context([entry(1, "Newest."), entry(2, "Older."), entry(3, "Oldest.")], room=500)
    assert [line.split('"')[3] for line in shown.text.splitlines()] == ["m3", "m2", "m1"]


def test_what_does_not_fit_is_left_out_whole_and_the_worst_first() -> None:
    many = [entry(number, f"Entry {number} is about something. " * 3) for number in range(1, 40)]
    shown = context(many, room=400)
    assert tokens(shown.text) <= 400
    assert shown.refs == {f"m{number}" for number in range(1, len(shown.refs) + 1)}


def test_the_best_is_shown_whatever_its_length() -> None:
    assert context([entry(1, "word " * 1_000), entry(2, "Short.")], room=100).refs == {"m1"}


@pytest.mark.parametrize(
    ("quotes", "shown"),
    [
        (["Bo: I own a kayak."], False),
        (["Bo: I own a kayak, a canoe, two paddles and a tent."], True),
        ([], False),
    ],
)
def test_a_turn_is_shown_where_it_says_more_than_its_entry(quotes: list[str], shown: bool) -> None:
    assert ('"from"' in context([entry(1, "Bo owns a kayak.", *quotes)], room=500).text) is shown


def test_a_turn_is_shown_once_but_an_answer_never_without_its_question() -> None:
    asked, told = "Al: Where did you go in spring?", "Bo: To Oslo with Edie, by night train over Lund."
    entries = [entry(1, "Bo was away.", told), entry(2, "Bo went.", told), entry(3, "Bo left.", asked, told)]
    lines = context(entries, room=500).text.splitlines()
    assert [told in line for line in lines] == [True, False, True]
    assert [asked in line for line in lines] == [True, False, False]


def test_other_scripts_take_more_room() -> None:
    assert tokens("上海见") == 3
    assert tokens("Shanghai") == 2


def test_no_evidence_is_said_so() -> None:
    assert context([], room=100).text == "none"

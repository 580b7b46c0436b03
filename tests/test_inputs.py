"""What callers may hand in, and what a wrong one says."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meme import BadLine, Scope, ScopeError, TurnInput, UsageError
from meme.inputs import TurnMaker, clean, read_lines, required, turn_input
from meme.options import entry_fields, filters_of, layers_of
from meme.testing import numbered_ids

BLANK = ["", "   ", "\n\t", "\u200b", "\ufeff \u200d"]


def maker() -> TurnMaker:
    return TurnMaker(
        Scope("ana"), user="ana", now=datetime(2025, 1, 1, tzinfo=UTC), zone=UTC, new_id=numbered_ids()
    )


@pytest.mark.parametrize("text", [*BLANK, None])
def test_blank_text_is_refused(text: str | None) -> None:
    with pytest.raises(UsageError, match="blank"):
        required(text, "text")  # type: ignore[arg-type]


@pytest.mark.parametrize("user", [*BLANK, None, 7])
def test_a_blank_user_is_an_error_and_never_everybody(user: object) -> None:
    with pytest.raises(ScopeError, match="user_id is blank"):
        Scope(user)  # type: ignore[arg-type]


@pytest.mark.parametrize("field", ["agent_id", "session_id"])
def test_a_blank_agent_or_session_is_an_error(field: str) -> None:
    with pytest.raises(ScopeError, match=f"{field} is blank"):
        Scope("ana", **{field: " "})


def test_speaker_or_role_and_text_or_content_are_taken() -> None:
    assert turn_input({"role": "user", "content": "hi"}) == TurnInput(text="hi", role="user")
    turn, _ = maker().make(turn_input({"role": "assistant", "content": "hi"}))
    assert (turn.speaker, turn.role) == ("Assistant", "assistant")
    turn, _ = maker().make(turn_input({"content": "hi", "message_id": 7, "session_id": 3}))
    assert (turn.speaker, turn.message_id, turn.scope.session_id) == ("ana", "7", "3")


def test_a_line_without_text_is_named() -> None:
    with pytest.raises(UsageError, match="text: Field required"):
        turn_input({"speaker": "Ana"})


def test_equal_lines_of_one_call_are_both_kept_and_recognised_when_sent_again() -> None:
    line = TurnInput(text="Yes.", speaker="Ana", timestamp="2025-01-01T10:00:00Z")
    first, second = maker(), maker()
    keys = [first.make(line)[1] for _ in range(2)]
    assert len(set(keys)) == 2
    assert [second.make(line)[1] for _ in range(2)] == keys


def test_a_message_id_is_the_key_whatever_the_text() -> None:
    assert (
        maker().make(TurnInput(text="a", message_id="m1"))[1]
        == maker().make(TurnInput(text="b", message_id="m1"))[1]
    )


def test_naive_timestamps_are_in_the_configured_zone_and_offsets_are_kept() -> None:
    naive, _ = maker().make(TurnInput(text="a", timestamp="2025-07-25T02:00:00"))
    assert naive.said_at == datetime(2025, 7, 25, 2, tzinfo=UTC)
    offset, _ = maker().make(TurnInput(text="a", timestamp="2025-07-25T23:30:00-07:00"))
    assert offset.said_at.isoformat() == "2025-07-25T23:30:00-07:00"


def test_bad_lines_are_told_by_number_and_the_rest_is_read() -> None:
    lines = [
        "\ufeff" + '{"text": "one"}\r',
        "",
        "not json",
        '{"text": "a"}{"text": "b"}',
        "[1]",
        '{"speaker": "x"}',
        '{"text": "two"}',
    ]
    found = list(read_lines(lines))
    assert [(n, type(one)) for n, one in found] == [
        (1, TurnInput),
        (3, BadLine),
        (4, BadLine),
        (5, BadLine),
        (6, BadLine),
        (7, TurnInput),
    ]


@given(st.text(), st.text())
def test_any_line_is_a_turn_or_a_bad_line(before: str, after: str) -> None:
    for _, one in read_lines([before + '{"text":' + after, before]):
        assert isinstance(one, TurnInput | BadLine)


@given(st.text(alphabet=st.characters()))
def test_cleaned_text_can_be_written_to_disk(text: str) -> None:
    assert clean(text + "\ud800").encode("utf-8")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"persons": [" "]}, "persons holds a blank"),
        ({"location": ""}, "location is blank"),
        ({"kind": "fact"}, "'fact' is no kind: use one of semantic, episodic, procedural"),
        ({"since": "2025-02-01", "until": "2025-01-01"}, "is after until"),
        ({"since": "soon"}, "soon"),
    ],
)
def test_a_wrong_filter_is_refused_in_one_sentence(given: dict[str, object], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        filters_of(given)


def test_layers_are_checked() -> None:
    assert layers_of(None) == ("semantic", "lexical", "structured")
    assert layers_of(["lexical", "lexical"]) == ("lexical",)
    for wrong in (["magic"], []):
        with pytest.raises(UsageError, match="semantic, lexical, structured"):
            layers_of(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [{"importance": 1.5}, {"metadata": [1]}, {"kind": "x"}, {"tags": [""]}])
def test_wrong_entry_fields_are_refused(given: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        entry_fields(given)

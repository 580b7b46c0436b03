"""Extraction with a scripted model: dates are code's, the lossless check, and what is not listened to."""

import asyncio
from datetime import UTC, date, datetime
from typing import Any

import pytest

from meme.errors import UnavailableError
from meme.llm import Reply
from meme.records import Scope, Turn, Window
from meme.testing import ScriptedLLM
from meme.write.extract import Extraction, Hearing, extract

PLAIN = Hearing()
MONDAY = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
SCOPE = Scope("u")


def turn(identity: str, text: str, speaker: str = "Caro", **more: Any) -> Turn:
    return Turn(identity, SCOPE, speaker, text, MONDAY, MONDAY, **more)


def run(
    turns: list[Turn], replies: list[Any], hearing: Hearing = Hearing()
) -> tuple[Extraction, ScriptedLLM]:
    llm = ScriptedLLM(replies)
    return asyncio.run(extract(Window("w", SCOPE, tuple(turns)), llm, hearing)), llm


def entry(text: str, *sources: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "sources": list(sources), **more}


@pytest.mark.parametrize(
    "named",
    ["7 May 2023", "on 7 May 2023", "yesterday", "2023-05-07", "May 7, 2023", {"start": "2023-05-07"}],
)
def test_a_date_named_in_words_is_read_by_code(named: Any) -> None:
    reply = {"entries": [entry("Caro went to the group on 7 May 2023.", "t1", happened=named)]}
    found, _ = run([turn("a", "I went to the group yesterday.")], [reply])
    happened = found.facts[0].happened
    assert happened is not None
    assert (happened.start, happened.precision) == (date(2023, 5, 7), "day")


def test_a_date_keeps_the_precision_its_turn_gave_it() -> None:
    reply = {"entries": [entry("Caro painted it in 2022.", "t1", happened="2022")]}
    found, _ = run([turn("a", "I painted it last year.")], [reply])
    happened = found.facts[0].happened
    assert happened is not None
    assert (happened.precision, happened.phrase) == ("year", "last year")


@pytest.mark.parametrize("nonsense", ["some day", "", None, "soon"])
def test_a_date_that_names_none_is_none(nonsense: Any) -> None:
    reply = {"entries": [entry("Caro likes tea.", "t1", happened=nonsense)]}
    found, _ = run([turn("a", "I like tea.")], [reply])
    assert found.facts[0].happened is None


def test_relative_time_that_a_model_copies_is_made_absolute() -> None:
    reply = {"entries": [entry("Caro went to the support group yesterday.", "t1")]}
    found, _ = run([turn("a", "I went to the support group yesterday.")], [reply])
    assert found.facts[0].content == "Caro went to the support group on 7 May 2023."


def test_the_day_stands_once_until_it_changes() -> None:
    later = Turn("c", SCOPE, "Caro", "Bye.", MONDAY.replace(day=9), MONDAY)
    _, llm = run([turn("a", "Hi."), turn("b", "I like tea."), later], [{"entries": []}])
    days = ['"said"' in line for line in llm.requests[0].prompt.splitlines() if line.startswith("{")]
    assert days == [True, False, True]


def test_a_turn_called_empty_that_states_something_is_asked_about_again() -> None:
    lazy = {"entries": [], "nothing": ["t1", "t2"]}
    second = {"entries": [entry("Caro's flight to Oslo leaves at 7:15.", "t1")]}
    turns = [turn("a", "My flight to Oslo leaves at 7:15."), turn("b", "Thanks!", "Mel")]
    found, llm = run(turns, [lazy, second])
    assert [fact.content for fact in found.facts] == ["Caro's flight to Oslo leaves at 7:15."]
    assert [line.ref for line in llm.requests[1].payload.lines] == ["t1"]


def test_a_turn_called_empty_twice_is_excused_and_a_question_needs_no_second_call() -> None:
    lazy = {"entries": [], "nothing": ["t1"]}
    found, llm = run([turn("a", "Say hello to the statue of Nelson at 10:30.")], [lazy, lazy])
    assert (found.facts, len(llm.requests)) == ((), 2)
    found, llm = run([turn("a", "Have you been to Oslo in 2019?")], [lazy])
    assert (found.facts, len(llm.requests)) == ((), 1)


@pytest.mark.parametrize("second", ["no idea", Reply("{", finish="length"), {"entries": []}])
def test_a_second_pass_that_fails_costs_nothing_of_the_first_and_what_misses_is_quoted(second: Any) -> None:
    first = {"entries": [entry("Caro has a cat.", "t1")]}
    replies = [first, second, second]
    found, _ = run([turn("a", "I have a cat. It weighs 4.2 kg. It came yesterday with Tom.")], replies)
    assert [fact.content for fact in found.facts] == [
        "Caro has a cat.",
        'Caro said: "It weighs 4.2 kg."',
        'Caro said: "It came on 7 May 2023 with Tom."',
    ]
    assert found.coverage.share == 1.0


def test_an_outage_in_the_second_pass_fails_the_window() -> None:
    first = {"entries": [entry("Caro has a cat.", "t1")]}
    with pytest.raises(UnavailableError):
        run([turn("a", "I have a cat that weighs 4.2 kg.")], [first, UnavailableError("HTTP 500")])


RECALLED = "Relevant memories:\n- Mo prefers dark mode.\n- Mo lives in Rome. (2025-03-01)\n\n"
MO = {"Mo prefers dark mode.", "Mo lives in Rome."}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (RECALLED + "I just bought a kayak.", "I just bought a kayak."),
        ("<memories>\n- Mo prefers dark mode.\n</memories>\nI bought a kayak.", "I bought a kayak."),
        ("Mo prefers dark mode.\nI bought a kayak.", "Mo prefers dark mode.\nI bought a kayak."),
        ("Known memory issues:\n- The cache leaks.", "Known memory issues:\n- The cache leaks."),
        ("1. Mo prefers dark mode.\n2. I bought a kayak.", "2. I bought a kayak."),
        ("My favourite memories:\n- Rome in May", "My favourite memories:\n- Rome in May"),
        ("Mo prefers dark mode.", "Mo prefers dark mode."),
    ],
)
def test_what_is_recited_is_not_extracted_again_and_the_rest_is(text: str, left: str) -> None:
    _, llm = run([turn("a", text)], [{"entries": [], "nothing": ["t1"]}] * 2, Hearing(known=MO))
    assert llm.requests[0].payload.lines[0].text == left


def test_an_assistant_that_only_recites_says_nothing_and_costs_no_call() -> None:
    recital = turn("a", "Mo prefers dark mode.", "Dax", role="assistant")
    found, llm = run([recital], [], Hearing(known={"Mo prefers dark mode."}))
    assert (dict(found.nothing), llm.requests) == ({"a": "recites what is known"}, [])


def test_roles_are_ignored_as_told() -> None:
    tool = turn("a", "The build of Lumen took 40 s.", "shell", role="tool")
    found, _ = run([tool], [])
    assert dict(found.nothing) == {"a": "tool message"}
    said = {"entries": [entry("The build of Lumen took 40 s.", "t1")]}
    found, _ = run([tool], [said], Hearing(ignored=()))
    assert len(found.facts) == 1


SLIPS: list[dict[str, Any]] = [
    {"importance": 7},
    {"importance": None},
    {"kind": "fact"},
    {"topic": ["a", "b"]},
    {"happened": {"date": "2023"}},
    {"persons": [None, "Caro"]},
    {"keywords": {}},
    {"location": 7},
    {"sources": "t1"},
]


@pytest.mark.parametrize("slip", SLIPS, ids=str)
def test_a_slip_in_one_field_does_not_cost_the_entry(slip: dict[str, Any]) -> None:
    found, llm = run([turn("a", "I like tea.")], [{"entries": [{**entry("Caro likes tea.", "t1"), **slip}]}])
    assert [fact.content for fact in found.facts] == ["Caro likes tea."]
    assert 0 <= found.facts[0].importance <= 1
    assert len(llm.requests) == 1


@pytest.mark.parametrize("broken", [{"text": ""}, {"text": None}, 7, {}, {"importance": 1}], ids=str)
def test_one_broken_entry_does_not_cost_the_others(broken: Any) -> None:
    found, llm = run([turn("a", "I like tea.")], [{"entries": [broken, entry("Caro likes tea.", "t1")]}])
    assert [fact.content for fact in found.facts] == ["Caro likes tea."]
    assert len(llm.requests) == 1


@pytest.mark.parametrize("nothing", ["t1", {"t1": None}, ["t1"], None])
def test_what_holds_nothing_may_be_told_in_any_form(nothing: Any) -> None:
    found, _ = run([turn("a", "Hi there!")], [{"entries": [], "nothing": nothing}])
    assert dict(found.nothing) == {"a": "nothing to remember"}


def test_an_entry_longer_than_all_that_was_said_is_no_restatement() -> None:
    found, _ = run(
        [turn("a", "I like tea.")], [{"entries": [entry("x " * 5_000, "t1"), entry("Tea.", "t1")]}]
    )
    assert [fact.content for fact in found.facts] == ["Tea."]


def test_a_turn_before_the_window_may_be_a_source_beside_one_of_it_and_never_alone() -> None:
    window = Window("w", SCOPE, (turn("b", "Yes, in May."),), (turn("a", "Did you go to Oslo?", "Mel"),))
    replies = [
        {"entries": [entry("Caro went to Oslo in May.", "c1", "t1"), entry("Mel asked about Oslo.", "c1")]}
    ]
    found = asyncio.run(extract(window, ScriptedLLM(replies)))
    assert [(fact.content, fact.sources) for fact in found.facts] == [
        ("Caro went to Oslo in May.", ("a", "b"))
    ]

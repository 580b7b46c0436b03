"""How a question is planned without a model, and when the search goes on."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meme.read.plan_by_rule import plan_by_rule
from meme.read.reflect_by_rule import reflect_by_rule
from meme.read.shapes import Evidence, PlanPayload, PlanReply, ReflectPayload
from meme.records import Plan

NOW = datetime(2023, 6, 9, 12, tzinfo=UTC)


def plan(question: str) -> PlanReply:
    return plan_by_rule(PlanPayload(question, NOW, "Alice", ("Alice", "Bob", "Zoë")))


def test_the_question_itself_is_the_first_query_and_one_reduced_query_follows() -> None:
    assert plan("Where does Bob live?").queries == ["Where does Bob live?", "Bob live"]


def test_content_words_are_keywords_and_persons_are_not() -> None:
    reply = plan("Which violin did Bob buy in Cremona?")
    assert reply.keywords == ["violin", "buy", "cremona"]
    assert reply.persons == ["Bob"]
    assert reply.entities == ["Cremona"]


def test_quoted_titles_are_entities() -> None:
    assert "The Hobbit" in plan('Who recommended "The Hobbit" to Bob?').entities


@pytest.mark.parametrize(
    ("question", "persons"), [("Does ZOE swim?", ["Zoë"]), ("Where do I work?", ["Alice"])]
)
def test_known_names_are_found_in_any_spelling_and_i_is_the_user(question: str, persons: list[str]) -> None:
    assert plan(question).persons == persons


@pytest.mark.parametrize(
    ("question", "since", "until"),
    [
        ("What did Bob do in May 2023?", date(2023, 5, 1), date(2023, 5, 31)),
        ("What did Bob do yesterday?", date(2023, 6, 8), date(2023, 6, 8)),
        ("What did Bob do last week?", date(2023, 5, 29), date(2023, 6, 4)),
        ("What did Bob do in 2022?", date(2022, 1, 1), date(2022, 12, 31)),
    ],
)
def test_a_time_in_the_question_becomes_a_range(question: str, since: date, until: date) -> None:
    time = plan(question).time
    assert time is not None
    assert (time.since, time.until) == (since, until)


def test_a_question_without_a_time_has_no_range() -> None:
    assert plan("Where does Bob live?").time is None


@pytest.mark.parametrize(
    ("question", "needs"),
    [
        ("When did Bob move?", ["date"]),
        ("Where is Bob?", ["place"]),
        ("Who called?", ["person"]),
        ("How many cats has Bob?", ["number"]),
        ("How often does Bob swim?", ["frequency"]),
        ("How long has Bob been ill?", ["duration"]),
        ("Why did Bob leave?", ["reason"]),
    ],
)
def test_the_plan_says_what_an_answer_has_to_contain(question: str, needs: list[str]) -> None:
    assert plan(question).needs == needs


@given(st.text(max_size=120))
def test_any_text_can_be_planned_for(question: str) -> None:
    assert len(plan(question).queries) <= 2


def reflect(question: str, *texts: str, tried: tuple[str, ...] = ()) -> tuple[bool, list[str], list[str]]:
    made = plan(question)
    evidence = tuple(Evidence(f"m{i}", text, NOW, score=1 / i) for i, text in enumerate(texts, 1))
    record = Plan(question=question, queries=tuple(made.queries), persons=tuple(made.persons))
    reply = reflect_by_rule(ReflectPayload(record, evidence, tried))
    return reply.sufficient, reply.missing, reply.queries


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Where does Bob live?", "Bob moved to Lyon on 3 May 2024."),
        ("How long has Alice played the violin?", "Alice has played the violin for three years."),
        ("Does Alice like tea?", "Alice prefers tea over coffee."),
        ("Which port does the staging gateway use?", "The staging gateway uses port 8443."),
    ],
)
def test_evidence_about_the_person_with_the_asked_value_is_enough(question: str, text: str) -> None:
    assert reflect(question, text) == (True, [], [])


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Where does Bob live?", "Alice lives in Lyon."),
        ("How long has Alice played the violin?", "Alice plays the violin."),
        ("Does Alice like tea?", "Alice plays tennis."),
    ],
)
def test_what_is_missing_is_said_and_looked_for_with_at_most_two_new_queries(
    question: str, text: str
) -> None:
    sufficient, missing, queries = reflect(question, text)
    assert not sufficient
    assert missing
    assert 1 <= len(queries) <= 2
    assert question not in queries


def test_names_in_the_evidence_lead_to_a_second_hop() -> None:
    assert any("Acme" in query for query in reflect("Where is Bob's office?", "Bob works for Acme.")[2])


def test_asking_on_with_the_new_queries_comes_to_an_end() -> None:
    tried: tuple[str, ...] = ()
    for _ in range(12):
        queries = reflect("Where does Bob live?", "Alice lives in Lyon.", tried=tried)[2]
        assert not set(queries) & set(tried)
        if not queries:
            break
        tried += tuple(queries)
    else:
        pytest.fail("the rules never ran out of queries")


@given(st.text(max_size=60), st.lists(st.text(max_size=60), max_size=3))
def test_any_question_and_evidence_can_be_judged(question: str, texts: list[str]) -> None:
    sufficient, _, queries = reflect(question, *texts)
    assert len(queries) <= 2
    assert not (sufficient and queries)

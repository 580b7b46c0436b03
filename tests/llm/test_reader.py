"""Reading replies: every shape models have been seen to answer in, and every shape that must be refused."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from meme.errors import ReplyError, TruncatedError
from meme.llm import Reply
from meme.llm.reader import json_values, read
from meme.write.shapes import ExtractReply, ReconcileReply


def texts(raw: str, finish: str = "stop") -> list[str]:
    return [entry.text for entry in read(Reply(raw, finish, model="m1"), ExtractReply).entries]


GOOD = '{"entries":[{"text":"Ravi booked a train to Porto for 3 June 2025."}]}'
RAVI = ["Ravi booked a train to Porto for 3 June 2025."]

READ = {
    "bare JSON": GOOD,
    "JSON in a fence": f"```json\n{GOOD}\n```",
    "JSON in a fence without a language": f"```\n{GOOD}\n```",
    "prose with braces around a fence (O01 A)": "Sure! Here is what I noted {about travel plans}:\n```json\n"
    f"{GOOD}\n```\nLet me know if you want {{more detail}}.",
    "an opening brace that nobody closes": f"I noted {{ this: {GOOD}",
    "a closing brace too many": f"{GOOD}}}",
    "brackets in prose that are JSON themselves": f"Turns [] and [1, 2] and {{}} gave: {GOOD}",
    "an object of something else first": f'{{"note": "two turns seen"}} {GOOD}',
    "Windows line ends and a byte order mark": f"\ufeff\r\n{GOOD}\r\n",
    "a think tag with a draft in it": f'<think>maybe {{"entries":[{{"text":"draft"}}]}}</think>{GOOD}',
    "think tags in capitals": f"<THINK>hm { {} }</THINK> {GOOD}",
    "thinking and reasoning tags": f"<thinking>a</thinking><reasoning>[{{</reasoning>{GOOD}",
    "thinking whose opening tag was in the prompt": f'so {{"entries":[]}} it is</think>\n{GOOD}',
    "a think tag that nobody closes": f"<think>{GOOD}",
    "a root array of entries": '[{"text":"Ravi booked a train to Porto for 3 June 2025."}]',
    "the object in an array": f"[{GOOD}]",
    "two values, the first broken": f'{{"entries":[{{"text": oops}}]}} then {GOOD}',
    "two valid values": f'{GOOD} {{"entries":[{{"text":"second"}}]}}',
    "a key nobody asked for": f'{{"thoughts":"...","entries":{json.dumps([{"text": RAVI[0]}])}}}',
    "reasoning with prose braces (O02 a)": f"The set {{a, b}} matters. {GOOD}",
}


@pytest.mark.parametrize("raw", READ.values(), ids=READ.keys())
def test_a_usable_reply_is_read(raw: str) -> None:
    assert texts(raw) == RAVI


REFUSED = {
    "nothing at all (O02 d)": "",
    "white space": " \n\t ",
    "prose (O05)": "I could not find anything worth remembering.",
    "quotes of Python": "{'entries': [{'text': 'x'}]}",
    "a bracket missing": '{"entries":[{"text":"x"}',
    "a comma too many": '{"entries":[{"text":"x",}]}',
    "comments": '{"entries":[/* one */{"text":"x"}]}',
    "a bare string": '"entries"',
    "a number": "42",
    "null": "null",
    "an entry without a text": '{"entries":[{"keywords":["tea"]}]}',
    "an entry with a blank text": '{"entries":[{"text":""}]}',
    "a wrong type": '{"entries":"none"}',
    "an error in place of an answer": '{"error":{"message":"overloaded"}}',
    "only thinking": "<think>hm, nothing {here}</think>",
    "a number that Python refuses to convert": '{"entries":[{"text":"x","importance":' + "1" * 5000 + "}]}",
}


@pytest.mark.parametrize("raw", REFUSED.values(), ids=REFUSED.keys())
def test_an_unusable_reply_is_refused_and_never_repaired(raw: str) -> None:
    with pytest.raises(ReplyError, match="m1"):
        texts(raw)


def test_a_refusal_names_the_model_the_finish_reason_and_the_field_that_is_wrong() -> None:
    with pytest.raises(ReplyError) as caught:
        texts('{"entries":[{"importance":0.5}]}', finish="content_filter")
    said = str(caught.value)
    assert "m1" in said
    assert "content_filter" in said
    assert "entries.0.text" in said


@pytest.mark.parametrize("raw", [GOOD, '{"entries":[{"text":"Omar\'s studio is on Quay St', ""])
def test_a_reply_cut_at_the_output_limit_is_refused_before_it_is_parsed(raw: str) -> None:
    with pytest.raises(TruncatedError):
        texts(raw, finish="length")


def test_a_truncated_reply_is_told_from_an_unusable_one() -> None:
    assert not issubclass(TruncatedError, ReplyError)


def test_an_empty_list_is_an_answer_but_loses_to_one_with_entries() -> None:
    assert texts('{"entries":[]}') == []
    assert texts("[]") == []
    assert texts(f"[] ... {GOOD}") == RAVI


def test_the_first_of_two_valid_objects_wins() -> None:
    assert texts('{"entries":[{"text":"first"}]}{"entries":[{"text":"second"}]}') == ["first"]


def test_tags_inside_a_string_are_what_somebody_said() -> None:
    said = "Ana wrote <think>hm</think> and </think> in her prompt"
    assert texts(json.dumps({"entries": [{"text": said}]})) == [said]


def test_half_an_emoji_does_not_cost_the_reply() -> None:
    assert texts('{"entries":[{"text":"half \\ud83d of it"},{"text":"whole \\ud83d\\ude00"}]}') == [
        "half ? of it",
        "whole 😀",
    ]


def test_integers_for_ids_and_lower_case_verbs_pass() -> None:
    reply = read(Reply('[{"new":1,"op":"add"}]'), ReconcileReply)
    assert reply.decisions == [{"new": 1, "op": "add"}]


class AllOptional(BaseModel):
    """A shape like the plan's: every field may be left out."""

    intent: str = "other"
    queries: list[str] = []


def test_an_object_of_something_else_is_not_an_answer_of_defaults() -> None:
    with pytest.raises(ReplyError):
        read(Reply('{"error":"overloaded"}'), AllOptional)
    assert read(Reply("{}"), AllOptional) == AllOptional()
    assert read(Reply('{"a":1} {} {"intent":"when"}'), AllOptional).intent == "when"


JUNK = {
    "open brackets": "[" * 300_000,
    "open braces with keys": '{"a":' * 100_000,
    "think tags that nobody closes": "<think>" * 50_000,
    "closing tags": "</think>" * 50_000,
    "pairs of braces": "{}" * 200_000,
    "strings that nobody closes": '["' * 100_000,
    "a megabyte of prose": "no braces here, only words. " * 40_000,
}


@pytest.mark.parametrize("raw", JUNK.values(), ids=JUNK.keys())
def test_huge_junk_is_refused_at_once(raw: str) -> None:
    started = time.process_time()
    with pytest.raises(ReplyError) as caught:
        texts(raw)
    assert time.process_time() - started < 2.0, "reading has to be linear in the length of the reply"
    assert len(str(caught.value)) < 400


class Word(BaseModel):
    word: str = Field(min_length=1)


any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@given(before=any_text, after=any_text, word=any_text.filter(bool))
def test_a_valid_reply_in_any_prose_is_found(before: str, after: str, word: str) -> None:
    raw = f"{before}\n{json.dumps({'word': word}, ensure_ascii=False)}\n{after}"
    if "</" in before or "<" in before:
        return  # tags have tests of their own
    assert read(Reply(raw), Word).word == word


any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | any_text,
    lambda inner: st.lists(inner) | st.dictionaries(any_text, inner),
    max_leaves=12,
)


@given(st.lists(any_json) | st.dictionaries(any_text, any_json))
def test_every_json_value_with_a_bracket_is_seen_whole(value: object) -> None:
    assert list(json_values(f"so: {json.dumps(value)} .")) == [value]


@given(any_text)
def test_reading_any_text_gives_a_value_or_a_reply_error(raw: str) -> None:
    try:
        read(Reply(raw), Word)
    except ReplyError:
        return
    assert "word" in raw


DRAFT = '{"entries":[{"text":"Eve is owed 5000."}]}'


@pytest.mark.parametrize(
    "raw",
    [
        f"<think>maybe {DRAFT} no, wrong",
        f"<|channel|>analysis<|message|>{DRAFT}<|end|><|channel|>final<|message|>I cannot say.",
    ],
)
def test_a_draft_in_thinking_is_no_answer(raw: str) -> None:
    with pytest.raises(ReplyError):
        texts(raw)


def test_the_final_channel_is_the_answer() -> None:
    raw = f"<|channel|>analysis<|message|>{DRAFT}<|end|><|channel|>final<|message|>{GOOD}"
    assert texts(raw) == RAVI

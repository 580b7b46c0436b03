"""Datasets as they are loaded. Nothing of LoCoMo is kept here: tests on its file read it where it lies."""

import copy
import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from meme import Config, EmbeddingConfig, Meme, UsageError
from meme_bench.cases import Dataset, Question, Talk
from meme_bench.sources import catalogue, load, locomo, sample

ROOT = Path(__file__).parent.parent.parent
LOCOMO = ROOT.parent / "shared" / "data" / "locomo10.json"
AUDIT = ROOT.parent / "shared" / "data" / "locomo10_errors.json"
LONGMEMEVAL = Path(__file__).parent / "longmemeval_sample.json"
SECRET = "c4nary"

on_locomo = pytest.mark.skipif(not LOCOMO.exists(), reason="LoCoMo is not at hand (see datasets/README.md)")


def tiny() -> dict[str, Any]:
    """One conversation in LoCoMo's format, to be broken."""
    return {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ana",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ana", "dia_id": "D1:1", "text": "I moved to Porto."},
                {"speaker": "Ben", "dia_id": "D1:2", "text": "Nice!"},
            ],
        },
        "qa": [{"question": "Where does Ana live?", "answer": "Porto", "evidence": ["D1:1"], "category": 4}],
        "observation": {"session_1_observation": {"Ana": [["Ana moved to Porto.", "D1:1"]]}},
    }


def loaded(folder: Path, *items: object) -> Dataset:
    path = folder / "set.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    return load(path)


def only(dataset: Dataset) -> tuple[Talk, Question]:
    (case,) = dataset.cases
    (question,) = case.questions
    return case.talk, question


def all_of(dataset: Dataset) -> list[Question]:
    return [question for case in dataset.cases for question in case.questions]


# The file


def test_a_dataset_has_the_checksum_of_its_file_and_the_name_given_or_that_of_the_file(
    tmp_path: Path,
) -> None:
    dataset = loaded(tmp_path, tiny())
    assert dataset.sha256 == hashlib.sha256((tmp_path / "set.json").read_bytes()).hexdigest()
    assert (dataset.name, dataset.problems) == ("set", ())
    assert load(tmp_path / "set.json", name="mine").name == "mine"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "cannot be read"),
        (b"", "is not JSON"),
        (b"\xff\xfe\x00", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"{}", "LoCoMo is a JSON list"),
        (b"[]", "LoCoMo is a JSON list"),
        (b'["a", 1, null]', "LoCoMo is a JSON list"),
        (b'[{"question_id": "locomo_0_qa1", "question": "?"}]', "LoCoMo is a JSON list"),
        (b'[{"conversation": {}, "qa": []}]', "no question that can be asked. conversation 0: `sample_id`"),
        (b'[{"sample_id": "a", "conversation": {}, "qa": []}]', "a: nothing is said in it"),
    ],
)
def test_a_file_that_is_no_dataset_is_a_usage_error_that_says_why(
    content: bytes | None, says: str, tmp_path: Path
) -> None:
    path = tmp_path / "file.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=r"file\.json") as caught:
        load(path)
    assert says in str(caught.value)


# LoCoMo's format


def broken(*keys: str | int, to: object = ...) -> dict[str, Any]:
    """The tiny conversation with one value replaced, or gone."""
    item = copy.deepcopy(tiny())
    place: Any = item
    for key in keys[:-1]:
        place = place[key]
    if to is ...:
        del place[keys[-1]]
    else:
        place[keys[-1]] = to
    return item


TURNS = ("conversation", "session_1")


@pytest.mark.parametrize(
    ("item", "problem"),
    [
        (broken(*TURNS, 1, "text"), "conv-1 session_1[1]: `text`: Field required; left out"),
        (
            broken(*TURNS, 1, "speaker", to=3),
            "conv-1 session_1[1]: `speaker`: Input should be a valid string",
        ),
        (broken(*TURNS, 1, to="Nice!"), "conv-1 session_1[1]: not an object; left out"),
        (broken(*TURNS, 1, "dia_id", to="D1:1"), "conv-1 session_1[1]: `dia_id` 'D1:1' is taken; left out"),
        (broken(*TURNS, 1, "text", to=" "), "conv-1 session_1[1]: nothing is said; left out"),
        (broken("conversation", "session_2", to=[]), "conv-1 session_2: `session_2_date_time` is missing"),
        (broken("conversation", "session_2", to="x"), "conv-1 session_2: not a list of turns; left out"),
        (broken("observation", "session_9_observation", to={}), "conv-1 session_9_observation: no facts by"),
        (broken("observation", "session_1_observation", "Ben", to=["x"]), "Ben[0]: not a pair of a fact and"),
        (
            broken("observation", "session_1_observation", "Ben", to=[["x", 1]]),
            "Ben[0]: not a pair of a fact",
        ),
        (broken("qa", 0, "evidence", to=["D1:1", "D7:7"]), "locomo_0_qa0: evidence 'D7:7' matches no turn"),
        (
            broken("qa", 0, "evidence", to=["D1:1, D7:7"]),
            "evidence 'D1:1, D7:7' holds 2 ids; split, without 'D7:7', which match no turn",
        ),
    ],
)
def test_a_broken_part_is_named_and_the_rest_is_kept(
    item: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    dataset = loaded(tmp_path, item)
    assert len(dataset.problems) == 1
    assert problem in dataset.problems[0]
    talk, question = only(dataset)
    assert talk.turns[0].text == "I moved to Porto."
    assert (question.gold, question.evidence) == ("Porto", ("D1:1",))
    assert talk.facts[0].sources == ("D1:1",)


@pytest.mark.parametrize(
    ("item", "problem"),
    [
        (broken("qa", 0, "question"), "locomo_1_qa0: `question`: Field required; left out"),
        (broken("qa", 0, "answer"), "locomo_1_qa0: `answer` is missing; left out"),
        (broken("qa", 0, "answer", to=None), "locomo_1_qa0: `answer` is missing; left out"),
        (broken("qa", 0, "category", to=6), "locomo_1_qa0: `category`: Input should be 1, 2, 3, 4 or 5"),
        (broken("qa", 0, to=None), "locomo_1_qa0: not an object; left out"),
        (broken("qa", to={}), "conversation 1: `qa`: Input should be a valid list; left out"),
        (broken("sample_id", to="conv-1"), "conversation 1: `sample_id` 'conv-1' is taken; left out"),
        (None, "conversation 1: not an object; left out"),
    ],
)
def test_a_question_or_conversation_that_cannot_be_used_is_named(
    item: dict[str, Any] | None, problem: str, tmp_path: Path
) -> None:
    if item is not None and "taken" not in problem:
        item["sample_id"] = "conv-2"
    dataset = loaded(tmp_path, tiny(), item)
    assert len(all_of(dataset)) == 1
    assert len(dataset.problems) == 1
    assert problem in dataset.problems[0]


def test_a_question_keeps_its_number_when_the_one_before_is_left_out(tmp_path: Path) -> None:
    item = tiny()
    item["qa"].insert(0, {"question": "?"})
    assert only(loaded(tmp_path, item))[1].asked.id == "locomo_0_qa1"


def test_several_ids_in_one_string_are_split_and_each_turn_counts_once(tmp_path: Path) -> None:
    for text in ("D1:1; D1:2", "D1:1 D1:2", "D1:1, D1:2", "D1:1,D1:2"):
        dataset = loaded(tmp_path, broken("qa", 0, "evidence", to=[text, "D1:2"]))
        assert only(dataset)[1].evidence == ("D1:1", "D1:2")
        assert dataset.problems == (f"locomo_0_qa0: evidence {text!r} holds 2 ids; split",)


def test_a_fact_may_rest_on_several_turns_listed_or_in_one_string(tmp_path: Path) -> None:
    listed: list[object] = [["a", "D1:2"], ["b", ["D1:1", "D1:2"]], ["c", "D1:1, D1:2"]]
    talk, _ = only(loaded(tmp_path, broken("observation", "session_1_observation", "Ben", to=listed)))
    told = [(fact.text, fact.speaker, fact.session, fact.said_at, fact.sources) for fact in talk.facts[1:]]
    when = "1:56 pm on 8 May, 2023"
    assert told == [
        ("a", "Ben", "session_1", when, ("D1:2",)),
        ("b", "Ben", "session_1", when, ("D1:1", "D1:2")),
        ("c", "Ben", "session_1", when, ("D1:1", "D1:2")),
    ]


def test_sessions_are_in_the_order_of_their_numbers_and_dates_without_one_are_named(tmp_path: Path) -> None:
    item = tiny()
    item["conversation"] = {
        f"session_{number}{end}": value
        for number in (10, 2)
        for end, value in (
            ("", [{"speaker": "Ana", "dia_id": f"D{number}:1", "text": "Hi!"}]),
            ("_date_time", f"9:00 am on {number} May, 2023"),
        )
    } | {"session_11_date_time": "x", "session_12_date_time": "y"}
    item["observation"], item["qa"][0]["evidence"] = {}, []
    dataset = loaded(tmp_path, item)
    turns = only(dataset)[0].turns
    assert [(turn.id, turn.said_at) for turn in turns] == [
        ("D2:1", "9:00 am on 2 May, 2023"),
        ("D10:1", "9:00 am on 10 May, 2023"),
    ]
    assert dataset.problems == (
        "conv-1: 2 dates have no session (session_11_date_time to session_12_date_time); not used",
    )


def test_a_number_as_an_answer_becomes_text(tmp_path: Path) -> None:
    for answer, gold in ((2022, "2022"), (0, "0"), (1.5, "1.5")):
        assert only(loaded(tmp_path, broken("qa", 0, "answer", to=answer)))[1].gold == gold


def adversarial(**fields: object) -> dict[str, Any]:
    question = {"question": "Where does Ben live?", "evidence": [], "category": 5, **fields}
    return broken("qa", 0, to=question)


def test_an_adversarial_question_has_a_bait_and_an_answer_only_where_the_file_gives_one(
    tmp_path: Path,
) -> None:
    _, question = only(loaded(tmp_path, adversarial(adversarial_answer="Porto")))
    assert (question.gold, question.bait, question.category) == (None, "Porto", "5")
    _, question = only(loaded(tmp_path, adversarial(adversarial_answer="Yes", answer="No")))
    assert (question.gold, question.bait) == ("No", "Yes")
    dataset = loaded(tmp_path, adversarial())
    assert only(dataset)[1].bait is None
    assert dataset.problems == ("locomo_0_qa0: `adversarial_answer` is missing; asked without a bait",)


def test_an_image_gives_its_caption_and_needs_no_text(tmp_path: Path) -> None:
    turn = {
        "speaker": "Ben",
        "dia_id": "D1:2",
        "text": "",
        "blip_caption": "a photo of a dog",
        "query": "dog",
    }
    dataset = loaded(tmp_path, broken(*TURNS, 1, to=turn))
    assert only(dataset)[0].turns[1].captions == ("a photo of a dog",)
    assert dataset.problems == ()


def test_what_is_for_scorers_and_annotators_never_reaches_what_a_system_gets(tmp_path: Path) -> None:
    item = tiny()
    item["conversation"]["session_1"][0] |= {"query": SECRET, "img_url": [SECRET], "blip_caption": "a house"}
    item["qa"] = [
        {"question": "?", "answer": SECRET, "evidence": [SECRET], "category": 1},
        {"question": "?", "adversarial_answer": SECRET, "evidence": [], "category": 5, "answer": SECRET},
    ]
    item |= {"event_summary": SECRET, "session_summary": SECRET}
    dataset = loaded(tmp_path, item)
    (case,) = dataset.cases
    assert SECRET in repr(case.questions), "the canary sings for scorers"
    assert SECRET not in repr(case.talk)
    assert SECRET not in repr([question.asked for question in case.questions])


# LongMemEval's format, on a file made by hand from its documentation


def test_a_history_is_in_the_order_of_its_dates_and_its_evidence_are_the_marked_turns() -> None:
    case = load(LONGMEMEVAL).cases[0]
    assert [(turn.id, turn.session, turn.speaker, turn.role, turn.said_at) for turn in case.talk.turns] == [
        ("s1:1", "s1", "user", "user", "2024-04-02T07:40"),
        ("s1:2", "s1", "assistant", "assistant", "2024-04-02T07:40"),
        ("s2:1", "s2", "user", "user", "2024-05-11T09:15"),
        ("s2:2", "s2", "assistant", "assistant", "2024-05-11T09:15"),
    ]
    (question,) = case.questions
    assert question.asked.at == "2024-05-20T18:30"
    assert (question.category, question.gold, question.bait) == ("multi-session", "5", None)
    assert question.evidence == ("s1:1", "s2:1")


def test_a_question_without_an_answer_has_neither_gold_nor_evidence() -> None:
    (question,) = load(LONGMEMEVAL).cases[1].questions
    assert (question.gold, question.bait, question.evidence) == (None, None, ())
    assert question.category == "multi-session"


def test_evidence_may_be_what_the_assistant_said_and_a_session_may_occur_twice() -> None:
    dataset = load(LONGMEMEVAL)
    talk, (question,) = dataset.cases[2].talk, dataset.cases[2].questions
    assert question.evidence == ("s2:2",)
    assert Counter(turn.session for turn in talk.turns) == {"s1": 2, "s2": 4, "s3": 2}
    assert len({turn.id for turn in talk.turns}) == len(talk.turns)
    assert dataset.problems == (
        "question 2 (9d3e77c0) filler_71_1: the history holds the session again; kept, as published",
    )


def test_no_name_a_system_gets_tells_where_the_answer_is_or_that_there_is_none() -> None:
    for case in load(LONGMEMEVAL).cases:
        names = repr([case.talk.id, *((turn.id, turn.session) for turn in case.talk.turns)])
        asked = repr([question.asked for question in case.questions])
        for sign in ("answer_", "_abs", "has_answer", "multi-session"):
            assert sign not in names + asked


def remembered() -> dict[str, Any]:
    """The first of the hand-made questions, to be broken."""
    item: dict[str, Any] = json.loads(LONGMEMEVAL.read_text(encoding="utf-8"))[0]
    return item


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"question_date": "tomorrow"}, "`question_date` 'tomorrow' is no date; asked without one"),
        ({"haystack_dates": ["2024/13/01 (Mon) 10:00", "2024/04/02 (Tue) 07:40"]}, "the session is left out"),
        ({"answer_session_ids": ["answer_5f0c1a2b_1", "x"]}, "evidence session 'x' is not in the history"),
        (
            {"haystack_sessions": [[{"role": "user", "content": 1}], [{"role": "user", "content": "x"}]]},
            "`content`",
        ),
    ],
)
def test_a_broken_part_of_a_history_is_named_and_the_rest_is_kept(
    changed: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    dataset = loaded(tmp_path, remembered() | changed)
    assert any(problem in one for one in dataset.problems)
    assert all(one.startswith("question 0 (5f0c1a2b)") for one in dataset.problems)
    assert only(dataset)[1].gold == "5"


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"answer": None}, "question 1: `answer"),
        ({"haystack_dates": []}, "question 1 (x): sessions, their ids and their dates differ in number"),
        ({"question_id": "5f0c1a2b"}, "question 1 (5f0c1a2b): `question_id` is taken; left out"),
        ({"haystack_sessions": [[], []]}, "question 1 (x): its history is empty; left out"),
    ],
)
def test_a_history_that_cannot_be_used_is_named(
    changed: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    dataset = loaded(tmp_path, remembered(), remembered() | {"question_id": "x"} | changed)
    assert len(dataset.cases) == 1
    assert any(one.startswith(problem) for one in dataset.problems)


def test_a_question_with_no_marked_turn_is_kept_and_named(tmp_path: Path) -> None:
    item = json.loads(json.dumps(remembered()).replace("true", "false"))
    dataset = loaded(tmp_path, item)
    assert only(dataset)[1].evidence == ()
    assert "no turn is marked as evidence" in dataset.problems[0]


# Dates as they reach meme


def dates_of(dataset: Dataset) -> list[str]:
    return sorted({turn.said_at for case in dataset.cases for turn in case.talk.turns})


def read_by_meme(dates: list[str]) -> list[str]:
    turns = [{"speaker": "Ana", "text": f"Turn {n}.", "timestamp": date} for n, date in enumerate(dates)]
    with Meme(user_id="ana", config=Config(embedding=EmbeddingConfig(provider="hashing"))) as memory:
        added = memory.add_turns(turns, infer=False).added
    return [entry.said_at.isoformat() for entry in added]


def test_meme_reads_the_dates_of_every_format(tmp_path: Path) -> None:
    locomo_date, longmemeval_date = dates_of(loaded(tmp_path, tiny())), dates_of(load(LONGMEMEVAL))[:1]
    assert read_by_meme(locomo_date + longmemeval_date) == [
        "2023-05-08T13:56:00+00:00",
        "2024-04-02T07:40:00+00:00",
    ]


# The published file


@pytest.fixture(scope="module")
def published() -> Dataset:
    return load(LOCOMO)


@on_locomo
def test_locomo_is_the_file_that_the_catalogue_knows(published: Dataset) -> None:
    known = catalogue.known(published.sha256)
    assert known is not None
    assert (known.name, known.questions) == (published.name, len(all_of(published)))


@on_locomo
def test_locomo_has_its_published_counts(published: Dataset) -> None:
    assert Counter(question.category for question in all_of(published)) == {
        "1": 282,
        "2": 321,
        "3": 96,
        "4": 841,
        "5": 446,
    }
    turns = [turn for case in published.cases for turn in case.talk.turns]
    facts = [fact for case in published.cases for fact in case.talk.facts]
    assert (len(published.cases), len(turns), len(facts)) == (10, 5882, 2541)
    assert sum(len(turn.captions) for turn in turns) == 1226
    assert len({(case.talk.id, turn.session) for case in published.cases for turn in case.talk.turns}) == 272


@on_locomo
def test_locomo_problems_are_the_nine_evidence_strings_five_sources_and_the_dates(published: Dataset) -> None:
    evidence = [one for one in published.problems if ": evidence " in one]
    assert Counter("split" in one for one in evidence) == {True: 4, False: 5}
    assert sum(": source " in one and "split" in one for one in published.problems) == 5
    (dates,) = (
        set(published.problems) - set(evidence) - {one for one in published.problems if ": source " in one}
    )
    assert dates.startswith("conv-26: 16 dates have no session")


@on_locomo
def test_locomo_evidence_and_sources_are_turns_of_the_conversation(published: Dataset) -> None:
    for case in published.cases:
        turns = {turn.id for turn in case.talk.turns}
        assert {one for question in case.questions for one in question.evidence} <= turns
        assert all(fact.sources and set(fact.sources) <= turns for fact in case.talk.facts)
    without = Counter(question.category for question in all_of(published) if not question.evidence)
    assert without == {"3": 4, "2": 1}  # four come without, one names a turn that does not exist


@on_locomo
def test_locomo_answers_are_texts_and_adversarial_ones_have_a_bait(published: Dataset) -> None:
    for question in all_of(published):
        adversarial = question.category == "5"
        assert (question.bait is not None) == adversarial
        assert adversarial or isinstance(question.gold, str)
    answered = [one for one in all_of(published) if one.category == "5" and one.gold is not None]
    assert [(one.gold, one.bait) for one in answered] == [("No", "Yes")] * 2


@on_locomo
def test_locomo_has_six_answers_that_are_numbers(published: Dataset) -> None:
    raw = json.loads(LOCOMO.read_text(encoding="utf-8"))
    numbered = {
        f"locomo_{number}_qa{place}": str(question["answer"])
        for number, item in enumerate(raw)
        for place, question in enumerate(item["qa"])
        if isinstance(question.get("answer"), int)
    }
    assert len(numbered) == 6
    assert {one.asked.id: one.gold for one in all_of(published) if one.asked.id in numbered} == numbered


@on_locomo
def test_locomo_annotators_strings_are_nowhere_in_what_a_system_gets(published: Dataset) -> None:
    """Where a string also occurs in what was said or captioned, its presence would prove nothing."""
    checked = 0
    for case, item in zip(published.cases, json.loads(LOCOMO.read_text(encoding="utf-8")), strict=True):
        given = repr(case.talk)
        for listed in (value for value in item["conversation"].values() if isinstance(value, list)):
            for turn in listed:
                fair = " ".join([turn["text"], turn.get("blip_caption", "")])
                query = turn.get("query", "")
                if len(query.split()) > 2 and query not in fair:
                    checked += 1
                    assert f"{query!r}" not in given
    assert checked > 100


@on_locomo
@pytest.mark.skipif(not AUDIT.exists(), reason="the audit of LoCoMo's answers is not at hand")
def test_locomo_question_ids_are_those_of_the_audit(published: Dataset) -> None:
    texts = {question.asked.id: question.asked.text for question in all_of(published)}
    audited = json.loads(AUDIT.read_text(encoding="utf-8"))
    assert len(audited) > 100
    for error in audited:
        assert texts[error["question_id"]] == error["question"]


@on_locomo
def test_meme_reads_every_date_of_locomo(published: Dataset) -> None:
    dates = dates_of(published)
    assert len(read_by_meme(dates)) == len(dates) > 200


def test_the_categories_of_locomo_are_named_by_number(tmp_path: Path) -> None:
    assert loaded(tmp_path, tiny()).categories == locomo.CATEGORIES
    assert [*locomo.CATEGORIES.values()] == [
        "multi-hop",
        "temporal",
        "open-domain",
        "single-hop",
        "adversarial",
    ]


def test_the_catalogue_tells_a_file_by_its_checksum_alone() -> None:
    assert catalogue.known("") is None
    assert catalogue.known(hashlib.sha256(b"").hexdigest()) is None
    assert catalogue.known(hashlib.sha256(sample.content()).hexdigest()) is not None
    names = [one.name for one in catalogue.KNOWN]
    assert len(set(names)) == len(names)

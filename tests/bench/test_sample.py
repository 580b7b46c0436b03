"""The packaged sample: whole, clean, and with a question of every kind."""

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest

from meme import UsageError
from meme_bench.cases import Dataset
from meme_bench.sources import catalogue, load, sample

# What the published file has; `re-download` of a few turns is a note of its makers.
ITEM = {"qa", "conversation", "event_summary", "observation", "session_summary", "sample_id"}
TURN = {"speaker", "dia_id", "text"}
IMAGE = {"img_url", "blip_caption", "query"}


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "sample_bench.json"
    sample.write(path)
    return path


@pytest.fixture
def dataset(written: Path) -> Dataset:
    return load(written)


def test_the_sample_loads_without_a_problem_and_is_the_file_the_catalogue_knows(dataset: Dataset) -> None:
    known = catalogue.known(dataset.sha256)
    assert dataset.problems == ()
    assert known is not None
    assert known.name == "sample"
    assert known.questions == sum(len(case.questions) for case in dataset.cases)


def test_the_sample_asks_in_every_category(dataset: Dataset) -> None:
    questions = [question for case in dataset.cases for question in case.questions]
    assert Counter(one.category for one in questions) == {"1": 4, "2": 5, "3": 2, "4": 6, "5": 5}
    assert all(one.evidence for one in questions)
    adversarial = [one for one in questions if one.category == "5"]
    assert all(one.bait for one in adversarial)
    assert Counter(one.gold for one in adversarial) == {None: 4, "No": 1}
    assert "7" in {one.gold for one in questions}, "the number is a number in the file"


def test_the_sample_has_sessions_images_and_facts(dataset: Dataset) -> None:
    for case, sessions in zip(dataset.cases, (4, 3), strict=True):
        assert len({turn.session for turn in case.talk.turns}) == sessions
        assert any(turn.captions for turn in case.talk.turns)
        assert any(len(fact.sources) > 1 for fact in case.talk.facts)
        assert all(fact.sources for fact in case.talk.facts)
        assert {fact.session for fact in case.talk.facts} == {turn.session for turn in case.talk.turns}


def test_the_sample_is_in_the_exact_format_of_the_published_file(written: Path) -> None:
    for item in json.loads(written.read_text(encoding="utf-8")):
        assert set(item) == ITEM
        assert {"speaker_a", "speaker_b"} < set(item["conversation"])
        for session, listed in item["conversation"].items():
            if isinstance(listed, list):
                number = session.removeprefix("session_")
                assert [turn["dia_id"] for turn in listed] == [
                    f"D{number}:{n + 1}" for n in range(len(listed))
                ]
                assert all(set(turn) in (TURN, TURN | IMAGE) for turn in listed)
        for question in item["qa"]:
            expected = {"question", "evidence", "category"}
            expected |= {"adversarial_answer"} if question["category"] == 5 else {"answer"}
            assert expected <= set(question) <= expected | {"answer"}


def test_the_search_strings_of_the_sample_are_nowhere_in_what_a_system_gets(
    dataset: Dataset, written: Path
) -> None:
    raw = json.loads(written.read_text(encoding="utf-8"))
    queries = [
        turn["query"]
        for item in raw
        for listed in item["conversation"].values()
        if isinstance(listed, list)
        for turn in listed
        if "query" in turn
    ]
    assert len(queries) == 6
    given = repr([case.talk for case in dataset.cases])
    assert not [query for query in queries if query in given]


def test_the_sample_is_written_as_packaged_and_never_over_another_file(written: Path, tmp_path: Path) -> None:
    assert written.read_bytes() == sample.content()
    assert hashlib.sha256(sample.content()).hexdigest() in {one.sha256 for one in catalogue.KNOWN}
    with pytest.raises(UsageError, match="exists"):
        sample.write(written)
    with pytest.raises(UsageError, match="cannot be written"):
        sample.write(tmp_path / "no" / "folder.json")

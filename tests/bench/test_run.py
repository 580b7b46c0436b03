"""Runs: what a file holds, what is kept from systems, and that a kill, a resumption and workers change nothing."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from meme import Config, EmbeddingConfig, LLMConfig, UsageError, __version__
from meme_bench.cases import Asked, Case, Dataset, Fact, Question, Talk, Turn
from meme_bench.records import Run, read
from meme_bench.run import Options, retrieve_all, run
from meme_bench.sources import load, sample
from tests.bench.constant_model import model

ROOT = Path(__file__).parent.parent.parent
HASHING = Config(embedding=EmbeddingConfig(provider="hashing"))
DAY = "1:56 pm on 8 May, 2023"
CANARY = "c4narybird"


def talk(number: int) -> Talk:
    said = ("I adopted a beagle called Rufus.", "I moved to Porto last week.", "I sold my old kayak.")
    turns = tuple(Turn(f"D1:{at}", "session_1", "Ana", text, DAY) for at, text in enumerate(said, 1))
    return Talk(f"conv-{number}", turns, (Fact("Ana lives in Porto.", "Ana", "session_1", DAY, ("D1:2",)),))


def case(number: int) -> Case:
    asked = [
        ("Where did Ana move to?", "4", "Porto", ("D1:2",), None),
        ("What did Ana sell?", "1", "a kayak", ("D1:3",), None),
        ("What is Ana's cat called?", "5", None, ("D1:1",), "Rufus"),
    ]
    questions = tuple(
        Question(Asked(f"c{number}_q{at}", text), category, gold, evidence, bait)
        for at, (text, category, gold, evidence, bait) in enumerate(asked)
    )
    return Case(talk(number), questions)


def dataset(conversations: int = 2) -> Dataset:
    names = {"1": "multi-hop", "4": "single-hop", "5": "adversarial"}
    return Dataset("tiny", "tiny.json", "ab12", tuple(case(one) for one in range(conversations)), names)


def options(system: str = "bm25", **more: Any) -> Options:
    return Options(system=system, config=HASHING, **more)


def timeless(path: Path) -> list[str]:
    """The lines of a run file without what differs from run to run: times; in an order of their own."""

    def cleared(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: cleared(one) for name, one in value.items() if name not in ("seconds", "started")}
        return [cleared(one) for one in value] if isinstance(value, list) else value

    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return sorted(json.dumps(cleared(line), sort_keys=True) for line in lines)


def test_a_run_file_begins_with_how_it_was_made(tmp_path: Path) -> None:
    path = run(dataset(), options("meme", k=7, seed=3, limit=4), tmp_path / "r.jsonl")
    header = read(path).header
    assert json.loads(path.read_text().splitlines()[0])["type"] == "run"
    assert (header.system, header.facts, header.k, header.seed) == ("meme", "extracted", 7, 3)
    assert (header.dataset, header.dataset_sha256, header.version) == ("tiny", "ab12", __version__)
    assert (header.model, header.embedder) == ("rules", "meme/hashing-384")
    assert header.config["pipeline"]["window_size"] == 40
    assert header.config["selected"] == {
        "conversations": [],
        "categories": [],
        "limit": 4,
        "answering": True,
    }
    assert header.prompts.keys() == {"answer", "extract", "plan", "reconcile", "reflect"}
    assert all(len(one) == 12 for one in header.prompts.values())
    assert header.categories["5"] == "adversarial"
    assert header.started.endswith("Z")


def test_a_key_is_not_written_down(tmp_path: Path) -> None:
    config = Config(llm=LLMConfig(api_key="sk-s3cret"), embedding=HASHING.embedding)
    path = run(dataset(1), Options(system="refuse", config=config), tmp_path / "r.jsonl")
    assert "s3cret" not in path.read_text()


def test_every_question_gets_a_record_with_what_scorers_need(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    done = read(run(dataset(), options(), tmp_path / "r.jsonl", progress=lambda *told: seen.append(told)))
    assert [(one.conversation, one.turns, one.stored) for one in done.built] == [
        ("conv-0", 3, 3),
        ("conv-1", 3, 3),
    ]
    assert [one.question for one in done.answers] == [f"c{c}_q{q}" for c in (0, 1) for q in (0, 1, 2)]
    last = done.answers[2]
    assert (last.category, last.gold, last.bait, last.evidence) == ("5", None, "Rufus", ("D1:1",))
    assert done.answers[1].hits[0] == ("D1:3",)
    assert (seen[0], seen[-1]) == ((0, 6), (6, 6))


@pytest.mark.parametrize(
    ("chosen", "asked"),
    [
        ({"conversations": ("conv-1",)}, ["c1_q0", "c1_q1", "c1_q2"]),
        ({"categories": ("5", "1")}, ["c0_q1", "c0_q2", "c1_q1", "c1_q2"]),
        ({"limit": 4}, ["c0_q0", "c0_q1", "c0_q2", "c1_q0"]),
        ({"limit": 1, "categories": ("5",)}, ["c0_q2"]),
    ],
)
def test_questions_are_chosen_by_conversation_category_and_number(
    tmp_path: Path, chosen: Any, asked: list[str]
) -> None:
    done = read(run(dataset(), options("refuse", **chosen), tmp_path / "r.jsonl"))
    assert [one.question for one in done.answers] == asked
    assert {one.conversation for one in done.built} == {one.conversation for one in done.answers}


@pytest.mark.parametrize(
    "wrong",
    [
        {"system": "nobody"},
        {"conversations": ("conv-9",)},
        {"categories": ("9",)},
        {"k": 0},
        {"limit": 0},
        {"workers": 0},
        {"model": "gpt-9"},
        {"system": "full-context"},
        {"system": "refuse", "facts": "turns"},
    ],
)
def test_options_that_cannot_be_carried_out_are_refused_before_anything_is_written(
    tmp_path: Path, wrong: Any
) -> None:
    with pytest.raises(UsageError):
        run(dataset(), replace(options(), **wrong), tmp_path / "r.jsonl")
    assert not list(tmp_path.iterdir())


def test_memories_go_when_the_run_is_done_unless_they_are_kept(tmp_path: Path) -> None:
    run(dataset(), options(), tmp_path / "gone.jsonl")
    run(dataset(), options(keep=True), tmp_path / "kept.jsonl")
    assert {path.name for path in tmp_path.iterdir()} == {"gone.jsonl", "kept.jsonl", "kept.jsonl.memories"}
    assert len(list((tmp_path / "kept.jsonl.memories").iterdir())) == 2


# ---------------------------------------------------------------- what systems do not see


def planted() -> Dataset:
    """The canary in all that is the scorers' alone."""

    def told(one: Question) -> Question:
        return replace(one, category=CANARY, gold=CANARY, bait=CANARY, evidence=(CANARY, *one.evidence))

    cases = [replace(one, questions=tuple(map(told, one.questions))) for one in dataset(1).cases]
    return replace(dataset(), cases=tuple(cases), categories={CANARY: CANARY})


@pytest.mark.parametrize(
    ("system", "facts"), [("meme", "extracted"), ("meme", "observations"), ("hybrid", None), ("refuse", None)]
)
def test_category_gold_evidence_and_bait_reach_no_store(tmp_path: Path, system: str, facts: Any) -> None:
    path = run(planted(), options(system, facts=facts, keep=True), tmp_path / "r.jsonl")
    told = read(path).answers
    assert all(CANARY in (one.gold or "") for one in told), "the canary was planted"
    stored = [file for file in (tmp_path / "r.jsonl.memories").rglob("*") if file.is_file()]
    assert stored or system == "refuse"
    assert not [file for file in stored if CANARY.encode() in file.read_bytes()]
    assert all(CANARY not in f"{one.answer}{one.reason}{one.hits}{one.cited}" for one in told)


def test_annotators_queries_reach_no_store(tmp_path: Path) -> None:
    file = tmp_path / "d.json"
    spoken = {"speaker": "Ana", "dia_id": "D1:1", "text": "Look!", "blip_caption": "a kayak", "query": CANARY}
    told = {"session_1_date_time": DAY, "session_1": [spoken]}
    asked = [{"question": "What did Ana show?", "answer": "a kayak", "evidence": ["D1:1"], "category": 4}]
    file.write_text(json.dumps([{"sample_id": "conv-1", "conversation": told, "qa": asked}]))
    run(load(file), options("meme", keep=True), tmp_path / "r.jsonl")
    stored = [one for one in (tmp_path / "r.jsonl.memories").rglob("*") if one.is_file()]
    assert any(b"kayak" in one.read_bytes() for one in stored)
    assert not any(CANARY.encode() in one.read_bytes() for one in stored)


@pytest.mark.parametrize("system", ["meme", "full-context", "hybrid"])
def test_category_gold_evidence_and_bait_reach_no_model(tmp_path: Path, system: str) -> None:
    with model('{"answer": "", "citations": [], "known": false, "why": "no"}') as (url, requests):
        llm = LLMConfig(provider="openai", base_url=url, api_key="k", model="m")
        config = Config(llm=llm, embedding=HASHING.embedding)
        run(planted(), Options(system=system, config=config), tmp_path / "r.jsonl")
    assert requests
    assert CANARY not in json.dumps(requests)


def test_facts_are_given_only_to_a_run_about_them(tmp_path: Path) -> None:
    lived = "Ana lives in Porto."
    for facts in ("extracted", "turns", "observations"):
        done = read(run(dataset(1), options("meme", facts=facts), tmp_path / f"{facts}.jsonl"))
        assert (lived in {entry.text for entry in done.built[0].entries}) == (facts == "observations")


# ---------------------------------------------------------------- errors


def broken() -> Dataset:
    """Its first conversation has a date that nobody can read."""
    first, second = dataset().cases
    turns = tuple(replace(turn, said_at="sometime") for turn in first.talk.turns)
    return replace(dataset(), cases=(replace(first, talk=replace(first.talk, turns=turns)), second))


def test_a_conversation_that_cannot_be_built_is_recorded_and_the_run_goes_on(tmp_path: Path) -> None:
    path = run(broken(), options(), tmp_path / "r.jsonl")
    done = read(path)
    assert done.built[0].error.startswith("UsageError: ")
    assert done.built[1].error == ""
    assert [bool(one.error) for one in done.answers] == [True] * 3 + [False] * 3
    assert all(not one.answer for one in done.answers[:3])
    before = path.read_bytes()
    assert run(broken(), options(), path, resume=True).read_bytes() == before, "errors are not asked again"


def test_a_question_that_fails_is_recorded_and_the_next_one_asked(tmp_path: Path) -> None:
    first = dataset(1).cases[0]
    blank = replace(first.questions[0], asked=Asked("blank", " "))
    asked = replace(dataset(1), cases=(replace(first, questions=(blank, *first.questions)),))
    done = read(run(asked, options(), tmp_path / "r.jsonl"))
    assert done.answers[0].error.startswith("UsageError: The question is blank")
    assert [one.error for one in done.answers[1:]] == ["", "", ""]


# ---------------------------------------------------------------- resumption


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    path = run(dataset(), options(), tmp_path / "r.jsonl")
    before = path.read_bytes()
    with pytest.raises(UsageError, match="--resume"):
        run(dataset(), options(), path)
    assert path.read_bytes() == before


def test_a_finished_run_resumed_does_nothing(tmp_path: Path) -> None:
    path = run(dataset(), options(), tmp_path / "r.jsonl", resume=True)
    before = path.read_bytes()
    assert run(dataset(), options(), path, resume=True).read_bytes() == before


@pytest.mark.parametrize(
    ("other", "named"),
    [
        ({"k": 9}, "k: 30, now 9"),
        ({"seed": 1}, "seed"),
        ({"limit": 2}, "config: selected"),
        ({"system": "hybrid"}, "system"),
        ({"config": Config(pipeline={"window_size": 8}, embedding=HASHING.embedding)}, "config: pipeline"),
    ],
)
def test_a_run_is_not_gone_on_with_by_other_options(tmp_path: Path, other: Any, named: str) -> None:
    path = run(dataset(), options(), tmp_path / "r.jsonl")
    with pytest.raises(UsageError, match=named):
        run(dataset(), replace(options(), **other), path, resume=True)
    with pytest.raises(UsageError, match="dataset_sha256"):
        run(replace(dataset(), sha256="cd34"), options(), path, resume=True)


def test_more_workers_may_go_on_with_a_run(tmp_path: Path) -> None:
    path = run(dataset(), options(), tmp_path / "r.jsonl")
    assert run(dataset(), options(workers=2, keep=True), path, resume=True) == path


@pytest.mark.parametrize("lines", range(1, 9))
def test_a_run_cut_after_any_line_and_resumed_equals_a_whole_one(tmp_path: Path, lines: int) -> None:
    whole = run(dataset(), options("meme", keep=True), tmp_path / "r.jsonl")
    wanted = timeless(whole)
    kept = whole.read_text(encoding="utf-8").splitlines(keepends=True)
    whole.write_text("".join(kept[:lines]) + kept[lines][: len(kept[lines]) // 2], encoding="utf-8")
    assert timeless(run(dataset(), options("meme", keep=True), whole, resume=True)) == wanted


def test_a_memory_that_is_gone_is_not_made_anew_in_the_middle(tmp_path: Path) -> None:
    path = run(dataset(), options(), tmp_path / "r.jsonl")
    kept = path.read_text().splitlines(keepends=True)
    path.write_text("".join(kept[:3]))
    with pytest.raises(UsageError, match="is gone"):
        run(dataset(), options(), path, resume=True)


def killed(dataset: Path, output: Path, system: str, workers: int, answers: int) -> int:
    """A run killed when it has written so many answers; how many it left."""

    def written() -> int:
        text = output.read_text(encoding="utf-8") if output.exists() else ""
        return text.count('"type": "answer"')

    command = [sys.executable, str(ROOT / "tests" / "bench" / "run_worker.py")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [*command, str(dataset), str(output), system, str(workers)], env=environment, start_new_session=True
    )
    while process.poll() is None and written() < answers:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    return written()


@pytest.fixture(scope="module")
def sample_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sample") / "sample.json"
    sample.write(path)
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize(("system", "workers", "after"), [("meme", 1, 0), ("meme", 1, 3), ("hybrid", 2, 2)])
def test_a_killed_run_resumed_equals_an_uninterrupted_one(
    tmp_path: Path, sample_file: Path, system: str, workers: int, after: int
) -> None:
    output = tmp_path / "killed.jsonl"
    left = killed(sample_file, output, system, workers, after)
    assert left < 22, "it was killed before it was done"
    run(load(sample_file), options(system, workers=workers), output, resume=True)
    whole = run(load(sample_file), options(system), tmp_path / "whole.jsonl")
    assert timeless(output) == timeless(whole)


# ---------------------------------------------------------------- workers and retrieval


@pytest.mark.parametrize("system", ["meme", "dense", "oracle"])
def test_conversations_side_by_side_give_what_one_after_the_other_gives(tmp_path: Path, system: str) -> None:
    one = run(dataset(3), options(system), tmp_path / "one.jsonl")
    two = run(dataset(3), options(system, workers=2), tmp_path / "two.jsonl")
    assert timeless(one) == timeless(two)
    lines = [json.loads(line) for line in two.read_text().splitlines()[1:]]
    for conversation in ("conv-0", "conv-1", "conv-2"):
        own = [line["type"] for line in lines if line["conversation"] == conversation]
        assert own == ["built", "answer", "answer", "answer"]


def test_retrieval_alone_tells_hits_and_times_and_leaves_nothing(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    found = retrieve_all(dataset(), options("hybrid"), progress=lambda *told: seen.append(told))
    assert isinstance(found.run, Run)
    assert [one.hits[0] for one in found.run.answers[:2]] == [("D1:2",), ("D1:3",)]
    assert not any(one.answer or one.error for one in found.run.answers)
    assert min(found.embed, found.index, found.search) > 0
    assert found.run.header.model == ""
    assert seen[-1] == (6, 6)
    assert not list(tmp_path.iterdir())


def test_retrieval_and_a_run_find_the_same(tmp_path: Path) -> None:
    found = retrieve_all(dataset(), options("dense", k=2)).run.answers
    done = read(run(dataset(), options("dense", k=2), tmp_path / "r.jsonl")).answers
    assert [one.hits[0] for one in found] == [one.hits[0] for one in done if one.hits]


@pytest.mark.parametrize("system", ["refuse", "full-context", "oracle"])
def test_what_does_not_search_has_no_retrieval(system: str) -> None:
    with pytest.raises(UsageError, match="does not search"):
        retrieve_all(dataset(), options(system))


def test_a_dataset_without_a_question_that_fits_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No question"):
        run(
            replace(dataset(1), cases=(replace(dataset(1).cases[0], questions=()),)),
            options(),
            tmp_path / "r.jsonl",
        )


def test_nothing_of_a_conversations_name_is_in_a_path(tmp_path: Path) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("mine", encoding="utf-8")
    cases = [
        replace(one, talk=replace(one.talk, id=name))
        for one, name in zip(dataset(2).cases, ("..", ""), strict=True)
    ]
    run(replace(dataset(2), cases=tuple(cases)), options(), tmp_path / "run.jsonl")
    assert precious.read_text(encoding="utf-8") == "mine"
    assert {one.conversation for one in read(tmp_path / "run.jsonl").built} == {"..", ""}


def test_a_password_in_an_address_is_not_in_the_run_file(tmp_path: Path) -> None:
    config = HASHING.model_copy(update={"llm": LLMConfig(base_url="http://ana:s3cret@localhost:9/v1")})
    path = run(dataset(1), Options(system="refuse", config=config), tmp_path / "r.jsonl")
    text = path.read_text(encoding="utf-8")
    assert "s3cret" not in text
    assert "***@localhost:9" in text

"""Whole runs scored: refusing always, the gold fed back, the bait taken, errors, and what makes up a record."""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from meme import Usage, UsageError
from meme_bench.records import Answered, Built, Run, RunHeader, Spent
from meme_bench.scores import Group, Scores, corrected, points, score
from meme_bench.scores.intervals import Figure
from meme_bench.scores.judge import Reliability, Verdicts
from meme_bench.scores.official import key

DATA = Path(__file__).parent.parent.parent.parent / "shared" / "data"
LOCOMO, AUDIT = DATA / "locomo10.json", DATA / "locomo10_errors.json"
NAMES = {"1": "multi-hop", "2": "temporal", "3": "open-domain", "4": "single-hop", "5": "adversarial"}
HEADER = RunHeader(
    "meme", "turns", "sample", "0" * 64, "", "hashing", 10, 0, "", "0.1.0", "", categories=NAMES
)

QUESTIONS = (
    ("1", "What does Tia collect?", "stamps, coins", None),
    ("2", "When did Tia run?", "7 May 2023", None),
    ("3", "Would Tia like Oslo?", "Likely yes; she loves snow", None),
    ("4", "What is Tia's dog called?", "Rex", None),
    ("5", "What does Noor collect?", None, "stamps and coins"),
)


def answered(number: int, answer: str, **fields: Any) -> Answered:
    category, text, gold, bait = QUESTIONS[number]
    known: dict[str, Any] = {"evidence": ("D1:1",), "bait": bait, **fields}
    return Answered(
        conversation="c",
        question=f"q{number}",
        category=category,
        text=text,
        gold=gold,
        answer=answer,
        **known,
    )


def run_of(answers: Iterable[Answered], built: Iterable[Built] = ()) -> Run:
    return Run("run.jsonl", HEADER, tuple(built), tuple(answers))


def of(scores: Scores, category: str) -> Group:
    return next(group for group in scores.categories if group.key == category)


def value(figure: Figure | None) -> float | None:
    assert figure is not None
    return figure.value


def test_refusing_always_scores_0_on_answerable_questions_and_1_on_the_others() -> None:
    scores = score(run_of(answered(number, "Not known", abstained=True) for number in range(5)))
    assert [value(group.f1) for group in scores.categories] == [0, 0, 0, 0, 1]
    assert scores.answerable.false_refusals.value == 1.0
    assert scores.everything.abstention.value == 1.0
    assert scores.everything.f1.value == 0.2  # the official micro, flattered by one refusal in five
    assert of(scores, "5").outcomes == {"refused": 1}


def test_the_text_of_an_abstention_is_never_matched_against_the_gold() -> None:
    one = Answered(
        "c", "q", "2", "Is it known when?", "Not known", (), None, answer="Not known", abstained=True
    )
    scores = score(run_of([one]))
    assert (scores.answerable.f1.value, scores.answerable.exact.value, scores.answerable.bleu1.value) == (
        0,
        0,
        0,
    )


def test_a_refusal_in_other_words_is_right_honestly_and_wrong_officially() -> None:
    scores = score(run_of([answered(4, "Tia collects stamps and coins, not Noor.")]))
    assert of(scores, "5").f1.value == 0.0
    assert of(scores, "5").abstention.value == 1.0
    assert of(scores, "5").outcomes == {"corrected": 1}


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [("stamps and coins", "baited"), ("No information, but probably stamps and coins", "hedged")],
)
def test_the_bait_scores_0_however_it_is_given(answer: str, outcome: str) -> None:
    scores = score(run_of([answered(4, answer)]))
    assert (of(scores, "5").f1.value, of(scores, "5").abstention.value) == (0.0, 0.0)
    assert of(scores, "5").outcomes == {outcome: 1}


def test_the_published_wording_with_the_bait_is_officially_right_and_honestly_wrong() -> None:
    scores = score(run_of([answered(4, "Not mentioned, but probably stamps and coins")]))
    assert (of(scores, "5").f1.value, of(scores, "5").abstention.value) == (1.0, 0.0)


def test_an_error_is_wrong_everywhere_and_its_text_reaches_no_scorer() -> None:
    gold_in_error = answered(3, "Rex", error="TimeoutError: Rex")
    refusal_in_error = answered(
        4, "Not mentioned", abstained=True, error="RefusedError: no information available"
    )
    scores = score(run_of([answered(1, "7 May 2023"), gold_in_error, refusal_in_error]))
    assert scores.errors == ("q3", "q4")
    assert (scores.everything.n, scores.everything.failed) == (3, 2)
    assert scores.everything.f1.value == pytest.approx(1 / 3)  # over all asked
    assert (scores.everything.f1_answered.value, scores.everything.f1_answered.n) == (1.0, 1)  # over answered
    assert (of(scores, "4").exact.value, of(scores, "4").false_refusals.value) == (0.0, 0.0)
    assert of(scores, "5").abstention.value == 0.0
    assert of(scores, "5").outcomes == {"failed": 1}


def test_every_figure_has_its_n_and_interval_and_the_record_is_json() -> None:
    built = Built("c", turns=100, stored=100)
    hits = (("D1:1",), ("D1:2",))
    scores = score(run_of([answered(number, "Rex", hits=hits) for number in range(5)], [built]), seed=7)
    for group in (*scores.categories, scores.answerable, scores.everything):
        assert group.f1.n == group.n
        assert group.f1.low is not None
        assert group.retrieval is not None
    again = json.loads(json.dumps(scores.as_json()))
    assert again["categories"][3]["f1"]["value"] == 1.0
    assert again["everything"]["retrieval"]["at"]["5"]["recall"]["value"] == 1.0
    assert again["header"]["dataset_sha256"] == "0" * 64
    assert scores == score(
        run_of([answered(number, "Rex", hits=hits) for number in range(5)], [built]), seed=7
    )


def test_categories_come_in_the_datasets_order_with_their_names() -> None:
    scores = score(run_of([answered(4, ""), answered(0, ""), answered(1, "")]))
    assert [(group.key, group.name) for group in scores.categories] == [
        ("1", "multi-hop"),
        ("2", "temporal"),
        ("5", "adversarial"),
    ]


def test_a_question_answered_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="more than once"):
        score(run_of([answered(0, "a"), answered(0, "b")]))


def test_points_are_official_scores_by_question() -> None:
    assert points(run_of([answered(0, "stamps"), answered(4, "no information available")])) == {
        "q0": 0.5,
        "q4": 1.0,
    }


def verdicts(right: dict[str, bool], errors: dict[str, str]) -> Verdicts:
    unknown = Reliability(Figure(0.0, 1), {}, 0)
    return Verdicts("m", "strict", "f", False, unknown, right, errors, len(right), Usage())


def test_a_judge_decides_what_patterns_cannot_and_its_errors_are_left_out() -> None:
    answers = [
        answered(1, "the seventh"),
        answered(3, "a dog"),
        answered(4, "Tia collects stamps and coins."),
    ]
    assert of(score(run_of(answers)), "5").abstention.value == 0.0  # no pattern knows this correction
    scores = score(run_of(answers), judge=verdicts({"q1": True, "q4": True}, {"q3": "Unreadable"}))
    assert of(scores, "5").abstention.value == 1.0
    assert scores.everything.judged == score(run_of(answers), judge=scores.judge).everything.judged
    assert (value(scores.everything.judged), scores.everything.judge_errors) == (1.0, 1)
    assert scores.everything.judged is not None
    assert scores.everything.judged.n == 2
    assert (scores.cost.correct, scores.cost.correct_by) == (2, "judge")
    assert scores.flags == ("The judge gave no readable verdict on 1 answers.",)


def test_the_audited_key_stands_beside_the_published(tmp_path: Path) -> None:
    path = tmp_path / "errors.json"
    rows = [
        {"question_id": "q1", "correct_answer": "8 May 2023 (D1:2 says so)", "correct_evidence": ["D1:2"]},
        {"question_id": "q3", "correct_answer": "The golden answer is right.", "correct_evidence": ["D1:2"]},
    ]
    path.write_text(json.dumps(rows))
    audit = corrected.read(path)
    assert audit == {"q1": ("8 May 2023", ("D1:2",)), "q3": (None, ("D1:2",))}
    answers = [answered(1, "8 May 2023", hits=(("D1:2",),)), answered(3, "Rex", hits=(("D1:1",),))]
    scores = score(run_of(answers), corrected=audit)
    assert (value(of(scores, "2").f1), value(of(scores, "2").corrected_f1)) == (0.667, 1.0)
    assert value(of(scores, "4").corrected_f1) == 1.0
    found, again = of(scores, "2").retrieval, of(scores, "2").corrected_retrieval
    assert found is not None
    assert again is not None
    assert (found.at["5"].recall.value, again.at["5"].recall.value) == (0.0, 1.0)
    assert score(run_of(answers)).answerable.corrected_f1 is None


def test_an_audited_key_of_another_dataset_is_flagged_and_a_file_that_is_none_is_refused(
    tmp_path: Path,
) -> None:
    scores = score(run_of([answered(1, "x")]), corrected={"other": corrected.Correction("y", ())})
    assert "audited key corrects none" in scores.flags[0]
    path = tmp_path / "errors.json"
    path.write_text('{"a": 1}')
    with pytest.raises(UsageError, match="no audited key"):
        corrected.read(path)
    with pytest.raises(UsageError, match="cannot be read"):
        corrected.read(tmp_path / "missing.json")


def test_cost_adds_up_by_stage_with_building_and_answering_apart() -> None:
    spent = {"plan": Spent(1, 100, 10, 0, 0.5), "answer": Spent(1, 300, 20, 0, 1.0)}
    answers = [
        answered(1, "7 May 2023", spent=spent, seconds=2.0, context_tokens=200),
        answered(3, "Max", spent={"answer": Spent(1, 500, 30, 0, 3.0)}, seconds=4.0, context_tokens=400),
    ]
    built = Built("c", turns=9, stored=3, spent={"extract": Spent(2, 1000, 40, 0, 8.0)}, seconds=9.0)
    cost = score(run_of(answers, [built])).cost
    assert (cost.building.calls, cost.building.tokens, cost.building.seconds) == (2, 1040, 9.0)
    assert (cost.answering.calls, cost.answering.tokens) == (3, 960)
    assert cost.answering.stages["answer"].prompt_tokens == 800
    assert cost.answering.stages["answer"].p50 == 2.0
    assert cost.answering.p95 == pytest.approx(3.9)
    assert cost.context_mean == 300
    assert (cost.correct, cost.tokens_per_correct, cost.answering_per_correct) == (1, 2000, 960)
    nothing_right = score(run_of([answered(3, "Max")])).cost
    assert nothing_right.tokens_per_correct is None


def test_failed_builds_are_named() -> None:
    assert score(run_of([], [Built("c", 9, 0, error="UnavailableError: x")])).build_errors == ("c",)


@pytest.fixture(scope="module")
def locomo() -> Callable[[Callable[[dict[str, Any]], dict[str, Any]]], Run]:
    """Makes a run over LoCoMo from what a system would do with each question."""
    if not LOCOMO.exists():
        pytest.skip("LoCoMo is not at hand")
    talks = json.loads(LOCOMO.read_text())

    def make(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> Run:
        return run_of(
            Answered(
                conversation=talk["sample_id"],
                question=f"locomo_{index}_qa{number}",
                category=str(one["category"]),
                text=one["question"],
                gold=str(one["answer"]) if one["category"] != 5 else None,
                evidence=tuple(one["evidence"]),
                bait=one.get("adversarial_answer"),
                **answer(one),
            )
            for index, talk in enumerate(talks)
            for number, one in enumerate(talk["qa"])
        )

    return make


def test_on_the_real_file_refusing_always_scores_0_and_officially_1_on_category_5(locomo: Any) -> None:
    scores = score(locomo(lambda _one: {"answer": "Not known", "abstained": True}))
    assert [group.n for group in scores.categories] == [282, 321, 96, 841, 446]
    assert [value(group.f1) for group in scores.categories] == [0, 0, 0, 0, 1]
    assert scores.everything.f1.value == pytest.approx(446 / 1986)


def test_on_the_real_file_the_gold_fed_back_scores_1(locomo: Any) -> None:
    # Of category 3 the gold that counts ends at its first ";" (test_official says what the rest costs).
    given = locomo(lambda one: {"answer": key(str(one["category"]), str(one.get("answer", "")))})
    scores = score(given)
    assert [value(group.f1) for group in scores.categories] == [1, 1, 1, 1, 0]
    assert [value(group.exact) for group in scores.categories[:4]] == [1, 1, 1, 1]
    assert scores.answerable.false_refusals.value == 0.0


def test_on_the_real_file_the_bait_scores_0_but_for_two_that_are_refusals(locomo: Any) -> None:
    scores = score(locomo(lambda one: {"answer": str(one.get("adversarial_answer", ""))}))
    five = of(scores, "5")
    assert five.outcomes == {"baited": 444, "refused": 2}
    assert value(five.abstention) == value(five.f1) == pytest.approx(2 / 446)


@pytest.mark.skipif(not AUDIT.exists(), reason="the audited key is not at hand")
def test_on_the_real_file_the_audited_key_has_156_corrections_without_remarks_in_them(locomo: Any) -> None:
    audit = corrected.read(AUDIT)
    assert len(audit) == 156
    assert audit["locomo_2_qa5"].answer == "December 2022"  # "(answer is correct, citation is wrong)"
    assert audit["locomo_4_qa164"].answer == "French"
    assert audit["locomo_6_qa38"].answer is None
    answers = " ".join(one.answer for one in audit.values() if one.answer)
    assert "answer is correct" not in answers
    assert "golden answer" not in answers
    assert not re.search(r"\(D\d", answers)
    given = locomo(lambda one: {"answer": key(str(one["category"]), str(one.get("answer", "")))})
    scores = score(given, corrected=audit)
    assert 0.9 < (value(scores.answerable.corrected_f1) or 0) < 1.0


def test_a_run_that_was_not_finished_says_so() -> None:
    whole = run_of([answered(1, "a")])
    cut = replace(whole, header=replace(whole.header, questions=3))
    assert "2 of 3 questions are not in this file" in score(cut).flags[0]
    assert not any("not in this file" in flag for flag in score(whole).flags)

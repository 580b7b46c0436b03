"""Runs that are small enough to be worked out by hand, and what their report says.

`report.md` is the report of `OURS` and `REFUSER`, word for word. When it is meant to change: delete it, run
this test, and read what it wrote.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from meme import UsageError
from meme_bench.compare import compare, table
from meme_bench.records import Answered, Built, EntryMade, Run, RunHeader, Spent
from meme_bench.report import as_json, chart, markdown, report, table_lines
from meme_bench.scores import Scores, score
from meme_bench.tables import Table

GOLDEN = Path(__file__).parent / "report.md"
NAMES = {"1": "multi-hop", "2": "temporal", "3": "open-domain", "4": "single-hop", "5": "adversarial"}
HEADER = RunHeader(
    system="meme",
    facts="turns",
    dataset="harbour",
    dataset_sha256="0123456789abcdef",
    model="rules",
    embedder="hashing-384",
    k=10,
    seed=0,
    revision="a1b2c3d4e5f60718",
    version="0.1.0",
    started="2026-01-01T00:00:00+00:00",
    categories=NAMES,
)
# Category, question, gold, bait, evidence.
QUESTIONS = (
    ("1", "Which boats does Ines own?", "a dinghy, a sloop", None, ("D1:1", "D1:4")),
    ("2", "When did Ines sail to Vigo?", "16 November 2025", None, ("D1:2",)),
    ("3", "Would Ines like the regatta?", "Yes; she races", None, ("D1:3",)),
    ("4", "Who repairs the sloop?", "Rui", None, ("D1:5",)),
    ("4", "Where is the dinghy kept?", "in the boathouse", None, ("D1:6",)),
    ("5", "What is the name of Rui's dog?", None, "Bolina", ("D1:7",)),
)


def answered(number: int, **made: Any) -> Answered:
    category, text, gold, bait, evidence = QUESTIONS[number]
    asked = {"text": text, "gold": gold, "bait": bait, "evidence": evidence}
    return Answered("harbour-1", f"q{number}", category, **asked, **made)


def run(header: RunHeader, path: str, *answers: Answered, stored: int = 40) -> Run:
    entries = tuple(EntryMade((f"D1:{at}",)) for at in range(1, 7))
    spent = {"extract": Spent(1, 900, 100, 0, 2.0)}
    built = Built("harbour-1", 40, stored, entries, spent, 2.5)
    return Run(path, header, (built,), answers)


def said(number: int, answer: str, **more: Any) -> Answered:
    hits = tuple((f"D1:{at}",) for at in range(1, 7))
    spent = {"answer": Spent(1, 200, 10, 0, 0.5)}
    return answered(number, answer=answer, hits=hits, spent=spent, context_tokens=120, seconds=0.75, **more)


OURS = run(
    HEADER,
    "ours.jsonl",
    said(0, "a dinghy"),  # one of two pieces in full: 0.5
    said(1, "On 16 November 2025"),  # 3 of 4 words, all of the gold's 3: F1 6/7
    said(2, "Yes"),  # the gold is cut at its ";": 1
    said(3, "", error="RateLimitError: secret words of a provider"),
    said(4, "in the garden"),  # 1 of 2 words ("the" does not count): 0.5
    said(5, "Bolina"),
)
REFUSER = run(
    replace(HEADER, system="refuse"),
    "refuse.jsonl",
    *(answered(number, answer="Not known.", abstained=True) for number in range(6)),
)


def scored(*runs: Run) -> list[Scores]:
    return [score(one) for one in runs]


def cells(found: tuple[Table, ...] | Table, row: str, title: str = "") -> tuple[str, ...]:
    several = found if isinstance(found, tuple) else (found,)
    chosen = next(one for one in several if title in one.title)
    return next(cells for cells in chosen.rows if cells[0] == row)


def test_the_report_says_word_for_word_what_it_said_before() -> None:
    told = markdown(report(scored(OURS, REFUSER)))
    if not GOLDEN.exists():
        GOLDEN.write_text(told, encoding="utf-8")
        pytest.fail(f"{GOLDEN} was missing and has been written: read it")
    assert told == GOLDEN.read_text(encoding="utf-8")


def test_the_figures_are_those_worked_out_by_hand() -> None:
    (section,) = report(scored(OURS, REFUSER)).sections
    title = "Official F1, over all asked"
    assert cells(section.tables, "1 multi-hop", title)[:2] == ("1 multi-hop", "1")
    assert cells(section.tables, "1 multi-hop", title)[2].startswith("50.0 ")
    assert cells(section.tables, "2 temporal", title)[2].startswith("85.7 ")
    assert cells(section.tables, "3 open-domain", title)[2].startswith("100.0 ")
    assert cells(section.tables, "4 single-hop", title)[1:3] == ("2", "25.0 [0.0, 50.0]")  # a failure and 0.5
    assert cells(section.tables, "5 adversarial", title)[2].startswith("0.0 ")  # the bait
    assert cells(section.tables, "1-4 with an answer", title)[2].startswith("57.1 ")  # (.5+.857+1+0+.5)/5
    assert cells(section.tables, "1-5 official micro", title)[2].startswith("47.6 ")
    # The refuser: nothing, but for category 5.
    assert cells(section.tables, "1-4 with an answer", title)[3] == "0.0 [0.0, 0.0]"
    assert cells(section.tables, "1-5 official micro", title)[3].startswith("16.7 ")  # 1 of 6


def test_over_answered_leaves_the_failures_out_and_says_how_many_are_left() -> None:
    (section,) = report(scored(OURS, REFUSER)).sections
    assert cells(section.tables, "4 single-hop", "over answered")[2] == "50.0 [50.0, 50.0] n 1"
    (alone,) = report(scored(REFUSER)).sections
    assert any("No question failed" in note for one in alone.tables for note in one.notes)


def test_every_row_of_figures_has_an_n_and_every_figure_an_interval() -> None:
    (section,) = report(scored(OURS, REFUSER)).sections
    for one in section.tables:
        if one.columns[:2] == ("category", "n"):
            for row in one.rows:
                assert int(row[1]) > 0
                assert all("[" in cell or cell == "–" for cell in row[2:]), row


def test_errors_are_listed_by_question_and_their_text_is_nowhere() -> None:
    made = report(scored(OURS))
    assert any("q3" in remark and "counted as wrong" in remark for remark in made.sections[0].remarks)
    assert "secret words" not in markdown(made) + json.dumps(as_json(made))


def test_a_report_without_baselines_names_those_that_are_missing() -> None:
    (section,) = report(scored(OURS)).sections
    assert "refuse, full-context, bm25, dense" in section.remarks[0]
    (section,) = report(scored(OURS, REFUSER)).sections
    assert "baselines full-context, bm25, dense" in section.remarks[0]


def test_a_k_that_returns_much_of_a_small_store_is_flagged() -> None:
    small = run(HEADER, "small.jsonl", *OURS.answers, stored=10)
    (section,) = report(scored(small)).sections
    assert any("30 %" in remark for remark in section.remarks)
    assert not any("30 %" in remark for remark in report(scored(OURS)).sections[0].remarks)


def test_the_other_names_of_the_categories_are_in_a_footnote_of_locomo_alone() -> None:
    assert "commonsense" in markdown(report(scored(OURS)))
    other = replace(OURS, header=replace(HEADER, categories={"multi-session": "multi-session"}))
    assert "commonsense" not in markdown(report(scored(other)))


def test_runs_on_different_files_are_never_in_one_table() -> None:
    elsewhere = replace(REFUSER, header=replace(REFUSER.header, dataset="quay", dataset_sha256="ff"))
    made = report(scored(OURS, elsewhere))
    assert [section.dataset for section in made.sections] == ["harbour", "quay"]
    assert all(len(section.runs) == 1 for section in made.sections)


def test_runs_that_were_asked_different_questions_are_said_to_be() -> None:
    fewer = replace(REFUSER, answers=REFUSER.answers[:4])
    (section,) = report(scored(OURS, fewer)).sections
    assert any("not asked the same questions" in remark for remark in section.remarks)
    assert cells(section.tables, "4 single-hop", "over all asked")[3] == "0.0 [0.0, 0.0] n 1"


@pytest.mark.parametrize(
    ("change", "labels"),
    [
        ({"facts": "extracted"}, ["meme (turns)", "meme (extracted)"]),
        ({"k": 20}, ["meme (turns, k 10)", "meme (turns, k 20)"]),
        ({"model": "m-1"}, ["meme (turns, rules)", "meme (turns, m-1)"]),
        ({"seed": 1}, ["meme (ours)", "meme (again)"]),
    ],
)
def test_columns_are_named_by_what_tells_the_runs_apart(change: dict[str, Any], labels: list[str]) -> None:
    other = replace(OURS, path="again.jsonl", header=replace(HEADER, **change))
    (section,) = report(scored(OURS, other)).sections
    assert [one.label for one in section.runs] == labels


def test_one_file_given_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="twice"):
        report(scored(OURS, OURS))


def test_the_json_holds_every_score_beside_the_tables() -> None:
    (told,) = json.loads(json.dumps(as_json(report(scored(OURS, REFUSER)))))["datasets"]
    assert [one["label"] for one in told["runs"]] == ["meme", "refuse"]
    assert told["runs"][0]["errors"] == ["q3"]
    assert told["runs"][0]["answerable"]["f1"]["value"] == pytest.approx((0.5 + 0.857 + 1 + 0 + 0.5) / 5)
    assert told["tables"][0]["title"] == "Runs"


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_a_chart_is_drawn_the_same_each_time(tmp_path: Path, ending: str) -> None:
    made = report(scored(OURS, REFUSER))
    first, second = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    chart(made, first)
    chart(made, second)
    assert first.read_bytes() == second.read_bytes()
    if ending == "svg":
        told = first.read_text(encoding="utf-8")
        assert "1 multi-hop" in told
        assert "refuse" in told
    else:
        assert first.read_bytes().startswith(b"\x89PNG")


def test_a_chart_of_another_kind_or_in_no_folder_is_refused_in_one_sentence(tmp_path: Path) -> None:
    made = report(scored(OURS))
    with pytest.raises(UsageError, match=r"\.png or \.svg"):
        chart(made, tmp_path / "a.pdf")
    with pytest.raises(UsageError, match="cannot be written"):
        chart(made, tmp_path / "nowhere" / "a.png")


def test_a_difference_is_paired_question_by_question() -> None:
    made = compare(OURS, REFUSER)
    rows = {(row.questions, row.measure): row for row in made.rows}
    answerable = rows["with an answer", "official F1"]
    assert answerable.paired.n == 5
    assert answerable.first == pytest.approx(0.5714)
    assert answerable.second == 0
    assert answerable.paired.difference == pytest.approx(answerable.first)
    assert answerable.paired.better == pytest.approx(1, abs=0.01)
    assert rows["with an answer, both answered", "official F1"].paired.n == 4
    withstood = rows["without an answer", "refused or corrected"]
    assert (withstood.first, withstood.second) == (0, 1)
    assert (rows["with an answer", "not refused"].first, rows["with an answer", "not refused"].second) == (
        0.8,
        0,
    )
    assert made.differs == {"system": ("meme", "refuse")}


def test_a_run_compared_with_itself_shows_no_difference() -> None:
    for row in compare(OURS, OURS).rows:
        found = row.paired
        assert (found.difference, found.low, found.high, found.better) == (0, 0, 0, 0.5)


def test_only_questions_that_both_were_asked_are_compared() -> None:
    made = compare(OURS, replace(REFUSER, answers=REFUSER.answers[3:]))
    assert made.unpaired == 3
    assert "3 questions" in "\n".join(table_lines(table(made)))
    assert {row.paired.n for row in made.rows if row.measure == "official micro"} == {3}


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(UsageError, match="different files"):
        compare(OURS, replace(REFUSER, header=replace(REFUSER.header, dataset_sha256="ff")))
    with pytest.raises(UsageError, match="no question in common"):
        compare(replace(OURS, answers=OURS.answers[:2]), replace(REFUSER, answers=REFUSER.answers[2:]))

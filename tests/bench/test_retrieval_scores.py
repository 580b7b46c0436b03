"""Recall, precision and nDCG of retrieved items, worked by hand."""

import pytest

from meme_bench.records import Answered, Built
from meme_bench.scores.retrieval import flags, ndcg, precision, recall, retrieval


def answered(
    hits: list[tuple[str, ...]], evidence: tuple[str, ...] = ("D1:1",), name: str = "q", error: str = ""
) -> Answered:
    return Answered(
        conversation="c",
        question=name,
        category="4",
        text="?",
        gold="x",
        evidence=evidence,
        bait=None,
        hits=tuple(hits),
        error=error,
    )


@pytest.mark.parametrize(
    ("hits", "evidence", "k", "expected"),
    [
        ([("D1:1",), ("D1:2",)], ("D1:1", "D1:9"), 5, 1 / 2),
        ([("D1:2",), ("D1:1",)], ("D1:1",), 1, 0.0),  # only the first k count
        ([("D1:1", "D1:9")], ("D1:1", "D1:9"), 1, 1.0),  # a hit counts for all its sources
        ([("D1:1",), ("D1:1",)], ("D1:1", "D1:9"), 5, 1 / 2),  # and each turn once
        ([("D1:1",)], ("D1:1", "D1:1"), 5, 1.0),  # evidence named twice is one turn
        ([], ("D1:1",), 5, 0.0),
    ],
)
def test_recall_is_the_share_of_evidence_turns_named(
    hits: list[tuple[str, ...]], evidence: tuple[str, ...], k: int, expected: float
) -> None:
    assert recall(hits, evidence, k) == expected


@pytest.mark.parametrize(
    ("hits", "k", "expected"),
    [
        ([("D1:1",), ("D1:2",), ("D1:3",), ("D1:4",)], 4, 1 / 4),
        ([("D1:1", "D1:2"), ("D1:3",)], 5, 1 / 2),  # two hits there are, so of two
        ([("D1:2",)] * 9 + [("D1:1",)], 5, 0.0),
        ([], 5, 0.0),
    ],
)
def test_precision_is_the_share_of_hits_that_name_evidence(
    hits: list[tuple[str, ...]], k: int, expected: float
) -> None:
    assert precision(hits, ("D1:1",), k) == expected


@pytest.mark.parametrize(
    ("hits", "evidence", "expected"),
    [
        ([("D1:1",), ("x",)], ("D1:1",), 1.0),
        ([("x",), ("D1:1",)], ("D1:1",), 0.6309),  # 1 / log2(3)
        ([("D1:1",), ("x",), ("D1:2",)], ("D1:1", "D1:2"), 0.9197),  # (1 + 1/2) / (1 + 0.6309)
        ([("D1:1",), ("D1:1",)], ("D1:1", "D1:2"), 0.6131),  # 1 / 1.6309: once is enough
        ([("D1:1", "D1:2")], ("D1:1", "D1:2"), 1.0),  # 2 / 1.6309, cut at 1
        ([("x",)] * 10 + [("D1:1",)], ("D1:1",), 0.0),
    ],
)
def test_ndcg_credits_each_evidence_turn_where_it_is_first_named(
    hits: list[tuple[str, ...]], evidence: tuple[str, ...], expected: float
) -> None:
    assert ndcg(hits, evidence, 10) == pytest.approx(expected, abs=1e-4)


def test_questions_without_evidence_are_left_out_and_counted_and_failed_ones_count_as_0() -> None:
    found = retrieval(
        [
            answered([("D1:1",)], name="found"),
            answered([], name="failed", error="TimeoutError: ..."),
            answered([("D1:1",)], evidence=(), name="no evidence"),
        ]
    )
    assert found is not None
    assert (found.n, found.without_evidence) == (2, 1)
    assert set(found.at) == {"5", "10", "20", "30"}
    assert found.at["5"].recall.value == 0.5
    assert found.at["5"].turns == 0.5
    assert found.ndcg10.value == 0.5


def test_a_system_that_retrieves_nothing_has_no_retrieval_score() -> None:
    assert retrieval([answered([]), answered([])]) is None


def test_a_k_that_returns_much_of_the_store_is_flagged() -> None:
    hits = [(f"D1:{turn}",) for turn in range(30)]
    assert flags([answered(hits)], [Built("c", turns=400, stored=40)]) == (
        "k = 20: the hits return more than 30 % of what is stored in 1 of 1 conversations.",
    )
    assert flags([answered(hits)], [Built("c", turns=400, stored=400)]) == ()


def test_few_hits_that_rest_on_much_of_a_conversation_are_flagged_too() -> None:
    summaries = [tuple(f"D{session}:{turn}" for turn in range(40)) for session in range(5)]
    found = flags([answered(summaries)], [Built("c", turns=400, stored=100)])
    assert (
        found[0] == "k = 5: the hits name more than 30 % of a conversation's turns in 1 of 1 conversations."
    )

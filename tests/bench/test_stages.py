"""What became of the evidence: coverage by entries, and their dates against gold dates."""

import json
from pathlib import Path

import pytest

from meme_bench.records import Answered, Built, EntryMade
from meme_bench.scores import gold_dates
from meme_bench.scores.stages import coverage, dating, temporal

LOCOMO = Path(__file__).parent.parent.parent.parent / "shared" / "data" / "locomo10.json"


def spans(gold: str) -> list[tuple[str, str, str]]:
    return [(str(one.start), str(one.end), one.precision) for one in gold_dates.read(gold)]


@pytest.mark.parametrize(
    ("gold", "start", "end", "precision"),
    [
        ("7 May 2023", "2023-05-07", "2023-05-07", "day"),
        ("19 January, 2023", "2023-01-19", "2023-01-19", "day"),
        ("October 13th, 2023.", "2023-10-13", "2023-10-13", "day"),
        ("around April 2, 2023", "2023-04-02", "2023-04-02", "day"),
        ("on 15April, 2022.", "2022-04-15", "2022-04-15", "day"),
        ("Januarty 5, 2024", "2024-01-05", "2024-01-05", "day"),
        ("February, 2024", "2024-02-01", "2024-02-29", "month"),
        ("April.2023", "2023-04-01", "2023-04-30", "month"),
        ("Since 2016", "2016-01-01", "2016-12-31", "year"),
        ("approximately summer of 2022", "2022-06-01", "2022-08-31", "season"),
        ("winter 2022", "2022-12-01", "2023-02-28", "season"),
        ("The sunday before 25 May 2023", "2023-05-21", "2023-05-21", "day"),  # 25 May was a Thursday
        ("The Friday before 14 July 2023", "2023-07-07", "2023-07-07", "day"),  # itself a Friday: the last
        ("Saturday after 27 January, 2023", "2023-01-28", "2023-01-28", "day"),
        ("The weekend before 17 July 2023", "2023-07-15", "2023-07-16", "weekend"),  # a Monday
        ("The weekend before 22 July 2023", "2023-07-15", "2023-07-16", "weekend"),  # itself a Saturday
        ("two weekends before 17 July 2023", "2023-07-08", "2023-07-09", "weekend"),
        ("The weekend after 3June, 2022.", "2022-06-04", "2022-06-05", "weekend"),
        ("first weekend of August 2023", "2023-08-05", "2023-08-06", "weekend"),
        ("few days before November 22, 2023", "2023-11-15", "2023-11-21", "range"),
        ("early August, 2023", "2023-08-01", "2023-08-10", "range"),
        ("end of October 2023", "2023-10-21", "2023-10-31", "range"),
        ("between October 19 and 24, 2023", "2023-10-19", "2023-10-24", "range"),
        ("between 26 March and 20 April 2023", "2023-03-26", "2023-04-20", "range"),
        ("On the night of October 30 to 31, 2022", "2022-10-30", "2022-10-31", "range"),
        ("November 5-6, 2022", "2022-11-05", "2022-11-06", "range"),
    ],
)
def test_gold_dates_are_read_at_their_precision(gold: str, start: str, end: str, precision: str) -> None:
    assert spans(gold) == [(start, end, precision)]


@pytest.mark.parametrize(
    ("gold", "weeks"),
    [
        ("The week before 9 June 2023", ["2023-05-29", "2023-06-02"]),  # a Friday
        ("the week before 3 July 2023", ["2023-06-26"]),  # a Monday: both readings are one
        ("Two weeks before 11 August 2023", ["2023-07-24", "2023-07-28"]),
        ("The week of 23 August 2023", ["2023-08-21", "2023-08-23"]),
        ("first week of April 2022", ["2022-04-01", "2022-04-04"]),
        ("last week of July 2023", ["2023-07-25", "2023-07-24"]),
    ],
)
def test_a_week_is_read_in_both_ways_people_mean_it(gold: str, weeks: list[str]) -> None:
    assert [start for start, _end, _precision in spans(gold)] == weeks


@pytest.mark.parametrize("gold", ["4 years", "13 August", "Yes", "A few years ago", "31 June 2023", "", "UK"])
def test_what_is_no_date_with_a_year_is_not_read(gold: str) -> None:
    assert spans(gold) == []


@pytest.mark.skipif(not LOCOMO.exists(), reason="LoCoMo is not at hand")
def test_on_the_real_file_252_of_321_temporal_golds_are_dates() -> None:
    golds = [
        str(one["answer"])
        for talk in json.loads(LOCOMO.read_text())
        for one in talk["qa"]
        if one["category"] == 2
    ]
    unread = [gold for gold in golds if not gold_dates.read(gold)]
    assert (len(golds), len(unread)) == (321, 69)
    assert [gold for gold in unread if "20" in gold] == [
        "few days before November 2023",
        "a few years before 2023",
    ]


def asked(gold: str, evidence: tuple[str, ...] = ("D1:3",), name: str = "q", category: str = "2") -> Answered:
    return Answered(
        conversation="c",
        question=name,
        category=category,
        text="When?",
        gold=gold,
        evidence=evidence,
        bait=None,
    )


def entry(source: str, *happened: str) -> EntryMade:
    return EntryMade((source,), (happened[0], happened[1], happened[2]) if happened else None)


@pytest.mark.parametrize(
    ("gold", "entries", "expected"),
    [
        ("7 May 2023", [entry("D1:3", "2023-05-07", "2023-05-07", "day")], "right"),
        ("7 May 2023", [entry("D1:3", "2023-05-08", "2023-05-08", "day")], "wrong"),
        ("June 2023", [entry("D1:3", "2023-06-07", "2023-06-07", "day")], "right"),  # more exact, and equal
        ("June 2023", [entry("D1:3", "2023-01-01", "2023-12-31", "year")], "wrong"),  # coarser is not
        ("The week before 9 June 2023", [entry("D1:3", "2023-05-29", "2023-06-04", "week")], "right"),
        ("The week before 9 June 2023", [entry("D1:3", "2023-06-05", "2023-06-11", "week")], "wrong"),
        (
            "7 May 2023",
            [entry("D1:3"), entry("D1:3", "2023-05-07", "2023-05-07", "day")],
            "right",
        ),  # the best
        ("7 May 2023", [entry("D1:3")], "undated"),
        ("7 May 2023", [entry("D1:4", "2023-05-07", "2023-05-07", "day")], "uncovered"),
        ("4 years", [entry("D1:3", "2023-05-07", "2023-05-07", "day")], "unreadable"),
    ],
)
def test_an_entry_from_the_evidence_is_dated_as_the_gold_or_not(
    gold: str, entries: list[EntryMade], expected: str
) -> None:
    assert dating(asked(gold), entries) == expected


def test_temporal_counts_what_can_be_read_and_names_what_is_wrong() -> None:
    built = [
        Built(
            "c",
            turns=9,
            stored=2,
            entries=(entry("D1:3", "2023-05-07", "2023-05-07", "day"), entry("D1:4")),
        )
    ]
    found = temporal(
        [
            asked("7 May 2023", name="right"),
            asked("8 May 2023", name="wrong"),
            asked("9 May 2023", ("D1:4",), name="undated"),
            asked("9 May 2023", ("D1:9",), name="uncovered"),
            asked("4 years", name="no date"),
            asked("8 May 2023", name="not temporal", category="4"),
        ],
        built,
    )
    assert found is not None
    assert (found.rate.value, found.rate.n) == (0.25, 4)
    assert found.wrong == ("wrong",)
    assert (found.undated, found.uncovered, found.unreadable) == (1, 1, 1)


def test_coverage_counts_each_evidence_turn_once_and_nothing_of_a_failed_build() -> None:
    questions = [asked("x", ("D1:3", "D1:4")), asked("x", ("D1:3",)), asked("x", ())]
    built = Built("c", turns=9, stored=1, entries=(entry("D1:3"),))
    found = coverage(questions, [built])
    assert found is not None
    assert (found.value, found.n) == (0.5, 2)
    other = Built("d", turns=9, stored=1, entries=(entry("D1:4"),))  # the same id in another conversation
    both = coverage(questions, [built, other])
    assert both is not None
    assert both.value == 0.5
    assert coverage(questions, [Built("c", turns=9, stored=0, error="TimeoutError")]) is None

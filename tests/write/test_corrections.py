from datetime import date

import pytest

from meme.write.extract_by_rule.corrections import corrected

DAYS = [date(2024, 3, 9), date(2024, 6, 12), date(2024, 6, 20)]


@pytest.mark.parametrize(
    ("said", "restated", "day"),
    [
        ("I meant the 14th, not the 12th.", "I meant 14 June 2024, not the 12th.", date(2024, 6, 14)),
        ("It's the 11th instead of the 9th.", "It's 11 March 2024 instead of the 9th.", date(2024, 3, 11)),
        ("Not the 20th but the 21st!", "Not the 20th but 21 June 2024!", date(2024, 6, 21)),
    ],
)
def test_a_day_put_right_lies_in_the_month_of_the_wrong_one(said: str, restated: str, day: date) -> None:
    found = corrected(said, DAYS)
    assert found is not None
    assert found[0] == restated
    assert (found[1].start, found[1].end, found[1].precision) == (day, day, "day")


@pytest.mark.parametrize(
    "said",
    [
        "I meant the 14th, not the 13th.",  # no 13th was named
        "I meant the 31st, not the 12th.",  # June has no 31st
        "I came 4th, not bad.",
        "The 14th of May, not the 12th.",
    ],
)
def test_without_a_named_wrong_day_nothing_is_guessed(said: str) -> None:
    assert corrected(said, DAYS) is None

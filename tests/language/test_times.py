"""Time phrases: what they mean on a given day, and what stays unresolved."""

import subprocess
import sys
import time
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from time_cases import ABROAD, FRIDAY, MONDAY, RESOLVED, SEPTEMBER, WEDNESDAY

from meme.errors import UsageError
from meme.language.times import parse_day, parse_instant, render, restate, spot
from meme.records import Happened

STOPS = [
    ("They met on 3 June.", "They met on 3 June 2022."),
    ("We married in Sept. in Rome.", "We married in September 2023 in Rome."),
    ("We met in Aug. It rained.", "We met in August 2022. It rained."),
    ("I meant the 23rd of July.", "I meant 23 July 2023."),
    ("I booked the 3rd of July.", "I booked 3 July 2023."),
]


@pytest.mark.parametrize(("said", "restated"), STOPS)
def test_a_full_stop_ends_the_sentence_and_not_the_phrase(said: str, restated: str) -> None:
    assert restate(said, datetime(2023, 5, 8, tzinfo=UTC)) == restated


UNRESOLVED = [
    "recently", "lately", "soon", "the other day", "a while ago", "a few years ago", "a couple of weeks ago",
    "several months ago", "over a year ago", "the last few weeks", "5/7/2023", "the past year", "the 20s",
    "31 June",
    "30 February 2023", "Monday to Friday", "2023-13-01", "31/31/2023",
]  # fmt: skip

NOT_DATES = [
    "May I come in?", "I may go.", "We march every day.", "He sat on the bench.", "The sun is hot.",
    "She came in second place.", "Wait a second!", "Let's meet at 3pm.", "I lived there for 3 years.",
    "I read it in two weeks.", "I talked to June.", "April said hello.", "Every Friday we dance.",
    "Our Friday meeting is long.", "Wednesday Addams is a film.", "on Sunday mornings",
    "There were 2000 people.",
    "She is in her 60s.", "the fall of Rome", "Do it as soon as you can.",
    "the last name", "next to me", "once in a while", "Ich bin hier.", "Guten Morgen!",
    "Sunday school teacher",
    "Is it Christmas or the cold that I love?", "call 555-2023-11", "",
]  # fmt: skip


@pytest.mark.parametrize(("text", "said_at", "phrase", "start", "end", "precision"), RESOLVED)
def test_a_phrase_means_these_days_when_said_then(text, said_at, phrase, start, end, precision):
    (found,) = spot(text, said_at)
    happened = found.happened
    assert (found.phrase, happened.phrase) == (phrase, phrase)
    assert (str(happened.start), str(happened.end), happened.precision) == (start, end, precision)


@pytest.mark.parametrize(("text", "phrase", "start", "end", "precision"), ABROAD)
def test_other_languages_are_counted_the_same_way(text, phrase, start, end, precision):
    (found,) = spot(text, SEPTEMBER)
    happened = found.happened
    assert found.phrase == phrase
    assert (str(happened.start), str(happened.end), happened.precision) == (start, end, precision)


@pytest.mark.parametrize("phrase", UNRESOLVED)
def test_a_phrase_without_an_exact_meaning_stays_as_written(phrase):
    (found,) = spot(f"It was {phrase}.", WEDNESDAY)
    assert found.phrase == found.absolute == phrase
    assert found.happened is None
    assert restate(f"It was {phrase}.", WEDNESDAY) == f"It was {phrase}."


@pytest.mark.parametrize(
    "said",
    [
        "It feels like just yesterday that I wore it.",
        "It seems like yesterday.",
        "I remember it as if it was yesterday.",
        "That felt like last week.",
    ],
)
def test_a_figure_of_speech_is_no_date(said):
    assert all(one.happened is None for one in spot(said, WEDNESDAY))
    assert restate(said, WEDNESDAY) == said


@pytest.mark.parametrize("text", NOT_DATES)
def test_words_that_only_look_like_dates_are_left_alone(text):
    assert spot(text, WEDNESDAY) == ()


@pytest.mark.parametrize(
    ("said_at", "day"),
    [
        ("2025-07-25T23:30:00-07:00", "2025-07-24"),
        ("2025-07-26T06:30:00+00:00", "2025-07-25"),
        ("2025-07-26T00:10:00+14:00", "2025-07-25"),
        ("2025-01-01T00:05:00+09:00", "2024-12-31"),
    ],
)
def test_yesterday_is_counted_in_the_offset_of_the_turn(said_at, day):
    (found,) = spot("I saw it yesterday.", datetime.fromisoformat(said_at))
    assert str(found.happened.start) == str(found.happened.end) == day


RESTATED = [
    ("I got it last Friday!", WEDNESDAY, "I got it on 10 May 2024!"),
    ("I got it on last Friday!", WEDNESDAY, "I got it on 10 May 2024!"),
    ("We are friends since last year.", FRIDAY, "We are friends since 2022."),
    ("We moved in last month.", FRIDAY, "We moved in May 2023."),
    ("Yesterday I ran.", WEDNESDAY, "On 14 May 2024 I ran."),
    ("Yesterday was great.", WEDNESDAY, "14 May 2024 was great."),
    ("The party is tomorrow.", WEDNESDAY, "The party is on 16 May 2024."),
    ("Wait until tomorrow.", WEDNESDAY, "Wait until 16 May 2024."),
    ("I gave a talk last week.", FRIDAY, "I gave a talk the week before 9 June 2023."),
    ("We camped last weekend.", MONDAY, "We camped the weekend before 17 July 2023."),
    ("I am busy this week.", FRIDAY, "I am busy in the week of 9 June 2023."),
    ("I got a dog two weeks ago.", FRIDAY, "I got a dog two weeks before 9 June 2023."),
    ("I read it last year.", FRIDAY, "I read it in 2022."),
    ("I painted last year's card.", FRIDAY, "I painted 2022's card."),
    ("It ended late last year.", FRIDAY, "It ended late in 2022."),
    ("I paid at the end of last month.", FRIDAY, "I paid at the end of May 2023."),
    ("We talked last night.", FRIDAY, "We talked on the night of 8 June 2023."),
    ("I met him on Monday morning.", FRIDAY, "I met him on the morning of 5 June 2023."),
    ("We ate at Christmas.", FRIDAY, "We ate on 25 December 2022."),
    ("I ran today, slept yesterday, and I'll rest tomorrow.", FRIDAY,
     "I ran on 9 June 2023, slept on 8 June 2023, and I'll rest on 10 June 2023."),
    ("It was 7 May 2023, not recently.", FRIDAY, "It was 7 May 2023, not recently."),
    ("Ich war gestern dort.", FRIDAY, "Ich war am 8. Juni 2023 dort."),
    ("我昨天去了", FRIDAY, "我2023年6月8日去了"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said_at", "expected"), RESTATED)
def test_a_restated_sentence_holds_absolute_dates_and_stays_grammatical(text, said_at, expected):
    assert restate(text, said_at) == expected


@pytest.mark.parametrize(("text", "said_at", "phrase", "start", "end", "precision"), RESOLVED)
def test_a_restated_phrase_still_means_the_same_years_later(text, said_at, phrase, start, end, precision):
    later = said_at.replace(year=2031, day=3)
    (again,) = spot(restate(text, said_at), later)
    assert not again.relative
    if "about" in phrase and precision == "week":
        return  # "around 5 May 2024" names the day in the middle
    assert (str(again.happened.start), str(again.happened.end)) == (start, end)


@pytest.mark.parametrize(
    ("happened", "words"),
    [
        (Happened(date(2023, 5, 7), date(2023, 5, 7), "day"), "7 May 2023"),
        (Happened(date(2023, 5, 1), date(2023, 5, 31), "month"), "May 2023"),
        (Happened(date(2022, 1, 1), date(2022, 12, 31), "year"), "2022"),
        (Happened(date(2023, 5, 1), date(2023, 5, 7), "week"), "the week of 1 May 2023"),
        (Happened(date(2023, 5, 6), date(2023, 5, 7), "weekend"), "the weekend of 6 May 2023"),
        (Happened(date(2023, 6, 1), date(2023, 8, 31), "season"), "summer 2023"),
        (Happened(date(2022, 12, 1), date(2023, 2, 28), "season"), "winter 2022/23"),
        (Happened(date(2023, 5, 5), date(2023, 5, 9), "range"), "5-9 May 2023"),
        (Happened(date(2023, 4, 28), date(2023, 5, 3), "range"), "28 April - 3 May 2023"),
        (Happened(date(1990, 1, 1), date(1999, 12, 31), "range"), "1990-1999"),
    ],
)
def test_a_span_is_worded_at_its_own_precision(happened, words):
    assert render(happened) == words
    (again,) = spot(words if happened.precision != "year" else f"in {words}", WEDNESDAY)
    assert (again.happened.start, again.happened.end) == (happened.start, happened.end)


SUMMER_TIME = timezone(timedelta(hours=2))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2023-05-08T13:56:00-07:00", "2023-05-08T13:56:00-07:00"),
        ("2023-05-08T13:56:00Z", "2023-05-08T13:56:00+00:00"),
        ("2023-05-08T13:56", "2023-05-08T13:56:00+02:00"),
        ("2023-05-08 13:56", "2023-05-08T13:56:00+02:00"),
        ("2023-05-08", "2023-05-08T00:00:00+02:00"),
        ("8 May 2023", "2023-05-08T00:00:00+02:00"),
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56:00+02:00"),
        ("12:09 am on 13 September, 2023", "2023-09-13T00:09:00+02:00"),
        (1683554160, "2023-05-08T15:56:00+02:00"),
        ("1683554160", "2023-05-08T15:56:00+02:00"),
        (1683554160.5, "2023-05-08T15:56:00.500000+02:00"),
        (datetime(2023, 5, 8, 1), "2023-05-08T01:00:00+02:00"),  # noqa: DTZ001 - naive on purpose
        (datetime(2023, 5, 8, 1, tzinfo=UTC), "2023-05-08T01:00:00+00:00"),
    ],
)
def test_an_instant_keeps_its_offset_and_a_naive_one_is_in_the_zone(value, expected):
    assert parse_instant(value, SUMMER_TIME).isoformat() == expected


@pytest.mark.parametrize(
    "value",
    ["", "  ", "yesterday", "2023", "May 2023", "5/7/2023", "2023-02-30", "2023-05-08T25:00",
     "13:56 pm on 8 May 2023",
     float("nan"), float("inf"), 10**18, True, None, "0001-01-01", "9999-12-31T23:59:59-05:00",
     "0001-01-01T00:00:00Z",
     datetime(9999, 12, 31, tzinfo=UTC)],
)  # fmt: skip
def test_what_is_no_instant_is_refused_in_one_sentence(value):
    with pytest.raises(UsageError, match=r"^.+(is not a time|cannot be shifted to UTC): use .+\.$"):
        parse_instant(value, UTC)


@pytest.mark.parametrize("value", ["2023-05-07", "7 May 2023", "May 7, 2023", "7th of May 2023"])
def test_a_day_is_read_from_iso_or_words(value):
    assert parse_day(value) == date(2023, 5, 7)


@pytest.mark.parametrize("value", ["", "yesterday", "May 2023", "7 May", "2023-13-01", "5/7/2023", "soon"])
def test_what_is_no_day_is_refused_with_an_example(value):
    with pytest.raises(UsageError, match="is not a day: use"):
        parse_day(value)


PIECES = st.sampled_from(
    ["last", "next", "week", "Friday", "the", "before", "of", "May", "7", "2023", "a few", "years", "ago",
     "in", "two", "on", "since", "end of", "Christmas", ",", ".", "\n", "9999", "year", "gestern", "昨天",
     "下周一", "'s",
     "5/7/2023", "-", "9999-12-31", "1000 years ago", "yesterday", "ſ", "İ", "　", "١٢"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=12).map(" ".join))


@given(TEXTS, st.datetimes(timezones=st.sampled_from([UTC, SUMMER_TIME])))
@settings(max_examples=400, deadline=None)
def test_spot_never_raises_and_its_spans_are_ordered_and_quote_the_text(text, said_at):
    end = 0
    for found in spot(text, said_at):
        assert end <= found.start < found.end <= len(text)
        assert text[found.start : found.end] == found.phrase
        assert found.happened is None or found.happened.start <= found.happened.end
        end = found.end
    restate(text, said_at)


@pytest.mark.parametrize(
    "piece",
    ["a", " ", "1", "the ", "may ", "5 may ", "last week ", "the week before ", "1-2-", "三天前"],
)
def test_a_long_text_takes_linear_time(piece):
    def seconds(length: int) -> float:
        text = (piece * (length // len(piece) + 1))[:length]
        began = time.perf_counter()
        spot(text, WEDNESDAY)
        return time.perf_counter() - began

    seconds(1_000)
    assert seconds(200_000) < 40 * max(seconds(20_000), 0.01)  # quadratic time would be 100 times


def test_dateparser_is_not_imported_for_ordinary_phrases():
    code = (
        "import sys; from datetime import datetime, timezone; from meme.language.times import spot;"
        "spot('We met last Friday, on 3 juin 2025 and gestern.', datetime(2025, 9, 3, tzinfo=timezone.utc));"
        "print('dateparser' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"

"""Time phrases: what they mean on a given day, and what stays unresolved."""

import subprocess
import sys
import time
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meme.errors import UsageError
from meme.language.times import parse_day, parse_instant, render, restate, spot
from meme.records import Happened

WEDNESDAY = datetime(2024, 5, 15, 10, tzinfo=UTC)
FRIDAY = datetime(2023, 6, 9, 19, 55, tzinfo=UTC)
SUNDAY = datetime(2023, 1, 1, 20, 30, tzinfo=UTC)
MONDAY = datetime(2023, 7, 17, 14, 31, tzinfo=UTC)
SATURDAY = datetime(2023, 7, 22, 18, 21, tzinfo=UTC)
LEAP_DAY = datetime(2024, 2, 29, 12, tzinfo=UTC)
SEPTEMBER = datetime(2025, 9, 3, 9, tzinfo=UTC)  # a Wednesday

# text, said at, (phrase, first day, last day, precision)
RESOLVED = [
    ("I got my driving licence last Friday!", WEDNESDAY, "last Friday", "2024-05-10", "2024-05-10", "day"),
    ("I am at home today.", WEDNESDAY, "today", "2024-05-15", "2024-05-15", "day"),
    ("What are you doing tonight?", WEDNESDAY, "tonight", "2024-05-15", "2024-05-15", "day"),
    ("I ran this morning.", WEDNESDAY, "this morning", "2024-05-15", "2024-05-15", "day"),
    ("We talked yesterday.", WEDNESDAY, "yesterday", "2024-05-14", "2024-05-14", "day"),
    ("We talked yesterday.", SUNDAY, "yesterday", "2022-12-31", "2022-12-31", "day"),
    ("We talked yesterday evening.", WEDNESDAY, "yesterday evening", "2024-05-14", "2024-05-14", "day"),
    ("It rained the day before yesterday.", WEDNESDAY, "the day before yesterday", "2024-05-13", "2024-05-13", "day"),
    ("I slept badly last night.", LEAP_DAY, "last night", "2024-02-28", "2024-02-28", "day"),
    ("I'll call you tomorrow.", LEAP_DAY, "tomorrow", "2024-03-01", "2024-03-01", "day"),
    ("I'll call the day after tomorrow.", WEDNESDAY, "the day after tomorrow", "2024-05-17", "2024-05-17", "day"),
    ("I left 10 days ago.", WEDNESDAY, "10 days ago", "2024-05-05", "2024-05-05", "day"),
    ("I left two days ago.", SUNDAY, "two days ago", "2022-12-30", "2022-12-30", "day"),
    ("I left a week ago.", WEDNESDAY, "a week ago", "2024-05-06", "2024-05-12", "week"),
    ("I got a puppy two weeks ago!", WEDNESDAY, "two weeks ago", "2024-04-29", "2024-05-05", "week"),
    ("I moved two months ago.", WEDNESDAY, "two months ago", "2024-03-01", "2024-03-31", "month"),
    ("I moved 14 months ago.", WEDNESDAY, "14 months ago", "2023-03-01", "2023-03-31", "month"),
    ("I moved two years ago.", WEDNESDAY, "two years ago", "2022-01-01", "2022-12-31", "year"),
    ("I moved twenty-five years ago.", WEDNESDAY, "twenty-five years ago", "1999-01-01", "1999-12-31", "year"),
    ("I moved a year and a half ago.", WEDNESDAY, "a year and a half ago", "2022-11-01", "2022-11-30", "month"),
    ("I moved half a year ago.", WEDNESDAY, "half a year ago", "2023-11-01", "2023-11-30", "month"),
    ("I moved about a year ago.", WEDNESDAY, "about a year ago", "2023-01-01", "2023-12-31", "year"),
    ("I saw it about 10 days ago.", WEDNESDAY, "about 10 days ago", "2024-04-29", "2024-05-05", "week"),
    ("We married 10 years ago today.", LEAP_DAY, "10 years ago today", "2014-02-28", "2014-02-28", "day"),
    ("He called three hours ago.", WEDNESDAY, "three hours ago", "2024-05-15", "2024-05-15", "day"),
    ("We will fly in 3 days.", WEDNESDAY, "in 3 days", "2024-05-18", "2024-05-18", "day"),
    ("We will fly in two weeks.", WEDNESDAY, "in two weeks", "2024-05-27", "2024-06-02", "week"),
    ("We will fly in two weeks' time.", WEDNESDAY, "in two weeks' time", "2024-05-27", "2024-06-02", "week"),
    ("We will fly in 3 months.", WEDNESDAY, "in 3 months", "2024-08-01", "2024-08-31", "month"),
    ("We will move in 5 years.", WEDNESDAY, "in 5 years", "2029-01-01", "2029-12-31", "year"),
    ("We fly two weeks from now.", WEDNESDAY, "two weeks from now", "2024-05-27", "2024-06-02", "week"),
    ("We fly a week from Friday.", WEDNESDAY, "a week from Friday", "2024-05-24", "2024-05-24", "day"),
    ("I gave a talk last week.", FRIDAY, "last week", "2023-05-29", "2023-06-04", "week"),
    ("I gave a talk last week.", SUNDAY, "last week", "2022-12-19", "2022-12-25", "week"),
    ("I am busy this week.", FRIDAY, "this week", "2023-06-05", "2023-06-11", "week"),
    ("I am busy next week.", SUNDAY, "next week", "2023-01-02", "2023-01-08", "week"),
    ("I was busy the week before last.", FRIDAY, "the week before last", "2023-05-22", "2023-05-28", "week"),
    ("We went away last weekend.", MONDAY, "last weekend", "2023-07-15", "2023-07-16", "weekend"),
    ("We went away last weekend.", SATURDAY, "last weekend", "2023-07-15", "2023-07-16", "weekend"),
    ("We camped two weekends ago.", MONDAY, "two weekends ago", "2023-07-08", "2023-07-09", "weekend"),
    ("That trip this past weekend was wild.", FRIDAY, "this past weekend", "2023-06-03", "2023-06-04", "weekend"),
    ("We hiked over the weekend.", MONDAY, "the weekend", "2023-07-15", "2023-07-16", "weekend"),
    ("Are you free this weekend?", WEDNESDAY, "this weekend", "2024-05-18", "2024-05-19", "weekend"),
    ("Are you free next weekend?", WEDNESDAY, "next weekend", "2024-05-18", "2024-05-19", "weekend"),
    ("I got hurt last month.", SUNDAY, "last month", "2022-12-01", "2022-12-31", "month"),
    ("It starts this month.", WEDNESDAY, "this month", "2024-05-01", "2024-05-31", "month"),
    ("It starts next month.", WEDNESDAY, "next month", "2024-06-01", "2024-06-30", "month"),
    ("I read it last year.", FRIDAY, "last year", "2022-01-01", "2022-12-31", "year"),
    ("It opens next year.", WEDNESDAY, "next year", "2025-01-01", "2025-12-31", "year"),
    ("We camped last summer.", WEDNESDAY, "last summer", "2023-06-01", "2023-08-31", "season"),
    ("We camped last summer.", MONDAY, "last summer", "2022-06-01", "2022-08-31", "season"),
    ("We'll ski next winter.", WEDNESDAY, "next winter", "2024-12-01", "2025-02-28", "season"),
    ("I visited her this spring.", WEDNESDAY, "this spring", "2024-03-01", "2024-05-31", "season"),
    ("I fell in the fall.", WEDNESDAY, "in the fall", "2023-09-01", "2023-11-30", "season"),
    ("It was in the summer of 2022.", WEDNESDAY, "in the summer of 2022", "2022-06-01", "2022-08-31", "season"),
    ("I joined last Tues. It is fun.", MONDAY, "last Tues", "2023-07-11", "2023-07-11", "day"),
    ("I met him last Monday.", MONDAY, "last Monday", "2023-07-10", "2023-07-10", "day"),
    ("We meet next Monday.", MONDAY, "next Monday", "2023-07-24", "2023-07-24", "day"),
    ("We meet this Friday.", WEDNESDAY, "this Friday", "2024-05-17", "2024-05-17", "day"),
    ("We danced last Friday night.", WEDNESDAY, "last Friday night", "2024-05-10", "2024-05-10", "day"),
    ("I went home on Friday.", WEDNESDAY, "on Friday", "2024-05-10", "2024-05-10", "day"),
    ("I will go home on Friday.", WEDNESDAY, "on Friday", "2024-05-17", "2024-05-17", "day"),
    ("See you Friday!", WEDNESDAY, "Friday", "2024-05-17", "2024-05-17", "day"),
    ("I met her Fri and he left.", WEDNESDAY, "Fri", "2024-05-10", "2024-05-10", "day"),
    ("The exam is on Tuesday next week.", WEDNESDAY, "on Tuesday next week", "2024-05-21", "2024-05-21", "day"),
    ("I met him last May.", WEDNESDAY, "last May", "2023-05-01", "2023-05-31", "month"),
    ("It ends next June.", WEDNESDAY, "next June", "2024-06-01", "2024-06-30", "month"),
    ("We met in March.", WEDNESDAY, "in March", "2024-03-01", "2024-03-31", "month"),
    ("We met in October.", WEDNESDAY, "in October", "2023-10-01", "2023-10-31", "month"),
    ("We will meet in March.", WEDNESDAY, "in March", "2025-03-01", "2025-03-31", "month"),
    ("We met in mid-May.", WEDNESDAY, "in mid-May", "2024-05-01", "2024-05-31", "month"),
    ("He called earlier this week.", FRIDAY, "earlier this week", "2023-06-05", "2023-06-11", "week"),
    ("It starts later this month.", FRIDAY, "later this month", "2023-06-01", "2023-06-30", "month"),
    ("It ended late last year.", FRIDAY, "late last year", "2022-01-01", "2022-12-31", "year"),
    ("I moved at the end of last month.", FRIDAY, "the end of last month", "2023-05-01", "2023-05-31", "month"),
    ("I will move by the end of the year.", FRIDAY, "the end of the year", "2023-01-01", "2023-12-31", "year"),
    ("I ran the Sunday before 25 May.", FRIDAY, "the Sunday before 25 May", "2023-05-21", "2023-05-21", "day"),
    ("I quit the week before Easter Monday.", WEDNESDAY, "the week before Easter Monday", "2024-03-25", "2024-03-31", "week"),
    ("It was the week before 9 June 2023.", WEDNESDAY, "the week before 9 June 2023", "2023-05-29", "2023-06-04", "week"),
    ("It was the week of 23 August 2023.", WEDNESDAY, "the week of 23 August 2023", "2023-08-21", "2023-08-27", "week"),
    ("It was two days after Christmas 2022.", WEDNESDAY, "two days after Christmas 2022", "2022-12-27", "2022-12-27", "day"),
    ("It was the month after May 2023.", WEDNESDAY, "the month after May 2023", "2023-06-01", "2023-06-30", "month"),
    ("It was the weekend before 17 July 2023.", WEDNESDAY, "the weekend before 17 July 2023", "2023-07-15", "2023-07-16", "weekend"),
    ("We shopped the Friday after Thanksgiving.", WEDNESDAY, "the Friday after Thanksgiving", "2023-11-24", "2023-11-24", "day"),
    ("It was the first weekend of August 2023.", WEDNESDAY, "the first weekend of August 2023", "2023-08-05", "2023-08-06", "weekend"),
    ("I work there since 2016.", WEDNESDAY, "since 2016", "2016-01-01", "2016-12-31", "year"),
    ("I moved in 2022.", WEDNESDAY, "in 2022", "2022-01-01", "2022-12-31", "year"),
    ("That was May 2023.", WEDNESDAY, "May 2023", "2023-05-01", "2023-05-31", "month"),
    ("We met on 7 May.", WEDNESDAY, "on 7 May", "2024-05-07", "2024-05-07", "day"),
    ("We met on May 27th.", WEDNESDAY, "on May 27th", "2023-05-27", "2023-05-27", "day"),
    ("It was the 7th of May, 2023.", WEDNESDAY, "the 7th of May, 2023", "2023-05-07", "2023-05-07", "day"),
    ("It was 2023-05-07.", WEDNESDAY, "2023-05-07", "2023-05-07", "2023-05-07", "day"),
    ("It was 31/12/2022.", WEDNESDAY, "31/12/2022", "2022-12-31", "2022-12-31", "day"),
    ("It was 12/31/2022.", WEDNESDAY, "12/31/2022", "2022-12-31", "2022-12-31", "day"),
    ("It ran 5-9 May 2023.", WEDNESDAY, "5-9 May 2023", "2023-05-05", "2023-05-09", "range"),
    ("It ran May 5-9, 2023.", WEDNESDAY, "May 5-9, 2023", "2023-05-05", "2023-05-09", "range"),
    ("It ran 28 December - 3 January 2024.", WEDNESDAY, "28 December - 3 January 2024", "2023-12-28", "2024-01-03", "range"),
    ("Music of the 90s is great.", WEDNESDAY, "the 90s", "1990-01-01", "1999-12-31", "range"),
    ("I like 1980s films.", WEDNESDAY, "1980s", "1980-01-01", "1989-12-31", "range"),
    ("We moved on the 3rd.", WEDNESDAY, "on the 3rd", "2024-05-03", "2024-05-03", "day"),
    ("We ate at Christmas.", WEDNESDAY, "at Christmas", "2023-12-25", "2023-12-25", "day"),
    ("We will eat at Christmas.", WEDNESDAY, "at Christmas", "2024-12-25", "2024-12-25", "day"),
    ("We met on New Year's Eve.", WEDNESDAY, "on New Year's Eve", "2023-12-31", "2023-12-31", "day"),
    ("I dressed up for Halloween.", WEDNESDAY, "Halloween", "2023-10-31", "2023-10-31", "day"),
    ("He cooked last Thanksgiving.", WEDNESDAY, "last Thanksgiving", "2023-11-23", "2023-11-23", "day"),
    ("I wrote a card on Valentine's Day.", WEDNESDAY, "on Valentine's Day", "2024-02-14", "2024-02-14", "day"),
    ("We hid eggs last Easter.", WEDNESDAY, "last Easter", "2024-03-31", "2024-03-31", "day"),
    ("We watched fireworks on the 4th of July.", WEDNESDAY, "on the 4th of July", "2023-07-04", "2023-07-04", "day"),
]  # fmt: skip

ABROAD = [
    ("Ich war gestern beim Arzt.", "gestern", "2025-09-02", "2025-09-02", "day"),
    ("Das war letzte Woche.", "letzte Woche", "2025-08-25", "2025-08-31", "week"),
    ("Wir fliegen nächsten Montag.", "nächsten Montag", "2025-09-08", "2025-09-08", "day"),
    ("Das war vor 3 Tagen.", "vor 3 Tagen", "2025-08-31", "2025-08-31", "day"),
    ("Wir sehen uns am 3. Juni 2025.", "am 3. Juni 2025", "2025-06-03", "2025-06-03", "day"),
    ("Je suis allé à Paris hier.", "hier", "2025-09-02", "2025-09-02", "day"),
    ("Il est parti la semaine dernière.", "la semaine dernière", "2025-08-25", "2025-08-31", "week"),
    ("Je pars l'année prochaine.", "l'année prochaine", "2026-01-01", "2026-12-31", "year"),
    ("C'était le 3 juin 2025.", "le 3 juin 2025", "2025-06-03", "2025-06-03", "day"),
    ("Ayer fui al cine.", "Ayer", "2025-09-02", "2025-09-02", "day"),
    ("Lo vi el lunes pasado.", "el lunes pasado", "2025-09-01", "2025-09-01", "day"),
    ("Me mudé hace dos años.", "hace dos años", "2023-01-01", "2023-12-31", "year"),
    ("Domani parto.", "Domani", "2025-09-04", "2025-09-04", "day"),
    ("Ci siamo visti il mese scorso.", "il mese scorso", "2025-08-01", "2025-08-31", "month"),
    ("Cheguei ontem.", "ontem", "2025-09-02", "2025-09-02", "day"),
    ("Mudei há 3 dias.", "há 3 dias", "2025-08-31", "2025-08-31", "day"),
    ("Я был там вчера.", "вчера", "2025-09-02", "2025-09-02", "day"),
    ("Мы поедем в следующем году.", "в следующем году", "2026-01-01", "2026-12-31", "year"),
    ("我昨天去了医院", "昨天", "2025-09-02", "2025-09-02", "day"),
    ("我们下周一开会", "下周一", "2025-09-08", "2025-09-08", "day"),
    ("我去年搬家了", "去年", "2024-01-01", "2024-12-31", "year"),
    ("会议在2025年9月8日", "2025年9月8日", "2025-09-08", "2025-09-08", "day"),
    ("昨日は雨でした", "昨日", "2025-09-02", "2025-09-02", "day"),
    ("来週の月曜日に会います", "来週の月曜日", "2025-09-08", "2025-09-08", "day"),
    ("Widzimy się 3 maja 2025", "3 maja 2025", "2025-05-03", "2025-05-03", "day"),
]

UNRESOLVED = [
    "recently", "lately", "soon", "the other day", "a while ago", "a few years ago", "a couple of weeks ago",
    "several months ago", "over a year ago", "the last few weeks", "5/7/2023", "the past year", "the 20s",
]  # fmt: skip

NOT_DATES = [
    "May I come in?", "I may go.", "We march every day.", "He sat on the bench.", "The sun is hot.",
    "She came in second place.", "Wait a second!", "Let's meet at 3pm.", "I lived there for 3 years.",
    "I read it in two weeks.", "I talked to June.", "April said hello.", "Every Friday we dance.",
    "Our Friday meeting is long.", "Wednesday Addams is a film.", "on Sunday mornings", "There were 2000 people.",
    "She is in her 60s.", "the fall of Rome", "Do it as soon as you can.", "31 June", "30 February 2023",
    "the last name", "next to me", "once in a while", "Ich bin hier.", "Guten Morgen!", "Sunday school teacher",
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
    ["", "  ", "yesterday", "2023", "May 2023", "5/7/2023", "2023-02-30", "2023-05-08T25:00", "13:56 pm on 8 May 2023",
     float("nan"), float("inf"), 10**18, True, None, "0001-01-01", "9999-12-31T23:59:59-05:00", "0001-01-01T00:00:00Z",
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
    ["last", "next", "week", "Friday", "the", "before", "of", "May", "7", "2023", "a few", "years", "ago", "in",
     "two", "on", "since", "end of", "Christmas", ",", ".", "\n", "9999", "year", "gestern", "昨天", "下周一", "'s",
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
    "piece", ["a", " ", "1", "the ", "may ", "5 may ", "last week ", "the week before ", "1-2-", "三天前", "a few "]
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

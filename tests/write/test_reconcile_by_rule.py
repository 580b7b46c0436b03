"""Verdicts of the embedded default on pairs and sets of statements, with and without similarities."""

import math
from collections import Counter
from datetime import UTC, date, datetime

import pytest

from meme.language.words import words
from meme.records import Happened
from meme.write.reconcile_by_rule import reconcile_by_rule
from meme.write.shapes import Candidate, DecisionReply, NewFact, ReconcilePayload

EARLY, LATE = "2025-01-10", "2025-08-20"


def at(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)


def overlap(one: str, other: str) -> float:
    """The cosine of two bags of words: a stand-in for an embedding model."""
    a, b = Counter(words(one)), Counter(words(other))
    dot = sum(a[w] * b[w] for w in a)
    return dot / (
        math.sqrt(sum(n * n for n in a.values())) * math.sqrt(sum(n * n for n in b.values())) or 1.0
    )


def decide(known: list[tuple[str, str]], new: list[tuple[str, str]], *, similar: bool) -> list[DecisionReply]:
    candidates = tuple(Candidate(f"m{i}", text, at(day)) for i, (text, day) in enumerate(known, 1))
    refs = tuple(c.ref for c in candidates)
    facts: list[NewFact] = []
    for i, (text, day) in enumerate(new, 1):
        facts.append(NewFact(f"n{i}", text, at(day), near=refs + tuple(f.ref for f in facts)))
    texts = {c.ref: c.text for c in candidates} | {f.ref: f.text for f in facts}
    cosines = {(f.ref, near): overlap(f.text, texts[near]) for f in facts for near in f.near}
    reply = reconcile_by_rule(ReconcilePayload(tuple(facts), candidates, cosines if similar else {}))
    return [item for item in reply.decisions if isinstance(item, DecisionReply)]


SAME = [
    ("Alice is allergic to walnuts.", "Alice has a walnut allergy."),
    ("Bob works at Lumen Ltd.", "Bob is employed by Lumen."),
    ("Alice moved to Lyon on 3 May 2024.", "Alice lives in Lyon."),
    ("Alice loves hiking.", "Alice really enjoys hiking."),
    ("The user's dog is called Biscuit.", "My dog is called Biscuit"),
    ("Alice is head of audit at Lumen Ltd.", "Alice works at Lumen."),
    ("Alice has two children.", "Alice has 2 kids."),
    ("Alice is married to Tom.", "Alice is married."),
    ("The staging gateway listens on 8080.", "The staging gateway is on port 8080."),
    ("The user plays tennis with Bob on Mondays.", "The user plays tennis."),
    ("Alice hates football.", "Alice detests football."),
    ("Alice doesn't like tea.", "Alice does not like tea."),
    ("The dentist appointment is on 3 June 2025.", "The dentist appointment is on June 3, 2025."),
    ("Alice Weber lives in Lyon.", "Alice lives in Lyon."),
    ("Alice went to Rome with Bob in May 2023.", "Alice went to Rome in May 2023."),
    ("The user can't stand cilantro.", "The user hates cilantro."),
]

NEWER = [
    ("Una quit smoking.", "Una started smoking again."),
    ("Tim drinks tea every morning.", "Tim drinks coffee every morning now."),
    ("The conference takes place in Berlin.", "The conference was moved to Vienna."),
    ("The database runs on Postgres 15.", "The database was upgraded to Postgres 17."),
    ("My address is 5 Elm Road", "My new address is 18 Birch Lane"),
    ("Alice lives in Paris.", "Alice moved to Lyon on 3 May 2025."),
    ("Alice moved to Lyon on 3 May 2024.", "Alice now lives in Nice."),
    ("The user lives in Berlin.", "I relocated to Hamburg"),
    ("Bob works at Lumen Ltd.", "Bob now works at Orbit."),
    ("Bob works at Lumen Ltd.", "Bob started a new job at Orbit."),
    ("Bob works at Lumen Ltd.", "Bob joined Orbit as a designer."),
    ("Priya is an analyst at Lumen.", "Priya is now head of research at Lumen."),
    ("Priya works as a nurse.", "Priya became a teacher."),
    ("Alice's phone number is 555-1234.", "Alice's new phone number is 555-9876."),
    ("Alice's phone number is 555-1234.", "Alice changed her phone number to 555-9876."),
    ("The user's e-mail address is a@example.org.", "The user's email address is b@example.org."),
    ("Alice's address is 4 Mill Lane.", "Alice's address is 12 Oak Street."),
    ("The staging gateway listens on 8080.", "Ops moved that gateway over to 9443."),
    ("The staging gateway listens on port 8080.", "The staging gateway now listens on 9443."),
    ("The budget is 5,000 euros", "The budget is now 6,200 euros"),
    ("The kitchen budget is 5,000 euros.", "The kitchen budget was raised to 6,200 euros."),
    ("The Pro plan costs 20 euros.", "The price of the Pro plan is 25 euros."),
    ("The API runs on version 2.3.", "The API was upgraded to 2.4."),
    ("The project uses Postgres 14.", "The project uses Postgres 16 now."),
    ("Alice is 34 years old.", "Alice turned 35 on 3 May 2025."),
    ("Alice is single.", "Alice got engaged to Tom."),
    ("Alice is engaged to Tom.", "Alice is married to Tom."),
    ("Alice's favourite colour is green.", "Alice's favourite color is blue."),
    ("The user's favourite film is Alien.", "The user's favourite film is Heat."),
    ("Alice prefers coffee over tea.", "Alice prefers tea over coffee."),
    ("The user prefers window seats.", "The user prefers aisle seats."),
    ("The dentist appointment is on 3 June 2025", "The dentist appointment was moved to 10 June 2025"),
    (
        "The user has a dentist appointment on 3 June 2025.",
        "The dentist appointment was rescheduled to 10 June 2025.",
    ),
    ("The team meeting is on Monday.", "The team meeting is now on Tuesday."),
    ("The team meeting is on Monday at 10:00.", "The team meeting was moved to 11:30."),
    ("The user's dog is called Biscuit.", "The user's dog is called Rex."),
    ("The project is called Falcon.", "The project was renamed to Osprey."),
    ("Alice is reading Dune.", "Alice is now reading Emma."),
    ("Alice is learning Spanish.", "Alice started learning Italian."),
    ("The library opens at 9:00.", "The library now opens at 10:00."),
    ("The shop is open from 9 to 18.", "The shop is open from 10 to 20."),
    ("The billing service is owned by Ben.", "Alice now owns the billing service."),
    ("The billing service is owned by Ben.", "The billing service was handed over to Alice."),
    ("The report deadline is 5 May 2025.", "The deadline for the report was extended to 12 May 2025."),
    ("Jo loves cilantro.", "Jo can't stand cilantro any more."),
    ("Alice hates olives.", "Alice likes olives now."),
    ("Alice doesn't like olives.", "Alice likes olives now."),
    ("Alice has 2 dogs.", "Alice has three dogs now."),
    ("Alice uses Gmail.", "Alice switched from Gmail to Proton Mail."),
    ("Alice takes the bus to work.", "Alice now takes the train to work."),
    ("Alice has 12 chickens.", "Alice has 15 chickens, not 12."),
    ("Alice lives in Lyon.", "Actually, Alice lives in Nice."),
    ("Alice stopped smoking.", "Alice smokes again."),
]

OVER = [
    ("I'm vegetarian", "I'm not vegetarian anymore"),
    ("Jon subscribed to Netflix.", "Jon cancelled his Netflix subscription."),
    ("Sue is a member of the chess club.", "Sue left the chess club."),
    ("Alice lives in Lyon.", "Alice no longer lives in Lyon."),
    ("Alice likes tea.", "Alice doesn't like tea any more."),
    ("Alice works at Lumen Ltd.", "Alice quit her job at Lumen."),
    ("Alice is an engineer at Lumen.", "Alice left Lumen on 3 May 2025."),
    ("Alice smokes.", "Alice quit smoking."),
    ("Alice goes swimming on Mondays.", "Alice stopped swimming."),
    ("Alice plays the piano.", "Alice gave up the piano."),
    ("Alice owns a red Vespa.", "Alice sold the Vespa."),
    ("Alice has a gym membership.", "Alice cancelled her gym membership."),
    ("The dentist appointment is on 3 June 2025.", "The dentist appointment was cancelled."),
    ("The user booked a flight to Rome.", "The user cancelled the flight to Rome."),
    ("Alice is dating Tom.", "Alice broke up with Tom."),
    ("Alice is dating Tom.", "Alice and Tom broke up."),
    ("Alice is a vegetarian.", "Alice is no longer vegetarian."),
    (
        "Max is allergic to walnuts.",
        "The man with the walnut allergy was not Max, that was Max's neighbour Dov.",
    ),
    (
        "The user is allergic to walnuts.",
        "Also, the man with the walnut allergy was not me, that was my neighbour Dov.",
    ),
    ("Max is allergic to walnuts.", "It was wrong that Max is allergic to walnuts."),
    ("Alice is allergic to nuts.", "Alice is not allergic to nuts."),
    ("Alice keeps to-do lists.", "Alice no longer keeps to-do lists."),
    ("Alice lives in Rome.", "Alice used to live in Rome."),
    ("The user likes cilantro.", "Forget that I like cilantro"),
    ("The user's phone number is 555-1234.", "Please forget my phone number."),
]

APART = [
    ("Kim is 40 years old.", "Kim is 1.70 metres tall."),
    ("Hal drives a Volvo.", "Hal washed the Volvo on 3 May 2025."),
    ("Pam's son Leo is 7.", "Pam's daughter Ida is 9."),
    ("The shop opens at 8:00.", "The shop closes at 20:00."),
    ("Vic was born in Turin.", "Vic lives in Rome."),
    ("The user lives in Oslo.", "The user is moving to Bergen in March 2026."),
    ("The product launch is on 12 May 2025.", "The launch party is on 20 May 2025."),
    ("Tim has a meeting with Rosa on 4 June 2025.", "Tim cancelled the meeting with Kai."),
    ("Una plays football on Tuesdays.", "Una played football on 5 May 2025."),
    ("Oli volunteers at the animal shelter.", "Oli started volunteering at the food bank."),
    ("Una has a job interview on Monday.", "Una got the job."),
    ("Quinn is learning to play chess.", "Quinn is learning to bake bread."),
    ("Una believes that Tim lives in Rome.", "Tim lives in Oslo."),
    ("Tim's interview at Globex is on 4 June 2025.", "Tim's interview at Acme is on 9 June 2025."),
    ("The default timeout is 30 seconds.", "The retry timeout is 10 seconds."),
    ("Jon has a Netflix subscription.", "Jon cancelled his Spotify subscription."),
    ("Alice plays tennis.", "Alice also plays golf."),
    ("Alice plays tennis.", "Alice now plays golf."),
    ("Priya is head of audit at Lumen Ltd.", "Priya also administers Lumen's code-hosting account now."),
    ("Priya is head of audit at Lumen Ltd.", "Priya administers Lumen's code-hosting account."),
    ("Bob works at Lumen Ltd.", "Bob also works at a bakery."),
    ("Alice has a son named Tom.", "Alice has a daughter named Mia."),
    ("Alice went to Rome in May 2023.", "Alice went to Oslo in June 2023."),
    ("Alice went to Rome in May 2023.", "Alice went to Rome in May 2024."),
    ("The user's dog is called Biscuit.", "The user's cat is called Minka."),
    ("The user's dog is called Biscuit.", "The user's second dog is called Rex."),
    ("The user has a dog called Biscuit.", "The user has a dog called Rex."),
    ("Alice likes tea.", "Alice likes coffee."),
    ("Jack hates football.", "Alma hates football."),
    ("Jack loves football.", "Alma hates football."),
    ("Alice lives in Lyon.", "Alice's sister moved to Rome."),
    ("Alice's sister lives in Rome.", "Alice moved to Lyon."),
    ("Alice lives in Lyon.", "Alice asked whether Bob lives in Rome."),
    ("Alice lives in Lyon.", "Does Alice live in Rome?"),
    ("Alice lives in Lyon.", 'Bob wrote: "Alice moved to Rome."'),
    ("Alice lives in Lyon.", "Alice plans to move to Rome."),
    ("Alice moved to Lyon on 3 May 2024.", "Alice moved to Paris on 2 June 2019."),
    ("Alice lives in Lyon.", "Alice lived in Rome from 2010 to 2015."),
    ("The eye doctor appointment is on 3 June 2025.", "The dentist appointment is on 10 June 2025."),
    ("The staging gateway listens on 8080.", "The production gateway listens on 9443."),
    ("The kitchen budget is 5,000 euros.", "The garden budget is 2,000 euros."),
    ("The staging gateway listens on 8080.", "The staging gateway is on version 2.4."),
    ("Alice's phone number is 555-1234.", "Bob's phone number is 555-9876."),
    ("Alice's phone number is 555-1234.", "Alice's address is 12 Oak Street."),
    ("Alice's favourite colour is green.", "Alice's favourite film is Heat."),
    ("Alice is 34 years old.", "Alice's brother is 31 years old."),
    ("Alice is dating Tom.", "Bob broke up with Sara."),
    ("Alice likes tea.", "Bob doesn't like tea any more."),
    ("Alice plays piano and tennis.", "Alice gave up tennis."),
    ("Alice bought a Vespa in 2019.", "Alice sold the Vespa."),
    ("Alice lives in Lyon.", "Alice no longer lives in Paris."),
    ("Alice works at Lumen Ltd.", "Alice quit smoking."),
    ("Max is allergic to walnuts.", "Actually, Bob is allergic to walnuts."),
    ("Max is allergic to walnuts.", "Dov is not allergic to walnuts."),
    ("Alice works at Lumen Ltd.", "Alice is a nurse."),
    ("Alice ran 5 km on 3 May 2025.", "Alice ran 10 km on 9 May 2025."),
    ("Alice drinks coffee in the morning.", "Alice doesn't drink wine."),
    ("Alice is reading Dune.", "Alice is also reading Emma."),
    ("Alice is reading Dune.", "Alice is learning Spanish."),
    ("Alice has a brother.", "Alice has a sister."),
    ("Alice visited the museum.", "Alice visited the museum on 4 May 2025."),
    ("Alice gave Tom a book.", "Tom gave Alice a book."),
    ("Alice hates it when people smoke.", "Alice smokes."),
    ("The concert was on 3 May 2025.", "The concert was on 10 June 2025."),
    ("The user has a meeting at 10:00.", "The user has a meeting at 14:00."),
    ("The user's flight to Rome leaves at 10:00.", "The user's flight to Oslo leaves at 14:00."),
    ("Alice is dating Tom.", "Alice and Sam broke up."),
    ("Alice and Tom live in Lyon.", "Alice moved to Nice."),
    ("Alice's car is red.", "Bob's car is blue."),
    ("Alice flew from Paris to Rome.", "Alice flew from Rome to Paris."),
    ("Alice wants to learn Spanish.", "Alice is learning Italian."),
    ("Bob's dog died on 3 May 2025.", "Bob's dog is called Rex."),
    ("Alice likes Lyon.", "Alice moved to the marketing team."),
]

RICHER = [
    ("Alice lives in Lyon.", "Alice moved to Lyon on 3 May 2024."),
    ("Alice is married.", "Alice is married to Tom."),
    (
        "The user has a dentist appointment in June 2025.",
        "The user has a dentist appointment on 3 June 2025.",
    ),
    ("Alice plays tennis.", "Alice plays tennis with Bob on Mondays."),
    ("Bob works at Lumen.", "Bob is head of audit at Lumen."),
    ("Alice is allergic to nuts.", "Alice is severely allergic to nuts."),
]

PAIRS = [
    *((known, new, "NOOP") for known, new in SAME),
    *((known, new, "UPDATE") for known, new in NEWER),
    *((known, new, "DELETE") for known, new in OVER),
    *((known, new, "ADD") for known, new in APART),
    *((known, new, "UPDATE") for known, new in RICHER),
]


@pytest.mark.parametrize("similar", [False, True], ids=["words", "similarities"])
@pytest.mark.parametrize(("known", "new", "verb"), PAIRS)
def test_a_new_statement_gets_the_verdict_its_words_deserve(known: str, new: str, verb: str, similar: bool):
    (item,) = decide([(known, EARLY)], [(new, LATE)], similar=similar)
    assert item.op == verb, item.reason
    assert item.id == (None if verb == "ADD" else "m1")
    assert item.reason


Window = list[tuple[str, str]]


def verdicts(known: Window, new: Window) -> list[tuple[str, str, str | None]]:
    return [(item.new, item.op, item.id) for item in decide(known, new, similar=False)]


def said(*texts: str, day: str = LATE) -> Window:
    return [(text, day) for text in texts]


SEVERAL = [
    (
        "every_entry_with_the_old_value_is_closed_and_only_those",
        ["Alice lives in Paris.", "Alice's home is in Paris.", "Alice's sister lives in Paris."],
        ["Alice moved to Lyon."],
        [("n1", "UPDATE", "m1"), ("n1", "UPDATE", "m2")],
    ),
    (
        "an_outdated_value_beside_a_known_one_is_closed_too",
        ["Alice lives in Paris.", "Alice lives in Lyon."],
        ["Alice lives in Lyon."],
        [("n1", "UPDATE", "m1"), ("n1", "UPDATE", "m2")],
    ),
    (
        "each_fact_finds_its_own_person",
        ["Alice lives in Paris.", "Bob lives in Rome.", "Alice works at Lumen."],
        ["Bob moved to Oslo.", "Alice moved to Nice."],
        [("n1", "UPDATE", "m2"), ("n2", "UPDATE", "m1")],
    ),
    (
        "a_later_fact_replaces_an_earlier_one_of_the_same_window",
        ["Alice lives in Paris."],
        ["Alice moved to Lyon.", "Alice moved to Nice."],
        [("n1", "UPDATE", "m1"), ("n2", "UPDATE", "n1")],
    ),
    (
        "a_repetition_in_the_window_is_nothing_new",
        [],
        ["Alice moved to Nice.", "Alice moved to Nice."],
        [("n1", "ADD", None), ("n2", "NOOP", "n1")],
    ),
    (
        "a_denial_ends_all_that_it_denies",
        ["Alice smokes.", "Alice smokes a pipe.", "Bob smokes."],
        ["Alice quit smoking."],
        [("n1", "DELETE", "m1"), ("n1", "DELETE", "m2")],
    ),
    (
        "that_gateway_is_not_both_gateways",
        ["The staging gateway listens on 8080.", "The production gateway listens on 80."],
        ["Ops moved that gateway over to 9443."],
        [("n1", "ADD", None)],
    ),
    (
        "a_request_to_forget_takes_only_what_it_names",
        ["The user likes cilantro.", "The user likes basil.", "Bob likes cilantro."],
        ["Forget that I like cilantro."],
        [("n1", "DELETE", "m1")],
    ),
    (
        "a_duplicate_wins_over_a_mere_neighbour",
        ["Alice likes coffee.", "Alice is allergic to walnuts.", "Alice likes tea."],
        ["Alice has a walnut allergy."],
        [("n1", "NOOP", "m2")],
    ),
    (
        "a_correction_of_somebody_else_closes_nothing",
        ["Bob has 12 chickens."],
        ["Alice has 15 chickens, not 12."],
        [("n1", "ADD", None)],
    ),
]


@pytest.mark.parametrize(("known", "new", "expected"), [c[1:] for c in SEVERAL], ids=[c[0] for c in SEVERAL])
def test_among_several_candidates(
    known: list[str], new: list[str], expected: list[tuple[str, str, str | None]]
):
    assert verdicts(said(*known, day=EARLY), said(*new)) == expected


@pytest.mark.parametrize(
    ("first", "correction", "text"),
    [
        ("Alice has 12 chickens.", "Actually, it's 15.", "Alice has 15 chickens."),
        ("Alice has 12 chickens.", "Not 12 but 15.", "Alice has 15 chickens."),
        (
            "The meeting is on Monday at 10:00.",
            "Sorry, on Tuesday not Monday.",
            "The meeting is on Tuesday at 10:00.",
        ),
        ("The meeting is on Monday.", "I meant Tuesday.", "The meeting is on Tuesday."),
        ("The user's flight leaves at 10:00.", "Actually, the user's flight leaves at 11:00.", None),
        ("Alice has 3 cats.", "Alice has 4 cats, not 3.", None),
    ],
)
def test_a_correction_updates_the_fact_just_stated(first: str, correction: str, text: str | None):
    decisions = decide([], said(first, "Bob likes tea.", correction), similar=False)
    assert (decisions[-1].op, decisions[-1].id, decisions[-1].text) == ("UPDATE", "n1", text)


def test_that_was_wrong_withdraws_the_last_statement_only():
    new = said("Alice has a dog.", "Alice's dog is called Rex.", "That was wrong.")
    assert verdicts([], new)[-1] == ("n3", "DELETE", "n2")


def test_a_bare_correction_never_reaches_back_beyond_the_window():
    assert verdicts(said("Alice has 12 chickens.", day=EARLY), said("Actually, it's 15.")) == [
        ("n1", "ADD", None)
    ]


def test_a_demonstrative_is_written_out_when_it_replaces_what_it_points_at():
    (item,) = decide(
        said("The staging gateway listens on 8080.", day=EARLY),
        said("Ops moved that gateway over to 9443."),
        similar=False,
    )
    assert item.text == "Ops moved the staging gateway over to 9443."


def test_a_new_hour_keeps_the_day():
    (item,) = decide(
        said("The team meeting is on Monday at 10:00.", day=EARLY),
        said("The team meeting was moved to 11:30."),
        similar=False,
    )
    assert item.text == "The team meeting is on Monday at 11:30."


def test_only_a_request_to_forget_keeps_nothing():
    known = said("The user likes cilantro.", day=EARLY)
    (forgotten,) = decide(known, said("Forget that I like cilantro"), similar=False)
    (ended,) = decide(known, said("The user no longer likes cilantro."), similar=False)
    assert (forgotten.op, forgotten.text) == ("DELETE", "")
    assert (ended.op, ended.text) == ("DELETE", None)


def test_an_older_statement_told_later_does_not_replace_a_newer_one():
    assert verdicts([("Alice lives in Lyon.", LATE)], [("Alice lives in Paris.", EARLY)]) == [
        ("n1", "ADD", None)
    ]


def test_the_resolved_date_of_a_fact_tells_events_apart():
    def day(n: int) -> Happened:
        return Happened(date(2025, 5, n), date(2025, 5, n), "day", "yesterday")

    known = Candidate("m1", "Alice went swimming.", at(EARLY), happened=day(3))
    facts = tuple(
        NewFact(f"n{i}", "Alice went swimming.", at(LATE), happened=day(n), near=("m1",))
        for i, n in enumerate((3, 9), 1)
    )
    reply = reconcile_by_rule(ReconcilePayload(facts, (known,), {}))
    assert [item.op for item in reply.decisions] == ["NOOP", "ADD"]


def test_similarity_chooses_between_entries_that_say_the_same():
    known = tuple(Candidate(f"m{i}", "Alice is allergic to walnuts.", at(EARLY)) for i in (1, 2))
    fact = NewFact("n1", "Alice has a walnut allergy.", at(LATE), near=("m1", "m2"))
    payload = ReconcilePayload((fact,), known, {("n1", "m1"): 0.7, ("n1", "m2"): 0.9})
    (item,) = reconcile_by_rule(payload).decisions
    assert (item.op, item.id) == ("NOOP", "m2")


def test_high_similarity_alone_decides_nothing():
    known = Candidate("m1", "Alice has a brother.", at(EARLY))
    fact = NewFact("n1", "Alice has a sister.", at(LATE), near=("m1",))
    (item,) = reconcile_by_rule(ReconcilePayload((fact,), (known,), {("n1", "m1"): 0.99})).decisions
    assert item.op == "ADD"


def test_every_fact_gets_a_verdict_whatever_it_says():
    odd = said("", "???", "Ünïcödé 東京", "and", "Alice", "It is.", "I", "'s", "not 5", "the", "no")
    decisions = decide(said("Alice lives in Paris.", "", day=EARLY), odd, similar=False)
    assert {item.new for item in decisions} == {f"n{i}" for i in range(1, len(odd) + 1)}


@pytest.mark.parametrize("similar", [False, True])
def test_a_number_said_twice_is_not_covered_by_one(similar: bool) -> None:
    known = [("The user bought item number 96 in shop 96.", "2025-01-01")]
    new = [("The user bought item number 290 in shop 96.", "2025-01-02")]
    assert [one.op for one in decide(known, new, similar=similar)] == ["ADD"]

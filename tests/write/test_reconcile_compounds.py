"""Verdicts of the embedded default on corrections, plans, habits and compound sentences."""

from datetime import UTC, date, datetime, timedelta

import pytest

from meme.records import Happened
from meme.write.reconcile_by_rule import reconcile_by_rule
from meme.write.reconcile_by_rule.clauses import clauses
from meme.write.reconcile_by_rule.corrections import affirmed, correction_in
from meme.write.shapes import Candidate, DecisionReply, NewFact, ReconcilePayload

THEN = datetime(2025, 3, 9, 12, tzinfo=UTC)
LATER = datetime(2025, 9, 20, 12, tzinfo=UTC)


def window(*texts: str, phrase: str = "") -> list[DecisionReply]:
    """The verdicts on a window of facts, a minute apart, each near all earlier ones."""
    happened = Happened(date(2024, 1, 1), date(2024, 1, 1), "day", phrase) if phrase else None
    facts: list[NewFact] = []
    for i, text in enumerate(texts, 1):
        last = happened if i == len(texts) else None
        near = tuple(f.ref for f in facts)
        facts.append(NewFact(f"n{i}", text, THEN + timedelta(minutes=i), happened=last, near=near))
    reply = reconcile_by_rule(ReconcilePayload(tuple(facts), (), {}))
    return [d for d in reply.decisions if isinstance(d, DecisionReply)]


def later(known: list[str], new: str, *, at: datetime = LATER) -> list[tuple[str, str | None, str | None]]:
    """The verdicts on one fact, half a year after everything known was said."""
    entries = tuple(Candidate(f"m{i}", text, THEN) for i, text in enumerate(known, 1))
    fact = NewFact("n1", new, at, near=tuple(c.ref for c in entries))
    reply = reconcile_by_rule(ReconcilePayload((fact,), entries, {}))
    return [(d.op, d.id, d.text) for d in reply.decisions if isinstance(d, DecisionReply)]


CORRECTED = [
    ("The regatta is on 4 May 2025.", "Ana meant on 11 May 2025, not the 4th.", "The regatta is on 11 May 2025."),
    ("Ana is training for the regatta. It's on 4 May 2025.", "Ana meant on 11 May 2025, not the 4th.",
     "Ana is training for the regatta. It's on 11 May 2025."),
    ("Tess has her first recital on 2 June 2025.", "Ben meant the 9th, not the 2nd, for the recital.",
     "Tess has her first recital on 9 June 2025."),
    ("Tess has her first recital on 2 June 2025.",
     'Asked by Ana "How about July?", Ben answered: "That\'s the sailing. And sorry, Ben meant the 9th, not the 2nd, '
     'for the recital."', "Tess has her first recital on 9 June 2025."),
    ("Ana starts on 28 July 2025.", "Ana meant on 4 August 2025, not the 28th. One more week of sun.",
     "Ana starts on 4 August 2025."),
    ("Ana's lease ends on Friday 3 October 2025.", "Ana meant 10 October 2025, not 3 October 2025.",
     "Ana's lease ends on 10 October 2025."),
    ("The launch is on 2025-05-04.", "It's the 6th, not the 4th.", "The launch is on 2025-05-06."),
    ("Ana paid 780 euros for the bike.", "Not 780 but 870.", "Ana paid 870 euros for the bike."),
    ("The budget is 4,500 euros.", "Sorry, 5400 euros, not 4500.", "The budget is 5400 euros."),
    ("Ana is flying to Lisbon in May 2025.", "Ana meant Porto, not Lisbon.", "Ana is flying to Porto in May 2025."),
    ("The rehearsal is on Monday at 19:00.", "It's Tuesday, not Monday.", "The rehearsal is on Tuesday at 19:00."),
    ("The rehearsal is on Monday at 19:00.", "Ana meant 20:00, not 19:00.", "The rehearsal is on Monday at 20:00."),
    ("The rehearsal starts at 7 pm.", "I meant 8 pm, not 7 pm.", "The rehearsal starts at 8 pm."),
    ("Ana met Karin at the station.", "Sorry, I meant Katrin instead of Karin.", "Ana met Katrin at the station."),
]  # fmt: skip


@pytest.mark.parametrize(("known", "correction", "text"), CORRECTED)
def test_a_correction_restates_the_fact_that_holds_the_refuted_value(known: str, correction: str, text: str):
    last = window(known, "Ana likes tea.", correction)[-1]
    assert (last.op, last.id, last.text) == ("UPDATE", "n1", text)


def test_a_date_whose_year_was_not_said_takes_the_year_of_the_day_it_replaces():
    told = ("The regatta is on 4 May 2025.", "Ana meant on 11 May 2024, not the 4th.")
    assert window(*told, phrase="the 11th of May")[-1].text == "The regatta is on 11 May 2025."
    assert window(*told, phrase="11 May 2024")[-1].text == "The regatta is on 11 May 2024."
    over = ("The lease ends on 30 December 2025.", "Ana meant 2 January 2025, not 30 December.")
    assert window(*over, phrase="2 January")[-1].text == "The lease ends on 2 January 2026."


@pytest.mark.parametrize(
    ("told", "correction", "ref"),
    [
        (["The regatta is on 4 May 2025.", "The fair is on 4 May 2025."], "I meant the 5th, not the 4th.", "n2"),
        (["The regatta is on 4 May 2025.", "The fair is on 4 May 2025."],
         "I meant the 5th, not the 4th, for the regatta.", "n1"),
        (["Ana flies on 4 May 2025.", "Ben flies on 4 May 2025."], "Ana meant the 5th, not the 4th.", "n1"),
        (["Ana has 4 cats.", "The fair is on 4 May 2025."], "I meant the 5th, not the 4th.", "n2"),
        (["Ana has 4 cats.", "The fair is on 4 May 2025."], "I meant 5, not 4.", "n1"),
        (["The fair is on 14 May 2025.", "Ana ran 140 km."], "I meant 5, not 4.", None),
        (["The fair is on 14 May 2025."], "I meant the 15th, not the 12th.", None),
    ],
)  # fmt: skip
def test_a_correction_finds_the_one_it_is_about(told: list[str], correction: str, ref: str | None):
    last = window(*told, correction)[-1]
    assert (last.op, last.id) == ("UPDATE" if ref else "ADD", ref)


def test_a_correction_is_corrected_in_turn():
    texts = [d.text for d in window("The fair is on 4 May 2025.", "I meant the 5th, not the 4th.",
                                    "I meant the 6th, not the 5th.")]  # fmt: skip
    assert texts[1:] == ["The fair is on 5 May 2025.", "The fair is on 6 May 2025."]


def test_a_correction_reaches_an_older_entry_only_by_its_topic():
    known = ["The fair is on 4 May 2025.", "The regatta is on 4 May 2025."]
    assert later(known, "I meant the 5th, not the 4th.") == [("ADD", None, None)]
    assert later(known, "I meant the 5th, not the 4th, for the fair.") == [
        ("UPDATE", "m1", "The fair is on 5 May 2025.")
    ]


@pytest.mark.parametrize(
    "text",
    ["Ana likes coffee, not tea.", "Ana works in Leith, not in Leeds.", "Ana is not well.", "Not now.", "Ana has 4 cats."],
)  # fmt: skip
def test_a_full_sentence_is_no_bare_correction(text: str):
    assert correction_in(text) is None
    assert affirmed(text) == text


JOB = "Ana works at Orbit Power as an accountant, and four years of the same reports is a lot."
BOTH = "Ben drinks coffee all day and Ben doesn't like tea at all."

CLOSED = [
    # the employer stands in the first clause
    (JOB, "Ana works at Lumen Labs now, in a team of nine, and on Friday the team went sailing.", "UPDATE"),
    (JOB, "Ana has a new job at Lumen Labs, as a lead accountant.", "UPDATE"),
    (JOB, 'Asked by Ben "What now?", Ana answered: "Ana has a new job at Lumen Labs, as a lead accountant. They make '
          'lamps that never break."', "UPDATE"),
    (JOB, "Ana left Orbit Power at the end of May 2025.", "DELETE"),
    ("Ana works at Orbit Power.", "Ana has a new job at Lumen Labs, as a lead accountant.", "UPDATE"),
    # habits and tastes
    ("Ben drinks coffee all day.", "Ben stopped drinking coffee in June 2025.", "DELETE"),
    ("Ben doesn't like tea at all.", "Ben drinks tea now.", "UPDATE"),
    ("Ben doesn't like tea at all.", "Ben actually prefers tea to coffee.", "UPDATE"),
    ("Ben hates mushrooms.", "Ben eats mushrooms now.", "UPDATE"),
    ("Ana runs every week.", "Ana stopped running in May 2025 and Ana swims now.", "DELETE"),
    # plans called off
    ("Tom and Ana are taking the kids to Norway in August 2025.", "The Norway trip is off.", "DELETE"),
    ("Tom and Ana are taking the kids to Norway in August 2025.",
     "Ana's husband broke his arm on 2 July 2025 sailing with Ben, so the Norway trip is off.", "DELETE"),
    ("Tom and Ana are taking the kids to Norway in August 2025.", "Ana and others cancelled the flights to Norway.",
     "DELETE"),
    ("Ana booked flights to Rome.", "The holiday in Rome fell through.", "DELETE"),
    # plans carried out
    ("Ana is moving to Turin at the start of May 2025.", "Ana moved to Turin in May 2025.", "UPDATE"),
    ("Ana is moving to Turin at the start of May 2025.", "Ana lives in Turin now.", "UPDATE"),
    ("Ana plans to move to Turin.", "Ana moved to Turin on 3 May 2025.", "UPDATE"),
    ("Ana is going to adopt a kitten.", "Ana adopted a kitten on 4 June 2025.", "UPDATE"),
    ("Ana lives in Leeds, close to Ana's sister Jo, so Ana sees Jo most weekends.", "Ana moved to Turin in May 2025.",
     "UPDATE"),
    # homes and things
    ("Tom lives with his parents.", "Tom moved out of his parents' house.", "DELETE"),
    ("Tom lives in his parents' house.", "Tom moved out of his parents' house.", "DELETE"),
    ("Ana's goal is to run a marathon.", "Ana's goal is now to open a bakery.", "UPDATE"),
    ("Ana's car is a Honda.", "Ana's car is a Mazda 3 now.", "UPDATE"),
    ("Ana drives a Honda.", "Ana drives a Mazda 3 now.", "UPDATE"),
    ("The office is on the third floor.", "The office is now on the fifth floor.", "UPDATE"),
    ("Ana lives on the 2nd floor.", "Ana lives on the 4th floor now.", "UPDATE"),
]  # fmt: skip

OPEN = [
    (JOB, "Ana's brother works at Lumen Labs now, in a team of nine."),
    (JOB, "Ana has a new desk at Orbit Power."),
    (JOB, 'Asked by Ben "What now?", Ben answered: "Ben has a new job at Lumen Labs, as a cook."'),
    (JOB, 'Ana asked Ben: "Does Ben have a new job at Lumen Labs?"'),
    ("Ben drinks coffee all day.", "Ben drinks tea now."),
    ("Ben drinks coffee all day.", "Ana stopped drinking coffee in June 2025."),
    ("Ben doesn't like tea at all.", "Ana drinks tea now."),
    ("Ben doesn't like tea at all.", "Ben made tea for Ana."),
    ("Ana started running in 2024.", "Ana stopped running in May 2025."),
    ("Ana is training for the Avon half marathon.", "Ana stopped running in May 2025."),
    ("Tom and Ana are taking the kids to Norway in August 2025.", "The Rome trip is off."),
    ("Kim and Leo are taking the kids to Norway in August 2025.", "Ana and Tom cancelled the flights to Norway."),
    ("Ana is reading a book about Norway.", "The Norway trip is off."),
    ("Ana went to Norway in August 2019.", "The Norway trip is off."),
    ("Ana lives in Leeds.", "Ana is moving to Turin at the start of May 2026."),
    ("Ana is moving to Turin at the start of May 2025.", "Ana went to Turin in April 2025 to look at flats."),
    ("Ana is moving to Turin at the start of May 2025.", "Ben moved to Turin in May 2025."),
    ("Ana is going to adopt a kitten.", "Ana bought a kitten bed."),
    ("Ana wants to learn to sail.", "Ana learned to bake."),
    ("Tom lives with his girlfriend.", "Tom moved out of his parents' house."),
    ("Ana's goal is to run a marathon.", "Ana's goal is to open a bakery."),
    ("Ana's car is a Honda.", "Tom's car is a Mazda 3 now."),
    ("The office is on the third floor.", "The canteen is now on the fifth floor."),
    ("Ben lives in Leeds.", "Ana hopes that she is right and Ben lives in Turin."),
    ("Ben lives in Leeds.", "Kim believes that Ana is ill and Ben lives in Turin."),
    ("Ben lives in Leeds.", "If Ana moves to Rome, Ben lives in Turin."),
    ("Ana is so glad.", "Ana is so glad Ben came to the fair in May 2025."),
    ("Ana loves it.", "Ana loves it at the new office in Turin."),
    ("Ben is usually right.", "Ben usually is."),
    ("Ana is glad Ben has help.", "Ana is glad Ben found help and felt welcome."),
    ("Ana is right, it's really sad.", "It's just not right."),
    ("Ana is going to show Ana's paintings.", "Ana made this painting to show Ana's path."),
    ("Ana loves all dances.", "Ana loves how you never give up."),
    ("Ana is making a real difference.", "Ben and Ana can make a difference."),
    ("Ana shared an image: people at a table with food.", "Ana shared an image: people at a table."),
    ("Ana shared an image: a dog on a beach.", "Ana shared an image: a dog on a beach."),
]  # fmt: skip


@pytest.mark.parametrize(("known", "new", "verb"), CLOSED)
def test_an_outdated_statement_is_closed(known: str, new: str, verb: str):
    assert [(op, ref) for op, ref, _ in later([known], new)] == [(verb, "m1")]


@pytest.mark.parametrize(("known", "new"), OPEN)
def test_a_statement_nobody_took_back_stays(known: str, new: str):
    assert later([known], new) == [("ADD", None, None)]


def test_what_else_a_closed_compound_states_is_carried_over():
    (stopped,) = later([BOTH], "Ben stopped drinking coffee in June 2025.")
    assert stopped == (
        "UPDATE", "m1", "Ben stopped drinking coffee in June 2025. Ben doesn't like tea at all."
    )  # fmt: skip
    (moved,) = later(["Ana lives in Leeds and works at Orbit."], "Ana moved to Turin.")
    assert moved == ("UPDATE", "m1", "Ana moved to Turin. Ana works at Orbit.")


def test_a_move_closes_the_plan_and_the_old_home():
    known = ["Ana lives in Leeds.", "Ana is moving to Turin at the start of May 2025.", "Ben lives in Leeds."]
    assert [v[:2] for v in later(known, "Ana moved to Turin in May 2025.")] == [
        ("UPDATE", "m1"),
        ("UPDATE", "m2"),
    ]


def test_several_facts_of_one_move_keep_each_other():
    verdicts = window(
        "Ana is living in Turin, since May 2025.",
        "Ana moved to Turin in May 2025 and Ana rents a small flat in Vanchiglia with a fig tree in the yard.",
        "Ana pays 900 euros for the flat in Vanchiglia.",
        "Ana lives in Turin.",
    )
    assert [v.op for v in verdicts if v.new != "n2"] == ["ADD", "ADD", "NOOP"]
    assert verdicts[1].op in ("ADD", "UPDATE")


def test_something_told_later_of_an_earlier_time_replaces_nothing():
    earlier = THEN - timedelta(days=200)
    assert later(["Ana works at Lumen."], "Ana works at Orbit.", at=earlier) == [("ADD", None, None)]
    assert later(["Ana plays tennis on Mondays."], "Ana plays tennis on Mondays with Ben.", at=earlier) == [
        ("ADD", None, None)
    ]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Ana plays chess.", ["Ana plays chess."]),
        ("Ana and Ben live in Turin.", ["Ana and Ben live in Turin."]),
        ("Ana likes tea, coffee, and cake.", ["Ana likes tea, coffee, and cake."]),
        ("Ana likes to swim and read.", ["Ana likes to swim and read."]),
        ("Ana took Ben and Jo to the zoo.", ["Ana took Ben and Jo to the zoo."]),
        ("Ana lives in Leeds and works at Orbit.", ["Ana lives in Leeds.", "Ana works at Orbit."]),
        ("Ana drinks tea and Ana doesn't like milk.", ["Ana drinks tea.", "Ana doesn't like milk."]),
        ("If Ana moves to Rome, Ben goes too.", ["If Ana moves to Rome, Ben goes too."]),
        ("Ana said: It is late, and Ben lives in Rome.", ["Ana said: It is late, and Ben lives in Rome."]),
        ("Ana is back! Ben is ill.", ["Ana is back!", "Ben is ill."]),
        ("Ana broke her leg, so the trip is off.", ["Ana broke her leg.", "the trip is off."]),
        ('Asked by Jo "Where?", Ana answered: "Ana lives in Leeds. It rains."', ["Ana lives in Leeds.", "It rains."]),
    ],
)  # fmt: skip
def test_a_compound_is_divided_into_clauses_and_a_list_is_not(text: str, parts: list[str]):
    assert [c.text for c in clauses(text)] == parts


@pytest.mark.parametrize(("speaker", "ref"), [("Ana", "m1"), ("Ben", "m2"), ("Kim", None)])
def test_of_two_gateways_named_at_once_that_gateway_is_the_speakers(speaker: str, ref: str | None):
    known = (
        Candidate("m1", "The staging gateway listens on 8080.", THEN, persons=("Ana",)),
        Candidate("m2", "The production gateway listens on 80.", THEN, persons=("Ben",)),
    )
    fact = NewFact("n1", "Ops moved that gateway over to 9443.", LATER, persons=(speaker,), near=("m1", "m2"))
    (item,) = reconcile_by_rule(ReconcilePayload((fact,), known, {})).decisions
    assert (item.op, item.id) == ("UPDATE" if ref else "ADD", ref)

"""Answers about persons and things: who is who, trades, ages, amounts, and what must not be guessed."""

from datetime import UTC, datetime, timedelta

import pytest

from meme.read.answer_by_rule import answer_by_rule
from meme.read.shapes import AnswerPayload, AnswerReply, Evidence
from meme.records import Plan

SAID = datetime(2024, 3, 4, 12, tzinfo=UTC)
PERSONS = ("Nora", "Ivan", "Rosa", "Pablo", "Toby")


def ask(question: str, *texts: str, user: str = "the user") -> AnswerReply:
    """Ask over texts told an hour apart."""
    evidence = tuple(
        Evidence(f"m{i}", text, SAID + timedelta(hours=i), score=1.0) for i, text in enumerate(texts, 1)
    )
    return answer_by_rule(AnswerPayload(Plan(question=question, persons=PERSONS), evidence, user, SAID))


def told(*texts: str, minutes: int) -> tuple[Evidence, ...]:
    """Texts told `minutes` apart."""
    return tuple(
        Evidence(f"m{i}", text, SAID + timedelta(minutes=minutes * i), score=1.0)
        for i, text in enumerate(texts, 1)
    )


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Who is Rosa?", "Nora meets Nora's cousin Rosa every Sunday.", "Nora's cousin"),
        ("Who is Rosa?", "Rosa, Nora's cousin, moved to Oslo.", "Nora's cousin"),
        ("Who is Rosa?", "Rosa (Nora's older sister) moved to Oslo.", "Nora's older sister"),
        ("Who is Rosa?", "Nora: My neighbour Rosa plays the flute.", "Nora's neighbour"),
        ("Who is Rosa?", "Rosa is a dentist.", "a dentist"),
        ("Who is Nora's cousin?", "Nora's cousin Rosa moved to Oslo.", "Rosa"),
        ("What is the name of Nora's cousin?", "Rosa is Nora's cousin.", "Rosa"),
        ("What is Ivan's dog's name?", "Ivan's dog Toby hates the rain.", "Toby"),
        ("What is Ivan's rabbit called?", "Ivan has a rabbit called Momo.", "Momo"),
    ],
)
def test_who_somebody_is_comes_from_the_relation_that_was_told(question: str, text: str, answer: str) -> None:
    assert ask(question, text).answer == answer


def test_all_children_are_named_when_all_are_asked_for() -> None:
    reply = ask("What are Nora's children called?", "Nora's son Pablo sings.", "Nora's daughter Rosa dances.")
    assert (reply.answer, reply.citations) == ("Pablo and Rosa", ["m1", "m2"])


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who is Nora's husband?", "Nora's husband played chess with Pablo."),
        ("Who is Rosa?", "Rosa asks about Ivan every day."),
        ("What is Nora's grandfather's name?", "Nora sat on Nora's grandfather's porch in Cadiz."),
        ("What is my name?", "Ivan liked the cover."),
        ("Who wrote Middlemarch?", 'Nora finished "Middlemarch" last night.'),
        ("Who gave Ivan the scarf?", "Ivan wore the scarf to Pablo's party."),
        ("What is Nora's blood type?", "Nora spoke of family, both blood and chosen."),
        ("What is Nora's phone number?", "Nora was cheerful on the phone."),
        ("What is Nora's favourite colour?", "Nora loves the light in Lisbon."),
        ("What is my favourite colour?", "Nora fell in love with the light."),
        ("What breed is Toby?", "Toby wants a walk."),
        ("How old is Ivan?", "Ivan: Our cat is called Momo. He's two years old."),
        ("How many children does Nora have?", "Nora's son Pablo is eight now."),
        ("Is Ivan married?", "Ivan will bring the wedding photos."),
        ("Why did Ivan stop rowing?", "Ivan stopped rowing in May 2023."),
        ("What time is Ivan's train?", "Ivan takes the train on 3 May 2024."),
        ("Where is Ivan from?", "Ivan: He comes from a shelter in Bedford."),
        ("What instrument does Nora play?", "Nora: My husband was playing football with Pablo."),
        ("What can Ivan not eat?", "Ivan ate three peaches."),
        ("What is Toby?", "Toby is coming too."),
        ("Where did Ivan work before?", "Ivan works in Leiden, five minutes from the canal."),
    ],
)
def test_what_was_not_told_is_not_guessed(question: str, text: str) -> None:
    reply = ask(question, text)
    assert (reply.answer, reply.known) == ("Not known", False)


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("What does Nora do for a living?", "Nora is a landscape gardener.", "landscape gardener"),
        ("What is Nora's occupation?", "Nora is a nurse in Leeds.", "nurse"),
        ("What is Nora's profession?", "Nora works at Brightline as a tax lawyer.", "tax lawyer"),
        ("What does Ivan work as?", "Ivan works as a baker.", "baker"),
        ("What is Ivan's new role at Acme?", "Ivan will be head of design at Acme.", "head of design"),
        ("Where does Ivan work?", "Ivan works at Brightline Studios now.", "Brightline Studios"),
        (
            "Where does Ivan work?",
            "Ivan currently works at Brightline Studios these days.",
            "Brightline Studios",
        ),
        ("How much does Nora earn?", "Nora earns 3,200 euros a month.", "3,200 euros a month"),
        ("How much does Toby weigh?", "Toby weighs 12 kg.", "12 kg"),
        ("How old is Toby?", "Toby is six months old.", "six months old"),
        ("How old is Pablo?", "Nora's son Pablo is eight now.", "eight"),
        ("How old is Toby?", "Nora: Toby. He's three years old.", "three years old"),
        ("How many sensors did Ivan install?", "Ivan installed twelve sensors.", "twelve"),
        ("Who wrote Middlemarch?", 'Nora is reading "Middlemarch" by George Eliot.', "George Eliot"),
        ("What book is Nora reading?", 'Nora is reading "Middlemarch" by George Eliot.', '"Middlemarch"'),
        ("When did Ivan stop smoking?", "Ivan stopped smoking in May 2023.", "May 2023"),
        ("What is the Wi-Fi password?", "The wifi password is tulip42.", "tulip42"),
        ("What is the wifi password?", "The Wi-Fi password is tulip42.", "tulip42"),
        ("What is Nora's e-mail?", "Nora's email is nora@example.org.", "nora@example.org"),
        ("Where do Nora and Ivan know each other from?", "Nora and Ivan met in Leiden.", "Leiden"),
        ("What is Nora's favourite colour?", "Nora's favourite colour is green.", "green"),
        ("Where is Ivan from?", "Ivan comes from Split.", "Split"),
    ],
)
def test_trades_amounts_ages_and_titles_are_given_whole(question: str, text: str, answer: str) -> None:
    assert ask(question, text).answer == answer


def test_everything_made_is_listed_by_its_object() -> None:
    texts = (
        "Ivan found a wood workshop.",
        "Ivan built three small shelves and nobody helped.",
        "Ivan built a round table, and it was sold on 7 March 2024.",
    )
    assert ask("What furniture has Ivan built?", *texts).answer == "three small shelves and round table"
    assert ask("What has Ivan built?", *texts).answer == "three small shelves and round table"


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Which animal did Ivan adopt?", "Ivan adopted a parrot on 2 March 2024.", "parrot"),
        ("Which animal did Ivan adopt?", "Ivan: I adopted a parrot last Friday.", "parrot"),
        ("What course did Nora start?", "Nora started a welding course in May 2023.", "welding course"),
    ],
)
def test_the_day_of_a_thing_is_no_part_of_the_thing(question: str, text: str, answer: str) -> None:
    assert ask(question, text).answer == answer


def test_a_reply_about_him_is_about_what_was_mentioned_just_before() -> None:
    plan = Plan(question="What is the name of Ivan's parrot?", persons=PERSONS)
    texts = (
        "Ivan adopted a parrot on 2 March 2024.",
        'Asked by Nora "What\'s her name?", Ivan answered: "Lola. She\'s green and loud."',
    )
    near, far = told(*texts, minutes=2), told(*texts, minutes=60)
    assert answer_by_rule(AnswerPayload(plan, near, "the user", SAID)).answer == "Lola"
    assert not answer_by_rule(AnswerPayload(plan, far, "the user", SAID)).known


def test_a_bare_start_belongs_to_the_job_told_just_before() -> None:
    plan = Plan(question="When did Nora start at Brightline?", persons=PERSONS)
    evidence = told("Nora has a new job at Brightline.", "Nora starts on 3 June 2024.", minutes=2)
    assert answer_by_rule(AnswerPayload(plan, evidence, "the user", SAID)).answer == "3 June 2024"


def test_what_somebody_said_is_theirs_and_no_new_person() -> None:
    reply = ask("Does Nora have a parrot?", "Nora said: The lid even fits.", "Nora has a very friendly dog.")
    assert reply.why == 'What is known about Nora does not mention "parrot".'


def test_a_reason_writes_the_nameless_user_small_inside_a_sentence() -> None:
    reply = ask("What is my shoe size?", "The user bought running shoes.", user="The user")
    assert "The user" not in reply.why[1:]

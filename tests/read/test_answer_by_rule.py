"""How a question is answered without a model: the value, its citation, or an honest "Not known"."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meme.read.answer_by_rule import answer_by_rule
from meme.read.shapes import AnswerPayload, AnswerReply, Evidence
from meme.records import Happened, Plan

SAID = datetime(2023, 6, 9, 12, tzinfo=UTC)


def entry(ref: str, text: str, said_at: datetime = SAID, happened: Happened | None = None) -> Evidence:
    return Evidence(ref, text, said_at, score=1.0, happened=happened)


def ask(question: str, *texts: str, persons: tuple[str, ...] = ("Alice", "Bob")) -> AnswerReply:
    evidence = tuple(entry(f"m{i}", text) for i, text in enumerate(texts, 1))
    return answer_by_rule(AnswerPayload(Plan(question=question, persons=persons), evidence, "Alice", SAID))


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("When did Bob move to Lyon?", "Bob moved to Lyon on 3 May 2024.", "3 May 2024"),
        ("When did Bob visit Rome?", "Bob visited Rome in May 2023.", "May 2023"),
        ("When did Bob visit Rome?", "Bob visited Rome in 2022.", "2022"),
        (
            "When did Bob visit Rome?",
            "Bob visited Rome the week before 9 June 2023.",
            "the week before 9 June 2023",
        ),
        ("What year was Nadia born?", "Nadia was born in Casablanca in 1990.", "1990"),
        (
            "When is the deadline of project Apollo?",
            "The deadline of project Apollo is 15 March 2025.",
            "15 March 2025",
        ),
        ("When is Bob's birthday?", "Bob's birthday is on 3 March.", "3 March"),
        ("Where was Nadia born?", "Nadia was born in Casablanca in 1990.", "Casablanca"),
        ("Where does Bob live?", "Bob moved to Lyon on 3 May 2024.", "Lyon"),
        ("Where do I work?", "Alice works for Acme in Berlin.", "Berlin"),
        ("Where did Bob buy the boat?", "Bob bought a sailing boat in Marseille.", "Marseille"),
        ("Who gave Alice the bowl?", "Bob gave Alice the bowl for her birthday.", "Bob"),
        ("Who gave Alice the bowl?", "Alice got the bowl from her grandmother.", "her grandmother"),
        ("Who did Omar marry?", "Omar married Lena on 12 June 2021.", "Lena"),
        ("Who is Alice's brother?", "Alice's brother is Tom.", "Tom"),
        ("Who is Nadia's doctor?", "Nadia's doctor is Dr. Weiss.", "Dr. Weiss"),
        ("Who is the owner of the billing service?", "Dana owns the billing service.", "Dana"),
        ("How many children does Bob have?", "Bob has three children.", "three"),
        ("How old is Bob?", "Bob is 42 years old.", "42 years old"),
        ("How much did Ivo pay for the bike?", "Ivo paid $450 for the bike.", "$450"),
        ("How often does Alice swim?", "Alice swims twice a week.", "twice a week"),
        (
            "How long has Alice played the guitar?",
            "Alice has played the guitar for three years.",
            "three years",
        ),
        ("How long did Theo stay in Oslo?", "Theo stayed in Oslo for two weeks.", "two weeks"),
        ("Which port does the staging gateway use?", "The staging gateway uses port 8443.", "port 8443"),
        (
            "What database does the billing service use?",
            "The billing service uses PostgreSQL 15.",
            "PostgreSQL 15",
        ),
        ("Which book did Alice read?", 'Alice read "The Hobbit" in 2022.', '"The Hobbit"'),
        ("What is my favorite color?", "Alice's favorite color is green.", "green"),
        ("What is Bob's dog called?", "Bob has a dog named Rex.", "Rex"),
        ("What is Maya's job?", "Maya works as a data engineer.", "data engineer"),
        ("What is Theo allergic to?", "Theo is allergic to peanuts.", "peanuts"),
        ("What did Alice share?", "Alice shared an image: a painting of a sunset.", "a painting of a sunset"),
        ("Does Alice prefer tea or coffee?", "Alice prefers tea over coffee.", "tea"),
        ("What does Bob like?", "Bob likes hiking, chess and jazz.", "hiking, chess and jazz"),
        ("Why did Bob quit his job?", "Bob quit his job because he wanted to travel.", "he wanted to travel"),
        (
            "Why is Bob learning Spanish?",
            "Bob is learning Spanish for his trip to Peru.",
            "for his trip to Peru",
        ),
    ],
)
def test_the_answer_is_the_asked_value_in_the_words_of_the_entry(
    question: str, text: str, answer: str
) -> None:
    reply = ask(question, text)
    assert (reply.answer, reply.citations, reply.known) == (answer, ["m1"], True)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Alice: I went hiking in the Alps yesterday.", "8 June 2023"),
        ("Alice: Last week I went hiking in the Alps!", "the week before 9 June 2023"),
        ("Alice: Last month we went hiking in the Alps.", "May 2023"),
        ("Alice: I went hiking in the Alps last year.", "2022"),
        ("Alice: I went hiking in the Alps.", "by 9 June 2023"),
    ],
)
def test_a_relative_date_in_a_turn_is_counted_from_the_turn(text: str, answer: str) -> None:
    assert ask("When did Alice go hiking?", text).answer == answer


def test_an_entry_without_a_date_in_its_text_is_dated_by_when_it_happened() -> None:
    happened = Happened(date(2021, 8, 1), date(2021, 8, 31), "month", "last month")
    payload = AnswerPayload(
        Plan(question="When did Bob sail to Corsica?"),
        (entry("m4", "Bob sailed to Corsica.", SAID, happened),),
        "Alice",
        SAID,
    )
    assert answer_by_rule(payload).answer == "August 2021"


def test_the_reply_to_a_question_is_read_together_with_the_question() -> None:
    text = 'Asked by Alice "Where does Bob live now?", Bob answered: "In Lyon, since May 2024."'
    assert ask("Where does Bob live?", text).answer == "Lyon"


@pytest.mark.parametrize(
    ("question", "text", "start"),
    [
        ("Does Alma like football?", "Alma loves football.", "Yes: Alma loves football."),
        ("Does Jack like football?", "Jack (Alma's friend) hates football.", "No: "),
        (
            "Does Alice like cilantro?",
            "Alice no longer likes cilantro.",
            "No: Alice no longer likes cilantro.",
        ),
        ("Does Alice still like cilantro?", "Alice no longer likes cilantro.", "No: "),
        ("Is Bob allergic to nuts?", "Bob is allergic to nuts.", "Yes: "),
        ("Is Bob allergic to nuts?", "Bob is not allergic to nuts.", "No: "),
        ("Is Carl vegetarian?", "Carl stopped being vegetarian in 2021.", "No: "),
        ("Does Carl eat meat?", "Carl doesn't eat meat.", "No: "),
        ("Does Priya dislike spicy food?", "Priya loves spicy food.", "No: "),
        ("Did Ivo win the race?", "Ivo won the race.", "Yes: "),
    ],
)
def test_a_closed_question_gets_yes_or_no_and_the_deciding_statement(
    question: str, text: str, start: str
) -> None:
    assert ask(question, text).answer.startswith(start)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Does Alma like football?", "Jack (Alma's friend) hates football."),
        ("Does Alma like football?", "Jack, Alma's friend, hates football."),
        ("Does Alma like football?", "Alma loves tennis."),
        ("Which port does the staging gateway use?", "The production gateway uses port 8443."),
        ("What database does the billing service use?", "The search service uses Elasticsearch."),
        ("What is the rotation interval for staging?", "The rotation interval for production is 30 days."),
        ("What color is Alice's violin?", "Alice's guitar is red."),
        ("How long has Alice played the violin?", "Alice has played the guitar for three years."),
        ("How many cats does Bob have?", "Bob has two dogs."),
        ("What is my favorite color?", "Bob's favorite color is green."),
        ("When did Alice meet Bob?", "Alice met Carl on 4 May 2022."),
        ("When did Bob visit Paris?", "Bob visited Rome in 2021."),
        ("When was Nadia born?", "Nadia's brother was born in 1988."),
        ("Does Dana own a boat?", "Dana's brother owns a boat."),
        ("Does Erik speak French?", "Erik speaks German."),
        ("Is Bob allergic to nuts?", "Alice is allergic to nuts."),
        ("Did Ivo win the race?", "Ivo lost the race."),
        ("What is the capital of France?", "Bob visited Paris in 2021."),
        ("Would Bob like Rome?", "Bob asked if Alice would like Rome."),
    ],
)
def test_what_is_said_of_somebody_or_something_else_is_no_answer(question: str, text: str) -> None:
    reply = ask(question, text)
    assert (reply.answer, reply.known, reply.citations) == ("Not known", False, [])
    assert reply.why.endswith(".")


def test_the_turn_of_another_speaker_is_not_about_the_asked_person() -> None:
    turns = ("Omar: I adopted a dog yesterday.", "Lena: That is wonderful, Omar!")
    assert not ask("What did Lena adopt?", *turns, persons=("Lena", "Omar")).known
    assert ask("What did Omar adopt?", *turns, persons=("Lena", "Omar")).answer == "dog"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Where does Bob live?", "Bob no longer lives in Paris."),
        ("Who likes mushrooms?", "Bob does not like mushrooms."),
        ("When does the meeting start?", "The meeting starts soon."),
        ("How many guests did Bob invite?", "Bob invited guests to the party."),
    ],
)
def test_a_denial_or_a_statement_without_the_asked_value_gives_no_value(question: str, text: str) -> None:
    assert not ask(question, text).known


def test_asking_for_what_is_not_so_takes_the_denial() -> None:
    assert ask("What does Bob not like?", "Bob does not like mushrooms.").answer == "mushrooms"


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("What is Bob's email?", "Bob's email is bob@example.org.", "bob@example.org"),
        ("What is the budget for Mars?", "The budget for Mars is 2.5 million euros.", "2.5 million euros"),
        ("What time does the meeting start?", "The meeting starts at 10:30.", "10:30"),
        ("Who is Clara?", "Clara is Bob's sister.", "Bob's sister"),
        ("Tell me about Clara.", "Clara is Bob's sister.", "Clara is Bob's sister."),
        ("When did Bob visit Rome?", "Bob visited Rome.", "by 9 June 2023"),
    ],
)
def test_values_with_dots_times_of_day_and_introductions_are_kept_whole(
    question: str, text: str, answer: str
) -> None:
    assert ask(question, text).answer == answer


def test_the_right_one_of_two_similar_things_is_chosen_and_cited() -> None:
    reply = ask(
        "What port does the staging gateway listen on?",
        "The production gateway listens on port 8443.",
        "The staging gateway listens on port 9000.",
    )
    assert (reply.answer, reply.citations) == ("port 9000", ["m2"])


def test_the_later_of_two_statements_about_the_same_thing_holds() -> None:
    plan = Plan(question="Where does Bob live now?", persons=("Bob",))
    old = entry("m1", "Bob lives in Paris.", datetime(2023, 1, 1, tzinfo=UTC))
    new = entry("m2", "Bob moved to Lyon on 3 May 2024.", datetime(2024, 5, 3, tzinfo=UTC))
    for evidence in ((old, new), (new, old)):
        reply = answer_by_rule(AnswerPayload(plan, evidence, "Alice", SAID))
        assert (reply.answer, reply.citations) == ("Lyon", ["m2"])


def test_what_was_told_in_the_asked_month_comes_first() -> None:
    plan = Plan(
        question="Where did Bob go in May 2023?",
        persons=("Bob",),
        since=date(2023, 5, 1),
        until=date(2023, 5, 31),
    )
    august = entry("m1", "Bob visited Rome with Carl.", datetime(2023, 8, 10, tzinfo=UTC))
    may = entry("m2", "Bob visited Oslo with Dana.", datetime(2023, 5, 10, tzinfo=UTC))
    assert answer_by_rule(AnswerPayload(plan, (august, may), "Alice", SAID)).answer == "Oslo"


@pytest.mark.parametrize(
    ("question", "texts", "answer"),
    [
        (
            "What activities does Alice do?",
            ("Alice does pottery.", "Alice goes camping."),
            "pottery and camping",
        ),
        (
            "What are Alice's hobbies?",
            ("Alice enjoys pottery.", "Alice enjoys camping.", "Alice enjoys painting."),
            "pottery, camping, and painting",
        ),
        (
            "What instruments does Alice play?",
            ("Alice plays the violin.", "Alice plays the piano."),
            "violin and piano",
        ),
        (
            "Which sports does Bob play?",
            ("Bob plays tennis and football.", "Bob plays chess."),
            "tennis, football, and chess",
        ),
        (
            "What are Bob's pets called?",
            ("Bob has a cat named Luna.", "Bob has a dog named Max."),
            "Luna and Max",
        ),
    ],
)
def test_a_list_is_merged_from_every_entry_that_fits(
    question: str, texts: tuple[str, ...], answer: str
) -> None:
    reply = ask(question, *texts, "Carl plays the drums.")
    assert reply.answer == answer
    assert reply.citations == [f"m{i}" for i in range(1, len(texts) + 1)]


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Wo wohnt Bob?", "Bob wohnt in Hamburg.", "Hamburg"),
        ("Wann ist Bob nach Hamburg gezogen?", "Bob ist am 3. Mai 2024 nach Hamburg gezogen.", "3 May 2024"),
        ("Wie alt ist Bob?", "Bob ist 42 Jahre alt.", "42"),
        ("Où habite Bob ?", "Bob habite à Lyon.", "Lyon"),
        ("Combien d'enfants a Bob ?", "Bob a trois enfants.", "trois"),
        ("¿Dónde vive Bob?", "Bob vive en Madrid.", "Madrid"),
        ("Dove vive Bob?", "Bob vive a Roma.", "Roma"),
        ("Onde mora Bob?", "Bob mora em Lisboa.", "Lisboa"),
        ("Где живёт Боб?", "Боб живёт в Москве.", "Москве"),
        ("Bob住在哪里？", "Bob住在北京。", "北京"),
        ("ボブはどこに住んでいますか", "ボブは東京に住んでいます。", "東京"),
    ],
)
def test_simple_questions_are_answered_in_other_languages(question: str, text: str, answer: str) -> None:
    assert ask(question, text).answer == answer


@pytest.mark.parametrize(
    "question", ["Where does Bob live?", "What are Bob's hobbies?", "Is Bob married?", ""]
)
def test_without_evidence_nothing_is_known(question: str) -> None:
    reply = ask(question)
    assert (reply.answer, reply.known, reply.citations) == ("Not known", False, [])
    assert reply.why


@given(
    st.text(max_size=60),
    st.lists(
        st.one_of(st.text(max_size=60), st.sampled_from(["Alice: I love tea.", "Bob lives in Lyon."])),
        max_size=4,
    ),
)
def test_any_question_and_evidence_get_an_answer_that_cites_only_what_was_given(
    question: str, texts: list[str]
) -> None:
    reply = ask(question, *texts)
    assert set(reply.citations) <= {f"m{i}" for i in range(1, len(texts) + 1)}
    assert bool(reply.citations) is reply.known
    assert (reply.answer == "Not known") is (not reply.known)


@given(
    st.sampled_from(["Where does Alice live?", "Does Bob like tea?", "What books has Alice read?"]),
    st.lists(st.text('AliceBob tealivsn.:,?!()"', max_size=40), max_size=4),
)
def test_scrambled_evidence_never_breaks_the_rules(question: str, texts: list[str]) -> None:
    reply = ask(question, *texts)
    assert reply.known or reply.answer == "Not known"

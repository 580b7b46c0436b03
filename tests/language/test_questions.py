"""What a question asks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meme.language.concepts import concept, concepts, reworded, synonyms
from meme.language.questions import language_of, read_question
from meme.language.questions.mentions import same_name

KNOWN = ("Alice", "Bob", "Zoë Müller")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("When did Bob move to Lyon?", "when"),
        ("What year did Bob move?", "when"),
        ("On which day is the demo?", "when"),
        ("How long ago did Bob move?", "when"),
        ("What is the date of the demo?", "when"),
        ("Where does Bob live?", "where"),
        ("Which city does Bob live in?", "where"),
        ("What country is Bob from?", "where"),
        ("Who gave Alice the bowl?", "who"),
        ("Whose bike is it?", "who"),
        ("With whom did Alice travel?", "who"),
        ("How many cats does Bob have?", "how_many"),
        ("How old is Bob?", "how_many"),
        ("How often does Bob swim?", "how_many"),
        ("How long has Bob been married?", "how_long"),
        ("Which port does the gateway use?", "which"),
        ("What kind of car does Bob drive?", "which"),
        ("What books has Alice read?", "list"),
        ("What are Alice's hobbies?", "list"),
        ("Which instruments does Alice play?", "list"),
        ("Does Alice like tea?", "yes_no"),
        ("Is Bob married?", "yes_no"),
        ("Would Bob move abroad?", "yes_no"),
        ("Why did Bob quit?", "why"),
        ("How come Bob quit?", "why"),
        ("What was the reason Bob quit?", "why"),
        ("What does Alice think about Bob's plan?", "what"),
        ("How did Alice feel after the race?", "other"),
        ("Tell me about Bob.", "other"),
    ],
)
def test_an_english_question_shows_the_kind_of_answer_it_wants(text: str, kind: str) -> None:
    assert read_question(text, known=KNOWN).kind == kind


@pytest.mark.parametrize(
    ("text", "language", "kind"),
    [
        ("Wo wohnt Bob?", "de", "where"),
        ("Wie viele Kinder hat Bob?", "de", "how_many"),
        ("Wie lange ist Bob verheiratet?", "de", "how_long"),
        ("Was macht Bob?", "de", "what"),
        ("Hat Bob einen Hund?", "de", "yes_no"),
        ("Où habite Bob ?", "fr", "where"),
        ("Quand est-ce que Bob arrive ?", "fr", "when"),
        ("Depuis combien de temps Bob est-il marié ?", "fr", "how_long"),
        ("¿Dónde vive Bob?", "es", "where"),
        ("¿Cuántos hijos tiene Bob?", "es", "how_many"),
        ("Dove vive Bob?", "it", "where"),
        ("Perché Bob è partito?", "it", "why"),
        ("Onde mora o Bob?", "pt", "where"),
        ("Где живёт Боб?", "ru", "where"),
        ("Когда Боб переехал?", "ru", "when"),
        ("Bob住在哪里？", "zh", "where"),
        ("Bob什么时候搬家？", "zh", "when"),
        ("Bob喜欢茶吗？", "zh", "yes_no"),
        ("ボブはどこに住んでいますか", "ja", "where"),
        ("ボブはいつ来ますか", "ja", "when"),
    ],
)
def test_the_basic_question_words_of_other_languages_are_known(text: str, language: str, kind: str) -> None:
    question = read_question(text, known=KNOWN)
    assert (language_of(text), question.kind) == (language, kind)


@pytest.mark.parametrize(
    ("text", "persons", "subjects"),
    [
        ("Where does alice live?", ("Alice",), ("Alice",)),
        ("Where does ZOE work?", ("Zoë Müller",), ("Zoë Müller",)),
        ("What is my favorite color?", ("Alice",), ("Alice",)),
        ("Did I meet Bob?", ("Alice", "Bob"), ("Alice",)),
        ("When did Alice and Bob meet?", ("Alice", "Bob"), ("Alice", "Bob")),
        ("Who gave Alice the bowl?", ("Alice",), ()),
        ("When did Alice meet Bob?", ("Alice", "Bob"), ("Alice",)),
        ("Does Alma like football?", ("Alma",), ("Alma",)),
        ("Which port does the gateway use?", (), ()),
    ],
)
def test_persons_are_named_in_order_and_the_subject_is_told_from_the_others(
    text: str, persons: tuple[str, ...], subjects: tuple[str, ...]
) -> None:
    question = read_question(text, user="Alice", known=KNOWN)
    assert (question.persons, question.subjects) == (persons, subjects)


def test_what_belongs_to_a_person_and_what_is_done_to_what_are_told_apart() -> None:
    owned = read_question("What color is Alice's violin?", known=KNOWN)
    done = read_question("When did Alice donate her old car to the shelter?", known=KNOWN)
    assert owned.owned == (concept("violin"),)
    assert (done.verb, done.object) == (concept("donate"), concept("car"))


def test_a_date_in_the_question_is_no_key_word() -> None:
    assert read_question("What did Bob buy in May 2023?", known=KNOWN).content == ("buy",)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("live", "moved"),
        ("children", "kid"),
        ("bought", "purchases"),
        ("went", "go"),
        ("favourite", "loves"),
        ("wife", "husband"),
    ],
)
def test_everyday_synonyms_and_irregular_forms_share_a_concept(one: str, other: str) -> None:
    assert concept(one) == concept(other)
    assert concept(one) != concept("table")


def test_synonyms_are_other_words_of_the_same_group() -> None:
    assert "purchase" in synonyms("buy")
    assert synonyms("table") == ()


def test_text_without_spaces_is_compared_by_its_pieces() -> None:
    assert set(concepts("住在北京")) & set(concepts("北京"))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Alice", "alice", True),
        ("Zoë", "ZOE", True),
        ("Alice", "Alice Smith", True),
        ("Mel", "Melanie", True),
        ("Jo", "Joanna", False),
        ("Bob", "Rob", False),
        ("", "Bob", False),
    ],
)
def test_names_compare_without_case_and_accents_and_by_first_name(one: str, other: str, same: bool) -> None:
    assert same_name(one, other) is same


@given(st.text(max_size=80), st.text(max_size=10), st.lists(st.text(max_size=8), max_size=3))
def test_any_text_can_be_read_as_a_question(text: str, user: str, known: list[str]) -> None:
    assert read_question(text, user=user, known=known).text == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the Wi-Fi router", "the wifi router"),
        ("an e-mail", "an email"),
        ("the T-shirt", "the tshirt"),
        ("a half-marathon", "a half marathon"),
        ("paints for a living", "paints as a job"),
        ("how they know each other", "how they met"),
    ],
)
def test_two_spellings_of_one_thing_give_the_same_concepts(one: str, other: str) -> None:
    assert concepts(one) == concepts(other)


def test_living_somewhere_is_no_job() -> None:
    assert concept("job") not in concepts("living in Oslo")
    assert reworded("living in a twenty-two year old house") == "living in a twenty-two year old house"


@pytest.mark.parametrize("question", ["Where is the key?", "What is the name of Nora's cat?"])
def test_the_article_does_not_name_the_user(question: str) -> None:
    assert "The user" not in read_question(question, user="The user", known=("The user", "Nora")).persons


def test_a_first_name_and_its_full_name_are_one_person() -> None:
    question = read_question("Who is Zoë Müller?", known=("Zoë", "Zoë Müller"))
    assert question.persons == ("Zoë Müller",)


def test_an_adjective_is_not_what_somebody_owns() -> None:
    assert read_question("What is Bob's new role?", known=KNOWN).owned == (concept("role"),)

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meme.language.english import Antecedent, referents, restate, sentences

FIRST_PERSON = [
    ("I prefer tea.", "Alice prefers tea."),
    ("I'm tired.", "Alice is tired."),
    ("I've been to Rome.", "Alice has been to Rome."),
    ("I don't like fish.", "Alice doesn't like fish."),
    ("I was late.", "Alice was late."),
    ("I had a dog.", "Alice had a dog."),
    ("I'll come.", "Alice will come."),
    ("I'd love to come.", "Alice would love to come."),
    ("I'd been there.", "Alice had been there."),
    ("I'd better go.", "Alice had better go."),
    ("I carry and watch.", "Alice carries and watches."),
    ("I still really love jazz.", "Alice still really loves jazz."),
    ("I kind of like it.", "Alice kind of likes it."),
    ("I, too, love it.", "Alice, too, loves it."),
    ("I can swim and dance well.", "Alice can swim and dance well."),
    ("I used to run.", "Alice used to run."),
    ("I went and bought bread.", "Alice went and bought bread."),
    ("I wanna go.", "Alice wants to go."),
    ("I gotta run.", "Alice has to run."),
    ("I'm gonna leave.", "Alice is going to leave."),
    ("I’m tired.", "Alice is tired."),
    ("i love pizza", "Alice loves pizza"),
]
COORDINATED = [
    ("I work at Lumen and live in Berlin.", "Alice works at Lumen and lives in Berlin."),
    ("I cook, clean, and write every day.", "Alice cooks, cleans, and writes every day."),
    ("I have two kids and am married.", "Alice has two kids and is married."),
    ("I love it but don't have time.", "Alice loves it but doesn't have time."),
    ("I haven't seen it and don't care.", "Alice hasn't seen it and doesn't care."),
    ("I moved to Berlin and work at Lumen.", "Alice moved to Berlin and works at Lumen."),
    ("I go to work and come back late.", "Alice goes to work and comes back late."),
    ("I want to cook and eat.", "Alice wants to cook and eat."),
    ("I love cats and dogs.", "Alice loves cats and dogs."),
    ("I love music and dance.", "Alice loves music and dance."),
    ("I help them cook and clean.", "Alice helps them cook and clean."),
    ("I think they work hard and live well.", "Alice thinks they work hard and live well."),
    ("I enjoy reading and I hate TV.", "Alice enjoys reading and Alice hates TV."),
]
JOINED_SUBJECTS = [
    ("Bob and I go home.", "Bob and Alice go home."),
    ("My sister and I go there every week.", "Alice's sister and Alice go there every week."),
    ("Me and my husband love it.", "Alice and Alice's husband love it."),
    ("He called and I answer.", "He called and Alice answers."),
    ("You and I should talk.", "Bob and Alice should talk."),
]
SECOND_CLAUSES = [
    ("You were so quiet at dinner.", "Bob was so quiet at dinner."),
    ("You weren't at home.", "Bob wasn't at home."),
    ("I wish you were here.", "Alice wishes Bob were here."),
    ("I heard that you were ill and you have a cold.", "Alice heard that Bob was ill and Bob has a cold."),
    ("It's late and I've lost two keys.", "It's late and Alice has lost two keys."),
    ("Great weather and I've been out.", "Great weather and Alice has been out."),
    ("It was cold but I have a coat.", "It was cold but Alice has a coat."),
    ("He left because I am loud.", "He left because Alice is loud."),
    ("The nurse said that I have to rest.", "The nurse said that Alice has to rest."),
    ("When I am tired I don't run.", "When Alice is tired Alice doesn't run."),
    ("It rained and I was wet and I don't mind.", "It rained and Alice was wet and Alice doesn't mind."),
    ("I'm glad to have you.", "Alice is glad to have Bob."),
]
INVERSIONS = [
    ("So which keys do I have to bring?", "So which keys does Alice have to bring?"),
    ("And what time do you have class?", "And what time does Bob have class?"),
    ("Do you have to move?", "Does Bob have to move?"),
    ("So do I.", "So does Alice."),
    ("Am I late?", "Is Alice late?"),
    ("What do I know?", "What does Alice know?"),
    ("Never have I seen it.", "Never has Alice seen it."),
    ("How many kids do you have?", "How many kids does Bob have?"),
    ("Were you there?", "Was Bob there?"),
    ("Did you like it?", "Did Bob like it?"),
]
POSSESSIVES = [
    ("My parents are from Oslo.", "Alice's parents are from Oslo."),
    ("Mom's birthday is in June.", "Alice's mom's birthday is in June."),
    ("I saw Dad yesterday.", "Alice saw Alice's dad yesterday."),
    (
        "We're pushing ourselves and love our work.",
        "Alice and others are pushing themselves and love their work.",
    ),
    ("This book is mine.", "This book is Alice's."),
    ("It's important to me.", "It's important to Alice."),
    ("I went by myself.", "Alice went alone."),
    ("I painted it myself.", "Alice painted it personally."),
    ("I'm proud of myself.", "Alice is proud of herself."),
    ("Oh my god!", "Oh my god!"),
    ('I read "I am Legend" and loved it.', 'Alice read "I am Legend" and loved it.'),
]
ADDRESSEE = [
    ("You have a nice house.", "Bob has a nice house."),
    ("Your brother called me.", "Bob's brother called Alice."),
    ("You're my best friend.", "Bob is Alice's best friend."),
    ("I heard you moved to Porto.", "Alice heard Bob moved to Porto."),
    ("I'll tell you about it.", "Alice will tell Bob about it."),
    ("I hope you like it.", "Alice hopes Bob likes it."),
    ("If you need help, call me.", "If you need help, call Alice."),
    ("You never know what happens.", "You never know what happens."),
    ("We should meet on Friday.", "Alice and Bob should meet on Friday."),
    ("We're moving to Lisbon in March.", "Alice and Bob are moving to Lisbon in March."),
    ("Since we last talked, I got a job.", "Since Alice and Bob last talked, Alice got a job."),
]


@pytest.mark.parametrize(
    ("said", "restated"),
    FIRST_PERSON + COORDINATED + SECOND_CLAUSES + JOINED_SUBJECTS + INVERSIONS + POSSESSIVES + ADDRESSEE,
)
def test_a_sentence_is_restated_with_names_for_pronouns(said: str, restated: str) -> None:
    assert restate(said, "Alice", "Bob") == restated


@pytest.mark.parametrize(
    ("said", "restated"),
    [
        ("We went camping with the kids.", "Alice and others went camping with the kids."),
        ("We saw the Louvre.", "Alice and others saw the Louvre."),
        ("Our cat is called Bailey.", "Alice's cat is called Bailey."),
    ],
)
def test_a_group_the_addressee_hears_of_is_not_the_two_of_them(said: str, restated: str) -> None:
    assert restate(said, "Alice", "Bob") == restated


def test_we_is_the_family_spoken_of_just_before() -> None:
    before = referents("My kids are so excited about summer.", "Alice")
    assert restate("We're going camping.", "Alice", "Bob", antecedents=before) == (
        "Alice and Alice's kids are going camping."
    )


@pytest.mark.parametrize("said", ["You have a nice house.", "Your house is nice.", "We all grow old."])
def test_you_and_everybody_stay_where_it_is_not_clear_who_they_are(said: str) -> None:
    assert restate(said, "Alice", None) == said


@pytest.mark.parametrize(
    ("said", "restated"),
    [
        ("We should meet.", "Alice and others should meet."),
        ("We met at school in Oslo.", "Alice and others met at school in Oslo."),
        ("We both like tea.", "Alice and others both like tea."),
    ],
)
def test_we_among_several_talkers_is_the_speaker_and_others(said: str, restated: str) -> None:
    assert restate(said, "Alice", None) == restated


@pytest.mark.parametrize(
    ("before", "said", "restated"),
    [
        ("My sister Ana called.", "She moved to Porto.", "Ana moved to Porto."),
        ("My sister called.", "She's been there since May.", "Alice's sister has been there since May."),
        ("My sister Ana called.", "I visited her in Porto.", "Alice visited Ana in Porto."),
        ("My sister Ana called.", "Her husband is nice.", "Ana's husband is nice."),
        ("My parents are old.", "They live in Oslo.", "Alice's parents live in Oslo."),
        ("Tom met Anna.", "He smiled.", "Tom smiled."),
        ("Tom and Jack are friends.", "He moved.", "He moved."),
        ("My kids love dinosaurs at home.", "It is huge.", "It is huge."),
        ("My sister Ana called.", "Maria said she was late.", "Maria said she was late."),
        ("I have a big dog.", "Leo has his first exam.", "Leo has his first exam."),
        ("I have a big dog.", "Zorba wants her bone.", "Zorba wants her bone."),
        ("My sister Ana called.", "Zadie spilt tea on hers.", "Zadie spilt tea on hers."),
        ("My sister Ana called.", "The neighbour lost her key.", "The neighbour lost her key."),
        ("My sister said her uncle is ill.", "He sleeps.", "He sleeps."),
    ],
)
def test_a_pronoun_is_replaced_only_where_one_person_fits(before: str, said: str, restated: str) -> None:
    assert restate(said, "Alice", "Bob", antecedents=referents(before, "Alice")) == restated


def test_referents_name_kin_by_their_owner() -> None:
    assert referents("My brother met my boss.", "Alice") == (
        Antecedent("Alice's brother", "he"),
        Antecedent("Alice's boss", ""),
    )


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I came. I saw!", ["I came.", "I saw!"]),
        ("Dr. Smith came at 3.5 p.m. today. He left.", ["Dr. Smith came at 3.5 p.m. today.", "He left."]),
        ('He said "Go home. Now." and left.', ['He said "Go home. Now." and left.']),
        ("I waited... then slept. See https://a.b/c.d?x=1. Ok.",
         ["I waited... then slept.", "See https://a.b/c.d?x=1.", "Ok."]),
        ("Well... I guess.", ["Well... I guess."]),
        ("I live in the U.S. My dog is old.", ["I live in the U.S.", "My dog is old."]),
        ("U.S. law is odd.", ["U.S. law is odd."]),
        ("Wow! 😊 Nice.", ["Wow! 😊", "Nice."]),
        ("1. Open it. 2. Close it.", ["1. Open it.", "2. Close it."]),
        ("i love it. i hate it", ["i love it.", "i hate it"]),
        ("我喜欢。你呢？好！", ["我喜欢。", "你呢？", "好！"]),
        ("Buy milk\nCall Tom", ["Buy milk", "Call Tom"]),
        ("a line that is\nwrapped by a mailer.", ["a line that is\nwrapped by a mailer."]),
        ("   ", []),
    ],
)  # fmt: skip
def test_sentences_end_where_a_reader_would_end_them(text: str, parts: list[str]) -> None:
    assert sentences(text) == parts


def test_an_overlong_sentence_is_cut_at_clause_borders() -> None:
    parts = sentences("I bought apples and pears at the market, and " * 60)
    assert all(len(part) <= 600 for part in parts)
    assert all(part.startswith("I bought") for part in parts)


@given(st.text(max_size=400))
def test_no_character_of_a_text_is_lost_between_sentences(text: str) -> None:
    kept = "".join("".join(sentences(text)).split())
    assert kept == "".join(text.split())


@given(st.text(max_size=200))
def test_any_sentence_can_be_restated(text: str) -> None:
    restate(text, "Alice", "Bob", ["Carol"], referents(text, "Alice", ["Carol"]))

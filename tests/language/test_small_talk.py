import pytest

from meme.language.english.small_talk import courtesy, small_talk, without_fillers

REMARKS = [
    ("Even better.", "agreement"),
    ("Naturally.", "agreement"),
    ("Never.", "agreement"),
    ("Same as always.", "agreement"),
    ("That was the idea.", "agreement"),
    ("You two!", "talk about talking"),
    ("Lunch is ready here.", "talk about talking"),
    ("I've got news too.", "talk about talking"),
    ("I'll let you know!", "talk about talking"),
    ("I can't wait!", "mood"),
    ("I'm so relieved.", "mood"),
    ("And a little envious.", "mood"),
    ("What a proper adventure!", "praise"),
    ("That's a real treat.", "praise"),
    ("That's perfect for her.", "praise"),
    ("No one deserves it more.", "praise"),
    ("He's earned it.", "praise"),
    ("You'll do great.", "praise"),
    ("That sounds divine.", "praise"),
]
COURTESIES = [
    ("Happy Easter, a little late!", "greeting"),
    ("Happy birthday, Bob!", "greeting"),
    ("Buenas noches!", "greeting"),
    ("Boa tarde, Bob!", "greeting"),
    ("Give Rex a big kiss from me!", "regards"),
    ("Send Nora and Ben my love.", "regards"),
    ("Hug the twins for me!", "regards"),
    ("Greetings to Olga and Max!", "regards"),
    ("Say hi to Petra for me.", "regards"),
    ("Poor Rex!", "sympathy"),
    ("Oh no, I'm so sorry, poor Nora!", "sympathy"),
    ("The 9th, noted.", "acknowledgement"),
]
STATEMENTS = [
    "I can't wait to see Rome.",
    "I love your uncle.",
    "Give Petra the key to the shed.",
    "I'm happy with my new job.",
    "I have news about the flat.",
    "That's my violin.",
    "Poor results made me quit.",
    "I have to run, I have rehearsal tonight.",
    "Happy people live longer.",
    "Never eat the red ones.",
    "Kiss is my favourite band.",
]


@pytest.mark.parametrize(("said", "reason"), REMARKS)
def test_a_remark_that_only_judges_or_chats_holds_nothing(said: str, reason: str) -> None:
    assert small_talk(said, ["Alice", "Bob"]) == reason


@pytest.mark.parametrize(("said", "reason"), COURTESIES)
def test_a_courtesy_holds_nothing_whatever_it_names(said: str, reason: str) -> None:
    assert courtesy(said, ["Alice", "Bob"]) == reason
    assert small_talk(said, ["Alice", "Bob"])


@pytest.mark.parametrize("said", STATEMENTS)
def test_a_preference_a_plan_or_a_fact_is_no_small_talk(said: str) -> None:
    assert small_talk(said, ["Alice", "Bob"]) is None
    assert courtesy(said, ["Alice", "Bob"]) is None


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("And sorry, I meant the 9th.", "I meant the 9th."),
        ("I have to go, Rex wants his walk.", "Rex wants his walk."),
        ("I gotta run, the bus is here.", "The bus is here."),
        ("I have to go home.", "I have to go home."),
    ],
)
def test_a_sentence_begins_behind_its_interjections(said: str, rest: str) -> None:
    assert without_fillers(said) == rest

"""What an answer does to a question that has no answer: a bank of wordings, and LoCoMo's own answers."""

import json
from pathlib import Path

import pytest

from meme_bench.scores.abstention import RIGHT, is_refusal, outcome

LOCOMO = Path(__file__).parent.parent.parent.parent / "shared" / "data" / "locomo10.json"

INSTRUMENT = ("What instrument does Tia play?", "the clarinet and the violin")  # Noor plays them
SHOES = ("What are the new shoes that Tia got used for?", "Running")
PET = ("Is Rex Tia's dog?", "Yes")
BREAK = ("What setback did Tia face recently?", "She got hurt and had to take a break from pottery.")

RIGHT_ANSWERS = [
    (INSTRUMENT, "Not known"),
    (INSTRUMENT, "Unknown."),
    (INSTRUMENT, "N/A"),
    (INSTRUMENT, "No information available"),
    (INSTRUMENT, "Not mentioned in the conversation."),
    (INSTRUMENT, "The conversation doesn't say."),
    (INSTRUMENT, "I don't know."),
    (INSTRUMENT, "I’m not sure."),
    (INSTRUMENT, "I do not have any information about that."),
    (INSTRUMENT, "There is no mention of Tia playing the clarinet or the violin."),
    (INSTRUMENT, "There's no evidence that Tia plays the clarinet and the violin."),
    (INSTRUMENT, "This cannot be determined from the dialogue."),
    (INSTRUMENT, "It is impossible to say from what I remember."),
    (INSTRUMENT, "Unable to answer: the memories hold nothing on Tia's instruments."),
    (INSTRUMENT, "The transcript never mentions which instrument Tia plays."),
    (INSTRUMENT, "Tia's instrument isn't specified."),
    (INSTRUMENT, "Insufficient information."),
    (INSTRUMENT, "None of the messages talk about Tia playing an instrument."),
    (INSTRUMENT, "Nothing in memory says that Tia plays an instrument."),
    (INSTRUMENT, "No turn says that Tia plays the violin."),
    (INSTRUMENT, "That never came up."),
    (INSTRUMENT, "Sorry, I couldn't find anything about this; could you give me more context?"),
    (INSTRUMENT, "The provided context does not contain details on Tia and the clarinet."),
    (INSTRUMENT, "It was Noor, not Tia, who said she plays the clarinet and the violin."),
    (INSTRUMENT, "Tia does not play an instrument; Noor plays the clarinet and the violin."),
    (INSTRUMENT, "The question mixes up Tia with Noor, who plays the clarinet and the violin."),
    (
        INSTRUMENT,
        "The memories do not say that Tia plays one, although Noor plays the clarinet and the violin.",
    ),
    (INSTRUMENT, "Not stated, but it may have been mentioned in another conversation."),
    (INSTRUMENT, "Perhaps you mean Noor?"),
    (INSTRUMENT, "Noor, not Tia, plays the clarinet and the violin."),
    (INSTRUMENT, "There's no way of knowing."),
    (INSTRUMENT, "Tia is not described as playing anything."),
    (INSTRUMENT, "The text only says that Noor plays the clarinet and the violin."),
    (INSTRUMENT, "What instrument does Tia play? That isn't mentioned."),
    (INSTRUMENT, "None"),
    (SHOES, "Tia did not get new shoes."),
    (SHOES, "There is no information on new shoes, in the conversation, of Tia's."),
    (SHOES, "That was Noor."),
    (SHOES, "It's unclear what the shoes were for."),
    (SHOES, "There is no record of Tia buying shoes for running."),
    (PET, "No"),
    (PET, "No, Rex is Noor's dog."),
    (PET, "Rex is Noor's dog, not Tia's."),
    (PET, "It is not mentioned whose dog Rex is."),
    (BREAK, "No setback of Tia's is known. Noor got hurt and had to take a break from pottery."),
    (BREAK, "Tia didn't face a setback."),
    (BREAK, "The premise is false: Noor was the one who got hurt."),
]

WRONG_ANSWERS = [
    (INSTRUMENT, "the clarinet and the violin", "baited"),
    (INSTRUMENT, "She plays clarinet and violin.", "baited"),
    (INSTRUMENT, "Clarinet, violin", "baited"),
    (INSTRUMENT, "No information, but probably the clarinet and the violin.", "hedged"),
    (INSTRUMENT, "Not mentioned, likely the clarinet and violin", "hedged"),
    (INSTRUMENT, "I'm not sure, maybe the violin and the clarinet.", "hedged"),
    (INSTRUMENT, "It isn't stated directly; my best guess is the violin and the clarinet.", "hedged"),
    (INSTRUMENT, "Unknown (possibly clarinet and violin)", "hedged"),
    (INSTRUMENT, "There is no direct mention. However, she plays the clarinet and the violin.", "hedged"),
    (INSTRUMENT, "Not explicitly stated, the clarinet and the violin", "hedged"),
    (INSTRUMENT, "I don't know for certain, but I would guess the piano.", "hedged"),
    (INSTRUMENT, "It isn't said since when, only that it is the clarinet and the violin", "hedged"),
    (INSTRUMENT, "The clarinet and the violin; no other information is available.", "baited"),
    (INSTRUMENT, "The piano; nothing more is mentioned", "asserted"),
    (INSTRUMENT, "She couldn't say no to the piano", "asserted"),
    (INSTRUMENT, "She can't play the piano but plays the guitar", "asserted"),
    (INSTRUMENT, "The piano", "asserted"),
    (INSTRUMENT, "The piano, not the guitar", "asserted"),
    (INSTRUMENT, "She did not start before she was twelve", "asserted"),
    (INSTRUMENT, "", "asserted"),
    (SHOES, "Running", "baited"),
    (SHOES, "For running, not walking", "baited"),
    (SHOES, "No information is given, so probably running.", "hedged"),
    (SHOES, "Walking, as they are not good for the gym", "asserted"),
    (PET, "Yes", "baited"),
    (PET, "Yes, Rex is her dog.", "baited"),
    (BREAK, "She got hurt and could not do pottery, so she took a break.", "baited"),
    (BREAK, "A broken wrist that did not heal well", "asserted"),
    (BREAK, "She was not able to work on her pots", "asserted"),
]


def decided(asked: tuple[str, str], answer: str, gold: str | None = None) -> str:
    return outcome(answer, question=asked[0], bait=asked[1], gold=gold)


@pytest.mark.parametrize(("asked", "answer"), RIGHT_ANSWERS)
def test_a_refusal_or_correction_in_any_wording_is_right(asked: tuple[str, str], answer: str) -> None:
    assert decided(asked, answer) in RIGHT


@pytest.mark.parametrize(("asked", "answer", "expected"), WRONG_ANSWERS)
def test_a_bait_given_or_hedged_and_a_mere_not_are_wrong(
    asked: tuple[str, str], answer: str, expected: str
) -> None:
    assert decided(asked, answer) == expected


def test_a_bait_that_is_itself_a_refusal_does_not_make_refusing_wrong() -> None:
    assert outcome("Not mentioned", question="What job did Jo take?", bait="Not mentioned") == "refused"


def test_the_gold_of_an_adversarial_question_is_right() -> None:
    assert decided(("Did Tia make the bowl in the photo?", "Yes"), "No", gold="No") == "corrected"


def test_a_question_without_bait_is_judged_by_the_wording_alone() -> None:
    assert outcome("I have no record of that.", question="Where is my key?", bait=None) == "refused"
    assert outcome("In the blue drawer.", question="Where is my key?", bait=None) == "asserted"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Not known", True),
        ("There is no information about when Tia met Noor.", True),
        ("I don't know. Could you give me more context?", True),
        ("The date is not given, but it was in May 2023.", False),
        ("The exact day isn't mentioned; the week before 9 June 2023.", False),
        ("No", False),
        ("Not yet", False),
        ("She does not like it", False),
        ("Nothing", False),
        ("", False),
    ],
)
def test_a_refusal_that_goes_on_to_answer_is_an_answer(answer: str, expected: bool) -> None:
    assert is_refusal(answer) is expected


@pytest.mark.skipif(not LOCOMO.exists(), reason="LoCoMo is not at hand")
def test_on_the_real_file_no_gold_answer_is_taken_for_a_refusal_and_every_bait_for_a_bait() -> None:
    questions = [one for talk in json.loads(LOCOMO.read_text()) for one in talk["qa"]]
    answerable = [str(one["answer"]) for one in questions if one["category"] != 5]
    assert [gold for gold in answerable if is_refusal(gold)] == []
    baited = [one for one in questions if one["category"] == 5]
    unseen = [
        one["adversarial_answer"]
        for one in baited
        if outcome(one["adversarial_answer"], question=one["question"], bait=one["adversarial_answer"])
        != "baited"
    ]
    assert unseen == ["Not mentioned", "Not mentioned"], "two baits of the dataset are refusals"


@pytest.mark.skipif(not LOCOMO.exists(), reason="LoCoMo is not at hand")
@pytest.mark.parametrize("lead", ["No information, but probably {}", "Not mentioned. I think it is: {}"])
def test_on_the_real_file_a_hedge_never_makes_a_bait_right(lead: str) -> None:
    for talk in json.loads(LOCOMO.read_text()):
        for one in talk["qa"]:
            bait = one.get("adversarial_answer")
            if one["category"] == 5 and bait != "Not mentioned":
                found = outcome(lead.format(bait), question=one["question"], bait=bait)
                assert found not in RIGHT, (one["question"], bait)


@pytest.mark.parametrize(
    "answer",
    [
        "Porto. The exact date is not mentioned.",
        "2022. The month is not stated.",
        "Yes, though the reason is not mentioned.",
    ],
)
def test_an_answer_with_a_caveat_about_something_else_is_an_answer(answer: str) -> None:
    assert not is_refusal(answer)

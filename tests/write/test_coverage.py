from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meme.write.coverage import measure, missing_in, required
from meme.write.shapes import Line

MONDAY = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def line(text: str, speaker: str = "Alice", ref: str = "t1", captions: tuple[str, ...] = ()) -> Line:
    return Line(ref, speaker, text, MONDAY, captions=captions)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("I paid $1,200 to Zoë.", {"$1,200", "Zoë"}),
        ('Yesterday I read "The Hobbit" at 10:30.', {"Yesterday", "The Hobbit", "10:30"}),
        ("We have two kids and 3 cats.", {"two", "3"}),
        ("Hi Bob!", set()),
        ("Thanks, Anna!", set()),
        ("I like it a lot.", set()),
        ("I was in Rome on 3 May 2023.", {"Rome"}),
    ],
)
def test_a_turn_requires_its_numbers_dates_names_and_titles(text: str, items: set[str]) -> None:
    found = required(text)
    assert items <= set(found)
    assert len(found) <= len(items) + (1 if "2023" in text else 0)


def test_captions_are_required_too() -> None:
    assert "Lisbon" in required("Look!", ["a tram in Lisbon"])


@pytest.mark.parametrize(
    ("said", "entry"),
    [
        ("I paid 1,000 to Zoë.", "Alice paid 1000 to Zoe."),
        ("I have two dogs.", "Alice has 2 dogs."),
        ("I have 7 men.", "Alice has seven men."),
        ("I came yesterday.", "Alice came on 7 May 2023."),
        ("I came yesterday.", "Alice came on 2023-05-07."),
        ("I READ “The Hobbit”.", "alice read the hobbit"),
        ("I met Anna's sister.", "Alice met the sister of Anna."),
        ("Café Zoë is nice.", "cafe zoe is nice"),
    ],
)
def test_an_item_is_covered_however_it_is_written(said: str, entry: str) -> None:
    coverage, missing = measure([line(said)], [entry])
    assert missing == {}
    assert coverage.share == 1.0
    assert coverage.required == coverage.covered > 0


@pytest.mark.parametrize(
    ("said", "entry", "gone"),
    [
        ("I paid 1,000 to Zoë.", "Alice paid 100 to Zoe.", ("1,000",)),
        ("I came yesterday.", "Alice came on 8 May 2023.", ("yesterday",)),
        ("I met Ann in Rome.", "Alice met Annabel in Rome.", ("Ann",)),
        ("I have two dogs.", "Alice has three dogs.", ("two",)),
    ],
)
def test_what_no_entry_holds_is_missing(said: str, entry: str, gone: tuple[str, ...]) -> None:
    coverage, missing = measure([line(said)], [entry])
    assert missing == {"t1": gone}
    assert coverage.missing == gone


def test_a_name_called_out_is_not_required_of_a_talker() -> None:
    lines = [line("Hey Bob, I moved."), line("That is great, Alice!", "Bob", "t2")]
    assert measure(lines, ["Alice moved."])[1] == {}


def test_the_short_form_of_a_talker_is_the_talker() -> None:
    lines = [line("I saw Mel there."), line("Yes.", "Melanie", "t2")]
    assert measure(lines, ["Alice saw Melanie there."])[1] == {}


def test_excused_lines_and_items_count_for_nothing() -> None:
    lines = [line("I met Ann in Rome."), line("I met Zed.", ref="t2")]
    assert measure(lines, [], ["t1", "Zed"])[0].required == 0


def test_context_lines_are_not_measured() -> None:
    context = Line("c1", "Alice", "I met Ann.", MONDAY, evidence=False)
    assert measure([context], []) == (measure([], [])[0], {})


def test_nothing_required_is_fully_covered() -> None:
    assert measure([line("Hi Bob!")], [])[0].share == 1.0


def test_missing_in_names_what_a_text_lacks() -> None:
    assert missing_in(["1,000", "Zoë", "yesterday"], "I paid 1000 on 7 May 2023.", MONDAY) == ("Zoë",)


@given(st.text(max_size=300), st.lists(st.text(max_size=100), max_size=3))
def test_any_text_can_be_measured(text: str, texts: list[str]) -> None:
    coverage, missing = measure([line(text)], texts)
    assert 0 <= coverage.covered <= coverage.required
    assert bool(missing) == (coverage.covered < coverage.required)


@given(st.text(max_size=200))
def test_a_turn_covers_itself(text: str) -> None:
    assert measure([line(text)], [text])[1] == {}


@pytest.mark.parametrize(
    ("text", "required"),
    [
        ("I 100% agree, that is right.", 0),
        ("He is there for me 24/7.", 0),
        ("The battery is at 100% now.", 1),
        ("It was 100% cotton.", 1),
    ],
)
def test_numbers_that_count_nothing_are_not_required(text: str, required: int) -> None:
    assert measure([line(text)], [])[0].required == required


def test_a_courtesy_requires_nothing() -> None:
    assert required("Give Rex a hug from me! Poor Nora.") == ()
    assert required("Give Nora the key to Rex Hall.") != ()


@pytest.mark.parametrize(
    ("said", "entry", "held"),
    [
        ("I love HP.", "Ana loves the Harry Potter books.", True),
        ("She works for the UN now.", "Bea works for the United Nations.", True),
        ("I love HP.", "Ana loves Henry the printer.", False),
    ],
)
def test_a_short_form_is_held_by_the_full_name(said: str, entry: str, held: bool) -> None:
    assert (measure([line(said)], [entry])[1] == {}) is held


def test_what_a_machine_counts_in_a_picture_is_not_required() -> None:
    shown = line("Look!", captions=("a photo of two men and 3 dogs in front of Kiln & Co",))
    assert measure([shown], [])[0].missing == ("Kiln & Co",)

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meme.language.names import keywords, language, numbers, persons, places, proper_names, titles


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I work at Lumen Ltd near Lake Como.", ("Lumen Ltd", "Lake Como")),
        ("She joined the Bank of America in May.", ("Bank of America",)),
        ("Ana moved to Porto. Then she left.", ("Ana", "Porto")),
        ("Wow, I love it. Going home on Monday.", ()),
        ("My iPhone runs GPT-4 now.", ("iPhone", "GPT-4")),
        ("We met the LGBTQ group in San Francisco, California.", ("LGBTQ", "San Francisco", "California")),
        ("Melanie's kids are fine, says O'Brien.", ("Melanie", "O'Brien")),
        ("Teo owns a kayak. Music is great.", ("Teo",)),
        ("I AM VERY ANGRY ABOUT THIS", ()),
        ("", ()),
        ("Ich wohne in München und arbeite bei Siemens, die Wohnung ist schön.", ("München", "Siemens")),
        ("Мы ездили в Казань с братом.", ("Казань",)),
    ],
)
def test_proper_names_are_found_and_sentence_starts_are_not(text: str, names: tuple[str, ...]) -> None:
    assert proper_names(text) == names


@pytest.mark.parametrize(
    ("text", "known", "found"),
    [
        ("my friend Jack called", (), ("Jack",)),
        ("Borat said hello", (), ("Borat",)),
        ("I saw BOB's car", ("Bob",), ("Bob",)),
        ("Hey Mel, how are you?", ("Melanie", "Caroline"), ("Melanie",)),
        ("I met Dr. Kowalski in Berlin", (), ("Kowalski",)),
        ("李雷和韩梅梅去北京", ("李雷", "韩梅梅"), ("李雷", "韩梅梅")),
        ("We flew to Paris with Lufthansa", (), ()),
        ("the bobsled is red", ("Bob",), ()),
    ],
)
def test_persons_are_known_names_and_names_where_persons_stand(
    text: str, known: tuple[str, ...], found: tuple[str, ...]
) -> None:
    assert persons(text, known) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I live in Berlin.", ("Berlin",)),
        ("We drove to Lake Como and back.", ("Lake Como",)),
        ("She is from Sweden.", ("Sweden",)),
        ("Meet me at Shibuya Station.", ("Shibuya Station",)),
        ("I wrote it in Python, in English, in May.", ()),
        ("We moved to Austin, Texas.", ("Austin", "Texas")),
        ("I gave it to Tom.", ()),
    ],
)
def test_places_stand_behind_their_prepositions(text: str, found: tuple[str, ...]) -> None:
    assert places(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("12 eggs, 3.5 hours, $200 and port 8080", ("12", "3.5", "$200", "8080")),
        ("at 10:30 on the 3rd", ("10:30", "3rd")),
        ("1,200 people, 50% off", ("1,200", "50%")),
        ("GPT-4 and B2B have none, nor has https://a.b/c/99", ()),
        ("我有3只猫", ("3",)),
    ],
)
def test_numbers_are_given_as_written(text: str, found: tuple[str, ...]) -> None:
    assert numbers(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('I read "The Hobbit" twice.', ("The Hobbit",)),
        ("I read “Nineteen Eighty-Four” and «War and Peace».", ("Nineteen Eighty-Four", "War and Peace")),
        ("We watched 'Charlotte's Web' today.", ("Charlotte's Web",)),
        ('"I am so tired," she said.', ()),
        ("我在看《红楼梦》", ("红楼梦",)),
    ],
)
def test_titles_are_quoted_names_of_works_not_speech(text: str, found: tuple[str, ...]) -> None:
    assert titles(text) == found


def test_keywords_put_names_and_word_pairs_first() -> None:
    found = keywords("I ran a charity race for mental health with Anna last Saturday.")
    assert found[0] == "Anna"
    assert {"charity race", "mental health"} <= set(found)
    assert not {"last", "saturday", "for"} & set(found)


def test_keywords_keep_to_their_limit() -> None:
    assert len(keywords("apples pears plums cherries grapes lemons oranges melons figs dates", 3)) == 3


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("I went to the park with my dog.", "en"),
        ("Ich habe gestern mit meiner Schwester gekocht.", "de"),
        ("J'ai mangé avec ma sœur dans le jardin.", "fr"),
        ("Ayer fui al cine con mi hermana y me gustó mucho.", "es"),
        ("Ieri sono andato al cinema con mia sorella e non mi è piaciuto.", "it"),
        ("Ontem não fui ao cinema com minha irmã, mas foi bom.", "pt"),
        ("Вчера я ходил в кино.", "ru"),
        ("我下周一去上海。", "zh"),
        ("昨日、映画を見に行きました。", "ja"),
        ("어제 영화를 봤어요.", "ko"),
        ("ذهبت إلى السوق أمس", "ar"),
        ("Please call me Al.", "en"),
        ("ok", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_told_by_script_and_common_words(text: str, code: str) -> None:
    assert language(text) == code


@given(st.text(max_size=300))
def test_no_text_breaks_the_finders(text: str) -> None:
    for find in (proper_names, persons, places, numbers, titles, keywords):
        assert all(item.strip() for item in find(text))
    assert len(language(text)) == 2

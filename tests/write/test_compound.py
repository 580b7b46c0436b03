import pytest
from hypothesis import given
from hypothesis import strategies as st

from meme.write.extract_by_rule.compound import clauses

APART = [
    ("I work at Ferrum as a welder, and two years of the same shift is a lot.",
     ["I work at Ferrum as a welder", "two years of the same shift is a lot."]),
    ("I eat rice every day and I don't like bread at all.",
     ["I eat rice every day", "I don't like bread at all."]),
    ("I moved to Lyon last month and I rent a room near the river.",
     ["I moved to Lyon last month", "I rent a room near the river."]),
    ("I began rowing in May, and now I'm training for a regatta.",
     ["I began rowing in May", "now I'm training for a regatta."]),
    ("My wife hurt her back in Oslo, so the ski trip is off.",
     ["My wife hurt her back in Oslo", "the ski trip is off."]),
    ("I have two sons, Max and Ole, and my wife Ida is a cook.",
     ["I have two sons, Max and Ole", "my wife Ida is a cook."]),
    ("My Greek is poor, but I understood the menu.", ["My Greek is poor", "I understood the menu."]),
    ("I teach maths; my brother is a baker.", ["I teach maths", "my brother is a baker."]),
    ("I'm a potter, and Wood & Daughters have just asked me for a vase.",
     ["I'm a potter", "Wood & Daughters have just asked me for a vase."]),
    ("I work in a team of six, and on Monday we launched a boat.",
     ["I work in a team of six", "on Monday we launched a boat."]),
]  # fmt: skip
TOGETHER = [
    "I live in Ghent, near the canal, so I can't complain.",
    "I baked two loaves and nothing burnt.",
    "Tom and I are taking the train to Rome.",
    "I think Tom and I should go.",
    "When I was small and we lived in Bern, I skated.",
    "I got a bike and I love it.",
    "My cousin Rob visited from Cork and we went sailing.",
    "I saved money so I could travel.",
    "He said he was ill and I left.",
    "I love my sister and my brother.",
    "I bought the hat and the coat made by Ana.",
    "I knitted a hat, and it took a week.",
    "I have two sons, Max and Ole, both of them bakers.",
    "They own a black parrot, so the parrot is invited.",
    "It's foggy in Hull, and I have lived here for years.",
    'I read "We sat and I wept" twice.',
    "Do you sing and do I dance, and will Tom play?",
]


@pytest.mark.parametrize(("said", "parts"), APART)
def test_independent_clauses_are_statements_for_themselves(said: str, parts: list[str]) -> None:
    assert clauses(said) == parts


@pytest.mark.parametrize("said", TOGETHER)
def test_what_leans_on_its_clause_stays_with_it(said: str) -> None:
    assert clauses(said) == [said]


@given(
    st.lists(
        st.sampled_from(
            ["I", "we", "my", "Ana", "moved", "live", "and", ",", "but", "so", "it", "is", "the", "dog", ";"]
        ),
        max_size=30,
    )
)
def test_nothing_but_borders_is_lost_between_clauses(words: list[str]) -> None:
    said = " ".join(words)
    kept = [word for part in clauses(said) for word in part.split()]
    dropped = {"and", "but", "so", ",", ";"}
    assert [w for w in kept if w not in dropped] == [w for w in words if w not in dropped]

"""Fusing: what each layer adds, how turns lift entries, and what never becomes a hit."""

from hypothesis import given
from hypothesis import strategies as st

from meme.read.fuse import LIFT, REPEATED, SESSION, SHARE, SPEAKER, WEIGHTS, Talk, fuse, normalised

rankings = st.dictionaries(
    st.sampled_from(["semantic", "lexical", "structured"]),
    st.lists(st.tuples(st.integers(1, 20), st.floats(-1, 30)), unique_by=lambda pair: pair[0], max_size=10),
)


def test_scores_are_spread_between_a_tenth_and_one() -> None:
    assert normalised([(1, 3.0), (2, 2.0), (3, 1.0)]) == {1: 1.0, 2: 0.55, 3: 0.1}
    assert normalised([(1, 0.2)]) == {1: 1.0}
    assert normalised([]) == {}


def test_two_layers_that_agree_beat_one_that_is_sure() -> None:
    both = {"semantic": [(1, 0.9), (2, 0.8), (3, 0.1)], "lexical": [(2, 7.0), (3, 6.0)]}
    assert [one.key for one in fuse(both, Talk())] == [2, 1, 3]


def test_the_parts_of_a_score_add_up_and_tell_rank_and_raw_score() -> None:
    fused = fuse({"semantic": [(1, 0.9), (2, 0.5)], "lexical": [(2, 7.0)]}, Talk())
    second = next(one for one in fused if one.key == 2)
    assert second.score == sum(part.weight for part in second.parts.values())
    assert (second.parts["semantic"].rank, second.parts["semantic"].score) == (2, 0.5)


def test_a_cited_turn_lifts_its_entry_and_is_no_hit_of_its_own() -> None:
    fused = fuse({"lexical": [(10, 9.0), (1, 3.0)]}, Talk(cites={10: [1, 2]}))
    assert [one.key for one in fused] == [1, 2]
    assert fused[0].score == WEIGHTS["lexical"] * (0.1 + LIFT)
    assert fused[1].parts["lexical"].rank == 1


def test_only_the_best_of_several_turns_lifts() -> None:
    one = fuse({"lexical": [(10, 9.0), (11, 9.0)]}, Talk(cites={10: [1], 11: [1]}))
    assert [(fused.key, fused.score) for fused in one] == [(1, WEIGHTS["lexical"] * LIFT)]


def test_a_turn_whose_entries_are_all_closed_is_no_hit() -> None:
    assert fuse({"lexical": [(10, 9.0)]}, Talk(cites={10: []})) == []


@given(rankings, st.dictionaries(st.integers(1, 20), st.lists(st.integers(21, 30), max_size=3), max_size=5))
def test_hits_are_unique_ordered_and_never_cited_turns(
    layers: dict[str, list[tuple[int, float]]], lifts: dict[int, list[int]]
) -> None:
    fused = fuse(layers, Talk(cites=lifts))
    keys = [one.key for one in fused]
    assert len(keys) == len(set(keys))
    assert not set(keys) & set(lifts)
    assert [one.score for one in fused] == sorted((one.score for one in fused), reverse=True)


def test_a_turn_shares_its_score_with_hits_beside_it_and_makes_no_hit_of_others() -> None:
    layers = {"lexical": [(10, 9.0)], "semantic": [(1, 0.5)]}
    fused = fuse(layers, Talk(cites={11: [1]}, beside={10: [11, 12]}))
    assert [(one.key, round(one.score, 4)) for one in fused] == [
        (1, round(WEIGHTS["semantic"] + WEIGHTS["lexical"] * SHARE * LIFT, 4)),
        (10, WEIGHTS["lexical"]),
    ]
    assert fused[0].parts["lexical"].rank == 1


def test_the_session_with_most_of_it_lifts_its_hits_and_a_single_session_none() -> None:
    ranked = {"lexical": [(1, 9.0), (2, 8.0), (3, 7.0)]}
    talk = Talk(session={1: "monday", 2: "friday", 3: "friday"})
    parts = {one.key: one.parts for one in fuse(ranked, talk)}
    assert parts[1]["session"].weight == SESSION  # 1.0 against .55 + .1 of the best score
    assert parts[2]["session"].weight == parts[3]["session"].weight == SESSION * (0.55 + 0.1)
    alone = fuse(ranked, Talk(session=dict.fromkeys((1, 2, 3), "monday")))
    assert all("session" not in one.parts for one in alone)


def test_what_a_person_of_the_question_said_is_preferred() -> None:
    ranked = {"lexical": [(1, 9.0), (2, 8.9)]}
    talk = Talk(speaker={1: "bob", 2: "caro"})
    assert [one.key for one in fuse(ranked, talk)] == [1, 2]
    first = fuse({"lexical": [(1, 9.0), (2, 8.9), (3, 1.0)]}, talk, {"caro"})[0]
    assert (first.key, first.parts["speaker"].weight) == (2, SPEAKER)


def test_hits_on_one_turn_make_room_for_others() -> None:
    ranked = {"lexical": [(1, 10.0), (2, 9.9), (3, 9.0), (4, 0.0)]}
    talk = Talk(sources={1: [10], 2: [10], 3: [11]})
    fused = fuse(ranked, talk)
    assert [one.key for one in fused] == [1, 3, 2, 4]
    again = fused[2]
    assert round(again.score, 6) == round(sum(part.weight for part in again.parts.values()), 6)
    assert again.score == REPEATED * (again.score - again.parts["repeats"].weight)


def test_a_turn_that_waits_stands_for_its_entry_as_well() -> None:
    ranked = {"lexical": [(10, 9.0)]}
    (waiting,), (told,) = fuse(ranked, Talk(alone={10})), fuse(ranked, Talk())
    assert waiting.score == told.score * (1 + LIFT)

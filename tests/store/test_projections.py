"""One contract for every search index: the two real ones and the two in memory (cases O13, O14, O19 to O21)."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import ANA, BEN, probe, row, vector

from meme.errors import ProjectionError
from meme.records import Scope
from meme.store.in_memory import InMemoryLexicon, InMemoryVectors
from meme.store.lexicon import Lexicon
from meme.store.memories import Memories
from meme.store.projection import LexicalProjection, Probe, Projection, Row

Opener = Callable[[], Projection]
ALL = ["vectors in memory", "lance", "lexicon in memory", "tantivy"]


def opener(kind: str, folder: Path) -> Opener:
    """A new handle on one index; an index in memory is its own disk."""
    if kind == "lance":
        return lambda: Memories(str(folder), "memories", 32)
    if kind == "tantivy":
        return lambda: Lexicon(folder / "lexicon")
    made = InMemoryVectors() if kind == "vectors in memory" else InMemoryLexicon()
    return lambda: made


@dataclass
class Index:
    """An index with the way to open it again."""

    open: Opener
    now: Projection

    def write(self, *rows: Row, gone: Sequence[int] = (), position: int = 1) -> None:
        self.now.write(rows, gone, position)

    def keys(self, asked: Probe) -> list[int]:
        return [key for key, _ in self.now.search(asked)]


@pytest.fixture(params=ALL)
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Index:
    opening = opener(request.param, tmp_path / "store")
    return Index(opening, opening())


@pytest.fixture(params=["lexicon in memory", "tantivy"])
def lexicon(request: pytest.FixtureRequest, tmp_path: Path) -> LexicalProjection:
    found: LexicalProjection = opener(request.param, tmp_path / "store")()  # type: ignore[assignment]
    return found


WALRUS, TANDEM, PORTO = "The walrus sticker is new", "Mina owns a tandem", "A train to Porto"


# ---------------------------------------------------------------- what is held


def test_a_new_index_is_empty_at_position_0(index: Index) -> None:
    assert index.now.position() == 0
    assert index.now.inventory() == {}
    assert index.keys(probe("walrus")) == []


def test_the_position_moves_with_the_data(index: Index) -> None:
    index.write(row(3, WALRUS), position=7)
    assert index.now.position() == 7
    index.write(row(8, TANDEM), position=9)
    assert index.now.position() == 9


def test_an_empty_batch_moves_the_position_and_nothing_else(index: Index) -> None:
    index.write(row(3, WALRUS), position=7)
    index.write(position=12)
    assert index.now.position() == 12
    assert index.now.inventory() == {3: 3}


def test_what_was_written_is_found_at_once(index: Index) -> None:
    index.write(row(1, WALRUS), row(2, TANDEM), row(3, PORTO))
    for key, text in ((1, WALRUS), (2, TANDEM), (3, PORTO)):
        assert index.keys(probe(text))[0] == key


def test_the_nearest_comes_first_and_scores_fall(index: Index) -> None:
    index.write(row(1, "walrus sticker laptop"), row(2, "walrus"), row(3, "walrus sticker"))
    scores = [score for _, score in index.now.search(probe("walrus sticker laptop"))]
    assert index.keys(probe("walrus sticker laptop"))[0] == 1
    assert scores == sorted(scores, reverse=True)


def test_a_row_with_a_known_key_replaces_the_old_one(index: Index) -> None:
    index.write(row(1, WALRUS))
    index.write(row(1, TANDEM, stamp=5), position=5)
    assert index.now.inventory() == {1: 5}
    ((key, score),) = index.now.search(probe(TANDEM))
    assert key == 1
    assert all(other < score for _, other in index.now.search(probe(WALRUS)))


def test_equal_keys_in_one_batch_are_one_row_and_the_last_one_stands(index: Index) -> None:
    index.write(row(1, WALRUS), row(2, PORTO), row(1, TANDEM, stamp=4))
    assert index.now.inventory() == {1: 4, 2: 2}
    assert sorted(index.keys(probe(f"{WALRUS} {TANDEM} {PORTO}"))) == [1, 2]


def test_a_key_that_is_gone_is_not_found_again(index: Index) -> None:
    index.write(row(1, WALRUS), row(2, WALRUS))
    index.write(gone=[1], position=3)
    assert index.keys(probe(WALRUS)) == [2]
    assert index.now.inventory() == {2: 2}
    index.write(gone=[1, 99], position=4)  # once more, and one that never was
    assert index.now.inventory() == {2: 2}


def test_a_key_both_gone_and_given_is_held(index: Index) -> None:
    index.write(row(1, WALRUS))
    index.write(row(1, TANDEM, stamp=2), gone=[1], position=2)
    assert index.now.inventory() == {1: 2}


def test_a_thousand_rows_can_go_at_once(index: Index) -> None:
    index.write(*(row(key, WALRUS, vector=vector(WALRUS)) for key in range(1, 1202)))
    index.write(gone=list(range(1, 1201)), position=2)
    assert index.now.inventory() == {1201: 1201}


def test_a_reset_forgets_rows_and_position_and_goes_on(index: Index) -> None:
    index.write(row(1, WALRUS), position=7)
    index.now.reset()
    assert (index.now.position(), index.now.inventory(), index.keys(probe("walrus"))) == (0, {}, [])
    index.write(row(2, WALRUS), position=9)
    assert (index.now.position(), index.keys(probe("walrus"))) == (9, [2])


def test_data_and_position_are_there_after_reopening(index: Index) -> None:
    index.write(row(1, WALRUS), row(2, TANDEM), position=7)
    index.write(gone=[2], position=8)
    index.now.close()
    again = index.open()
    assert again.position() == 8
    assert again.inventory() == {1: 1}
    assert [key for key, _ in again.search(probe(WALRUS))] == [1]


def test_a_second_handle_sees_what_the_first_one_wrote(index: Index) -> None:
    index.write(row(1, WALRUS), position=1)
    other = index.open()
    index.write(row(2, WALRUS), position=2)
    assert other.position() == 2
    assert {key for key, _ in other.search(probe(WALRUS))} == {1, 2}
    other.write([row(3, WALRUS)], [1], 3)
    assert index.now.position() == 3
    assert set(index.keys(probe(WALRUS))) == {2, 3}


def test_a_handle_goes_on_after_another_one_made_the_index_anew(index: Index) -> None:
    index.write(row(1, WALRUS), position=5)
    other = index.open()
    other.reset()
    other.write([row(2, WALRUS)], (), 6)
    assert index.now.position() == 6
    assert index.keys(probe(WALRUS)) == [2]


# ---------------------------------------------------------------- whose it is

NASTY = [
    "O'Brien",
    "x' OR 1=1 --",
    "team_a",
    "teamXa",
    "50%",
    "back\\slash",
    '"double"',
    "new\nline",
    "emoji 🎌",
    "user_id",
    "*",
    "a AND b",
    "ana' --",
    "Ana",
    " ana",
    "ana",
    "用户",
    "x" * 500,
]


def test_every_user_sees_his_own_rows_and_nobody_elses(index: Index) -> None:
    index.write(*(row(key, WALRUS, Scope(user)) for key, user in enumerate(NASTY, 1)))
    for key, user in enumerate(NASTY, 1):
        assert index.keys(probe(WALRUS, Scope(user))) == [key]
    assert index.keys(probe(WALRUS, Scope("nobody"))) == []
    assert index.keys(probe(WALRUS, Scope("team%"))) == []


def test_every_agent_and_session_is_kept_apart_too(index: Index) -> None:
    index.write(*(row(key, WALRUS, Scope("ana", name, name)) for key, name in enumerate(NASTY, 1)))
    for key, name in enumerate(NASTY, 1):
        assert index.keys(probe(WALRUS, Scope("ana", agent_id=name))) == [key]
        assert index.keys(probe(WALRUS, Scope("ana", session_id=name))) == [key]
    assert len(index.keys(probe(WALRUS, ANA, limit=100))) == len(NASTY)


def test_a_user_an_agent_and_a_session_of_one_name_are_three_things(index: Index) -> None:
    index.write(
        row(1, WALRUS, Scope("x")), row(2, WALRUS, Scope("ana", "x")), row(3, WALRUS, Scope("ana", None, "x"))
    )
    assert index.keys(probe(WALRUS, Scope("x"))) == [1]
    assert index.keys(probe(WALRUS, Scope("ana", "x"))) == [2]
    assert index.keys(probe(WALRUS, Scope("ana", None, "x"))) == [3]


def test_an_agent_does_not_see_what_belongs_to_no_agent(index: Index) -> None:
    index.write(row(1, WALRUS, ANA), row(2, WALRUS, Scope("ana", "bot")))
    assert index.keys(probe(WALRUS, Scope("ana", "bot"))) == [2]
    assert set(index.keys(probe(WALRUS, ANA))) == {1, 2}


def test_a_small_user_beside_a_big_one_gets_his_own_within_the_limit(index: Index) -> None:
    picnic = vector("the picnic is at the lake")
    big = [row(key, "the picnic is at the lake", BEN, vector=picnic) for key in range(1, 2001)]
    index.write(*big, row(3000, "the picnic is at the lake gate code 7312"))
    assert index.keys(probe("the picnic is at the lake", ANA, limit=5)) == [3000]
    assert len(index.keys(probe("the picnic is at the lake", BEN, limit=5))) == 5
    assert index.keys(probe("picnic", Scope("tess"), limit=5)) == []


# ---------------------------------------------------------------- hard conditions


def test_the_limit_is_kept(index: Index) -> None:
    index.write(*(row(key, WALRUS) for key in range(1, 8)))
    assert len(index.keys(probe(WALRUS, limit=3))) == 3
    assert len(index.keys(probe(WALRUS, limit=1000))) == 7


def test_entries_and_turns_can_be_told_apart(index: Index) -> None:
    index.write(row(1, WALRUS), row(2, WALRUS, type="turn"))
    assert index.keys(probe(WALRUS, type="memory")) == [1]
    assert index.keys(probe(WALRUS, type="turn")) == [2]
    assert set(index.keys(probe(WALRUS))) == {1, 2}


def test_every_required_facet_must_be_carried(index: Index) -> None:
    index.write(
        row(1, WALRUS, facets=("person=ana", "tag=o'brien")),
        row(2, WALRUS, facets=("person=ana",)),
        row(3, WALRUS, facets=("person=anabel",)),
        row(4, WALRUS),
    )
    assert set(index.keys(probe(WALRUS, required=("person=ana",)))) == {1, 2}
    assert index.keys(probe(WALRUS, required=("person=ana", "tag=o'brien"))) == [1]
    assert index.keys(probe(WALRUS, required=("person=an",))) == []
    assert index.keys(probe(WALRUS, required=("person=x') OR (1=1",))) == []


@pytest.mark.parametrize(
    ("since", "until", "found"),
    [
        (None, None, {1, 2, 3}),
        (15, None, {1, 2, 3}),
        (21, None, {2, 3}),
        (41, None, set()),
        (None, 9, set()),
        (None, 10, {1}),
        (None, 30, {1, 2, 3}),
        (20, 20, {1, 2}),
        (21, 29, {2}),
        (5, 50, {1, 2, 3}),
        (719_163, 719_163, set()),
    ],
)
def test_days_are_met_by_what_overlaps_them_both_ends_included(
    index: Index, since: int | None, until: int | None, found: set[int]
) -> None:
    index.write(
        row(1, WALRUS, start=10, end=20), row(2, WALRUS, start=12, end=40), row(3, WALRUS, start=30, end=30)
    )
    assert set(index.keys(probe(WALRUS, since=since, until=until))) == found


def test_conditions_hold_together(index: Index) -> None:
    index.write(
        row(1, WALRUS, facets=("tag=a",), start=10, end=10),
        row(2, WALRUS, facets=("tag=a",), start=20, end=20),
        row(3, WALRUS, facets=("tag=b",), start=10, end=10),
        row(4, WALRUS, BEN, facets=("tag=a",), start=10, end=10),
    )
    assert index.keys(probe(WALRUS, required=("tag=a",), until=15, type="memory")) == [1]


# ---------------------------------------------------------------- by meaning


@pytest.mark.parametrize("kind", ["vectors in memory", "lance"])
def test_a_row_without_a_vector_is_not_held_and_hurts_no_other(kind: str, tmp_path: Path) -> None:
    vectors = opener(kind, tmp_path)()
    vectors.write([row(1, WALRUS, vector=None), row(2, TANDEM), row(3, PORTO, vector=None)], (), 3)
    assert vectors.inventory() == {2: 2}
    assert vectors.position() == 3
    assert vectors.search(replace(probe(WALRUS), vector=None)) == []


@pytest.mark.parametrize("kind", ["vectors in memory", "lance"])
def test_a_score_is_the_cosine(kind: str, tmp_path: Path) -> None:
    vectors = opener(kind, tmp_path)()
    vectors.write([row(1, WALRUS), row(2, WALRUS, vector=vector(PORTO))], (), 2)
    scores = dict(vectors.search(probe(WALRUS)))
    held = InMemoryVectors()
    held.write([row(2, PORTO)], (), 2)
    assert scores[1] == pytest.approx(1.0, abs=1e-5)
    assert scores[2] == pytest.approx(dict(held.search(probe(WALRUS)))[2], abs=1e-5)


def test_a_table_of_another_dimension_is_refused(tmp_path: Path) -> None:
    Memories(str(tmp_path), "memories", 32).write([row(1, WALRUS)], (), 1)
    with pytest.raises(ProjectionError, match="dimension"):
        Memories(str(tmp_path), "memories", 64)


def test_many_small_commits_are_compacted_and_nothing_is_lost(tmp_path: Path) -> None:
    memories = Memories(str(tmp_path), "memories", 32)
    for key in range(1, 61):
        memories.write([row(key, WALRUS)], (), key)
    assert memories.maintain()
    assert not memories.maintain()
    assert memories.inventory() == {key: key for key in range(1, 61)}
    assert memories.position() == 60


def test_tables_of_several_names_share_a_folder_with_an_awkward_name(tmp_path: Path) -> None:
    folder = tmp_path / "it's 50% off #1 & ünïcode?"
    for number in range(12):
        Memories(str(folder), f"t{number}", 32).write([row(number + 1, WALRUS)], (), number + 1)
    assert [Memories(str(folder), f"t{n}", 32).position() for n in range(12)] == list(range(1, 13))


# ---------------------------------------------------------------- by word

BACKUP = r"Backup job stopped at 10:30 (am) in C:\jobs\night.py"
PUNCTUATION = [
    "stopped when:",
    "what stopped at 10:30 (am",
    '"backup job',
    "job stopped, Code: {0}, Trace: {1}",
    r"C:\jobs\night.py",
    "backup AND",
    "backup OR NOT",
    "NOT backup",
    "+backup -job",
    "backup~2 job^3",
    "job*",
    "[backup TO job]",
    "words:backup",
    "scope:user=ben backup",
    "key:0 job",
    "'backup",
    "backup\\",
    "<job> & <backup>",
    "job/backup || x && y!",
    "backup\x00job",
    "(((((job",
]


@pytest.mark.parametrize("query", PUNCTUATION)
def test_ordinary_punctuation_never_raises_and_finds_the_entry(
    lexicon: LexicalProjection, query: str
) -> None:
    lexicon.write([row(1, BACKUP), row(2, PORTO), row(3, BACKUP, BEN)], (), 3)
    assert [key for key, _ in lexicon.search(probe(query))] == [1]


@pytest.mark.parametrize(
    "query", ["", " ", "?!", ":", "()", "\\", "the of and", "\u200b", "🛼", "zzz", "\x00"]
)
def test_a_query_without_a_known_word_finds_nothing(lexicon: LexicalProjection, query: str) -> None:
    lexicon.write([row(1, BACKUP)], (), 1)
    assert lexicon.search(probe(query)) == []


SPACELESS = {
    1: "用户喜欢在周末去爬山",
    2: "彼女は京都に引っ越した",
    3: "новый адрес: Садовая 12",
    4: "Renée runs the Café Zoë 🎌",
    5: "사용자는 제주도에서 자전거를 탔다",
    6: "ผู้ใช้ชอบกาแฟเย็น",
    7: "Besondere Größe: Straße nach Åre, Łódź und İzmir",
    8: "The runner was running in shoes",
}


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("爬山", 1),
        ("京都", 2),
        ("引っ越し", 2),
        ("Садовая", 3),
        ("АДРЕС", 3),
        ("cafe", 4),
        ("Zoe", 4),
        ("renee", 4),
        ("CAFÉ", 4),
        ("Cafe\u0301", 4),
        ("Rene\u0301e", 4),
        ("🎌", 4),
        ("제주도", 5),
        ("กาแฟ", 6),
        ("grosse", 7),
        ("shoe", 8),
        ("ran running", 8),
        ("runner's", 8),
        ("ｓｈｏｅｓ", 8),
    ],
)
def test_text_of_any_script_is_found_by_its_words(lexicon: LexicalProjection, query: str, key: int) -> None:
    lexicon.write([row(number, text) for number, text in SPACELESS.items()], (), 8)
    assert [found for found, _ in lexicon.search(probe(query))][:1] == [key]


def test_text_in_decomposed_form_is_found_by_composed_words_and_the_other_way_round(
    lexicon: LexicalProjection,
) -> None:
    lexicon.write(
        [row(1, "her re\u0301sume\u0301 is out"), row(2, "her naïveté is out"), row(3, "か\u3099くせい")],
        (),
        3,
    )
    assert [key for key, _ in lexicon.search(probe("résumé"))] == [1]
    assert [key for key, _ in lexicon.search(probe("nai\u0308vete\u0301"))] == [2]
    assert [key for key, _ in lexicon.search(probe("がくせい"))] == [3]


def test_a_digest_or_another_very_long_word_is_found(lexicon: LexicalProjection) -> None:
    digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    lexicon.write([row(1, f"The build is {digest}."), row(2, "The build is green.")], (), 2)
    assert [key for key, _ in lexicon.search(probe(digest))] == [1]


def test_a_text_and_a_query_of_200_kb_are_no_trouble(lexicon: LexicalProjection) -> None:
    long = "filler sentence number. " * 8_500
    lexicon.write([row(1, long + "The vault phrase is heliotrope."), row(2, PORTO)], (), 2)
    assert [key for key, _ in lexicon.search(probe("heliotrope"))] == [1]
    many = " ".join(f"word{number}" for number in range(20_000)) + " Porto"
    lexicon.search(replace(probe(""), text=many))
    assert [key for key, _ in lexicon.search(replace(probe(""), text="Porto " + many))] == [2]


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_no_query_at_all_raises(text: str) -> None:
    held = InMemoryLexicon()
    held.write([row(1, BACKUP)], (), 1)
    held.search(replace(probe(""), text=text))


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    made = Lexicon(tmp_path_factory.mktemp("warm") / "lexicon")
    made.write([row(1, BACKUP)], (), 1)
    return made


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_no_query_at_all_makes_tantivy_raise(warm: Lexicon, text: str) -> None:
    warm.search(replace(probe(""), text=text, required=(text,)))
    warm.match(replace(probe(""), wanted=(text,)))
    assert warm.search(Probe(Scope("x" + text), 5, text="backup")) == []


def test_a_writer_that_a_dying_process_still_holds_is_waited_for(tmp_path: Path) -> None:
    lexicon, other = Lexicon(tmp_path / "lexicon"), Lexicon(tmp_path / "lexicon")
    held = [other._index.writer(30_000_000, 1)]
    threading.Timer(0.2, held.clear).start()
    lexicon.write([row(1, WALRUS)], (), 1)
    assert lexicon.inventory() == {1: 1}


def test_a_document_held_twice_shows_in_the_inventory(tmp_path: Path) -> None:
    lexicon = Lexicon(tmp_path / "lexicon")
    lexicon.write([row(1, WALRUS), row(2, TANDEM)], (), 2)
    writer = lexicon._index.writer(30_000_000, 1)
    writer.add_document(lexicon._document(row(1, WALRUS)))
    writer.commit()
    writer.wait_merging_threads()
    assert lexicon.inventory() == {1: -1, 2: 2}


def test_rare_words_weigh_more_than_common_ones(lexicon: LexicalProjection) -> None:
    rows = [row(key, "the team met about the budget") for key in range(1, 20)]
    lexicon.write([*rows, row(50, "the walrus met nobody")], (), 50)
    assert lexicon.search(probe("met walrus"))[0][0] == 50


def test_a_search_beside_a_writer_never_mixes_two_commits(tmp_path: Path) -> None:
    """Scores and keys come from one moment: every hit's key has to be one of its own user's."""
    lexicon = Lexicon(tmp_path / "lexicon")
    lexicon.write([row(key, WALRUS, [ANA, BEN][key % 2]) for key in range(1, 41)], (), 1)
    stop, wrong = threading.Event(), []

    def search() -> None:
        while not stop.is_set():
            try:
                found = {key % 2 for key, _ in lexicon.search(probe("walrus", ANA, limit=100))}
                wrong.extend([found] if found != {0} else [])
            except Exception as error:  # noqa: BLE001 -- told to the test's own thread
                wrong.append(error)

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    for number in range(2, 14):
        keys = range(1, 41, number)
        lexicon.write([row(key, WALRUS, [ANA, BEN][key % 2]) for key in keys], [40 + number], number)
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []


# ---------------------------------------------------------------- by metadata


def test_the_more_wanted_facets_an_entry_carries_the_higher_it_ranks(lexicon: LexicalProjection) -> None:
    lexicon.write(
        [
            row(1, WALRUS, facets=("person=ana",)),
            row(2, TANDEM, facets=("person=ana", "location=porto")),
            row(3, PORTO, facets=("tag=x",)),
            row(4, WALRUS, BEN, facets=("person=ana", "location=porto")),
        ],
        (),
        4,
    )
    assert lexicon.match(probe("", wanted=("person=ana", "location=porto"))) == [(2, 2.0), (1, 1.0)]
    assert lexicon.match(probe("")) == []


def test_wanted_days_lift_what_overlaps_them(lexicon: LexicalProjection) -> None:
    lexicon.write(
        [row(1, WALRUS, start=10, end=20), row(2, TANDEM, start=30, end=30, facets=("tag=a",))], (), 2
    )
    assert lexicon.match(probe("", wanted_days=(15, 18))) == [(1, 1.0)]
    assert lexicon.match(probe("", wanted_days=(20, 30), wanted=("tag=a",))) == [(2, 2.0), (1, 1.0)]


def test_wanted_facets_never_soften_the_required_ones(lexicon: LexicalProjection) -> None:
    lexicon.write([row(1, WALRUS, facets=("tag=a",)), row(2, WALRUS, facets=("tag=a", "tag=b"))], (), 2)
    assert lexicon.match(probe("", wanted=("tag=a",), required=("tag=b",))) == [(2, 1.0)]
    assert lexicon.match(probe("", wanted=("tag=a",), since=101)) == []


# ---------------------------------------------------------------- real and in memory agree


@pytest.mark.parametrize(("real", "fake"), [("lance", "vectors in memory"), ("tantivy", "lexicon in memory")])
def test_the_real_index_and_the_one_in_memory_rank_alike(real: str, fake: str, tmp_path: Path) -> None:
    texts = ["walrus sticker laptop", "walrus", "sticker on a bike", "a bike for Mina", "Mina and the walrus"]
    rows = [
        row(key, text, [ANA, BEN][key % 2], facets=(f"tag={key % 3}",))
        for key, text in enumerate(texts * 3, 1)
    ]
    indexes = [opener(kind, tmp_path)() for kind in (real, fake)]
    for one in indexes:
        one.write(rows, (), 15)
        one.write([row(2, "a new bike", ANA)], [5], 16)
    assert indexes[0].inventory() == indexes[1].inventory()
    for query in ("walrus", "Mina's bike", "sticker walrus"):
        for fields in ({}, {"required": ("tag=1",)}, {"scope": BEN}):
            asked = probe(query, **{"scope": ANA, "limit": 50, **fields})  # type: ignore[arg-type]
            found = [dict(one.search(asked)) for one in indexes]
            assert found[0].keys() == found[1].keys()
            if real == "lance":  # lengths are rounded by tantivy, so BM25 agrees in what it finds only
                assert all(found[0][key] == pytest.approx(found[1][key], abs=1e-4) for key in found[0])


def test_a_file_left_by_a_killed_commit_does_not_stop_the_next_one(tmp_path: Path) -> None:
    """Seen after kill -9: the next commit wants to write a delete file of the very name."""
    lexicon = Lexicon(tmp_path / "lexicon")
    rows = [row(number, f"boat {number}") for number in range(1, 4)]
    lexicon.write(rows, [], 1)
    before = {path.name for path in (tmp_path / "lexicon").iterdir()}
    saved = {name: (tmp_path / "lexicon" / name).read_bytes() for name in before}
    lexicon.write([], [2], 2)
    made = [path for path in (tmp_path / "lexicon").glob("*.del") if path.name not in before]
    assert made, "tantivy no longer writes delete files: this test has lost its subject"
    kept = made[0].read_bytes()
    lexicon.close()
    for (
        name,
        data,
    ) in saved.items():  # back to the first commit, with the second one's delete file left behind
        (tmp_path / "lexicon" / name).write_bytes(data)
    made[0].write_bytes(kept)
    again = Lexicon(tmp_path / "lexicon")
    assert again.position() == 1
    again.write([], [2], 2)
    assert set(again.inventory()) == {1, 3}

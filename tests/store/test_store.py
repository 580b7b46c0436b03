"""The store's protocol: the journal is the truth, indexes follow it, and nobody reads what is not so."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import given, settings
from hypothesis import strategies as st
from rows import ANA, BEN, EMBEDDER, START, entry, probe, turn, vector

from meme.errors import EmbedderMismatchError, ProjectionError, StoreBusyError, StoreError, StoreFormatError
from meme.events import Added, Corroborated, Embedded, Event, Happening, Retracted, Revised, Superseded
from meme.records import ChangeSet, FailedWindow, Layer, MemoryEntry, Scope, Turn, Usage
from meme.store.in_memory import InMemoryLexicon, InMemoryVectors
from meme.store.journal import Commit, Committed, ScopeMovedError, WindowTakenError
from meme.store.projection import Probe, Projection
from meme.store.schema import FORMAT
from meme.store.store import Name, Store
from meme.store.verification import Drift

LAYER_OF: Mapping[Layer, Name] = {"semantic": "memories", "lexical": "lexicon", "structured": "lexicon"}
HELD: Sequence[Name] = ("memories", "lexicon")


def in_memory() -> dict[Name, Callable[[], Projection]]:
    lexicon, vectors = InMemoryLexicon(), InMemoryVectors()
    return {"lexicon": lambda: lexicon, "memories": lambda: vectors}


@contextmanager
def store_in(
    folder: Path, projections: Mapping[Name, Callable[[], Projection]] | None = None
) -> Iterator[Store]:
    store = Store(folder, "memories", store_id="s1", projections=projections)
    try:
        yield store
    finally:
        store.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with its indexes in memory."""
    with store_in(tmp_path / "store", in_memory()) as made:
        made.bind_embedder(EMBEDDER.id, EMBEDDER.dimension)
        yield made


@pytest.fixture
def real(tmp_path: Path) -> Path:
    """A folder with a store of three entries and a turn, everything projected, then closed."""
    folder = tmp_path / "store"
    with store_in(folder) as made:
        made.bind_embedder(EMBEDDER.id, EMBEDDER.dimension)
        made.commit(Commit(turns=[(turn(1, "The walrus sticker is on the laptop."), "k1")]))
        add(made, WALRUS, TANDEM, PORTO)
        assert made.verify().clean
    return folder


WALRUS = entry(1, "The walrus sticker is on the laptop.", tags=("stickers",))
TANDEM = entry(2, "Mina owns a tandem bicycle.", persons=("Mina",))
PORTO = entry(3, "Ravi booked a train to Porto.", BEN)


def event(number: int, subject: str, what: Happening) -> Event:
    return Event(f"e{number}", subject, START, what)


def add(store: Store, *memories: MemoryEntry) -> Committed:
    return store.commit(
        Commit(
            events=[Event(f"add-{one.id}", one.id, START, Added(one)) for one in memories],
            vectors={one.id: vector(one.content) for one in memories},
        )
    )


def found(store: Store, layer: Layer, asked: Probe, *, most: int = 0) -> list[int]:
    """Keys of one layer; `most` is how many pending events may be overlaid instead of projected."""
    return [key for key, _ in store.rank(layer, asked, store.fresh(LAYER_OF[layer], most))]


def contents(store: Store, layer: Layer, asked: Probe, *, most: int = 0) -> set[str]:
    """What a search shows after it was read back from the journal."""
    keys = found(store, layer, asked, most=most)
    return {one.content for one in store.views.memories_by_key(keys, asked.scope).values()}


def held(store: Store) -> dict[Name, dict[int, int]]:
    """Every index's own inventory, brought up to date first."""
    for name in HELD:
        store.fresh(name, 0)
    return {name: dict(store._projection(name).inventory()) for name in HELD}


# ---------------------------------------------------------------- incremental is the same as rebuilt

WORDS = ("walrus", "tandem", "porto", "sticker", "train")
numbers = st.integers(1, 4)
told = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
steps = st.one_of(
    st.tuples(st.just("add"), numbers, told),
    st.tuples(st.just("revise"), numbers, told),
    st.tuples(st.just("supersede"), numbers, numbers),
    st.tuples(st.just("retract"), numbers, st.none()),
    st.tuples(st.just("corroborate"), numbers, numbers),
    st.tuples(st.just("turn"), numbers, told),
    st.tuples(st.just("embed turn"), numbers, told),
)
# Steps, how many of them go into one commit each, and what is read in between.
stories = st.lists(
    st.tuples(st.lists(steps, max_size=6), st.sampled_from(["nothing", "memories", "lexicon", "overlay"])),
    max_size=5,
)


def commit_of(batch: Sequence[tuple[str, int, object]], start: int) -> Commit:
    """One transaction of the steps; the number of a step names its event, so each is new."""
    events: list[Event] = []
    turns: list[tuple[Turn, str]] = []
    vectors: dict[str, bytes] = {}
    for number, (verb, which, more) in enumerate(batch, start):
        subject, scope = f"m{which}", [ANA, BEN][which % 2]
        if verb == "add":
            events.append(event(number, subject, Added(entry(which, str(more), scope, sources=("t1",)))))
        elif verb == "revise":
            events.append(event(number, subject, Revised({"content": more})))
        elif verb == "supersede":
            events.append(event(number, subject, Superseded(f"m{more}", START)))
        elif verb == "retract":
            events.append(event(number, subject, Retracted(START)))
        elif verb == "corroborate":
            events.append(event(number, subject, Corroborated((f"t{more}",))))
        elif verb == "turn":
            turns.append((turn(which, str(more), scope), f"k{which}"))
        elif verb == "embed turn":
            events.append(event(number, f"t{which}", Embedded()))
            vectors[f"t{which}"] = vector(str(more))
        if verb in ("add", "revise"):
            vectors[subject] = vector(str(more))
    return Commit(turns=turns, events=events, vectors=vectors)


def seen(store: Store, *, most: int = 0) -> dict[str, list[tuple[int, float]]]:
    """What searches of every layer give: keys with rounded scores, those of words without."""
    shown: dict[str, list[tuple[int, float]]] = {}
    for scope in (ANA, BEN):
        for text in WORDS:
            asked = Probe(scope, 50, text=text, vector=vector(text), wanted=("kind=semantic",))
            for layer, name in LAYER_OF.items():
                ranked = store.rank(layer, asked, store.fresh(name, most))
                rounded = [(key, 0.0 if layer == "lexical" else round(score, 3)) for key, score in ranked]
                shown[f"{scope.user_id} {text} {layer}"] = sorted(rounded)
    return shown


def live_through(store: Store, story: Sequence[tuple[list[tuple[str, int, object]], str]]) -> None:
    """Commit the story batch by batch, reading in between, and check it against a rebuild."""
    store.bind_embedder(EMBEDDER.id, EMBEDDER.dimension)
    number = 0
    for batch, reading in story:
        store.commit(commit_of(batch, number))
        number += len(batch)
        if reading == "overlay":
            seen(store, most=10_000)
        elif reading in HELD:
            store.fresh(reading, 0)  # type: ignore[arg-type]
    overlaid = seen(store, most=10_000)
    projected = seen(store)
    inventory, state = held(store), store.views.state()
    sources = store._db.rows("SELECT turn_id, memory_key FROM sources ORDER BY 1, 2")
    assert store.verify().clean
    assert overlaid == projected
    assert inventory["lexicon"] == store.views.expected(vectors=False)
    assert inventory["memories"] == store.views.expected(vectors=True)
    store.rebuild()
    assert store.views.state() == state
    assert [
        tuple(row) for row in store._db.rows("SELECT turn_id, memory_key FROM sources ORDER BY 1, 2")
    ] == [tuple(row) for row in sources]
    assert held(store) == inventory
    assert seen(store) == projected
    assert store.verify().clean


@given(stories)
@settings(max_examples=25)
def test_any_story_in_any_batches_is_the_same_as_its_rebuild(
    tmp_path_factory: pytest.TempPathFactory, story: list[tuple[list[tuple[str, int, object]], str]]
) -> None:
    with store_in(tmp_path_factory.mktemp("store"), in_memory()) as store:
        live_through(store, story)


@given(stories)
@settings(max_examples=5)
def test_the_same_holds_for_the_real_indexes(
    tmp_path_factory: pytest.TempPathFactory, story: list[tuple[list[tuple[str, int, object]], str]]
) -> None:
    with store_in(tmp_path_factory.mktemp("store")) as store:
        live_through(store, story)


def test_a_story_longer_than_what_a_writer_leaves_pending_is_projected_on_the_way(tmp_path: Path) -> None:
    with store_in(tmp_path, in_memory()) as store:
        store.bind_embedder(EMBEDDER.id, EMBEDDER.dimension)
        add(store, entry(0, "walrus"))
        held(store)
        for start in range(1, 1201, 100):
            add(store, *(entry(number, "walrus") for number in range(start, start + 100)))
        assert store._projection("lexicon").position() > 600  # nobody has read yet
        assert store.verify().clean
        assert len(found(store, "lexical", probe("walrus", limit=5_000))) == 1201


def test_an_index_that_fails_does_not_fail_the_commit_that_is_on_disk(tmp_path: Path) -> None:
    class Full(InMemoryLexicon):
        def write(self, *_: object) -> None:
            raise ProjectionError("the disk is full")

    with store_in(tmp_path, {**in_memory(), "lexicon": Full}) as store:
        store.fresh("lexicon")
        add(store, *(entry(number, "walrus") for number in range(1, 700)))
        assert len(store.views.state()) == 699
        assert any("the disk is full" in note for note in store.take_notes())


# ---------------------------------------------------------------- every process reads its own writes


@pytest.fixture(params=["in memory", "real"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store with two entries, projected, the indexes in memory or real."""
    projections = in_memory() if request.param == "in memory" else None
    with store_in(tmp_path / "store", projections) as made:
        made.bind_embedder(EMBEDDER.id, EMBEDDER.dimension)
        add(made, WALRUS, TANDEM)
        assert made.verify().clean
        yield made


@pytest.fixture(params=["lock held", "few pending"])
def unprojected(request: pytest.FixtureRequest, either: Store) -> Iterator[int]:
    """How many pending events a reader may overlay: none, but somebody holds the lock; or plenty."""
    if request.param == "few pending":
        yield 1_000
        return
    with FileLock(str(either.folder / "memories.lock"), thread_local=False):
        yield 0


LAYERS: list[Layer] = ["semantic", "lexical", "structured"]


def asked(text: str, layer: Layer) -> Probe:
    return probe(text, wanted=("kind=semantic",)) if layer == "structured" else probe(text)


@pytest.mark.parametrize("layer", LAYERS)
def test_a_pending_add_is_found(either: Store, unprojected: int, layer: Layer) -> None:
    add(either, entry(9, "A harbour seal sleeps."))
    assert "A harbour seal sleeps." in contents(either, layer, asked("harbour seal", layer), most=unprojected)
    assert either._projection(LAYER_OF[layer]).position() < either.views.head()


@pytest.mark.parametrize("layer", LAYERS)
def test_a_pending_update_replaces_what_the_index_still_holds(
    either: Store, unprojected: int, layer: Layer
) -> None:
    revised = "Mina owns a cargo bicycle."
    either.commit(
        Commit(events=[event(1, "m2", Revised({"content": revised}))], vectors={"m2": vector(revised)})
    )
    shown = contents(either, layer, asked("cargo", layer), most=unprojected)
    assert revised in shown
    assert TANDEM.content not in shown
    if layer == "lexical":
        assert found(either, layer, asked("tandem", layer), most=unprojected) == []


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("closing", [Retracted(START), Superseded("m1", START)])
def test_a_pending_close_hides_what_the_index_still_holds(
    either: Store, unprojected: int, layer: Layer, closing: Happening
) -> None:
    either.commit(Commit(events=[event(1, "m2", closing)]))
    assert 2 not in found(either, layer, asked("tandem bicycle", layer), most=unprojected)
    assert TANDEM.content not in contents(either, layer, asked("tandem bicycle", layer), most=unprojected)


def test_a_pending_turn_is_found_by_its_words(either: Store, unprojected: int) -> None:
    either.commit(Commit(turns=[(turn(5, "I bought a red canoe."), "k5")]))
    (key,) = found(either, "lexical", probe("canoe"), most=unprojected)
    assert either.views.turns_by_key([key], ANA)[key].text == "I bought a red canoe."


def test_pending_rows_keep_their_scope(either: Store, unprojected: int) -> None:
    add(either, entry(9, "walrus", BEN), entry(10, "walrus", Scope("ana", "bot")))
    for layer in LAYERS:
        assert contents(either, layer, asked("walrus", layer), most=unprojected) >= {WALRUS.content}
        bens = found(either, layer, replace(asked("walrus", layer), scope=BEN), most=unprojected)
        bots = found(
            either, layer, replace(asked("walrus", layer), scope=Scope("ana", "bot")), most=unprojected
        )
        assert (len(bens), len(bots), set(bens) & set(bots)) == (1, 1, set())


def test_hits_dropped_as_stale_make_room_for_the_next_ones(tmp_path: Path) -> None:
    with store_in(tmp_path, in_memory()) as store:
        store.bind_embedder(EMBEDDER.id, EMBEDDER.dimension)
        add(
            store,
            *(entry(n, "walrus walrus walrus") for n in range(1, 31)),
            entry(99, "a walrus in the far field"),
        )
        assert store.verify().clean
        store.commit(Commit(events=[event(n, f"m{n}", Retracted(START)) for n in range(1, 31)]))
        for layer in ("semantic", "lexical"):
            assert contents(store, layer, probe("walrus", limit=3), most=1_000) == {
                "a walrus in the far field"
            }


def test_neighbours_include_what_is_pending(either: Store, unprojected: int) -> None:
    add(either, entry(9, "The walrus sticker is gone."))
    near = either.nearest([vector("walrus sticker"), vector("tandem")], Probe(ANA, 2, type="memory"))
    assert {memory.id for memory, _ in near[0]} == {"m1", "m9"}
    assert near[1][0][0].id == "m2"
    worded = either.containing(["walrus", "tandem", "nothing"], Probe(ANA, 5, type="memory"))
    assert [{memory.id for memory in one} for one in worded] == [{"m1", "m9"}, {"m2"}, set()]


def test_two_stores_on_one_folder_read_each_others_writes(real: Path) -> None:
    with store_in(real) as one, store_in(real) as other:
        for number, (writer, reader) in enumerate([(one, other), (other, one), (one, other)], 10):
            add(writer, entry(number, f"seal number{number}"))
            for layer in LAYERS:
                assert f"seal number{number}" in contents(
                    reader, layer, asked(f"number{number}", layer), most=number % 2
                )
        assert one.verify().clean
        assert other.verify().clean


def test_catching_up_stops_at_the_head_seen_on_entry(tmp_path: Path) -> None:
    class Chased(InMemoryLexicon):
        """Every write to this index is overtaken by another commit to the journal."""

        writes = 0

        def write(self, *given: object) -> None:
            super().write(*given)  # type: ignore[arg-type]
            Chased.writes += 1
            if Chased.writes < 50:
                add(store, entry(1_000 + Chased.writes, "one more"))

    with store_in(tmp_path, {**in_memory(), "lexicon": Chased}) as store:
        add(store, WALRUS)
        head = store.views.head()
        store.fresh("lexicon", 0)
        assert Chased.writes == 1
        assert store._projection("lexicon").position() == head


# ---------------------------------------------------------------- indexes that are broken or gone


def everything_is_there(store: Store) -> None:
    """Every layer finds every entry, and journal and indexes agree."""
    assert contents(store, "semantic", probe("walrus sticker laptop")) == {WALRUS.content, TANDEM.content}
    assert contents(store, "lexical", probe("tandem")) == {TANDEM.content}
    assert contents(store, "structured", probe("", wanted=("person=mina",))) == {TANDEM.content}
    assert contents(store, "lexical", probe("Porto", BEN)) == {PORTO.content}
    assert len(found(store, "lexical", probe("walrus"))) == 2  # the entry and the turn
    assert store.verify().clean


def newest_manifest(folder: Path) -> Path:
    manifests = (folder / "memories.lance" / "_versions").glob("*.manifest")
    return max(manifests, key=lambda file: file.stat().st_mtime_ns)


def truncated_manifest(folder: Path) -> None:
    file = newest_manifest(folder)
    file.write_bytes(file.read_bytes()[:10])


def empty_manifest(folder: Path) -> None:
    newest_manifest(folder).write_bytes(b"")


def lose_vectors(folder: Path) -> None:
    for file in (folder / "memories.lance" / "data").iterdir():
        file.unlink()


def garbage_in_meta(folder: Path) -> None:
    (folder / "memories.lexicon" / "meta.json").write_text("{ garbage")


def garbage_everywhere(folder: Path) -> None:
    for file in (folder / "memories.lexicon").iterdir():
        file.write_bytes(b"\x00garbage")


def lose_segments(folder: Path) -> None:
    for file in (folder / "memories.lexicon").iterdir():
        if file.name not in ("meta.json", "meme-version"):
            file.unlink()


def older_lexicon(folder: Path) -> None:
    (folder / "memories.lexicon" / "meme-version").write_text("0")


def half_made(folder: Path) -> None:
    (folder / "memories.lexicon" / "meme-version").unlink()


DAMAGE = {
    truncated_manifest: "memories.lance",
    empty_manifest: "memories.lance",
    lose_vectors: "memories.lance",
    garbage_in_meta: "memories.lexicon",
    garbage_everywhere: "memories.lexicon",
    lose_segments: "memories.lexicon",
    older_lexicon: "memories.lexicon",
    half_made: "memories.lexicon",
}


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__)
def test_an_index_that_cannot_be_read_is_set_aside_and_rebuilt_with_a_note(
    real: Path, damage: Callable[[Path], None]
) -> None:
    damage(real)
    with store_in(real) as store:
        for name in HELD:
            store.fresh(name, 0)
        notes = store.take_notes()
        assert len(notes) == 1
        assert "rebuilt from the journal" in notes[0]
        everything_is_there(store)
        assert store.take_notes() == ()
    assert (real / f"{DAMAGE[damage]}.broken").is_dir()
    with store_in(real) as store:  # and once is enough
        everything_is_there(store)
        assert store.take_notes() == ()


def test_an_older_broken_index_makes_way_for_the_next_one(real: Path) -> None:
    for _ in range(2):
        garbage_in_meta(real)
        with store_in(real) as store:
            everything_is_there(store)


@pytest.mark.parametrize(
    "gone", [["memories.lance"], ["memories.lexicon"], ["memories.lance", "memories.lexicon"]]
)
def test_a_deleted_index_is_made_anew(real: Path, gone: list[str]) -> None:
    for name in gone:
        shutil.rmtree(real / name)
    with store_in(real) as store:
        everything_is_there(store)


def test_an_index_ahead_of_the_journal_is_rebuilt(real: Path, tmp_path: Path) -> None:
    with store_in(real) as store:
        head = store.views.head()
        for name in HELD:
            store.fresh(name, 0)
            store._projection(name).write([], [], head + 5)
    with store_in(real) as store:
        everything_is_there(store)
        assert sum("ahead of the journal" in note for note in store.take_notes()) == 0  # taken by verify
    with store_in(real) as store:
        assert {store._sides[name].position for name in HELD if store.fresh(name, 0) is None} == {head}


def test_a_journal_put_back_from_a_backup_takes_its_indexes_with_it(real: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.db"
    shutil.copy(real / "memories.db", backup)
    with store_in(real) as store:
        add(store, entry(9, "walrus after the backup"))
        assert store.verify().clean
    for name in ("memories.db-wal", "memories.db-shm"):
        (real / name).unlink(missing_ok=True)
    shutil.copy(backup, real / "memories.db")
    with store_in(real) as store:
        everything_is_there(store)


def test_rebuild_mends_a_store_whose_index_broke_while_it_was_open(real: Path) -> None:
    with store_in(real) as store:
        everything_is_there(store)
        lose_vectors(real)
        lose_segments(real)
        store.rebuild()
        everything_is_there(store)


def searched_again(store: Store, layer: Layer, wanted: Probe) -> set[str]:
    """A search that may say once that its index failed, as `Recall.failed` does, but never shows less."""
    try:
        return contents(store, layer, wanted)
    except ProjectionError:
        return contents(store, layer, wanted)


def test_a_store_that_stays_open_goes_on_after_another_one_threw_its_indexes_away(real: Path) -> None:
    with store_in(real) as server, store_in(real) as other:
        everything_is_there(server)
        for name in HELD:
            other.restart(name)
        assert searched_again(server, "semantic", probe("walrus", limit=5)) == {
            WALRUS.content,
            TANDEM.content,
        }
        assert searched_again(server, "lexical", probe("tandem")) == {TANDEM.content}
        for name in HELD:
            other.restart(name)
        near = server.nearest([vector(WALRUS.content)], Probe(ANA, 1, type="memory"))
        assert [memory.id for memory, _ in near[0]] == ["m1"]
        everything_is_there(server)


def test_a_table_that_another_one_has_only_begun_to_make_anew_is_not_taken_for_the_whole(real: Path) -> None:
    with store_in(real) as server, store_in(real) as other:
        everything_is_there(server)
        other.fresh("memories", 0)
        other._projection("memories").reset()  # and killed here
        everything = {WALRUS.content, TANDEM.content}
        assert searched_again(server, "semantic", probe("walrus", limit=5)) == everything
        everything_is_there(server)


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__)
def test_a_store_that_stays_open_mends_an_index_that_broke_under_it(
    real: Path, damage: Callable[[Path], None]
) -> None:
    with store_in(real) as server:
        everything_is_there(server)
        damage(real)
        for layer, wanted in (("semantic", probe("walrus")), ("lexical", probe("tandem"))):
            assert TANDEM.content in searched_again(server, layer, wanted)  # type: ignore[arg-type]
        add(server, entry(9, "walrus number nine"))
        assert "walrus number nine" in searched_again(server, "semantic", probe("walrus nine"))
        assert "walrus number nine" in searched_again(server, "lexical", probe("nine"))
    with store_in(real) as store:
        assert store.verify().clean


# ---------------------------------------------------------------- what verify sees


def test_verify_flags_a_row_missing_from_the_vector_table(real: Path) -> None:
    with store_in(real) as store:
        store.fresh("memories", 0)
        store._projection("memories").write([], [3], store.views.head())
        found = store.verify()
        assert not found.clean
        assert found.drift["memories"] == Drift(expected=3, missing=1)
        assert found.drift["lexicon"].clean
        store.rebuild()
        assert store.verify().clean


def test_verify_flags_a_document_missing_from_the_lexicon(real: Path) -> None:
    with store_in(real) as store:
        store.fresh("lexicon", 0)
        store._projection("lexicon").write([], [1], store.views.head())
        assert store.verify().drift["lexicon"] == Drift(expected=4, missing=1)


def test_verify_flags_a_key_that_is_held_twice(real: Path) -> None:
    with store_in(real) as store:
        store.fresh("memories", 0)
        table = store._projection("memories")
        (row,) = store.views.rows_for([2], [])
        table._table.add(table._batch([row], store.views.head()))  # type: ignore[attr-defined]
        assert store.verify().drift["memories"].stale == 1
        store.rebuild()
        everything_is_there(store)


def test_verify_flags_rows_that_are_stale_or_belong_nowhere(store: Store) -> None:
    add(store, WALRUS, TANDEM)
    held(store)
    keys = {one.memory.id: key for key, one in _stored(store).items()}
    rows = list(store.views.rows_for(keys.values(), []))
    index = store._projection("lexicon")
    index.write([replace(rows[0], stamp=77), replace(rows[1], key=500)], [], store.views.head())
    assert store.verify().drift["lexicon"] == Drift(expected=2, stale=1, foreign=1)


@dataclass(frozen=True)
class _Row:
    memory: MemoryEntry


def _stored(store: Store) -> dict[int, _Row]:
    return {key: _Row(memory) for key, (_, memory) in store.views.state().items()}


@pytest.mark.parametrize(
    "tampering",
    [
        """UPDATE memories SET status = 'active', body = '{"id":"m2","user_id":"ana","content":"x","said_at":"2025-01-01T00:00:00+00:00","recorded_at":"2025-01-01T00:00:00+00:00"}' WHERE id = 'm2'""",
        "UPDATE memories SET stamp = stamp + 1 WHERE id = 'm2'",
        "DELETE FROM memories WHERE id = 'm2'",
    ],
    ids=["another text", "another stamp", "a row less"],
)
def test_verify_flags_a_state_row_that_is_not_the_fold_of_its_events(real: Path, tampering: str) -> None:
    with sqlite3.connect(real / "memories.db") as db:
        db.execute(tampering)
    db.close()
    with store_in(real) as store:
        found = store.verify()
        assert found.misfolded == 1
        assert not found.clean
        store.rebuild()
        everything_is_there(store)


def test_verify_beside_a_writer_calls_nothing_missing_that_was_only_just_written(tmp_path: Path) -> None:
    class Overtaken(InMemoryLexicon):
        """While this index is being counted, somebody adds an entry, closes another, and says something."""

        def inventory(self) -> Mapping[int, int]:
            counted = super().inventory()
            number = 10 + store.views.head()
            add(store, entry(number, "just written"))
            store.commit(
                Commit(
                    turns=[(turn(number, "just said"), f"k{number}")],
                    events=[
                        event(number, "m1", Retracted(START)),
                        event(number + 500, "m2", Revised({"topic": "x"})),
                    ],
                )
            )
            return counted

    with store_in(tmp_path, {**in_memory(), "lexicon": Overtaken}) as store:
        store.bind_embedder(EMBEDDER.id, EMBEDDER.dimension)
        add(store, WALRUS, TANDEM)
        store.fresh("lexicon", 0)
        assert store.verify().clean
        assert store.verify().clean


# ---------------------------------------------------------------- commits that no longer apply


def changeset(number: int, window: str | None = None) -> ChangeSet:
    return ChangeSet(f"c{number}", ANA, START, window_id=window)


def test_a_decision_on_a_scope_that_moved_is_refused_whole(store: Store) -> None:
    add(store, WALRUS)
    before = store.scope_head(ANA)
    add(store, TANDEM)
    late = Commit(
        turns=[(turn(1, "x"), "k1")],
        events=[event(1, "m9", Added(entry(9, "late")))],
        changesets=[changeset(1)],
        seen=(ANA, before),
    )
    head = store.views.head()
    with pytest.raises(ScopeMovedError):
        store.commit(late)
    assert store.views.head() == head
    assert store.views.changesets(ANA) == []
    assert store.views.pending(ANA) == []
    store.commit(replace(late, seen=(ANA, store.scope_head(ANA))))
    assert "m9" in store.views.memories(["m9"], ANA)


def test_other_users_and_mere_turns_do_not_move_a_scope(store: Store) -> None:
    add(store, WALRUS)
    before = store.scope_head(ANA)
    add(store, PORTO)
    store.commit(Commit(turns=[(turn(1, "x"), "k1")]))
    assert store.scope_head(ANA) == before


def test_every_kind_of_change_to_an_entry_moves_its_scope_or_leaves_what_is_compared_alone(
    store: Store,
) -> None:
    add(store, WALRUS)
    heads = [store.scope_head(ANA)]
    for number, what in enumerate([Revised({"content": "y"}), Retracted(START)], 1):
        store.commit(Commit(events=[event(number, "m1", what)]))
        heads.append(store.scope_head(ANA))
    assert heads == sorted(set(heads))


def test_a_window_is_settled_once_and_the_second_workers_copy_is_discarded(store: Store) -> None:
    store.commit(Commit(turns=[(turn(1, "I own a kayak."), "k1")]))
    store.journal.note_failure(ANA, FailedWindow("w1", 1, "the model was away"), START)
    first = Commit(
        events=[event(1, "m1", Added(WALRUS))], changesets=[changeset(1, "w1")], consumed={"t1": "c1"}
    )
    second = Commit(
        events=[event(2, "m2", Added(TANDEM))], changesets=[changeset(2, "w1")], consumed={"t1": "c2"}
    )
    store.commit(first)
    with pytest.raises(WindowTakenError):
        store.commit(second)
    assert store.views.state().keys() == {2}
    assert store.views.pending(ANA) == []
    assert store.views.failures(ANA) == []
    assert [one.id for one in store.views.changesets(ANA)] == ["c1"]


def test_a_window_that_fails_again_is_one_failure_with_the_last_reason(store: Store) -> None:
    for reason in ("the model was away", "the reply was cut"):
        store.journal.note_failure(ANA, FailedWindow("w1", 2, reason), START)
    assert store.views.failures(ANA) == [FailedWindow("w1", 2, "the reply was cut")]
    assert store.views.failures(BEN) == []


def test_the_same_event_twice_happens_once(store: Store) -> None:
    for _ in range(2):
        add(store, WALRUS)
        store.commit(Commit(events=[event(1, "m1", Corroborated(("t1",)))]))
    assert store.views.head() == 2
    assert store.views.sizes()["events"] == 2
    assert store.verify().clean


# ---------------------------------------------------------------- turns


def test_a_message_is_recognised_by_its_key_and_keeps_its_first_id(store: Store) -> None:
    first = store.commit(Commit(turns=[(turn(1, "I bought a canoe."), "id:wh-77")]))
    again = store.commit(
        Commit(turns=[(turn(2, "I bought a canoe."), "id:wh-77"), (turn(3, "And a paddle."), "id:wh-78")])
    )
    assert (first.turn_ids, first.duplicates) == (("t1",), 0)
    assert (again.turn_ids, again.duplicates) == (("t1", "t3"), 1)
    assert [one.id for one in store.views.pending(ANA)] == ["t1", "t3"]
    assert len(found(store, "lexical", probe("canoe"))) == 1


def test_one_key_may_come_again_in_another_session_agent_or_user(store: Store) -> None:
    scopes = [ANA, BEN, Scope("ana", "bot"), Scope("ana", None, "monday"), Scope("ana", "bot", "monday")]
    done = store.commit(Commit(turns=[(turn(n, "hello", scope), "k") for n, scope in enumerate(scopes)]))
    assert done == Committed(tuple(f"t{n}" for n in range(len(scopes))), 0)
    assert store.views.sizes()["turns"] == len(scopes)


def test_two_equal_lines_under_keys_of_their_own_are_both_kept(store: Store) -> None:
    store.commit(Commit(turns=[(turn(1, "Ha!"), "text:x:1"), (turn(2, "Ha!"), "text:x:2")]))
    assert [one.text for one in store.views.pending(ANA)] == ["Ha!", "Ha!"]


def test_a_turn_comes_back_as_it_was_said(store: Store) -> None:
    said = turn(
        1, "Née\x00 🎌\n用户 \\ ' \" --", role="assistant", message_id="m-1", attachments=("a 'cat'", "b")
    )
    store.commit(Commit(turns=[(said, "id:m-1")]))
    assert store.views.turns(["t1"], ANA)["t1"] == said
    assert store.views.turns(["t1"], BEN) == {}


def test_a_turn_id_that_is_taken_is_refused_and_nothing_is_half_written(store: Store) -> None:
    store.commit(Commit(turns=[(turn(1, "first"), "k1")]))
    with pytest.raises(StoreError, match="t1"):
        store.commit(Commit(turns=[(turn(5, "new"), "k5"), (turn(1, "second"), "k2")]))
    assert [one.text for one in store.views.pending(ANA)] == ["first"]


# ---------------------------------------------------------------- the embedding model


def test_another_embedding_model_is_refused_with_both_names_and_the_way_out(store: Store) -> None:
    store.bind_embedder(EMBEDDER.id, EMBEDDER.dimension)
    store.check_embedder(EMBEDDER.id)
    for refused in (
        lambda: store.check_embedder("other/model"),
        lambda: store.bind_embedder("other/model", 32),
    ):
        with pytest.raises(EmbedderMismatchError) as caught:
            refused()
        for part in (EMBEDDER.id, "other/model", "meme reembed"):
            assert part in str(caught.value)


def test_a_store_without_vectors_takes_any_model_and_opens_no_table(tmp_path: Path) -> None:
    with store_in(tmp_path) as store:
        store.check_embedder("any/model")
        store.commit(Commit(turns=[(turn(1, "walrus"), "k1")]))
        assert found(store, "semantic", probe("walrus")) == []
        assert found(store, "lexical", probe("walrus")) != []
    assert not (tmp_path / "memories.lance").exists()


def test_after_a_change_of_model_vectors_are_owed_made_and_searched_anew(real: Path) -> None:
    with store_in(real) as store:
        everything_is_there(store)
        store.change_embedder("other/model", 8)
        assert store.verify().owed_vectors == 3
        wanted = Probe(ANA, 10, vector=vector(TANDEM.content)[:32])
        assert found(store, "semantic", wanted) == []
        assert contents(store, "lexical", probe("tandem")) == {TANDEM.content}
        short = {key: vector(text)[:32] for key, text in store.views.unembedded(100)}
        assert len(short) == 3
        store.journal.pay_vectors(short)
        store.restart("memories")
        assert found(store, "semantic", wanted)[0] == _key(store, "m2")
        assert store.verify().clean
        assert store.verify().owed_vectors == 0
    with store_in(real) as store:
        store.check_embedder("other/model")
        assert store.verify().clean


def _key(store: Store, memory_id: str) -> int:
    return store.views.memories([memory_id], ANA)[memory_id].key


def test_an_entry_without_a_vector_is_kept_owed_and_found_by_word(store: Store) -> None:
    store.commit(
        Commit(
            events=[event(1, "m1", Added(WALRUS)), event(2, "m2", Added(TANDEM))],
            vectors={"m1": b"", "m2": vector(TANDEM.content)},
        )
    )
    assert store.verify().clean
    assert store.views.owed() == 1
    assert contents(store, "lexical", probe("walrus")) == {WALRUS.content}
    assert contents(store, "semantic", probe("walrus")) == {TANDEM.content}


# ---------------------------------------------------------------- files that are no store of ours


def test_a_store_keeps_its_id_and_settings_when_it_is_opened_again(tmp_path: Path) -> None:
    with store_in(tmp_path, in_memory()) as store:
        store.journal.set_meta(colour="green")
    with store_in(tmp_path, in_memory()) as store:
        assert (store.views.meta("store_id"), store.views.meta("colour")) == ("s1", "green")
        assert store.views.meta("format") == str(FORMAT)


@pytest.mark.parametrize("value", [str(FORMAT + 1), "999", "x", ""])
def test_a_format_we_do_not_know_is_refused_and_left_alone(tmp_path: Path, value: str) -> None:
    with store_in(tmp_path, in_memory()) as store:
        store.journal.set_meta(format=value)
    with pytest.raises(StoreFormatError, match="format"), store_in(tmp_path, in_memory()):
        pass
    with sqlite3.connect(tmp_path / "memories.db") as db:
        assert db.execute("SELECT value FROM meta WHERE name = 'format'").fetchone() == (value,)
    db.close()


@pytest.mark.parametrize(
    "data", [b"not a database at all, just text. " * 40, b"\x00" * 4096], ids=["text", "zeros"]
)
def test_a_file_that_is_no_database_is_refused_with_what_to_do_and_left_alone(
    tmp_path: Path, data: bytes
) -> None:
    file = tmp_path / "memories.db"
    file.write_bytes(data)
    with pytest.raises(StoreFormatError, match=r"not a readable meme store .*another folder"):
        Store(tmp_path, "memories", store_id="s1", projections=in_memory())
    assert file.read_bytes() == data


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "memories.db") as db:
        db.execute("CREATE TABLE events (name TEXT)")
    db.close()
    with pytest.raises(StoreFormatError, match="another program"):
        Store(tmp_path, "memories", store_id="s1", projections=in_memory())
    with sqlite3.connect(tmp_path / "memories.db") as db:
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("events",)]
    db.close()


def test_a_folder_that_cannot_be_made_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be made"):
        Store(tmp_path / "file" / "store", "memories", store_id="s1", projections=in_memory())


def test_more_ids_than_one_statement_takes_are_all_read(store: Store) -> None:
    add(store, *(entry(number, "walrus") for number in range(1_203)))
    ids = [f"m{number}" for number in range(1_203)]
    assert store.views.memories([*ids, "nobody"], ANA).keys() == set(ids)
    assert store.views.memories([], ANA) == {}
    assert store.views.memories(ids, BEN) == {}


def test_a_journal_that_somebody_else_keeps_writing_to_is_busy_and_says_so(store: Store) -> None:
    store._db.run("PRAGMA busy_timeout = 50")  # instead of waiting for seconds
    other = sqlite3.connect(store.folder / "memories.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusyError, match="try again"):
        add(store, WALRUS)
    assert store.views.state() == {}  # readers are never held up
    other.execute("ROLLBACK")
    other.close()
    add(store, WALRUS)
    assert len(store.views.state()) == 1


def test_a_full_disk_fails_the_commit_as_a_whole_and_harms_nothing(store: Store) -> None:
    add(store, WALRUS)
    (pages,) = store._db.one("PRAGMA page_count") or (0,)
    store._db.run(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(StoreError, match="disk is full"):
        add(store, *(entry(number, "a long text " * 100) for number in range(10, 60)))
    assert [memory.id for _, memory in store.views.state().values()] == ["m1"]
    store._db.run("PRAGMA max_page_count = 1000000")
    add(store, TANDEM)
    assert store.verify().clean


def test_a_user_with_any_name_sees_only_his_own(store: Store) -> None:
    names = [
        "O'Brien",
        "x' OR 1=1 --",
        "team_a",
        "teamXa",
        "50%",
        "back\\slash",
        '"double"',
        "new\nline",
        "🎌",
    ]
    for number, name in enumerate(names, 1):
        add(store, entry(number, f"walrus {number}", Scope(name)))
        store.commit(Commit(turns=[(turn(number, f"turn {number}", Scope(name)), "k")]))
    for number, name in enumerate(names, 1):
        scope = Scope(name)
        for layer in LAYERS:
            asking = replace(asked("walrus", layer), scope=scope)
            assert contents(store, layer, asking) == {f"walrus {number}"}
        page = store.views.page(scope, statuses=("active",), before=None, limit=None)
        assert [one.memory.content for one in page] == [f"walrus {number}"]
        assert [one.text for one in store.views.pending(scope)] == [f"turn {number}"]
        assert store.views.ids_with_prefix("m", scope) == [f"m{number}"]
        assert store.views.count("memories", scope) == 1
    assert store.views.users() == sorted(names)


def test_a_store_of_the_first_format_is_upgraded_when_it_is_opened(tmp_path: Path) -> None:
    with store_in(tmp_path, in_memory()) as store:
        add(store, WALRUS)
    with sqlite3.connect(tmp_path / "memories.db") as old:
        old.executescript(
            "DROP TABLE spent; ALTER TABLE turns DROP COLUMN given; UPDATE meta SET value='1' WHERE name='format'"
        )
    with store_in(tmp_path, in_memory()) as store:
        assert store.views.meta("format") == str(FORMAT)
        store.journal.note_usage(ANA, {"answer": Usage(calls=1, prompt_tokens=7)})
        assert store.views.spent(ANA)["answer"].prompt_tokens == 7
        assert contents(store, "lexical", probe("walrus")) == {WALRUS.content}

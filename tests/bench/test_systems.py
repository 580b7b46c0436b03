"""Every system that needs no model keeps the same promises; what is special about each is told below."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from meme import Config, EmbeddingConfig, LLMConfig, Meme, ReplyError, StoreConfig, UsageError
from meme.testing import HashingEmbedder
from meme_bench.cases import Asked, Fact, Talk, Turn
from meme_bench.systems import Setting, System, check, facts_of, open_system, tokens, wording
from meme_bench.systems.baselines import Oracle, spoken
from meme_bench.systems.vectors import KeptVectors
from tests.bench.constant_model import model

DAY = "1:56 pm on 8 May, 2023"
LATER = "10:00 am on 9 June, 2023"
TALK = Talk(
    "conv-1",
    (
        Turn("D1:1", "session_1", "Ana", "I adopted a beagle called Rufus yesterday.", DAY),
        Turn("D1:2", "session_1", "Ben", "Lovely!", DAY, captions=("a beagle on a red sofa",)),
        Turn("D2:1", "session_2", "Ben", "I moved to Porto last week.", LATER),
        Turn("D2:2", "session_2", "Ana", "I sold my old kayak to a neighbour.", LATER),
    ),
    (
        Fact("Ana has a beagle called Rufus.", "Ana", "session_1", DAY, ("D1:1", "D1:2")),
        Fact("Ben moved to Porto.", "Ben", "session_2", LATER, ("D2:1",)),
        Fact("Ben likes the sea.", "Ben", "session_2", LATER, ()),
    ),
)
IDS = {turn.id for turn in TALK.turns}
BEAGLE = Asked("q1", "What is Ana's beagle called?")
PORTO = Asked("q2", "Where did Ben move to?")


def setting(folder: Path, facts: str = "turns", **llm: Any) -> Setting:
    config = Config(llm=LLMConfig(**llm), embedding=EmbeddingConfig(provider="hashing"))
    return Setting(config, folder, facts, 10)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Any]:
    """Opens systems on folders of their own and closes them in the end."""
    systems: list[System] = []

    def make(name: str, facts: str | None = None, **llm: Any) -> System:
        folder = tmp_path / f"{name}-{facts}"
        folder.mkdir(exist_ok=True)
        systems.append(open_system(name, setting(folder, facts_of(name, facts), **llm)))
        return systems[-1]

    yield make
    for one in systems:
        one.close()


WITHOUT_MODEL = [
    ("meme", "extracted"),
    ("meme", "turns"),
    ("meme", "observations"),
    ("bm25", None),
    ("dense", None),
    ("hybrid", None),
    ("hybrid", "observations"),
    ("refuse", None),
]
SEARCHING = [one for one in WITHOUT_MODEL if one[0] != "refuse"]


@pytest.mark.parametrize(("name", "facts"), WITHOUT_MODEL)
def test_every_system_builds_answers_and_finds(opened: Any, name: str, facts: str | None) -> None:
    system = opened(name, facts)
    built = system.build(TALK)
    assert (built.conversation, built.turns, built.error) == ("conv-1", 4, "")
    assert {turn for entry in built.entries for turn in entry.sources} <= IDS
    assert built.stored >= len(built.entries)
    for asked in (BEAGLE, PORTO):
        told = system.answer(asked, 3)
        assert bool(told.answer)
        assert len(told.hits) <= 3
        assert {turn for hit in told.hits for turn in hit} | set(told.cited) <= IDS
        found = system.retrieve(asked, 2)
        assert len(found.hits) <= 2
        assert {turn for hit in found.hits for turn in hit} <= IDS


@pytest.mark.parametrize(("name", "facts"), SEARCHING)
def test_what_was_said_is_found_by_its_turn(opened: Any, name: str, facts: str | None) -> None:
    system = opened(name, facts)
    system.build(TALK)
    assert "D1:1" in system.retrieve(BEAGLE, 10).hits[0]
    assert "D2:1" in {turn for hit in system.retrieve(PORTO, 2).hits for turn in hit}


@pytest.mark.parametrize(("name", "facts"), SEARCHING)
def test_a_system_opened_again_on_its_folder_goes_on(opened: Any, name: str, facts: str | None) -> None:
    first = opened(name, facts)
    first.build(TALK)
    before = first.retrieve(PORTO, 5).hits, first.answer(PORTO, 5).answer
    first.close()
    again = opened(name, facts)
    assert (again.retrieve(PORTO, 5).hits, again.answer(PORTO, 5).answer) == before


def test_the_product_answers_with_the_turns_it_rests_on(opened: Any) -> None:
    system = opened("meme")
    built = system.build(TALK)
    told = system.answer(PORTO, 10)
    assert (told.answer, told.abstained, told.cited) == ("Porto", False, ("D2:1",))
    assert told.context_tokens > 0
    assert {"answer", "embed", "search"} <= told.spent.keys()
    moved = next(entry for entry in built.entries if "Porto" in entry.text)
    assert moved.happened is not None
    assert moved.happened[0] < "2023-06-09", "the week before it was said"


def test_turns_are_kept_word_for_word_with_what_they_share(opened: Any) -> None:
    system = opened("meme", "turns")
    built = system.build(TALK)
    assert [entry.sources for entry in built.entries] == [("D1:1",), ("D1:2",), ("D2:1",), ("D2:2",)]
    assert built.entries[1].text == "Ben: Lovely! [shares a beagle on a red sofa]" == spoken(TALK.turns[1])
    assert system.retrieve(Asked("q", "red sofa"), 1).hits == (("D1:2",),)


def test_observations_are_entries_that_cite_their_turns(opened: Any) -> None:
    system = opened("meme", "observations")
    built = system.build(TALK)
    assert [(entry.text, entry.sources) for entry in built.entries] == [
        (fact.text, fact.sources) for fact in TALK.facts
    ]
    assert built.stored == 3, "the turns are journaled and none of them waits or is a hit of its own"
    assert system.retrieve(BEAGLE, 10).hits[0] == ("D1:1", "D1:2")
    assert system.memory.doctor().clean
    said = {entry.content: entry.said_at.date().isoformat() for entry in system.memory.list().entries}
    assert said["Ben moved to Porto."] == "2023-06-09"


def test_bm25_makes_no_vectors_by_a_model_and_searches_by_word_alone(opened: Any) -> None:
    system = opened("bm25")
    system.build(TALK)
    assert system.retrieve(Asked("q", "zzz qqq"), 5).hits == ()
    hits = system.memory.search("Where did Ben move to?", layers=["lexical"]).hits
    assert all("lexical" in hit.parts and not {"semantic", "structured"} & hit.parts.keys() for hit in hits)


def test_refusing_always_refuses(opened: Any) -> None:
    told = opened("refuse").answer(BEAGLE, 5)
    assert (told.answer, told.abstained, told.hits) == ("Not known", True, ())


def test_the_oracle_answers_from_the_evidence_alone(tmp_path: Path) -> None:
    oracle = Oracle(setting(tmp_path))
    try:
        for _ in range(2):  # asked again after a kill, it stores nothing twice
            told = oracle.answer(PORTO, [TALK.turns[2]], 10)
            assert (told.answer, told.hits) == ("Porto", (("D2:1",),))
        assert oracle.answer(BEAGLE, [], 10).abstained
    finally:
        oracle.close()


@pytest.mark.parametrize(
    ("system", "facts", "made"),
    [("meme", None, "extracted"), ("bm25", None, "turns"), ("dense", "observations", "observations")],
)
def test_entries_are_made_as_asked_for_or_the_systems_own_way(system: str, facts: Any, made: str) -> None:
    assert facts_of(system, facts) == made


@pytest.mark.parametrize(
    ("system", "facts"),
    [
        ("nobody", None),
        ("meme", "guesses"),
        ("refuse", "turns"),
        ("oracle", "observations"),
        ("mem0", "observations"),
    ],
)
def test_what_a_system_cannot_make_is_refused(system: str, facts: Any) -> None:
    with pytest.raises(UsageError):
        facts_of(system, facts)


def test_a_question_is_asked_with_its_day_where_that_is_known() -> None:
    assert wording(Asked("q", "When?", "2023-05-30T10:00")) == "When? (asked on 2023-05-30)"
    assert wording(Asked("q", "When?")) == "When?"
    assert tokens(["12345678", "1234"]) == 3


# ---------------------------------------------------------------- full context


def test_full_context_hands_over_every_turn_in_order_in_one_request(opened: Any) -> None:
    with model('{"answer": "Porto", "citations": ["m3"], "known": true, "why": ""}') as (url, requests):
        system = opened("full-context", provider="openai", base_url=url, api_key="k", model="m")
        assert system.build(TALK).stored == 4
        told = system.answer(PORTO, 10)
        system.close()
    assert (told.answer, told.abstained, told.cited, told.hits) == ("Porto", False, ("D2:1",), ())
    assert (told.spent["answer"].calls, told.spent["answer"].prompt_tokens) == (1, 50)
    assert told.context_tokens == tokens([spoken(turn) for turn in TALK.turns])
    assert len(requests) == 1
    prompt = requests[0]["messages"][-1]["content"]
    at = [prompt.index(json.dumps(spoken(turn))) for turn in TALK.turns]
    assert at == sorted(at)
    assert LATER in prompt
    assert "from nothing else" in requests[0]["messages"][0]["content"], "meme's own answer prompt"


@pytest.mark.parametrize(
    "reply",
    ['{"answer": "", "citations": [], "known": false, "why": "no"}', '{"answer": "Rome", "citations": []}'],
)
def test_an_answer_that_is_not_known_or_cites_nothing_is_an_abstention(opened: Any, reply: str) -> None:
    with model(reply) as (url, _):
        system = opened("full-context", provider="openai", base_url=url, api_key="k", model="m")
        system.build(TALK)
        told = system.answer(PORTO, 10)
        system.close()
    assert (told.answer, told.abstained) == ("Not known", True)


def test_a_reply_that_is_no_json_is_an_error(opened: Any) -> None:
    with model("Porto, I think.") as (url, _):
        system = opened("full-context", provider="openai", base_url=url, api_key="k", model="m")
        system.build(TALK)
        with pytest.raises(ReplyError):
            system.answer(PORTO, 10)
        system.close()


def test_full_context_says_that_it_needs_a_model(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs a model"):
        check("full-context", setting(tmp_path), answering=True)
    with pytest.raises(UsageError, match="does not search"):
        check("refuse", setting(tmp_path), answering=False)


def test_mem0_without_its_package_says_how_to_install_it(tmp_path: Path) -> None:
    try:
        import mem0  # noqa: F401
    except ImportError:
        with pytest.raises(UsageError, match=r"meme-memory\[peers\]"):
            check("mem0", setting(tmp_path), answering=False)
    else:
        pytest.skip("mem0 is installed")


# ---------------------------------------------------------------- kept vectors


class Counting(HashingEmbedder):
    """Counts the texts it is asked for."""

    asked = 0

    async def embed(self, texts: Any) -> list[bytes]:
        self.asked += len(texts)
        return await super().embed(texts)


def test_a_vector_is_made_once_for_all_runs_of_a_folder(tmp_path: Path) -> None:
    inner = Counting(8)
    for round_ in range(2):
        kept = KeptVectors(inner, tmp_path / "v")
        vectors = asyncio.run(kept.embed(["a", "b", "a"]))
        assert vectors == asyncio.run(HashingEmbedder(8).embed(["a", "b", "a"]))
        asyncio.run(kept.close())
        assert inner.asked == 2, f"round {round_}"


def test_a_vector_that_a_kill_cut_short_is_made_again(tmp_path: Path) -> None:
    kept = KeptVectors(Counting(8), tmp_path)
    asyncio.run(kept.embed(["a", "b"]))
    asyncio.run(kept.close())
    file = next(tmp_path.glob("*.vectors"))
    file.write_bytes(file.read_bytes()[:-3])
    inner = Counting(8)
    assert asyncio.run(KeptVectors(inner, tmp_path).embed(["a", "b"])) == asyncio.run(
        HashingEmbedder(8).embed(["a", "b"])
    )
    assert inner.asked == 1


def test_vectors_of_another_model_are_not_taken(tmp_path: Path) -> None:
    class Other(Counting):
        @property
        def id(self) -> str:
            return "another"

    asyncio.run(KeptVectors(Counting(8), tmp_path).embed(["a"]))
    other = Other(8)
    asyncio.run(KeptVectors(other, tmp_path).embed(["a"]))
    assert other.asked == 1


def test_a_memory_with_kept_vectors_is_one_like_any_other(tmp_path: Path) -> None:
    config = Config(store=StoreConfig(lancedb_path=tmp_path / "m"))
    with Meme(config=config, embedder=KeptVectors(HashingEmbedder(64), tmp_path / "v")) as memory:
        memory.add("Ana sold a kayak.", infer=False)
        assert memory.search("kayak", layers=["semantic"]).hits

"""No verb crosses a scope: random users with awkward names, random verbs, ids guessed included."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from meme import Config, EmbeddingConfig, Meme, NotFoundError, Scope, ScopeError, StoreConfig
from meme.config import LLMConfig, build_llm
from meme.records import is_blank
from meme.testing import make_parts

AWKWARD = [
    "O'Brien",
    "x' OR 1=1 --",
    "team_a",
    "teamXa",
    "50%",
    "back\\slash",
    '"double"',
    "*",
    "a\nb",
    "名前",
    "🎌",
]
LAYERS = (None, ["semantic"], ["lexical"], ["structured"])
characters = st.characters(exclude_categories=["Cs"])
users = st.one_of(
    st.sampled_from(AWKWARD),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(
        lambda t: not is_blank(t)
    ),
)


def seen(memory: Meme, user: str) -> set[str]:
    """Every text that any reading verb shows to `user`."""
    found = {entry.content for entry in memory.list(all_status=True, user_id=user).entries}
    found |= {turn.content for turn in memory.list(user_id=user).pending}
    for layers in LAYERS:
        for query in ("secret of the lake", user):
            hits = memory.search(query, user_id=user, layers=layers, top_k=50, persons=[])  # type: ignore[arg-type]
            found |= {hit.content for hit in hits} | {turn.content for hit in hits for turn in hit.turns}
    answer = memory.ask("What is the secret of the lake?", user_id=user)
    found |= {hit.content for hit in answer.recall or ()}
    found |= set(memory.export_lines(user_id=user))
    return found


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(users, min_size=2, max_size=4, unique=True), data=st.data())
def test_no_verb_shows_or_touches_another_users_entries(
    names: list[str], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("scopes")
    with Meme(parts=make_parts(folder, llm=build_llm(LLMConfig()))) as memory:
        secrets, ids = {}, {}
        for number, name in enumerate(names):
            secrets[name] = f"code{7000 + number}"
            text = f"The secret of the lake is {secrets[name]}."
            ids[name] = memory.add(text, infer=data.draw(st.booleans()), user_id=name).added[0].id
            memory.add_dialogue("Guest", f"Pending {secrets[name]} of the lake.", user_id=name)
        for name in names:
            texts = seen(memory, name)
            assert any(secrets[name] in text for text in texts)
            for other in set(names) - {name}:
                assert not any(secrets[other] in text for text in texts)
                _guessed_ids_are_useless(memory, ids[other], name)
        victim = data.draw(st.sampled_from(names))
        memory.delete_all(victim)
        for name in names:
            if name == victim:
                assert memory.list(user_id=name).total == 0
            else:
                assert any(secrets[name] in text for text in seen(memory, name))


def _guessed_ids_are_useless(memory: Meme, identity: str, thief: str) -> None:
    for call in (
        lambda: memory.get(identity, user_id=thief),
        lambda: memory.history(identity, user_id=thief),
        lambda: memory.update(identity, "mine now", user_id=thief),
        lambda: memory.delete(identity, user_id=thief),
    ):
        with pytest.raises(NotFoundError):
            call()


def test_an_agent_sees_only_its_own_and_the_user_sees_all(tmp_path: Path) -> None:
    with Meme(user_id="ana", parts=make_parts(tmp_path, llm=build_llm(LLMConfig()))) as memory:
        for agent in ("a1", "a2", None):
            memory.add(f"note of {agent}", infer=False, agent_id=agent)
        assert [hit.content for hit in memory.search("note", agent_id="a1")] == ["note of a1"]
        assert len(memory.search("note")) == 3
        assert memory.list(agent_id="a2").total == 1


def test_sessions_label_writes_and_narrow_reads_only_when_given(tmp_path: Path) -> None:
    with Meme(user_id="ana", parts=make_parts(tmp_path, llm=build_llm(LLMConfig()))) as memory:
        memory.add("Clara lives in Leeds.", session_id="s1")
        memory.add("Clara moved to Porto.", session_id="s2")
        assert [entry.content for entry in memory.list().entries] == ["Clara moved to Porto."]
        assert memory.list(session_id="s1").total == 0
        assert memory.search("Clara", session_id="s2")[0].content == "Clara moved to Porto."


@pytest.mark.parametrize("blank", ["", "   ", None])
def test_a_blank_user_is_refused_by_every_verb(tmp_path: Path, blank: str | None) -> None:
    with Meme(parts=make_parts(tmp_path, llm=build_llm(LLMConfig()))) as memory:
        who = {"user_id": blank}
        for call in (
            lambda: memory.add("x", **who),  # type: ignore[arg-type]
            lambda: memory.search("x", **who),  # type: ignore[arg-type]
            lambda: memory.ask("x", **who),  # type: ignore[arg-type]
            lambda: memory.list(**who),  # type: ignore[arg-type]
            lambda: memory.finalize(**who),  # type: ignore[arg-type]
            lambda: memory.stats(**who),  # type: ignore[arg-type]
            lambda: memory.export_lines(**who),  # type: ignore[arg-type]
            lambda: memory.delete_all(blank),  # type: ignore[arg-type]
        ):
            with pytest.raises(ScopeError):
                call()


def test_a_small_user_beside_a_big_one_is_found_on_the_real_indexes(tmp_path: Path) -> None:
    config = Config(
        store=StoreConfig(lancedb_path=tmp_path / "m"),
        embedding=EmbeddingConfig(provider="hashing", dimension=32),
    )
    with Meme(config=config) as memory:
        crowd = [{"speaker": "Big", "text": f"Note {i}: the picnic is at the lake"} for i in range(400)]
        memory.add_turns(crowd, infer=False, user_id="big")
        memory.add("The picnic is at the lake; gate code 7312", infer=False, user_id="sam")
        for layers in (None, ["semantic"], ["lexical"]):
            query = "picnic at the lake gate code"
            found = memory.search(query, user_id="sam", top_k=5, layers=layers)  # type: ignore[arg-type]
            assert [hit.content for hit in found] == ["The picnic is at the lake; gate code 7312"]
            assert memory.search(query, user_id="tess", layers=layers).hits == ()  # type: ignore[arg-type]
            big = memory.search(query, user_id="big", top_k=50, layers=layers)  # type: ignore[arg-type]
            assert not any("7312" in hit.content for hit in big)
            assert len(big) == 50


def test_scopes_cover_what_they_should() -> None:
    wide, narrow = Scope("a"), Scope("a", "g", "s")
    assert wide.covers(narrow)
    assert not narrow.covers(wide)
    assert not wide.covers(Scope("b"))

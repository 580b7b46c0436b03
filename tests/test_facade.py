"""Every verb, over in-memory indexes and the rules: what it does, what it returns, what it refuses."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from meme import (
    EmbeddingError,
    EntryClosedError,
    Meme,
    MemoryEntry,
    NotFoundError,
    Recall,
    ScopeError,
    Turn,
    UsageError,
)
from meme.config import LLMConfig, build_llm
from meme.testing import HashingEmbedder, make_parts


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Meme]:
    with Meme(user_id="ana", parts=make_parts(tmp_path, llm=build_llm(LLMConfig()))) as opened:
        yield opened


def contents(entries: Any) -> list[str]:
    return [entry.content for entry in entries]


def test_the_whole_tour_works(memory: Meme) -> None:
    memory.add_dialogue("Alice", "Let's meet at Luna Cafe tomorrow at 2pm.", "2025-11-15T14:30:00")
    memory.add_dialogue("Bob", "Great, I will bring the budget report.", "2025-11-15T14:31:00")
    assert memory.finalize().added
    assert memory.add("I prefer aisle seats.").added
    results = memory.search("Who brings the budget report?")
    first = memory.get(results[0].id)
    assert isinstance(first, MemoryEntry)
    assert "budget report" in first.content
    assert (
        memory.update(first.id, "Bob will bring the travel plan.").content
        == "Bob will bring the travel plan."
    )
    assert [event.verb for event in memory.history(first.id)] == ["ADD", "REVISE"]
    memory.delete(first.id)
    answer = memory.ask("Where will Alice and Bob meet?")
    assert "Luna Cafe" in answer.text
    assert answer.citations
    assert memory.ask("What will Bob bring?").abstained


def test_i_is_the_user_and_the_default_user_has_no_name(tmp_path: Path) -> None:
    with Meme(parts=make_parts(tmp_path, llm=build_llm(LLMConfig()))) as memory:
        assert contents(memory.add("I am allergic to walnuts.").added) == ["The user is allergic to walnuts."]
        assert "walnuts" in memory.ask("What am I allergic to?").text


def test_a_verbatim_fact_is_kept_word_for_word_with_what_the_caller_sets(memory: Meme) -> None:
    added = memory.add(
        "Gate code: 7312",
        infer=False,
        kind="procedural",
        tags=["home", "codes"],
        importance=0.9,
        metadata={"origin": "note"},
    ).added
    assert contents(added) == ["Gate code: 7312"]
    entry = memory.get(added[0].id)
    assert isinstance(entry, MemoryEntry)
    assert (entry.kind, entry.tags, entry.importance) == ("procedural", ("home", "codes"), 0.9)
    assert entry.metadata == {"origin": "note"}


def test_an_explicit_fact_always_gives_an_entry(memory: Meme) -> None:
    for text in ("Buy milk", "thanks!", "Wifi: hunter2", "?"):
        assert len(memory.add(text).added) == 1, text


def test_verbatim_turns_keep_speaker_date_and_message_id(memory: Meme) -> None:
    turns = [
        {"speaker": "Bo", "text": f"Line {i}", "timestamp": "2025-03-01", "message_id": f"D1:{i}"}
        for i in range(3)
    ]
    result = memory.add_turns(turns, infer=False)
    assert contents(result.added) == ["Bo: Line 0", "Bo: Line 1", "Bo: Line 2"]
    assert result.pending == 0
    hit = memory.search("line 1", layers=["lexical"])[0]
    assert hit.message_ids == ("D1:1",)
    assert hit.record.said_at.isoformat() == "2025-03-01T00:00:00+00:00"
    again = memory.add_turns(turns, infer=False)
    assert (again.duplicates, again.added) == (3, ())
    assert memory.list().total == 3


def test_dialogue_waits_for_a_full_window_and_is_searchable_meanwhile(tmp_path: Path) -> None:
    parts = make_parts(tmp_path, llm=build_llm(LLMConfig()), window_size=3, overlap_size=1)
    with Meme(user_id="ana", parts=parts) as memory:
        first = memory.add_dialogue("Bo", "I bought a red canoe.", "2025-03-01T10:00:00Z")
        assert (first.turns, first.pending, first.added) == (1, 1, ())
        hit = memory.search("canoe")[0]
        assert (hit.type, hit.content) == ("turn", "Bo: I bought a red canoe.")
        assert isinstance(memory.get(hit.id), Turn)
        assert [turn.text for turn in memory.list().pending] == ["I bought a red canoe."]
        memory.add_dialogue("Al", "Nice!", "2025-03-01T10:01:00Z")
        full = memory.add_dialogue("Bo", "It is moored in Leith.", "2025-03-01T10:02:00Z")
        assert full.pending == 0
        assert contents(full.added)[0] == "Bo bought a red canoe."
        assert memory.search("canoe")[0].type == "memory"


def test_a_message_sent_twice_is_one_turn_and_extracted_once(memory: Meme) -> None:
    line = {
        "speaker": "Lio",
        "text": "I bought a kayak.",
        "timestamp": "2025-08-03T15:00:00Z",
        "message_id": "wh-77",
    }
    memory.add_turns([line])
    assert memory.add_turns([line]).duplicates == 1
    memory.finalize()
    again = memory.add_turns([line])
    assert (again.duplicates, again.pending) == (1, 0)
    assert memory.finalize().added == ()
    assert memory.list().total == 1


def test_a_repeated_fact_adds_nothing_but_its_source(memory: Meme) -> None:
    entry = memory.add("Teo's dog is called Biscuit.").added[0]
    again = memory.add("Teo's dog is called Biscuit.")
    assert (contents(again.unchanged), again.added) == ([entry.content], ())
    assert [event.verb for event in memory.history(entry.id)] == ["ADD", "NOOP"]
    known = memory.get(entry.id)
    assert isinstance(known, MemoryEntry)
    assert len(known.sources) == 2


def test_a_changed_fact_replaces_the_old_one_and_keeps_its_history(memory: Meme) -> None:
    old = memory.add("Clara lives in Leeds.").added[0]
    new = memory.add("Clara moved to Porto.").updated[0]
    closed = memory.get(old.id)
    assert isinstance(closed, MemoryEntry)
    assert (closed.status, closed.superseded_by) == ("superseded", new.id)
    assert contents(memory.list().entries) == ["Clara moved to Porto."]
    assert {entry.status for entry in memory.list(all_status=True).entries} == {"active", "superseded"}
    assert [(e.verb, e.before, e.after) for e in memory.history(new.id)] == [
        ("ADD", None, "Clara lives in Leeds."),
        ("UPDATE", "Clara lives in Leeds.", "Clara moved to Porto."),
    ]
    assert memory.history(old.id) == memory.history(new.id)
    with pytest.raises(EntryClosedError, match=f"replaced by {new.id}"):
        memory.update(old.id, "Clara lives in York.")
    with pytest.raises(EntryClosedError):
        memory.delete(old.id)


def test_an_update_keeps_id_creation_and_metadata_and_merges_the_new(memory: Meme) -> None:
    entry = memory.add(
        "Sings in a choir on Mondays", infer=False, metadata={"area": "leisure", "weight": 3}
    ).added[0]
    changed = memory.update(entry.id, "Sings in a choir on Tuesdays", metadata={"weight": None, "new": 1})
    assert (changed.id, changed.recorded_at) == (entry.id, entry.recorded_at)
    assert changed.updated_at is not None
    assert changed.updated_at > entry.recorded_at
    assert changed.metadata == {"area": "leisure", "new": 1}
    for layer in ("lexical", "semantic"):
        assert "Tuesdays" in memory.search("choir Tuesdays", layers=[layer])[0].content  # type: ignore[list-item]


class FailingEmbedder(HashingEmbedder):
    """Works until told not to."""

    failing = False

    async def embed(self, texts: Any) -> list[bytes]:
        if self.failing:
            raise EmbeddingError("the embedder is down")
        return await super().embed(texts)


def test_an_update_that_fails_leaves_the_entry_as_it_was(tmp_path: Path) -> None:
    embedder = FailingEmbedder(64)
    with Meme(parts=make_parts(tmp_path, llm=build_llm(LLMConfig()), embedder=embedder)) as memory:
        entry = memory.add("Sings on Mondays", infer=False).added[0]
        embedder.failing = True
        with pytest.raises(EmbeddingError):
            memory.update(entry.id, "Sings on Tuesdays")
        assert memory.get(entry.id) == entry
        assert memory.search("Mondays", layers=["lexical"])[0].id == entry.id


def test_an_embedder_outage_is_told_and_never_reads_as_no_memories(tmp_path: Path) -> None:
    embedder = FailingEmbedder(64)
    with Meme(parts=make_parts(tmp_path, llm=build_llm(LLMConfig()), embedder=embedder)) as memory:
        memory.add("Teo's dog is called Biscuit.", infer=False)
        embedder.failing = True
        found = memory.search("Biscuit")
        assert found[0].content == "Teo's dog is called Biscuit."
        assert found.failed == {"semantic": "the embedder is down"}
        with pytest.raises(Exception, match="the embedder is down"):
            memory.search("Biscuit", layers=["semantic"])
        kept = memory.add("Teo owns a red kayak.")
        assert kept.added
        assert "without vectors" in kept.notes[0]
        assert memory.search("kayak")[0].content == "Teo owns a red kayak."
        assert memory.doctor().verification.owed_vectors > 0
        embedder.failing = False
        assert memory.reembed() > 0
        assert memory.doctor().clean
        assert memory.search("kayak", layers=["semantic"])[0].content == "Teo owns a red kayak."


def test_a_deleted_entry_never_returns_nor_does_its_turn(memory: Meme) -> None:
    memory.add_dialogue("Q", "My probe-quartz-71 lives in the attic.", "2025-03-01T10:00:00Z")
    entry = memory.finalize().added[0]
    assert memory.search("probe-quartz-71")[0].id == entry.id
    assert memory.delete(entry.id).status == "retracted"
    for layers in (None, ["lexical"], ["semantic"], ["structured"]):
        assert memory.search("probe-quartz-71 attic", layers=layers).hits == ()  # type: ignore[arg-type]
    assert memory.ask("What lives in the attic?").abstained
    assert [event.verb for event in memory.history(entry.id)] == ["ADD", "DELETE"]


def test_delete_all_takes_only_the_named_users_entries(memory: Meme) -> None:
    memory.add("The picnic is at the lake.", infer=False)
    memory.add("The picnic is at the lake.", infer=False, user_id="ben")
    with pytest.raises(TypeError):
        memory.delete_all()  # type: ignore[call-arg]
    with pytest.raises(ScopeError):
        memory.delete_all(" ")
    assert memory.delete_all("ana") == 1
    assert memory.search("picnic").hits == ()
    assert len(memory.search("picnic", user_id="ben")) == 1


def test_ids_may_be_given_by_a_unique_beginning(memory: Meme) -> None:
    entries = memory.add_turns([{"speaker": "A", "text": f"n{i}"} for i in range(12)], infer=False).added
    assert memory.get(entries[0].id) == entries[0]
    with pytest.raises(NotFoundError, match="Several ids begin"):
        memory.get(entries[0].id[:20])
    with pytest.raises(NotFoundError, match="meme list"):
        memory.get("ffff")
    with pytest.raises(UsageError):
        memory.get("  ")


def test_a_turn_cannot_be_changed_and_says_why(memory: Meme) -> None:
    memory.add_dialogue("Bo", "I bought a canoe.")
    turn = memory.list().pending[0]
    for change in (lambda: memory.update(turn.id, "x"), lambda: memory.delete(turn.id)):
        with pytest.raises(UsageError, match="is a turn"):
            change()


@pytest.mark.parametrize("blank", ["", "  ", "\n\t", "\u200b"])
def test_blank_input_is_refused_and_stores_nothing(memory: Meme, blank: str) -> None:
    kept = memory.add("Owns a loom", infer=False).added[0]
    for call in (
        lambda: memory.add(blank),
        lambda: memory.add_dialogue("Bo", blank),
        lambda: memory.search(blank),
        lambda: memory.ask(blank),
        lambda: memory.update(kept.id, blank),
    ):
        with pytest.raises(UsageError):
            call()
    result = memory.add_turns([{"speaker": "Bo", "text": blank}, {"speaker": "Bo", "text": "I sing."}])
    assert (result.blank, result.turns) == (1, 1)
    assert memory.list().total == 1


def test_pages_are_complete_and_stay_put_while_entries_are_added(memory: Meme) -> None:
    memory.add_turns([{"speaker": "A", "text": f"entry {i}"} for i in range(25)], infer=False)
    assert len(memory.list().entries) == 25
    page = memory.list(limit=10)
    assert (len(page.entries), page.total) == (10, 25)
    memory.add("newer", infer=False)
    seen = list(page.entries)
    while page.cursor:
        page = memory.list(limit=10, cursor=page.cursor)
        seen += page.entries
    assert len({entry.id for entry in seen}) == len(seen) == 25
    for wrong in ({"limit": 0}, {"cursor": "x"}):
        with pytest.raises(UsageError):
            memory.list(**wrong)  # type: ignore[arg-type]


def test_filters_hold_for_every_layer_and_ignore_case_and_accents(memory: Meme) -> None:
    memory.add_turns(
        [
            {"speaker": "Renée", "text": "I moved to Porto.", "timestamp": "2025-03-01T10:00:00Z"},
            {"speaker": "Tom", "text": "I moved to Leeds.", "timestamp": "2025-06-01T10:00:00Z"},
        ],
        infer=False,
    )
    for layers in (["lexical"], ["semantic"], ["structured"], None):
        found = memory.search("moved", persons=["renee"], layers=layers)  # type: ignore[arg-type]
        assert contents(found) == ["Renée: I moved to Porto."], layers
        found = memory.search("moved", since="2025-06-01", layers=layers)  # type: ignore[arg-type]
        assert contents(found) == ["Tom: I moved to Leeds."], layers
    assert memory.search("moved", until="2025-02-28").hits == ()


def test_a_search_is_a_sequence_with_its_plan_and_timings(memory: Meme) -> None:
    memory.add("Ana keeps bees.", infer=False)
    found = memory.search("bees", top_k=1)
    assert isinstance(found, Recall)
    assert len(found) == 1
    assert list(found) == [found[0]]
    assert found.plan.question == "bees"
    assert {"semantic", "lexical", "hydrate"} <= set(found.timings)
    assert found[0].parts["lexical"].rank == 1
    with pytest.raises(UsageError):
        memory.search("bees", top_k=0)


def test_system_and_tool_messages_and_recited_memories_give_no_entries(memory: Meme) -> None:
    lines = [
        {"role": "system", "text": "You are Dax, a helpful agent. Tools: shell."},
        {"role": "system", "text": "Relevant memories:\n- Mo prefers dark mode."},
        {"role": "tool", "text": "exit code 0 in /srv/app"},
        {"role": "user", "speaker": "Mo", "text": "[heartbeat 09:00 ok]"},
        {"role": "user", "speaker": "Mo", "text": "thanks!"},
    ]
    memory.add_turns(lines)
    result = memory.finalize()
    assert (result.added, result.pending) == ((), 0)
    reasons = memory.changesets()[-1].nothing
    assert len(reasons) == 5
    assert sorted(reasons.values())[-1] == "tool message"


def test_stats_count_what_is_there(memory: Meme) -> None:
    memory.add("Clara lives in Leeds.")
    memory.add("Clara moved to Porto.")
    memory.add_dialogue("Bo", "I sing.")
    stats = memory.stats()
    assert stats.entries == {"active": 1, "superseded": 1, "retracted": 0, "archived": 0}
    assert (stats.turns, stats.pending, stats.changesets, stats.users) == (3, 1, 2, 1)
    assert stats.bytes_on_disk > 0
    assert stats.llm == "rules"


def test_a_closed_memory_can_be_closed_again(tmp_path: Path) -> None:
    memory = Meme(parts=make_parts(tmp_path, llm=build_llm(LLMConfig())))
    memory.close()
    memory.close()

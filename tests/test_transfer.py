"""Export and import: nothing lost, nothing doubled, bad lines told."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from meme import Meme, MemoryEntry, StoreFormatError, UsageError
from meme.config import LLMConfig, build_llm
from meme.records import is_blank
from meme.testing import make_parts, sample_dialogue


def opened(folder: Path, user: str = "ana") -> Meme:
    return Meme(user_id=user, parts=make_parts(folder, llm=build_llm(LLMConfig())))


def filled(memory: Meme) -> None:
    """A memory with everything in it: dialogue, facts, an update, a deletion, a revision, pending turns."""
    memory.add_turns(list(sample_dialogue())[:30])
    memory.finalize()
    memory.add("Rosa lives in Leeds.", metadata={"a": [1, {"b": None}]}, tags=["home"])
    memory.add("Rosa moved to Porto.")
    gone = memory.add("Owns a kayak", infer=False).added[0]
    memory.delete(gone.id, reason="sold")
    edited = memory.add("Sings on Mondays", infer=False).added[0]
    memory.update(edited.id, "Sings on Tuesdays")
    memory.add_dialogue("Bo", "I sing.", "2025-01-01T10:00:00+02:00", message_id="m1")


def test_export_import_export_is_the_same_file(tmp_path: Path) -> None:
    first, second = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    with opened(tmp_path / "a") as memory:
        filled(memory)
        count = memory.export(first)
        total = memory.list(all_status=True).total
    with opened(tmp_path / "b") as memory:
        result = memory.import_(first)
        assert (result.entries, result.known, result.bad) == (total, 0, ())
        memory.export(second)
        again = memory.import_(first)
        assert (again.turns, again.entries, again.known) == (0, 0, total)
        assert memory.export(second) == count
        assert memory.doctor().clean
        assert memory.search("Where did Rosa move?", layers=["semantic"]).hits
    assert sorted(first.read_text().splitlines()) == sorted(second.read_text().splitlines())


def test_an_export_holds_no_vectors_and_begins_with_its_version(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        memory.add("Owns a loom", infer=False)
        lines = [json.loads(line) for line in memory.export_lines()]
    assert lines[0] == {"type": "header", "format": "meme", "version": 1}
    assert {line["type"] for line in lines} == {"header", "turn", "changeset", "entry"}
    assert not any("vector" in line for line in lines)


def test_another_user_gets_ids_of_his_own_with_every_link_kept(tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    with opened(tmp_path / "a") as memory:
        filled(memory)
        memory.export(file)
        theirs = {entry.id: entry for entry in memory.list(all_status=True).entries}
        memory.import_(file, user_id="ben")
        mine = {entry.id: entry for entry in memory.list(all_status=True, user_id="ben").entries}
        assert not theirs.keys() & mine.keys()
        assert sorted(e.content for e in mine.values()) == sorted(e.content for e in theirs.values())
        moved = next(entry for entry in mine.values() if entry.content == "Rosa lives in Leeds.")
        assert moved.superseded_by in mine
        for entry in mine.values():
            for source in entry.sources:
                assert memory.get(source, user_id="ben")
        assert [e.verb for e in memory.history(moved.id, user_id="ben")] == ["ADD", "UPDATE"]
        assert memory.import_(file, user_id="ben").entries == 0
        assert memory.doctor().clean


def test_all_users_come_back_as_themselves(tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    with opened(tmp_path / "a") as memory:
        for user in ("ana", "ben"):
            memory.add(f"{user} owns a loom", infer=False, user_id=user)
        memory.export(file, all_users=True)
    with opened(tmp_path / "b") as memory:
        memory.import_(file, all_users=True)
        assert [e.content for e in memory.list(user_id="ben").entries] == ["ben owns a loom"]
        assert memory.list(user_id="ana").total == 1


def test_lines_of_other_tools_are_taken_and_bad_ones_told_by_number(tmp_path: Path) -> None:
    file = tmp_path / "other.jsonl"
    file.write_bytes(
        b'\xef\xbb\xbf{"id":"e1","user":"u","text":"Owns a loom","created_at":"2024-01-01T00:00:00Z"}\r\n'
        b'{"id":"e1","user":"u","text":"Owns a loom","created_at":"2024-01-01T00:00:00Z"}\r\n\r\n'
        b'{"id":"e2","user":"u","text":"Sings alto"}{"id":"e3","user":"u","text":"Speaks Frisian"}\r\n'
        b'{"id":"e4","user":"u","text":"cut off\r\nnot json at all\r\n'
        b'{"id":"e5","user":"u","text":"After the bad lines"}'
    )
    with opened(tmp_path / "a") as memory:
        result = memory.import_(file)
        assert [line.number for line in result.bad] == [4, 5, 6]
        assert sorted(e.content for e in memory.list().entries) == ["After the bad lines", "Owns a loom"]
        loom = next(e for e in memory.list().entries if e.content == "Owns a loom")
        assert loom.said_at.isoformat() == "2024-01-01T00:00:00+00:00"
        assert memory.import_(file).entries == 0
    with opened(tmp_path / "b") as memory:
        with pytest.raises(UsageError, match=r"Line 4: .*Nothing was loaded"):
            memory.import_(file, strict=True)
        assert memory.list().total == 0


def test_a_newer_export_and_an_unreadable_file_are_refused(tmp_path: Path) -> None:
    newer = tmp_path / "newer.jsonl"
    newer.write_text('{"type":"header","format":"meme","version":99}\n')
    with opened(tmp_path / "a") as memory:
        with pytest.raises(StoreFormatError, match="version 99"):
            memory.import_(newer)
        for path in (tmp_path / "missing.jsonl", tmp_path):
            with pytest.raises(UsageError, match="cannot be read"):
                memory.import_(path)
        with pytest.raises(UsageError, match="cannot be written"):
            memory.export(tmp_path / "no" / "such" / "folder.jsonl")


characters = st.characters(exclude_categories=["Cs"])
texts = st.text(characters, min_size=1, max_size=60).filter(lambda text: not is_blank(text))
values = st.one_of(st.integers(), st.text(characters, max_size=5), st.none())
metadata = st.dictionaries(st.text(characters, max_size=5), values, max_size=3)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(given=st.lists(st.tuples(texts, metadata, st.sampled_from(["keep", "delete", "update"])), max_size=6))
def test_any_memory_survives_the_round_trip(
    given: list[tuple[str, dict[str, Any], str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("trip")
    with opened(folder / "a") as memory:
        for text, extra, fate in given:
            added = memory.add(text, infer=False, metadata=extra).added
            if added and fate == "delete":
                memory.delete(added[0].id)
            elif added and fate == "update":
                memory.update(added[0].id, text + " indeed")
        memory.export(folder / "one")
        before = memory.list(all_status=True).entries
    with opened(folder / "b") as memory:
        assert memory.import_(folder / "one").bad == ()
        memory.export(folder / "two")
        after = memory.list(all_status=True).entries
        assert all(isinstance(entry, MemoryEntry) for entry in after)
    assert sorted(before, key=lambda e: e.id) == sorted(after, key=lambda e: e.id)
    assert sorted((folder / "one").read_text().split("\n")) == sorted(
        (folder / "two").read_text().split("\n")
    )

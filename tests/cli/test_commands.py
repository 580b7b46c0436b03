"""Each command as a person or a program would use it: output, errors in one sentence, exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

ALICE = {"speaker": "Alice", "text": "I moved to Porto last month.", "timestamp": "2025-03-01T09:00:00Z"}


def written(path: Path, *lines: Any) -> str:
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return str(path)


def test_init_makes_a_store_and_a_settings_file_once(meme: Run, home: Path) -> None:
    assert meme("init").code == 0
    assert (home / "lancedb" / "memories.db").exists()
    (home / "config.toml").write_text("# mine\n")
    assert meme("init").code == 0
    assert (home / "config.toml").read_text() == "# mine\n"


def test_a_fact_goes_in_and_is_found_answered_changed_and_deleted(meme: Run) -> None:
    added = meme(
        "add", "Teo's dog is called Biscuit.", "--tags", "pets,home", "--importance", "0.8", "--json"
    ).json
    entry = added["added"][0]
    assert (entry["content"], entry["tags"], entry["importance"]) == (
        "Teo's dog is called Biscuit.",
        ["pets", "home"],
        0.8,
    )
    assert "Biscuit" in meme("search", "dog").out
    assert meme("search", "dog", "--json", "--top-k", "1").json["hits"][0]["id"] == entry["id"]
    asked = meme("ask", "What is Teo's dog called?", "--json").json
    assert "Biscuit" in asked["text"]
    assert asked["citations"] == [entry["id"]]
    assert meme("update", entry["id"], "Teo's dog is called Rex.").code == 0
    assert meme("get", entry["id"], "--json").json["content"] == "Teo's dog is called Rex."
    told = meme("history", entry["id"])
    assert "REVISE" in told.out
    assert "- Teo's dog is called Biscuit." in told.out
    assert meme("delete", entry["id"], "--reason", "a mistake").code == 0
    assert meme("list", "--json").json["total"] == 0
    assert meme("list", "--json", "--all-status").json["entries"][0]["status"] == "retracted"


def test_not_known_is_said_with_its_reason_and_is_no_failure(meme: Run) -> None:
    ran = meme("ask", "What is my blood type?")
    assert ran.code == 0
    assert ran.out.startswith("Not known: ")
    meme("add", "Teo's dog is called Biscuit.")
    assert meme("ask", "What is my blood type?", "--json").json["abstained"] is True


def test_a_line_of_dialogue_waits_and_is_shown_found_and_flushed(meme: Run) -> None:
    added = meme("add", "-s", "Alice", ALICE["text"], "--at", ALICE["timestamp"], "--message-id", "m1")
    assert (added.code, added.out) == (0, "1 turns, 1 pending\n")
    assert "pending" in meme("list").out
    assert "(pending turn)" in meme("search", "Porto").out
    turn = meme("list", "--json").json["pending"][0]
    assert meme("get", turn["id"][:18], "--json").json["text"] == ALICE["text"]
    for change in ("update", "delete"):
        refused = meme(change, turn["id"], *(["x"] if change == "update" else []))
        assert (refused.code, "is a turn" in refused.err) == (2, True)
    assert (
        meme("add", "-s", "Alice", ALICE["text"], "--message-id", "m1").out == "1 known before, 1 pending\n"
    )
    assert "Alice moved to Porto in February 2025." in meme("flush").out
    assert meme("list", "--json").json["pending"] == []


def test_ask_extracts_what_is_pending_first(meme: Run) -> None:
    meme("add", "-s", "Alice", ALICE["text"], "--at", ALICE["timestamp"])
    assert meme("ask", "Where did Alice move?").out.startswith("Porto")


def test_a_file_goes_in_whole_and_bad_lines_are_told_by_number(meme: Run, tmp_path: Path) -> None:
    bob = {"speaker": "Bob", "content": "I own a kayak.", "timestamp": 1740819600}
    file = written(tmp_path / "talk.jsonl", ALICE, "not json", bob)
    ran = meme("add", "--file", file, "--json")
    assert ran.code == 1
    assert [line["number"] for line in ran.json["bad_lines"]] == [2]
    assert "line 2 was left out: not JSON" in ran.err
    assert (ran.json["turns"], ran.json["pending"]) == (2, 0)
    assert {e["content"] for e in ran.json["added"]} == {
        "Alice moved to Porto in February 2025.",
        "Bob owns a kayak.",
    }
    again = meme("add", "--file", file, "--json")
    assert (again.json["duplicates"], again.json["added"]) == (2, [])


def test_a_bad_timestamp_in_a_file_is_a_bad_line(meme: Run, tmp_path: Path) -> None:
    file = written(
        tmp_path / "talk.jsonl", {**ALICE, "timestamp": "the day before"}, {"text": "I own a kayak."}
    )
    ran = meme("add", "--file", file)
    assert ran.code == 1
    assert "line 1 was left out" in ran.err


def test_verbatim_keeps_the_words(meme: Run) -> None:
    assert "added" in meme("add", "--verbatim", "--kind", "procedural", "Gate code: 7312").out
    assert meme("list", "--json").json["entries"][0]["content"] == "Gate code: 7312"


def test_delete_all_needs_the_user_and_a_yes(meme: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for user in ("ann", "ann", "ben"):
        meme("add", "--verbatim", "same text", "--user", user)
    refused = meme("delete", "--all", "--yes")
    assert (refused.code, refused.err) == (
        2,
        "meme: --all needs --user: say whose entries are to be deleted.\n",
    )
    assert meme("delete", "--user", "ann", "--all", "--yes").out == "deleted 2 entries of ann\n"
    assert meme("list", "--user", "ann", "--json").json["total"] == 0
    assert meme("list", "--user", "ben", "--json").json["total"] == 1


def test_lists_come_in_pages_that_say_how_many_there_are(meme: Run, tmp_path: Path) -> None:
    lines = [{"speaker": "A", "text": f"I own boat {i}."} for i in range(25)]
    from meme import Meme

    with Meme() as memory:
        memory.add_turns(lines, infer=False)
    first = meme("list")
    assert "20 of 25 entries; next page: --cursor" in first.err
    cursor = first.err.split("--cursor ")[1].strip()
    assert len(meme("list", "--cursor", cursor, "--json").json["entries"]) == 5
    assert len(meme("list", "--limit", "300", "--json").json["entries"]) == 25


def test_export_and_import_carry_a_memory_over(meme: Run, tmp_path: Path) -> None:
    meme("add", "Clara lives in Leeds.")
    meme("add", "Clara moved to Porto.")
    file = str(tmp_path / "out.jsonl")
    assert "lines written" in meme("export", "-o", file).err
    assert meme("export").out == Path(file).read_text()
    ran = meme("import", file, "--user", "copy")
    assert ran.out == "2 turns and 2 entries added, 0 entries known before\n"
    assert meme("import", file, "--user", "copy").out.startswith("0 turns and 0 entries added")
    assert (
        "UPDATE"
        in meme(
            "history", meme("list", "--user", "copy", "--json").json["entries"][0]["id"], "--user", "copy"
        ).out
    )


def test_doctor_stats_rebuild_and_reembed_report(meme: Run) -> None:
    meme("add", "Clara lives in Leeds.")
    meme("search", "Leeds")
    ran = meme("doctor")
    assert (ran.code, "all is well" in ran.out) == (0, True)
    assert meme("doctor", "--json").json["clean"] is True
    assert meme("rebuild").code == 0
    assert meme("reembed").out == "0 vectors made\n"
    assert meme("stats", "--json").json["entries"]["active"] == 1
    assert "1 active" in meme("stats").out


def test_changing_the_embedder_is_told_and_reembed_repairs_it(
    meme: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    meme("add", "Clara lives in Leeds.")
    monkeypatch.setenv("MEME_EMBEDDING_DIMENSION", "64")
    ran = meme("search", "Leeds")
    assert ran.code == 4
    assert "meme reembed" in ran.err
    assert "Leeds" in meme("search", "Leeds", "--layers", "lexical").out
    assert meme("reembed").out == "2 vectors made\n"
    assert "Leeds" in meme("search", "Leeds").out


def test_config_show_tells_where_values_come_from_and_masks_secrets(
    meme: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEME_LLM_API_KEY", "sk-very-secret")
    ran = meme("config", "show")
    assert "environment MEME_LLM_API_KEY" in ran.out
    assert "implied by llm.api_key" in ran.out
    assert "secret" not in ran.out + meme("config", "show", "--json").out


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["add"], 2, "Give either a text or --file"),
        (["add", "x", "--file", "y"], 2, "Give either a text or --file"),
        (["add", "  "], 2, "blank"),
        (["add", "-s", "Al", ""], 2, "blank"),
        (["add", "x", "--at", "2025-01-01"], 2, "--at and --role go with -s"),
        (["add", "-s", "Al", "x", "--tags", "a"], 2, "are for facts"),
        (["add", "-s", "Al", "x", "--at", "someday"], 2, "someday"),
        (["add", "--file", "/no/such/file"], 2, "cannot be read: No such file"),
        (["add", "--file", "/"], 2, "cannot be read: Is a directory"),
        (["add", "x", "--importance", "7"], 2, "between 0 and 1"),
        (["add", "x", "--kind", "fact"], 2, "semantic"),
        (["add", "x", "--user", " "], 2, "user_id is blank"),
        (["search", ""], 2, "blank"),
        (["search", "x", "--layers", "magic"], 2, "semantic, lexical, structured"),
        (["search", "x", "--since", "soon"], 2, "soon"),
        (["search", "x", "--top-k", "0"], 2, "top-k"),
        (["ask", "\u200b"], 2, "blank"),
        (["get", "ffff"], 5, "No entry or turn has the id 'ffff'"),
        (["history", "ffff"], 5, "No entry or turn"),
        (["delete"], 2, "Give either an id or --all"),
        (["list", "--cursor", "x"], 2, "no cursor"),
        (["import", "/no/such/file"], 2, "cannot be read"),
        (["export", "-o", "/no/such/folder/x"], 2, "cannot be written"),
        (["nonsense"], 2, "nonsense"),
    ],
)
def test_wrong_input_is_one_clear_sentence_with_the_right_exit_code(
    meme: Run, arguments: list[str], code: int, says: str
) -> None:
    ran = meme(*arguments)
    assert ran.code == code, ran.err
    assert says in ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""


def test_a_provider_that_cannot_be_reached_keeps_the_turn_and_says_so(
    meme: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEME_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("MEME_LLM_MAX_RETRIES", "0")
    ran = meme("add", "I own a kayak.")
    assert ran.code == 1
    assert "pending: 1 turns could not be extracted" in ran.err
    assert "cannot be reached" in ran.err
    assert meme("ask", "What do I own?").code == 3
    monkeypatch.delenv("MEME_LLM_BASE_URL")
    assert "kayak" in meme("flush").out


def test_a_store_that_cannot_be_used_has_its_own_exit_code(meme: Run, home: Path) -> None:
    (home / "lancedb").mkdir(parents=True)
    (home / "lancedb" / "memories.db").write_text("this is no database, just a text of some length\n" * 40)
    ran = meme("list")
    assert ran.code == 4
    assert "not a readable meme store" in ran.err

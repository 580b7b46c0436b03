"""What only a process of its own can show: what gets imported, pipes, and real input end to end."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
LOCOMO = ROOT.parent / "shared" / "data" / "locomo10.json"
HEAVY = ("lancedb", "pyarrow", "openai", "fastembed", "onnxruntime", "numpy")


def meme(*arguments: str, stdin: str | None = None, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "meme_cli", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )


def loaded_by(*arguments: str) -> set[str]:
    """The heavy libraries in sys.modules after a command, run in a fresh process."""
    code = (
        "import sys, json; sys.argv = ['meme', *json.loads(sys.argv[1])]\n"
        "import meme_cli\n"
        "try: meme_cli.main()\n"
        "except SystemExit as stop: assert not stop.code, stop.code\n"
        f"print('LOADED', [name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, json.dumps(arguments)], capture_output=True, text=True, check=False
    )
    assert "LOADED" in ran.stderr, ran.stderr
    return set(json.loads(ran.stderr.split("LOADED ")[1].replace("'", '"')))


def test_light_commands_load_no_heavy_library() -> None:
    assert loaded_by("--help") == set()
    assert loaded_by("add", "-s", "Alice", "I moved to Porto.") == set()
    turn = json.loads(meme("list", "--json").stdout)["pending"][0]["id"]
    for light in (
        ["get", turn],
        ["list"],
        ["search", "Porto", "--layers", "lexical"],
        ["stats"],
        ["config", "show"],
    ):
        assert loaded_by(*light) == set(), light
    entry = json.loads(meme("add", "Clara lives in Leeds.", "--json").stdout)["added"][0]["id"]
    assert loaded_by("history", entry) == set()
    assert "lancedb" in loaded_by("rebuild"), "the rule no longer matches anything"


def test_output_can_be_piped_and_holds_no_progress_or_colour() -> None:
    ran = meme("add", "--file", "-", stdin='{"speaker": "Al", "text": "I own a kayak."}\n')
    assert ran.returncode == 0
    assert ran.stderr == ""
    assert "\x1b" not in ran.stdout
    assert "Al owns a kayak." in ran.stdout


def test_a_reader_that_goes_away_is_no_error() -> None:
    meme("add", "--file", "-", stdin='{"speaker": "Al", "text": "I own a kayak."}\n')
    command = f"{sys.executable} -m meme_cli export | head -c 1"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in ran.stderr


def answer(question: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(meme("ask", question, "--json").stdout)
    return found


@pytest.fixture
def demo_store() -> None:
    ran = meme("add", "--file", str(ROOT / "datasets" / "demo.jsonl"))
    assert ran.returncode == 0, ran.stderr


@pytest.mark.usefixtures("demo_store")
def test_the_demo_dialogue_gives_what_a_person_expects() -> None:
    page = json.loads(meme("list", "--limit", "1000", "--json").stdout)
    assert page["pending"] == []
    assert page["total"] >= 100
    by_content = {entry["content"]: entry for entry in page["entries"]}
    assert len(by_content) == page["total"], "the same statement is stored twice"
    homes = [text for text in by_content if "Clara" in text and "lives in Leeds" in text]
    assert homes == [], "the old home is still current"

    assert "Porto" in answer("Where does Clara live?")["text"]
    assert "Tidewater Labs" in answer("Where does Mateo work?")["text"]
    assert answer("When is Ivy's first ballet show?")["text"] == "14 June 2025"
    assert "azelnut" in answer("What is Mateo allergic to?")["text"]
    assert answer("What is Owen's job?")["abstained"] is True
    for question in ("Where does Clara live?", "What is Mateo allergic to?"):
        assert answer(question)["citations"]

    found = json.loads(meme("search", "nut allergy", "--top-k", "3", "--json").stdout)["hits"]
    assert any("hazelnut" in hit["content"].lower() for hit in found)

    replaced = [
        e
        for e in json.loads(meme("list", "--all-status", "--limit", "1000", "--json").stdout)["entries"]
        if e["superseded_by"]
    ]
    moved = next(entry for entry in replaced if "Leeds" in entry["content"] and "lives" in entry["content"])
    verbs = [event["verb"] for event in json.loads(meme("history", moved["id"], "--json").stdout)]
    assert verbs[0] == "ADD"
    assert "UPDATE" in verbs
    assert meme("doctor").returncode == 0


def test_the_packaged_dialogue_is_the_published_one() -> None:
    assert (ROOT / "datasets" / "demo.jsonl").read_bytes() == (
        ROOT / "meme" / "data" / "demo.jsonl"
    ).read_bytes()


def test_the_demo_command_shows_the_whole_tour() -> None:
    ran = meme("demo")
    assert ran.returncode == 0, ran.stderr
    for part in (
        "turns of dialogue go in",
        "meme search",
        "Porto",
        "Tidewater Labs",
        "14 June 2025",
        "Not known",
        "UPDATE",
    ):
        assert part in ran.stdout, part
    assert ran.stdout.count("meme ask") == 4


@pytest.mark.skipif(
    not LOCOMO.exists(), reason=f"{LOCOMO} is absent: LoCoMo is CC BY-NC and not part of the project"
)
def test_a_whole_locomo_conversation_goes_in_and_comes_out(tmp_path: Path) -> None:
    conversation = json.loads(LOCOMO.read_text(encoding="utf-8"))[0]["conversation"]
    lines = []
    for number in range(1, 60):
        for turn in conversation.get(f"session_{number}", []):
            line = {
                "speaker": turn["speaker"],
                "text": turn["text"],
                "timestamp": conversation[f"session_{number}_date_time"],
                "message_id": turn["dia_id"],
                "session_id": str(number),
            }
            lines.append({**line, "attachments": [turn["blip_caption"]] if "blip_caption" in turn else []})
    file = tmp_path / "conversation.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    ran = meme("add", "--file", str(file), "--json")
    assert ran.returncode == 0, ran.stderr
    result = json.loads(ran.stdout)
    assert (result["turns"], result["pending"], result["failed"]) == (len(lines), 0, [])
    assert len(result["added"]) > len(lines) / 2
    covered, required = result["coverage"]["covered"], result["coverage"]["required"]
    assert covered == required

    group = next(e for e in result["added"] if "support group" in e["content"] and e["happened"])
    assert group["happened"]["start"] == group["happened"]["end"] == "2023-05-07"
    assert "7 May 2023" in group["content"]
    assert answer("When did Caroline go to the LGBTQ support group?")["text"] == "7 May 2023"
    assert answer("When did Melanie paint a sunrise?")["text"] == "2022"
    assert answer("What is Caroline's blood type?")["abstained"] is True
    hits = json.loads(meme("search", "support group", "--json").stdout)["hits"]
    assert any("D1:3" in hit["message_ids"] for hit in hits)
    assert meme("doctor").returncode == 0


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="/dev/full is a Linux device")
@pytest.mark.parametrize("command", [["list", "--json"], ["export"], ["stats"]])
def test_output_that_cannot_be_written_is_an_error_in_one_sentence(command: list[str]) -> None:
    meme("add", "-s", "Al", "I own a kayak.")
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "meme_cli", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ran.returncode == 1
    assert ran.stderr.endswith("meme: the output could not be written: No space left on device.\n")
    assert "Traceback" not in ran.stderr
    refused = meme("export", "-o", "/dev/full")
    assert (refused.returncode, "no ordinary file" in refused.stderr) == (2, True)
    assert Path("/dev/full").is_char_device()

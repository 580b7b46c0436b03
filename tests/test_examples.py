"""The examples run as they stand and say what they promise."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def run(*arguments: str) -> str:
    ran = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=dict(os.environ), check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_basic_example_shows_the_whole_tour() -> None:
    told = run(str(ROOT / "examples" / "basic.py")).splitlines()
    assert "Bob will bring the budget report." in told[0]
    assert told[1] == "ADD: None -> Bob will bring the budget report."
    assert told[2] == "REVISE: Bob will bring the budget report. -> Bob will bring the travel plan."
    assert told[3].startswith("16 November 2025 (")
    assert told[4] == "Not known"


def test_the_batch_example_takes_a_dialogue_in_and_out(tmp_path: Path) -> None:
    target = tmp_path / "export.jsonl"
    told = run(str(ROOT / "examples" / "batch_import.py"), str(ROOT / "datasets" / "demo.jsonl"), str(target))
    assert told.startswith("149 turns, ")
    assert len(target.read_text().splitlines()) > 149

"""The commands as a newcomer types them, on the packaged sample, with an embedder that needs no model."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from meme_bench.main import main
from tests.ran import Ran

HEAVY = ("lancedb", "pyarrow", "openai", "fastembed", "numpy", "nltk", "matplotlib", "mem0")


Bench = Callable[..., Ran]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Bench:
    """Call `meme-bench *arguments` in an empty folder."""
    monkeypatch.setenv("MEME_EMBEDDING_PROVIDER", "hashing")
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["meme-bench", *arguments])
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capfd.readouterr()
        code = stop.value.code
        return Ran(code if isinstance(code, int) else 0, out, err)

    return call


@pytest.fixture
def runs(bench: Bench) -> Bench:
    """The sample, and runs of two systems over it: bm25.jsonl and refuse.jsonl."""
    assert bench("sample").code == 0
    for system in ("bm25", "refuse"):
        ran = bench(
            "run",
            "--dataset",
            "sample_bench.json",
            "--system",
            system,
            "-o",
            f"{system}.json",
            "--workers",
            "1",
        )
        assert ran.code == 0, ran.err
    return bench


def test_a_run_leaves_a_run_file_and_the_report_of_it(runs: Bench) -> None:
    (section,) = json.loads(Path("bm25.json").read_text(encoding="utf-8"))["datasets"]
    (run,) = section["runs"]
    assert (run["label"], run["everything"]["n"]) == ("bm25", 22)
    assert len(Path("bm25.jsonl").read_text(encoding="utf-8").splitlines()) == 1 + 2 + 22


def test_scoring_again_says_the_same(runs: Bench) -> None:
    first, second = runs("score", "bm25.jsonl", "--json"), runs("score", "bm25.jsonl", "--json")
    assert first.code == 0
    assert first.out == second.out
    assert first.json["header"]["system"] == "bm25"
    assert [group["n"] for group in first.json["categories"]] == [4, 5, 2, 6, 5]


def test_a_report_puts_runs_beside_each_other_and_draws(runs: Bench) -> None:
    ran = runs("report", "bm25.jsonl", "refuse.jsonl", "--plot", "chart.svg")
    assert ran.code == 0
    assert "| category           |   n |" in ran.out
    assert "1-5 official micro" in ran.out
    assert "22.7" in ran.out  # refusing: 5 of 22
    assert "drawn: chart.svg" in ran.err
    assert Path("chart.svg").read_text(encoding="utf-8").startswith("<?xml")
    written = runs("report", "bm25.jsonl", "refuse.jsonl", "-o", "report.md")
    assert written.out == ""
    assert Path("report.md").read_text(encoding="utf-8") == ran.out


def test_two_runs_are_compared(runs: Bench) -> None:
    told = runs("compare", "bm25.jsonl", "refuse.jsonl", "--json").json
    assert told["unpaired"] == 0
    assert told["differs"]["system"] == ["bm25", "refuse"]
    assert "A compared with B" in runs("compare", "bm25.jsonl", "refuse.jsonl").out


def test_a_run_that_was_stopped_goes_on_and_one_made_otherwise_does_not(bench: Bench) -> None:
    bench("sample")
    run = ("run", "--dataset", "sample_bench.json", "--system", "bm25", "-o", "a.json")
    assert bench(*run, "--keep").code == 0
    lines = Path("a.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    Path("a.jsonl").write_text("".join(lines[:9]) + lines[9][:20], encoding="utf-8")
    existing, otherwise = bench(*run), bench(*run, "--resume", "--k", "7")
    assert (existing.code, otherwise.code) == (2, 2)
    assert "--resume" in existing.err
    assert "k: 30, now 7" in otherwise.err
    assert bench(*run, "--resume").code == 0
    resumed = Path("a.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(one).get("question") for one in resumed] == [
        json.loads(one).get("question") for one in lines
    ]


def test_a_run_in_which_questions_fail_ends_with_1_and_names_them(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench("sample")
    monkeypatch.setenv("MEME_LLM_BASE_URL", "http://127.0.0.1:9/v1")  # nobody listens
    monkeypatch.setenv("MEME_LLM_MAX_RETRIES", "0")
    run = (
        "run",
        "--dataset",
        "sample_bench.json",
        "--system",
        "full-context",
        "--limit",
        "2",
        "-o",
        "f.json",
    )
    failed = bench(*run)
    assert failed.code == 1
    assert "failed, counted as wrong: 2 (locomo_0_qa0, locomo_0_qa1)" in failed.out
    assert bench("report", "f.jsonl").code == 1


def test_retrieval_tells_recall_and_where_the_seconds_went(bench: Bench) -> None:
    bench("sample")
    asked = ("retrieval", "--dataset", "sample_bench.json", "--system", "bm25", "--system", "dense")
    told = bench(*asked, "--json").json
    assert [one["label"] for one in told["runs"]] == ["bm25", "dense"]
    for one in told["runs"]:
        assert set(one["seconds"]) == {"embed", "index", "search", "wall"}
        assert one["everything"]["retrieval"]["n"] == 22
        assert one["everything"]["retrieval"]["at"]["30"]["recall"]["value"] > 0.5
    assert "| recall@30" in bench(*asked[:-2], "--categories", "2,4").out


class _Judge(BaseHTTPRequestHandler):
    """A chat endpoint that finds everything right."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        message = {"role": "assistant", "content": json.dumps({"why": "so it is", "right": True})}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        body = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        return


def test_a_judge_is_asked_at_the_endpoint_and_its_own_errors_are_told(
    runs: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "A judge needs a model" in runs("score", "bm25.jsonl", "--judge", "m-1").err
    with ThreadingHTTPServer(("127.0.0.1", 0), _Judge) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        monkeypatch.setenv("MEME_LLM_BASE_URL", f"http://127.0.0.1:{server.server_address[1]}/v1")
        ran = runs("report", "bm25.jsonl", "refuse.jsonl", "--judge", "m-1", "--lenient")
        server.shutdown()
        thread.join()
    assert ran.code == 0, ran.err
    assert "## Judged right by a model" in ran.out
    assert "bm25: judged by m-1 (lenient, prompt " in ran.out
    # It accepts wrong answers too, and the report says so.
    assert re.search(
        r"it accepts 100\.0 .* of the right, 100\.0 .* of the vague, 100\.0 .* of the wrong", ran.out
    )


def test_datasets_are_told_with_licence_and_checksum(bench: Bench) -> None:
    told = bench("datasets")
    assert "CC BY-NC 4.0" in told.out
    assert "79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4" in told.out
    assert {one["name"] for one in bench("datasets", "--json").json} >= {"locomo10", "sample"}


def test_the_sample_is_written_where_asked_and_overwrites_nothing(bench: Bench) -> None:
    assert bench("sample", "-o", "mine.json").out == "mine.json\n"
    again = bench("sample", "-o", "mine.json")
    assert (again.code, again.err) == (2, "meme-bench: mine.json exists: name a new file.\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["score", "none.jsonl"], "none.jsonl cannot be read"),
        (["score", "text.txt"], "text.txt, line 1: not a line of a run file."),
        (["score", "bytes.bin"], "bytes.bin is no run file: it is not text."),
        (["report", "text.txt", "--plot", "chart.pdf"], "should end in .png or .svg"),
        (["run", "--dataset", "none.json"], "none.json cannot be read"),
        (["run", "--dataset", "text.txt"], "text.txt is not JSON"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_code_2(
    bench: Bench, arguments: list[str], said: str
) -> None:
    Path("text.txt").write_text("a shopping list\nand more of it\n", encoding="utf-8")
    Path("bytes.bin").write_bytes(b"\xff\xfe\x00")
    ran = bench(*arguments)
    assert ran.code == 2
    assert said in ran.err
    assert ran.err.startswith("meme-bench: ")
    assert "Traceback" not in ran.err


def test_help_loads_no_heavy_library() -> None:
    code = (
        "import sys; sys.argv = ['meme-bench', 'run', '--help']\n"
        "from meme_bench.main import main\n"
        "try: main()\n"
        "except SystemExit as stop: assert not stop.code, stop.code\n"
        f"print('LOADED', [name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stderr.splitlines()[-1] == "LOADED []", ran.stderr

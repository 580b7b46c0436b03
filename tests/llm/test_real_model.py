"""A real model behind a real server: llama.cpp takes our schemas, and whatever a tiny model says is lived with.

What is asserted is plumbing: SmolLM2-135M understands next to nothing. One test, so that one worker starts
one server.
"""

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import chat_server
import model_server
import pytest

from meme import Config, EmbeddingConfig, LLMConfig, Meme, ProviderError, StoreConfig
from meme.config import build_llm
from meme.errors import MemeError
from meme.llm import LLM, Request
from meme.read.shapes import AnswerReply, PlanReply, ReflectReply
from meme.results import Answer
from meme.write.shapes import ExtractReply, ReconcileReply

SHAPES = {
    "extract": ExtractReply,
    "reconcile": ReconcileReply,
    "plan": PlanReply,
    "reflect": ReflectReply,
    "answer": AnswerReply,
}
TURNS = [
    {"speaker": "Ana", "text": "I moved to Lisbon last week.", "message_id": "1"},
    {"speaker": "Ben", "text": "My sister Chloe bought a red kayak there.", "message_id": "2"},
    {"speaker": "Ana", "text": "I adopted a cat called Pixel.", "message_id": "3"},
    {"speaker": "Ben", "text": "I start at the bakery in Porto on Monday.", "message_id": "4"},
]
DAY = "2025-03-10T10:00:00Z"


class Forwarding:
    """A script for chat_server: every request goes on to the real server; what came back is kept."""

    def __init__(self, url: str) -> None:
        self._url = f"{url}/chat/completions"
        self.bodies: list[Any] = []

    def __call__(self, request: Mapping[str, Any]) -> chat_server.Answer:
        asked = urllib.request.Request(
            self._url, json.dumps(request).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(asked) as reply:
                status, data = reply.status, reply.read()
        except urllib.error.HTTPError as error:
            status, data = error.code, error.read()
        self.bodies.append(json.loads(data))
        return chat_server.Answer(status, data)


@pytest.mark.skipif(bool(model_server.missing()), reason=model_server.missing() or "installed")
def test_every_verb_completes_with_a_real_model_whatever_it_says(tmp_path: Path) -> None:
    with model_server.serving(tmp_path) as url:
        forwarding = Forwarding(url)
        with chat_server.serving(chat_server.Server(forwarding)) as server:
            chat = LLMConfig(
                provider="openai", base_url=server.url, model="smollm2", temperature=0.0, timeout=300
            )
            _replies_fit_the_schema_of_every_task(build_llm(chat))
            asked = len(server.requests)
            config = Config(
                llm=chat,
                embedding=EmbeddingConfig(provider="hashing"),
                store=StoreConfig(lancedb_path=tmp_path / "store"),
            )
            with Meme(config=config) as memory:
                _dialogue_is_kept(memory)
                assert len(server.requests) > asked
                _a_question_ends_in_an_answer_or_in_a_reason(memory)
    assert set(server.formats) == {"json_schema"}
    refused = [body for body in forwarding.bodies if "choices" not in body]
    assert not refused


def _replies_fit_the_schema_of_every_task(chat: LLM) -> None:
    for task, shape in SHAPES.items():
        reply = asyncio.run(chat.complete(Request(task, None, shape, prompt="Say that Ana lives in Lisbon.")))
        assert reply.usage.prompt_tokens > 0, task
        assert reply.usage.completion_tokens > 0, task
        assert reply.finish in ("stop", "length"), task
        if reply.finish == "stop":
            assert isinstance(json.loads(reply.text), dict), task
            shape.model_validate_json(reply.text)
        else:  # cut at the server's limit, on its way to an object
            assert reply.text.lstrip().startswith("{"), task


def _dialogue_is_kept(memory: Meme) -> None:
    added = memory.add_turns([{**turn, "timestamp": DAY} for turn in TURNS])
    settled = memory.finalize()
    assert added.turns == len(TURNS)
    assert settled.usage["extract"].prompt_tokens > 0
    assert settled.usage["extract"].completion_tokens > 0
    assert settled.pending == sum(window.turns for window in settled.failed)
    errors = {error.__name__ for error in _with_children(ProviderError)}
    assert {window.reason.split(":")[0] for window in settled.failed} <= errors
    for turn in TURNS:
        hits = memory.search(turn["text"])
        assert turn["message_id"] in {one for hit in hits for one in hit.message_ids}, turn["text"]


def _with_children(error: type[MemeError]) -> set[type[MemeError]]:
    return {error}.union(*map(_with_children, error.__subclasses__()))


def _a_question_ends_in_an_answer_or_in_a_reason(memory: Meme) -> None:
    ended: Answer | ProviderError
    try:
        ended = memory.ask("Where does Ana live?")
    except ProviderError as error:
        ended = error
    if isinstance(ended, ProviderError):
        assert "smollm2" in str(ended)
    else:
        assert ended.text
        assert ended.usage["answer"].completion_tokens > 0

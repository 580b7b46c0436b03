"""Replies on disk: what a file is named after, what is kept, what is served, and what is not."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, field_validator

from meme.errors import ConfigError, ProviderError, TruncatedError
from meme.llm import LLM, Reply, Request
from meme.llm.kept import Cached, Recorder, Replayed
from meme.llm.reader import read
from meme.records import Usage
from meme.testing import ScriptedLLM


class Word(BaseModel):
    word: str


class Longer(BaseModel):
    word: str
    why: str = ""


ASKED = Request("say", None, Word, system="Be short.", prompt="Say a word, half an emoji \ud83d too.")
SPENT = Usage(calls=1, prompt_tokens=10, completion_tokens=2, seconds=0.5)
TEA = Reply('{"word":"tea, naïve 東京"}', model="scripted", usage=SPENT)
MILK = Reply('{"word":"milk"}', model="scripted", usage=SPENT)
BAD = [
    Reply("", finish="no choices", model="scripted"),
    Reply('{"word":', model="scripted"),
    Reply('{"nothing":1}', model="scripted"),
    Reply('{"word":"tea"}', finish="length", model="scripted"),
]


def ask(llm: LLM, *requests: Request) -> list[Reply]:
    async def asking() -> list[Reply]:
        return [await llm.complete(request) for request in requests or (ASKED,)]

    return asyncio.run(asking())


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def test_a_question_is_paid_for_once_and_then_free(tmp_path: Path) -> None:
    llm = ScriptedLLM([TEA, MILK])
    assert ask(Cached(llm, tmp_path), ASKED, ASKED) == [TEA, replace(TEA, usage=Usage())]
    assert ask(Cached(llm, tmp_path)) == [replace(TEA, usage=Usage())]
    assert len(llm.requests) == 1


@pytest.mark.parametrize(
    "other",
    [
        replace(ASKED, task="tell"),
        replace(ASKED, system="Be long."),
        replace(ASKED, prompt="Say another."),
        replace(ASKED, shape=Longer),
        replace(ASKED, system=ASKED.system + ASKED.prompt, prompt=""),
    ],
    ids=["task", "system", "prompt", "shape", "where one ends and the other begins"],
)
def test_another_question_is_another_file(tmp_path: Path, other: Request) -> None:
    llm = ScriptedLLM([TEA, MILK])
    assert ask(Cached(llm, tmp_path), ASKED, other) == [TEA, MILK]
    assert len(files(tmp_path)) == 2


def test_another_model_or_salt_is_another_file(tmp_path: Path) -> None:
    for llm, salt in [("a", ""), ("b", ""), ("a", "hot")]:
        assert ask(Cached(ScriptedLLM([TEA], model=llm), tmp_path, salt)) == [TEA]
    assert len(files(tmp_path)) == 3


def test_the_payload_is_not_what_a_model_sees_and_makes_no_difference(tmp_path: Path) -> None:
    llm = ScriptedLLM([TEA])
    assert ask(Cached(llm, tmp_path), ASKED, replace(ASKED, payload=object()))[1].text == TEA.text


@pytest.mark.parametrize("bad", BAD, ids=["empty", "broken", "another shape", "cut"])
def test_a_reply_that_cannot_be_read_is_given_once_and_never_kept(tmp_path: Path, bad: Reply) -> None:
    llm = ScriptedLLM([bad, TEA])
    assert ask(Cached(llm, tmp_path)) == [bad]
    assert files(tmp_path) == []
    assert ask(Cached(llm, tmp_path)) == [TEA]


def strict_word() -> type[BaseModel]:
    """A shape that looks like Word from outside, but takes short words only."""

    class Word(BaseModel):
        word: str

        @field_validator("word")
        @classmethod
        def _is_short(cls, value: str) -> str:
            if len(value) > 4:
                raise ValueError("too long")
            return value

    return Word


def test_a_kept_reply_that_is_no_longer_accepted_is_asked_for_again(tmp_path: Path) -> None:
    llm = ScriptedLLM([TEA, MILK])
    assert ask(Cached(llm, tmp_path), ASKED, replace(ASKED, shape=strict_word())) == [TEA, MILK]
    assert len(files(tmp_path)) == 1


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"7",
        b'{"reply": {}}',
        b'{"reply": {"text": "x", "usage": 7}}',
        b'{"reply": {"text": 7}}',
        b"\xff\xfe",
        b"[" * 99_999,
    ],
    ids=lambda damage: repr(damage[:20]),
)
def test_a_damaged_file_is_asked_for_again_and_mended(tmp_path: Path, damage: bytes) -> None:
    llm = ScriptedLLM([TEA, TEA])
    cached = Cached(llm, tmp_path)
    ask(cached)
    (file,) = files(tmp_path)
    file.write_bytes(damage)
    assert [reply.text for reply in ask(cached, ASKED, ASKED)] == [TEA.text] * 2
    assert len(llm.requests) == 2


def test_a_file_can_be_read_by_a_person_and_by_nobody_else(tmp_path: Path) -> None:
    ask(Cached(ScriptedLLM([TEA]), tmp_path))
    (file,) = files(tmp_path)
    kept = json.loads(file.read_text())
    assert (kept["task"], kept["system"]) == ("say", "Be short.")
    assert kept["prompt"].startswith("Say a word")
    assert kept["reply"]["text"] == TEA.text
    assert file.stat().st_mode & 0o077 == 0


def test_many_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    llm = ScriptedLLM([TEA] * 8)

    async def asking() -> list[Reply]:
        return list(await asyncio.gather(*(Recorder(llm, tmp_path).complete(ASKED) for _ in range(8))))

    assert asyncio.run(asking()) == [TEA] * 8
    assert [file.suffix for file in files(tmp_path)] == [".json"]
    assert ask(Replayed(tmp_path, model="scripted")) == [TEA]


@pytest.mark.parametrize("around", [Cached, Recorder])
def test_a_folder_that_cannot_be_made_is_said_before_anything_is_paid_for(
    tmp_path: Path, around: Any
) -> None:
    (tmp_path / "file").write_text("in the way")
    llm = ScriptedLLM([TEA])
    with pytest.raises(ConfigError, match="cannot be kept"):
        ask(around(llm, tmp_path / "file" / "cache"))
    assert llm.requests == []


def test_a_reply_that_cannot_be_written_is_an_error_and_leaves_nothing_behind(tmp_path: Path) -> None:
    recorder = Recorder(ScriptedLLM([TEA, TEA]), tmp_path)
    ask(recorder)
    (file,) = files(tmp_path)
    file.unlink()
    file.mkdir()
    with pytest.raises(ProviderError, match="cannot be kept"):
        ask(recorder)
    assert files(tmp_path) == [file]


def test_a_recorder_always_asks_and_keeps_what_came_last(tmp_path: Path) -> None:
    llm = ScriptedLLM([TEA, MILK])
    assert ask(Recorder(llm, tmp_path), ASKED, ASKED) == [TEA, MILK]
    assert ask(Replayed(tmp_path, model="scripted")) == [MILK]


@pytest.mark.parametrize("bad", BAD, ids=["empty", "broken", "another shape", "cut"])
def test_a_recorder_keeps_the_bad_ones_too(tmp_path: Path, bad: Reply) -> None:
    ask(Recorder(ScriptedLLM([bad]), tmp_path))
    (reply,) = ask(Replayed(tmp_path, model="scripted"))
    assert reply == bad
    if bad.finish == "length":
        with pytest.raises(TruncatedError):
            read(reply, Word)


@pytest.mark.parametrize(
    ("model", "asked"),
    [
        ("scripted", replace(ASKED, prompt="Say another.")),
        ("another", ASKED),
        ("scripted", replace(ASKED, shape=Longer)),
    ],
    ids=["prompt", "model", "shape"],
)
def test_what_was_not_recorded_is_named_with_what_to_do(tmp_path: Path, model: str, asked: Request) -> None:
    ask(Recorder(ScriptedLLM([TEA]), tmp_path))
    with pytest.raises(ProviderError, match=r"'say'.*Record it again") as caught:
        ask(Replayed(tmp_path, model=model), asked)
    assert str(tmp_path) in str(caught.value)


def test_a_failure_is_not_recorded(tmp_path: Path) -> None:
    with pytest.raises(ProviderError):
        ask(Recorder(ScriptedLLM([ProviderError("down")]), tmp_path))
    assert files(tmp_path) == []

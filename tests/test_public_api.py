"""The promise: the public names and the verbs' signatures. A change here is a change for users."""

import inspect
import subprocess
import sys

import pytest

import meme
from meme import AsyncMeme, Meme

VERBS = {
    "add": "text, *, infer, message_id, **given",
    "add_dialogue": "speaker, text, timestamp, *, role, message_id, **who",
    "add_lines": "lines, *, progress, **who",
    "add_turns": "turns, *, infer, **who",
    "ask": "question, *, layers, max_calls, budget_tokens, **who",
    "changesets": "**who",
    "close": "",
    "delete": "memory_id, *, reason, **who",
    "delete_all": "user_id, *, agent_id, reason",
    "doctor": "**who",
    "export": "path, *, all_users, **who",
    "export_lines": "*, all_users, **who",
    "finalize": "*, progress, **who",
    "get": "memory_id, **who",
    "history": "memory_id, **who",
    "import_": "path, *, all_users, strict, **who",
    "list": "limit, cursor, *, all_status, **who",
    "rebuild": "",
    "reembed": "progress",
    "search": "query, *, top_k, layers, **asking",
    "stats": "**who",
    "update": "memory_id, text, **given",
}
BUILDER = "api_key, model, base_url, user_id, agent_id, session_id, config, *, llm, embedder, parts"


def spelled(function: object) -> str:
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]  # type: ignore[arg-type]
    words, starred = [], False
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            words.append("*")
            starred = True
        words.append(f"**{parameter.name}" if parameter.kind is parameter.VAR_KEYWORD else parameter.name)
    return ", ".join(words)


def test_every_public_name_can_be_imported_and_is_listed_once() -> None:
    assert len(set(meme.__all__)) == len(meme.__all__) == 58
    for name in meme.__all__:
        assert getattr(meme, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Memory'"):
        _ = meme.Memory  # type: ignore[attr-defined]


@pytest.mark.parametrize("face", [AsyncMeme, Meme])
def test_both_faces_have_the_same_verbs(face: type) -> None:
    public = {name for name, value in vars(face).items() if callable(value) and not name.startswith("_")}
    assert public == set(VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_the_verbs_keep_their_signatures(verb: str) -> None:
    assert spelled(getattr(AsyncMeme, verb)) == VERBS[verb]
    assert spelled(getattr(Meme, verb)) == VERBS[verb]


def test_both_builders_take_the_same_arguments() -> None:
    assert spelled(AsyncMeme.__init__) == spelled(Meme.__init__) == BUILDER


def test_importing_meme_loads_nothing_heavy() -> None:
    code = "import sys; from meme import Meme; print(sorted(set(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for heavy in ("lancedb", "pyarrow", "numpy", "fastembed", "onnxruntime", "openai", "dateparser"):
        assert f"'{heavy}'" not in loaded, heavy

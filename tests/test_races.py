"""What two writers, or a writer and an import, may do to one another: the interleavings a review found.

Two objects on one folder stand for two processes: they share nothing but the files.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from meme import EntryClosedError, Meme, UsageError
from meme.config import LLMConfig, build_llm
from meme.llm import Reply, Request
from meme.testing import HashingEmbedder, ScriptedLLM, make_parts

RULES = build_llm(LLMConfig())


def opened(folder: Path, user: str = "ana", **parts: Any) -> Meme:
    return Meme(user_id=user, parts=make_parts(folder, **{"llm": RULES, **parts}))


class Interrupting:
    """A model during whose call somebody else does something, once."""

    model = "interrupting"

    def __init__(self, task: str, meanwhile: Any) -> None:
        self._task, self._meanwhile = task, meanwhile

    async def complete(self, request: Request) -> Reply:
        if request.task == self._task and self._meanwhile:
            meanwhile, self._meanwhile = self._meanwhile, None
            meanwhile()
        return await RULES.complete(request)


def test_windows_that_overlap_never_settle_a_turn_twice(tmp_path: Path) -> None:
    with opened(tmp_path) as other:

        def finish_and_delete() -> None:
            other.add_dialogue("Ann", "I bought a lighthouse.", "2025-01-01T10:01:00Z")
            for entry in other.finalize().added:
                other.delete(entry.id)

        with opened(tmp_path, llm=Interrupting("extract", finish_and_delete)) as memory:
            memory.add_dialogue("Ann", "I moved to Oslo.", "2025-01-01T10:00:00Z")
            result = memory.finalize()
            assert result.added == ()
            assert "settled this window first" in result.notes[0]
            assert memory.list().total == 0
            assert memory.doctor().clean


class Slow(HashingEmbedder):
    """Embeds after somebody else did something, once."""

    meanwhile: Any = None

    async def embed(self, texts: Any) -> list[bytes]:
        if self.meanwhile:
            meanwhile, self.meanwhile = self.meanwhile, None
            meanwhile()
        return await super().embed(texts)


def test_an_update_of_an_entry_deleted_meanwhile_is_refused(tmp_path: Path) -> None:
    embedder = Slow(64)
    with opened(tmp_path) as other, opened(tmp_path, embedder=embedder) as memory:
        entry = memory.add("Owns a loom", infer=False).added[0]
        embedder.meanwhile = lambda: other.delete(entry.id)
        with pytest.raises(EntryClosedError, match="closed by somebody else"):
            memory.update(entry.id, "Owns two looms")
        assert [event.verb for event in memory.history(entry.id)] == ["ADD", "DELETE"]


def test_an_update_during_reembedding_keeps_its_own_vector(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        entry = memory.add("rides a motorbike", infer=False).added[0]
    embedder = Slow(32)
    with (
        opened(tmp_path, embedder=HashingEmbedder(32)) as other,
        opened(tmp_path, embedder=embedder) as memory,
    ):
        embedder.meanwhile = lambda: other.update(entry.id, "drinks green tea")
        memory.reembed()
        hits = memory.search("green tea", layers=["semantic"])
        assert hits[0].content == "drinks green tea"
        assert hits[0].parts["semantic"].score > 0.5


def test_an_import_never_touches_another_users_entry_by_its_id(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        entry = memory.add("Owns a loom", infer=False).added[0]
        lines = [json.loads(line) for line in memory.export_lines()]
        forged = next(line for line in lines if line["type"] == "entry") | {"user_id": "bob"}
        body = {"valid_until": "2025-01-01T00:00:00+00:00"}
        theft = {"id": "forged", "kind": "retracted", "at": "2025-01-01T00:00:00+00:00", "body": body}
        forged["events"] = [{**forged["events"][0], "id": "forged-add"}, theft]
        file = tmp_path / "forged.jsonl"
        file.write_text(json.dumps(forged))
        memory.import_(file, user_id="bob")
        assert memory.get(entry.id) == entry
        theirs = memory.list(all_status=True, user_id="bob").entries
        assert [(one.content, one.status) for one in theirs] == [("Owns a loom", "retracted")]
        assert theirs[0].id != entry.id


def test_a_changed_entry_imported_again_gets_a_new_vector(tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    with opened(tmp_path / "a") as ours, opened(tmp_path / "b") as theirs:
        entry = ours.add("rides a motorbike", infer=False).added[0]
        for text in (None, "drinks green tea"):
            if text:
                ours.update(entry.id, text)
            ours.export(file)
            theirs.import_(file)
        assert theirs.search("green tea", layers=["semantic"])[0].parts["semantic"].score > 0.5


def test_a_window_settled_on_both_sides_can_be_imported(tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    with opened(tmp_path / "a") as ours, opened(tmp_path / "b") as theirs:
        ours.add_dialogue("Ann", "I moved to Oslo.", "2025-01-01T10:00:00Z")
        ours.export(file)
        theirs.import_(file)
        for memory in (ours, theirs):
            memory.finalize()
        ours.export(file)
        assert theirs.import_(file).bad == ()
        assert theirs.doctor().clean


def test_rebuild_folds_and_replaces_in_one_transaction(tmp_path: Path) -> None:
    with opened(tmp_path) as other, opened(tmp_path) as memory:
        for number in range(20):
            (memory if number % 2 else other).add(f"note {number}", infer=False)
            memory.rebuild()
        assert memory.list().total == 20
        assert memory.doctor().clean


def test_turns_that_differ_in_their_pictures_alone_are_two(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        for caption in ("a red boat", "a blue boat"):
            line = {"speaker": "Ann", "text": "", "timestamp": "2025-01-01", "attachments": [caption]}
            assert memory.add_turns([line]).turns == 1


def test_a_closed_memory_says_so(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    memory.close()
    with pytest.raises(UsageError, match="closed: open a new one"):
        memory.list()


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.list(cursor="9" * 30),
        lambda m: m.search("x", top_k=10**12),
        lambda m: m.add("x", importance="high"),
        lambda m: m.add("x", tags=5),
        lambda m: m.add("x", metadata={"a": float("nan")}),
        lambda m: m.add("x", metadata={"a": object()}),
        lambda m: m.add("x", message_id="m" * 600),
        lambda m: m.add_turns(["hi"]),
        lambda m: m.list(user_id="\ud800"),
        lambda m: m.ask("x", max_calls=-1),
        lambda m: m.export("/"),
        lambda m: m.history(m.list().pending[0].id),
    ],
)
def test_odd_arguments_are_a_usage_error_and_never_a_surprise(tmp_path: Path, call: Any) -> None:
    with opened(tmp_path) as memory:
        memory.add_dialogue("Ann", "I sing.")
        with pytest.raises(UsageError):
            call(memory)


def test_an_error_after_journaling_says_that_the_turn_is_kept(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        memory.add("Owns a loom", infer=False)
    with opened(tmp_path, embedder=HashingEmbedder(32), llm=ScriptedLLM([])) as memory:
        with pytest.raises(Exception, match=r"journaled and waits for `meme flush`"):
            memory.add("I own a boat.")
        assert [turn.text for turn in memory.list().pending] == ["I own a boat."]


def test_a_lost_journal_beside_older_indexes_is_told(tmp_path: Path) -> None:
    from meme import Config, EmbeddingConfig, StoreConfig

    embedding = EmbeddingConfig(provider="hashing", dimension=16)
    config = Config(store=StoreConfig(lancedb_path=tmp_path / "m"), embedding=embedding)
    with Meme(config=config) as memory:
        memory.add("Owns a loom", infer=False)
        memory.rebuild()
    for file in (tmp_path / "m").glob("memories.db*"):
        file.unlink()
    with Meme(config=config) as memory:
        assert "restore it from a copy" in memory.doctor().verification.notes[0]

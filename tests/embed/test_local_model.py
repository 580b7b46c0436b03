"""The default model's files: put together from the package, checked, and refused when damaged."""

import asyncio
import hashlib
from pathlib import Path

import pytest

from meme.embed import local
from meme.embed.local import DEFAULT_MODEL, LocalEmbedder, model_folder
from meme.errors import EmbeddingError

FILES = {"model.onnx", "tokenizer.json", "config.json", "tokenizer_config.json", "special_tokens_map.json"}


def test_the_folder_is_assembled_once_with_every_file_as_it_was_measured(tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "cache")
    assert {file.name for file in folder.iterdir()} == FILES
    for file in folder.iterdir():
        assert hashlib.sha256(file.read_bytes()).hexdigest() == local._SHA256[file.name]
    made = {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}
    assert model_folder(tmp_path / "cache") == folder
    assert {file.name: file.stat().st_mtime_ns for file in folder.iterdir()} == made
    assert [one.name for one in (tmp_path / "cache").iterdir()] == [folder.name]


@pytest.mark.parametrize("missing", sorted(FILES - {"model.onnx"}))
def test_a_folder_with_a_file_missing_is_made_anew(tmp_path: Path, missing: str) -> None:
    folder = model_folder(tmp_path)
    (folder / missing).unlink()
    assert {file.name for file in model_folder(tmp_path).iterdir()} == FILES


@pytest.mark.parametrize("damaged", sorted(FILES))
def test_a_damaged_source_file_is_refused_and_nothing_is_left_in_the_cache(
    tmp_path: Path, damaged: str
) -> None:
    whole = model_folder(tmp_path / "elsewhere")
    (whole / damaged).write_bytes((whole / damaged).read_bytes()[:-1])
    with pytest.raises(EmbeddingError, match=damaged):
        model_folder(tmp_path / "cache", source=lambda name: whole / name)
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_file_damaged_in_the_cache_is_found_on_use_and_mended(tmp_path: Path) -> None:
    folder = model_folder(tmp_path)
    (folder / "tokenizer.json").write_text("{}")
    assert (
        hashlib.sha256((model_folder(tmp_path) / "tokenizer.json").read_bytes()).hexdigest()
        == (local._SHA256["tokenizer.json"])
    )


def test_a_cache_that_cannot_be_made_is_an_embedding_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EmbeddingError, match="cannot be put"):
        model_folder(tmp_path / "file" / "cache")


def test_a_model_that_fastembed_does_not_know_is_named(tmp_path: Path) -> None:
    embedder = LocalEmbedder("nobody/knows-this", tmp_path)
    with pytest.raises(EmbeddingError, match="nobody/knows-this"):
        _ = embedder.dimension
    with pytest.raises(EmbeddingError, match="nobody/knows-this"):
        asyncio.run(embedder.embed(["a"]))


def test_the_default_models_id_and_dimension_are_known_without_loading_it(tmp_path: Path) -> None:
    embedder = LocalEmbedder(DEFAULT_MODEL, tmp_path)
    assert (embedder.id, embedder.dimension) == (DEFAULT_MODEL, 384)
    assert list(tmp_path.iterdir()) == []

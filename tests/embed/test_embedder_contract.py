"""Every embedder keeps one promise: n texts in, n unit vectors of its dimension out, the same each time."""

import asyncio
import hashlib
import math
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from embedding_server import body, serving

from meme.embed import Embedder, embed_checked, is_sound
from meme.embed.hashing import HashingEmbedder
from meme.embed.local import DEFAULT_MODEL, LocalEmbedder
from meme.embed.openai import OpenAIEmbedder
from meme.endpoint import Endpoint
from meme.patience import Patience

TEXTS = [
    "Ravi booked a train to Porto.",
    "Mina owns a tandem bicycle.",
    "用户喜欢在周末去爬山",
    "Renée runs the Café Zoë 🎌",
    "?!",
    "x",
    "Ravi took a train. " * 30,
]


def served(request: Mapping[str, Any]) -> tuple[int, Any]:
    """Vectors that depend on the text alone, of the asked dimension."""
    wanted = request.get("dimensions") or 16
    vectors = []
    for text in request["input"]:
        digest = hashlib.blake2b(text.encode(), digest_size=64).digest()
        values = [byte - 127.5 for byte in digest][:wanted]
        norm = math.sqrt(sum(v * v for v in values))
        vectors.append([v / norm for v in values])
    return 200, body(vectors)


def endpoint(url: str, dimension: int | None = None, model: str = "served") -> OpenAIEmbedder:
    server = Endpoint(base_url=url, api_key="sk-secret-1", timeout=10.0)
    return OpenAIEmbedder(server, Patience(0, 4, jitter=lambda: 0.0), model=model, dimension=dimension)


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> LocalEmbedder:
    return LocalEmbedder(DEFAULT_MODEL, tmp_path_factory.mktemp("cache"))


@pytest.fixture(params=["hashing", "hashing of few", "local", "endpoint", "endpoint asked for 8"])
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    if request.param.startswith("hashing"):
        yield HashingEmbedder(8 if "few" in request.param else 384)
    elif request.param == "local":
        yield request.getfixturevalue("local")
    else:
        with serving(served) as url:
            yield endpoint(url, 8 if "asked" in request.param else None)


def run(embedder: Embedder, *batches: list[str]) -> list[list[bytes]]:
    async def running() -> list[list[bytes]]:
        return [await embedder.embed(batch) for batch in batches]

    return asyncio.run(running())


def values(vector: bytes) -> list[float]:
    found = array("f")
    found.frombytes(vector)
    return list(found)


def test_every_text_gets_one_vector_of_the_dimension(embedder: Embedder) -> None:
    (vectors,) = run(embedder, TEXTS)
    assert len(vectors) == len(TEXTS)
    assert embedder.dimension > 0
    assert {len(values(vector)) for vector in vectors} == {embedder.dimension}


def test_every_vector_has_length_one_and_can_be_stored(embedder: Embedder) -> None:
    (vectors,) = run(embedder, TEXTS)
    assert all(is_sound(vector, embedder.dimension) for vector in vectors)
    for vector in vectors:
        assert math.sqrt(sum(v * v for v in values(vector))) == pytest.approx(1.0, abs=1e-3)


def test_the_same_text_gives_the_same_vector_alone_or_among_others(embedder: Embedder) -> None:
    together, again, alone = run(embedder, TEXTS, TEXTS, [TEXTS[1]])
    assert together == again
    dot = sum(a * b for a, b in zip(values(together[1]), values(alone[0]), strict=True))
    assert dot == pytest.approx(1.0, abs=0.02)  # int8 weights: a batch is padded and rounded as one


def test_vectors_come_in_the_order_of_the_texts(embedder: Embedder) -> None:
    forward, backward = run(embedder, TEXTS, TEXTS[::-1])
    for one, other in zip(forward, backward[::-1], strict=True):
        assert sum(a * b for a, b in zip(values(one), values(other), strict=True)) > 0.95


def test_different_texts_give_different_vectors(embedder: Embedder) -> None:
    (vectors,) = run(embedder, TEXTS)
    assert len(set(vectors)) == len(TEXTS)


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert run(embedder, []) == [[]]
    assert asyncio.run(embed_checked(embedder, [])) == []


def test_a_long_text_is_embedded_in_pieces_but_gets_one_vector(embedder: Embedder) -> None:
    long = "The vault phrase is heliotrope. " * 90
    (vector,) = asyncio.run(embed_checked(embedder, [long]))
    assert is_sound(vector, embedder.dimension)
    assert math.sqrt(sum(v * v for v in values(vector))) == pytest.approx(1.0, abs=1e-3)


def test_an_embedder_has_a_name(embedder: Embedder) -> None:
    assert embedder.id.strip()


def test_two_vector_spaces_never_share_an_id(tmp_path: Path) -> None:
    embedders: list[Embedder] = [
        HashingEmbedder(64),
        HashingEmbedder(384),
        LocalEmbedder(DEFAULT_MODEL, tmp_path),
        LocalEmbedder("sentence-transformers/all-MiniLM-L6-v2", tmp_path, dimension=384),
        endpoint("http://127.0.0.1:9/v1", model="text-embedding-3-small"),
        endpoint("http://127.0.0.1:9/v1", 512, model="text-embedding-3-small"),
        endpoint("http://127.0.0.1:9/v1", 256, model="text-embedding-3-small"),
        endpoint("http://127.0.0.1:9/v1", model="text-embedding-3-large"),
    ]
    assert len({embedder.id for embedder in embedders}) == len(embedders)


def test_the_local_model_knows_meaning_not_only_words(local: LocalEmbedder) -> None:
    (vectors,) = run(local, ["Her dog is ill.", "The puppy is sick.", "Interest rates rose in March."])
    near, far = (
        sum(a * b for a, b in zip(values(vectors[0]), values(other), strict=True)) for other in vectors[1:]
    )
    assert near > far + 0.3

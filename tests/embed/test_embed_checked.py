"""What comes back from an embedder is checked before it gets near the store (cases O23, O24)."""

import asyncio
import math
from array import array
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meme.embed import MAX_PIECES, PIECE_CHARS, embed_checked, is_sound, pack, pieces
from meme.errors import AccountError, EmbeddingError, ProviderError, RateLimitError

GOOD = pack([0.6, 0.8, 0.0, 0.0])
BAD = {
    "NaN": pack([math.nan] * 4),
    "one NaN": pack([0.5, math.nan, 0.5, 0.5]),
    "empty": b"",
    "short": pack([0.1, 0.2]),
    "long": pack([0.5] * 5),
    "infinite": pack([math.inf] * 4),
    "infinities of both signs": pack([math.inf, -math.inf, 0.0, 1.0]),
    "zero": pack([0.0] * 4),
    "minus zero": pack([-0.0] * 4),
    "half a number": GOOD[:-1],
}


class Faulty:
    """An embedder that gives `first` in its first call and `then` in every further one."""

    id, dimension = "tests/faulty", 4

    def __init__(
        self, first: Callable[[str], bytes], then: Callable[[str], bytes] | None = None, *, extra: int = 0
    ) -> None:
        self._answers, self._extra = [first, then or first], extra
        self.calls: list[list[str]] = []

    async def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.calls.append(list(texts))
        answer = self._answers[min(len(self.calls), 2) - 1]
        vectors = [answer(text) for text in texts]
        return vectors[: self._extra] if self._extra < 0 else vectors + [GOOD] * self._extra


def checked(embedder: Faulty, texts: Sequence[str]) -> list[bytes]:
    return asyncio.run(embed_checked(embedder, texts))


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_a_vector_that_cannot_be_stored_is_not_sound(bad: bytes) -> None:
    assert not is_sound(bad, 4)
    assert is_sound(GOOD, 4)


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_a_bad_vector_is_asked_for_once_more_and_only_that_one(bad: bytes) -> None:
    embedder = Faulty(lambda text: bad if text == "b" else GOOD, lambda _: GOOD)
    assert checked(embedder, ["a", "b", "c"]) == [GOOD] * 3
    assert embedder.calls == [["a", "b", "c"], ["b"]]


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_one_that_stays_bad_is_owed_and_the_others_are_kept(bad: bytes) -> None:
    embedder = Faulty(lambda text: bad if text == "b" else GOOD)
    assert checked(embedder, ["a", "b", "c"]) == [GOOD, b"", GOOD]
    assert len(embedder.calls) == 2


def test_the_batch_of_case_o23_keeps_what_is_good() -> None:
    first = {"a": GOOD, "b": BAD["NaN"], "c": b"", "d": BAD["short"]}
    assert checked(Faulty(first.__getitem__), ["a", "b", "c", "d"]) == [GOOD, b"", b"", b""]


def test_an_embedder_with_nothing_sound_in_it_is_an_error_that_names_it() -> None:
    with pytest.raises(EmbeddingError, match="tests/faulty"):
        checked(Faulty(lambda _: BAD["infinite"], lambda _: BAD["zero"]), ["a", "b"])


@pytest.mark.parametrize("extra", [-1, 1])
def test_a_wrong_number_of_vectors_is_an_error_since_nobody_knows_whose_they_are(extra: int) -> None:
    with pytest.raises(EmbeddingError, match="3 texts"):
        checked(Faulty(lambda _: GOOD, extra=extra), ["a", "b", "c"])


def test_a_second_answer_that_is_too_short_leaves_no_bad_vector_behind() -> None:
    class Short(Faulty):
        async def embed(self, texts: Sequence[str]) -> list[bytes]:
            found = await super().embed(texts)
            return found if len(self.calls) == 1 else []

    bad = BAD["NaN"]
    assert checked(Short(lambda text: GOOD if text == "a" else bad), ["a", "b"]) == [GOOD, b""]
    with pytest.raises(EmbeddingError):
        checked(Short(lambda _: bad), ["a", "b"])


@pytest.mark.parametrize(
    "error", [RateLimitError("slow", retry_after=7.0), AccountError("no"), EmbeddingError("x")]
)
def test_whatever_keeps_an_embedder_from_its_work_is_one_error(error: ProviderError) -> None:
    class Failing(Faulty):
        async def embed(self, texts: Sequence[str]) -> list[bytes]:
            await super().embed(texts)
            raise error

    with pytest.raises(EmbeddingError) as caught:
        checked(Failing(lambda _: GOOD), ["a"])
    assert (str(caught.value), caught.value.retry_after) == (str(error), error.retry_after)


def test_a_failure_when_asked_once_more_does_not_cost_the_good_ones() -> None:
    class Tired(Faulty):
        async def embed(self, texts: Sequence[str]) -> list[bytes]:
            if self.calls:
                raise RateLimitError("slow down")
            return await super().embed(texts)

    bad = BAD["NaN"]
    assert checked(Tired(lambda text: GOOD if text == "a" else bad), ["a", "b"]) == [GOOD, b""]
    with pytest.raises(EmbeddingError, match="slow down"):
        checked(Tired(lambda _: bad), ["a", "b"])


@pytest.mark.parametrize(("length", "told"), [("short", "2"), ("long", "5")])
def test_vectors_of_another_length_are_named_with_both_numbers(length: str, told: str) -> None:
    with pytest.raises(
        EmbeddingError, match=rf"of {told} numbers where 4 are expected: set embedding\.dimension"
    ):
        checked(Faulty(lambda _: BAD[length]), ["a", "b"])


def test_the_embedders_own_list_is_left_alone() -> None:
    answer = [BAD["zero"], GOOD]

    class Same(Faulty):
        async def embed(self, texts: Sequence[str]) -> list[bytes]:
            self.calls.append(list(texts))
            return answer if len(self.calls) == 1 else [GOOD]

    assert checked(Same(lambda _: GOOD), ["a", "b"]) == [GOOD, GOOD]
    assert answer == [BAD["zero"], GOOD]


def test_a_long_text_is_embedded_in_pieces_and_averaged_to_length_one() -> None:
    long = "a" * PIECE_CHARS + " " + "b" * PIECE_CHARS
    ends = {"a": pack([1.0, 0.0, 0.0, 0.0]), "b": pack([0.0, 1.0, 0.0, 0.0])}
    embedder = Faulty(lambda text: ends[text.strip()[0]])
    short, mean = checked(embedder, ["a", long])
    values = array("f")
    values.frombytes(mean)
    assert short == ends["a"]
    assert len(embedder.calls[0]) >= 3
    assert all(len(piece) <= PIECE_CHARS for piece in embedder.calls[0])
    assert sum(v * v for v in values) == pytest.approx(1.0, abs=1e-6)
    assert values[0] > 0.4
    assert values[1] > 0.4


def test_a_long_text_with_one_bad_piece_is_embedded_from_the_others() -> None:
    long = "a" * PIECE_CHARS + "b" * PIECE_CHARS
    assert checked(Faulty(lambda text: GOOD if text[0] == "a" else BAD["NaN"]), [long]) == [GOOD]


def test_pieces_that_cancel_out_give_no_zero_vector() -> None:
    long = "a" * PIECE_CHARS + "b" * PIECE_CHARS
    minus = pack([-0.6, -0.8, 0.0, 0.0])
    assert checked(Faulty(lambda text: GOOD if text[0] == "a" else minus), [long]) == [b""]


def test_200_kb_cost_no_more_than_a_few_pieces() -> None:
    embedder = Faulty(lambda _: GOOD)
    assert checked(embedder, ["filler words here. " * 10_000]) == [GOOD]
    assert len(embedder.calls[0]) == MAX_PIECES


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=6 * PIECE_CHARS))
def test_pieces_put_together_are_the_text(text: str) -> None:
    cut = pieces(text)
    assert "".join(cut) == text
    assert all(len(piece) <= PIECE_CHARS for piece in cut)


def test_pieces_are_cut_between_words_where_there_are_words() -> None:
    cut = pieces("word " * 1_000)
    assert len(cut) > 1
    assert all(piece.strip().split()[0] == "word" and piece.strip().split()[-1] == "word" for piece in cut)

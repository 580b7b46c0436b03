"""Systems under test behind one protocol, and the table of their names.

Flows in: a `Talk` to remember, `Asked` questions. Flows out: what was built, found and answered. A system
keeps all it has in a folder of its own, so that one opened on that folder again goes on where it stopped.
It never sees a category, a gold answer, evidence or bait; the one that is given evidence (`oracle`) is no
`System`, and says so in its name.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from meme import UsageError
from meme_bench.cases import Asked, Talk
from meme_bench.records import Built, Spent

if TYPE_CHECKING:  # only named in signatures
    from meme import Config

Facts = Literal["extracted", "turns", "observations"]
FACTS: Final[tuple[Facts, ...]] = ("extracted", "turns", "observations")

ORACLE: Final = "oracle"

# Name: the module it is in, and what its entries are made of unless said otherwise ("" where it has none).
_HOMES: Final[dict[str, tuple[str, str]]] = {
    "meme": ("product", "extracted"),
    "bm25": ("baselines", "turns"),
    "dense": ("baselines", "turns"),
    "hybrid": ("baselines", "turns"),
    "full-context": ("baselines", ""),
    "refuse": ("baselines", ""),
    ORACLE: ("baselines", "turns"),
    "mem0": ("mem0", "turns"),
}
SYSTEMS: Final = tuple(_HOMES)
WITHOUT_VECTORS: Final = frozenset(("bm25", "full-context", "refuse"))


@dataclass(frozen=True, slots=True)
class Setting:
    """What a system is made with. `vectors` is a folder of vectors made before, None to make all anew."""

    config: "Config"
    folder: Path
    facts: str
    k: int
    vectors: Path | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found, best first, each hit as the ids of its source turns."""

    hits: tuple[tuple[str, ...], ...]
    spent: dict[str, Spent] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Told:
    """An answer, with the hits that were handed to the answerer, best first, and those it cites.

    `context_tokens` is an estimate: the characters of the texts handed over, divided by 4.
    """

    answer: str
    abstained: bool
    reason: str = ""
    hits: tuple[tuple[str, ...], ...] = ()
    cited: tuple[str, ...] = ()
    spent: dict[str, Spent] = field(default_factory=dict)
    context_tokens: int = 0


class System(Protocol):
    """A memory system with the memory of one conversation."""

    name: str

    def build(self, talk: Talk, /) -> Built:
        """Take in the whole conversation, once. The folder is new and empty."""

    def answer(self, asked: Asked, k: int, /) -> Told:
        """Answer a question; of the hits the best `k` are told."""

    def retrieve(self, asked: Asked, k: int, /) -> Found:
        """The best `k` hits, with no answer. Raises UsageError where the system does not search."""

    def close(self) -> None:
        """Let go of files and connections."""


def facts_of(system: str, facts: str | None) -> str:
    """What the entries of a system are made of: as asked for, else its own way.

    Raises UsageError for an unknown name, and for a way of making entries that the system has not.
    """
    if system not in _HOMES:
        raise UsageError(f"Unknown system {system!r}: use one of {', '.join(SYSTEMS)}.")
    own = _HOMES[system][1]
    if facts is None or facts == own:
        return own
    if facts not in FACTS:
        raise UsageError(f"Unknown facts {facts!r}: use one of {', '.join(FACTS)}.")
    if not own or system == ORACLE or (system == "mem0" and facts == "observations"):
        raise UsageError(f"{system} makes no entries from {facts}: leave --facts out.")
    return facts


def open_system(name: str, setting: Setting) -> System:
    """The system called `name`, on its folder. Nothing is loaded or connected before it is used."""
    made: System = _module(name).open_system(name, setting)
    return made


def check(name: str, setting: Setting, *, answering: bool) -> None:
    """Raise UsageError where the system cannot answer, or search, as it is set: no model, not installed."""
    _module(name).check(name, setting, answering=answering)


def _module(name: str) -> Any:
    if name not in _HOMES:
        raise UsageError(f"Unknown system {name!r}: use one of {', '.join(SYSTEMS)}.")
    return import_module(f"meme_bench.systems.{_HOMES[name][0]}")


def wording(asked: Asked) -> str:
    """A question as every system is asked it: with its day, where the dataset gives one."""
    return f"{asked.text} (asked on {asked.at[:10]})" if asked.at else asked.text


def tokens(texts: Sequence[str]) -> int:
    """About how many tokens some texts are: characters / 4."""
    return sum(map(len, texts)) // 4

"""What a benchmark is made of: conversations, their turns, and questions with what a scorer has to know.

Flows in: nothing. Flows out: frozen nouns. A system is handed a `Talk` and an `Asked`, which hold neither
gold answers nor categories, evidence or bait: these stay with the harness, in `Question`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn. `id` is the dataset's own (LoCoMo: "D1:3"); `said_at` is in the dataset's own words."""

    id: str
    session: str
    speaker: str
    text: str
    said_at: str
    role: str = "user"
    captions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement the dataset's makers had a model write about turns: LoCoMo's "observation"."""

    text: str
    speaker: str
    session: str
    said_at: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation as a system gets it. `facts` are given only where the run is about them."""

    id: str
    turns: tuple[Turn, ...]
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as a system gets it. `at` is when it is asked, where the dataset says so."""

    id: str
    text: str
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what only scorers see.

    `category` is the dataset's own key ("2", "multi-session"). `gold` is None for a question that has no
    answer; `bait` is the wrong answer it tempts with. `evidence` are turn ids that exist.
    """

    asked: Asked
    category: str
    gold: str | None
    evidence: tuple[str, ...] = ()
    bait: str | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A conversation and its questions."""

    talk: Talk
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Dataset:
    """A loaded file. `problems` name every broken item and what was made of it; `sha256` is the file's."""

    name: str
    path: str
    sha256: str
    cases: tuple[Case, ...]
    categories: dict[str, str]
    problems: tuple[str, ...] = ()

"""What a run leaves behind: one JSON object a line, appended and never changed.

Flows in: what systems did. Flows out: lines, and records read back from them. A run file holds everything
that scoring needs, gold answers included, so it is under the licence of its dataset.

    {"type": "run", ...}        once, the first line
    {"type": "built", ...}      once for each conversation, when all of it is in the system
    {"type": "answer", ...}     once for each question
"""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class Spent:
    """What one stage cost. Tokens are 0 where no model was called."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class RunHeader:
    """How a run was made: enough to make it again, and to refuse to mix it with another."""

    system: str
    facts: str
    dataset: str
    dataset_sha256: str
    model: str
    embedder: str
    k: int
    seed: int
    revision: str
    version: str
    started: str
    config: dict[str, Any] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    categories: dict[str, str] = field(default_factory=dict)
    questions: int = 0  # how many are to be asked: fewer in the file is a run that was not finished


@dataclass(frozen=True, slots=True)
class EntryMade:
    """An entry of a system's memory: the turns it rests on, and when it happened, as ISO dates."""

    sources: tuple[str, ...]
    happened: tuple[str, str, str] | None = None  # start, end, precision
    text: str = ""


@dataclass(frozen=True, slots=True)
class Built:
    """What a system made of a conversation. `stored` counts what retrieval chooses from."""

    conversation: str
    turns: int
    stored: int
    entries: tuple[EntryMade, ...] = ()
    spent: dict[str, Spent] = field(default_factory=dict)
    seconds: float = 0.0
    error: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a system answered, with the question and what scorers need of it.

    `hits` are the retrieved items, best first, each as the ids of its source turns. `context_tokens`
    estimates what was handed to the answerer. With an `error` there is no answer, and it counts as wrong.
    """

    conversation: str
    question: str
    category: str
    text: str
    gold: str | None
    evidence: tuple[str, ...]
    bait: str | None
    answer: str = ""
    abstained: bool = False
    reason: str = ""
    hits: tuple[tuple[str, ...], ...] = ()
    cited: tuple[str, ...] = ()
    spent: dict[str, Spent] = field(default_factory=dict)
    context_tokens: int = 0
    seconds: float = 0.0
    error: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """A run file read back."""

    path: str
    header: RunHeader
    built: tuple[Built, ...]
    answers: tuple[Answered, ...]


_KINDS: dict[str, TypeAdapter[Any]] = {
    "run": TypeAdapter(RunHeader),
    "built": TypeAdapter(Built),
    "answer": TypeAdapter(Answered),
}
_NAMES = {RunHeader: "run", Built: "built", Answered: "answer"}


def line(record: RunHeader | Built | Answered) -> str:
    """A record as one line of a run file, without its end. Half an emoji becomes "?"."""
    text = json.dumps({"type": _NAMES[type(record)], **asdict(record)}, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode("utf-8")


def read(path: Path) -> Run:
    """A run file. A last line that a kill cut short is left out; anything else unreadable is an error.

    Raises ValueError that names the line.
    """
    found: dict[str, list[Any]] = {name: [] for name in _KINDS}
    lines = path.read_text(encoding="utf-8").split("\n")
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            data = json.loads(text)
            kind = data.pop("type")
            found[kind].append(_KINDS[kind].validate_python(data))
        except (ValueError, KeyError, AttributeError, TypeError) as error:
            if number == len(lines):  # no line end: it was being written
                continue
            raise ValueError(f"{path}, line {number}: not a line of a run file.") from error
    if len(found["run"]) != 1:
        raise ValueError(f"{path} does not begin with a run's header.")
    return Run(str(path), found["run"][0], tuple(found["built"]), tuple(found["answer"]))

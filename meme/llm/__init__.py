"""Language models behind one method: a Request goes in, a Reply comes out.

A Request carries its task name and typed payload beside the rendered text, so that an
implementation may work from either: a model reads `prompt`, the rules read `payload`.
"""

from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import BaseModel

from meme.records import Usage


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model. `shape` is the pydantic model the reply has to validate against."""

    task: str
    payload: Any
    shape: type[BaseModel]
    system: str = ""
    prompt: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. `text` is the raw reply; `finish` is the provider's finish reason."""

    text: str
    finish: str = "stop"
    model: str = ""
    usage: Usage = field(default_factory=Usage)


class LLM(Protocol):
    """Anything that answers a Request. Raises ProviderError or one of its children."""

    @property
    def model(self) -> str:
        """The name recorded with every change set this model decided."""

    async def complete(self, request: Request) -> Reply:
        """Answer one request."""

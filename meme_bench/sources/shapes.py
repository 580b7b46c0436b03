"""What every source offers, and how the records of foreign files are checked, one by one.

Flows in: what JSON held. Flows out: the record, or None and a line that names it and says what is wrong.
Nothing is converted in silence: a number where a text belongs is a problem.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from meme_bench.cases import Case

Text = str | int | float  # answers are texts, and now and then a number


class Source(Protocol):
    """A module that reads one published format."""

    def fits(self, item: Mapping[str, object], /) -> bool:
        """Whether an object of a file looks like one of this format."""

    def read(self, items: Sequence[object], /) -> tuple[tuple[Case, ...], tuple[str, ...]]:
        """The cases of a file in their order, and its problems."""

    def categories(self, cases: Sequence[Case], /) -> dict[str, str]:
        """The names of the categories by their keys."""


class Shape(BaseModel):
    """A record of a foreign file: the fields that are read, each of exactly its type."""

    model_config = ConfigDict(strict=True, extra="ignore")


S = TypeVar("S", bound=Shape)


def checked(shape: type[S], raw: object, where: str, problems: list[str]) -> S | None:
    """The record, or None with its first fault and `where` it stands added to the problems."""
    try:
        return shape.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        fault = f"`{field}`: {first['msg']}" if field else "not an object"
        problems.append(f"{where}: {fault}; left out")
        return None

"""The embedded default: a table of plain functions answers instead of a model.

It reads a request's payload and never its prompt. The table is built by the configuration
from the stages' own `..._by_rule` functions, so this module knows none of them.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel

from meme.llm import Reply, Request
from meme.records import Usage

Rule = Callable[[Any], BaseModel]


class Rules:
    """Deterministic, needs no key and no network: useful at reduced quality, and honest about it."""

    def __init__(self, table: Mapping[str, Rule]) -> None:
        self._table = dict(table)

    @property
    def model(self) -> str:
        """Always "rules"."""
        return "rules"

    async def complete(self, request: Request) -> Reply:
        """Apply the rule for `request.task`; its value goes out as JSON like any model's."""
        started = time.perf_counter()
        value = self._table[request.task](request.payload)
        text = value.model_dump_json(exclude_defaults=True)
        # No model was called, so a budget of calls is not touched.
        return Reply(text, model=self.model, usage=Usage(seconds=time.perf_counter() - started))

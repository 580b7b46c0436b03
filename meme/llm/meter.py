"""A model with a meter: what each stage cost is counted, and a caller's budget is kept.

Flows in: a model. Flows out: the same one method, with `usage` per task beside it. What failed has
cost its seconds, and what was answered is counted even if nobody can use it. Will not retry.
"""

import time
from dataclasses import replace

from meme.errors import BudgetError
from meme.llm import LLM, Reply, Request
from meme.llm.wrap import Around
from meme.records import Usage, merge_usage


class Metered(Around):
    """An LLM that counts. Raises BudgetError instead of asking once `max_calls` or `tokens` are spent."""

    def __init__(self, llm: LLM, *, max_calls: int | None = None, tokens: int | None = None) -> None:
        super().__init__(llm)
        self._max_calls, self._tokens = max_calls, tokens
        self._running = 0
        self.usage: dict[str, Usage] = {}

    @property
    def tokens(self) -> int:
        """What was spent so far, prompts and completions."""
        return sum(one.prompt_tokens + one.completion_tokens for one in self.usage.values())

    def allows(self, calls: int) -> bool:
        """Whether `calls` more calls fit, those under way and the tokens spent so far considered."""
        made = sum(one.calls for one in self.usage.values()) + self._running
        fits = self._max_calls is None or made + calls <= self._max_calls
        return fits and (self._tokens is None or self.tokens < self._tokens)

    async def complete(self, request: Request) -> Reply:
        """See LLM. Raises BudgetError when no further call fits."""
        if not self.allows(1):
            raise BudgetError(
                f"The budget does not allow another call ({request.task}): raise max_calls or budget_tokens."
            )
        started = time.perf_counter()
        cost = Usage()
        self._running += 1
        try:
            reply = await self._llm.complete(request)
            cost = reply.usage
            return reply
        finally:
            self._running -= 1
            self.count(request.task, replace(cost, seconds=time.perf_counter() - started))

    def count(self, stage: str, usage: Usage) -> None:
        """Add what a stage cost beside the model."""
        self.usage = merge_usage(self.usage, {stage: usage})

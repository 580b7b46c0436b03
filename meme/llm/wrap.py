"""A model around a model: the same one method, and patience.

Flows in: a model and a Patience. Flows out: its replies, with what the empty ones before them cost added.
"""

from dataclasses import replace

from meme.errors import UnavailableError
from meme.llm import LLM, Reply, Request
from meme.patience import Patience
from meme.records import Usage


class Around:
    """What every model around a model has in common: its name, and that it is closed with it."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm

    @property
    def model(self) -> str:
        """See LLM."""
        return self._llm.model

    async def close(self) -> None:
        """Close the model, if it holds anything."""
        close = getattr(self._llm, "close", None)
        if close is not None:
            await close()


class _EmptyReplyError(UnavailableError):
    """An answer without text, which a second try often mends; it carries the reply."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(f"{reply.model} answered without text ({reply.finish}).")
        self.reply = reply


class Retried(Around):
    """An LLM that waits and tries again as its Patience allows, for an empty reply too (case O02).

    When the last try is empty as well, that Reply is returned: reading it says what is wrong. A reply cut
    at the output limit is never asked for again (case O03).
    """

    def __init__(self, llm: LLM, patience: Patience) -> None:
        super().__init__(llm)
        self._patience = patience

    async def complete(self, request: Request) -> Reply:
        """See LLM."""
        spent = Usage()

        async def once() -> Reply:
            nonlocal spent
            reply = await self._llm.complete(request)
            spent += reply.usage
            if reply.text.strip() or reply.finish == "length":
                return reply
            raise _EmptyReplyError(reply)

        try:
            reply = await self._patience.run(once)
        except _EmptyReplyError as last:
            reply = last.reply
        return replace(reply, usage=spent)

"""The options that commands share, and the memory they name.

Flows in: what a person typed. Flows out: an open memory, closed again however the command ends.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from meme_cli import show
from meme_cli.ending import EXIT_INTERRUPTED

if TYPE_CHECKING:  # `meme --help` need not load it
    from meme import Meme


class KindName(StrEnum):
    """What sort of entry it is."""

    semantic = "semantic"
    episodic = "episodic"
    procedural = "procedural"


User = Annotated[str | None, typer.Option("--user", help="Whose memory.", show_default=False)]
Agent = Annotated[str | None, typer.Option("--agent", help="Only this agent's.", show_default=False)]
Session = Annotated[str | None, typer.Option("--session", help="Only this session.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Identity = Annotated[str, typer.Argument(help="Id, or a unique beginning of it.")]


@contextmanager
def memory(user: str | None, agent: str | None, session: str | None) -> "Iterator[Meme]":
    """The memory the options name."""
    from meme import Meme  # noqa: PLC0415 -- `meme --help` needs no library

    given = {"user_id": user, "agent_id": agent, "session_id": session}
    named: Any = {name: value for name, value in given.items() if value is not None}
    with Meme(**named) as opened:
        try:
            yield opened
        except KeyboardInterrupt:
            show.remark("meme: interrupted; what was journaled is kept.")
            raise typer.Exit(EXIT_INTERRUPTED) from None

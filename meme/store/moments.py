"""What stands around a turn: its session, its speaker, the turns beside it; and what an entry rests on.

Flows in: keys that a search found. Flows out: what `read.fuse` weighs them by. The keys were checked against
their scope before; the turns beside one are of its own session.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from meme.language.words import fold
from meme.store.sqlite import Database, Row


@dataclass(frozen=True, slots=True)
class Moment:
    """A turn's place in the talk. `speaker` is folded, to be compared with names in a question."""

    session: str
    speaker: str
    beside: tuple[int, ...]


class Around:
    """Reads what stands around the turns and entries of a journal."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def moments(self, turn_keys: Iterable[int]) -> dict[int, Moment]:
        """The place of each turn, by key."""
        same = "o.user_id = t.user_id AND o.agent_id = t.agent_id AND o.session_id = t.session_id"
        rows = self._db.rows_in(
            "SELECT t.key, t.session_id, t.speaker,"
            f" (SELECT max(o.key) FROM turns o WHERE {same} AND o.key < t.key) AS before,"
            f" (SELECT min(o.key) FROM turns o WHERE {same} AND o.key > t.key) AS after"
            " FROM turns t WHERE t.key IN ({})",
            turn_keys,
        )
        return {row["key"]: _moment(row) for row in rows}

    def sources(self, memory_keys: Iterable[int]) -> dict[int, list[int]]:
        """The turns each entry rests on, by key, oldest first."""
        rows = self._db.rows_in(
            "SELECT memory_key, key FROM sources JOIN turns ON id = turn_id"
            " WHERE memory_key IN ({}) ORDER BY key",
            memory_keys,
        )
        found: dict[int, list[int]] = {}
        for row in rows:
            found.setdefault(row["memory_key"], []).append(row["key"])
        return found


def _moment(row: Row) -> Moment:
    beside = tuple(key for key in (row["before"], row["after"]) if key is not None)
    return Moment(row["session_id"], _folded(row["speaker"]), beside)


_folded = lru_cache(maxsize=1_000)(fold)  # hundreds of turns a search, and few who talk

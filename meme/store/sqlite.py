"""SQLite as the store uses it, and its only home: one connection, transactions, errors mapped once.

Flows in: SQL and values. Flows out: rows, or our own errors that say what to do. WAL with
synchronous=FULL: a committed transaction is on disk (measured with 50 kill -9: none lost).
"""

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from meme.errors import StoreBusyError, StoreError, StoreFormatError

BUSY_SECONDS: Final = 15.0
_WAL_PAGES: Final = 256  # 1 MB of log before it is folded into the file; SQLite's default lets 4 MB lie
_CHUNK: Final = 500  # host parameters per statement, well under SQLite's limit of 32,766

Row = sqlite3.Row


@contextmanager
def _mapped() -> Iterator[None]:
    """SQLite's errors as ours, each saying what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "locked" in text or "busy" in text:
            raise StoreBusyError(
                f"Another process has been writing to the store for {BUSY_SECONDS:.0f} s; try again."
            ) from error
        if "readonly" in text or "read-only" in text:
            raise StoreError("The store is read-only here; check the permissions of its folder.") from error
        if "full" in text:
            raise StoreError("The disk is full: free some space and try again. Nothing was lost.") from error
        raise StoreError(
            f"The journal could not be used ({text}): check that its disk has space and can be written."
        ) from error
    except sqlite3.IntegrityError as error:
        raise StoreError(f"The journal refused a record that is there already: {error}.") from error
    except sqlite3.DatabaseError as error:
        raise StoreFormatError(
            f"The journal is not a readable meme store ({error}): restore a copy, or choose another folder."
        ) from error


class Database:
    """One connection to one file, used on one thread."""

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"The store folder {path.parent} cannot be made: {error.strerror}.") from error
        with _mapped():
            self._db = sqlite3.connect(path, isolation_level=None, timeout=BUSY_SECONDS)
            self._db.row_factory = sqlite3.Row
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.execute(f"PRAGMA wal_autocheckpoint={_WAL_PAGES}")

    def write_ahead(self) -> None:
        """Switch the file to write-ahead logging, where it is not.

        Several processes may do so at once on a new store. SQLite then answers "locked" without waiting,
        whatever the timeout is, so the waiting is done here.
        """
        until = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                self.run("PRAGMA journal_mode=WAL")
                return
            except StoreBusyError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.02)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; takes the write lock at once, so what is read inside stays true."""
        with _mapped():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                if self._db.in_transaction:  # a full disk rolls back by itself
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def checkpoint(self) -> None:
        """Fold the log into the file and empty it, unless somebody else is at work: nothing waits here."""
        with _mapped():
            self._db.execute("PRAGMA busy_timeout=0")
            # A log that cannot be folded now stays as it is; a real fault shows at the next commit.
            with suppress(sqlite3.OperationalError):
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._db.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000:.0f}")

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Several reads of one moment, whatever others write meanwhile."""
        with _mapped():
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                self._db.execute("COMMIT")

    def run(self, sql: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Execute one statement."""
        with _mapped():
            return self._db.execute(sql, values)

    def run_many(self, sql: str, values: Iterable[Sequence[Any]]) -> None:
        """Execute one statement for many values."""
        with _mapped():
            self._db.executemany(sql, values)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """All rows of a query."""
        with _mapped():
            return self._db.execute(sql, values).fetchall()

    def one(self, sql: str, values: Sequence[Any] = ()) -> sqlite3.Row | None:
        """The first row of a query, or None."""
        found = self.rows(sql, values)
        return found[0] if found else None

    def rows_in(self, sql: str, values: Iterable[Any], *, before: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """The rows of `sql`, whose `{}` becomes an IN list, in chunks; an empty list asks nothing."""
        listed, found = list(values), []
        for start in range(0, len(listed), _CHUNK):
            chunk = listed[start : start + _CHUNK]
            marks = ",".join("?" * len(chunk))
            found += self.rows(sql.replace("{}", marks), [*before, *chunk])
        return found

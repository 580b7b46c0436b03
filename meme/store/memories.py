"""Search by meaning: the projection on LanceDB, and its only home (with pyarrow).

Flows in: rows that have a vector. Flows out: keys ranked by cosine. Search is exact, over the
scope alone: an approximate index under a selective filter returned ten rows at recall 0.51 and
said nothing. Nothing here is durable by itself (Lance makes no fsync); the journal is.
"""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from meme.errors import ProjectionError
from meme.store.projection import Probe, Ranked, Row, counted

_POSITION: Final = 0  # the reserved row's key: real keys start at 1
# Search at 1,000 rows takes 3.4, 4.6, 8.3, 255 ms with 1, 10, 32, 1,000 fragments. But a scan runs over
# fragments at once: 100,000 rows take 44 ms in 25 of them and 68 in one, so large ones are let be.
_FRAGMENTS: Final = 16
_LARGE_FRAGMENT: Final = 4_000  # rows
_READERS_GRACE: Final = timedelta(minutes=10)  # younger versions may still be read by others
# The index on users: 100,000 rows of 1,000, 100, 10 users take 4, 13, 103 ms with it, 60-70 without.
_INDEXED_USERS: Final = 50
_INDEXED_ROWS: Final = 5_000


def literal(value: str) -> str:
    """A SQL string literal. Doubling the quote is the only escape needed (21 nasty strings, 5 forms)."""
    return "'" + value.replace("'", "''") + "'"


def _condition(probe: Probe) -> str:
    """The probe's scope and hard conditions as a filter; the one place where one is built."""
    scope = probe.scope
    parts = [f"user_id = {literal(scope.user_id)}"]
    parts += [f"agent_id = {literal(scope.agent_id)}"] if scope.agent_id is not None else []
    parts += [f"session_id = {literal(scope.session_id)}"] if scope.session_id is not None else []
    parts += [f"type = {literal(probe.type)}"] if probe.type else []
    parts += [f"array_has(facets, {literal(facet)})" for facet in probe.required]
    parts += [f'"end" >= {probe.since}'] if probe.since is not None else []
    parts += [f'"start" <= {probe.until}'] if probe.until is not None else []
    return " AND ".join(parts)


class Memories:
    """A LanceDB table. Opening it imports lancedb, which takes seconds: do it only when needed."""

    def __init__(self, folder: str, table: str, dimension: int) -> None:
        # Both must be set before the import: warnings would land on stderr.
        os.environ.setdefault("LANCE_LOG", "error")
        os.environ.setdefault("RUST_LOG", "error")
        import lancedb  # noqa: PLC0415 -- 2 to 3.5 s that only search by meaning should pay

        self._name, self._folder, self._dimension = table, folder, dimension
        self._reached = 0  # the highest position this handle has shown
        try:
            self._db: Any = lancedb.connect(folder)
            self._table = self._open_or_create()
        except (RuntimeError, ValueError, OSError) as error:
            raise ProjectionError(f"The vector table cannot be opened: {error}") from error

    def _open_or_create(self) -> Any:
        import pyarrow as pa  # noqa: PLC0415 -- comes with lancedb

        self._schema = pa.schema(
            [
                pa.field("key", pa.int64(), nullable=False),
                pa.field("stamp", pa.int64(), nullable=False),
                *(pa.field(name, pa.string()) for name in ("type", "user_id", "agent_id", "session_id")),
                pa.field("facets", pa.list_(pa.string())),
                pa.field("start", pa.int32()),
                pa.field("end", pa.int32()),
                pa.field("vector", pa.list_(pa.float32(), self._dimension)),
            ]
        )
        if self._name in self._db.list_tables().tables:
            table = self._db.open_table(self._name)
            if table.schema.field("vector").type.list_size != self._dimension:
                raise ProjectionError("The vector table has another dimension.")
            return table
        # No primary key is declared: it costs 66 KB a commit and guards what the projection lock guards.
        return self._db.create_table(self._name, schema=self._schema)

    def position(self) -> int:
        """See Projection; looks at the disk again, so other processes' commits count."""
        self._reached = 0  # whatever is found now: a table made anew begins below the old one
        self._run(lambda table: table.checkout_latest())
        self._reached = self._run(_position_of)
        return self._reached

    def write(self, rows: Sequence[Row], gone: Sequence[int], position: int) -> None:
        """See Projection. Data and position go in one merge; a delete comes first and alone.

        A crash between the two repeats the batch, and deleting twice is harmless.
        """
        for start in range(0, len(gone), 1000):
            self._delete(gone[start : start + 1000])
        folded = {row.key: row for row in rows if row.vector is not None}
        batch = self._batch(list(folded.values()), position)
        self._run(
            lambda table: (
                table.merge_insert("key")
                .when_matched_update_all()
                .when_not_matched_insert_all()
                .execute(batch)
            )
        )
        self._reached = position

    def _delete(self, keys: Sequence[int]) -> None:
        listed = ",".join(str(key) for key in keys if key != _POSITION)
        if listed:  # `IN ()` is an error
            self._run(lambda table: table.delete(f"key IN ({listed})"))

    def _batch(self, rows: Sequence[Row], position: int) -> Any:
        import numpy as np  # noqa: PLC0415 -- comes with lancedb
        import pyarrow as pa  # noqa: PLC0415 -- comes with lancedb

        # The position row needs a valid vector; its blank user keeps it out of every search.
        blank = np.zeros(self._dimension, dtype="<f4")
        blank[0] = 1.0
        vectors = np.frombuffer(
            b"".join([*(row.vector or b"" for row in rows), blank.tobytes()]), dtype="<f4"
        )
        columns: dict[str, list[Any]] = {
            "key": [*(row.key for row in rows), _POSITION],
            "stamp": [*(row.stamp for row in rows), position],
            "type": [*(row.type for row in rows), "position"],
            "user_id": [*(row.scope.user_id for row in rows), ""],
            "agent_id": [*(row.scope.agent_id or "" for row in rows), ""],
            "session_id": [*(row.scope.session_id or "" for row in rows), ""],
            "facets": [*(list(row.facets) for row in rows), []],
            "start": [*(row.start for row in rows), 0],
            "end": [*(row.end for row in rows), 0],
        }
        arrays = [pa.array(values, self._schema.field(name).type) for name, values in columns.items()]
        arrays.append(pa.FixedSizeListArray.from_arrays(pa.array(vectors, pa.float32()), self._dimension))
        return pa.table(arrays, schema=self._schema)

    def search(self, probe: Probe) -> list[Ranked]:
        """See Projection: exact cosine over the probe's scope."""
        if probe.vector is None:
            return []
        return self.search_many([probe.vector], probe)[0]

    def search_many(self, vectors: Sequence[bytes], probe: Probe) -> list[list[Ranked]]:
        """One ranking per vector in a single scan (40 vectors cost about as much as 4 searches)."""
        import numpy as np  # noqa: PLC0415 -- comes with lancedb

        asked = [np.frombuffer(vector, dtype="<f4") for vector in vectors]
        found = self._run(
            lambda table: (
                table.search(asked if len(asked) > 1 else asked[0], query_type="vector")
                .distance_type("cosine")
                .where(_condition(probe), prefilter=True)
                .select(["key", "_distance"])
                .limit(probe.limit)
                .bypass_vector_index()
                .to_arrow()
            )
        )
        ranked: list[list[Ranked]] = [[] for _ in asked]
        groups = found["query_index"].to_pylist() if len(asked) > 1 else [0] * found.num_rows
        pairs = zip(groups, found["key"].to_pylist(), found["_distance"].to_pylist(), strict=True)
        for group, key, distance in pairs:
            ranked[group].append((key, 1.0 - distance))
        return ranked

    def inventory(self) -> Mapping[int, int]:
        """See Projection."""
        self._run(lambda table: table.checkout_latest())
        total = max(1, self._run(lambda table: table.count_rows()))
        found = self._run(lambda table: table.search().select(["key", "stamp"]).limit(total).to_arrow())
        pairs = zip(found["key"].to_pylist(), found["stamp"].to_pylist(), strict=True)
        return counted((key, stamp) for key, stamp in pairs if key != _POSITION)

    def fragments(self) -> tuple[int, int]:
        """How many pieces the table lies in, and the most it should lie in."""
        stats = self._run(lambda table: table.stats())
        most = _FRAGMENTS + stats["num_rows"] // _LARGE_FRAGMENT
        return int(stats["fragment_stats"]["num_fragments"]), int(most)

    def maintain(self) -> bool:
        """Merge fragments and prune old versions when there are too many; whether it did."""
        found, most = self.fragments()
        if found <= most:
            return False
        if self._wants_index():
            from lancedb.index import Bitmap  # noqa: PLC0415 -- comes with lancedb

            self._run(lambda table: table.create_index("user_id", config=Bitmap()))
        self._run(lambda table: table.optimize(cleanup_older_than=_READERS_GRACE))
        return True

    def _wants_index(self) -> bool:
        """Whether an index on users would pay, and is not there yet."""
        rows = self._run(lambda table: table.count_rows())
        if rows < _INDEXED_ROWS or self._run(lambda table: table.list_indices()):
            return False
        found = self._run(lambda table: table.search().select(["user_id"]).limit(rows).to_arrow())
        return len(found["user_id"].unique()) >= _INDEXED_USERS

    def reset(self) -> None:
        """See Projection: the table's folder is removed, so whatever was wrong with it is gone."""
        self._reached = 0
        shutil.rmtree(Path(self._folder) / f"{self._name}.lance", ignore_errors=True)
        self._table = self._run(lambda _: self._open_or_create())

    def close(self) -> None:
        """Nothing to let go of: handles are closed with the object."""

    def _run(self, call: Callable[[Any], Any]) -> Any:
        """Call into Lance; once more on a new handle when files were cleaned up or made anew under us."""
        try:
            try:
                return call(self._table)
            except (RuntimeError, ValueError, OSError) as error:
                if "not found" not in str(error).lower():
                    raise
                self._table = self._db.open_table(self._name)
                if _position_of(self._table) < self._reached:  # it would answer without what is missing
                    raise ProjectionError("The vector table was made anew; search again.") from error
                return call(self._table)
        except (RuntimeError, ValueError, OSError) as error:
            problem = (str(error).splitlines() or [type(error).__name__])[0][:200]
            raise ProjectionError(f"The vector table failed ({problem}); run `meme rebuild`.") from error


def _position_of(table: Any) -> int:
    found = table.search().where(f"key = {_POSITION}").select(["stamp"]).limit(1).to_list()
    return int(found[0]["stamp"]) if found else 0

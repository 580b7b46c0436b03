"""The journal and its two projections as one store; the only part of `store/` others talk to.

Flows in: commits, and probes for a search. Flows out: acknowledgements and ranked keys. The
protocol: append to the journal (that is the acknowledgement), bring projections up when enough is
pending or when somebody reads, and overlay from the journal what could not be brought up in
time. All methods run on one thread, except `rank`, which may run on any.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from meme.errors import ProjectionError, StoreBusyError
from meme.records import Layer, MemoryEntry, Scope
from meme.store.folders import has_files, remove
from meme.store.in_memory import InMemoryLexicon, InMemoryVectors
from meme.store.journal import Commit, Committed, Journal, scope_head
from meme.store.lexicon import Lexicon
from meme.store.memories import Memories
from meme.store.moments import Around
from meme.store.overlay import Overlay, ranking, widened
from meme.store.projection import NAMES, Name, Probe, Projection, Ranked
from meme.store.sqlite import Database
from meme.store.vectors import check_embedder
from meme.store.verification import Drift, Verification, compared
from meme.store.views import Views

_READER_WAITS: Final = 0.2  # seconds for the projection lock; then the pending rows are overlaid
_REPAIR_WAITS: Final = 60.0  # seconds for the lock where there is no going on without it
_DUE: Final = 512  # pending events at which a writer projects: 75 ms per commit spread over 256 adds
# Pending events up to which a reader overlays rather than projects: to search after every tenth of 1,000
# adds took 73 ms each and left 459 files, when each search projected.
_OVERLAID: Final = 128
_BATCH: Final = 4_000  # events folded into one projection commit


@dataclass(slots=True)
class _Side:
    """One projection: how to open it, where it lies, and what we know of its position."""

    open: Callable[[], Projection]
    folder: Path | None
    projection: Projection | None = None
    position: int = 0
    overlay: Overlay | None = None
    failed: bool = False  # a search met an error: the next reader opens it anew
    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Keep something a person should know, once."""
        if text not in self.notes:
            self.notes.append(text)


class Store:
    """Everything on disk. `projections` replaces the real indexes, for tests."""

    def __init__(
        self,
        folder: Path,
        table: str,
        *,
        store_id: str,
        projections: Mapping[Name, Callable[[], Projection]] | None = None,
    ) -> None:
        self.folder = folder
        self.table = table
        self._db = Database(folder / f"{table}.db")
        self.journal = Journal(self._db, store_id=store_id)
        self.views = Views(self._db)
        self.around = Around(self._db)
        # One thread holds it, so thread-local counting would only leak.
        self._lock = FileLock(str(folder / f"{table}.lock"), thread_local=False)
        lexicon, vectors = folder / f"{table}.lexicon", folder / f"{table}.lance"
        openers = projections or {
            "lexicon": lambda: Lexicon(lexicon),
            "memories": lambda: Memories(str(folder), table, int(self.views.meta("dimension") or 0)),
        }
        self._grown = False  # whether the vector table was written to since it was last looked after
        orphaned = self.views.head() == 0 and (has_files(lexicon) or has_files(vectors))
        self._sides: dict[Name, _Side] = {
            "lexicon": _Side(openers["lexicon"], None if projections else lexicon),
            "memories": _Side(openers["memories"], None if projections else vectors),
        }
        if orphaned:
            self._sides["lexicon"].note(
                f"{folder / table}.db is new or empty beside the indexes of an older store: if it was lost, "
                "restore it from a copy, or import an export."
            )

    def close(self) -> None:
        """Close files. What is pending stays pending: readers catch up."""
        self.maintain()
        for side in self._sides.values():
            if side.projection:
                side.projection.close()
        self._db.close()

    # ------------------------------------------------------------ writing

    def commit(self, commit: Commit) -> Committed:
        """Append to the journal, then project and compact if it is time and nobody else is at it."""
        done = self.journal.commit(commit)
        self._project_if_due()
        self.maintain()
        return done

    def _project_if_due(self) -> None:
        head = self.views.head()
        for name, side in self._sides.items():
            if side.projection and head - side.position >= _DUE:
                try:
                    with self._lock.acquire(timeout=0):
                        self._catch_up(name, head)
                except Timeout:
                    continue  # the holder, or the next reader, brings it up
                except ProjectionError as error:  # what was committed stays committed
                    side.note(f"The {name} index could not be brought up to date: {error}")

    def maintain(self) -> None:
        """Compact the vector table if this process wrote to it and it lies in many pieces.

        Never called by a search. It may fail without harm; then that is noted.
        """
        side = self._sides["memories"]
        if not self._grown or not isinstance(side.projection, Memories):
            return
        try:
            with self._lock.acquire(timeout=0):
                self._grown = False  # whatever comes of it: one try for each write to the table
                side.projection.maintain()
        except Timeout:
            return  # the next commit tries again
        except ProjectionError as error:
            side.note(f"The vector table could not be compacted, and grows: {error}")

    def scope_head(self, scope: Scope) -> int:
        """A number that changes whenever an entry of the scope's user changes."""
        return scope_head(self._db, scope)

    # ------------------------------------------------------------ the embedding model

    def bind_embedder(self, model: str, dimension: int) -> None:
        """Record the embedding model with the first vector; raise EmbedderMismatchError on another one."""
        if self.views.meta("embedder") is None:
            self.journal.claim_meta("embedder", model, dimension=str(dimension))
        self.check_embedder(model, dimension)

    def check_embedder(self, model: str, dimension: int = 0) -> None:
        """See `vectors.check_embedder`."""
        check_embedder(self.views, model, dimension)

    def change_embedder(self, model: str, dimension: int) -> None:
        """Owe every vector anew under another model, and start the vector table afresh."""
        self.journal.owe_vectors(embedder=model, dimension=str(dimension))
        self.restart("memories")

    def restart(self, name: Name) -> None:
        """Throw a projection away; the next reader makes it anew from the journal."""
        side = self._sides[name]
        with self._exclusive():
            if side.projection:
                side.projection.close()
            self._forget(side)
            if side.folder:
                remove(side.folder)

    # ------------------------------------------------------------ reading

    def fresh(self, name: Name, most: int = _OVERLAID) -> Overlay | None:
        """What a search of this projection must overlay; None when it reflects the whole journal.

        Up to `most` pending events are overlaid; more are projected, unless the lock is taken.
        """
        if name == "memories" and self.views.meta("dimension") is None:
            return Overlay(InMemoryVectors())  # no vector was ever stored: nothing to open
        side = self._sides[name]
        if side.failed:
            self._forget(side)
        try:
            return self._brought_up(name, most)
        except ProjectionError:  # broken, or removed by another process, since it was opened
            self._forget(side)
            return self._brought_up(name, most)

    @staticmethod
    def _forget(side: _Side) -> None:
        side.projection, side.position, side.overlay, side.failed = None, 0, None, False

    def _brought_up(self, name: Name, most: int) -> Overlay | None:
        head, side = self.views.head(), self._sides[name]
        if side.projection is None and not (name == "memories" and self._is_young(head, most)):
            self._open(name)
        if head - side.position > most:
            projection = self._projection(name)
            side.position = projection.position()  # another process may have brought it up
            if head - side.position > most:
                # While another holds the lock, what is pending is overlaid, however much it is.
                with suppress(Timeout), self._lock.acquire(timeout=_READER_WAITS):
                    self._catch_up(name, head)
        return self._overlay(name, side.position, head) if side.position != head else None

    def _is_young(self, head: int, most: int) -> bool:
        """Whether all there is can be overlaid: then lancedb, 2 to 3.5 s to import, is not needed yet."""
        folder = self._sides["memories"].folder
        return 0 < head <= most and folder is not None and not folder.exists()

    def _overlay(self, name: Name, position: int, head: int) -> Overlay:
        """The overlay for (position, head], grown from the last one where that began there too."""
        side, known = self._sides[name], self._sides[name].overlay
        if known is None or known.since != position or known.upto > head:
            frequency = side.projection.frequency if isinstance(side.projection, Lexicon) else None
            empty = InMemoryVectors() if name == "memories" else InMemoryLexicon(frequency)
            known = Overlay(empty, since=position, upto=position)
        if known.upto < head:
            memories, turns = self.views.changed(known.upto, head, turns=name == "lexicon")
            rows = tuple(self.views.rows_for(memories, turns))
            known = known.grown(rows, (*memories, *turns), head)
        side.overlay = known
        return known

    def rank(self, layer: Layer, probe: Probe, overlay: Overlay | None) -> list[Ranked]:
        """Keys of one layer, best first. Safe on any thread after `fresh` made the projection."""
        side = self._sides["memories" if layer == "semantic" else "lexicon"]
        try:
            if side.projection is None and overlay is None:  # never read an outage as "no memories"
                raise ProjectionError("The index was closed while it was being searched; try again.")
            found = ranking(side.projection, layer, widened(probe, overlay)) if side.projection else []
        except ProjectionError:
            side.failed = True
            raise
        return overlay.laid_over(found, layer, probe) if overlay else found

    def nearest(self, vectors: Sequence[bytes], probe: Probe) -> list[list[tuple[MemoryEntry, float]]]:
        """For each vector the entries of the probe's scope nearest to it, with their cosine."""
        try:
            ranked = self._nearest(vectors, probe)
        except ProjectionError:  # once more, on an index opened anew
            self._sides["memories"].failed = True
            ranked = self._nearest(vectors, probe)
        found = self.views.memories_by_key({key for one in ranked for key, _ in one}, probe.scope)
        return [[(found[key], score) for key, score in one if key in found] for one in ranked]

    def _nearest(self, vectors: Sequence[bytes], probe: Probe) -> list[list[Ranked]]:
        overlay = self.fresh("memories")
        projection = self._sides["memories"].projection
        probes = [_with_vector(probe, vector) for vector in vectors]
        if isinstance(projection, Memories) and vectors:
            held = projection.search_many(vectors, widened(probe, overlay))  # one scan for all
            if not overlay:
                return held
            return [
                overlay.laid_over(found, "semantic", one) for found, one in zip(held, probes, strict=True)
            ]
        return [self.rank("semantic", one, overlay) for one in probes]

    def containing(self, texts: Sequence[str], probe: Probe) -> list[list[MemoryEntry]]:
        """For each text the entries of the probe's scope that share words with it."""
        overlay = self.fresh("lexicon")
        ranked = [self.rank("lexical", _with_text(probe, text), overlay) for text in texts]
        found = self.views.memories_by_key({key for one in ranked for key, _ in one}, probe.scope)
        return [[found[key] for key, _ in one if key in found] for one in ranked]

    # ------------------------------------------------------------ catching up

    def _projection(self, name: Name) -> Projection:
        found = self._sides[name].projection
        assert found is not None
        return found

    def _open(self, name: Name) -> None:
        """Open a projection; one that cannot be read is set aside and made anew (under the lock)."""
        side = self._sides[name]
        if (side.folder is None or has_files(side.folder)) and self._opens(side) is None:
            return
        with self._exclusive():
            problem = self._opens(side)  # once more: another process may just have made it
            if problem is None:
                return
            if side.folder and side.folder.exists():
                aside = side.folder.with_name(side.folder.name + ".broken")
                remove(aside)
                side.folder.rename(aside)
            side.projection = side.open()
            if side.folder is None:
                side.projection.reset()
            side.position = 0
        side.note(f"The {name} index was rebuilt from the journal: {problem}")

    def _opens(self, side: _Side) -> str | None:
        """Open a side's projection; what is wrong with it, or None."""
        try:
            side.projection = side.open()
            side.position = side.projection.position()
        except ProjectionError as error:
            return str(error)
        return None if side.position <= self.views.head() else "it is ahead of the journal"

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Hold the projection lock; raise StoreBusyError when somebody else keeps it too long."""
        try:
            with self._lock.acquire(timeout=_REPAIR_WAITS):
                yield
        except Timeout as error:
            raise StoreBusyError(
                f"Another process has worked on the search indexes for {_REPAIR_WAITS:.0f} s; try again."
            ) from error

    def _catch_up(self, name: Name, head: int) -> None:
        """Fold what happened up to `head` (not beyond: chasing a moving head livelocks)."""
        side, projection = self._sides[name], self._projection(name)
        side.position = projection.position()  # somebody may have been faster
        while side.position < head:
            upto = min(head, side.position + _BATCH)
            memories, turns = self.views.changed(side.position, upto, turns=name == "lexicon")
            rows = list(self.views.rows_for(memories, turns))
            if name == "memories":
                rows = [row for row in rows if row.vector is not None]
            present = {row.key for row in rows}
            gone = [key for key in memories if key not in present]
            if rows or gone:  # turns alone do not move the vector table
                projection.write(rows, gone, upto)
                self._db.checkpoint()  # little beside the 15 to 75 ms of the line above
                self._grown |= name == "memories"
            side.position, side.overlay = upto, None

    def rebuild(self) -> None:
        """Compute the state and both projections afresh from the journal's events."""
        with self._exclusive():
            self.journal.refold(self.views.folded)
            head = self.views.head()
            for name in self._names():
                side = self._sides[name]
                if side.projection is None:
                    self._open(name)
                self._projection(name).reset()
                self._catch_up(name, head)

    def _names(self) -> Iterable[Name]:
        """The projections that exist: there is no vector table before the first vector."""
        return [name for name in NAMES if name == "lexicon" or self.views.meta("dimension")]

    def verify(self) -> Verification:
        """Compare the state with the events, and each projection with the state, entry by entry."""
        with self._db.snapshot():
            folded, state = self.views.folded(), self.views.state()
        misfolded = sum(folded.get(key) != state.get(key) for key in folded.keys() | state.keys())
        drift: dict[Name, Drift] = {}
        for name in self._names():
            head = self.views.head()
            overlay, held = self._counted(name)
            wanted = self.views.expected(vectors=name == "memories")
            # What others write meanwhile may be in one and not yet in the other.
            later = self.views.changed(head, self.views.head(), turns=name == "lexicon")
            for key in (*(overlay.touched if overlay else ()), *later[0], *later[1]):
                held.pop(key, None)
                wanted.pop(key, None)
            drift[name] = compared(held, wanted)
        self._look_at_pieces()
        return Verification(misfolded, drift, self.views.sizes(), self.views.owed(), self.take_notes())

    def _counted(self, name: Name) -> tuple[Overlay | None, dict[int, int]]:
        """What a projection holds, brought up to date; opened anew where that is needed to count it."""
        overlay = self.fresh(name, most=0)
        try:
            return overlay, dict(self._projection(name).inventory())
        except ProjectionError:
            self._forget(self._sides[name])
            return self.fresh(name, most=0), dict(self._projection(name).inventory())

    def _look_at_pieces(self) -> None:
        """Note a vector table that compaction does not keep up with, whichever process failed at it."""
        side = self._sides["memories"]
        if isinstance(side.projection, Memories):
            found, most = side.projection.fragments()
            if found > 4 * most:
                side.note(f"The vector table lies in {found} pieces, {most} would do: compaction fails.")

    def take_notes(self) -> tuple[str, ...]:
        """What happened since last asked that a person should know (an index was rebuilt)."""
        notes = tuple(note for side in self._sides.values() for note in side.notes)
        for side in self._sides.values():
            side.notes.clear()
        return notes


def _with_vector(probe: Probe, vector: bytes) -> Probe:
    return Probe(probe.scope, probe.limit, vector=vector, type=probe.type)


def _with_text(probe: Probe, text: str) -> Probe:
    return Probe(probe.scope, probe.limit, text=text, type=probe.type)

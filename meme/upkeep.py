"""The memory as a whole: counts and costs, a check of every index entry, new vectors.

Flows in: the store. Flows out: what a person wants to know about its health. `reembed` can be stopped
at any moment and goes on where it was.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from meme.embed import embed_checked
from meme.parts import Parts
from meme.records import STATUSES, Coverage, Scope, Usage, merge_usage
from meme.store.store import Store
from meme.store.verification import Verification

_BATCH: Final = 256  # texts embedded and stored in one step of `reembed`: a kill loses one step


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of one scope, what its models cost so far per stage, and what the store is made with.

    `usage` covers everything asked of a model for this scope: windows, also those that failed, and questions.
    """

    entries: Mapping[str, int]
    turns: int
    pending: int
    failed: int
    changesets: int
    coverage: Coverage
    usage: Mapping[str, Usage]
    users: int
    bytes_on_disk: int
    embedder: str | None
    llm: str


@dataclass(frozen=True, slots=True)
class Checkup:
    """What `doctor` found: journal against indexes, entry by entry, and what still waits."""

    verification: Verification
    pending: int
    failed: tuple[str, ...]
    coverage: Coverage
    embedder: str | None
    folder: str

    @property
    def clean(self) -> bool:
        """Whether nothing needs doing."""
        return self.verification.clean and not self.verification.owed_vectors and not self.failed


def stats(store: Store, scope: Scope, llm: str) -> Stats:
    """Counted from the journal alone."""
    views = store.views
    changesets = views.changesets(scope)
    return Stats(
        entries={status: views.count("memories", scope, f"status = '{status}'") for status in STATUSES},
        turns=views.count("turns", scope),
        pending=views.count("turns", scope, "changeset IS NULL"),
        failed=len(views.failures(scope)),
        changesets=len(changesets),
        coverage=sum((one.coverage for one in changesets), Coverage()),
        usage=merge_usage(*(one.usage for one in changesets), views.spent(scope)),
        users=len(views.users()),
        bytes_on_disk=_bytes_on_disk(store),
        embedder=views.meta("embedder"),
        llm=llm,
    )


def _bytes_on_disk(store: Store) -> int:
    files = (file for part in store.folder.glob(f"{store.table}.*") for file in (part, *part.rglob("*")))
    return sum(file.stat().st_size for file in files if file.is_file())


def checkup(store: Store, scope: Scope) -> Checkup:
    """Brings the indexes up to date, then compares them with the journal."""
    return Checkup(
        verification=store.verify(),
        pending=store.views.count("turns", scope, "changeset IS NULL"),
        failed=tuple(one.reason for one in store.views.failures(scope)),
        coverage=sum((one.coverage for one in store.views.changesets(scope)), Coverage()),
        embedder=store.views.meta("embedder"),
        folder=str(store.folder),
    )


async def reembed(parts: Parts, progress: Callable[[int, int], None] | None = None) -> int:
    """Make every owed vector, all of them after a change of model; how many were made."""
    if not parts.embedder.dimension:  # an endpoint tells its dimension with its first vector
        await embed_checked(parts.embedder, ["dimension"])
    model, dimension = parts.embedder.id, parts.embedder.dimension
    known = await parts.store.do(lambda store: (store.views.meta("embedder"), store.views.meta("dimension")))
    if known != (model, str(dimension)):
        await parts.store.do(lambda store: store.change_embedder(model, dimension))
    owed = await parts.store.do(lambda store: store.views.owed())
    made = 0
    while batch := await parts.store.do(lambda store: store.views.unembedded(_BATCH)):
        vectors = await embed_checked(parts.embedder, [text for _, text in batch])
        paid = {key: vector for (key, _), vector in zip(batch, vectors, strict=True) if vector}
        if not paid:
            break
        await parts.store.do(lambda store, paid=paid: store.journal.pay_vectors(paid))  # type: ignore[misc]
        made += len(paid)
        if progress:
            progress(made, owed)
    if made:
        await parts.store.do(lambda store: store.restart("memories"))
    return made

"""Records as tables for people and as JSON for programs. The JSON's shape is documented in docs/cli.md.

Flows in: records. Flows out: text on stdout (results) or stderr (progress, remarks). Ids are cut to
what tells them apart in practice.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from meme import Hit, MemoryEntry, Recall, render

if TYPE_CHECKING:  # only named in signatures: `meme --help` need not load them
    from meme import (
        Answer,
        Checkup,
        HistoryEvent,
        ImportResult,
        Page,
        Settings,
        Stats,
        Turn,
        Usage,
        WriteResult,
    )

out = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
err = Console(stderr=True, highlight=False)


def plain(value: Any) -> Any:
    """A record as JSON-able data: dataclasses as objects, instants and dates as ISO 8601."""
    if isinstance(value, Recall):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Hit):
        shown = {"type": value.type, "id": value.id, "content": value.content, "score": round(value.score, 6)}
        rest = {"parts": plain(value.parts), "message_ids": list(value.message_ids)}
        return {**shown, **rest, "record": plain(value.record)}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in value]
    if isinstance(value, date | datetime):
        return value.isoformat()
    return str(value) if isinstance(value, Path) else value


def as_json(value: Any) -> None:
    """The value as indented JSON on stdout."""
    sys.stdout.write(json.dumps(plain(value), ensure_ascii=False, indent=2) + "\n")


def remark(text: str) -> None:
    """A line for people on stderr."""
    err.print(escape(text))


def seen(text: str) -> str:
    """Text for a terminal: control characters, which could steer it, are replaced."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)


def _cut(text: str, most: int = 400) -> str:
    """The beginning of a very long text; `get` shows the whole."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"


def short(identity: str) -> str:
    """The start of an id, long enough to be unique in practice: 13 characters hold its millisecond."""
    return identity[:18] if identity[14:15] == "7" else identity[:13]


def _rows(names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table for a person at a terminal; tab-separated lines, without a header, for a pipe."""
    if not rows:
        return
    if not out.is_terminal:
        for row in rows:
            sys.stdout.write("\t".join(" ".join(seen(cell).split()) for cell in row) + "\n")
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in names[:-1]:
        table.add_column(name, no_wrap=True)
    table.add_column(names[-1], overflow="fold")
    for row in rows:
        table.add_row(*(escape(seen(cell)) for cell in row))
    out.print(table)


def _day(moment: datetime | None) -> str:
    return moment.strftime("%Y-%m-%d %H:%M") if moment else ""


def written(result: WriteResult) -> None:
    """What a write did, in one line each; problems go to stderr."""
    for verb, style, entries in (
        ("added", "green", result.added),
        ("updated", "yellow", result.updated),
        ("deleted", "red", result.deleted),
    ):
        for entry in entries[:20]:
            out.print(f"[{style}]{verb}[/] {short(entry.id)}  {escape(seen(_cut(entry.content)))}")
        if len(entries) > 20:
            out.print(f"[{style}]{verb}[/] … and {len(entries) - 20} more")
    counts = {
        "turns": result.turns,
        "known before": result.duplicates,
        "blank": result.blank,
        "added": len(result.added),
        "updated": len(result.updated),
        "deleted": len(result.deleted),
        "unchanged": len(result.unchanged),
        "pending": result.pending,
    }
    out.print(", ".join(f"{count} {name}" for name, count in counts.items() if count) or "nothing to do")
    if result.coverage.required:
        out.print(
            f"coverage {result.coverage.share:.0%} of {result.coverage.required} names, numbers and dates"
        )
    for note in result.notes:
        remark(f"note: {note}")
    _costs({stage: spent for stage, spent in result.usage.items() if spent.calls})
    waiting: dict[str, int] = {}
    for failed in result.failed:
        waiting[failed.reason] = waiting.get(failed.reason, 0) + failed.turns
    for reason, turns in waiting.items():
        remark(f"pending: {turns} turns could not be extracted: {reason}")
    if waiting:
        remark("nothing is lost: `meme flush` tries again")


def imported(result: ImportResult) -> None:
    """What an import did."""
    out.print(f"{result.turns} turns and {result.entries} entries added, {result.known} entries known before")


def recall(found: Recall, *, explain: bool) -> None:
    """Hits as a table; with `explain` each one's score by layer, the plan and the timings."""
    rows = []
    for hit in found:
        text = hit.content + (" (pending turn)" if hit.type == "turn" else "")
        rows.append((short(hit.id), f"{hit.score:.3f}", _said_or_happened(hit.record), text))
        if explain:
            rows.append(("", "", "", _parts(hit)))
    _rows(("id", "score", "when", "text"), rows)
    if not rows:
        out.print("Nothing found.")
    for layer, problem in found.failed.items():
        remark(f"note: {layer} search failed: {problem}")
    for note in found.notes:
        remark(f"note: {note}")
    if explain:
        plan = found.plan
        out.print(f"[dim]plan: {escape(str({k: v for k, v in plain(plan).items() if v}))}[/]")
        steps = ", ".join(f"{step} {seconds * 1000:.1f} ms" for step, seconds in found.timings.items())
        out.print(f"[dim]{steps}[/]")


def _said_or_happened(record: MemoryEntry | Turn) -> str:
    """When it happened, at its precision; else the day it was said."""
    happened = record.happened if isinstance(record, MemoryEntry) else None
    return render(happened) if happened else f"{record.said_at:%Y-%m-%d}"


def _with_status(entry: MemoryEntry) -> str:
    return entry.content if entry.status == "active" else f"{entry.content} ({entry.status})"


def _parts(hit: Hit) -> str:
    return "  ".join(
        f"{layer}: rank {part.rank}, score {part.score:.3f}, adds {part.weight:.3f}"
        for layer, part in hit.parts.items()
    )


def answer(found: Answer, *, explain: bool) -> None:
    """The answer, then what it rests on."""
    if found.abstained:
        out.print(f"[yellow]{escape(found.text)}[/]: {escape(found.reason)}")
    else:
        out.print(f"[bold]{escape(seen(found.text))}[/]")
    cited = {hit.id: hit for hit in found.recall or () if hit.id in found.citations}
    for identity in found.citations:
        hit = cited.get(identity)
        if hit:
            out.print(f"  [dim]{short(identity)}[/]  {escape(seen(_cut(hit.content)))}")
    if explain:
        for step in found.trace:
            out.print(f"[dim]{escape(step)}[/]")
        _costs(found.usage)


def _costs(usage: Mapping[str, Usage]) -> None:
    """What each stage cost: prompt + completion tokens, those of the prompt that were cached."""
    for stage, spent in usage.items():
        tokens = (
            f"{spent.prompt_tokens:,} + {spent.completion_tokens:,} tokens" if spent.calls else "no tokens"
        )
        cached = f" ({spent.cached_tokens:,} cached)" if spent.cached_tokens else ""
        out.print(f"[dim]{stage:<9} {spent.calls} calls, {tokens}{cached}, {spent.seconds:.2f} s[/]")


def record(found: MemoryEntry | Turn) -> None:
    """One entry or turn, field by field."""
    told = [(name, value) for name, value in plain(found).items() if value not in (None, "", [], {})]
    spelled = [(n, v if isinstance(v, str) else json.dumps(v, ensure_ascii=False)) for n, v in told]
    _rows(("field", "value"), spelled)


def page(found: Page, *, limit: int | None) -> None:
    """Entries newest first, then the turns that still wait."""
    rows = [(short(entry.id), _said_or_happened(entry), _with_status(entry)) for entry in found.entries]
    rows += [
        (short(turn.id), f"{turn.said_at:%Y-%m-%d}", f"{turn.content} (pending)") for turn in found.pending
    ]
    _rows(("id", "when", "text"), rows)
    shown = f"{len(found.entries)} of {found.total} entries"
    more = f"; next page: --cursor {found.cursor}" if found.cursor else ""
    remark(f"{shown}{f', {len(found.pending)} pending turns' if found.pending else ''}{more}")
    if limit is None and not found.total and not found.pending:
        remark('nothing is remembered yet; try: meme add "..."')


def history(events: Sequence[HistoryEvent]) -> None:
    """The life of an entry, oldest first."""
    for event in events:
        out.print(f"[dim]{_day(event.at)}[/] [bold]{event.verb}[/] {short(event.memory_id)}")
        if event.before and event.before != event.after:
            out.print(f"    [red]- {escape(seen(_cut(event.before)))}[/]")
        if event.after:
            out.print(f"    [green]+ {escape(seen(_cut(event.after)))}[/]")
        if event.reason:
            out.print(f"    [dim]{escape(event.reason)}[/]")


def stats(found: Stats) -> None:
    """Counts and costs."""
    counted = ", ".join(f"{count} {status}" for status, count in found.entries.items() if count)
    out.print(f"entries   {counted or 'none'}")
    out.print(f"turns     {found.turns} ({found.pending} pending, {found.failed} windows failed)")
    if found.coverage.required:
        out.print(
            f"coverage  {found.coverage.share:.1%} of {found.coverage.required} names, numbers and dates"
        )
    out.print(f"store     {found.bytes_on_disk:,} bytes, {found.users} users")
    out.print(f"models    {found.llm}; vectors by {found.embedder or 'none yet'}")
    _costs(found.usage)


def checkup(found: Checkup) -> None:
    """What is wrong first, then what was compared."""
    verification = found.verification
    for name, drift in verification.drift.items():
        state = "agrees with the journal" if drift.clean else "differs from the journal"
        detail = f"{drift.missing} missing, {drift.stale} stale, {drift.foreign} foreign"
        out.print(f"{name:<9} {state}: {drift.expected} rows" + ("" if drift.clean else f", {detail}"))
    out.print(f"state     {verification.misfolded} entries differ from the fold of their events")
    out.print(f"pending   {found.pending} turns; vectors owed: {verification.owed_vectors}")
    if found.coverage.required:
        out.print(
            f"coverage  {found.coverage.share:.1%} of {found.coverage.required} names, numbers and dates"
        )
    for note in verification.notes:
        remark(f"note: {note}")
    for reason in found.failed:
        remark(f"pending: {reason}")
    if not verification.clean:
        remark("run `meme rebuild` to compute the indexes afresh; the journal holds everything")
    if verification.owed_vectors:
        remark("run `meme reembed` to make the missing vectors")
    out.print("[green]all is well[/]" if found.clean else "[yellow]see above[/]")


def settings(found: Settings) -> None:
    """Every setting with its value and where it came from; secrets are masked by their type."""
    rows = []
    for section, keys in found.config.model_dump(mode="json").items():
        for key, value in keys.items():
            name = f"{section}.{key}"
            shown = str(found.folder) if name == "store.lancedb_path" else str(value)
            rows.append((name, shown, found.origins.get(name, "default")))
    _rows(("setting", "value", "from"), rows)


@contextmanager
def bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on stderr while a person watches; nothing when piped."""
    if not err.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)

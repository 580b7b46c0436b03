"""The commands, each one a facade verb with its result shown.

Flows in: arguments. Flows out: text and exit codes. No logic of its own: what a command does, the
library does as well. Everything heavy is imported by the library when a verb needs it.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from meme import UsageError, __version__
from meme_cli import show
from meme_cli.ending import EXIT_PARTIAL, EXIT_PROVIDER
from meme_cli.options import Agent, Identity, Json, KindName, Session, User, memory

if TYPE_CHECKING:  # `meme --help` need not load it
    from meme import BadLine, WriteResult

app = typer.Typer(
    name="meme",
    help="Long-term memory for AI agents.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
config_app = typer.Typer(help="Settings and where they come from.", no_args_is_help=True)
app.add_typer(config_app, name="config")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"meme {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Long-term memory for AI agents."""


@app.command()
def init(user: User = None, agent: Agent = None, session: Session = None) -> None:
    """Make the memory's folder and a settings file to edit. Doing it twice changes nothing."""
    with memory(user, agent, session) as opened:
        settings = opened.settings
        opened.stats()  # opening the store makes it
    from meme_cli import demo  # noqa: PLC0415 -- `meme --help` needs no library

    target = settings.home / "config.toml"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(demo.CONFIG_TEMPLATE, encoding="utf-8")
    show.out.print(f"memory    {settings.folder}\nsettings  {target}", soft_wrap=True)
    show.out.print('Try: meme add "I moved to Porto in March."  then: meme ask "Where do I live?"')


@app.command("demo")
def run_demo() -> None:
    """Show what meme does, on a packaged dialogue and a store that is thrown away."""
    from meme_cli import demo  # noqa: PLC0415 -- `meme --help` needs no library

    demo.run()


@app.command()
def add(
    text: Annotated[str | None, typer.Argument(help="A fact; with -s, one line of a dialogue.")] = None,
    speaker: Annotated[
        str | None, typer.Option("-s", "--speaker", help="Who said it (journaled at once).")
    ] = None,
    at: Annotated[
        str | None, typer.Option("--at", help="When it was said, e.g. 2025-03-01T09:00:00Z.")
    ] = None,
    role: Annotated[str | None, typer.Option(help="user, assistant, system or tool.")] = None,
    message_id: Annotated[str | None, typer.Option(help="Makes a repeated message recognisable.")] = None,
    file: Annotated[Path | None, typer.Option("-f", "--file", help="JSONL dialogue; - reads stdin.")] = None,
    verbatim: Annotated[bool, typer.Option("--verbatim", help="Keep the text word for word.")] = False,
    kind: Annotated[KindName | None, typer.Option(help="What sort of entry it is.")] = None,
    tags: Annotated[str | None, typer.Option(help="Comma-separated.")] = None,
    importance: Annotated[float | None, typer.Option(help="0 to 1.")] = None,
    json: Json = False,
    user: User = None,
    agent: Agent = None,
    session: Session = None,
) -> None:
    """Remember a fact, one line of a dialogue (-s), or a whole one (--file)."""
    given = [name for name, value in (("a text", text), ("--file", file)) if value is not None]
    if len(given) != 1:
        raise UsageError('Give either a text or --file (for example: meme add "I moved to Porto").')
    fields: dict[str, Any] = {
        "kind": kind.value if kind else None,
        "tags": [tag.strip() for tag in tags.split(",") if tag.strip()] if tags else None,
        "importance": importance,
    }
    single = (speaker, at, role, message_id, verbatim or None, *fields.values())
    if file is not None and any(value is not None for value in single):
        raise UsageError("--file takes none of the options of a single text: each line says its own.")
    bad: tuple[BadLine, ...] = ()
    with memory(user, agent, session) as opened:
        if file is not None:
            with show.bar("windows") as progress:
                result, bad = opened.add_lines(_lines(file), progress=progress)
        elif speaker is not None:
            if any(value is not None for value in fields.values()):
                raise UsageError(
                    "--kind, --tags and --importance are for facts; a line of dialogue has none."
                )
            line = {"speaker": speaker, "text": text, "timestamp": at, "role": role, "message_id": message_id}
            result = opened.add_turns([line], infer=not verbatim)
            if result.blank:
                raise UsageError("The text is blank: say something.")
        else:
            if at is not None or role is not None:
                raise UsageError("--at and --role go with -s SPEAKER.")
            chosen = {name: value for name, value in fields.items() if value is not None}
            result = opened.add(text or "", infer=not verbatim, message_id=message_id, **chosen)
    show.as_json({**show.plain(result), "bad_lines": show.plain(bad)}) if json else show.written(result)
    for one in bad:
        show.remark(f"line {one.number} was left out: {one.problem}")
    if result.failed or bad:
        raise typer.Exit(_exit_for(result))


def _exit_for(result: "WriteResult") -> int:
    """1 for windows that another try may settle, 3 where the account has to be seen to first."""
    return EXIT_PROVIDER if any(one.error == "AccountError" for one in result.failed) else EXIT_PARTIAL


def _lines(path: Path) -> Iterable[str]:
    if str(path) == "-":
        return sys.stdin.buffer.read().decode("utf-8", "replace").split("\n")
    try:
        return path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text (byte {error.start}).") from error


@app.command()
def flush(json: Json = False, user: User = None, agent: Agent = None, session: Session = None) -> None:
    """Extract and reconcile all pending turns now."""
    with memory(user, agent, session) as opened, show.bar("windows") as progress:
        result = opened.finalize(progress=progress)
    show.as_json(result) if json else show.written(result)
    if result.failed:
        raise typer.Exit(_exit_for(result))


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    max_calls: Annotated[int | None, typer.Option(min=1, help="At most so many model calls.")] = None,
    budget_tokens: Annotated[
        int | None, typer.Option(min=1, help="Stop looking after so many tokens.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show every step.")] = False,
    json: Json = False,
    user: User = None,
    agent: Agent = None,
    session: Session = None,
) -> None:
    """Answer a question from the memory, with what the answer rests on."""
    with memory(user, agent, session) as opened:
        found = opened.ask(question, max_calls=max_calls, budget_tokens=budget_tokens)
    show.as_json(found) if json else show.answer(found, explain=explain)


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    top_k: Annotated[int, typer.Option("--top-k", "-k", min=1, help="How many hits.")] = 10,
    layers: Annotated[str | None, typer.Option(help="Some of semantic,lexical,structured.")] = None,
    person: Annotated[
        list[str] | None, typer.Option(help="Only entries about this person; may be repeated.")
    ] = None,
    entity: Annotated[list[str] | None, typer.Option(help="Only entries that name this.")] = None,
    location: Annotated[str | None, typer.Option(help="Only entries at this place.")] = None,
    topic: Annotated[str | None, typer.Option(help="Only entries on this topic.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only entries with this tag.")] = None,
    kind: Annotated[KindName | None, typer.Option(help="Only entries of this kind.")] = None,
    since: Annotated[str | None, typer.Option(help="First day (UTC), e.g. 2025-03-01.")] = None,
    until: Annotated[str | None, typer.Option(help="Last day (UTC), included.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show each hit's score by layer.")] = False,
    json: Json = False,
    user: User = None,
    agent: Agent = None,
    session: Session = None,
) -> None:
    """Find entries, and turns not yet extracted, by meaning, by word and by metadata."""
    conditions: dict[str, Any] = {
        "persons": person,
        "entities": entity,
        "location": location,
        "topic": topic,
        "tags": tag,
        "kind": kind.value if kind else None,
        "since": since,
        "until": until,
    }
    asked: dict[str, Any] = {name: value for name, value in conditions.items() if value is not None}
    chosen: Any = [name.strip() for name in layers.split(",")] if layers is not None else None
    with memory(user, agent, session) as opened:
        found = opened.search(query, top_k=top_k, layers=chosen, **asked)
    show.as_json(found) if json else show.recall(found, explain=explain)


@app.command()
def get(
    identity: Identity, json: Json = False, user: User = None, agent: Agent = None, session: Session = None
) -> None:
    """Show one entry, in any status, or one turn."""
    with memory(user, agent, session) as opened:
        found = opened.get(identity)
    show.as_json(found) if json else show.record(found)


@app.command()
def update(
    identity: Identity,
    text: Annotated[str | None, typer.Argument(help="The new text.")] = None,
    kind: Annotated[KindName | None, typer.Option(help="What sort of entry it is.")] = None,
    tags: Annotated[str | None, typer.Option(help="Comma-separated; replaces the old ones.")] = None,
    importance: Annotated[float | None, typer.Option(help="0 to 1.")] = None,
    json: Json = False,
    user: User = None,
    agent: Agent = None,
    session: Session = None,
) -> None:
    """Change an entry under the same id; its history keeps what it said before."""
    fields: dict[str, Any] = {
        "kind": kind.value if kind else None,
        "tags": [tag.strip() for tag in tags.split(",") if tag.strip()] if tags is not None else None,
        "importance": importance,
    }
    chosen = {name: value for name, value in fields.items() if value is not None}
    with memory(user, agent, session) as opened:
        found = opened.update(identity, text, **chosen)
    show.as_json(found) if json else show.out.print(
        f"updated {show.short(found.id)}  {found.content}", markup=False
    )


@app.command()
def delete(
    identity: Annotated[str | None, typer.Argument(help="Id, or a unique beginning of it.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All entries of --user.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    reason: Annotated[str, typer.Option(help="Why, for the history.")] = "",
    user: User = None,
    agent: Agent = None,
    session: Session = None,
) -> None:
    """Retract an entry, or all of a user's: not found any more, but kept in the history."""
    if everything == (identity is not None):
        raise UsageError("Give either an id or --all.")
    if everything and user is None:
        raise UsageError("--all needs --user: say whose entries are to be deleted.")
    with memory(user, agent, session) as opened:
        if identity is not None:
            gone = opened.delete(identity, reason=reason)
            show.out.print(f"deleted {show.short(gone.id)}  {gone.content}", markup=False)
            return
        total = opened.list(limit=1).total
        if not yes and not typer.confirm(f"Delete all {total} entries of {user}?", err=True):
            raise typer.Exit(EXIT_PARTIAL)
        count = opened.delete_all(user or "", agent_id=agent, reason=reason)
        show.out.print(f"deleted {count} entries of {user}", markup=False)


@app.command()
def history(
    identity: Identity, json: Json = False, user: User = None, agent: Agent = None, session: Session = None
) -> None:
    """Show how an entry came to say what it says, with those it replaced."""
    with memory(user, agent, session) as opened:
        events = opened.history(identity)
    show.as_json(events) if json else show.history(events)


@app.command("list")
def list_entries(
    limit: Annotated[int, typer.Option(min=1, help="Entries per page.")] = 20,
    cursor: Annotated[str | None, typer.Option(help="Go on where a page ended.")] = None,
    all_status: Annotated[
        bool, typer.Option("--all-status", help="Superseded and retracted ones too.")
    ] = False,
    json: Json = False,
    user: User = None,
    agent: Agent = None,
    session: Session = None,
) -> None:
    """List entries, newest first, and the turns that still wait."""
    with memory(user, agent, session) as opened:
        found = opened.list(limit, cursor, all_status=all_status)
    show.as_json(found) if json else show.page(found, limit=None if cursor else limit)


@app.command()
def export(
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The file; stdout without it.")
    ] = None,
    all_users: Annotated[bool, typer.Option("--all-users", help="Everybody's memory.")] = False,
    user: User = None,
    agent: Agent = None,
    session: Session = None,
) -> None:
    """Write the memory as JSONL: entries with their history, and turns."""
    with memory(user, agent, session) as opened:
        if output is None:
            for line in opened.export_lines(all_users=all_users):
                sys.stdout.write(line + "\n")
            return
        count = opened.export(output, all_users=all_users)
    show.remark(f"{count} lines written to {output}")


@app.command("import")
def import_file(
    path: Annotated[Path, typer.Argument(help="An export, or JSONL lines with a text.")],
    all_users: Annotated[bool, typer.Option("--all-users", help="Keep the users the file names.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Load nothing if a line is bad.")] = False,
    json: Json = False,
    user: User = None,
    agent: Agent = None,
    session: Session = None,
) -> None:
    """Take in an export, into the current user. Doing it twice adds nothing."""
    with memory(user, agent, session) as opened:
        result = opened.import_(path, all_users=all_users, strict=strict)
    show.as_json(result) if json else show.imported(result)
    for one in result.bad:
        show.remark(f"line {one.number} was left out: {one.problem}")
    if result.bad:
        raise typer.Exit(EXIT_PARTIAL)


@app.command()
def stats(json: Json = False, user: User = None, agent: Agent = None, session: Session = None) -> None:
    """Count entries and turns, and what models cost so far."""
    with memory(user, agent, session) as opened:
        found = opened.stats()
    show.as_json(found) if json else show.stats(found)


@app.command()
def doctor(json: Json = False, user: User = None, agent: Agent = None, session: Session = None) -> None:
    """Compare the journal with the search indexes, entry by entry."""
    with memory(user, agent, session) as opened:
        found = opened.doctor()
    show.as_json({**show.plain(found), "clean": found.clean}) if json else show.checkup(found)
    if not found.clean:
        raise typer.Exit(EXIT_PARTIAL)


@app.command()
def rebuild(json: Json = False, user: User = None, agent: Agent = None, session: Session = None) -> None:
    """Compute state and search indexes afresh from the journal."""
    with memory(user, agent, session) as opened:
        found = opened.rebuild()
    show.as_json({**show.plain(found), "clean": found.clean}) if json else show.checkup(found)


@app.command()
def reembed(user: User = None, agent: Agent = None, session: Session = None) -> None:
    """Make all vectors with the configured embedder; a stopped run goes on where it was."""
    with memory(user, agent, session) as opened, show.bar("vectors") as progress:
        count = opened.reembed(progress)
    show.out.print(f"{count} vectors made")


@config_app.command("show")
def config_show(json: Json = False, user: User = None, agent: Agent = None, session: Session = None) -> None:
    """Print every setting and where its value came from; secrets are masked."""
    with memory(user, agent, session) as opened:
        settings = opened.settings
    if json:
        values = settings.config.model_dump(mode="json")
        show.as_json({"values": values, "origins": settings.origins, "folder": settings.folder})
    else:
        show.settings(settings)

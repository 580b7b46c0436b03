"""Window in, facts out: one model call, the lossless check, one more call for what it left out.

What still misses after that is kept by code as an entry quoting the sentence, so a careless model
makes entries less pretty but loses nothing. Dates are code's: a date phrase reaches the model with its
meaning, and what a model still writes relative is made absolute. Will not compare with what is known.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from meme.errors import ReplyError, TruncatedError
from meme.language.english.sentences import sentences
from meme.language.times import restate, spot
from meme.language.words import fold
from meme.llm import LLM, Request
from meme.llm.exchange import exchange
from meme.prompts import as_line, render
from meme.records import Coverage, Fact, Happened, Turn, Window
from meme.write.coverage import measure, missing_in
from meme.write.recited import without_recited
from meme.write.shapes import EntryReply, ExtractPayload, ExtractReply, HappenedReply, Line
from meme.write.windows import halves


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a window says. `nothing` maps turn ids that gave no fact to the reason.

    `failed` maps turns that are too long for the model by themselves to the reason: they are not settled.
    """

    facts: tuple[Fact, ...] = ()
    nothing: Mapping[str, str] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)
    coverage: Coverage = Coverage()
    model: str = ""
    prompt: str = ""


@dataclass(frozen=True, slots=True)
class Hearing:
    """How a window is listened to.

    `ignored` are roles whose turns are set-up and not conversation (case O30); `known` are contents of
    entries that may be recited in a turn. `explicit`: a caller handed the text in as a fact, so it is
    neither. `source` is a caller's own prompt.
    """

    ignored: Collection[str] = ("system", "tool")
    known: Collection[str] = ()
    explicit: bool = False
    source: str | None = None


def line_of(ref: str, turn: Turn, *, evidence: bool = True) -> Line:
    """A turn as the extractor sees it."""
    return Line(ref, turn.speaker, turn.text, turn.said_at, turn.role, turn.attachments, evidence)


async def extract(window: Window, llm: LLM, hearing: Hearing = Hearing()) -> Extraction:
    """The facts of a window. Raises ProviderError; TruncatedError where no turn of it can be taken."""
    heard, nothing = _heard(window.turns, hearing)
    if not heard:
        return Extraction(nothing=nothing, model=llm.model)
    context, _ = _heard(window.context, hearing)
    try:
        return await _extract(replace(window, turns=heard, context=context), llm, nothing, hearing)
    except TruncatedError:
        parts = halves(window)
        if parts is None and window.context:  # the turns before it may be what is too long
            return await extract(replace(window, context=()), llm, hearing)
        if parts is None:
            raise
        first, second = [await _half(half, llm, hearing) for half in parts]
    failed = {**first.failed, **second.failed}
    if failed.keys() >= {turn.id for turn in heard}:
        raise TruncatedError(next(iter(failed.values())))
    return Extraction(
        facts=first.facts + second.facts,
        nothing={**first.nothing, **second.nothing},
        failed=failed,
        coverage=first.coverage + second.coverage,
        model=llm.model,
        prompt=first.prompt or second.prompt,
    )


async def _half(window: Window, llm: LLM, hearing: Hearing) -> Extraction:
    """A half whose turns are all too long does not take the other with it."""
    try:
        return await extract(window, llm, hearing)
    except TruncatedError as error:
        return Extraction(failed={turn.id: str(error) for turn in window.turns})


def _heard(turns: Sequence[Turn], hearing: Hearing) -> tuple[tuple[Turn, ...], dict[str, str]]:
    """The turns as they are listened to, and why the others are not."""
    heard: list[Turn] = []
    nothing: dict[str, str] = {}
    for turn in turns:
        text = turn.text if hearing.explicit else without_recited(turn, hearing.known)
        if turn.role in hearing.ignored and not hearing.explicit:
            nothing[turn.id] = f"{turn.role} message"
        elif text or turn.attachments:
            heard.append(replace(turn, text=text))
        else:
            nothing[turn.id] = "recites what is known"
    return tuple(heard), nothing


async def _extract(window: Window, llm: LLM, nothing: Mapping[str, str], hearing: Hearing) -> Extraction:
    context = [line_of(f"c{i}", turn, evidence=False) for i, turn in enumerate(window.context, 1)]
    evidence = [line_of(f"t{i}", turn) for i, turn in enumerate(window.turns, 1)]
    turns = {line.ref: turn for line, turn in zip(evidence, window.turns, strict=True)}
    before = {line.ref: turn for line, turn in zip(context, window.context, strict=True)}
    payload = ExtractPayload((*context, *evidence), explicit=hearing.explicit)
    reply, prompt = await _ask(payload, llm, hearing.source)
    entries, silent = list(reply.entries), {r: why for r, why in reply.nothing.items() if r in turns}
    checked = [_stated(line) if line.ref in silent else line for line in evidence]
    _, missing = measure(checked, [entry.text for entry in entries])
    if missing:
        second = await _ask_again(_again(checked, missing), missing, entries, llm, hearing.source)
        entries += second.entries
        excused = {ref for ref in second.nothing if ref in silent}  # said twice to hold nothing
        checked = [line for line in checked if line.ref not in excused]
        _, missing = measure(checked, [entry.text for entry in entries])
    facts = _facts(entries, turns, before)
    facts += [fact for line in checked if line.ref in missing for fact in _quoting(line, missing, turns)]
    coverage, _ = measure(checked, [fact.content for fact in facts])
    cited = {turn_id for fact in facts for turn_id in fact.sources}
    unused = {
        turn.id: silent.get(ref, "nothing to remember") for ref, turn in turns.items() if turn.id not in cited
    }
    return Extraction(tuple(facts), {**nothing, **unused}, {}, coverage, llm.model, prompt)


def _stated(line: Line) -> Line:
    """A line said to hold nothing, without its questions: these name things and tell nothing of them."""
    told = [sentence for sentence in sentences(line.text) if not sentence.rstrip().endswith(("?", "？"))]
    return replace(line, text=" ".join(told))


async def _ask(payload: ExtractPayload, llm: LLM, source: str | None) -> tuple[ExtractReply, str]:
    missing = ""
    if payload.missing:
        listed = as_line(list(payload.missing))
        missing = f"\nYour first pass left these out. Write the entries that carry them: {listed}"
        if payload.written:
            missing += f"\nIt wrote, and you need not repeat: {as_line(list(payload.written))}"
    days = ["", *(f"{line.said_at:%Y-%m-%d}" for line in payload.lines)]
    turns = "\n".join(
        _quoted(line, day if day != before else "")
        for line, before, day in zip(payload.lines, days, days[1:], strict=False)
    )
    prompt = render("extract", source=source, turns=turns, missing=missing)
    request = Request("extract", payload, ExtractReply, prompt.system, prompt.text)
    return await exchange(llm, request, ExtractReply), prompt.fingerprint


def _again(lines: Sequence[Line], missing: Collection[str]) -> tuple[Line, ...]:
    """The lines that something is missing of, each after the one before it, to be understood."""
    pairs = zip([None, *lines], lines, strict=False)
    shown = [one for before, line in pairs if line.ref in missing for one in (before, line) if one]
    return tuple(replace(line, evidence=line.ref in missing) for line in dict.fromkeys(shown))


async def _ask_again(
    lines: tuple[Line, ...],
    missing: Mapping[str, Sequence[str]],
    entries: Sequence[EntryReply],
    llm: LLM,
    source: str | None,
) -> ExtractReply:
    """The second pass. One that cannot be used is no reason to lose the first: code quotes what misses."""
    asked = tuple(dict.fromkeys(item for items in missing.values() for item in items))
    written = tuple(entry.text for entry in entries if missing.keys() & set(entry.sources))
    try:
        reply, _ = await _ask(ExtractPayload(lines, missing=asked, written=written), llm, source)
    except (ReplyError, TruncatedError):
        return ExtractReply(entries=[])
    return reply


def _quoted(line: Line, day: str) -> str:
    """A turn as one JSON line: nothing inside the text can end it or begin another.

    The day stands where it changes: 40 times the same one would be a tenth of the prompt.
    """
    data: dict[str, object] = {"id": line.ref}
    if day:
        data["said"] = day
    data["speaker"] = line.speaker
    if line.role != "user":
        data["role"] = line.role
    if not line.evidence:
        data["context"] = True
    data["text"] = line.text
    if line.captions:
        data["shares"] = list(line.captions)
    times = {
        one.phrase: _inside(one.absolute)
        for one in spot(line.text, line.said_at)
        if one.relative and one.happened is not None
    }
    if times:
        data["times"] = times
    return as_line(data)


MOST: Final = 20  # entries a turn: a capable model writes one, rules at most nine
LONGEST: Final = 4  # times the window's text: an entry beyond that restates nothing


def _facts(
    entries: Sequence[EntryReply], turns: Mapping[str, Turn], before: Mapping[str, Turn]
) -> list[Fact]:
    """The entries as facts; what rests on turns before the window alone was told with these."""
    facts = []
    entries = entries[: MOST * len(turns) + MOST]
    most = LONGEST * sum(len(turn.text) for turn in turns.values()) + 1_000
    for entry in entries:
        if len(entry.text) > most:
            continue
        named = dict.fromkeys(entry.sources)
        if named and named.keys() <= before.keys():
            continue
        cited = [before[ref] for ref in named if ref in before] + [
            turns[ref] for ref in named if ref in turns
        ]
        cited = cited or list(turns.values())  # a model that names no source rests on the whole window
        facts.append(
            Fact(
                content=_absolute(entry.text.strip(), cited),
                sources=tuple(turn.id for turn in cited),
                said_at=cited[-1].said_at,
                kind=entry.kind,
                keywords=tuple(entry.keywords),
                topic=entry.topic or None,
                persons=tuple(entry.persons),
                entities=tuple(entry.entities),
                location=entry.location or None,
                happened=_happened(entry.happened, cited),
                importance=entry.importance,
                quote=entry.quote,
                language=entry.language,
            )
        )
    return [fact for fact in facts if fact.content]


# What is only understood on the day it is said. "12 June" may be a birthday, and "Christmas" any year's.
_DEICTIC: Final = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|this|ago|earlier|coming|previous)\b", re.IGNORECASE
)


def _absolute(text: str, cited: Sequence[Turn]) -> str:
    """`text` with the relative time it took over from its turns made absolute."""
    if not _DEICTIC.search(text):
        return text
    for turn in cited:
        taken = {fold(one.phrase) for one in spot(turn.text, turn.said_at) if one.relative and one.happened}
        for one in reversed(spot(text, turn.said_at)):
            if fold(one.phrase) in taken and _DEICTIC.search(one.phrase):
                text = text[: one.start] + one.absolute + text[one.end :]
    return text


def _happened(given: HappenedReply | str | None, cited: Sequence[Turn]) -> Happened | None:
    """The dates a model named in words, as its turns' own phrases resolve, else as they read."""
    if not isinstance(given, str):
        return given.record() if given else None
    wanted = _bare(given)
    for turn in cited:
        for one in spot(turn.text, turn.said_at):
            if one.happened and wanted in (_bare(one.phrase), _bare(one.absolute)):
                return one.happened
    found = [one.happened for one in spot(given, cited[-1].said_at) if one.happened]
    return found[0] if len(found) == 1 else None


def _inside(absolute: str) -> str:
    """ "on 7 May 2023" for the "On 7 May 2023" that begins a sentence."""
    return re.sub(r"^(?:On|In|The|Since|From|By|At)\b", lambda word: word[0].lower(), absolute)


def _bare(phrase: str) -> str:
    return re.sub(r"^(?:on|in|since|from|by|at) ", "", fold(phrase).strip())


def _quoting(line: Line, missing: Mapping[str, Sequence[str]], turns: Mapping[str, Turn]) -> list[Fact]:
    """The sentences that hold what two calls left out, each as an entry in the speaker's own words."""
    lost, facts = missing[line.ref], []
    parts = [*sentences(line.text), *(f"(shares {caption})" for caption in line.captions)]
    holding = [said for said in parts if len(missing_in(lost, said, line.said_at)) < len(lost)]
    for said in holding or [line.text]:
        times = [one.happened for one in spot(said, line.said_at) if one.happened]
        facts.append(
            Fact(
                content=f'{line.speaker} said: "{restate(said, line.said_at)}"',
                sources=(turns[line.ref].id,),
                said_at=line.said_at,
                persons=(line.speaker,),
                happened=times[0] if times else None,
                importance=0.3,
                quote=said,
            )
        )
    return facts

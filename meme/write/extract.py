"""Window in, facts out: one model call, the lossless check, one more call for what it left out.

What still misses after that is kept by code as an entry quoting the turn, so a careless model
makes entries less pretty but loses nothing. Will not compare with what is known.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from meme.errors import ReplyError, TruncatedError
from meme.language.times import spot
from meme.llm import LLM, Request
from meme.llm.reader import read
from meme.prompts import render
from meme.records import Coverage, Fact, Happened, Turn, Usage, Window
from meme.write.coverage import measure
from meme.write.shapes import EntryReply, ExtractPayload, ExtractReply, Line
from meme.write.windows import halves

_UNHEARD = ("system", "tool")  # roles whose text is set-up, not conversation (case O30)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a window says. `nothing` maps turn ids that gave no fact to the reason."""

    facts: tuple[Fact, ...] = ()
    nothing: Mapping[str, str] = field(default_factory=dict)
    coverage: Coverage = Coverage()
    usage: Usage = Usage()
    model: str = ""
    prompt: str = ""


def line_of(ref: str, turn: Turn, *, evidence: bool = True) -> Line:
    """A turn as the extractor sees it, its date phrases resolved against the turn's own clock."""
    spotted = spot(turn.text, turn.said_at)
    times = tuple(one.happened for one in spotted if one.happened is not None)
    return Line(ref, turn.speaker, turn.text, turn.said_at, turn.role, turn.attachments, times, evidence)


async def extract(
    window: Window, llm: LLM, *, explicit: bool = False, source: str | None = None
) -> Extraction:
    """The facts of a window. `explicit` says a caller handed the text in as a fact; `source` is a
    caller's own prompt. Raises ProviderError, TruncatedError for a single turn that is too long.
    """
    heard = [turn for turn in window.turns if turn.role not in _UNHEARD]
    nothing = {turn.id: f"{turn.role} message" for turn in window.turns if turn.role in _UNHEARD}
    if not heard:
        return Extraction(nothing=nothing, model=llm.model)
    try:
        return await _extract(
            Window(window.id, window.scope, tuple(heard), window.context), llm, nothing, explicit, source
        )
    except TruncatedError:
        parts = halves(window)
        if parts is None:
            raise
        found = [await extract(half, llm, source=source) for half in parts]
        return _joined(found)


def _joined(parts: Sequence[Extraction]) -> Extraction:
    first, second = parts
    return Extraction(
        facts=first.facts + second.facts,
        nothing={**first.nothing, **second.nothing},
        coverage=first.coverage + second.coverage,
        usage=first.usage + second.usage,
        model=first.model,
        prompt=first.prompt,
    )


async def _extract(
    window: Window, llm: LLM, nothing: Mapping[str, str], explicit: bool, source: str | None
) -> Extraction:
    lines = [line_of(f"c{i}", turn, evidence=False) for i, turn in enumerate(window.context, 1)]
    evidence = [line_of(f"t{i}", turn) for i, turn in enumerate(window.turns, 1)]
    turns = {f"t{i}": turn for i, turn in enumerate(window.turns, 1)}
    first, usage, prompt = await _ask(ExtractPayload((*lines, *evidence), explicit=explicit), llm, source)
    entries = list(first.entries)
    silent = {ref: why for ref, why in first.nothing.items() if ref in turns}
    heard = [line for line in evidence if line.ref not in silent]
    coverage, missing = measure(heard, [entry.text for entry in entries])
    if missing:
        again = tuple(line for line in heard if line.ref in missing)
        asked = tuple(dict.fromkeys(item for line in again for item in missing[line.ref]))
        second, more, _ = await _ask(ExtractPayload(again, missing=asked), llm, source)
        entries += second.entries
        usage += more
        _, missing = measure(heard, [entry.text for entry in entries])
    facts = _facts(entries, turns)
    facts += [_quoting(turns[line.ref], line.times) for line in heard if line.ref in missing]
    coverage, _ = measure(heard, [fact.content for fact in facts])
    cited = {turn_id for fact in facts for turn_id in fact.sources}
    unused = {
        turn.id: silent.get(ref, "nothing to remember") for ref, turn in turns.items() if turn.id not in cited
    }
    return Extraction(tuple(facts), {**nothing, **unused}, coverage, usage, llm.model, prompt)


async def _ask(payload: ExtractPayload, llm: LLM, source: str | None) -> tuple[ExtractReply, Usage, str]:
    """One call, and one more with the problem named when its reply cannot be read."""
    missing = ""
    if payload.missing:
        listed = json.dumps(list(payload.missing), ensure_ascii=False)
        missing = f"An earlier pass left these out; write the entries that carry them: {listed}"
    turns = "\n".join(_quoted(line) for line in payload.lines)
    prompt = render("extract", source=source, turns=turns, missing=missing)
    request = Request("extract", payload, ExtractReply, prompt.system, prompt.text)
    reply = await llm.complete(request)
    try:
        return read(reply, ExtractReply), reply.usage, prompt.fingerprint
    except ReplyError as problem:
        text = f"{prompt.text}\n\nYour last reply could not be used: {problem}\nAnswer with the JSON only."
        second = await llm.complete(Request("extract", payload, ExtractReply, prompt.system, text))
        return read(second, ExtractReply), reply.usage + second.usage, prompt.fingerprint


def _quoted(line: Line) -> str:
    """A turn as one JSON line: nothing inside the text can end it or begin another."""
    data: dict[str, object] = {"id": line.ref, "speaker": line.speaker, "said": line.said_at.isoformat()}
    if line.role != "user":
        data["role"] = line.role
    if not line.evidence:
        data["context"] = True
    data["text"] = line.text
    if line.captions:
        data["shares"] = list(line.captions)
    if line.times:
        data["times"] = {
            time.phrase: [time.start.isoformat(), time.end.isoformat(), time.precision] for time in line.times
        }
    return json.dumps(data, ensure_ascii=False)


def _facts(entries: Sequence[EntryReply], turns: Mapping[str, Turn]) -> list[Fact]:
    facts = []
    for entry in entries:
        cited = [turns[ref] for ref in dict.fromkeys(entry.sources) if ref in turns]
        cited = cited or list(turns.values())  # a model that names no source rests on the whole window
        facts.append(
            Fact(
                content=entry.text.strip(),
                sources=tuple(turn.id for turn in cited),
                said_at=cited[-1].said_at,
                kind=entry.kind,
                keywords=tuple(entry.keywords),
                topic=entry.topic or None,
                persons=tuple(entry.persons),
                entities=tuple(entry.entities),
                location=entry.location or None,
                happened=entry.happened.record() if entry.happened else None,
                importance=entry.importance,
                quote=entry.quote,
                language=entry.language,
            )
        )
    return [fact for fact in facts if fact.content]


def _quoting(turn: Turn, times: Sequence[Happened]) -> Fact:
    """The turn itself as an entry, for what two calls left out."""
    shares = "".join(f" (shares {caption})" for caption in turn.attachments)
    return Fact(
        content=f'{turn.speaker} said: "{turn.text}"{shares}',
        sources=(turn.id,),
        said_at=turn.said_at,
        persons=(turn.speaker,),
        happened=times[0] if times else None,
        importance=0.3,
        quote=turn.text,
    )

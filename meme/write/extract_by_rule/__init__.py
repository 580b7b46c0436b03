"""Extraction in code: the embedded default's answer to the task "extract".

Flows in: the lines of a window. Flows out: one entry for each statement that says something, restated so
that it stands alone, and a reason for each line that gave none. Works sentence by sentence with word tables.
Will not infer, translate, follow instructions in a message, or take what an assistant said for what the user
is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from meme.language import times
from meme.language.english import Antecedent, referents, restate
from meme.language.english.sentences import sentences
from meme.language.english.small_talk import small_talk, without_address, without_fillers
from meme.language.names import keywords, language, numbers, persons, places, proper_names, titles
from meme.language.topics import topic_of
from meme.language.words import fold
from meme.records import Happened, Kind
from meme.write.coverage import missing_in
from meme.write.extract_by_rule import answers, utterances
from meme.write.extract_by_rule.marks import importance_of, kind_of
from meme.write.shapes import EntryReply, ExtractPayload, ExtractReply, HappenedReply, Line

_MERGED = 420  # characters up to which a dependent sentence is joined to the one before it
_KEPT_WHOLE = 600  # characters up to which a turn in another language stays one entry


@dataclass(frozen=True, slots=True)
class _Question:
    """The last question of the turn before, not answered yet."""

    text: str
    line: Line


@dataclass(slots=True)
class _Draft:
    """An entry in the making: restated text, the words it quotes, the lines it rests on."""

    text: str
    quote: str
    sources: list[str]
    happened: Happened | None = None
    importance: float | None = None
    dependent: bool = False
    asking: bool = False
    code: str = "en"


@dataclass(slots=True)
class _Window:
    """What is known while the lines are read one after another."""

    talkers: tuple[str, ...]
    question: _Question | None = None
    last: tuple[str, str] | None = None  # speaker and last sentence of the turn before
    reasons: dict[str, str] = field(default_factory=dict)
    told: set[tuple[str, str]] = field(
        default_factory=set
    )  # questions (ref, text) an entry holds with its answer

    def other(self, speaker: str) -> str | None:
        """Whom `speaker` addresses, where only two talk."""
        rest = [name for name in self.talkers if name != speaker]
        return rest[0] if len(rest) == 1 else None


def extract_by_rule(payload: ExtractPayload) -> ExtractReply:
    """The entries a window gives, and for each evidence line without one the reason why.

    With `payload.missing`, the sentences that hold the missing items, quoted.
    """
    spoken = [line for line in payload.lines if line.role not in utterances.UNHEARD]
    window = _Window(tuple(dict.fromkeys(line.speaker for line in spoken if line.speaker.strip())))
    drafted: list[tuple[_Draft, Line]] = []
    for line in payload.lines:
        if payload.missing:
            drafts = _quoting(line, payload.missing) if line.evidence else []
        else:
            drafts = _line(line, window, explicit=payload.explicit)
        drafted += [(draft, line) for draft in drafts if draft.text.strip() and line.evidence]
    found = [
        _entry(draft, line, window, explicit=payload.explicit)
        for draft, line in drafted
        if not (draft.asking and (line.ref, draft.quote) in window.told)
    ]
    cited = {ref for entry in found for ref in entry.sources}
    nothing = {
        line.ref: window.reasons.get(line.ref, "nothing to remember")
        for line in payload.lines
        if line.evidence and line.ref not in cited
    }
    return ExtractReply(entries=found, nothing=nothing)


def _line(line: Line, window: _Window, *, explicit: bool) -> list[_Draft]:
    """The drafts of one line, and what it leaves for the next."""
    reason = utterances.unheard(line)
    if reason:
        window.reasons[line.ref] = reason
        return []
    code = language(line.text)
    drafts = _foreign(line, code, window) if code != "en" else _english(line, window)
    drafts = _with_captions(line, drafts)
    if explicit and not drafts and line.evidence:
        drafts = [
            _Draft(f'{line.speaker} said: "{_dated(line.text.strip(), line)}"', line.text.strip(), [line.ref])
        ]
    return drafts


def _foreign(line: Line, code: str, window: _Window) -> list[_Draft]:
    """A turn that is not English stays as it was said, with its speaker."""
    window.question = None
    text = line.text.strip()
    pieces = [text] if len(text) <= _KEPT_WHOLE else sentences(text)
    if utterances.foreign_small_talk(text):
        window.reasons[line.ref] = "small talk"
        return []
    return [
        _Draft(f"{line.speaker}: {piece}", piece, [line.ref], _happened(piece, line.said_at), code=code)
        for piece in pieces
    ]


def _english(line: Line, window: _Window) -> list[_Draft]:
    drafts: list[_Draft] = []
    reasons: list[str] = []
    antecedents: list[Antecedent] = _carried(line, window)
    asked, window.question = window.question, None
    pieces = sentences(line.text)
    for raw in pieces:
        reason = _worthless(raw, window.talkers)
        question = answers.asks(raw)
        if question:
            window.question = _Question(raw, line) if utterances.answerable(raw) else window.question
        short = (
            asked is not None
            and asked.line.speaker != line.speaker
            and not drafts
            and utterances.is_reply(raw)
        )
        if reason and not short:
            reasons.append(reason)
            continue
        if asked is not None and asked.line.speaker != line.speaker and not question:
            draft = _answer(raw, asked, line, window, antecedents)
            asked = None if draft and not short else asked
            if draft is None:
                reasons.append(reason or "agreement")
                continue
        else:
            draft = _statement(raw, line, window, antecedents)
        if draft is None:
            reasons.append("question without an answer" if question else "nothing to remember")
            continue
        _append(drafts, draft)
        spoken_of = referents(raw, line.speaker, window.talkers, window.other(line.speaker))
        antecedents = _nearest(spoken_of, antecedents)
    window.last = (line.speaker, pieces[-1]) if pieces else None
    if reasons and not drafts:
        window.reasons[line.ref] = reasons[0] if len(set(reasons)) == 1 else ", ".join(dict.fromkeys(reasons))
    elif not pieces:
        window.reasons[line.ref] = "no words"
    return drafts


def _nearest(new: Sequence[Antecedent], old: Sequence[Antecedent]) -> list[Antecedent]:
    """Whom a pronoun may mean next: the latest sentence's persons, then those it offers no rival to."""
    kept = [a for a in old if not any(a.fits(n.pronoun) or n.fits(a.pronoun) for n in new)]
    return [*new, *kept][:6]


def _carried(line: Line, window: _Window) -> list[Antecedent]:
    """Whom the turn before spoke of in its last sentence: "How is your sister?" "She moved." """
    if window.last is None or window.last[0] == line.speaker:
        return []
    speaker, sentence = window.last
    return list(referents(sentence, speaker, window.talkers, line.speaker))


def _worthless(raw: str, talkers: Sequence[str]) -> str | None:
    """Why a sentence is small talk; None where it is not, or where it names, counts or dates something."""
    called = [*talkers, *proper_names(raw)]
    reason = small_talk(raw, talkers) or small_talk(raw, called)
    if reason is None or reason == "machine message":
        return reason
    rest = without_address(raw, called)
    spoken_to = {fold(name) for name in talkers}
    named = [name for name in proper_names(rest) if not any(k.startswith(fold(name)) for k in spoken_to)]
    return None if named or numbers(rest) or titles(rest) else reason


def _answer(
    raw: str, asked: _Question, line: Line, window: _Window, antecedents: list[Antecedent]
) -> _Draft | None:
    """A sentence that follows the other's question: one entry from both where it says little alone."""
    sources = [asked.line.ref, line.ref] if asked.line.evidence else [line.ref]
    bare = without_address(raw, window.talkers)
    if answers.elliptical(bare):
        if not utterances.informative_reply(asked.text, bare):
            return None
        restated = restate(_dated(bare, line), line.speaker, asked.line.speaker, window.talkers, antecedents)
        question = _dated(without_fillers(asked.text, window.talkers), asked.line)
        text = answers.combined(question, bare, asked.line.speaker, line.speaker, restated)
        happened = _happened(bare, line.said_at) or _happened(asked.text, asked.line.said_at)
        window.told.add((asked.line.ref, asked.text))
        return _Draft(text, raw, sources, happened)
    draft = _statement(raw, line, window, antecedents)
    if draft is None:
        return None
    if draft.dependent:
        question = restate(
            _dated(without_fillers(asked.text, window.talkers), asked.line), asked.line.speaker, line.speaker
        )
        draft.text = f'Asked by {asked.line.speaker} "{question}", {line.speaker} answered: "{draft.text}"'
        draft.dependent = False
        window.told.add((asked.line.ref, asked.text))
    draft.sources = sources
    return draft


def _statement(raw: str, line: Line, window: _Window, antecedents: list[Antecedent]) -> _Draft | None:
    """One sentence restated, or None where it is a question that holds nothing."""
    other = window.other(line.speaker)
    happened = _happened(raw, line.said_at)
    if utterances.commands_the_system(raw):
        return _Draft(f'{line.speaker} wrote: "{raw}"', raw, [line.ref], happened, importance=0.1)
    plain = utterances.without_reminder(without_fillers(utterances.without_bullet(raw), window.talkers))
    if answers.asks(raw):
        if not utterances.holds_facts(plain, window.talkers, happened):
            return None
        text = restate(_dated(plain, line), line.speaker, other, window.talkers, antecedents)
        whom = f" {other}" if other else ""
        return _Draft(
            f'{line.speaker} asked{whom}: "{text}"', raw, [line.ref], happened, importance=0.25, asking=True
        )
    dated = utterances.with_subject(_dated(plain, line))
    text = restate(dated, line.speaker, other, window.talkers, antecedents)
    dependent = utterances.is_dependent(text)
    text = utterances.finished(text)
    if line.role == "assistant":
        verb = "suggested" if utterances.is_advice(plain) else "said"
        starts = text.lower().startswith(line.speaker.lower())
        text = text if starts else f"{line.speaker} {verb}: {text}"
    elif utterances.is_imperative(plain):
        text = f"{line.speaker} said: {text}"
    return _Draft(text, raw, [line.ref], happened, dependent=dependent)


def _append(drafts: list[_Draft], draft: _Draft) -> None:
    """Add a draft; one that leans on the sentence before is joined to it."""
    if draft.dependent and drafts and len(drafts[-1].text) + len(draft.text) < _MERGED:
        last = drafts[-1]
        last.text = utterances.joined(last.text, draft.text)
        last.quote = f"{last.quote} {draft.quote}"
        last.happened = last.happened or draft.happened
        return
    drafts.append(draft)


def _with_captions(line: Line, drafts: list[_Draft]) -> list[_Draft]:
    """Shared images as entries, joined to the sentence that points at them."""
    captions = [utterances.caption(text) for text in line.captions if text.strip()]
    if not captions:
        return drafts
    shown = "; ".join(captions)
    pointing = next(
        (draft for draft in drafts if utterances.points(draft.quote) and not draft.text.endswith('"')), None
    )
    if pointing is not None and len(pointing.text) + len(shown) < _MERGED:
        pointing.text = f"{line.speaker} shared an image ({shown}): {pointing.text}"
        return drafts
    return [
        *drafts,
        *(_Draft(f"{line.speaker} shared an image: {text}.", text, [line.ref]) for text in captions),
    ]


def _quoting(line: Line, missing: Sequence[str]) -> list[_Draft]:
    """The sentences of a line that hold something of `missing`, quoted."""
    drafts: list[_Draft] = []
    for raw in [*sentences(line.text), *line.captions]:
        if len(missing_in(missing, raw, line.said_at)) < len(missing):
            text = f'{line.speaker} said: "{_dated(raw, line)}"'
            drafts.append(_Draft(text, raw, [line.ref], _happened(raw, line.said_at), code=language(raw)))
    return drafts


def _dated(text: str, line: Line) -> str:
    return times.restate(text, line.said_at)


def _happened(text: str, said_at: datetime) -> Happened | None:
    return next((one.happened for one in times.spot(text, said_at) if one.happened is not None), None)


def _entry(draft: _Draft, line: Line, window: _Window, *, explicit: bool) -> EntryReply:
    """A draft with everything an entry carries; a fact handed in needs no "Alice said"."""
    text = draft.text.strip()
    if (
        draft.code == "en"
        and not explicit
        and not utterances.stands_alone(text, window.talkers, draft.happened)
    ):
        text = f"{line.speaker} said: {text}"
    named = [name for name in persons(text, window.talkers) if not _run_together(name, window.talkers)]
    taken = {fold(name) for name in named}
    found = [place for place in places(text) if not any(fold(place) in fold(name) for name in window.talkers)]
    entities = [
        name
        for name in (*titles(draft.quote), *proper_names(text))
        if fold(name) not in taken and not _run_together(name, window.talkers)
    ]
    kind = kind_of(draft.quote, draft.happened)
    happened = draft.happened
    return EntryReply(
        text=text,
        keywords=list(keywords(_unnamed(text, window.talkers))),
        persons=named,
        entities=list(dict.fromkeys(entities)),
        location=found[0] if found else None,
        topic=topic_of(text),
        happened=HappenedReply(
            start=happened.start, end=happened.end, precision=happened.precision, phrase=happened.phrase
        )
        if happened
        else None,
        kind=kind,
        importance=_importance(draft, line, kind),
        sources=list(dict.fromkeys(draft.sources)),
        quote=draft.quote,
        language=draft.code,
    )


def _importance(draft: _Draft, line: Line, kind: Kind) -> float:
    """What an assistant says of its user weighs little: the user said it, or should have."""
    weight = importance_of(draft.quote, kind) if draft.importance is None else draft.importance
    return min(weight, 0.35) if line.role == "assistant" else weight


def _run_together(name: str, talkers: Sequence[str]) -> bool:
    """Whether a "name" is two talkers side by side: "tell Maria John moved"."""
    parts = fold(name).split()
    return len(parts) > 1 and set(parts) <= {fold(talker) for talker in talkers}


def _unnamed(text: str, talkers: Sequence[str]) -> str:
    for name in talkers:
        text = text.replace(f"{name}'s", " , ").replace(name, " , ")
    return text

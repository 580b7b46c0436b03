"""Extraction in code: the embedded default's answer to the task "extract".

Flows in: the lines of a window. Flows out: one entry for each statement that says something, restated so
that it stands alone, and a reason for each line that gave none. Works sentence by sentence with word tables.
Will not infer, translate, follow instructions in a message, or take what an assistant said for what the user
is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from meme.language import times
from meme.language.english import Antecedent, referents, restate
from meme.language.english.sentences import sentences
from meme.language.english.small_talk import courtesy, small_talk, without_address, without_fillers
from meme.language.names import language, numbers, persons, proper_names, titles
from meme.language.words import fold
from meme.records import Happened
from meme.write.coverage import missing_in
from meme.write.extract_by_rule import answers, utterances
from meme.write.extract_by_rule.compound import clauses
from meme.write.extract_by_rule.corrections import corrected
from meme.write.extract_by_rule.drafts import Draft, entry
from meme.write.shapes import ExtractPayload, ExtractReply, Line

_MERGED = 420  # characters up to which a dependent sentence is joined to the one before it
_KEPT_WHOLE = 600  # characters up to which a turn in another language stays one entry


@dataclass(frozen=True, slots=True)
class _Question:
    """The last question of the turn before, not answered yet."""

    text: str
    line: Line


@dataclass(slots=True)
class _Window:
    """What is known while the lines are read one after another."""

    talkers: tuple[str, ...]
    people: tuple[str, ...] = ()  # others that some line of the window shows to be persons
    days: list[date] = field(default_factory=list)  # single days named so far, in order
    question: _Question | None = None
    last: tuple[str, str] | None = None  # speaker and last sentence of the turn before
    reasons: dict[str, str] = field(default_factory=dict)
    # Questions (ref, text) an entry holds with its answer.
    told: set[tuple[str, str]] = field(default_factory=set)

    def other(self, speaker: str) -> str | None:
        """Whom `speaker` addresses, where only two talk."""
        rest = [name for name in self.talkers if name != speaker]
        return rest[0] if len(rest) == 1 else None

    def known(self, sentence: str) -> list[str]:
        """Those who talk, and the other persons `sentence` names."""
        return [*self.talkers, *(name for name in self.people if name in sentence)]


def extract_by_rule(payload: ExtractPayload) -> ExtractReply:
    """The entries a window gives, and for each evidence line without one the reason why.

    With `payload.missing`, the sentences that hold the missing items, quoted.
    """
    lines = payload.lines
    window = _Window(tuple(dict.fromkeys(line.speaker for line in lines if line.speaker.strip())))
    window.people = _people(lines, window.talkers)
    drafted: list[tuple[Draft, Line]] = []
    for line in lines:
        drafts = _line(line, window, explicit=payload.explicit)
        if payload.missing:  # a line that gives nothing gives no quotation either
            drafts = _quoting(line, payload.missing) if drafts and line.evidence else []
        drafted += [(draft, line) for draft in drafts if draft.text.strip() and line.evidence]
    found = [
        entry(draft, line, window.talkers, window.people, explicit=payload.explicit)
        for draft, line in drafted
        if not (draft.asking and (line.ref, draft.quote) in window.told)
    ]
    cited = {ref for one in found for ref in one.sources}
    nothing = {
        line.ref: window.reasons.get(line.ref, "nothing to remember")
        for line in lines
        if line.evidence and line.ref not in cited
    }
    return ExtractReply(entries=found, nothing=nothing)


def _people(lines: Sequence[Line], talkers: Sequence[str]) -> tuple[str, ...]:
    """The persons named anywhere in the window besides its talkers: "Edie" after "my niece Edie"."""
    spoken = {fold(name) for name in talkers}
    found = (name for line in lines for name in persons(line.text) if fold(name) not in spoken)
    return tuple(dict.fromkeys(found))


def _line(line: Line, window: _Window, *, explicit: bool) -> list[Draft]:
    """The drafts of one line, and what it leaves for the next."""
    code = language(line.text)
    drafts = _foreign(line, code, window) if code != "en" else _english(line, window)
    drafts = _with_captions(line, drafts)
    if explicit and not drafts and line.evidence:
        drafts = [
            Draft(f'{line.speaker} said: "{_dated(line.text.strip(), line)}"', line.text.strip(), [line.ref])
        ]
    return drafts


def _foreign(line: Line, code: str, window: _Window) -> list[Draft]:
    """A turn that is not English stays as it was said, with its speaker."""
    window.question = None
    text = line.text.strip()
    pieces = [text] if len(text) <= _KEPT_WHOLE else sentences(text)
    if utterances.foreign_small_talk(text):
        window.reasons[line.ref] = "small talk"
        return []
    return [
        Draft(f"{line.speaker}: {piece}", piece, [line.ref], _happened(piece, line.said_at), code=code)
        for piece in pieces
    ]


def _english(line: Line, window: _Window) -> list[Draft]:
    drafts: list[Draft] = []
    reasons: list[str] = []
    antecedents: list[Antecedent] = _carried(line, window)
    asked, window.question = window.question, None
    pieces = [clause for sentence in sentences(line.text) for clause in clauses(sentence)]
    for raw in pieces:
        reason = _worthless(raw, window.talkers) or _echo(raw, asked, window.talkers)
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
            # After a bare "yes" what follows still belongs to the question, if it leans on it.
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
        if draft.happened and draft.happened.precision == "day":
            window.days.append(draft.happened.start)
        spoken_of = referents(raw, line.speaker, window.known(raw), window.other(line.speaker))
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
    return list(referents(sentence, speaker, window.known(sentence), line.speaker))


def _worthless(raw: str, talkers: Sequence[str]) -> str | None:
    """Why a sentence is small talk; None where it is not, or where it names, counts or dates something."""
    called = [*talkers, *proper_names(raw)]
    if polite := courtesy(raw, talkers):
        return polite
    reason = small_talk(raw, talkers) or small_talk(raw, called)
    if reason is None or reason == "machine message":
        return reason
    rest = without_address(raw, called)
    spoken_to = {fold(name) for name in talkers}
    named = [name for name in proper_names(rest) if not any(k.startswith(fold(name)) for k in spoken_to)]
    return None if named or numbers(rest) or titles(rest) else reason


def _echo(raw: str, asked: _Question | None, talkers: Sequence[str]) -> str | None:
    """Why a sentence only echoes the other: "A lemon tree!" answers nothing and names nothing."""
    bare = without_address(raw, talkers)
    if asked is not None or not utterances.is_echo(bare):
        return None
    left = bare.strip(" !")
    for name in proper_names(bare):
        left = left.replace(name, "")
    if left.strip().lower() in {"", "and"}:
        return "exclamation"
    return None if proper_names(raw) or numbers(raw) or titles(raw) else "exclamation"


def _answer(
    raw: str, asked: _Question, line: Line, window: _Window, antecedents: list[Antecedent]
) -> Draft | None:
    """A sentence that follows the other's question: one entry from both where it says little alone."""
    sources = [asked.line.ref, line.ref] if asked.line.evidence else [line.ref]
    bare = without_address(raw, window.talkers)
    if answers.elliptical(bare):
        if not utterances.informative_reply(asked.text, bare):
            return None
        restated = restate(
            _dated(bare, line), line.speaker, asked.line.speaker, window.known(bare), antecedents
        )
        question = _dated(without_fillers(asked.text, window.talkers), asked.line)
        text = answers.combined(question, bare, asked.line.speaker, line.speaker, restated)
        happened = _happened(bare, line.said_at) or _happened(asked.text, asked.line.said_at)
        window.told.add((asked.line.ref, asked.text))
        return Draft(text, raw, sources, happened, answers=True)
    draft = _statement(raw, line, window, antecedents)
    if draft is None:
        return None
    if draft.dependent and (asked.line.ref, asked.text) not in window.told:
        question = restate(
            _dated(without_fillers(asked.text, window.talkers), asked.line), asked.line.speaker, line.speaker
        )
        reply = answers.with_yes_or_no(draft.text, bare)
        draft.text = f'Asked by {asked.line.speaker} "{question}", {line.speaker} answered: "{reply}"'
        draft.dependent, draft.answers = False, True
        window.told.add((asked.line.ref, asked.text))
    elif all(name in draft.text for name in proper_names(asked.text)) and not numbers(asked.text):
        window.told.add((asked.line.ref, asked.text))
    draft.sources = sources
    return draft


def _statement(raw: str, line: Line, window: _Window, antecedents: list[Antecedent]) -> Draft | None:
    """One sentence restated, or None where it is a question that holds nothing."""
    other = window.other(line.speaker)
    happened = _happened(raw, line.said_at)
    meant = corrected(raw, window.days) if happened is None else None
    quote, (raw, happened) = raw, meant or (raw, happened)
    if utterances.commands_the_system(raw):
        return Draft(f'{line.speaker} wrote: "{raw}"', quote, [line.ref], happened, importance=0.1)
    plain = utterances.without_reminder(without_fillers(utterances.without_bullet(raw), window.talkers))
    if answers.asks(raw):
        if not utterances.holds_facts(plain, window.talkers, happened):
            return None
        text = restate(_dated(plain, line), line.speaker, other, window.known(raw), antecedents)
        whom = f" {other}" if other else ""
        return Draft(
            f'{line.speaker} asked{whom}: "{text}"', quote, [line.ref], happened, importance=0.25, asking=True
        )
    dated = utterances.with_subject(_dated(plain, line))
    text = restate(dated, line.speaker, other, window.known(raw), antecedents)
    dependent = utterances.is_dependent(text)
    if meant is not None and dependent:
        text, dependent = f"{line.speaker} meant {text}", False
    text = utterances.finished(text)
    if line.role == "assistant":
        verb = "suggested" if utterances.is_advice(plain) else "said"
        starts = text.lower().startswith(line.speaker.lower())
        text = text if starts else f"{line.speaker} {verb}: {text}"
    elif utterances.is_imperative(plain):
        text = f"{line.speaker} said: {text}"
    return Draft(text, quote, [line.ref], happened, dependent=dependent)


def _append(drafts: list[Draft], draft: Draft) -> None:
    """Add a draft; one that leans on the sentence before is joined to it."""
    if draft.dependent and drafts and len(drafts[-1].text) + len(draft.text) < _MERGED:
        last = drafts[-1]
        last.text = utterances.joined(last.text, draft.text)
        last.quote = f"{last.quote} {draft.quote}"
        last.sources += draft.sources
        last.happened = last.happened or draft.happened
        return
    drafts.append(draft)


def _with_captions(line: Line, drafts: list[Draft]) -> list[Draft]:
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
        *(Draft(f"{line.speaker} shared an image: {text}.", text, [line.ref]) for text in captions),
    ]


def _quoting(line: Line, missing: Sequence[str]) -> list[Draft]:
    """The sentences of a line that hold something of `missing`, quoted."""
    drafts: list[Draft] = []
    for raw in [*sentences(line.text), *line.captions]:
        if len(missing_in(missing, raw, line.said_at)) < len(missing):
            text = f'{line.speaker} said: "{_dated(raw, line)}"'
            drafts.append(Draft(text, raw, [line.ref], _happened(raw, line.said_at), code=language(raw)))
    return drafts


def _dated(text: str, line: Line) -> str:
    return times.restate(text, line.said_at)


def _happened(text: str, said_at: datetime) -> Happened | None:
    return next((one.happened for one in times.spot(text, said_at) if one.happened is not None), None)

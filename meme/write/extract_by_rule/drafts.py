"""Entries in the making, and the entries they become.

Flows in: a draft with its line, who talks and who else is known to be a person. Flows out: an entry with its
persons, entities, place, topic, kind and importance. Will not change what the draft says beyond naming its
speaker.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from meme.language.names import keywords, persons, places, proper_names, titles
from meme.language.topics import topic_of
from meme.language.words import fold
from meme.records import Happened, Kind
from meme.write.extract_by_rule import utterances
from meme.write.extract_by_rule.marks import importance_of, is_organisation, kind_of
from meme.write.shapes import EntryReply, HappenedReply, Line


@dataclass(slots=True)
class Draft:
    """An entry in the making: restated text, the words it quotes, the lines it rests on.

    `answers` marks a question quoted with its answer; `asking` a question that has none yet.
    """

    text: str
    quote: str
    sources: list[str]
    happened: Happened | None = None
    importance: float | None = None
    dependent: bool = False
    asking: bool = False
    answers: bool = False
    code: str = "en"


def entry(
    draft: Draft, line: Line, talkers: Sequence[str], people: Sequence[str], *, explicit: bool
) -> EntryReply:
    """A draft with everything an entry carries; a fact handed in needs no "Alice said"."""
    text = draft.text.strip()
    alone = explicit or utterances.stands_alone(text, talkers, draft.happened)
    if draft.code == "en" and not alone:
        text = f"{line.speaker} said: {text}"
    for talker in talkers:
        text = _lower_inside(text, talker)
    named = _persons(draft, text, line.speaker, talkers, people)
    entities = _entities(draft, text, named, talkers)
    other = [*named, *titles(draft.quote)]
    found = [place for place in places(text) if _is_place(place, talkers, other)]
    kind = kind_of(draft.quote, draft.happened)
    happened = draft.happened
    return EntryReply(
        text=text,
        keywords=list(keywords(_unnamed(text, talkers))),
        persons=named,
        entities=entities,
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


def _lower_inside(text: str, talker: str) -> str:
    """A talker who is described rather than named, "The user", is written small inside a sentence."""
    if not talker.startswith("The "):
        return text
    inside = re.compile(rf"(?<=[\w,;:)(] ){re.escape(talker)}\b")
    return inside.sub(talker[0].lower() + talker[1:], text)


def _persons(
    draft: Draft, text: str, speaker: str, talkers: Sequence[str], people: Sequence[str]
) -> list[str]:
    """Who is named in an entry; who answers stands before who asked."""
    found = [_untangled(name, talkers) for name in persons(text, talkers)]
    known = {fold(name) for name in people}
    found += [n for n in (_untangled(name, talkers) for name in proper_names(text)) if fold(n) in known]
    named = list({fold(name): name for name in reversed(found) if name}.values())[::-1]
    if draft.answers and speaker in named:
        named.remove(speaker)
        named.insert(0, speaker)
    return named


def _entities(draft: Draft, text: str, named: Sequence[str], talkers: Sequence[str]) -> list[str]:
    """Titles and names that are no persons; no part of a title once more."""
    taken = {fold(name) for name in named}
    whole = titles(draft.quote)
    inside = " ".join(fold(title) for title in whole)
    found = [_untangled(name, talkers) for name in proper_names(text)]
    kept = [name for name in found if name and fold(name) not in taken and fold(name) not in inside]
    return list(dict.fromkeys([*whole, *kept]))


def _untangled(name: str, talkers: Sequence[str]) -> str:
    """A name without the talker's that a restated pronoun put beside it: "tell Maria John moved"."""
    spoken = {fold(talker) for talker in talkers}
    parts = name.split()
    if len(parts) < 2 or fold(name) in spoken:
        return name
    if {fold(part) for part in parts} <= spoken:
        return ""
    while len(parts) > 1 and fold(parts[-1]) in spoken:
        parts.pop()
    return " ".join(parts)


def _is_place(name: str, talkers: Sequence[str], other: Sequence[str]) -> bool:
    """Whether a name is that of a place, and not of a company, a person or part of a title."""
    if is_organisation(name) or any(fold(name) in fold(one) for one in other):
        return False
    return not any(fold(name) in fold(talker) for talker in talkers)


def _importance(draft: Draft, line: Line, kind: Kind) -> float:
    """What an assistant says of its user weighs little: the user said it, or should have."""
    weight = importance_of(draft.quote, kind) if draft.importance is None else draft.importance
    return min(weight, 0.35) if line.role == "assistant" else weight


def _unnamed(text: str, talkers: Sequence[str]) -> str:
    for name in talkers:
        text = re.sub(rf"{re.escape(name)}(?:'s)?", " , ", text)
    return text

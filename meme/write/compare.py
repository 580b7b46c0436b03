"""One new statement held against one known statement: same, newer value, denial, or unrelated.

Flows in: two views (a parsed statement, its slot, when it was said). Flows out: a Finding with
a verb and a reason. Will not weigh several candidates against each other.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from meme.language.words import fold
from meme.records import Happened
from meme.write.shapes import Candidate, NewFact
from meme.write.slots import Slot, slot_of, type_of
from meme.write.statement import NUMBER, TIME, Statement, content_stems, parse
from meme.write.wording import CONCEPTS, WEEKDAYS, concept

PARAPHRASE: Final = 0.9


@dataclass(frozen=True, slots=True)
class Finding:
    """What holding a new statement against a known one gave. `weight` ranks equals, 0..1."""

    op: Literal["ADD", "UPDATE", "DELETE", "NOOP"]
    reason: str = ""
    text: str | None = None
    weight: float = 0.0
    elliptic: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A fact or entry as the rules see it. `since` is the latest day it can have become true."""

    ref: str
    statement: Statement
    slot: Slot | None
    people: frozenset[str]
    dates: frozenset[str]
    since: date


UNRELATED: Final = Finding("ADD", "nothing known says or contradicts this")
_DATED_KINDS: Final = frozenset({"date", "time", "birthday", "hours"})


def view_of(item: NewFact | Candidate) -> View:
    """Parse a fact or candidate."""
    statement = parse(item.text)
    slot = slot_of(statement)
    dates = statement.dates or _iso(item.happened)
    since = item.said_at.date()
    if not (slot and slot.kind in _DATED_KINDS):
        since = min(max(map(_last_day, dates), default=since), since)
    people = frozenset(fold(name) for name in (*item.persons, *item.entities))
    return View(item.ref, statement, slot, people, dates, since)


def _iso(happened: Happened | None) -> frozenset[str]:
    if happened is None:
        return frozenset()
    length = {"year": 4, "month": 7}.get(happened.precision, 10)
    return frozenset({happened.start.isoformat()[:length]})


def _last_day(iso: str) -> date:
    parts = [int(p) for p in iso.split("-")]
    if len(parts) == 3:
        try:
            return date(*parts)
        except ValueError:
            return date.max
    if parts[0] < 1000:  # a day without a year
        return date.max
    return date(parts[0], parts[1] if len(parts) == 2 and 1 <= parts[1] <= 12 else 12, 28)


def judge(new: View, known: View, similarity: float | None = None) -> Finding:
    """Hold a new statement against a known one; UNRELATED where no rule applies."""
    a, b = new.statement, known.statement
    if fold(a.text).strip(" .!") == fold(b.text).strip(" .!"):
        return UNRELATED if _dates_differ(new, known) else Finding("NOOP", "the same statement", weight=1.0)
    if "question" in (a.mood, b.mood) or "quoted" in (a.mood, b.mood):
        return UNRELATED
    if a.forget:
        return _forgotten(new, known)
    for rule in _RULES:
        finding = rule(new, known)
        if finding is not None:
            return finding
    return _paraphrase(new, known, similarity) or UNRELATED


def shares_subject(new: View, known: View) -> bool:
    """Whether both are about the same person or thing, as far as their words tell."""
    a, b = new.statement.subject, known.statement.subject
    if a.head and b.head:
        return a.matches(b)
    return not new.people or not known.people or bool(new.people & known.people)


def shares_slot(new: View, known: View) -> bool:
    """Whether both fill one slot of one subject."""
    return bool(new.slot and known.slot and new.slot.same_as(known.slot))


def _forgotten(new: View, known: View) -> Finding:
    a, b = new.statement, known.statement
    asked = a.content - set(a.subject.head) - set(a.subject.owner)
    about = asked or a.content
    if about and about <= b.content and (shares_subject(new, known) or a.subject.head == ()):
        return Finding("DELETE", "asked to forget this", text="")
    return UNRELATED


_GENERIC: Final = frozenset(
    CONCEPTS.get(w, w)
    for w in (
        "man",
        "woman",
        "person",
        "one",
        "guy",
        "statement",
        "claim",
        "entri",
        "note",
        "memori",
        "fact",
        "inform",
    )
)
_NOT_WHO: Final = re.compile(
    r"\b(?:was not|wasn't|is not|isn't|not) (?:about )?(?P<who>the user|[A-Z][\w-]+(?: [A-Z][\w-]+)?)\b"
)


def _misattributed(new: View, known: View) -> Finding | None:
    """ "The man with the walnut allergy was not Max": what was said of Max is withdrawn."""
    a, b = new.statement, known.statement
    if a.wrong:
        said = a.content - _GENERIC
        if said and len(said & b.content) >= 2 and said <= b.content:
            return Finding("DELETE", "said to be wrong", weight=0.9)
        return (
            Finding("DELETE", "said to be wrong", elliptic=True)
            if not said and known.ref[:1] == "n"
            else None
        )
    match = _NOT_WHO.search(a.predicate)
    if not match or b.denies:
        return None
    who = {concept(w) for w in fold(match["who"]).split()} - {""}
    described = content_stems(a.subject_text) - _GENERIC
    if (
        not a.subject.animate
        and described
        and who & set(b.subject.head)
        and not b.subject.owner
        and described <= b.content
    ):
        return Finding("DELETE", f"it was not {match['who']}", weight=0.9)
    return None


def _corrected(new: View, known: View) -> Finding | None:
    """A correction names the wrong value ("15, not 12"), or only the right one ("actually, it's 15")."""
    a, b = new.statement, known.statement
    if not a.correction or b.denies != a.denies:
        return None
    elliptic = not a.subject.head
    if elliptic and not known.ref.startswith("n"):
        return None
    value = re.sub(r"^(?:it |that )?(?:is|was|should be)? ?(?:on |at |in )?", "", a.predicate).strip()
    if a.replaced:
        known_words = b.content | b.dates | b.times | b.numbers
        if not a.replaced <= known_words or not (elliptic or shares_subject(new, known)):
            return None
        alike = elliptic or bool((a.content & b.content) - set(a.subject.head)) or shares_slot(new, known)
        text = _substituted(b.text, a.replaced_text, value, f" (not {a.replaced_text})") if elliptic else None
        return (
            Finding("UPDATE", f"corrected: not {a.replaced_text}", text, elliptic=elliptic) if alike else None
        )
    if not elliptic:
        return None
    old = _only_value(b.text, type_of(value))
    if not old:
        return None
    return Finding("UPDATE", f"corrected: {value}", _substituted(b.text, old, value, ""), elliptic=True)


def _only_value(text: str, kind: str) -> str:
    """The one value of this kind in `text`; "" if there is none, or several."""
    body = text.rstrip(".!")
    if kind == "number":
        found = NUMBER.findall(TIME.sub(" ", body))
    elif kind == "time":
        found = TIME.findall(body)
    elif kind == "date":
        found = [w for w in re.findall(r"\w+", body) if w.lower() in WEEKDAYS]
    else:
        found = re.findall(r"(?<=[a-z] )[A-Z][\w-]+", body)
    return found[0] if len(found) == 1 else ""


def _substituted(text: str, old: str, value: str, suffix: str) -> str:
    body, done = re.subn(
        rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: value, text.rstrip(".!"), count=1, flags=re.I
    )
    return f"{body}{suffix}." if done else f"{body} (corrected: {value}{suffix})."


def _slots(new: View, known: View) -> Finding | None:
    """Two statements in the same slot: the same value, a new value, or its end."""
    a, b, mine, theirs = new.statement, known.statement, new.slot, known.slot
    if not mine or not theirs:
        return None
    if {mine.kind, theirs.kind} == {"date", "time"} and mine.subject.matches(theirs.subject):
        return _moved_hour(new, known)
    if not mine.same_as(theirs) or not mine.single:
        return None
    if mine.kind == "attitude" and mine.topic != theirs.topic:
        return None
    name = mine.kind
    partners = frozenset(theirs.subject.head) if name == "relationship" else frozenset()
    within = _within(mine.value, theirs.value | partners)
    ends, ended = a.denies or mine.over, b.denies or theirs.over
    if ends and not ended:
        return Finding("DELETE", f"no longer so: {name}") if within else UNRELATED
    if ended and not ends:
        return Finding("UPDATE", f"so again: {name}") if within and _newer(new, known) else UNRELATED
    if ends or within or _within(theirs.value, mine.value):
        return _more_or_less(new, known)
    if not _replaces(new, known, mine, theirs):
        return UNRELATED
    return Finding("UPDATE", f"same {name} slot, new value {_shown(new)}", _resolved(new, known), 0.8)


def _within(part: frozenset[str], whole: frozenset[str]) -> bool:
    return all(any(w == p or w.startswith(p + "-") for w in whole) for p in part)


def _replaces(new: View, known: View, mine: Slot, theirs: Slot) -> bool:
    """Whether another value in the same slot means that the old one is over."""
    a, b = new.statement, known.statement
    if a.additive or a.counting or not _newer(new, known):
        return False
    if re.match(r"(?:has|have) an? ", a.predicate) and not a.correction:
        return False  # "has a meeting at 14:00" may be one more
    dated = {mine.kind, theirs.kind} & _DATED_KINDS
    if not dated and ("planned" in (a.mood, b.mood)) and not (a.mood == b.mood and (a.correction or a.now)):
        return False
    if mine.kind == "work":
        for category in ("as ", "at "):
            was = {w for w in theirs.value if w.startswith(category)}
            now = {w for w in mine.value if w.startswith(category)}
            if was and now and not (was <= now or now <= was):
                return True
        return False
    if mine.kind == "preference" and not (mine.topic == theirs.topic and mine.topic):
        return a.now or bool(mine.topic & theirs.topic)
    units = [{w for w in value if not w[:1].isdigit()} for value in (mine.value, theirs.value)]
    measured = mine.kind in ("number", "value", "price") and type_of(" ".join(sorted(mine.value))) != "text"
    return not (measured and all(units) and not units[0] & units[1])


def _newer(new: View, known: View) -> bool:
    return new.since >= known.since


def _shown(new: View) -> str:
    return re.sub(r"\s+", " ", new.statement.predicate)[:60].strip()


def _resolved(new: View, known: View) -> str | None:
    """The new text with "that gateway" written out as the known entry names it."""
    phrase, known_phrase = new.slot and new.slot.noun_phrase, known.slot and known.slot.noun_phrase
    if not phrase or not known_phrase or not re.match(r"(?:that|this|the)\b", phrase, re.I):
        return None
    if not set(new.slot.subject.head if new.slot else ()) < set(
        known.slot.subject.head if known.slot else ()
    ):
        return None
    full = (
        known_phrase if new.statement.text.startswith(phrase) else known_phrase[:1].lower() + known_phrase[1:]
    )
    return new.statement.text.replace(phrase, full, 1)


def _moved_hour(new: View, known: View) -> Finding | None:
    """A new hour for something that has a day: the day stays."""
    a, b = new.statement, known.statement
    was, now = TIME.findall(b.text), TIME.findall(a.text)
    if len(was) != 1 or len(now) != 1 or not (a.now or a.correction):
        return UNRELATED
    return Finding("UPDATE", f"new time {now[0]}", b.text.replace(was[0], now[0]), 0.8)


_PAST: Final = frozenset(
    """was were went came got gave took made met saw bought sold left began ran won lost found broke fell felt ate drank
    swam wrote sang taught flew drove rode spent had did told said held kept led paid put stood caught slept built""".split()
)
_BOOKING: Final = re.compile(
    r"^(?:has |have )?(?:booked|scheduled|ordered|reserved|arranged|subscribed|signed|planned)\b", re.I
)
_OWNING: Final = frozenset({"own", "have", "drive", "ride", "keep", "use", "wear", ""})
_PARTING: Final = re.compile(r"\b(?:sold|got rid of|gave away)\b", re.I)


def _is_event(statement: Statement) -> bool:
    """Whether it tells of something that happened once, by the form of its first verb."""
    first = next(
        (
            w
            for w in re.findall(r"[\w']+", fold(statement.predicate))
            if w not in ("just", "recently", "also", "then", "finally")
        ),
        "",
    )
    return (
        first in _PAST
        or (first.endswith("ed") and len(first) > 4)
        or first in ("didn't", "wasn't", "weren't")
    )


def _denied(new: View, known: View) -> Finding | None:
    """The new statement denies or ends what the known one says, in the same words."""
    a, b = new.statement, known.statement
    if not a.denies or b.denies or not _newer(new, known):
        return None
    thing = not b.subject.animate and bool(b.subject.head) and set(b.subject.head) <= a.content
    if not (shares_subject(new, known) or (thing and a.ended and not _foreign_owner(a, b))):
        return None
    rest = a.content - set(a.subject.head) - set(a.subject.owner)
    if thing and not a.subject.animate:
        rest = a.content
    if not rest or not rest <= b.content or not a.details - a.dates <= b.details | b.content:
        return None
    if _PARTING.search(a.predicate) and not ({b.verb} & _OWNING or b.predicate.startswith(("has", "have"))):
        return None
    if a.ended:
        stale = _is_event(b) and not _BOOKING.match(b.predicate) and b.mood != "planned"
        return None if stale or _loses_a_part(rest, b) else Finding("DELETE", "said to be over", weight=0.8)
    if _is_event(a) != _is_event(b) or a.verb != b.verb or _dates_differ(new, known):
        return None
    return Finding("DELETE", "said not to be so", weight=0.8) if len(b.content - a.content) <= 1 else None


def _foreign_owner(a: Statement, b: Statement) -> bool:
    return bool(b.subject.owner) and not set(b.subject.owner) & (set(a.subject.head) | a.content)


def _loses_a_part(rest: frozenset[str], known: Statement) -> bool:
    """Whether the known statement lists something the new one does not end ("piano and tennis")."""
    parts = [content_stems(p) for p in re.split(r",| and | as well as ", known.predicate)]
    return len(parts) > 1 and any(part and not part & rest for part in parts)


def _dates_differ(new: View, known: View) -> bool:
    if not new.dates or not known.dates:
        return False
    return not any(x.startswith(y) or y.startswith(x) for x in new.dates for y in known.dates)


def _more_or_less(new: View, known: View) -> Finding | None:
    """The same statement: with less in it, with more in it, or with something else on both sides."""
    a, b = new.statement, known.statement
    more = _not_in(a, b) | _words_beyond(new, known)
    less = _not_in(b, a) | _words_beyond(known, new)
    if _dates_differ(new, known) or a.counting != b.counting:
        return UNRELATED
    if not more:
        return Finding("NOOP", "known already", weight=0.9)
    if not less and not a.additive:
        return Finding("UPDATE", "the same, with more detail", weight=0.7)
    return UNRELATED


_SLOT_WORDS: Final = frozenset(
    """live move reloc settl base work join begin job new posit role becom promot appoint hire price version port listen run
    offic upgrad chang rais set resched schedul book is turn year old call name rename date marri engag reach go like
    dislik prefer read learn studi open close own belong favourit""".split()
)


def _words_beyond(one: View, other: View) -> frozenset[str]:
    """Content words of `one` that `other` lacks, the verbs that only open the slot left out."""
    a, b = one.statement, other.statement
    return a.content - b.content - _SLOT_WORDS - _owners(a) - a.numbers - b.numbers


def _not_in(a: Statement, b: Statement) -> frozenset[str]:
    """Details of `a` that `b` does not have."""
    missing = {d for d in a.dates if not any(o.startswith(d) for o in b.dates)}
    names = {n for n in a.names if concept(n) not in b.content and n not in b.names}
    return frozenset(
        missing | names | (a.times - b.times) | {n for n in a.numbers - b.numbers if n not in b.content}
    )


def _repeated(new: View, known: View) -> Finding | None:
    """The same words, or the same words and more, about the same subject."""
    a, b = new.statement, known.statement
    if (
        not shares_subject(new, known)
        or a.mood != b.mood
        or a.denies != b.denies
        or _dates_differ(new, known)
    ):
        return None
    if a.counting != b.counting or _turned_round(a, b):
        return None
    if new.slot and known.slot and not new.slot.same_as(known.slot):
        return None
    mine, theirs = a.content - _owners(a), b.content - _owners(b)
    alike = a.verb == b.verb
    if mine <= theirs and not _not_in(a, b) and (alike or mine == theirs):
        return Finding("NOOP", "known already", weight=len(mine) / max(1, len(theirs)))
    once = _is_event(a) and new.dates != known.dates  # an undated event may have been another one
    if theirs <= mine and not _not_in(b, a) and (alike or mine == theirs) and not (once or a.additive):
        return Finding("UPDATE", "the same, with more detail", weight=0.7)
    return None


def _turned_round(a: Statement, b: Statement) -> bool:
    """Whether the same words stand in other roles ("from Paris to Rome", "from Rome to Paris")."""
    role = re.compile(r"\b(from|to|over|than|before|after) (\w+)", re.I)
    one, other = dict(role.findall(a.predicate)), dict(role.findall(b.predicate))
    return one.keys() == other.keys() and one != other and a.content == b.content


def _revived(new: View, known: View) -> Finding | None:
    """What was over is so again: "stopped smoking", "smokes again"."""
    a, b = new.statement, known.statement
    if not b.denies or a.denies or a.mood != "asserted" or _is_event(a) or not _newer(new, known):
        return None
    if not shares_subject(new, known) or a.content != b.content:
        return None
    return Finding("UPDATE", "so again", weight=0.7)


def _owners(statement: Statement) -> set[str]:
    return set(statement.subject.head) | set(statement.subject.owner)


_SWITCH: Final = re.compile(
    r"\b(?:switched|changed(?: over)?|migrated|converted|went over) from (?P<old>[^,.]+?) to ", re.I
)
_REPLACED: Final = re.compile(
    r"\b(?:replaced|swapped|exchanged|traded) (?:the |her |his |their )?(?P<old>[^,.]+?) (?:with|for|by) ",
    re.I,
)
_EXCLUSIVE: Final = frozenset("drive use take ride commut wear bank go".split())


def _framed(new: View, known: View) -> Finding | None:
    """The same sentence about a present state with only its number, hour or object changed."""
    a, b = new.statement, known.statement
    if not shares_subject(new, known) or a.denies or b.denies or a.mood != "asserted" or b.mood != "asserted":
        return None
    if a.additive or a.counting or not _newer(new, known) or (_is_event(b) and not a.correction):
        return None
    switch = _SWITCH.search(a.predicate) or _REPLACED.search(a.predicate)
    if switch:
        old = content_stems(switch["old"])
        return Finding("UPDATE", f"{switch['old']} was replaced") if old and old <= b.content else None
    if _is_event(a) and not a.correction:
        return None
    named = {concept(n) for n in a.names | b.names} | a.numbers | b.numbers | a.times | b.times
    frame, known_frame = a.content - named, b.content - named
    if a.verb != b.verb or (a.content == b.content and a.details == b.details):
        return None
    if frame == known_frame and a.details != b.details and not re.search(r"\b(?:has|have) an? ", a.predicate):
        counted = bool(_not_in(a, b) and _not_in(b, a)) and not (a.names ^ b.names) and a.dates == b.dates
        if counted or a.now or a.correction:
            return Finding("UPDATE", f"the same with a new value: {_shown(new)}", weight=0.6)
        return None
    one_for_one = len(a.content - b.content) == 1 == len(b.content - a.content)
    exclusive = a.verb in _EXCLUSIVE or "instead" in fold(a.text)
    if one_for_one and a.now and exclusive:
        return Finding("UPDATE", f"now instead: {_shown(new)}", weight=0.6)
    return None


def _paraphrase(new: View, known: View, similarity: float | None) -> Finding | None:
    """Other words for the same, on the word of the embedding model, if nothing else tells them apart."""
    a, b = new.statement, known.statement
    if similarity is None or similarity < PARAPHRASE or not shares_subject(new, known):
        return None
    if a.mood != b.mood or a.denies != b.denies or a.counting != b.counting or a.details - b.details:
        return None
    if _dates_differ(new, known) or (new.slot and known.slot) or _turned_round(a, b):
        return None
    return Finding("NOOP", "the same in other words", weight=similarity)


_RULES: Final[tuple[Callable[[View, View], Finding | None], ...]] = (
    _misattributed,
    _corrected,
    _slots,
    _denied,
    _revived,
    _repeated,
    _framed,
)

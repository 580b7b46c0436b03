"""One new statement held against one known statement: same, newer value, denial, or unrelated.

Flows in: two views (a parsed statement, its slot, when it was said). Flows out: a Finding with
a verb and a reason. Will not weigh several candidates against each other.
"""

import re
from collections import Counter
from collections.abc import Callable
from typing import Final

from meme.language.words import fold
from meme.write.reconcile_by_rule.denial import corrected, denied, forgotten, misattributed, revived
from meme.write.reconcile_by_rule.plans import called_off, carried_out, moved_out, taken_up
from meme.write.reconcile_by_rule.slot_values import Slot, type_of
from meme.write.reconcile_by_rule.statement import NUMBER, TIME, Statement, content_stems
from meme.write.reconcile_by_rule.views import (
    DATED_KINDS,
    MORE,
    OLDER,
    POINTING,
    UNRELATED,
    Finding,
    View,
    dates_differ,
    details_beyond,
    is_event,
    newer,
    shares_subject,
    subject_words,
)
from meme.write.reconcile_by_rule.wording import concept, word_set

_ACTS: Final = word_set("share send post show")  # what is done in a talk, and done again in the next


def judge(new: View, known: View) -> Finding:
    """Hold a new statement against a known one; UNRELATED where no rule applies."""
    a, b = new.statement, known.statement
    if fold(a.text).strip(" .!") == fold(b.text).strip(" .!"):
        again = a.verb in _ACTS and is_event(a) and new.said != known.said
        apart = dates_differ(new, known) or again
        return UNRELATED if apart else Finding("NOOP", "the same statement", weight=1.0)
    if "question" in (a.mood, b.mood) or "quoted" in (a.mood, b.mood):
        return UNRELATED
    if a.forget:
        return forgotten(new, known)
    for rule in _RULES:
        finding = rule(new, known)
        if finding is not None:
            return finding
    return UNRELATED


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
    if not mine.value and not ends:
        return None  # "got the job": which one is not said
    if ends and not ended:
        return Finding("DELETE", f"no longer so: {name}") if within else UNRELATED
    if ended and not ends:
        return Finding("UPDATE", f"so again: {name}") if within and newer(new, known) else UNRELATED
    if ends or within or _within(theirs.value, mine.value):
        return _more_or_less(new, known) if a.mood == b.mood else UNRELATED
    if not _replaces(new, known, mine, theirs):
        return UNRELATED if newer(new, known) else OLDER
    vague = not mine.subject.animate and set(mine.subject.head) < set(theirs.subject.head)
    slot = "slot" if name == "value" else f"{name} slot"
    return Finding(
        "UPDATE", f"same {slot}, new value: {_shown(new)}", _resolved(new, known), 0.8, vague=vague
    )


def _within(part: frozenset[str], whole: frozenset[str]) -> bool:
    return all(any(w == p or w.startswith(p + "-") for w in whole) for p in part)


def _replaces(new: View, known: View, mine: Slot, theirs: Slot) -> bool:
    """Whether another value in the same slot means that the old one is over."""
    a, b = new.statement, known.statement
    if a.additive or a.counting or not newer(new, known):
        return False
    if mine.kind != "work" and re.match(r"(?:has|have) an? ", a.predicate) and not a.correction:
        return False  # "has a meeting at 14:00" may be one more
    dated = {mine.kind, theirs.kind} & DATED_KINDS
    if not dated and ("planned" in (a.mood, b.mood)) and not (a.mood == b.mood and (a.correction or a.now)):
        return False
    if mine.kind == "goal":
        return a.now or "new" in fold(a.text).split()
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


def _more_or_less(new: View, known: View) -> Finding | None:
    """The same statement: with less in it, with more in it, or with something else on both sides."""
    a, b = new.statement, known.statement
    more = details_beyond(a, b) | _words_beyond(new, known)
    less = details_beyond(b, a) | _words_beyond(known, new)
    if dates_differ(new, known) or a.counting != b.counting:
        return UNRELATED
    if not more and _counted_in(a, b):
        return Finding("NOOP", "known already", weight=0.9)
    if not less and not a.additive and _counted_in(b, a):
        return MORE
    return UNRELATED


def _counted_in(one: Statement, other: Statement) -> bool:
    """Whether a number that `one` has twice is there twice: "item 96, shop 96" is not "item 290, shop 96"."""
    here, there = (Counter(NUMBER.findall(statement.text)) for statement in (one, other))
    return all(there[number] >= count for number, count in here.items() if count > 1)


_SLOT_WORDS: Final = word_set(
    """live move reloc settl base work join begin job new posit role becom promot appoint hire price
    version port listen run offic upgrad chang rais set resched schedul book is turn year old
    call name rename date marri engag reach go like dislik prefer read learn studi open close
    own belong favourit"""
)


def _words_beyond(one: View, other: View) -> frozenset[str]:
    """Content words of `one` that `other` lacks, the verbs that only open the slot left out."""
    a, b = one.statement, other.statement
    return a.content - b.content - _SLOT_WORDS - subject_words(a) - a.numbers - b.numbers


def _repeated(new: View, known: View) -> Finding | None:
    """The same words, or the same words and more, about the same subject."""
    a, b = new.statement, known.statement
    if not shares_subject(new, known) or a.mood != b.mood or a.denies != b.denies or dates_differ(new, known):
        return None
    if a.counting != b.counting or _turned_round(a, b) or a.subject.joint != b.subject.joint:
        return None
    if not a.subject.head or not b.subject.head:
        return None
    other_time = is_event(a) and not new.dates and new.said != known.said
    if other_time and a.verb in _ACTS:
        return None
    if new.slot and known.slot and not new.slot.same_as(known.slot):
        return None
    mine, theirs = _substance(a), _substance(b)
    if not mine or not theirs or POINTING.search(a.predicate) or POINTING.search(b.predicate):
        return None  # "Jo is so glad", "Jo loves it": what about is not said
    alike = a.verb == b.verb
    if a.verb in _REACTION and mine != theirs:
        return None
    shorter = alike and len(mine) > 1 and not other_time
    if mine <= theirs and not details_beyond(a, b) and (mine == theirs or shorter) and _counted_in(a, b):
        return Finding("NOOP", "known already", weight=len(mine) / max(1, len(theirs)))
    # An undated event may have been another one.
    once = other_time or (is_event(a) and new.dates != known.dates)
    fuller = theirs <= mine and not details_beyond(b, a) and (mine == theirs or (alike and len(theirs) > 1))
    if fuller and not once and not a.additive and new.said >= known.said and _counted_in(b, a):
        return MORE
    return None


_REACTION: Final = word_set(
    """glad happi excit stoke grate thank thrill proud amaz awesom incred great good nice wonder lucki sorri
    wait hope agre sure luck pleas thing lot bit mean import bad sad like talent
    passion love realli truli definit absolut well fine ok okay differ feel can't won't couldn't don't"""
)


def _substance(statement: Statement) -> frozenset[str]:
    """What a statement is about besides its subject, names left in; empty for a mere reaction."""
    said = statement.content - subject_words(statement)
    return said if said - _REACTION - {concept(n) for n in statement.names} else frozenset()


def _turned_round(a: Statement, b: Statement) -> bool:
    """Whether the same words stand in other roles ("from Paris to Rome", "from Rome to Paris")."""
    role = re.compile(r"\b(from|to|over|than|before|after) (\w+)", re.I)
    one, other = dict(role.findall(a.predicate)), dict(role.findall(b.predicate))
    return one.keys() == other.keys() and one != other and a.content == b.content


_SWITCH: Final = re.compile(
    r"\b(?:switched|changed(?: over)?|migrated|converted|went over) from (?P<old>[^,.]+?) to ", re.I
)


_REPLACED: Final = re.compile(
    r"\b(?:replaced|swapped|exchanged|traded) (?:the |her |his |their )?(?P<old>[^,.]+?) (?:with|for|by) ",
    re.I,
)


_EXCLUSIVE: Final = word_set("drive use take ride commut wear bank go")


def _framed(new: View, known: View) -> Finding | None:
    """The same sentence about a present state with only its number, hour or object changed."""
    a, b = new.statement, known.statement
    if not shares_subject(new, known) or a.denies or b.denies or a.mood != "asserted" or b.mood != "asserted":
        return None
    if a.additive or a.counting or not newer(new, known) or (is_event(b) and not a.correction):
        return None
    switch = _SWITCH.search(a.predicate) or _REPLACED.search(a.predicate)
    if switch:
        old = content_stems(switch["old"])
        return Finding("UPDATE", f"{switch['old']} was replaced") if old and old <= b.content else None
    if is_event(a) and not a.correction:
        return None
    kinds = re.match(r"is (?:now )?an? ", a.predicate) and re.match(r"is an? ", b.predicate)
    if kinds and a.now and a.names and b.names and a.names != b.names and not a.subject.animate:
        return Finding("UPDATE", f"now instead: {_shown(new)}", weight=0.6)  # "the car is a Mazda now"
    named = {concept(n) for n in a.names | b.names} | a.numbers | b.numbers | a.times | b.times
    frame, known_frame = a.content - named, b.content - named
    if a.verb != b.verb or (a.content == b.content and a.details == b.details):
        return None
    if frame == known_frame and a.details != b.details and not re.search(r"\b(?:has|have) an? ", a.predicate):
        counted = (
            bool(details_beyond(a, b) and details_beyond(b, a))
            and not (a.names ^ b.names)
            and a.dates == b.dates
        )
        if counted or a.now or a.correction:
            return Finding("UPDATE", f"the same with a new value: {_shown(new)}", weight=0.6)
        return None
    one_for_one = len(a.content - b.content) == 1 == len(b.content - a.content)
    exclusive = a.verb in _EXCLUSIVE or "instead" in fold(a.text)
    framed = bool(frame & known_frame - subject_words(a) - {a.verb})  # "... every morning"
    if one_for_one and a.now and (exclusive or framed):
        return Finding("UPDATE", f"now instead: {_shown(new)}", weight=0.6)
    return None


_RULES: Final[tuple[Callable[[View, View], Finding | None], ...]] = (
    misattributed,
    corrected,
    carried_out,
    called_off,
    moved_out,
    _slots,
    taken_up,
    denied,
    revived,
    _repeated,
    _framed,
)

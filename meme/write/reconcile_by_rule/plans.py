"""Plans that were carried out or called off, homes moved out of, tastes outlived by a habit.

Flows in: two views. Flows out: a Finding, or None where none of this applies. Will not close
a plan for a mere wish to do something else.
"""

import re
from typing import Final

from meme.language.words import fold, stem
from meme.write.reconcile_by_rule.statement import content_stems
from meme.write.reconcile_by_rule.views import (
    Finding,
    View,
    dates_differ,
    is_event,
    newer,
    shares_subject,
    subject_words,
)
from meme.write.reconcile_by_rule.wording import concept, word_set

_DEFINITE: Final = re.compile(
    r"\b(?:plans? to|planning to|planned to|intends? to|is going to|are going to|will|about to|"
    r"is moving|are moving|is relocating)\b"
)
_OPENING: Final = frozenset(
    stem(w)
    for w in word_set(
        """plan plans planning planned intend intends will going go start end beginning begin early
    late mid middle week month year summer winter spring autumn soon next"""
    )
) | {"go", "begin"}


def carried_out(new: View, known: View) -> Finding | None:
    """ "Clara is moving to Porto" → "Clara moved to Porto": the plan is now a fact."""
    a, b = new.statement, known.statement
    if not _DEFINITE.search(b.predicate) or b.mood != "planned" or b.denies:
        return None
    if a.mood != "asserted" or a.denies or not a.subject.animate or dates_differ(new, known):
        return None
    home = bool(new.slot and known.slot and new.slot.same_as(known.slot) and new.slot.kind == "home")
    if not shares_subject(new, known) or not (is_event(a) or home) or not newer(new, known):
        return None
    promised = b.content - _OPENING - subject_words(b)
    if home and new.slot and known.slot:
        done = bool(known.slot.value) and known.slot.value <= new.slot.value
    else:
        done = len(promised) >= 2 and promised <= a.content and a.verb in promised
    lost = b.names - a.names - {n for n in b.names if concept(n) in a.content}
    return Finding("UPDATE", "the plan was carried out", weight=0.8) if done and not lost else None


_TRIP: Final = frozenset(
    content_stems(
        "trip trips holiday holidays vacation journey flight flights travel visit tour ticket tickets hotel "
        "crossing cruise getaway weekend"
    )
)
_OFF: Final = re.compile(
    r"\b(?:(?:is|are|was|were)(?: all| now)? (?:off|cancelled|canceled)|cancel(?:l?ed|s)|fell through|"
    r"(?:isn't|is not|aren't|are not|won't be) (?:happening|going ahead|taking place)|won't happen)\b"
)
_TRAVEL: Final = re.compile(
    r"^(?:(?:is|are) (?:now |all |also )?(?:taking|going|flying|travelling|traveling|heading|driving|"
    r"visiting|spending|sailing|off)|(?:will|plans? to|is going to|are going to|"
    r"(?:is|are) planning(?: to)?|intends? to) "
    r"(?:a |an |the )?(?:take|go|fly|travel|head|drive|visit|spend|sail|trip|holiday|vacation|journey)|"
    r"(?:has |have )?(?:booked|reserved|planned|organised|organized|arranged))\b"
)


def called_off(new: View, known: View) -> Finding | None:
    """ "The Iceland trip is off": the plan to go there is withdrawn; the statement itself is kept."""
    a, b = new.statement, known.statement
    if not (_OFF.search(a.predicate) and a.content & _TRIP) or not _TRAVEL.match(b.predicate) or b.denies:
        return None
    bound = a.content - _TRIP - subject_words(a) if a.subject.animate else a.content - _TRIP
    places = {concept(fold(n)) for n in re.findall(r"\b[A-Z][\w-]+", a.text)} & bound
    if not places or not places <= b.content or not newer(new, known):
        return None
    if a.subject.animate and b.subject.animate and not set(a.subject.head) & set(b.subject.head):
        return None
    if a.subject.owner and b.subject.animate and not set(a.subject.owner) & set(b.subject.head):
        return None
    return None if dates_differ(new, known) and is_event(b) else Finding("DELETE", "called off", weight=0.8)


_LEFT_HOME: Final = re.compile(r"^(?:has |have |just |finally |recently )*moved out of (?P<place>[^,]+)")
_DWELT: Final = re.compile(r"^(?:still |now |currently )*(?:is |are )?(?:lives?|living|stays?|staying)\b")
_ROOF: Final = frozenset(content_stems("house flat apartment home place room building old")) | {"live"}


def moved_out(new: View, known: View) -> Finding | None:
    """ "Tom moved out of his parents' house" ends "Tom lives with his parents"."""
    a, b = new.statement, known.statement
    match = _LEFT_HOME.match(a.predicate)
    if not match or b.denies or not _DWELT.match(b.predicate) or not shares_subject(new, known):
        return None
    place = content_stems(match["place"]) - _ROOF - subject_words(a)
    if not place or not place <= b.content or not newer(new, known):
        return None
    return Finding("DELETE", "moved out", weight=0.8)


_CONSUMES: Final = word_set("drink eat")


def taken_up(new: View, known: View) -> Finding | None:
    """ "drinks tea now", "actually prefers tea to coffee": a dislike of tea is outlived."""
    a, b = new.statement, known.statement
    old = known.slot
    if not old or old.kind != "attitude" or not shares_subject(new, known) or not newer(new, known):
        return None
    disliked = "dislike" in old.value if not b.denies else "like" in old.value
    if not disliked or a.denies or a.mood != "asserted" or not old.topic:
        return None
    chosen = new.slot.value if new.slot and new.slot.kind == "preference" else frozenset()
    habit = a.verb in _CONSUMES and a.now and old.topic <= a.content
    preferred = bool(chosen) and old.topic <= chosen and (a.now or "actually" in fold(a.text))
    return Finding("UPDATE", "likes it now", weight=0.7) if habit or preferred else None

"""What a new statement takes back: denials, endings, corrections, requests to forget.

Flows in: two views. Flows out: a Finding, or None where the new statement takes nothing back.
Will not compare statements that agree.
"""

import re
from typing import Final

from meme.language.words import fold
from meme.write.reconcile_by_rule.corrections import holds
from meme.write.reconcile_by_rule.slot_values import type_of
from meme.write.reconcile_by_rule.statement import NUMBER, TIME, Statement, content_stems
from meme.write.reconcile_by_rule.views import (
    POINTING,
    UNRELATED,
    Finding,
    View,
    dates_differ,
    is_event,
    newer,
    shares_slot,
    shares_subject,
)
from meme.write.reconcile_by_rule.wording import CONCEPTS, WEEKDAYS, concept


def forgotten(new: View, known: View) -> Finding:
    """What a request to forget says of the known statement."""
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


def misattributed(new: View, known: View) -> Finding | None:
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


def corrected(new: View, known: View) -> Finding | None:
    """A statement that names the wrong value ("15, not 12"), or only the right one ("actually, it's 15")."""
    a, b = new.statement, known.statement
    if not a.correction or b.denies != a.denies:
        return None
    elliptic = not a.subject.head
    if elliptic and not known.ref.startswith("n"):
        return None
    if a.replaced:
        known_words = b.content | b.dates | b.times | b.numbers
        held = a.replaced <= known_words or holds(a.replaced_text, b.text)
        if not held or not (elliptic or shares_subject(new, known)):
            return None
        alike = elliptic or bool((a.content & b.content) - set(a.subject.head)) or shares_slot(new, known)
        return Finding("UPDATE", f"corrected: not {a.replaced_text}", elliptic=elliptic) if alike else None
    value = re.sub(r"^(?:it |that )?(?:is|was|should be)? ?(?:on |at |in )?", "", a.predicate).strip()
    old = _only_value(b.text, type_of(value)) if elliptic else ""
    if not old:
        return None
    return Finding("UPDATE", f"corrected: {value}", _substituted(b.text, old, value), elliptic=True)


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


def _substituted(text: str, old: str, value: str) -> str:
    body = text.rstrip(".!")
    return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: value, body, count=1, flags=re.I) + "."


_BOOKING: Final = re.compile(
    r"^(?:has |have )?(?:booked|scheduled|ordered|reserved|arranged|subscribed|signed|planned)\b", re.I
)


_OWNING: Final = frozenset({"own", "have", "drive", "ride", "keep", "use", "wear", ""})


_LIKING: Final = frozenset({"like", "dislike"})


_PARTING: Final = re.compile(r"\b(?:sold|got rid of|gave away)\b", re.I)


def denied(new: View, known: View) -> Finding | None:
    """The new statement denies or ends what the known one says, in the same words."""
    a, b = new.statement, known.statement
    if not a.denies or b.denies or not newer(new, known):
        return None
    thing = not b.subject.animate and bool(b.subject.head) and set(b.subject.head) <= a.content
    if not (shares_subject(new, known) or (thing and a.ended and not _foreign_owner(a, b))):
        return None
    rest = a.content - set(a.subject.head) - set(a.subject.owner)
    if thing and not a.subject.animate:
        rest = a.content
    if not rest - _LIKING or POINTING.search(a.predicate):
        return None
    if not rest <= b.content or not a.details - a.dates <= b.details | b.content:
        return None
    if _PARTING.search(a.predicate) and not ({b.verb} & _OWNING or b.predicate.startswith(("has", "have"))):
        return None
    if a.ended:
        stale = is_event(b) and not _BOOKING.match(b.predicate) and b.mood != "planned"
        return None if stale or _loses_a_part(rest, b) else Finding("DELETE", "said to be over", weight=0.8)
    if is_event(a) != is_event(b) or a.verb != b.verb or dates_differ(new, known):
        return None
    return Finding("DELETE", "said not to be so", weight=0.8) if len(b.content - a.content) <= 1 else None


def _foreign_owner(a: Statement, b: Statement) -> bool:
    return bool(b.subject.owner) and not set(b.subject.owner) & (set(a.subject.head) | a.content)


def _loses_a_part(rest: frozenset[str], known: Statement) -> bool:
    """Whether the known statement lists something the new one does not end ("piano and tennis")."""
    parts = [content_stems(p) for p in re.split(r",| and | as well as ", known.predicate)]
    return len(parts) > 1 and any(part and not part & rest for part in parts)


def revived(new: View, known: View) -> Finding | None:
    """What was over is so again: "stopped smoking", "smokes again"."""
    a, b = new.statement, known.statement
    if not b.denies or a.denies or a.mood != "asserted" or not newer(new, known):
        return None
    if is_event(a) and a.verb != "begin":
        return None
    if not shares_subject(new, known) or a.content - {"begin"} != b.content:
        return None
    return Finding("UPDATE", "so again", weight=0.7)

"""What slot a statement fills: the home of a person, the port of a gateway, the date of an appointment.

Flows in: a parsed statement. Flows out: a `Slot`, or None where no slot is known. Will not
compare whole sentences or decide a verdict.
"""

import re
from collections.abc import Callable
from typing import Final

from meme.language.words import stem
from meme.write.reconcile_by_rule.slot_values import (
    COPULA,
    Slot,
    clause,
    filled,
    personal,
    plain_predicate,
    type_of,
    value_of,
)
from meme.write.reconcile_by_rule.slots_of_people import PERSONAL
from meme.write.reconcile_by_rule.statement import Statement, Subject, content_stems, subject_of
from meme.write.reconcile_by_rule.wording import CHANGE_VERBS, word_set

_PERSONAL_ATTRIBUTE: Final = re.compile(
    r"^(?:(?:new|current|home|work|office|private|mobile|cell|main|business|personal|postal|mailing) )*"
    r"(?P<attribute>phone(?: number)?|telephone(?: number)?|mobile(?: number)?|number|e-?mail(?: address)?|"
    r"address|birthday|date of birth|age|height|weight|shoe size|dress size|clothing size|size|blood type|"
    r"time ?zone|nationality|citizenship|salary|boss|manager|supervisor|landlord|dentist|doctor|gp|therapist|"
    r"password|pin|licen[cs]e plate|number plate|middle name|surname|last name|maiden name|nickname|"
    r"username|user ?name|handle|major|hometown|home town|job title|title|employer|job|workplace|home|"
    r"favou?rite .+|first language|native language|star sign|(?:main |big |new |current )?goal|"
    r"locker(?: number)?|room number|seat)$",
    re.I,
)


_PROPERTIES: Final = (
    {
        "port": "port",
        "price": "price",
        "version": "version",
        "deadlin": "date",
        "due": "date",
        "date": "date",
        "number": "number",
        "owner": "owner",
        "hour": "hours",
        "maintain": "owner",
        "name": "name",
    }
    | {
        stem(word): stem(word)
        for word in word_set(
            """venue location status password theme region provider host language title address format size
    mode motto captain room speed limit"""
        )
    }
    | {"colour": "colour", "phone": "phone", "email": "email"}
)


_NAMED: Final = re.compile(
    r"^(?:(?:is|are|was|were) (?:now )?(?:called|named|renamed(?: to)?)) [\"“']?(?P<value>.+?)[\"”']?$"
)


def _name(statement: Statement, predicate: str) -> Slot | None:
    match = _NAMED.match(predicate)
    if match:
        return filled("name", statement.subject, clause(match["value"]), phrase=statement.subject_text)
    if statement.subject.head[-1:] == ("name",) and (
        copula := re.match(rf"{COPULA} (?P<value>.+)$", predicate)
    ):
        owner = subject_of(statement.subject_text.rpartition("'s ")[0])
        return filled("name", owner, copula["value"])
    return None


_DUTY: Final = re.compile(
    r"^(?:(?:administer|manage|maintain|handle|oversee|run|coordinate|supervise)s?|looks? after|"
    r"takes? care of|"
    r"(?:is|are) (?:now )?(?:responsible for|in charge of)|took over|volunteers?(?: at| for)?|"
    r"teach(?:es)?|mentors?) "
    r"(?P<object>[^\d]+)$",
    re.I,
)


_OWNED: Final = re.compile(
    r"^(?:belongs to|(?:is|are|was|were) (?:now )?(?:owned|maintained|managed|run|led) by|"
    r"(?:was|were|has been) (?:reassigned|handed over|transferred|handed) to) (?P<value>.+)$",
    re.I,
)


_OWNS: Final = re.compile(
    r"^(?:owns|took over|is (?:now )?the (?:owner|maintainer|lead|leader) of) (?P<thing>the [^,]+)$", re.I
)


def _owner(statement: Statement, predicate: str) -> Slot | None:
    if match := _OWNED.match(predicate):
        return filled("owner", statement.subject, match["value"], phrase=statement.subject_text)
    if match := _OWNS.match(predicate):
        return filled("owner", subject_of(match["thing"]), statement.subject_text)
    if match := _DUTY.match(predicate):
        return Slot("duty", statement.subject, content_stems(match["object"]), single=False)
    return None


_HOURS: Final = re.compile(
    r"^(?:is |are )?(?P<verb>open|opens|close|closes|closed|starts|begins|"
    r"ends)(?: daily)? (?P<value>.*\d.*|\w+day.*)$",
    re.I,
)


def _hours(statement: Statement, predicate: str) -> Slot | None:
    match = _HOURS.match(predicate)
    if not match or personal(statement.subject):
        return None
    verb = match["verb"].lower().rstrip("s")
    topic = {"open": "opens", "close": "closes", "closed": "closes"}.get(verb, verb)
    ranged = re.search(r"\bfrom\b.*\b(?:to|until|till)\b|\d\s*[-–]\s*\d", match["value"])
    if topic == "opens" and ranged:
        return filled("hours", statement.subject, match["value"])
    return filled("hours", statement.subject, match["value"], topic=topic)


_CHANGED: Final = re.compile(
    rf"^(?:(?:is|are|was|were|has been|have been|got|been|will be) )?(?:being )?{CHANGE_VERBS}"
    r"(?: (?P<thing>(?:the|that|this|our|her|his|their|its|[A-Z]\w*'s) [^,]+?))?(?: over| up| down| back|"
    r" forward| out| on| "
    r"again)*(?: from (?P<old>[^,]+?))? (?:to|for|until|till) (?P<value>.+)$",
    re.I,
)


def _changed(statement: Statement, predicate: str) -> Slot | None:
    if (release := _RELEASE.match(predicate)) and not statement.subject.animate:
        return filled("version", statement.subject, release["number"], topic=release["product"])
    match = _CHANGED.match(predicate)
    if not match:
        return None
    value, thing = clause(match["value"]), match["thing"]
    kind = type_of(value)
    if not thing:
        kind = _changed_kind(predicate, kind)
        if not kind or (statement.subject.animate and kind != "name"):
            return None
        return _thing(statement.subject_text, value, kind)
    own = re.match(r"(?:her|his|their) (.+)$", thing, re.I)
    if own and (attribute := _PERSONAL_ATTRIBUTE.match(own[1])):
        return Slot(_attribute(attribute["attribute"]), statement.subject, value_of(value))
    phrase = f"{statement.subject_text}'s {own[1]}" if own else thing
    kind = _changed_kind(predicate, kind)
    return _thing(phrase, value, kind) if kind else None


def _changed_kind(predicate: str, kind: str) -> str:
    """The kind of slot a change verb gives a value to; "" where a new value of text is no slot."""
    if kind in ("date", "time"):
        return kind
    if kind == "number":
        return "version" if re.search(r"\b(?:up|down)graded\b", predicate) else "value"
    if re.search(r"\brenamed\b", predicate):
        return "name"
    if re.search(r"\b(?:reassigned|handed|transferred)\b", predicate):
        return "owner"
    if re.search(r"\b(?:changed|switched|set|updated)\b", predicate):
        return "value"
    return "place" if re.search(r"\b(?:moved|shifted|transferred)\b.* to (?:the )?[A-Z]", predicate) else ""


def _attribute(name: str) -> str:
    stems = content_stems(name) - {"number", "address", "new"} or content_stems(name)
    plain = " ".join(sorted(stems))
    return {
        "live": "home",
        "hometown": "home",
        "work": "work",
        "employ": "work",
        "titl": "work",
        "workplac": "work",
    }.get(plain, plain)


def _thing(phrase: str, value: str, kind: str) -> Slot | None:
    """The slot of a named thing; the property is taken out of its noun phrase ("the price of the plan")."""
    subject = subject_of(phrase)
    property_ = next((_PROPERTIES[w] for w in subject.head if w in _PROPERTIES), "")
    head = tuple(w for w in subject.head if w not in _PROPERTIES)
    owner = subject.owner
    if property_ and not head:
        head, owner = (owner, ()) if owner else (subject.head, ())
    if not head:
        return None
    return Slot(property_ or kind, Subject(head, owner), value_of(value), noun_phrase=phrase)


_RELEASE: Final = re.compile(
    r"^(?:(?:is |was )?(?:runs?|running|built|uses?|upgraded|downgraded|updated|migrated)(?: on| to)?) "
    r"(?P<product>[A-Z][\w+#.-]*) (?:version )?v?(?P<number>\d[\d.]*)$"
)
_PLACE: Final = re.compile(
    r"^(?:takes? place|happens|will be|will take place|is held|will be held|is) (?:in|at) "
    r"(?P<value>(?:the )?[A-Z].*)$"
)
_VALUED: Final = re.compile(
    rf"^(?:{COPULA}(?: now)?(?: (?:scheduled|booked|planned|set|due|fixed|on for|arranged))?|"
    rf"listens? on|runs? on|costs?|"
    r"weighs?|takes place|happens?|holds?|seats?|starts? on|begins? on|expires?(?: on)?|ends? on|"
    r"stands at|uses) (?P<value>.+)$",
    re.I,
)


_HAS: Final = re.compile(
    r"^(?:has|have) (?:an? |the |her |his |their )?(?P<thing>[\w' -]*?(?:appointment|meeting|interview|"
    r"exam|flight|"
    r"surgery|check-?up|reservation|booking|call|deadline)(?: with [A-Z][\w. ]+?)?) (?P<value>(?:on|at|"
    r"for|next) .+)$",
    re.I,
)


_COUNT: Final = re.compile(r"^(?:has|have|owns|keeps|earns|pays) (?P<n>[\w.,€$£]+) (?P<thing>[\w -]+)$", re.I)


def _valued(statement: Statement, predicate: str) -> Slot | None:
    if (match := _PLACE.match(predicate)) and not (
        personal(statement.subject) or "live" in statement.subject.head
    ):
        return _thing(statement.subject_text, match["value"], "place")
    if match := _HAS.match(predicate):
        return _thing(f"{statement.subject_text}'s {match['thing']}", match["value"], type_of(match["value"]))
    if (match := _COUNT.match(predicate)) and type_of(match["n"]) == "number":
        return filled("count", statement.subject, match["n"], topic=match["thing"])
    match = _VALUED.match(predicate)
    if not match:
        return None
    value = clause(match["value"])
    owner_text, _, rest = statement.subject_text.rpartition("'s ")
    attribute = _PERSONAL_ATTRIBUTE.match(rest) if owner_text else None
    if attribute:
        return Slot(_attribute(attribute["attribute"]), subject_of(owner_text), value_of(value))
    kind = type_of(value)
    verb = predicate.split()[0].lower()
    past = verb in ("was", "were") and not re.match(
        r"\w+ (?:scheduled|booked|planned|set|due|fixed|arranged)\b", predicate
    )
    if verb == "uses" or past or statement.subject.animate:
        return None
    if kind == "text" and not set(statement.subject.head) & set(_PROPERTIES):
        return None
    if kind == "number":
        kind = "port" if verb.startswith("listen") or re.match(r"on port|port", value) else kind
        kind = "price" if verb.startswith("cost") else kind
        kind = "version" if re.match(r"(?:on )?(?:version|v\d)", value) else kind
    return _thing(statement.subject_text, value, kind)


_READERS: Final[tuple[Callable[[Statement, str], Slot | None], ...]] = (
    _name,
    *PERSONAL,
    _owner,
    _hours,
    _changed,
    _valued,
)


def slot_of(statement: Statement) -> Slot | None:
    """The slot a statement fills, or None. Denials and endings fill the slot they deny."""
    if statement.mood in ("question", "quoted"):
        return None
    predicate = plain_predicate(statement.predicate)
    for reader in _READERS:
        slot = reader(statement, predicate)
        if slot is not None:
            return slot
    return None

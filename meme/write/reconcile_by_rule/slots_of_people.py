"""Slots of people: home, work, relationship, age, tastes, what they read or learn.

Flows in: a parsed statement and its plain predicate. Flows out: a slot, or None.
"""

import re
from typing import Final

from meme.write.reconcile_by_rule.slot_values import COPULA, Slot, clause, filled, personal, type_of, value_of
from meme.write.reconcile_by_rule.statement import Statement, content_stems, dates_in
from meme.write.reconcile_by_rule.wording import concept

TITLES: Final = (
    r"(?:head of|chief|director|manager|ceo|cto|cfo|nurse|doctor|surgeon|teacher|engineer|developer|"
    r"programmer|"
    r"designer|lawyer|accountant|analyst|consultant|professor|lecturer|chef|cook|barista|driver|pilot|"
    r"architect|"
    r"journalist|editor|scientist|researcher|librarian|electrician|plumber|carpenter|assistant|intern|"
    r"officer|"
    r"lead|president|waiter|waitress|cashier|clerk|baker|mechanic|secretary|therapist|psychologist|"
    r"pharmacist|paramedic|firefighter|coach|retired|unemployed|freelancer|freelance|supervisor|coordinator|"
    r"specialist|administrator|principal|partner at|trainee|apprentice|salesperson|salesman|receptionist)"
)


_HOME: Final = re.compile(
    r"^(?:(?:moved|relocated|(?:is |are )?(?:moving|relocating))(?: back| over| house|"
    r" away| home| house| again| permanently)*"
    r"(?: from [^,]+?)? (?:to|into)|(?:is |are )?(?:live|lives|living|reside|resides|residing|based|settled)"
    r"(?: down| alone| together| abroad)* (?:in|at|near|on|outside)|stopped living in|moved out of|"
    r"is (?:now )?(?:at home|based) in) (?P<value>.+)$",
    re.I,
)


_DWELLING: Final = re.compile(
    r"^(?:an? |the |his |her |their )?(?:[\w'-]+ ){0,2}(?:flat|apartment|house|cottage|village|town|city|"
    r"country|"
    r"countryside|suburbs?|boat|dorm|studio|loft|island|farm|coast)\b"
)


def _home(statement: Statement, predicate: str) -> Slot | None:
    match = _HOME.match(predicate)
    if not match or not personal(statement.subject):
        return None
    value = clause(match["value"])
    if type_of(value) != "text" or not (value[:1].isupper() or _DWELLING.match(value)):
        return None
    place = re.split(r" (?:with|on|in|for|from|to|at|together|since|last|this) (?=[\w'])", value)[0]
    return filled("home", statement.subject, place)


_WORK: Final = re.compile(
    rf"^(?:(?:is |are )?(?:employed|work|works|working)(?: full[- ]time)?(?: as (?P<t1>.+?))?(?: (?:at|"
    rf"for|with|by) "
    rf"(?P<o1>[A-Z][^,]*))?|{COPULA} (?:now )?(?P<t2>(?:an? |the )?(?:[\w'-]+ ){{0,3}}?{TITLES}\b[^,]*?)"
    r"(?: (?:at|for|with|of) (?P<o2>[A-Z][^,]*))?|(?:started|starting|got|took|accepted|has|began)"
    r"(?: on [\w ]+?)? (?:(?:an? |the |her |his |their )?(?:new )?(?:job|position|post|role|work|working)"
    r"|as)(?: as (?P<t3>.+?)| (?P<t4>(?:an? )?.+?))??(?: (?:at|for|with) (?P<o3>[A-Z][^,]*))?|"
    r"joined (?P<o4>[A-Z][^,]*?)(?: as (?P<t5>.+))?|(?:was|got|been) (?:promoted to|appointed|hired as|made) "
    r"(?P<t6>.+?)(?: (?:at|by|of) (?P<o5>[A-Z].*))?|switched jobs?(?: to (?P<o6>[A-Z].*))?|"
    r"(?:quit|left|resigned from|resigned|retired|was fired|was laid off|lost|stopped working)"
    r"(?: from)?(?: (?:her|his|their|the) (?:[\w-]+ )?(?:job|position|post|role)(?: as (?P<t7>.+?))?)?"
    r"(?: (?:at|for|with|from|by) (?P<o7>[A-Z].*)| (?P<o8>[A-Z].*))?)$"
)


def _work(statement: Statement, predicate: str) -> Slot | None:
    if not personal(statement.subject) or re.search(r"\bjob (?:interview|offer|fair|search|hunt)", predicate):
        return None
    _, predicate = dates_in(clause(predicate))
    predicate = re.sub(r",? (as|at|for|with) (?=[A-Za-z])", r" \1 ", predicate).split(",")[0]
    predicate = re.sub(r"\b(?:now|currently)\b ?", "", predicate).strip()
    predicate = re.sub(r"\s+(?:on|in|since|as of|from)?\s*$", "", predicate.strip())
    match = _WORK.match(predicate)
    if not match:
        return None
    title = " ".join(v for k, v in match.groupdict().items() if v and k.startswith("t"))
    firm = " ".join(v for k, v in match.groupdict().items() if v and k.startswith("o"))
    if re.match(
        r"(?:lost|got|took|has|left)(?! (?:\w+ ){0,3}(?:job|position|post|role)\b)", predicate
    ) and not (firm and predicate.startswith("left")):
        return None
    firm = re.split(r" (?:as|in|on|since|from|after|for) ", firm)[0]
    # Marked apart: a title and an employer do not contradict one another.
    value = {f"as {w}" for w in value_of(title)} | {f"at {w}" for w in value_of(firm)}
    left = bool(re.match(r"(?:quit|left|resigned|retired|was fired|was laid off|lost|stopped)\b", predicate))
    return Slot("work", statement.subject, frozenset(value), over=left)


_BOND: Final = re.compile(
    r"^(?:(?:is|are|got|was|were)(?: now)? (?P<status>single|married|engaged|divorced|widowed|separated|"
    r"dating|seeing|"
    r"in a relationship|in an open relationship)(?: (?:to|with|from))?(?P<p1> [A-Z][\w'-]+)?|"
    r"(?P<verb>married|divorced|dates|(?:started|stopped) (?:dating|seeing)|broke up|split up|separated|"
    r"split)"
    r"(?: (?:with|from))?(?P<p2> [A-Z][\w'-]+)?)\b"
)


def _bond(statement: Statement, predicate: str) -> Slot | None:
    match = _BOND.match(predicate)
    if not match or not personal(statement.subject):
        return None
    status = match["status"] or match["verb"]
    status = re.sub(r"^(?:started|stopped) ", "", status)
    plain = {"seeing": "dating", "dates": "dating", "split": "separated", "split up": "separated"}
    status = "" if status == "broke up" else plain.get(status, status)
    both = " ".join(statement.subject.head) if statement.subject.joint else ""
    return filled("relationship", statement.subject, f"{status} {match['p1'] or match['p2'] or both}")


_AGE: Final = re.compile(
    r"^(?:(?:is|turned|turns) (?P<value>\d{1,3}|[\w-]+)(?: years old| years of age)?)(?:$|,| on | in )"
)


def _age(statement: Statement, predicate: str) -> Slot | None:
    match = _AGE.match(predicate)
    if not match or not personal(statement.subject):
        return None
    return filled("age", statement.subject, match["value"]) if concept(match["value"]).isdigit() else None


_PREFERS: Final = re.compile(
    r"^(?:prefer|prefers|preferred) (?P<a>.+?)(?: (?:over|to|rather than|instead of|more than) (?P<b>.+))?$",
    re.I,
)


_LIKES: Final = re.compile(
    r"^(?:is |are )?(?P<verb>like|likes|love|loves|enjoy|enjoys|adore|adores|dislike|dislikes|hate|hates|"
    r"detest|detests|"
    r"loathe|loathes|despise|despises|stopped liking|stopped enjoying|fell in love with|"
    r"went off|gone off|fell out of love with) (?P<object>.+)$",
    re.I,
)


def _taste(statement: Statement, predicate: str) -> Slot | None:
    if match := _PREFERS.match(predicate):
        chosen, other = clause(match["a"]), clause(match["b"] or "")
        topic = f"{chosen} {other}" if other else chosen.split()[-1]
        return filled(
            "preference", statement.subject, chosen, topic=topic if other or len(chosen.split()) > 1 else ""
        )
    match = _LIKES.match(predicate)
    if not match:
        return None
    against = concept(match["verb"].lower().split()[0]) == "dislike"
    object_ = re.split(r",| because | since | and (?=\w+s\b \w)", match["object"])[0]
    return Slot(
        "attitude", statement.subject, frozenset({"dislike" if against else "like"}), content_stems(object_)
    )


_PASTIME: Final = re.compile(
    r"^(?:(?:is|are)(?: now| currently)?|started|finished|began|stopped) (?P<verb>reading|learning|"
    r"studying|watching) (?P<value>.+)$",
    re.I,
)


def _pastime(statement: Statement, predicate: str) -> Slot | None:
    match = _PASTIME.match(predicate)
    kind = {"studying": "learning"}.get(match["verb"].lower(), match["verb"].lower()) if match else ""
    if match and match["value"].startswith("to "):
        return None  # "learning to swim" and "learning to bake" go together
    return filled(f"current {kind}", statement.subject, clause(match["value"])) if match else None


_FLOOR: Final = re.compile(
    r"^(?:is|are|sits?|(?P<verb>lives?|living|works?|working)) (?:now )?on the (?P<value>[\w-]+) floor\b",
    re.I,
)


def _floor(statement: Statement, predicate: str) -> Slot | None:
    match = _FLOOR.match(predicate)
    return filled("floor", statement.subject, match["value"], topic=match["verb"] or "") if match else None


PERSONAL: Final = (_home, _floor, _bond, _age, _work, _taste, _pastime)

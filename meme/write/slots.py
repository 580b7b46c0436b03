"""What slot a statement fills: the home of a person, the port of a gateway, the date of an appointment.

Flows in: a parsed statement. Flows out: a `Slot`, or None where no slot is known. Will not
compare whole sentences or decide a verdict.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from meme.language.words import stem
from meme.write.statement import NUMBER, TIME, Statement, Subject, content_stems, dates_in, subject_of
from meme.write.wording import CHANGE_VERBS, WEEKDAYS, concept


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that holds a value. Where `single` is true, a new value replaces the old one.

    `subject` is whose slot it is, which for a thing may differ from the grammatical subject
    ("Ops moved that gateway to 9443" is about the gateway). `topic` narrows the kind, `over`
    says that the verb itself ends it ("left Lumen").
    """

    kind: str
    subject: Subject
    value: frozenset[str]
    topic: frozenset[str] = frozenset()
    single: bool = True
    noun_phrase: str = ""
    over: bool = False

    def same_as(self, known: "Slot") -> bool:
        """Whether both are one slot of one subject."""
        kinds = {self.kind, known.kind}
        if len(kinds) > 1 and not ("value" in kinds and kinds <= _WILD):
            return False
        if self.topic and known.topic and not (self.topic <= known.topic or self.topic >= known.topic):
            return False
        return self.subject.matches(known.subject)


_WILD: Final = {"value", "number", "date", "time", "port", "price", "version", "owner", "name", "hours"}

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
_ADVERB: Final = (
    r"(?:now|also|currently|recently|just|still|already|finally|really|actually|always|usually|no longer|"
    r"never|not|"
    r"since|then|too|officially|permanently|temporarily|only|both|probably|definitely|certainly|soon|again)"
)
_ADVERBS: Final = re.compile(
    rf"^(?:(?:{_ADVERB}|does|did|do|doesn't|don't|didn't|hasn't|haven't|used to|may|will(?! be)|would|"
    r"(?:has|have|had)(?= (?:been|now|just|recently|also|already|since|finally|\w+ed|gone|become|begun|"
    r"taken|left|"
    r"quit|got|grown|sold|broken|split|given)\b)|been(?= \w+ed\b))\s+)+",
    re.I,
)
_INNER: Final = re.compile(rf"^(is|are|was|were|has|have)(?:n't)?(?: {_ADVERB})*\s+", re.I)
_COPULA: Final = r"(?:is|are|was|were|'s|will be|has been|have been|became|becomes)"
_TRAILING: Final = re.compile(
    r"\s*,?\s*\b(?:any ?more|any longer|no more|too|as well|now|instead|nowadays|these days|at the moment|"
    r"currently|right now|for now|again|though|actually|after all)\b\s*[.,!]*$",
    re.I,
)
_PERSONAL_ATTRIBUTE: Final = re.compile(
    r"^(?:(?:new|current|home|work|office|private|mobile|cell|main|business|personal|postal|mailing) )*"
    r"(?P<attribute>phone(?: number)?|telephone(?: number)?|mobile(?: number)?|number|e-?mail(?: address)?|"
    r"address|birthday|date of birth|age|height|weight|shoe size|dress size|clothing size|size|blood type|"
    r"time ?zone|nationality|citizenship|salary|boss|manager|supervisor|landlord|dentist|doctor|gp|therapist|"
    r"password|pin|licen[cs]e plate|number plate|middle name|surname|last name|maiden name|nickname|"
    r"username|user ?name|handle|major|hometown|home town|job title|title|employer|job|workplace|home|"
    r"favou?rite .+|first language|native language|star sign|locker(?: number)?|room number|seat)$",
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
        for word in """venue location status password theme region provider host language title address format size mode motto
    captain room speed limit""".split()
    }
    | {"colour": "colour", "phone": "phone", "email": "email"}
)


def slot_of(statement: Statement) -> Slot | None:
    """The slot a statement fills, or None. Denials and endings fill the slot they deny."""
    if statement.mood in ("question", "quoted"):
        return None
    predicate = _plain(statement.predicate)
    for reader in _READERS:
        slot = reader(statement, predicate)
        if slot is not None:
            return slot
    return None


def _plain(predicate: str) -> str:
    """The predicate without its adverbs and negation: "isn't dating Tom any more" → "is dating Tom"."""
    bare = _ADVERBS.sub("", _TRAILING.sub("", predicate))
    return _TRAILING.sub("", _INNER.sub(r"\1 ", bare))


def value_of(text: str) -> frozenset[str]:
    """A value as comparable words: dates as ISO prefixes, numbers without grouping, the rest as stems."""
    dates, rest = dates_in(text)
    times = {re.sub(r"\s", "", t).lower() for t in TIME.findall(rest)}
    numbers = {n.replace(",", "") for n in NUMBER.findall(TIME.sub(" ", rest))}
    words = set(content_stems(NUMBER.sub(" ", TIME.sub(" ", rest))))
    return dates | times | numbers | words | set(re.findall(r"\S+@\S+", text))


def type_of(text: str) -> str:
    """What kind of value opens `text`: "date", "time", "number" or "text"."""
    opening = re.sub(
        r"^(?:(?:on|at|by|for|until|from|in|the|about|around|port|version|v|no|nr|number|a|an)\.? )+",
        "",
        text,
        flags=re.I,
    )
    opening = re.sub(r"^(?:next|this|coming|early|late|mid) ", "", opening, flags=re.I)
    first = re.split(r"[\s,]", opening, maxsplit=1)[0].lower().rstrip("s")
    dates, rest = dates_in("in " + opening)
    opens = dates and opening.split()[0] not in rest.split()
    if first in WEEKDAYS or opens:
        return "date" if first not in ("noon", "midnight") else "time"
    if TIME.match(opening):
        return "time"
    return "number" if re.match(r"[v$€£]?\d", opening, re.I) or concept(first).isdigit() else "text"


def _slot(
    kind: str, subject: Subject, value: str, *, topic: str = "", single: bool = True, phrase: str = ""
) -> Slot:
    return Slot(kind, subject, value_of(value), content_stems(topic), single, phrase)


def _tail(text: str) -> str:
    """A value without the clause that follows it."""
    return re.split(
        r",? (?:because|since|after|when|while|where|so that|so|which|who|and (?=\w+ (?:is|was|has)))\b|"
        r"[;!]|\.(?=\s|$)",
        text,
    )[0]


_HOME: Final = re.compile(
    r"^(?:(?:moved|relocated|moving|relocating)(?: back| over| house| away| home| house| again| permanently)*"
    r"(?: from [^,]+?)? (?:to|into)|(?:is |are )?(?:live|lives|living|reside|resides|residing|based|settled)"
    r"(?: down| alone| together| abroad)* (?:in|at|near|on|outside)|stopped living in|moved out of|"
    r"is (?:now )?(?:at home|based) in) (?P<value>.+)$",
    re.I,
)
_DWELLING: Final = re.compile(
    r"^(?:an? |the |his |her |their )?(?:[\w-]+ ){0,2}(?:flat|apartment|house|cottage|village|town|city|"
    r"country|"
    r"countryside|suburbs?|boat|dorm|studio|loft|island|farm|coast)\b"
)


def _home(statement: Statement, predicate: str) -> Slot | None:
    match = _HOME.match(predicate)
    if not match or not _person(statement.subject):
        return None
    value = _tail(match["value"])
    if type_of(value) != "text" or not (value[:1].isupper() or _DWELLING.match(value)):
        return None
    place = re.split(r" (?:with|on|in|for|from|to|at|together|since|last|this) (?=[\w'])", value)[0]
    return _slot("home", statement.subject, place)


_WORK: Final = re.compile(
    rf"^(?:(?:is |are )?(?:employed|work|works|working)(?: full[- ]time)?(?: as (?P<t1>.+?))?(?: (?:at|"
    rf"for|with|by) "
    rf"(?P<o1>[A-Z][^,]*))?|{_COPULA} (?:now )?(?P<t2>(?:an? |the )?(?:[\w'-]+ ){{0,3}}?{TITLES}\b[^,]*?)"
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
    if not _person(statement.subject):
        return None
    _, predicate = dates_in(_tail(predicate))
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
    if not match or not _person(statement.subject):
        return None
    status = match["status"] or match["verb"]
    status = re.sub(r"^(?:started|stopped) ", "", status)
    plain = {"seeing": "dating", "dates": "dating", "split": "separated", "split up": "separated"}
    status = "" if status == "broke up" else plain.get(status, status)
    both = " ".join(statement.subject.head) if statement.subject.joint else ""
    return _slot("relationship", statement.subject, f"{status} {match['p1'] or match['p2'] or both}")


_AGE: Final = re.compile(
    r"^(?:(?:is|turned|turns) (?P<value>\d{1,3}|[\w-]+)(?: years old| years of age)?)(?:$|,| on | in )"
)


def _age(statement: Statement, predicate: str) -> Slot | None:
    match = _AGE.match(predicate)
    if not match or not _person(statement.subject):
        return None
    return _slot("age", statement.subject, match["value"]) if concept(match["value"]).isdigit() else None


_NAMED: Final = re.compile(
    r"^(?:(?:is|are|was|were) (?:now )?(?:called|named|renamed(?: to)?)) [\"“']?(?P<value>.+?)[\"”']?$"
)


def _name(statement: Statement, predicate: str) -> Slot | None:
    match = _NAMED.match(predicate)
    if match:
        return _slot("name", statement.subject, _tail(match["value"]), phrase=statement.subject_text)
    if statement.subject.head[-1:] == ("name",) and (
        copula := re.match(rf"{_COPULA} (?P<value>.+)$", predicate)
    ):
        owner = subject_of(statement.subject_text.rpartition("'s ")[0])
        return _slot("name", owner, copula["value"])
    return None


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
        chosen, other = _tail(match["a"]), _tail(match["b"] or "")
        topic = f"{chosen} {other}" if other else chosen.split()[-1]
        return _slot(
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
    return _slot(f"current {kind}", statement.subject, _tail(match["value"])) if match else None


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
        return _slot("owner", statement.subject, match["value"], phrase=statement.subject_text)
    if match := _OWNS.match(predicate):
        return _slot("owner", subject_of(match["thing"]), statement.subject_text)
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
    if not match or _person(statement.subject):
        return None
    verb = match["verb"].lower().rstrip("s")
    topic = {"open": "opens", "close": "closes", "closed": "closes"}.get(verb, verb)
    ranged = re.search(r"\bfrom\b.*\b(?:to|until|till)\b|\d\s*[-–]\s*\d", match["value"])
    if topic == "opens" and ranged:
        return _slot("hours", statement.subject, match["value"])
    return _slot("hours", statement.subject, match["value"], topic=topic)


_CHANGED: Final = re.compile(
    rf"^(?:(?:is|are|was|were|has been|have been|got|been|will be) )?(?:being )?{CHANGE_VERBS}"
    r"(?: (?P<thing>(?:the|that|this|our|her|his|their|its|[A-Z]\w*'s) [^,]+?))?(?: over| up| down| back|"
    r" forward| out| on| "
    r"again)*(?: from (?P<old>[^,]+?))? (?:to|for|until|till) (?P<value>.+)$",
    re.I,
)


def _changed(statement: Statement, predicate: str) -> Slot | None:
    match = _CHANGED.match(predicate)
    if not match:
        return None
    value, thing = _tail(match["value"]), match["thing"]
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
    return "value" if re.search(r"\b(?:changed|switched|set|updated)\b", predicate) else ""


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


_VALUED: Final = re.compile(
    rf"^(?:{_COPULA}(?: now)?(?: (?:scheduled|booked|planned|set|due|fixed|on for|arranged))?|"
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
    if match := _HAS.match(predicate):
        return _thing(f"{statement.subject_text}'s {match['thing']}", match["value"], type_of(match["value"]))
    if (match := _COUNT.match(predicate)) and type_of(match["n"]) == "number":
        return _slot("count", statement.subject, match["n"], topic=match["thing"])
    match = _VALUED.match(predicate)
    if not match:
        return None
    value = _tail(match["value"])
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


def _person(subject: Subject) -> bool:
    return subject.animate or not subject.head


_READERS: Final[tuple[Callable[[Statement, str], Slot | None], ...]] = (
    _name,
    _home,
    _bond,
    _age,
    _work,
    _taste,
    _pastime,
    _owner,
    _hours,
    _changed,
    _valued,
)

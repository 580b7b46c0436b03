"""A slot and the value in it, as comparable words.

Flows in: predicates and values as text. Flows out: slots, values, kinds of value. Will not
decide which slot a sentence fills.
"""

import re
from dataclasses import dataclass
from typing import Final

from meme.write.reconcile_by_rule.statement import NUMBER, TIME, Subject, content_stems, dates_in
from meme.write.reconcile_by_rule.wording import WEEKDAYS, concept


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


COPULA: Final = r"(?:is|are|was|were|'s|will be|has been|have been|became|becomes)"


_TRAILING: Final = re.compile(
    r"\s*,?\s*\b(?:any ?more|any longer|no more|too|as well|now|instead|nowadays|these days|at the moment|"
    r"currently|right now|for now|again|though|actually|after all)\b\s*[.,!]*$",
    re.I,
)


def plain_predicate(predicate: str) -> str:
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


def filled(
    kind: str, subject: Subject, value: str, *, topic: str = "", single: bool = True, phrase: str = ""
) -> Slot:
    """A slot filled with a value and topic given as text."""
    return Slot(kind, subject, value_of(value), content_stems(topic), single, phrase)


def clause(text: str) -> str:
    """A value without the clause that follows it."""
    return re.split(
        r",? (?:because|since|after|when|while|where|so that|so|which|who|and (?=\w+ (?:is|was|has)))\b|"
        r"[;!]|\.(?=\s|$)",
        text,
    )[0]


def personal(subject: Subject) -> bool:
    """Whether a slot of a person can be meant."""
    return subject.animate or not subject.head

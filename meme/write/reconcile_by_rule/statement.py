"""One restated sentence taken apart: who it is about, what is said, and how it is meant.

Flows in: the text of a fact or entry. Flows out: a frozen `Statement` that two texts can be
compared by. Will not resolve pronouns, translate, or judge which of two statements holds.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from meme.language.words import fold, words
from meme.write.reconcile_by_rule.wording import (
    ANIMATE,
    CHANGES,
    DETERMINERS,
    LIGHT,
    MONTHS,
    NOUNISH,
    PREDICATE_STARTS,
    REWRITES,
    WEEKDAYS,
    concept,
)

LEAD: Final = re.compile(
    r"^(?:(?:actually|correction|sorry|also|besides|by the way|well|oh|no|wait|oops|update|anyway|so|and|"
    r"but|ok|"
    r"okay|hey|yes|in addition|additionally|apparently|unfortunately|luckily|finally|recently|"
    r"please|now|currently|today|yesterday|meanwhile|these days|nowadays)\s*[,:;–-]\s*|also (?=[a-z])|"
    r"(?:on|in|as of|since|from|by|after|before|last|this|next|at|until)\b[^,]{2,40},\s+)",
    re.I,
)
TIME: Final = re.compile(r"\b\d{1,2}(?::\d\d)(?:\s?[ap]m)?\b|\b\d{1,2}\s?[ap]m\b", re.I)
NUMBER: Final = re.compile(r"\d+(?:[.,:/-]\d+)*")
_MONTH: Final = "(" + "|".join(f"{name}|{name[:3]}" for name in MONTHS) + r")\.?"
DATE_FORMS: Final = (
    re.compile(r"\b(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)\b"),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m>{_MONTH})(?:,? (?P<y>\d{{4}}))?\b", re.I),
    re.compile(rf"\b(?P<m>{_MONTH}) (?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,? (?P<y>\d{{4}}))?\b", re.I),
    re.compile(rf"\b(?P<m>{_MONTH})(?: of)?,? (?P<y>\d{{4}})\b", re.I),
    re.compile(r"\b(?:in|since|until|by|of|from|year) (?P<y>(?:19|20)\d\d)\b", re.I),
)
QUESTION: Final = re.compile(
    r"\?\s*[\"”']?$|\b(?:asked|asks|wonders|wondered|is wondering|wants to know|unsure|not sure)\b.*"
    r"\b(?:whether|if|what|who|which|when|where|why|how|about)\b",
    re.I,
)
QUOTED: Final = re.compile(
    r"\b(?:said|says|wrote|writes|texted|posted|tweeted|told|claims?|claimed|thinks|believes|heard|"
    r"mentioned|joked|dreamed|dreamt|pretended|imagined|quoted|according to|rumou?r|suspects?|guesses)\b",
    re.I,
)
PLANNED: Final = re.compile(
    r"\b(?:plans?|planning|planned|intends?|hopes?|hoping|hoped|wants?|wanted|would|wish(?:es)?|considers?|"
    r"considering|thinking (?:of|about)|going to|will|might|(?-i:may)|about to|looking (?:for|into|at)|"
    r"appl(?:ied|ying) "
    r"|dream(?:s|ing) of|if|unless|is moving|is relocating|offered|interviewed|almost|nearly)\b",
    re.I,
)
REPORT: Final = re.compile(
    r"^(?P<who>[^,:\"]{1,40}?) (?:said|says|mentioned|mentions|confirmed|reported|announced|shared|"
    r"stated|noted|"
    r"explained|told \w+) (?:that )?(?:she|he|they|(?P=who)) (?P<rest>.+)$",
    re.I,
)
NEGATED: Final = re.compile(r"\b(?:not|never|no longer|cannot|no|nor|neither|none)\b|n't\b", re.I)
ENDED: Final = re.compile(
    r"\b(?:no longer|any ?more|any longer|no more|used to(?! \w+ing)|stopped \w+ing|stopped (?:the|her|"
    r"his|their)|"
    r"quit|quits|gave up|given up|cancel(?:l?ed|s|l?ing)|sold|got rid of|gave away|broke up|broken up|"
    r"split up|"
    r"split from|called off|dropped out of|dropped|ended|is over|unsubscribed|unfollowed|resigned|"
    r"was (?:fired|laid off|let go|sacked)|lost (?:her|his|their|the) job|moved out of|retired from|"
    r"has gone off|went off|finished reading|finished watching|finished learning|terminated|abandoned)\b",
    re.I,
)
WRONG: Final = re.compile(
    r"\b(?:(?:that|it|this|which)?\s*(?:is|was) (?:wrong|false|incorrect|untrue|a mistake|an error|mistaken|"
    r"not true|not right|not correct))\b|\b(?:wasn't|isn't) (?:true|right|correct)\b",
    re.I,
)
CORRECTION: Final = re.compile(
    r"^\W*(?:actually|correction|sorry|oops|i meant|i mean|no,|wait|scratch that|rather)\b|"
    r"\b(?:meant|misspoke|mistyped|typo|corrected|corrects|correcting|correction)\b|\bactually\b",
    re.I,
)
DISCOURSE: Final = re.compile(r"\b(?:also|too|as well|besides|additionally|in addition)\b", re.I)
COUNTING: Final = re.compile(
    r"\b(?:another|(?:second|third|fourth)(?! floor)|other|additional|extra|one more|again|"
    r"part-time|on the side|"
    r"side job)\b",
    re.I,
)
NOW: Final = re.compile(
    r"\b(?:now|nowadays|these days|currently|instead|meanwhile|as of|from now on)\b", re.I
)
CONTRAST: Final = (
    re.compile(r"\bnot (?P<old>[^,.;]{1,40}?),? but (?:rather )?(?P<new>[^.;]+)", re.I),
    re.compile(
        r",?\s+(?:and )?not (?:in |on |at |for |to |the )*(?P<old>[A-Z0-9][^,.;]{0,40})(?P<new>)[.;]?$"
    ),
    re.compile(
        r",\s+(?:and )?not (?:in |on |at |for |to |the )*(?P<old>\d[^,.;]{0,25}|[A-Z][\w'-]+)(?P<new>(?=, ))"
    ),
    re.compile(
        r",?\s+(?:instead of|rather than) (?:in |on |at |the )*(?P<old>[^,.;]{1,40})(?P<new>)[.;]?$", re.I
    ),
)
FORGET: Final = re.compile(
    r"^\W*(?:please )?(?:[\w' ]{0,30}?\b(?:asks?|asked|wants?|wanted|would like|requests?|"
    r"requested)\b[\w' ]{0,30}?)?"
    r"\b(?:forget|forgotten|delete|deleted|erase|erased|remove|removed|discard|wipe|unremember|(?:not|"
    r"don't) remember|"
    r"stop remembering|vergiss|vergessen|lösche?n?|oublie[rz]?|olvida|elimina|dimentica|borra)\b",
    re.I,
)
_FORGET_LEAD: Final = re.compile(
    FORGET.pattern
    + r"(?:\s+(?:that|about|what|everything|anything|the fact that|the memory that|the entry that))*",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Who or what a statement is about: its nouns and names, and whose it is ("Alice's sister")."""

    head: tuple[str, ...] = ()
    owner: tuple[str, ...] = ()
    animate: bool = False
    named: bool = False
    joint: bool = False

    def matches(self, other: "Subject") -> bool:
        """Whether both may be the same: equal, a shorter name of the same, or an ownerless mention."""
        mine, theirs = set(self.head), set(other.head)
        if not mine or not theirs or not (mine <= theirs or theirs <= mine):
            return False
        if other.joint and not mine >= theirs:
            return False  # what is said of Alice alone does not replace what is said of Alice and Tom
        if self.owner and other.owner:
            return bool(set(self.owner) & set(other.owner))
        return not (self.owner or other.owner) or not self.animate or bool(self.named or other.named)


@dataclass(frozen=True, slots=True)
class Statement:
    """A text taken apart. `content` holds the stems that carry meaning, subject included."""

    text: str
    subject: Subject
    subject_text: str
    predicate: str
    content: frozenset[str]
    verb: str
    dates: frozenset[str]
    times: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    mood: str  # asserted | planned | quoted | question
    negated: bool
    ended: bool
    wrong: bool
    correction: bool
    additive: bool
    counting: bool
    now: bool
    forget: bool
    replaced: frozenset[str]
    replaced_text: str

    @property
    def details(self) -> frozenset[str]:
        """What must never get lost: dates, times, numbers and names."""
        return self.dates | self.times | self.numbers | self.names

    @property
    def denies(self) -> bool:
        """Whether it says that something is not, or no longer, so."""
        return self.negated or self.ended or self.wrong


def dates_in(text: str) -> tuple[frozenset[str], str]:
    """Dates written out in `text` as ISO prefixes ("2025-06", "06-03"), and the text without them."""
    found: set[str] = set()

    def take(match: re.Match[str]) -> str:
        parts = match.groupdict()
        year, month, day = parts.get("y"), parts.get("m"), parts.get("d")
        number = month if month is None or month.isdigit() else f"{_month(month):02}"
        found.add("-".join(part for part in (year, number, day and f"{int(day):02}") if part))
        return " "

    for form in DATE_FORMS:
        text = form.sub(take, text)
    return frozenset(found), text


def _month(name: str) -> int:
    return next(i for i, month in enumerate(MONTHS, 1) if month.startswith(name.lower()[:3]))


def content_stems(text: str) -> frozenset[str]:
    """Stems that carry meaning, synonyms folded, dates and light words left out."""
    _, rest = dates_in(text)
    kept = (concept(word) for word in words(rest))
    return frozenset(stem for stem in kept if stem and stem not in LIGHT)


@lru_cache(maxsize=20_000)
def parse(text: str) -> Statement:
    """Take one sentence apart; a text with nothing in it gives an empty statement."""
    raw = re.sub(r"\s+", " ", text.replace("’", "'")).strip()
    forget = bool(FORGET.search(raw))
    affirmed, replaced = _contrast(raw)
    body = _FORGET_LEAD.sub("", affirmed) if forget else affirmed
    body = _canonical(body)
    dates, undated = dates_in(body)
    subject_text, predicate = split_subject(body)
    times = frozenset(re.sub(r"\s", "", t).lower() for t in TIME.findall(undated))
    numbers = frozenset(_plain(n) for n in NUMBER.findall(TIME.sub(" ", undated)))
    spelled = frozenset(c for w in words(undated) if (c := concept(w)).isdigit())
    return Statement(
        text=raw,
        subject=subject_of(subject_text),
        subject_text=subject_text,
        predicate=predicate,
        content=content_stems(body),
        verb=_verb(predicate),
        dates=dates,
        times=times | frozenset(day for w in words(body) if (day := w.rstrip("s")) in WEEKDAYS),
        numbers=numbers | spelled,
        names=_names(predicate),
        mood=_mood(raw, body, predicate),
        negated=bool(NEGATED.search(re.sub(r"\bno one\b", "", predicate))),
        ended=bool(ENDED.search(predicate)),
        wrong=bool(WRONG.search(body)),
        correction=bool(CORRECTION.search(raw)) or bool(replaced),
        additive=bool(DISCOURSE.search(raw)),
        counting=bool(COUNTING.search(body)),
        now=bool(NOW.search(raw)) or bool(CHANGES.search(body)),
        forget=forget,
        replaced=content_stems(replaced) | dates_in(replaced)[0],
        replaced_text=replaced,
    )


def _contrast(text: str) -> tuple[str, str]:
    """The text with the refuted half of a contrast taken out, and that half ("15, not 12" → "15", "12")."""
    for form in CONTRAST:
        match = form.search(text)
        if match and not re.search(r"\bprefers?\b", text):
            return form.sub(lambda m: m["new"], text, count=1).strip(), match["old"].strip(" .")
    return text, ""


def _canonical(text: str) -> str:
    """Without introductions and reports; first person as "The user", set phrases as plain verbs."""
    while (shorter := LEAD.sub("", text)) != text:
        text = shorter
    for pattern, plain in REWRITES:
        text = pattern.sub(plain, text)
    report = REPORT.match(text)
    return f"{report['who']} {report['rest']}" if report else text


def _mood(raw: str, body: str, predicate: str) -> str:
    if QUESTION.search(raw):
        return "question"
    if QUOTED.search(body):
        return "quoted"
    return "planned" if PLANNED.search(predicate) else "asserted"


def _plain(number: str) -> str:
    grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", number)
    return number.replace(",", "") if grouped else number


def split_subject(text: str) -> tuple[str, str]:
    """The noun phrase before the first verb, and the rest; an empty subject where none can be told."""
    tokens = text.strip().rstrip(".!").split()
    for i, token in enumerate(tokens):
        bare = fold(token.strip(",;:\"'()"))
        if _starts_predicate(bare, i, tokens):
            return " ".join(tokens[:i]).strip(" ,"), " ".join(tokens[i:])
    return "", " ".join(tokens)


def _starts_predicate(bare: str, i: int, tokens: list[str]) -> bool:
    if tokens[i][:1].isupper() and i > 0 and not bare.endswith("n't"):
        return False
    if bare in NOUNISH and fold(tokens[0]) in DETERMINERS and fold(before := tokens[i - 1]) != "user":
        after = fold(tokens[i + 1]) if i + 1 < len(tokens) else ""
        if bare.endswith("s") and (before[:1].isupper() or after in ("on", "at", "every", "a", "the")):
            return True  # "the API runs", "the database runs on"
        return before.endswith("s") and not before.endswith("'s")  # "the dogs love" but "the Pro plan costs"
    if bare in PREDICATE_STARTS or bare.endswith("n't"):
        return not (i == 0 and bare in DETERMINERS)
    if i == 0 or bare in DETERMINERS:
        return False
    before = tokens[i - 1]
    after_name = (before[:1].isupper() and not before.endswith(("'s", "s'"))) or fold(before) == "user"
    if after_name and fold(before) not in DETERMINERS:
        return bare.endswith(("s", "ed")) and not bare.endswith("'s")
    return bare.endswith("ed") and len(bare) > 4


@lru_cache(maxsize=20_000)
def subject_of(text: str) -> Subject:
    """The subject a noun phrase names: "Alice's sister Anna" → sister, anna; owner alice."""
    owner_text, _, rest = text.rpartition("'s ") if "'s " in text else ("", "", text)
    if not owner_text and (of := re.match(r"(?:the )?([\w -]+?) (?:of|for) (.+)$", text, re.I)):
        rest = f"{of[2]} {of[1]}"
    joint = bool(re.search(r"\w (?:and|&) \w", rest))
    tokens = [w for w in rest.split() if fold(w) not in DETERMINERS and w not in ("and", "&")]
    head = tuple(c for w in words(" ".join(tokens)) if (c := concept(w)) and c not in LIGHT)
    owner = tuple(c for w in words(owner_text) if w not in DETERMINERS and (c := concept(w)))
    definite = fold(text.split()[0]) in DETERMINERS if text else False
    named = bool(tokens) and tokens[-1][:1].isupper() and not (definite and not owner and len(tokens) == 1)
    person = (
        named
        and (all(w[:1].isupper() for w in tokens) or bool(set(head) & ANIMATE))
        and not (definite and not owner)
    )
    animate = bool(head) and (person or head[-1] in ANIMATE)
    return Subject(head, owner, animate=animate, named=named, joint=joint)


def _verb(predicate: str) -> str:
    plain = (w for w in words(predicate) if not (w.endswith("ly") and len(w) > 4))
    return next((c for w in plain if (c := concept(w)) and c not in LIGHT), "")


def _names(predicate: str) -> frozenset[str]:
    _, undated = dates_in(predicate)
    found = re.findall(r"\b[A-Z][\w'-]*", undated)
    plain = (fold(name.removesuffix("'s")) for name in found)
    return frozenset(p for p in plain if p.rstrip("s") not in WEEKDAYS and p not in MONTHS and p != "i")

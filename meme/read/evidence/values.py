"""The value a sentence gives to a question: a date, a place, a person, a number, a stretch of time.

Flows in: a read question and a fitting sentence. Flows out: a phrase in the sentence's wording, or None.
Will not choose among statements: `answer_by_rule.py` does.
"""

import re
from datetime import datetime
from typing import Final

from meme.language.concepts import concept, concept_set, reworded
from meme.language.names import persons as person_names
from meme.language.questions import Question
from meme.language.questions.mentions import same_name
from meme.language.times import Spotted, render, spot
from meme.language.times.spans import render_day
from meme.language.words import fold, words
from meme.read.evidence.asked import (
    AGE_ASKED,
    HOUR_ASKED,
    MAKER_ASKED,
    ORIGIN_ASKED,
    TITLE_ASKED,
    asks_age,
)
from meme.read.evidence.fit import Fit
from meme.read.evidence.numbers import age_in, count_in, duration_in, number_in
from meme.read.evidence.places import origin_in, place_in
from meme.read.evidence.relations import asks_trade, identity_asked, kin_asked, occupation_in
from meme.read.evidence.statements import Statement
from meme.records import Happened

_REASON: Final = re.compile(
    r"\b(?:because(?: of)?|'?cause|since|due to|thanks to|in order to|so that|so (?=(?:I|we|he|she|they)\b)"
    r"|as (?=(?:it|he|she|they|I)\b))\s+(?P<why>[^.!?;]+)",
    re.IGNORECASE,
)
_PURPOSE: Final = re.compile(r"(?<!\w)(?P<why>(?:to|for)\s+[a-z][^.!?;,]+)", re.IGNORECASE)


def value_of(question: Question, statement: Statement, sentence: str) -> str | None:
    """The short answer `sentence` gives to `question`, or None when it carries no value of the asked kind."""
    match question.kind:
        case "when":
            return _hour(sentence) if HOUR_ASKED.search(question.text) else date_in(statement, sentence)
        case "where":
            if ORIGIN_ASKED.match(question.text):
                return origin_in(sentence)
            return place_in(question, statement, sentence)
        case "who":
            what = complement_in(question, sentence)
            if what or identity_asked(question) or kin_asked(question):
                return what
            return _maker(question, sentence) or person_in(question, statement, sentence)
        case "how_many":
            return _age(statement, sentence) if asks_age(question) else count_in(question, sentence)
        case "how_long":
            return duration_in(sentence)
        case "why":
            return reason_in(question, sentence)
        case _:
            return (
                (occupation_in(sentence) if asks_trade(question) else None)
                or _named(question, sentence)
                or complement_in(question, sentence)
                or _shown(question, sentence)
                or _titled(question, sentence)
            )


def _hour(sentence: str) -> str | None:
    clock = _CLOCK.search(sentence)
    return clock[0] if clock else None


def _age(statement: Statement, sentence: str) -> str | None:
    """An age told, or the number that "How old is she?" was answered with."""
    replied = AGE_ASKED.search(statement.asked) and statement.sentences[:1] == (sentence,)
    return age_in(sentence) or (number_in(sentence) if replied else None)


_OBJECT: Final = re.compile(
    r"(?P<what>(?:(?:an?|the|some|my|our|his|her|their)\s+|(?:\d+|[a-z]+)\s+)?[^\W_][^.,;!?()]*)"
)
_OBJECT_END: Final = re.compile(
    r"\s+(?:(?:and|but|so|or)\s+(?:I|we|you|he|she|they|it|there|nothing|everything|everyone|nobody|then|is|was|has|[A-Z])\b"
    r"|(?:but|so|because|since|when|while|where|which|who|that|for|on|in|at|from|with|as|to|during|after|before"
    r"|last|this|next|yesterday|today|recently|again)\b).*$"
)
_NO_OBJECT: Final = re.compile(
    r"^(?:to|in|on|at|for|from|with|of|by|up|out|off|over|it|him|her(?=\s*$)|them|this|that|these|those|me|us|you|so|very|by|"
    r"sure|and|or|but|not|there|here)\b",
    re.IGNORECASE,
)


def object_in(question: Question, sentence: str) -> str | None:
    """What the asked verb is done to: "four bowls" in "Alice made four bowls"; None where more is asked."""
    if not _PERFECT.search(question.text) or not question.verb:
        return None
    if not set(question.keys) <= {question.verb, *question.asked}:
        return None
    for match in re.finditer(r"[^\W\d_]+(?:['’][^\W\d_]+)?", sentence):
        if concept(fold(match[0])) != question.verb:
            continue
        rest = sentence[match.end() :].lstrip()
        found = _OBJECT.match(rest)
        if found is None or _NO_OBJECT.match(rest):
            return None
        what = _OBJECT_END.sub("", found["what"].strip())
        return re.sub(r"^(?:an?|the|some|my|our|his|her|their)\s+", "", what) or None
    return None


# "What has Alice made?" asks for every thing.
_PERFECT: Final = re.compile(r"^\s*(?:what|which)\b[^?]*?\b(?:has|have)\b", re.IGNORECASE)


def named_reply(question: Question, fit: Fit) -> list[str]:
    """ "Churro" where "What's his name?" was answered with it, about what the question names."""
    statement = fit.statement
    opens = statement.sentences[:1] == (fit.sentence,)
    if not opens or fit.missing or not _NAME.search(statement.asked) or not _NAME.search(question.text):
        return []
    match = re.match(
        r"(?:(?:(?:he|she|it)(?:'s|’s| is)|(?:his|her|its) name is)\s+(?:called\s+)?)?"
        r"(?P<name>[A-ZÀ-Þ][\w'’-]*(?:\s[A-ZÀ-Þ][\w'’-]*)*)",
        fit.sentence,
        re.IGNORECASE,
    )
    return [match["name"]] if match and match["name"][:1].isupper() else []


_NAME: Final = re.compile(r"\b(?:names?|called|named)\b", re.IGNORECASE)
_BY: Final = re.compile(r"\bby\s+(?P<name>[A-ZÀ-Þ][\w'’-]*\.?(?:\s+[A-ZÀ-Þ][\w'’-]*\.?(?=\s|$|[^\w.]))*)")


def _maker(question: Question, sentence: str) -> str | None:
    """ "Susanna Clarke" in '"Piranesi" by Susanna Clarke', where it is asked who wrote it."""
    match = _BY.search(sentence) if MAKER_ASKED.search(question.text) else None
    return match["name"].rstrip(".") if match else None


_TITLED: Final = concept_set("book novel song movie film show series album")


def _titled(question: Question, sentence: str) -> str | None:
    """The quoted titles where a book, a film or a song is asked."""
    if not (set(question.asked) & _TITLED or TITLE_ASKED.search(question.text)) or question.kind not in (
        "what",
        "which",
        "list",
    ):
        return None
    found = [f'"{title.strip(_MARKS)}"' for title in re.findall(r"[\"“]([^\"“”]+)[\"”]", sentence)]
    return " and ".join(title for title in found if fold(title) not in fold(question.text)) or None


_MARKS: Final = " ,.!?"


_BE: Final = r"(?:is|are|was|were|ist|sind|war|est|sont|es|son|è|sono|é|são)"
_COPULA: Final = re.compile(rf"\s{_BE}\s+(?P<what>(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St)\.|[^.!?;]|[.!?](?=\w))+)")


def complement_in(question: Question, sentence: str) -> str | None:
    """What the asked thing is: "green" in "Alice's favorite color is green"; None without such a clause."""
    match = _COPULA.search(sentence)
    if match is None or not re.search(rf"\b{_BE}\b", question.text.casefold()):
        return None
    before = {concept(word) for word in words(reworded(sentence[: match.start()]))}
    wanted = set(question.keys) | set(question.asked)
    what = re.sub(r"^(?:a|an|the)\s+", "", match["what"].strip(" ,"))
    if not wanted and not _NOUN_PHRASE.match(match["what"].strip()):
        return None  # what somebody is doing is not what they are
    introduced = bool(question.subjects) and any(
        same_name(question.subjects[0], sentence[:end].strip()) for end in (match.start(),)
    )  # "Who is Clara?"
    if not (wanted or introduced) or not wanted <= before or wanted & {concept(word) for word in words(what)}:
        return None
    return what


_NOUN_PHRASE: Final = re.compile(r"(?:an?|the|one of|\w+['’]s|his|her|their|my|our)\s|[A-ZÀ-Þ]")
_NAMED: Final = re.compile(
    r"\b(?:named|called)\s+(?P<name>[\"“]?[^\W\d_a-z][\w'’-]*(?:\s[^\W\d_a-z][\w'’-]*)*[\"”]?)"
)


def _named(question: Question, sentence: str) -> str | None:
    """The name where a name is asked: "Rex" in "a dog named Rex"."""
    match = (
        _NAMED.search(sentence) if re.search(r"\b(?:names?|named|called)\b", fold(question.text)) else None
    )
    return match["name"] if match else None


_SHOWN: Final = re.compile(
    r"\b(?:shared|showed|posted|sent)\s+an?\s+(?:image|photo|picture)\s*:\s*(?P<what>[^.!?]+)"
)


def _shown(question: Question, sentence: str) -> str | None:
    match = _SHOWN.search(sentence)
    return match["what"].strip() if match and question.verb in _SHOWING else None


_SHOWING: Final = concept_set("share show post send")


_CLOCK: Final = re.compile(
    r"\b\d{1,2}:\d{2}(?:\s*[ap]\.?m\b\.?)?|\b\d{1,2}\s*(?:[ap]\.?m\b\.?|o['’]clock)|\bnoon\b|\bmidnight\b",
    re.IGNORECASE,
)


def date_in(statement: Statement, sentence: str) -> str | None:
    """The date a sentence names, relative ones counted from when it was said; else the entry's own."""
    for one in spot(sentence, statement.said_at):
        if one.happened is not None:
            if _YEARLY.search(sentence) and not re.search(r"\d{4}", one.phrase):
                return re.sub(r"^on\s+", "", one.phrase.strip())
            return _in_words(one, one.happened, statement.said_at)
    if statement.happened is not None:
        return render(statement.happened)
    return None


def _in_words(spotted: Spotted, happened: Happened, said_at: datetime) -> str:
    """ "last week" becomes "the week before 9 June 2023": exact without claiming a day nobody named."""
    phrase = fold(spotted.phrase).strip()
    day = render_day(said_at.date())
    written = re.sub(r"^(?:on|in|at|during|over|since)\s+", "", spotted.phrase.strip(), flags=re.IGNORECASE)
    if not spotted.relative and happened.precision not in ("day", "month", "year"):
        return written
    for pattern, wording in _RELATIVE:
        match = re.fullmatch(pattern, phrase)
        if match:
            return wording.format(*match.groups(), day=day)
    return render(happened)


# A birthday has no year.
_YEARLY: Final = re.compile(
    r"\b(?:birthday|anniversary|every year|annual(?:ly)?)\s+(?:is|falls)\b", re.IGNORECASE
)
_RELATIVE: Final = (
    (r"(?:in the |the )?(?:last|past) (week|weekend)", "the {0} before {day}"),
    (r"(?:this|the) past (week|weekend)", "the {0} before {day}"),
    (r"(?:over )?(?:this|the) (week|weekend)", "the {0} of {day}"),
    (r"next (week|weekend)", "the {0} after {day}"),
    (r"(a couple of|a few|several|two|three|four|2|3|4) (days|weeks|weekends) ago", "{0} {1} before {day}"),
    (r"the other (day|week)", "a few days before {day}"),
)


_ROLE: Final = re.compile(
    r"\b(?:my|our|his|her|their|a|an|the|some|several|close|\w+['’]s)\s+(?:\w+\s+){0,2}?(?:mom|mum|mother|dad|father|parents|"
    r"grandma|grandmother|grandpa|grandfather|aunt|uncle|cousin|brother|sister|siblings|son|daughter|kids|children|husband|wife|"
    r"partner|boyfriend|girlfriend|fianc[eé]e?|friends?|family|fam|colleagues?|coworkers?|boss|manager|teacher|mentors?|neighbou?rs?|"
    r"coach|doctor|team|group|teammates?|students?|buddy|niece|nephew|roommate|people|community)\b",
    re.IGNORECASE,
)


def person_in(question: Question, statement: Statement, sentence: str) -> str | None:
    """Somebody named other than those asked about, else somebody named by a role ("her mother")."""
    asked = question.persons
    named = [name for name in person_names(sentence) if not any(same_name(name, p) for p in asked)]
    named = [name for name in named if not statement.speaker or not same_name(name, statement.speaker)]
    named = [name for name in named if not _called(sentence, name)]
    if named:
        return " and ".join(named[:2]) if len(named) == 2 and re.search(
            rf"{re.escape(named[0])}\s+and\s+{re.escape(named[1])}", sentence) else named[0]  # fmt: skip
    for match in _ROLE.finditer(sentence):
        phrase = re.sub(r"^(?:my|our|a|an|the)\s+", "", match[0], flags=re.IGNORECASE)
        if not {concept(w) for w in words(phrase)} <= set(question.keys):
            return phrase
    if (
        not question.subjects
        and statement.speaker
        and not any(same_name(statement.speaker, p) for p in asked)
    ):
        return statement.speaker
    return None


def _called(sentence: str, name: str) -> bool:
    """Whether `name` is only called to: "Thanks, Alice!"."""
    return bool(
        re.search(rf"(?:^|[,!?.]\s*|\b[Hh](?:ey|i)\s+|\bThanks\s+){re.escape(name)}\s*(?:[,!?.]|$)", sentence)
    )


def reason_in(question: Question, sentence: str) -> str | None:
    """What follows "because" or its like, else a purpose, else None."""
    match = _REASON.search(sentence)
    if match:
        return match["why"].strip(" ,")
    for found in _PURPOSE.finditer(sentence):
        if not {concept(w) for w in words(found["why"])} & set(question.keys):
            return found["why"].strip(" ,")
    return None

"""Short phrases of a sentence that may be an answer, and how well each fits a question.

Flows in: a sentence and a read question. Flows out: phrases in the sentence's own wording with their worth.
Will not resolve dates or check whom the sentence is about.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from meme.language.concepts import concept, concept_set, concepts, reworded, word_set
from meme.language.questions import Question
from meme.language.words import STOPWORDS, fold

_TOKEN: Final = re.compile(r"[\"“”]|[^\W_]+(?:['’.-][^\W_]+)*[+%]?|[,;:!?…()—–.]|-{1,2}|&")
_HARD: Final = word_set(
    """but so because cause since which who whose that when while where if though although then as than
    plus"""
)
_PREPOSITIONS: Final = word_set(
    """to for with at in on from by about during after before into of over near through like"""
)
_SOFT: Final = _PREPOSITIONS | {"and", "or", "&"}
_PRONOUNS: Final = word_set(
    """i i'm i've i'd i'll you you're you've your we we're we've he she they it it's me us him them this
    that there he's she's they're"""
)
_FILLER: Final = word_set(
    """yeah yes no wow hey hi thanks thank sure really just also totally definitely absolutely super so
    very pretty cool awesome great glad nice good sounds actually well oh haha lol gonna wanna maybe
    recently currently now today always still even already even check let know think guess been being be
    is are was were has have had do did does am can could will would should may might got get n't not
    lot's here's"""
)
_DETERMINERS: Final = word_set("a an the my our his her their its some these those your")
_LINKS: Final = _DETERMINERS | word_set(
    """to for with at in on from by about of and or & that is are was were be as"""
)
_TIMES: Final = word_set(
    """yesterday today tomorrow last next this recently now ago tonight week weekend month year day night
    morning monday tuesday wednesday thursday friday saturday sunday fri sat sun"""
)


@dataclass(frozen=True, slots=True)
class Token:
    """One word or mark of a sentence; `key` when the question says it too."""

    text: str
    start: int
    end: int
    folded: str
    key: bool
    word: bool


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of a sentence and how well it answers; `worth` only compares."""

    text: str
    worth: float


def tokenise(sentence: str, question: Question) -> list[Token]:
    """The words and marks of `sentence`, those marked that the question says too."""
    names = frozenset(part for person in question.persons for part in fold(person).split())
    keys = set(question.keys) | set(question.asked) | set(concepts(question.text))
    found: list[Token] = []
    for match in _TOKEN.finditer(sentence):
        folded = fold(match[0])
        word = folded[:1].isalnum()
        bare = folded.removesuffix("'s")
        key = word and (bare in names or (folded not in STOPWORDS and concept(reworded(folded)) in keys))
        found.append(Token(match[0], match.start(), match.end(), folded, key, word))
    return found


# When something was is no part of what it was: "a cat on 10 October 2025".
_DATED: Final = re.compile(
    r"\s(?:(?:on|in|since|by|until|from|at)\s+)?(?:the\s+(?:night|morning|evening|afternoon|week|weekend|day|end|start|"
    r"beginning)\s+(?:of|before|after|in)\s+)?(?:\d{1,2}\s+)?(?:January|February|March|April|May|June|July|August|"
    r"September|October|November|December)\s+\d{4}\b"
    r"|\s(?:(?:on|since|by|until|from)\s+)?(?:last|next)\s+(?:week(?:end)?|month|year|night|summer|winter|spring|autumn"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b|\s(?:yesterday|\w+\s+(?:days|weeks|months|years)\s+ago)\b"
)


def phrases(sentence: str, question: Question) -> list[Phrase]:
    """Every phrase of `sentence` that may be an answer, best first."""
    tokens = tokenise(_DATED.sub(lambda m: "." + " " * (len(m[0]) - 1), sentence), question)
    found: dict[str, float] = {}
    for first, last in windows(tokens):
        if _only_time(tokens[first : last + 1]):
            continue  # "June 2025" is no thing, place or person
        text = trimmed(tokens, first, last, sentence)
        worth = sum(
            WEIGHTS.get(name, 0.0) * value for name, value in features(tokens, first, last, question).items()
        )
        if text and worth > found.get(text, -99.0):
            found[text] = worth
    return sorted((Phrase(text, worth) for text, worth in found.items()), key=lambda p: -p.worth)


def _only_time(inside: list[Token]) -> bool:
    said = [t.folded for t in inside if t.word and t.folded not in _LINKS and t.folded not in _FILLER]
    return (
        bool(said)
        and all(
            word in _TIMES or word in _MONTHS or re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)?|(?:19|20)\d\d", word)
            for word in said
        )
        and any(word in _TIMES or word in _MONTHS or len(word) == 4 for word in said)
    )


_MONTHS: Final = word_set(
    """january february march april may june july august september october november december since until
    end start beginning before after early late mid the"""
)


def windows(tokens: list[Token]) -> Iterator[tuple[int, int]]:
    """Spans of up to 12 words that begin and end at phrase borders; a clause mark never lies inside."""
    for start in range(len(tokens)):
        if not tokens[start].word or not _may_start(tokens, start):
            continue
        count = 0
        for end in range(start, len(tokens)):
            token = tokens[end]
            count += token.word
            if end > start and _new_clause(tokens, end):
                break
            if token.text in ';:!?….—–()"“”' or (token.folded in _HARD and end > start) or count > 12:
                break
            if token.word and _may_end(tokens, end):
                yield start, end


def _new_clause(tokens: list[Token], at: int) -> bool:
    """ "and nothing cracked" begins a clause of its own, "bread and butter" does not."""
    follower = tokens[at + 1].folded if at + 1 < len(tokens) else ""
    return tokens[at].folded in ("and", "or") and follower in _CLAUSE_SUBJECTS


_CLAUSE_SUBJECTS: Final = word_set(
    """i i'm i've i'd i'll you you're we we're we've he he's she she's it it's they they're there nothing
    everything everyone nobody somebody"""
)


def _may_start(tokens: list[Token], at: int) -> bool:
    if at == 0 or tokens[at].folded in _DETERMINERS or tokens[at].folded.endswith("ing"):
        return True
    before = tokens[at - 1]
    return (
        not before.word
        or before.key
        or before.folded.endswith("ed")
        or before.folded in _SOFT | _HARD | _FILLER | _DETERMINERS | _PRONOUNS
    )


def _may_end(tokens: list[Token], at: int) -> bool:
    if at + 1 == len(tokens):
        return True
    after = tokens[at + 1]
    return not after.word or after.key or after.folded in _SOFT | _HARD | _PRONOUNS | _TIMES


def features(tokens: list[Token], first: int, last: int, question: Question) -> dict[str, float]:
    """What can be said of a phrase: its words, its borders, its distance to what the question says."""
    inside = [t for t in tokens[first : last + 1] if t.word]
    before = tokens[first - 1] if first else None
    lead = tokens[first].folded if tokens[first].folded in _PREPOSITIONS else before.folded if before else ""
    purpose = lead in ("to", "for") or (before is not None and before.folded in _CAUSES)
    quoted = before is not None and before.text in '"“'
    found = {
        "sentence end": last >= len(tokens) - 2,
        "quoted": quoted,
        "gerund": tokens[first].folded.endswith("ing"),
        "preposition": lead in _PREPOSITIONS and lead not in ("to", "for"),
        "list comma": question.kind == "list"
        and any(t.text in (",", "and", "&") for t in tokens[first : last + 1]),
        "why purpose": question.kind == "why" and purpose,
        "filler before": before is not None and before.folded in _FILLER,
    }
    return {
        **{name: float(value) for name, value in found.items()},
        **_words_inside(inside, question, quoted=quoted, opens=first == 0),
        **_keys_around(tokens, first, last, question),
    }


def _words_inside(inside: list[Token], question: Question, *, quoted: bool, opens: bool) -> dict[str, float]:
    novel = [t for t in inside if not t.key and t.folded not in STOPWORDS and t.folded not in _FILLER]
    capital = any(t.text[:1].isupper() and not (opens and t is inside[0]) for t in novel)
    asked = set(question.asked)
    return {
        "novel none": float(not novel),
        "novel": float(min(len(novel), 4)),
        "words": float(len(inside)),
        "why words": float(question.kind == "why") * len(inside),
        "how words": float(question.kind == "other") * len(inside),
        "keys": float(sum(t.key and concept(t.folded) not in asked for t in inside)),
        "asked inside": float(any(t.key and concept(t.folded) in asked for t in inside)),
        "pronouns": float(sum(t.folded in _PRONOUNS for t in inside)),
        "filler": float(sum(t.folded in _FILLER for t in inside)),
        "times": float(sum(t.folded in _TIMES for t in inside)),
        "capital": float(capital),
        "title asked": float(bool(asked & _TITLED) and (quoted or capital)),
        "name asked": float(bool(_NAME_ASKED.search(question.text)) and capital),
    }


def _keys_around(tokens: list[Token], first: int, last: int, question: Question) -> dict[str, float]:
    behind = next((i for i in range(1, 9) if first - i >= 0 and tokens[first - i].key), 0)
    ahead = next((i for i in range(1, 9) if last + i < len(tokens) and tokens[last + i].key), 0)
    verb = bool(behind and question.verb) and concept(tokens[first - behind].folded) == question.verb
    return {
        "key right before": float(behind == 1),
        "key close before": float(behind in (2, 3)),
        "key right after": float(ahead == 1),
        "key after": float(ahead in (2, 3, 4)),
        "verb right before": float(verb and behind == 1),
        "verb close before": float(verb),
    }


_TITLED: Final = concept_set("book song movie film show series game band artist album")
_NAME_ASKED: Final = re.compile(r"\b(?:names?|called|titled?|named)\b", re.IGNORECASE)
_CAUSES: Final = word_set("because cause since as")

# Weighed by listwise regression on 267 dialogue questions, against turns and against restated facts
# (held out by conversation: F1 .193, in sample .203). A weight below .1 was left out.
WEIGHTS: Final[dict[str, float]] = {
    "name asked": 0.9,
    "novel none": -0.8,
    "capital": 0.7,
    "asked inside": 0.6,
    "times": -0.5,
    "verb close before": 0.45,
    "title asked": 0.45,
    "verb right before": 0.35,
    "novel": 0.3,
    "quoted": 0.3,
    "key close before": 0.3,
    "pronouns": -0.3,
    "key right before": 0.3,
    "sentence end": 0.25,
    "key right after": -0.2,
    "key after": -0.2,
    "keys": -0.15,
    "list comma": -0.15,
    "why words": 0.15,
    "filler before": -0.1,
    "why purpose": 0.1,
    "preposition": 0.1,
    "gerund": 0.1,
    "how words": 0.1,
    "filler": -0.1,
    "words": -0.1,
}


# A phrase is what somebody likes, does or is called, not the verb before it.
_LEADING: Final = concept_set("enjoys loves prefers goes does")


def _leads(token: Token) -> bool:
    if token.folded in ("named", "called") or token.folded in _LINKS | _FILLER or not token.word:
        return True
    return concept(token.folded) in _LEADING and not token.folded.startswith("fav")


def trimmed(tokens: list[Token], first: int, last: int, sentence: str) -> str:
    """The phrase without leading and trailing function words; quotation marks around it are kept."""
    opened = first > 0 and tokens[first - 1].text in '"“'
    while first < last and not opened and _leads(tokens[first]):
        first += 1
    while last > first and (not tokens[last].word or tokens[last].folded in _LINKS):
        last -= 1
    start, end = tokens[first].start, tokens[last].end
    if start and sentence[start - 1] in '"“' and sentence[end : end + 1] in ('"', "”"):
        start, end = start - 1, end + 1
    return sentence[start:end].strip(" ,;:.!?-")

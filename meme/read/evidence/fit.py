"""How well a statement fits a question: whom it is about and how much of what is asked it says.

Flows in: a read question and statements. Flows out: fits, best first.
Will not take values out of a statement: `values.py` does.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from meme.language.concepts import concept_set, concepts, word_set
from meme.language.questions import Question
from meme.language.questions.mentions import same_name
from meme.language.words import STOPWORDS, fold, words
from meme.read.evidence.context import contexts
from meme.read.evidence.relations import TRADE_CONCEPTS, occupation_in, opens_with_kin
from meme.read.evidence.statements import Statement

# Asked nouns that describe the answer and need not be said ("what is Alice's job").
DESCRIBING: Final = concept_set(
    """identity status type job hobby color colour age opinion reason plan goal activity event place city
    country town thing use do make go feel become think one way kind name number item relationship
    personality trait interest food book movie song band instrument sport game pet animal person friend
    family favorite like live work be say share look take new first recent current"""
)
_FIRST: Final = re.compile(
    r"(?<![\w'’])(?:I|I['’]\w+|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e|[Ww]e['’]\w+|[Oo]ur|[Uu]s)(?!\w)"
)
_SECOND: Final = re.compile(r"(?<![\w'’])(?:you|you['’]\w+|your|yours|yourself)(?!\w)", re.IGNORECASE)
_BRACKETS: Final = re.compile(r"\([^()]*\)")


@dataclass(frozen=True, slots=True)
class Fit:
    """One sentence of one statement against a question.

    `about` 0..1: is the asked person its subject; `coverage` 0..1: weighted share of the asked concepts
    in the statement; `near` the same for the sentence alone; `bonus` for being of the asked time.
    """

    statement: Statement
    sentence: str
    about: float
    coverage: float
    near: float
    missing: tuple[str, ...] = ()
    bonus: float = 0.0

    @property
    def score(self) -> float:
        """One figure to order fits by."""
        return self.coverage * 0.5 + self.near * 0.5 + self.bonus


def weights(question: Question, statements: Sequence[Statement]) -> dict[str, float]:
    """How much each key concept counts: nouns that only describe the answer count less."""
    said = [set(concepts(f"{item.text} {item.asked}")) for item in statements]
    result: dict[str, float] = {}
    only_soft = all(key in DESCRIBING or key in question.asked for key in question.keys)
    for key in question.keys:
        share = sum(key in one for one in said) / max(1, len(said))
        soft = key in DESCRIBING or key in question.asked
        if only_soft and key == question.verb:
            soft = False  # "What pottery has Alice made?": what she made counts, not what is pottery
        result[key] = (0.35 if soft else 1.0) * (1.0 - 0.5 * share)
    return result


def fits(question: Question, statements: Sequence[Statement], *, known: Iterable[str] = ()) -> list[Fit]:
    """Every sentence of every statement against the question, best first."""
    names = tuple(known)
    weight = weights(question, statements)
    found: list[Fit] = []
    context = {
        at: text
        for at, text in contexts(statements).items()
        # "Maria took it" borrows nothing for a question about John.
        if statements[at].asked
        or any(_about(question, statements[at], s, names) >= 0.6 for s in statements[at].sentences)
    }
    for at, statement in enumerate(statements):
        lent = set(concepts(f"{context.get(at, '')} {statement.asked}"))
        whole = lent | told_concepts(" ".join((statement.text, *statement.captions)))
        coverage, missing = _share(weight, whole)
        for sentence in statement.sentences:
            near, _ = _share(weight, lent | told_concepts(sentence))
            about = _about(question, statement, sentence, names)
            if statement.asked and about < 1.0 and not any(_about_asker(statement, p) for p in names):
                named = any(
                    _position(context.get(at, ""), person) and not same_name(person, statement.speaker)
                    for person in question.subjects
                )
                about = 1.0 if named else about
            found.append(Fit(statement, sentence, about, coverage, near, missing))
    return sorted(found, key=lambda fit: (-fit.score, fit.statement.rank))


def told_concepts(text: str) -> set[str]:
    """The concepts of a text with those it implies: a trade is a job, a title "by" somebody was written."""
    said = set(concepts(text))
    if occupation_in(text):
        said |= TRADE_CONCEPTS
    if _BYLINE.search(text):
        said |= _MADE
    return said


_BYLINE: Final = re.compile(r"[\"”]\s+by\s+[A-ZÀ-Þ]")
_MADE: Final = concept_set("write author")


def _about_asker(statement: Statement, name: str) -> bool:
    """Whether the question replied to names somebody: then it is about that person only."""
    return _position(statement.asked, name) is not None


def _share(weight: dict[str, float], said: set[str]) -> tuple[float, tuple[str, ...]]:
    total = sum(weight.values())
    if not total:
        return 1.0, ()
    missing = tuple(key for key in weight if key not in said)
    return 1.0 - sum(weight[key] for key in missing) / total, missing


def _about(question: Question, statement: Statement, sentence: str, names: Sequence[str]) -> float:
    if not question.subjects:
        everyone = question.persons
        if not everyone:
            return 1.0
        return min(_involved(statement, sentence, person) for person in everyone)
    about = max(subject_of(statement, sentence, person, question, names) for person in question.subjects)
    others = [person for person in question.persons if person not in question.subjects]
    if not statement.speaker and any(_position(statement.text, person) is None for person in others):
        return min(about, 0.5)  # "When did Alice meet Bob?" is not answered by her meeting Carl
    return about


def _involved(statement: Statement, sentence: str, person: str) -> float:
    """For "Who gave Alice the bowl?": Alice speaks of it herself, or is named anywhere."""
    if statement.speaker:
        return _spoken_about(statement, sentence, person)
    return 0.8 if _position(_BRACKETS.sub(" ", statement.text), person) else 0.0


def subject_of(
    statement: Statement, sentence: str, person: str, question: Question, names: Sequence[str]
) -> float:
    """How sure it is that `sentence` says something about `person`: 1 subject, 0.5 involved, 0 not."""
    if statement.speaker:
        about = _spoken_about(statement, sentence, person)
        kin = about == 1.0 and _MY_KIN.match(sentence)
        return 0.5 if kin and not question.owned and same_name(statement.speaker, person) else about
    return _told_about(statement.text if _PRONOUN.match(sentence) else sentence, person, question, names)


_PRONOUN: Final = re.compile(r"^(?:He|She|They|It|His|Her|Their)\b")


def _spoken_about(statement: Statement, sentence: str, person: str) -> float:
    own = same_name(statement.speaker, person)
    question = sentence.rstrip().endswith("?")
    if own:
        if question:
            return 0.3
        if of_another(sentence):
            return 0.5  # "He's two years old"
        if _SECOND.search(sentence) and not _FIRST.search(sentence):
            return 0.4
        if _REACTION.match(sentence) and not _FIRST.search(sentence):
            return 0.5
        return 1.0
    if statement.asked and _position(statement.asked, person) and not _SECOND.search(statement.asked):
        return 1.0  # "How is Edie?" was answered with this
    if of_another(sentence) and fold(statement.sentences[0]).strip(" .!") == fold(person):
        return 1.0  # "Churro. He's two years old."
    named = _position(sentence, person)
    vocative = named is not None and _is_vocative(sentence, named)
    if named is not None and not vocative:
        return 0.7
    if _SECOND.search(sentence) and not _FIRST.search(sentence) and not question:
        return 0.4
    return 0.0


_THIRD: Final = re.compile(
    r"^(?:(?:and|but|so|yes|no|yeah|oh),?\s+)?(?:he|she|his)(?:['’]s|['’]d|['’]ll)?\b", re.IGNORECASE
)

_MY_KIN: Final = re.compile(
    r"^(?:(?:and|but|so|yes|no|yeah|oh|well),?\s+)?(?:my|our)\s+(?:\w+\s+)??(?:brother|sister|mother|mom|mum|father|dad|friend|"
    r"wife|husband|partner|son|daughter|cousin|aunt|uncle|boss|colleague|neighbou?r|boyfriend|girlfriend|roommate|grand\w+|"
    r"kids?|children|parents|dog|cat)\b(?!\s+and\s+(?:I|me)\b)",
    re.IGNORECASE,
)


def of_another(sentence: str) -> bool:
    """Whether a speaker's sentence opens with "he" or "she": it is about somebody else than the speaker."""
    return bool(_THIRD.match(sentence)) and not _FIRST.search(sentence)


# "That race sounds great!" reacts to what the other one did.
_REACTION: Final = re.compile(
    r"^(?:(?:wow|yeah|oh|hey|aw+|woah|whoa|congrats|congratulations|sounds|glad|cool|nice|great|awesome|amazing|good|so|such|what|how|"
    r"love|sorry|bet|thanks|that's|that|those|this|it's|it|they're|looks)\b[\s,!']*)+",
    re.IGNORECASE,
)


def _is_vocative(sentence: str, span: tuple[int, int]) -> bool:
    before, after = sentence[: span[0]].rstrip(), sentence[span[1] :].lstrip()
    opens = not before or before[-1] in ",!?.;-" or fold(before.split()[-1]) in _GREETING
    return opens and (not after or after[0] in ",!?.;-")


_GREETING: Final = word_set("hey hi hello thanks wow yeah yes no so sorry congrats cool oh well")


def _position(sentence: str, person: str) -> tuple[int, int] | None:
    folded = fold(sentence)
    for form in (fold(person), *(w for w in words(person)[:1] if w not in STOPWORDS)):
        match = re.search(rf"(?<!\w){re.escape(form)}(?!\w)", folded)
        if match:
            return match.span()
    for match in re.finditer(r"[^\W\d_]{3,}", folded):
        if same_name(match[0], person) and sentence[match.start() : match.start() + 1].isupper():
            return match.span()
    return None


_SOMEBODY: Final = concept_set(
    """brother sister mother father friend wife husband partner son daughter cousin aunt uncle boss colleague
    neighbour neighbor boyfriend girlfriend roommate teacher grandmother grandfather family parents dog cat"""
)


def _told_about(sentence: str, person: str, question: Question, names: Sequence[str]) -> float:
    plain = _BRACKETS.sub(" ", sentence)
    span = _position(plain, person)
    if span is None:
        return 0.0
    if opens_with_kin(plain[: span[0]]):
        return 1.0 if plain[span[1] :][:2] not in ("'s", "’s") else 0.3
    others = [at for other in names if not same_name(other, person) and (at := _position(plain, other))]
    others += [m.span() for m in _LEAD.finditer(plain) if not same_name(m[0], person)]
    first = all(span[0] <= at[0] for at in others)
    joined = any(re.fullmatch(r"[\s,]*(?:and|&|with)?[\s,]*", plain[at[1] : span[0]]) for at in others)
    if plain[span[1] :][:2] in ("'s", "’s"):
        owned = set(concepts(" ".join(words(plain[span[1] :])[1:6])))
        if not question.owned and owned & _SOMEBODY:
            return 0.3  # what Alice's brother does is not what Alice does
        if not question.owned or not owned & set(question.owned):
            return 0.6 if first and span[0] == 0 and not question.owned else 0.3
        return 1.0 if first or joined else 0.6
    if span[0] == 0 or first:
        return 1.0
    return 0.9 if joined else 0.4


# A restated sentence opens with its subject: a capitalised word there that is no known name is somebody too.
_LEAD: Final = re.compile(
    r"^(?!(?:The|A|An|In|On|At|When|After|Since|Last|During|For|It|His|Her|Their|My|Our)\b)"
    r"[A-ZÀ-Þ][\w'’-]+(?=\s+[a-z(])"
)

"""Who somebody is to somebody, and what somebody is by trade: "Clara's niece Edie", "works as a vet".

Flows in: sentences of statements. Flows out: relations, roles and occupations in the sentence's wording.
Will not infer a relation from a shared action, nor a trade from what somebody does once.
"""

import re
from dataclasses import dataclass
from typing import Final

from meme.language.concepts import concept, concept_set
from meme.language.questions import Question
from meme.language.questions.mentions import same_name
from meme.language.words import STOPWORDS, fold, words

_ROLE: Final = (
    r"(?:(?:grand|step|half-|god)?(?:mother|father|mom|mum|dad|son|daughter|brother"
    r"|sister|child|parent|kid)|grandma|grandpa|granny|aunt|uncle|cousin|niece|nephew|husband|wife|spouse|partner|boyfriend|girlfriend|fianc[eé]e?"
    r"|(?:best )?friend|neighbou?r|colleague|coworker|boss|manager|assistant"
    r"|teacher|tutor|coach|mentor|doctor|dentist|therapist|lawyer|roommate|flatmate|housemate|landlord|landlady|classmate|teammate|ex"
    r"|mother-in-law|father-in-law|sister-in-law|brother-in-law|dog|puppy|cat|kitten|horse|pony|parrot|rabbit|hamster|pet)"
)
_NAME: Final = (
    r"(?:(?:Dr|Mr|Mrs|Ms|Prof|St)\.\s)?[A-ZÀ-ÖØ-Þ][\w-]*[a-zà-ÿ]"
    r"(?:\s(?:(?:de|da|van|von)\s)?[A-ZÀ-ÖØ-Þ][\w-]*[a-zà-ÿ])?"
)
_OWNED: Final = rf"(?P<owner>\b{_NAME}['’]s?|\b[Mm]y|\b[Oo]ur)\s+(?P<role>(?:[a-z]+\s)??{_ROLE})"
_PATTERNS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_OWNED},?\s+(?:(?:is\s+|was\s+)?(?:called|named)\s+|is\s+|was\s+)?(?P<name>{_NAME})\b",
        rf"(?P<name>\b{_NAME})\s*(?:,|\(|\bis\b|\bwas\b)\s*{_OWNED}\b",
    )
)
_TRADES: Final = concept_set(
    """nurse chef cook vet surgeon pilot judge clerk student intern freelancer artist model guide coach
    mechanic agent guard secretary head chief captain priest monk midwife spy tailor athlete paralegal
    ceo cto cfo boss analyst architect spokesperson apprentice novelist"""
)
_TRADE_END: Final = re.compile(
    r"(?:(?<!sist)(?<!broth)(?<!moth)(?<!fath)(?<!daught)er|or|ist|ian|ant|eer|ess|man|woman|smith|wright|ee)$"
)
_NO_TRADE: Final = concept_set(
    """partner member neighbor neighbour lover believer fan winner survivor giver person human woman man
    newcomer beginner early runner swimmer eater drinker singer owner stranger american christian brazilian
    italian canadian vegetarian disaster winter summer matter number computer letter paper paper flower
    reminder player loser leader vegan color water order power cover corner center offer career peer"""
)
_AS: Final = re.compile(
    r"\b(?:work(?:s|ed|ing)?|job|employed|position|role|career|freelanc\w+|start(?:s|ed)?)\b[^.!?;]*?\bas\s+"
    r"(?:(?:an?|the)\s+)?(?P<what>[a-z][^.,;!?()]*)",
)
_IS: Final = re.compile(
    r"(?:\b(?:is|was|be|been|being|am|became|become|becoming)|['’]m|['’]s|['’]re)\s+(?:now\s+|currently\s+)?"
    r"(?P<article>an?\s+|the\s+)?(?P<what>[a-z][^.,;!?()]*)"
)
_CUT: Final = re.compile(
    r"\s+(?:and|but|so|because|who|which|that|when|while|where|with|since|from|for|in|at|on|by"
    r"|now|these days)\b.*$"
)


@dataclass(frozen=True, slots=True)
class Relation:
    """`name` is the `role` of `owner`: Edie, niece, Clara."""

    owner: str
    role: str
    name: str


def relations(sentence: str, speaker: str = "") -> tuple[Relation, ...]:
    """Every relation a sentence states by apposition or "is"; "my" is the speaker's."""
    found: list[Relation] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(sentence):
            owner = re.sub(r"['’]s?$", "", match["owner"])
            if fold(owner) in ("my", "our"):
                owner = speaker
            if owner and fold(match["name"].split()[0]) not in STOPWORDS:
                found.append(Relation(owner, match["role"].strip(), match["name"]))
    return tuple(dict.fromkeys(found))


_LEADING_KIN: Final = re.compile(rf"^\s*{_OWNED},?\s+$")


def opens_with_kin(before: str) -> bool:
    """Whether a name that follows `before` is introduced by it: "Hannah's son " before "Felix"."""
    return bool(_LEADING_KIN.match(before))


_KIN: Final = concept_set(
    """mother father son daughter brother sister child parent kid grandmother grandfather grandson
    granddaughter aunt uncle cousin niece nephew husband wife spouse partner boyfriend girlfriend fiance
    fiancee neighbour neighbor colleague boss manager coach mentor doctor dentist roommate flatmate
    landlord dog puppy cat kitten horse parrot rabbit hamster pet sibling"""
)


def kin_asked(question: Question) -> str:
    """The role whose names are asked: "cat" for "What is the name of Bob's cat?"; "" for another question."""
    if question.kind != "who" and not _NAME_ASKED.search(question.text):
        return ""
    if question.kind == "who" and not _WHO_IS.match(question.text):
        return ""
    return next((key for key in question.owned if key in _KIN), "")


_NAME_ASKED: Final = re.compile(r"\b(?:names?|called|named)\b", re.IGNORECASE)
_WHO_IS: Final = re.compile(r"^\s*who(?:['’]s|\s+(?:is|are|was|were))\b", re.IGNORECASE)


def identity_asked(question: Question) -> str:
    """Whom "Who is Edie?" asks about, or ""."""
    if question.kind != "who" or question.owned or question.keys or not _WHO_IS.match(question.text):
        return ""
    return question.subjects[0] if len(question.subjects) == 1 else ""


def names_of(question: Question, sentence: str, speaker: str = "") -> list[str]:
    """The names of somebody's kin or pets: "Edie" for "Who is Clara's niece?"."""
    role = kin_asked(question)
    return [
        one.name
        for one in relations(sentence, speaker)
        if any(same_name(one.owner, person) for person in question.subjects)
        and role in {concept(word) for word in words(one.role)}
    ]


def role_in(person: str, sentence: str, speaker: str = "") -> str | None:
    """Who `person` is: "Clara's niece", or "a vet" in "her name is Ana, she's a vet"."""
    for one in relations(sentence, speaker):
        if same_name(one.name, person):
            return f"{one.owner}'s {one.role}"
    match = re.search(
        rf"\b{re.escape(person)}\b\s*(?:,\s*(?:who|she|he)(?:['’]s|\s+is|\s+was)|,|\bis\b|\bwas\b)\s+(?P<what>(?:an?|the)\s+[^.,;!?()]+)",
        sentence,
    )
    return match["what"].strip() if match else None


def occupation_in(sentence: str) -> str | None:
    """A trade or post: "freelance illustrator" in "Clara is a freelance illustrator"; None without one."""
    match = _AS.search(sentence)
    if match:
        return _CUT.sub("", match["what"]).strip()
    for match in _IS.finditer(sentence):
        what = _CUT.sub("", match["what"]).strip()
        head = next(iter(words(re.split(r"\s+of\b", what)[0])[-1:]), "")
        if not match["article"] and concept(head) not in _POSTS:
            continue
        if len(what.split()) <= 6 and _is_trade(head):
            return what
    return None


_POSTS: Final = concept_set("head chief captain director manager president chair principal editor")


def _is_trade(head: str) -> bool:
    if concept(head) in _NO_TRADE or concept(head) in _KIN:
        return False
    return concept(head) in _TRADES or (len(head) > 4 and bool(_TRADE_END.search(head)))


_TRADE_ASKED: Final = re.compile(
    r"\b(?:for a living|do for work)\b|\bwork(?:s|ed|ing)? as\s*\??$"
    r"|^what(?:['’]s|\s+(?:is|was|are))?\s+.*?(?:['’]s?|\bmy|\bhis|\bher|\bthe)\s+(?:\w+\s+)?"
    r"(?:job|profession|occupation|career|trade|role|position)(?:\s+title)?(?=\s*\?|\s+(?:at|in|with|now|these)\b|$)"
    r"|^what\s+(?:job|profession|occupation|trade|role|position)\s+(?:does|did|has|is)\b",
    re.IGNORECASE,
)
TRADE_CONCEPTS: Final = concept_set("job role position trade title")


def asks_trade(question: Question) -> bool:
    """Whether a question asks what somebody does for a living."""
    return bool(_TRADE_ASKED.search(question.text.strip()))

"""What a question asks for: the kind of answer, the noun asked about, whom it is about, its key concepts.

Flows in: a question in any of ten languages, and the names known. Flows out: one frozen Question.
Will not look anything up and will not answer.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, cast

from meme.language.concepts import concept, concepts, reworded, word_set
from meme.language.questions.mentions import named_persons, owned_by, subjects_of
from meme.language.questions.words import (
    AUXILIARIES,
    FUNCTION_WORDS,
    NOUN_KIND,
    TELLING_WORDS,
    UNSPACED,
    AnswerKind,
    spoken,
)
from meme.language.words import STOPWORDS, fold, words

_WH: Final = {
    "when": "when",
    "where": "where",
    "who": "who",
    "whom": "who",
    "whose": "who",
    "why": "why",
    "which": "which",
    "what": "what",
    "how": "other",
    "what's": "what",
    "who's": "who",
    "where's": "where",
    "when's": "when",
    "how's": "other",
}
# What "how <word>" asks for; the second is what the answer needs.
_HOW: Final = {
    "many": ("how_many", "number"),
    "much": ("how_many", "number"),
    "old": ("how_many", "number"),
    "tall": ("how_many", "number"),
    "far": ("how_many", "number"),
    "often": ("how_many", "frequency"),
    "frequently": ("how_many", "frequency"),
    "long": ("how_long", "duration"),
    "come": ("why", "reason"),
}
_SUFFIXED_LIST: Final = word_set("people children men women feet things")
_NOT_PLURAL: Final = word_set("news series means status bus gas class business address process")
# Words that say how to answer, not what about.
_EMPTY: Final = word_set(
    """some name names tell list mention mentioned describe give know happen happened kind kinds type types
    sort according based recently currently going many much often long thing things way ways since ever
    yet please old now still nowadays today called named different specific particular certain various
    get got gets not never"""
)
_CONTENT: Final = frozenset({"like", "own"})
_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Question:
    """One question, read. `content` are its content words without persons, `keys` their concepts, in order.

    `asked` is the noun after what/which/how many, as concepts; `need` names the value an answer must
    carry; `subjects` are the persons the answer has to be about, `persons` all named; `owned` belongs to
    one of them, `verb` what they do and `object` the noun they do it to;
    `definite` are the words right after a determiner.
    """

    text: str
    kind: AnswerKind
    need: str = ""
    language: str = "en"
    asked: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    persons: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    owned: tuple[str, ...] = ()
    content: tuple[str, ...] = ()
    verb: str = ""
    object: str = ""
    definite: tuple[str, ...] = ()
    plural: bool = False


def read_question(text: str, *, user: str = "", known: Iterable[str] = ()) -> Question:
    """Read `text`; "I", "me" and "my" are `user`, and `known` are names to recognise. Never raises."""
    asked_as, text = text, reworded(text)
    tokens = words(text)
    language = language_of(text)
    kind, need, asked, plural = _kind(text, tokens, language)
    persons = named_persons(text, user=user, known=known)
    names = {part for person in persons for part in words(person)}
    content = [t for t in words(_unmarked(_DATED.sub(" ", text), persons)) if _is_content(t, names, language)]
    if language == "en":
        content = [t for t in content if t not in _WH]
    keys = tuple(dict.fromkeys(key for t in content for key in concepts(t) or (concept(t),)))
    verb, target = _verb_and_object(tokens, names)
    subjects = subjects_of(text, persons, user)
    owned = owned_by(text, persons, user)
    return Question(
        text=asked_as,
        kind=cast(AnswerKind, kind),
        need=need,
        language=language,
        asked=tuple(concept(t) for t in asked if t not in names),
        keys=keys,
        persons=persons,
        subjects=subjects,
        owned=tuple(concept(w) for w in owned),
        content=tuple(dict.fromkeys(content)),
        verb=verb,
        object=target,
        definite=_definite(tokens, names),
        plural=plural,
    )


def _definite(tokens: list[str], names: set[str]) -> tuple[str, ...]:
    """The words right after a determiner: "staging" in "Which port does the staging gateway use?"."""
    found: list[str] = []
    for i, token in enumerate(tokens[:-1]):
        if token in ("the", "a", "an", "his", "her", "their", "my", "our"):
            follower = tokens[i + 1]
            if (
                follower not in STOPWORDS
                and follower not in _EMPTY
                and follower.removesuffix("'s") not in names
            ):
                found.append(concept(follower))
    return tuple(dict.fromkeys(found))


def _verb_and_object(tokens: list[str], names: set[str]) -> tuple[str, str]:
    """ "donate" and "car" in "When did Maria donate her old car to us?"; "" for what is not there."""
    last = max((i for i, t in enumerate(tokens) if t in names), default=-1)
    if last < 0 or not any(t in AUXILIARIES for t in tokens[:last]):
        return "", ""
    after = [t for t in tokens[last + 1 :] if t not in _ADVERBS]
    at = next((i for i, t in enumerate(after[:3]) if t not in STOPWORDS or t == "like"), None)
    if at is None:
        return "", ""
    head = ""
    for token in after[at + 1 :]:
        if token in _OBJECT_ENDS:
            break
        if token not in STOPWORDS and token not in _EMPTY:
            head = token
    return concept(after[at]), concept(head) if head else ""


_OBJECT_ENDS: Final = word_set(
    """to for with at in on from by about during after before into of over near through as and or that
    which who when while where because if since until than"""
)
_ADVERBS: Final = word_set(
    """recently also both currently usually ever still already first been planning plan"""
)


# A date in the question says when to look, not what for.
_DATED: Final = re.compile(
    r"\b(?:\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?:January|February|March|April|May|June|July|August"
    r"|September|October"
    r"|November|December)\b(?:\s+\d{1,2}(?:st|nd|rd|th)?\b)?(?:,?\s*\d{4}\b)?|\b(?:19|20)\d{2}\b"
    r"|\b\d{4}-\d\d-\d\d\b"
    r"|\b(?:last|this|next)\s+(?:week(?:end)?|month|year|summer|winter|spring|autumn|fall)\b"
)


def _unmarked(text: str, persons: tuple[str, ...]) -> str:
    """In scripts without spaces, names and question marks have to be cut out to leave the content."""
    if not _CJK.search(text):
        return text
    for mark, _ in UNSPACED:
        text = text.replace(mark, " ")
    for person in persons:
        text = text.replace(person, " ")
    return _PARTICLES.sub(" ", text)


_PARTICLES: Final = re.compile(r"是|的|了|は|が|を|に|で|の|へ|います|ました|ます|です|か(?=[？?]|$)")


def _is_content(token: str, names: set[str], language: str) -> bool:
    bare = token.removesuffix("'s")
    if bare in names or token in names or token in _EMPTY:
        return False
    empty = FUNCTION_WORDS.get(language, frozenset()) - TELLING_WORDS
    if language != "en" and (bare in empty or _is_spoken(bare, language)):
        return False
    if token in _CONTENT:
        return True
    return token not in STOPWORDS and token not in AUXILIARIES and bare not in STOPWORDS


def _is_spoken(token: str, language: str) -> bool:
    return any(token in phrase.split() for phrase, _ in spoken(language))


def language_of(text: str) -> str:
    """The most likely language code among en de fr es it pt ru zh ja; "en" when nothing tells."""
    if re.search(r"[\u3040-\u30ff]", text):
        return "ja"
    if re.search(r"[\u3400-\u9fff]", text):
        return "zh"
    if re.search(r"[\u0400-\u04ff]", text):
        return "ru"
    tokens = words(text)
    scores = {code: sum(t in table for t in tokens) for code, table in FUNCTION_WORDS.items()}
    for code in ("de", "fr", "es", "it", "pt"):
        scores[code] += sum(t == phrase for t in tokens[:1] for phrase, _ in spoken(code))
    scores["es"] += 2 * ("¿" in text or "ñ" in text)
    scores["fr"] += "ç" in text or "è" in text or "ê" in text or "où" in text.casefold()
    scores["pt"] += "ã" in text or "õ" in text
    scores["de"] += "ß" in text or "ü" in text
    if tokens and tokens[0] in _WH:
        scores["en"] += 2
    return max(scores, key=lambda code: (scores[code], code == "en"))


def _kind(text: str, tokens: list[str], language: str) -> tuple[str, str, list[str], bool]:
    if language in ("zh", "ja"):
        kind = next((kind for mark, kind in UNSPACED if mark in text), "other")
        return kind, "", [], kind == "list"
    if language != "en":
        return _spoken_kind(text, language)
    place = next((i for i, t in enumerate(tokens) if t in _WH), None)
    if place is not None and (place == 0 or tokens[0] not in AUXILIARIES):
        return _wh_kind(tokens, place)
    if tokens and tokens[0] in AUXILIARIES:
        return "yes_no", "", [], False
    if tokens and tokens[0] in ("list", "name"):
        return "list", "items", [t for t in tokens[1:] if t not in STOPWORDS][:1], True
    if text.rstrip().endswith("?"):
        return "yes_no", "", [], False
    return "other", "", [], False


def _spoken_kind(text: str, language: str) -> tuple[str, str, list[str], bool]:
    folded = f" {' '.join(words(text))} "
    loose = fold(text).replace("¿", "")
    found = [
        (folded.find(f" {phrase} "), -len(phrase), kind)
        for phrase, kind in spoken(language)
        if f" {phrase} " in folded
    ]
    # "qu'" and "d'ou" are written together with the word after them.
    found += [
        (0, -99, kind)
        for phrase, kind in spoken(language)
        if phrase[-1] in "'e-" and not phrase.isalpha() and loose.startswith(phrase)
    ]
    if found:
        return min(found)[2], "", [], False
    return ("yes_no" if text.rstrip().endswith("?") else "other"), "", [], False


def _wh_kind(tokens: list[str], place: int) -> tuple[str, str, list[str], bool]:
    word, after = tokens[place], tokens[place + 1 :]
    if word == "how":
        return _how_kind(after)
    if word == "whose":
        return "who", "person", after[:1], False
    kind = _WH[word]
    if kind not in ("what", "which"):
        return kind, "", [], False
    head = _asked_noun(after)
    last = head[-1] if head else ""
    by_noun = NOUN_KIND.get(last) or NOUN_KIND.get(last.removesuffix("s"))
    if by_noun and len(head) <= 2:
        return by_noun, "", head, is_plural(last)
    copula = bool(after) and after[0] in ("is", "are", "was", "were") and not head
    if copula:
        noun = next((t for t in after[1:] if t not in STOPWORDS and not t.endswith("'s")), "")
        if after[1:3] and (NOUN_KIND.get(noun) and after[1:2] == ["the"]):
            return NOUN_KIND[noun], "", [noun], False
        if after[0] in ("are", "were"):
            return "list", "items", [noun] if noun else [], True
        return kind, "", [noun] if noun else [], False
    if is_plural(last):
        return "list", "items", head, True
    return ("which" if head else kind), "", head, False


def _how_kind(after: list[str]) -> tuple[str, str, list[str], bool]:
    if after[:2] == ["long", "ago"]:
        return "when", "date", [], False
    if after and after[0] in _HOW:
        kind, need = _HOW[after[0]]
        head = _asked_noun(after[1:]) if after[0] in ("many", "much") else []
        return kind, need, head, False
    return "other", "manner", [], False


def _asked_noun(after: list[str]) -> list[str]:
    """The words between the question word and the auxiliary: "instruments" in "what instruments does"."""
    head: list[str] = []
    for token in after[:6]:
        if token in AUXILIARIES:
            break
        head.append(token)
    else:
        return []
    return [t for t in head if t not in STOPWORDS and t not in _EMPTY] if len(head) < len(after) else []


def is_plural(noun: str) -> bool:
    """Whether an English noun looks plural."""
    if noun in _NOT_PLURAL or noun.endswith(("ss", "'s", "us", "is")):
        return False
    return noun in _SUFFIXED_LIST or (noun.endswith("s") and len(noun) > 3)

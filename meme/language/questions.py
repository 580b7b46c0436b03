"""What a question asks for: the kind of answer, the noun asked about, whom it is about, its key concepts.

Flows in: a question in any of ten languages, and the names known. Flows out: one frozen Question.
Will not look anything up and will not answer.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, cast

from meme.language.concepts import concept
from meme.language.question_words import (
    AUXILIARIES,
    FUNCTION_WORDS,
    NOUN_KIND,
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
_SUFFIXED_LIST: Final = frozenset("people children men women feet things".split())
_NOT_PLURAL: Final = frozenset("news series means status bus gas class business address process".split())
# Words that say how to answer, not what about.
_EMPTY: Final = frozenset(
    "some name names tell list mention mentioned describe give know happen happened kind kinds type types sort "
    "according based recently currently going many much often long thing things way ways since ever yet please "
    "old different specific particular certain various "
    "get got gets".split()
)
_CONTENT: Final = frozenset({"like", "own"})
_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Question:
    """One question, read. `keys` are concepts of its content words without persons, in order.

    `asked` is the noun after what/which/how many, as concepts; `need` names the value an answer must
    carry; `subjects` are the persons the answer has to be about, `persons` all persons named; `owned` is what belongs to
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
    verb: str = ""
    object: str = ""
    definite: tuple[str, ...] = ()
    plural: bool = False


def read_question(text: str, *, user: str = "", known: Iterable[str] = ()) -> Question:
    """Read `text`; "I", "me" and "my" are `user`, and `known` are names to recognise. Never raises."""
    tokens = words(text)
    language = language_of(text)
    kind, need, asked, plural = _kind(text, tokens, language)
    persons = named_persons(text, user=user, known=known)
    names = {part for person in persons for part in words(person)}
    content = [t for t in words(_DATED.sub(" ", text)) if _is_content(t, names, language)]
    if language == "en":
        content = [t for t in content if t not in _WH]
    keys = tuple(dict.fromkeys(concept(t) for t in content))
    verb, target = _verb_and_object(tokens, names)
    subjects = _subjects(text, persons, user)
    owned = _owned(text, persons, user)
    return Question(
        text=text,
        kind=cast(AnswerKind, kind),
        need=need,
        language=language,
        asked=tuple(concept(t) for t in asked if t not in names),
        keys=keys,
        persons=persons,
        subjects=subjects,
        owned=tuple(concept(w) for w in owned),
        verb=verb,
        object=target,
        definite=_definite(tokens, names),
        plural=plural,
    )


def _definite(tokens: list[str], names: set[str]) -> tuple[str, ...]:
    """The words of things named with a determiner: "staging" and "gateway" in "Which port does the staging gateway use?"."""
    found: list[str] = []
    for i, token in enumerate(tokens[:-1]):
        if token in ("the", "a", "an", "his", "her", "their", "my", "our"):
            follower = tokens[i + 1]
            if follower not in STOPWORDS and follower not in _EMPTY and _bare(follower) not in names:
                found.append(concept(follower))
    return tuple(dict.fromkeys(found))


def _verb_and_object(tokens: list[str], names: set[str]) -> tuple[str, str]:
    """ "donate" and "car" in "When did Maria donate her old car to the shelter?"; "" for what is not there."""
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


_OBJECT_ENDS: Final = frozenset(
    "to for with at in on from by about during after before into of over near through as and or that which who when "
    "while where because if since until than".split()
)
_ADVERBS: Final = frozenset("recently also both currently usually ever still already first been planning plan".split())


# A date in the question says when to look, not what for.
_DATED: Final = re.compile(
    r"\b(?:\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?:January|February|March|April|May|June|July|August|September|October"
    r"|November|December)\b(?:\s+\d{1,2}(?:st|nd|rd|th)?\b)?(?:,?\s*\d{4}\b)?|\b(?:19|20)\d{2}\b|\b\d{4}-\d\d-\d\d\b"
    r"|\b(?:last|this|next)\s+(?:week(?:end)?|month|year|summer|winter|spring|autumn|fall)\b"
)


def _is_content(token: str, names: set[str], language: str) -> bool:
    bare = token.removesuffix("'s")
    if bare in names or token in names or token in _EMPTY:
        return False
    if language != "en" and (bare in FUNCTION_WORDS.get(language, frozenset()) or _is_spoken(bare, language)):
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
    found += [(0, -99, kind) for phrase, kind in spoken(language) if loose.startswith(phrase) and phrase[-1] in "'e-"
              and not phrase.isalpha()]  # fmt: skip
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


def same_name(one: str, other: str) -> bool:
    """Whether two names may mean one person: equal, one the first name of the other, or a short form."""
    first, second = words(one), words(other)
    if not first or not second:
        return False
    if first == second:
        return True
    short, long = sorted((first, second), key=len)
    if len(short) == 1 and len(long) > 1:
        return short[0] == long[0] or (len(short[0]) > 3 and short[0] == long[-1])
    if len(first) == len(second) == 1:
        brief, full = sorted((first[0], second[0]), key=len)
        return 3 <= len(brief) <= len(full) - 2 and full.startswith(brief)
    return False


_I: Final = re.compile(r"(?<![\w'’])(?:I|I'm|I've|I'd|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself)(?![\w])")


def named_persons(text: str, *, user: str, known: Iterable[str]) -> tuple[str, ...]:
    """Persons named in `text`, in order: known names without regard to case and accents, and `user` for "I"."""
    folded = f" {' '.join(_bare(w) for w in words(text))} "
    found: list[tuple[int, str]] = []
    for name in known:
        parts = words(name)
        for form in (parts, parts[:1] if len(parts) > 1 and len(parts[0]) > 2 else []):
            at = folded.find(f" {' '.join(form)} ") if form else -1
            if at >= 0 or (form and _CJK.search(name) and fold(name) in fold(text)):
                found.append((max(at, 0), name))
                break
    first = _I.search(text)
    if user and first:
        found.append((first.start(), user))
    for match in _NAME.finditer(text):
        name = match[0].removesuffix("'s").removesuffix("’s")
        if _looks_personal(text, match) and not any(same_name(name, other) for _, other in found):
            found.append((match.start(), name))
    return tuple(dict.fromkeys(name for _, name in sorted(found)))


def _bare(word: str) -> str:
    return word.removesuffix("'s").removesuffix("'")


_NAME: Final = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w'’-]*[a-zà-ÿ]\b")
_ASIDE: Final = re.compile(
    r"(?:^|.*\b(?:did|does|do|is|was|are|were|has|have|had|will|would|can|could|should|might|and|or)\s)$"
)


def _looks_personal(text: str, match: re.Match[str]) -> bool:
    """A capitalised word right after an auxiliary, or with a possessive 's: most likely somebody."""
    before = text[: match.start()]
    token = fold(match[0])
    if not before.strip() or token in STOPWORDS or _bare(token) in AUXILIARIES:
        return False
    return bool(_ASIDE.match(before)) or match[0].endswith(("'s", "’s")) or text[match.end() :][:2] in ("'s", "’s")


def _subjects(text: str, persons: tuple[str, ...], user: str) -> tuple[str, ...]:
    """Persons the answer must be about: those right after the auxiliary, possessors, or the only one named."""
    if _someone_else_acts(text, persons):
        return ()
    places = [(_place(person, text, user), person) for person in persons]
    places = [(at, person) for at, person in places if at >= 0]
    if not places:
        return persons[:1]
    places.sort()
    lead = [places[0][1]]
    for (at, person), (nxt, other) in zip(places, places[1:], strict=False):
        between = fold(text)[at + len(person) : nxt]
        if re.fullmatch(r"[\s,&]*(?:and|or|und|et|y|e|и|,)?\s*", between):
            lead.append(other)
        else:
            break
    return tuple(lead)


def _someone_else_acts(text: str, persons: tuple[str, ...]) -> bool:
    """Whether the asked one is the subject: in "Who gave Alice the bowl?" Alice is not the one who did it."""
    folded = words(text)
    if not folded or folded[0] not in ("who", "which", "what") or len(folded) < 2:
        return False
    names = {part for person in persons for part in words(person)}
    first = next((i for i, token in enumerate(folded) if _bare(token) in names), len(folded))
    before = folded[1:first]
    if folded[0] == "who" and before[:1] and before[0] in ("has", "had", "will"):
        return True
    return not any(token in AUXILIARIES for token in before)


def _place(person: str, text: str, user: str) -> int:
    at = fold(text).find(fold(person))
    if at < 0:
        at = fold(text).find(words(person)[0]) if words(person) else -1
    if at < 0 and person == user:
        match = _I.search(text)
        at = match.start() if match else -1
    return at


def _owned(text: str, persons: tuple[str, ...], user: str) -> list[str]:
    """What belongs to a person in the question: "violin" in "Alice's violin", "my sister's" gives "sister"."""
    tokens = words(text)
    names = {part for person in persons for part in words(person)}
    own = {f"{name}'s" for name in names} | {f"{name}'" for name in names} | ({"my"} if user else set())
    result: list[str] = []
    for i, token in enumerate(tokens):
        if token in own:
            noun = next((t for t in tokens[i + 1 : i + 5] if t not in STOPWORDS), "")
            if noun:
                result.append(noun)
    return result

"""Whom a text names: known names, "I" as the user, capitalised words where a person would stand.

Flows in: a text and the names known. Flows out: persons, and which of them a question is about.
Will not tell two persons of one name apart.
"""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from meme.language.questions.words import AUXILIARIES
from meme.language.words import STOPWORDS, fold, words

_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


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


# "Tell me about Clara" is not about me.
_TO_ME: Final = re.compile(r"\b(?:tell|remind|show|give)\s+me\b", re.IGNORECASE)


def named_persons(text: str, *, user: str, known: Iterable[str]) -> tuple[str, ...]:
    """Persons named in `text`, in order: known names in any case, with or without accents; `user` for "I"."""
    folded = f" {' '.join(_bare(w) for w in words(text))} "
    found: list[tuple[int, str]] = []
    for name in known:
        parts = words(name)
        for form in (parts, _first_name(parts)):
            at = folded.find(f" {' '.join(form)} ") if form else -1
            if at < 0 and form and _CJK.search(text):
                at = fold(text).find(fold(name))  # no spaces between words
            if at >= 0:
                found.append((at, name))
                break
    # "Dona" and "Dona Amélia" at one place are one person, the one of the longer name.
    found = [
        (at, name)
        for at, name in found
        if not any(
            at == place and f"{fold(other)} ".startswith(f"{fold(name)} ") and len(other) > len(name)
            for place, other in found
        )
        or f" {fold(name)} " not in folded
    ]
    first = _I.search(_TO_ME.sub(lambda m: " " * len(m[0]), text))
    if user and first:
        found.append((first.start(), user))
    for match in _NAME.finditer(text):
        name = match[0].removesuffix("'s").removesuffix("’s")
        if _looks_personal(text, match) and not any(same_name(name, other) for _, other in found):
            found.append((match.start(), name))
    return tuple(dict.fromkeys(name for _, name in sorted(found)))


def _first_name(parts: list[str]) -> list[str]:
    """The first of several names; not the article of "The user"."""
    return parts[:1] if len(parts) > 1 and len(parts[0]) > 2 and parts[0] not in STOPWORDS else []


def _bare(word: str) -> str:
    return word.removesuffix("'s").removesuffix("'")


_NAME: Final = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w'’-]*[a-zà-ÿ]\b")
_ASIDE: Final = re.compile(
    r"(?:^|.*\b(?:did|does|do|is|was|are|were|has|have|had|will|would|can|could|should|might|and|or)\s)$",
    re.IGNORECASE,
)


def _looks_personal(text: str, match: re.Match[str]) -> bool:
    """A capitalised word right after an auxiliary, or with a possessive 's: most likely somebody."""
    before = text[: match.start()]
    token = fold(match[0])
    if not before.strip() or token in STOPWORDS or _bare(token) in AUXILIARIES:
        return False
    return (
        bool(_ASIDE.match(before))
        or match[0].endswith(("'s", "’s"))
        or text[match.end() :][:2] in ("'s", "’s")
    )


def subjects_of(text: str, persons: tuple[str, ...], user: str) -> tuple[str, ...]:
    """Persons the answer must be about: right after the auxiliary, possessors, or the first named."""
    if _someone_else_acts(text, persons):
        return ()
    places = [(_place(person, text, user), person) for person in persons]
    places = [(at, person) for at, person in places if at >= 0]
    if not places:
        return persons[:1]
    places.sort()
    lead = [places[0][1]]
    for (at, person), (nxt, other) in pairwise(places):
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


def owned_by(text: str, persons: tuple[str, ...], user: str) -> list[str]:
    """What belongs to a person in the question: "violin" in "Alice's violin", "sister" in "my sister"."""
    tokens = words(text)
    names = {part for person in persons for part in words(person)}
    own = {f"{name}'s" for name in names} | {f"{name}'" for name in names} | ({"my"} if user else set())
    result: list[str] = []
    for i, token in enumerate(tokens):
        if token in own:
            after = [t for t in tokens[i + 1 : i + 5] if t not in STOPWORDS]
            noun = next((t for t in after if t not in _ADJECTIVES), after[0] if after else "")
            if noun:
                result.append(noun)
    return result


# "Hannah's new role" is a role.
_ADJECTIVES: Final = frozenset(
    "new old current former latest first last previous recent older younger elder best big little".split()  # noqa: SIM905
)

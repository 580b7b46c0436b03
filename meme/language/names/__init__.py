"""Names, places, numbers, titles, keywords and the language of a text, by rule.

Flows in: one message or sentence in any language. Flows out: tuples of strings as written, in order of
appearance. Will not consult a model or a gazetteer beyond its own tables, translate, or correct a spelling.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from meme.language.identify import LANGUAGE_WORDS
from meme.language.identify import language as language
from meme.language.names import words as table
from meme.language.names.spans import POSSESSIVE, is_common, is_given_name, name_spans, name_tokens
from meme.language.words import STOPWORDS, fold

_NUMBER: Final = re.compile(
    r"(?<![\w.,-])[$€£¥₹]?[+-]?\d+(?:[.,:/-]\d+)*(?:st|nd|rd|th)?(?![\d])%?"
    r"|(?<=[^\W\d_a-zA-Z\u00c0-\u024f])\d+(?:[.,:]\d+)*"
)
_QUOTED: Final = re.compile(
    r"\"([^\"\n]{1,100})\"|“([^”\n]{1,100})”|„([^“”\n]{1,100})[“”]|«\s?([^»\n]{1,100}?)\s?»"
    r"|「([^」\n]{1,100})」|『([^』\n]{1,100})』|《([^》\n]{1,100})》"
    r"|(?<!\w)['‘]([A-Z0-9](?:[^'’\n]|['’](?=\w)){1,80})['’](?!\w)"
)
_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_CJK_FUNCTION: Final = re.compile(
    r"[的了是在我你他她它们我们和与及也都就很有没不去来到要会能吗呢吧啊这那个一下把被让给跟从对]"
    r"|[はがをにでのともへやからまでですますたてるいうれさしな]"
)


def _unique(items: Iterable[str]) -> tuple[str, ...]:
    seen: dict[str, str] = {}
    for item in items:
        if item.strip():
            seen.setdefault(fold(item), item)
    return tuple(seen.values())


def proper_names(text: str) -> tuple[str, ...]:
    """The capitalised names inside the sentences of `text`, multi-word ones whole, without possessive 's."""
    return _unique(POSSESSIVE.sub("", text[start:end]) for start, end in name_spans(text))


def _known_in(text: str, known: Iterable[str]) -> Iterator[tuple[int, str]]:
    folded = fold(text)
    for name in known:
        key = fold(name).strip()
        if not key:
            continue
        edges = ("", "") if _CJK.search(key) else (r"(?<![^\W_])", r"(?![^\W_])")
        match = re.search(edges[0] + re.escape(key) + edges[1], folded)
        if match:
            yield match.start(), name
            continue
        short = _nickname(text, key)
        if short is not None:
            yield short, name


def _nickname(text: str, key: str) -> int | None:
    """Where a capitalised short form ("Mel" for "Melanie", "Ana" for "Ana Silva") stands in `text`."""
    first = key.split()[0]
    for word in name_tokens(text) if len(first) > 2 else ():
        if word.capital and len(word.key) >= 3 and first.startswith(word.key) and not is_common(word):
            return word.start
    return None


def persons(text: str, known: Iterable[str] = ()) -> tuple[str, ...]:
    """The persons named in `text`: `known` names in any case, and proper names where a person would stand.

    A known name is returned in its known spelling, also where only its short form is used ("Mel").
    """
    known = tuple(known)
    found = list(_known_in(text, known))
    taken = {fold(name) for _, name in found} | {fold(name).split()[0] for _, name in found if name.strip()}
    short = {fold(name) for name in known}
    for start, end in name_spans(text):
        name = POSSESSIVE.sub("", text[start:end])
        key = fold(name)
        if key in taken or any(k.startswith(key) for k in short):
            continue
        if _person_like(text, start, end, key):
            found.append((start, name))
    return _unique(name for _, name in sorted(found))


_BEFORE: Final = re.compile(r"([^\W\d_][\w'’-]*)\W{0,3}$")
_AFTER: Final = re.compile(r"^(?:['’]s)?[\s,]*([^\W\d_][\w'’]*)(?:\s+([^\W\d_][\w'’]*))?")


def _person_like(text: str, start: int, end: int, key: str) -> bool:
    parts = key.split()
    if parts[0].rstrip(".") in table.HONORIFICS and len(parts) > 1:
        return True
    if any(p in table.PLACE_NOUNS for p in parts[1:]) or key in table.WELL_KNOWN_PLACES:
        return False
    if is_given_name(parts[0]) and parts[-1] not in {"ltd", "inc", "gmbh", "corp", "co", "university"}:
        return True
    before = _BEFORE.search(text[max(0, start - 40) : start])
    after = _AFTER.match(text[end : end + 60])
    lead = fold(before.group(1)) if before else ""
    if lead == "called" and not _CALLER.search(text[:start]):
        return _named_person(text, start)  # "a studio called Barro"
    if lead in table.KINSHIP or lead.rstrip("s") in table.KINSHIP or lead in table.MEETING_VERBS:
        return True
    if lead in table.HONORIFICS:
        return True
    if lead in {"named"} and _named_person(text, start):
        return True
    if not after:
        return False
    return fold(after.group(1)) in table.PERSON_VERBS or (
        after.group(1) == "and" and after.group(2) in {"I", "me"} and lead not in table.PLACE_LEADS | {"at"}
    )


_CALLER: Final = re.compile(r"(?:\b(?:I|we|you|he|she|they|and|just|then)|\b[A-Z]\w+) called\W+$")


def _named_person(text: str, start: int) -> bool:
    return any(fold(w) in table.KINSHIP for w in re.findall(r"[\w-]+", text[max(0, start - 60) : start])[-4:])


def places(text: str) -> tuple[str, ...]:
    """The places named in `text`: after "in", "from", "visited"; after "to" where somebody moves."""
    found: list[str] = []
    previous_end = -10
    for start, end in name_spans(text):
        name = POSSESSIVE.sub("", text[start:end])
        leads = [fold(w) for w in re.findall(r"[^\W\d_]+|[^\w\s]", text[max(0, start - 60) : start])][-5:]
        follows_place = text[previous_end:start].strip() == "," and previous_end > 0
        if follows_place or _place_like(fold(name), leads):
            found.append(name)
            previous_end = end
    return _unique(found)


def _place_like(key: str, leads: list[str]) -> bool:
    parts = key.split()
    if key in table.NOT_PLACES or parts[0] in table.NOT_PLACES:
        return False
    if key in table.WELL_KNOWN_PLACES or (len(parts) > 1 and {parts[0], parts[-1]} & table.PLACE_NOUNS):
        return True
    if leads and leads[-1] == "the":
        leads = leads[:-1]
    if not leads or (is_given_name(parts[0]) and leads[-1] != "in" and not set(leads) & table.FAR_MOTION):
        return False
    if leads[-1] == "to":
        return any(w in table.MOTION for w in leads[:-1])
    return leads[-1] in table.PLACE_LEADS and not (leads[-1] == "from" and set(leads) & table.HEARD)


def numbers(text: str) -> tuple[str, ...]:
    """The numbers of `text` as written ("12", "3.5", "$200", "10:30", "3rd"); digits in a name are none."""
    return _unique(m.group() for m in _NUMBER.finditer(_URL.sub(lambda m: " " * len(m.group()), text)))


_URL: Final = re.compile(r"(?:https?://|www\.)\S+")


def titles(text: str) -> tuple[str, ...]:
    """What stands in quotation marks and reads like a title: "The Hobbit", «…», “…”; no quoted speech."""
    found = (next(g for g in match.groups() if g is not None) for match in _QUOTED.finditer(text))
    return _unique(title.strip() for title in found if _title_like(title.strip()))


def _title_like(title: str) -> bool:
    if not title or title.endswith((",", ";", ":")):
        return False
    if _CJK.match(title):
        return len(title) <= 40
    tokens = title.split()
    if not (title[0].isupper() or title[0].isdigit()) or len(tokens) > 12:
        return False
    long = [t for t in tokens if len(t) > 3 and t[0].isalpha()]
    capital = sum(t[0].isupper() for t in long)
    return capital * 2 >= len(long) if not title.endswith((".", "!", "?")) else capital == len(long)


def keywords(text: str, limit: int = 8) -> tuple[str, ...]:
    """The content words and short phrases of `text`, most telling first: titles, names, pairs, long words."""
    scores: dict[str, tuple[float, int]] = {}
    named = list(titles(text))
    named += [n for n in proper_names(text) if not any(fold(n) in fold(title) for title in named)]
    for rank, name in enumerate(named):
        scores[name] = (10.0 - rank * 0.01, rank)
    inside = {part for name in named for part in fold(name).split()}
    for position, run in enumerate(_content_runs(text)):
        kept = [w.lower() for w in run if fold(w) not in inside]
        for key in kept:
            score = min(len(key), 12) / 4 + (-1.0 if key.endswith(("ing", "ed", "ly")) else 0.0)
            old = scores.get(key, (0.0, position))
            scores[key] = (max(old[0] + 0.5, score), old[1])
        if len(kept) == 2 == len(run):
            scores[" ".join(kept)] = (4.0 + len("".join(kept)) / 20, position)
    ranked = sorted(scores, key=lambda k: (-scores[k][0], scores[k][1]))
    return _unique(ranked)[:limit]


def _latin(text: str) -> str:
    code = language(text)
    return code if code in LANGUAGE_WORDS else "en"


def _content_runs(text: str) -> Iterator[list[str]]:
    run: list[str] = []
    weak = STOPWORDS | table.WEAK | table.CALENDAR | LANGUAGE_WORDS[_latin(text)]
    for match in re.finditer(r"[^\W\d_][\w'’-]*|[^\w\s]|\d\S*", text):
        word = POSSESSIVE.sub("", match.group())
        if _CJK.search(word):
            yield from ([part] for part in _CJK_FUNCTION.split(word) if len(part) >= 2)
            continue
        key = fold(word)
        if not word[:1].isalpha() or key in weak or word.lower() in weak or len(key) < 3:
            if run:
                yield run
            run = []
        else:
            run.append(word)
    if run:
        yield run

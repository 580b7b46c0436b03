"""Where sentences end.

Flows in: one message in any language. Flows out: its sentences, stripped, in order, nothing lost but white
space. Will not cut inside quotes, decimals, URLs, abbreviations or ellipses. Runs in linear time.
"""

import re
from typing import Final

from meme.language.english.words import ABBREVIATIONS

_END: Final = re.compile(r"([.!?…]+[\"”’'»)\]]*|[。！？]+[」』”）]*)(?=\s|$|[^\x00-\u2fff])|\n+")
_QUOTE: Final = re.compile(
    r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|「[^」\n]{1,400}」|\([^()\n]{1,400}\)"
)
_EMOJI: Final = re.compile(
    r"\s*(?:[\U0001F000-\U0001FAFF\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d❤]+|[:;]-?[()DPp](?!\w))+"
)
_LAST_WORD: Final = re.compile(r"([^\W\d_]+(?:\.[^\W\d_]+)*)$")
_SOFT_BREAK: Final = re.compile(r"[;:—–]\s+|,\s+(?:and|but|so|because|while|which|then|or)\s+|,\s+|\s+")
_OPENING: Final = re.compile(r"(?:I|My|We|Our|You|The|It|He|She|They|But|And|This|That|So|After|Then)\b")
_LONGEST: Final = 600


def sentences(text: str) -> list[str]:
    """Split `text` into sentences; one over 600 characters is cut further, at the best clause border."""
    quotes = [match.span() for match in _QUOTE.finditer(text)]
    found: list[str] = []
    start = at = quote = 0
    for match in _END.finditer(text):
        if match.start() < at:
            continue
        while quote < len(quotes) and quotes[quote][1] <= match.start():
            quote += 1
        inside = quote < len(quotes) and quotes[quote][0] < match.start() and match.end() < quotes[quote][1]
        if inside or not _ends(text, start, match):
            continue
        emoji = _EMOJI.match(text, match.end())
        at = emoji.end() if emoji else match.end()
        found.append(text[start:at])
        start = at
    found.append(text[start:])
    return [piece for part in found if part.strip() for piece in _shortened(part.strip())]


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether the sentence that began at `start` ends with this mark."""
    mark = match.group()
    following = text[match.end() : match.end() + 12].lstrip()
    if mark.startswith("\n"):
        # A hard-wrapped line goes on in lower case; a blank line or a new bullet does not.
        return len(mark) > 1 or not following[:1].islower()
    if following[:1].islower() and mark[0] not in "。！？":
        before = text[start : match.start()].strip()
        # In a message written all in lower case a full stop is still a full stop.
        return before[:1].islower() and len(before.split()) > 1 and len(mark) == 1 and before[-2:].isalpha()
    if mark.startswith(("...", "…")):
        return len(text[start : match.start()].split()) > 2
    if not mark.startswith(".") or len(mark.rstrip("\"”’'»)]")) > 1:
        return True
    word = _LAST_WORD.search(text[max(start, match.start() - 12) : match.start()])
    if word is None:
        # "1. Open the box": the number of a list item is no sentence.
        return not text[start : match.start()].strip().isdigit()
    last = word.group(1)
    if last.lower() in ABBREVIATIONS:
        closing = last.lower() in {"etc", "a.m", "p.m", "inc", "ltd", "co", "u.s", "u.k"}
        return closing and _OPENING.match(following) is not None
    return len(last) > 1 or last == "I" or not last.isupper()


def _shortened(sentence: str) -> list[str]:
    """Cut an overlong sentence at clause borders, each piece at most 600 characters where one exists."""
    pieces: list[str] = []
    begin = 0
    while len(sentence) - begin > _LONGEST:
        borders = list(_SOFT_BREAK.finditer(sentence, begin + _LONGEST // 2, begin + _LONGEST))
        strong = [m for m in borders if m.group().strip()]
        cut = (strong or borders)[-1].end() if borders else begin + _LONGEST
        pieces.append(sentence[begin:cut].strip())
        begin = cut
    pieces.append(sentence[begin:].strip())
    return [piece for piece in pieces if piece]

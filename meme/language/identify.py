"""Which language a text is in, from its script and its commonest words.

Flows in: any text. Flows out: an ISO 639-1 code. Will not tell close relatives apart on a few words: when
unsure it says "en".
"""

import re
from typing import Final

from meme.language.names.words import LANGUAGE_WORDS

_SCRIPTS: Final = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u3400-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
)
_UKRAINIAN: Final = re.compile(r"[іїєґІЇЄҐ]")
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f]")


def language(text: str) -> str:
    """The ISO 639-1 code of the language of `text`, guessed from script and stopwords; "en" when unsure."""
    sample = text[:2000]
    latin = len(_LATIN.findall(sample))
    for code, pattern in _SCRIPTS:
        count = len(pattern.findall(sample))
        # A Chinese character says as much as a few Latin letters, and kana decides between ja and zh.
        weight = 3 if code in {"zh", "ja", "ko"} else 1
        if count and (count * weight > latin or (code == "ja" and count > 2 and count * 6 > latin)):
            return "uk" if code == "ru" and _UKRAINIAN.search(sample) else code
    tokens = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", sample.lower().replace("’", "'"))
    scores = {code: sum(t in words for t in tokens) for code, words in LANGUAGE_WORDS.items()}
    best = max(scores, key=lambda code: (scores[code], code == "en"))
    return best if scores[best] > scores["en"] and scores[best] >= 2 else "en"

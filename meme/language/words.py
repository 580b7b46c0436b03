"""Words of a text: folding, tokens, stems, stopwords.

Flows in: any text in any script. Flows out: small lists of strings that compare well.
Will not parse, translate or guess meaning.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

import snowballstemmer

WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

# Kept out on purpose: "not", "no", "never", "without", "first", "last": they change what is asked.
STOPWORDS: Final = frozenset(
    """a about above after again all also am an and any are aren't as at be because been before being
    below between both but by can could did didn't do does doesn't doing don't down during each either else
    ever few for from further had has have having he her here hers herself him himself his how i i'd i'll i'm
    i've if in into is isn't it it's its itself just let let's like lot many may me might more most much my
    myself of off on once one only onto or other our ours ourselves out over own quite really s same she
    should so some such t than that that's the their theirs them themselves then there there's these they
    they're this those through to too under until up upon us very was wasn't we we're we've were weren't what
    what's when where whether which while who who's whom whose why will with would you you're you've your
    yours yourself yourselves""".split()  # noqa: SIM905 -- a word list reads better as words
)


def fold(text: str) -> str:
    """Lower case without accents: "Café Zoë" becomes "cafe zoe". Other scripts keep their letters."""
    decomposed = unicodedata.normalize("NFKD", text)
    kept = "".join(c for c in decomposed if not unicodedata.combining(c) or ord(c) > 0x36F)
    return unicodedata.normalize("NFC", kept).casefold().replace("’", "'")


def words(text: str) -> list[str]:
    """All words of `text`, folded, in order, stopwords included."""
    return WORD.findall(fold(text))


@lru_cache(maxsize=1)
def _stemmer() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The English Snowball stem of one folded word, its possessive 's taken off first."""
    bare = word.removesuffix("'s").removesuffix("'")
    return str(_stemmer().stemWord(bare))


def stems(text: str) -> list[str]:
    """Stems of the content words of `text`, in order, without stopwords."""
    return [stem(word) for word in words(text) if word not in STOPWORDS]


def wordless(text: str) -> str:
    """The characters of scripts written without spaces, and emoji: they are searched as n-grams."""
    return "".join(c if _is_wordless(ord(c)) else " " for c in text)


def _is_wordless(code: int) -> bool:
    return (
        0x0E00 <= code <= 0x0EFF  # Thai, Lao
        or 0x1000 <= code <= 0x109F  # Myanmar
        or 0x1780 <= code <= 0x17FF  # Khmer
        or 0x2600 <= code <= 0x27BF  # symbols and dingbats
        or 0x3040 <= code <= 0x30FF  # kana
        or 0x3400 <= code <= 0x9FFF  # CJK ideographs
        or 0xAC00 <= code <= 0xD7AF  # Hangul: particles follow the noun without a space
        or 0xF900 <= code <= 0xFAFF
        or 0x1F000 <= code <= 0x1FAFF  # emoji
        or 0x20000 <= code <= 0x3FFFF
    )


def grams(text: str) -> list[str]:
    """One- and two-character pieces of every wordless run in `text`."""
    found: list[str] = []
    for run in wordless(fold(text)).split():
        found += list(run)
        found += [run[i : i + 2] for i in range(len(run) - 1)]
    return found


def terms(text: str) -> list[str]:
    """Everything a text can be found by: its stems and its n-grams."""
    return [*stems(text), *grams(text)]

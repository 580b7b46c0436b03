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
    yours yourself yourselves""".split()
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

"""Compound sentences cut into the statements they hold.

Flows in: one English sentence as said. Flows out: its independent clauses in order, each a part of the
sentence. Cuts only between clauses that both have a subject and a verb of their own and can be understood
apart. Will not cut questions, quotations, subordinate clauses or mere comments.
"""

import re
from typing import Final

from meme.language.english import words as table
from meme.language.english.verbs import is_adverb, is_finite, is_past

_BORDER: Final = re.compile(r"(?P<mark>[,;—–])?\s+(?P<word>and|but|so)\s+|;\s+", re.IGNORECASE)
_HIDDEN: Final = re.compile(r"\"[^\"]*\"|“[^”]*”|\([^()]*\)|«[^»]*»")
_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SUBORDINATE: Final = frozenset(
    """when whenever if because although though while since as after before once until unless whether where
    that who which whose whom why how what""".split()  # noqa: SIM905 -- a word list reads better as words
)
_PAIRED: Final = re.compile(r"\b(?:not only|either|neither|whether|both|between|so)\b", re.IGNORECASE)
_SAID: Final = table.CLAUSE_VERBS - {
    "let",
    "make",
    "help",
    "see",
    "watch",
    "saw",
    "made",
    "helped",
    "had",
    "mean",
}
# "On Thursday we ...", "this term I ...": what may stand before the subject of a clause.
_OPENING: Final = re.compile(
    r"(?:(?:now|then|also|so far|yesterday|today|tonight|tomorrow|recently|lately|later|still|luckily"
    r"|sadly|soon"
    r"|(?:on|in|at|by|since|for|this|last|next|every|each)\s+(?:the\s+)?\w+(?:\s+(?:morning|afternoon|evening"
    r"|night|week|month|year|\d{4}))?),?\s+)+(?=(?:I|we|my|our|[A-Z]\w+)\b)",
    re.IGNORECASE,
)
_LEANING: Final = frozenset(
    """it its it's itself them they they're they've their theirs he he's she she's him his her hers there
    there's that that's those these here one ones both neither""".split()  # noqa: SIM905
)
_COMMENT: Final = re.compile(
    r"(?:i|we|you|nobody|no one|it|everyone|who) (?:can't|cannot|can|couldn't|could|should|shouldn't|would"
    r"|wouldn't|might|may)\b"
    r"|(?:i|we) (?:guess|suppose|think so|hope so|know|mean|bet|swear|promise|do|did|am|was|have|will)\W*$"
    r"|you (?:know|see|guys|can|should|could|will|would|are|have|need)\b|(?:i|we|you) all\b|we (?:all|both)\b"
    r"|i(?:'m| am| was| feel| felt) (?:so |really |very |pretty |super |just |quite )*\w+\W*$",
    re.IGNORECASE,
)
_HEADS: Final = frozenset(
    """my our the most some all every two three four five six seven eight nine ten
    """.split()  # noqa: SIM905 -- a word list reads better as words
)
_CONTRACTED: Final = frozenset(["i'm", "i've", "i'll", "i'd", "we're", "we've", "we'll", "we'd"])


def clauses(sentence: str) -> list[str]:
    """The independent clauses of `sentence`, without the "and" between them; itself where it has one."""
    if sentence.rstrip().endswith(("?", "？")):
        return [sentence]
    masked = _HIDDEN.sub(lambda found: "_" * len(found.group()), sentence.replace("’", "'"))
    for border in _BORDER.finditer(masked):
        left, right = masked[: border.start()], masked[border.end() :]
        if _apart(left, right, border):
            return [sentence[: border.start()].rstrip(" ,;—–"), *clauses(sentence[border.end() :])]
    return [sentence]


def _apart(left: str, right: str, border: re.Match[str]) -> bool:
    """Whether what stands on both sides of a border are statements for themselves."""
    before, after = _lower(left), _lower(right)
    if len(before) < 3 or len(after) < 3 or before[0] in _SUBORDINATE or _PAIRED.search(left):
        return False
    marked = border["mark"] is not None or border["word"] is None
    if not marked and (_SUBORDINATE | _SAID) & set(before):
        return False
    if not any(is_finite(w) or w in {"has", "is", "are"} or "'" in w for w in before):
        return False
    rest = _OPENING.sub("", right, count=1) if _OPENING.match(right) else right
    taken_up = re.match(r"the (?:\w+ ){0,2}?(\w+) ", rest, re.IGNORECASE)
    if taken_up and taken_up.group(1).lower() in before:
        return False  # "a sick parrot, so the parrot is invited"
    if _COMMENT.match(rest) or _LEANING & set(_first_clause(rest)):
        return False
    if _lower(rest)[:1] == ["we"] or _lower(rest)[0].startswith("we'"):
        return before[0].partition("'")[0] in {"i", "we"} and _verb_follows(rest, strict=not marked)
    return _verb_follows(rest, strict=not marked)


def _first_clause(text: str) -> list[str]:
    """The words up to the next comma or conjunction."""
    return _lower(re.split(r"[,;:—–]|\s(?:and|but|so)\s", text)[0])


def _lower(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _verb_follows(text: str, *, strict: bool) -> bool:
    """Whether `text` begins with a subject and its verb. `strict` wants "I" or an auxiliary."""
    raw = _WORD.findall(text)
    words = [word.lower() for word in raw]
    if words[0] in _CONTRACTED:
        return True
    if words[0] in {"i", "we"}:
        verb = next((w for w in words[1:4] if not is_adverb(w)), "")
        return is_finite(verb)
    if not (words[0] in _HEADS or (raw[0][:1].isupper() and words[0] not in table.STOPPERS)):
        return False
    # "Jon, and my wife Ida is ...": the verb behind a comma is not Jon's.
    for word in _lower(re.split(r",|\band\b", text)[0])[1:8]:
        if word in _SUBORDINATE or word == "to":
            return False
        if word in table.MODALS or word in {"have", "are", "don't"}:
            return True
        if not strict and _strong(word):
            return True
    return False


def _strong(word: str) -> bool:
    """Whether a word is a verb and hardly ever anything else."""
    if is_past(word):
        return word not in table.SAME_FORM
    stem = word.removesuffix("s")
    return stem != word and stem in table.BASE_VERBS - table.NOUN_VERBS

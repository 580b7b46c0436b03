"""What an extracted sentence is marked with: its kind, its importance, where it took place.

Flows in: a sentence as said and when its events happened. Flows out: the marks an entry carries. Rules over
word lists; will not weigh a sentence against others.
"""

import re
from typing import Final

from meme.language.english import words as table
from meme.language.english.verbs import is_past
from meme.records import Happened, Kind

_PROCEDURE: Final = re.compile(
    r"^(?:to|in order to) [\w' -]{2,60}, (?:you |we |i |just |simply |always |first )?\w+"
    r"|^(?:first|then|next|finally|step \d+)[,:]? (?:\w+ly )?(?:run|use|open|click|press|add|set|install"
    r"|type|copy|mix|put"
    r"|turn|select|write|call|check|make|cook|heat|stir)\b"
    r"|^(?:please )?(?:always|never|don't) (?:use|write|answer|reply|call|send|put|run|ask|include|add"
    r"|commit|deploy|format"
    r"|translate|schedule|book|round|show|say|give|keep|include|start|end)\b"
    r"|\b(?:how to \w+ (?:it|is|this|a|the)|make sure (?:to|you)|run `|steps? (?:is|are)"
    r"|when(?:ever)? (?:you|we|i) \w+"
    r".{0,60}, (?:please |always |just |first )?(?:run|use|open|click|press|add|set|call|write|send))",
    re.IGNORECASE,
)
_STATE: Final = re.compile(
    r"\b(?:since|every|each|daily|weekly|monthly|yearly|usually|always|birthday|born|(?:'s|is|am|are) (?:a"
    r"|an|the)\b"
    r"(?! (?:meeting|party|concert|appointment)))\b",
    re.IGNORECASE,
)
_WEIGHTS: Final = (
    (
        0.9,
        r"allerg\w+|diabet\w+|asthma|pregnan\w+|cancer|surgery|diagnos\w+|my name is|i'm called"
        r"|transgender|vegan|vegetarian"
        r"|celiac|epilep\w+|medication|intoleran\w+|disab\w+|blood type|birthday (?:is|was)|birthday's"
        r"|(?:i|he|she|we|they) (?:was|were) born (?:in|on)|passed away|died",
    ),
    (
        0.75,
        r"my (?:job|wife|husband|son|daughter|mother|father|mom|dad|sister|brother|parents|kids|children"
        r"|partner|family"
        r"|boyfriend|girlfriend|home|house|apartment|boss|company|career|business)|work(?:s|ed|ing)? (?:at"
        r"|for|as)"
        r"|i live|live in|moved|moving|got (?:married|engaged|divorced|promoted|fired|hired)|new job"
        r"|lost my job|quit my"
        r"|graduat\w+|adopt\w+|married|divorced|address|phone number|password",
    ),
    (
        0.65,
        r"prefer\w*|favou?rite|i (?:really |still )?(?:love|like|hate|enjoy|dislike|can't stand)|fan of"
        r"|always|never",
    ),
)
_COMPILED: Final = tuple((weight, re.compile(rf"\b(?:{words})", re.IGNORECASE)) for weight, words in _WEIGHTS)
_ORGANISATION: Final = re.compile(
    r"\b(?:energy|labs?|inc|ltd|llc|gmbh|corp|corporation|co|company|group|holdings|partners|solutions"
    r"|systems"
    r"|technologies|tech|software|consulting|media|press|publishing|books|bank|insurance|capital|ventures"
    r"|foundation|association|society|institute|council|committee|choir|orchestra|band|club|team|league|union"
    r"|agency|airlines|airways|motors|records|pictures|entertainment|industries|services|network)\.?\Z",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def kind_of(sentence: str, happened: Happened | None) -> Kind:
    """episodic for what took or takes place, procedural for how a thing is done, else semantic."""
    if _PROCEDURE.search(sentence):
        return "procedural"
    if happened is not None and not _STATE.search(sentence):
        return "episodic"
    words = [word.lower().replace("’", "'") for word in _WORD.findall(sentence)]
    acted = any(
        is_past(word) and word not in table.STATIVE and before not in table.NO_ACT
        for before, word in zip(["", *words], words[:10], strict=False)
    )
    return "episodic" if acted else "semantic"


def is_organisation(name: str) -> bool:
    """Whether a name is that of a company or a group by its last word: one is with it, not in it."""
    return _ORGANISATION.search(name) is not None


def importance_of(sentence: str, kind: Kind) -> float:
    """0..1: who somebody is and health first, then work, family and home, preferences, events, remarks."""
    text = sentence.replace("’", "'")
    for weight, pattern in _COMPILED:
        if pattern.search(text):
            return weight
    if kind != "semantic":
        return 0.55
    return 0.45 if re.search(r"\bI\b|\bmy\b|\d", text) else 0.35

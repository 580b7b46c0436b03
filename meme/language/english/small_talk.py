"""What in a dialogue is small talk, and where a sentence begins behind its interjections.

Flows in: single English sentences and the names of those who talk. Flows out: a reason why a sentence holds
nothing to remember, or None; the sentence without "Yeah," and "Hey Bob,". Leans to keeping: only a sentence
that is small talk as a whole is named so.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from meme.language.english.courtesies import COURTESIES, REMARKS

_INTERJECTION: Final = (
    r"(?:(?:oh|wow|yeah|yes|yep|yup|yea|yay|no|nope|nah|hey|hi|hello|hiya|ok|okay|well|so|ah|aw+|aww+|ooh"
    r"|oof|whoa|ha|oh no"
    r"|haha(?:ha)*|lol|hmm+|um+|uh|ugh|thanks|thank you|thx|sure|cool|nice|great|awesome|amazing|right"
    r"|true|exactly"
    r"|absolutely|definitely|totally|of course|for sure|no worries|no problem|by the way|btw|anyway|anyways"
    r"|actually|honestly|man|dude|gosh|congrats|congratulations|sorry|please|good morning|good evening"
    r"|you know"
    r"|i mean|to be honest|tbh|good point|fair enough|got it|sounds good|speaking of which|and|but|plus))"
)
_LEAD: Final = re.compile(
    rf"(?:(?:(?:and|but|so) )?{_INTERJECTION}(?: so much| a lot| man| there| again)?"
    r"|i (?:have to|need to|should|must|gotta) (?:go|run)(?: now)?)\s*[,!.…—–-]+\s+",
    re.IGNORECASE,
)

_PRAISE_WORD: Final = (
    r"(?:great|awesome|amazing|cool|nice|wonderful|fantastic|incredible|inspiring|impressive|lovely"
    r"|beautiful|sweet"
    r"|good|excellent|brilliant|perfect|adorable|cute|super|exciting|fun|interesting|touching|powerful"
    r"|tough|rough"
    r"|gorgeous|stunning|delicious|yummy|cozy|fabulous|thoughtful|admirable|terrific|neat|sad|terrible"
    r"|awful|hard"
    r"|true|right|fair|crazy|wild|funny|hilarious|heavenly|magical|divine|idyllic|blissful|splendid"
    r"|marvellous"
    r"|spectacular|breathtaking|a (?:great|good|nice|lovely|cool|wonderful|fantastic) "
    r"(?:idea|job|one|plan|thing|way|point|choice|attitude|story|news|shot|pic|photo|picture))"
)
_VERY: Final = (
    r"(?:(?:so|really|very|pretty|super|such|just|absolutely|totally|truly|all|quite|even|that|too) )*"
)
_RULES: Final = (
    (
        "greeting",
        r"(?:(?:hey|hi|hello|hiya|yo|howdy|greetings|good (?:morning|evening|afternoon|night|day)|morning"
        r"|welcome(?: back)?|happy to see you|(?:it'?s )?(?:so |really )?(?:great|good|nice|lovely) "
        r"(?:to (?:see|hear from|meet|talk to|chat with|catch up with) you|chatting(?: with you)?|seeing you"
        r"|catching up(?: with you)?|talking to you|hearing from you)"
        r"|long time no (?:see|talk|chat)|it'?s been (?:a while|ages|too long)|hope (?:you(?:'re| are)"
        r"|all is|all's"
        r"|everything(?:'s| is)) [\w ']+|(?:i )?hope you(?:'ve been| are| had)? [\w ']+)\b[\w ]{0,12})",
    ),
    (
        "farewell",
        r"(?:(?:bye|goodbye|see (?:you|ya)|later|take care|cheers|(?:talk|speak|chat"
        r"|catch) (?:to )?(?:you |ya |up )?"
        r"(?:soon|later|tomorrow)|good ?night|have (?:a|an) [\w ]{2,30}|have fun|enjoy(?: it| yourself"
        r"| your [\w ]+)?"
        r"|stay (?:safe|strong|positive|well|in touch)|keep in touch|until next time|catch you later"
        r"|gotta (?:go|run)|i (?:gotta|have to|should) (?:go|run)(?: now)?|(?:good"
        r"|best of) luck)\b(?:(?!, (?:i|we|my|there|the)\b)[\w ',]){0,30})",
    ),
    (
        "thanks",
        r"(?:(?:many )?thank(?:s|ing)?(?: you)?|thx|ty|(?:i )?(?:really |so )?appreciate (?:it|that|you"
        r"|your|the)"
        r"|(?:i'?m )?(?:so |really |truly )?(?:grateful|thankful) for (?:you|your|that|it)|much appreciated"
        r"|you(?:'re| are) welcome|no problem|no worries|my pleasure|anytime|don't mention it"
        r"|that means (?:a lot|so much)|(?:it|your [\w ]+) (?:really )?means? (?:a lot|so much"
        r"|the world))\b[^.?!]{0,60}",
    ),
    (
        "praise",
        rf"(?:(?:(?:wow|oh|that|that'?s|this is|it'?s|it is|that is|how|sounds?|looks?|they look|it looks"
        rf"|it sounds"
        rf"|that looks|this looks|that sounds|that must (?:be|have been)|this sounds|what a|must be"
        rf"|must have been|you look"
        rf"|you'?re|you are|they'?re|those are|these are) ){_VERY}{_PRAISE_WORD}(?: (?:too|to hear|to me"
        rf"|indeed|stuff"
        rf"|you guys|for you|as well|to see|news|job|work|time|there|one))*"
        rf"|what (?:a|an) [\w '-]{{2,40}}|{_VERY}{_PRAISE_WORD}(?: (?:job|work|stuff|one|news|choice|pic"
        rf"|photo|shot|idea"
        rf"|point|thinking|times?|going|to hear|to know|to see|for you|question))*"
        rf"|(?:way to go|well done|congrats|congratulations|bravo|kudos|hats off|good for you|keep (?:it"
        rf"|up|going|at)"
        rf"|you(?:'ve)? got this|you rock|go for it|go you|nailed it|i'?m (?:so |really "
        rf"|super )?(?:proud of|happy for"
        rf"|glad for|excited for|rooting for) you|(?:so |really )?(?:proud of|happy for|glad for"
        rf"|excited for) you"
        rf"|i(?:'m| am)? (?:here|always here) for you|you(?:'re| are) (?:doing"
        rf"|going to do) (?:an? )?{_PRAISE_WORD}"
        rf"|you can do (?:it|this)|i believe in you|you deserve it|you'?ll do great)\b[\w ',&-]{{0,60}})",
    ),
    (
        "sympathy",
        r"(?:(?:i'?m )?(?:so |really |very )?sorry (?:to hear (?:that|this|it)|about that|you(?:'re"
        r"| are) going through this"
        r"|for your loss)|that'?s (?:so |really |very )?(?:nice|sweet|kind|thoughtful|good) of you"
        r"|bummer(?: about that)?)"
        r"[\w ]{0,20}",
    ),
    (
        "agreement",
        r"(?:(?:i )?(?:totally|completely|fully|definitely|absolutely|really )?(?: )?(?:agree(?:d)?|get it"
        r"|get that"
        r"|hear you|see|know|understand|bet|feel you)|exactly|absolutely|definitely|totally|indeed|true"
        r"|right|sure"
        r"|of course|for sure|certainly|same(?: here)?|me too|me neither|likewise|you(?:'re| are) (?:so "
        r"|totally )?right"
        r"|i know,? right|that makes sense|makes sense|fair enough|good point|got it|gotcha|ok(?:ay)?"
        r"|alright|understood"
        r"|will do|sounds (?:good|great|like a plan)|no way|for real|why not|yes|no|yeah|yep|nope|it is"
        r"|it does"
        r"|i do|we do|it really is|i will|i am|we will|noted|k|let'?s do (?:it|this)|deal)(?: with (?:you"
        r"|that))?"
        r"(?: too| more| there| so)?",
    ),
    (
        "exclamation",
        r"(?:(?:oh|omg|my|wow|god|gosh|goodness|whoa|yay|(?:ha)+h?|lol|lmao|hmm+|aw+|ooh|oops|ugh|phew|hooray"
        r"|woohoo|damn|wowza|yum|yikes)\b *)+",
    ),
    (
        "pointer to something shown",
        r"(?:(?:here(?:'s| is| are)|check(?: it| this| that| these)? out|take a (?:look|peek)|look"
        r"|have a look|see)"
        r"(?: at)?(?: (?:this|it|these|that|here|a|the|my|some|pic|pics|photo|photos|picture|pictures|one"
        r"|below|of it"
        r"|of this))*|let me know(?: [\w ']{0,40})?|let me show you(?: [\w ]{0,20})?|tell me (?:more"
        r"|about it|all about it)"
        r"|keep me (?:posted|updated)|guess what)",
    ),
)
_LONGEST: Final = 200  # characters; longer sentences are never small talk as a whole
_POLITE: Final = tuple(
    (reason, re.compile(rf"(?:{pattern})\Z", re.IGNORECASE)) for reason, pattern in COURTESIES
)
_COMPILED: Final = (
    *((reason, re.compile(rf"(?:{pattern})\Z", re.IGNORECASE)) for reason, pattern in (*_RULES, *REMARKS)),
    *_POLITE,
)
_OPENER: Final = re.compile(
    r"(?:lol|haha|oh|ah|aw+|yeah|well|wow|hey|ok|okay|yes|no|and|but|so|ha|still)\s+", re.IGNORECASE
)
_MACHINE: Final = re.compile(
    r"\s*(?:\[[^\[\]]{1,200}\]|<[^<>]{1,200}>|\{\}|\W*heartbeat\W.*)\s*\Z", re.IGNORECASE
)
_TRAILING: Final = re.compile(r"[\s.!?…,;:~)(*\-–—\U0001F000-\U0001FAFF\u2600-\u27bf\ufe0f\u200d❤]+\Z")


@lru_cache(maxsize=64)
def _names(names: tuple[str, ...]) -> str:
    forms = {n for name in names for n in (name, name.split()[0], *_short(name)) if n.strip()}
    return "|".join(sorted(map(re.escape, forms), key=len, reverse=True)) or r"(?!)"


def _short(name: str) -> list[str]:
    first = name.split()[0]
    return [first[:cut] for cut in (3, 4) if len(first) > cut]


def without_address(sentence: str, names: Sequence[str]) -> str:
    """`sentence` without the names it only calls out to: "Hey Bob, I moved" and "I moved, Bob!"."""
    called = _names(tuple(names))
    text = re.sub(
        rf"^((?:{_INTERJECTION})(?: so much| there| again)?)[,!]?\s+(?:{called})(?=[\s]*[,!.?…—–-])",
        r"\1",
        sentence,
        flags=re.IGNORECASE,
    )
    text = re.sub(rf"^(?:{called})\s*[,!]\s+(?=\S)", "", text)
    text = re.sub(rf"((?:^|[,.!?] ))(?:{called}) (?=you(?:'|’|\b))", r"\1", text)
    return re.sub(rf",\s+(?:{called})(?=\s*[.!?…]*\W*$)", "", text)


def without_fillers(sentence: str, names: Sequence[str] = ()) -> str:
    """`sentence` without leading interjections and address; the same where nothing else would be left."""
    text = without_address(sentence, names)
    for _ in range(4):
        match = _LEAD.match(text)
        if match is None or not re.search(r"\w", text[match.end() :]):
            break
        text = without_address(text[match.end() :], names)
    return text[:1].upper() + text[1:]


def small_talk(sentence: str, names: Sequence[str] = ()) -> str | None:
    """Why `sentence` holds nothing to remember ("greeting", "thanks", ...), or None where it may."""
    if _MACHINE.match(sentence):
        return "machine message"
    if not re.search(r"\w", sentence):
        return "no words"
    if len(sentence) > _LONGEST:
        return None
    for text in (without_address(sentence, names), without_fillers(sentence, names)):
        bare, parts = _parts(text, names)
        reasons = [_matches(part) for part in parts]
        if not bare or (all(reasons) and reasons) or (not parts and bare):
            return next(filter(None, reversed(reasons)), "greeting")
        if reason := _matches(bare):
            return reason
    return None


def courtesy(sentence: str, names: Sequence[str] = ()) -> str | None:
    """Why `sentence` is a courtesy whatever names it holds ("Give Rex a hug from me!"), or None.

    The names in it are those of the greeted and pitied, or echo what the other just said.
    """
    if len(sentence) > _LONGEST:
        return None
    for text in (without_address(sentence, names), without_fillers(sentence, names)):
        bare, parts = _parts(text, names)
        polite = [_among(_POLITE, part) for part in parts]
        named = [re.search(r"(?<!^)\b[A-Z](?!\b|'m|'ve|'ll|'d)|\d", part) for part in parts]
        kept = all(p or (_matches(part) and not n) for p, part, n in zip(polite, parts, named, strict=True))
        if any(polite) and kept:
            return next(filter(None, polite))
        if reason := _among(_POLITE, bare):
            return reason
    return None


def _parts(text: str, names: Sequence[str]) -> tuple[str, list[str]]:
    """The text without closing marks, and its parts between commas without the names called."""
    bare = _TRAILING.sub("", text.replace("’", "'")).strip()
    parts = [p for p in re.split(r"\s*[,!—–]\s*|\s+-\s+|\s+and\s+(?=thank)", bare) if p]
    return bare, [p for p in parts if not re.fullmatch(_names(tuple(names)), p)]


def _among(rules: Sequence[tuple[str, re.Pattern[str]]], text: str) -> str | None:
    return next((reason for reason, pattern in rules if pattern.match(text)), None)


def _matches(text: str) -> str | None:
    for said in (text, _OPENER.sub("", text)):
        if found := _among(_COMPILED, said):
            return found
    return None

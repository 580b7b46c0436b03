"""A question and its answer as one statement.

Flows in: a question, the words that answer it, and who asked whom. Flows out: one English sentence that
stands alone. Transforms a question only where that is safe, and quotes both where it is not. Will not
judge whether the answer is true.
"""

import re
from typing import Final

from meme.language.english import restate
from meme.language.english import words as table
from meme.language.english.verbs import is_adverb, is_finite, is_past, third_person

_YES: Final = re.compile(
    r"(?:yes|yeah|yep|yup|yea|sure|of course|definitely|absolutely|correct)\b|i (?:do|am|have"
    r"|did)(?=\W*$|[,.!])",
    re.I,
)
_NO: Final = re.compile(
    r"(?:no|nope|nah|not really|not yet|never)\b|(?:i don't|i'm not|i haven't|i didn't)(?=\W*$|[,.!])", re.I
)
_SOFT: Final = re.compile(r"[\s,.!;:–—-]+")
_PARTICIPIAL: Final = re.compile(
    r"\w+(?:ed|en) (?:in|by|from|with|at|on|to)\b", re.IGNORECASE
)  # "wrapped in paper"
_PLACE_OR_TIME: Final = re.compile(
    r"(?:in|at|on|near|to|from|around|by|since|for|next to|with|close to|outside)\b", re.I
)
_POLAR: Final = re.compile(
    r"(?P<aux>do|are|have|were|can|will|would|should|did) (?:you|u) (?P<rest>(?!know\b|want to tell\b"
    r"|think\b)[^?]+)\?$",
    re.I,
)
_OTHERS: Final = re.compile(
    r"(?i:(?P<aux>is|are|was|were|has|have|does|did|will|can)) (?P<subject>(?i:my|your|the|his|her"
    r"|their) [\w'-]+"
    r"|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?) (?P<rest>(?!(?:one|two) of\b)[^?,]+)\?$"
)
_WHERE_DO: Final = re.compile(
    r"(?:and |so )?(?P<wh>where|when|who|how) do you (?P<verb>\w+)(?P<rest>[^?]*)\?$", re.I
)
_WHERE_ARE: Final = re.compile(r"(?:and |so )?(?:where|when|how old|what) are you(?P<rest>[^?]*)\?$", re.I)
_WHAT_IS: Final = re.compile(
    r"(?:and |so )?(?P<wh>what|when|where|who)(?:'s| is| are) your (?P<what>[^?]+)\?$", re.I
)
_DROP_NOW: Final = re.compile(r"\s*\b(?:now|these days|currently|at the moment|exactly|again)\b", re.I)
_NEGATED: Final = {"do": "doesn't", "are": "is not", "have": "has not", "were": "was not", "did": "did not"}


def asks(sentence: str) -> bool:
    """Whether a sentence is a question and no statement with "right?" at its end."""
    text = sentence.rstrip("\"”'’)*_~ \U0001f600")
    if not re.search(r"[?？][!?？]*\W*$", text):
        return False
    tag = re.search(
        r",? (?:right|no|ok|okay|you know|huh|eh|isn't it|don't you think)\?+$", text, re.IGNORECASE
    )
    return not (tag and len(text.split()) > 4 and not _opens_question(text))


def _opens_question(text: str) -> bool:
    first = re.match(r"(?:\w+, )?([\w'’]+)", text)
    word = first.group(1).lower().replace("’", "'") if first else ""
    asking = {
        "what",
        "where",
        "when",
        "who",
        "why",
        "how",
        "which",
        "whose",
        "what's",
        "how's",
        "where's",
        "any",
    }
    return word in asking or word in table.INVERTED


def elliptical(answer: str) -> bool:
    """Whether `answer` says little without its question: yes or no, or no subject with a verb."""
    text = _SOFT.sub(" ", answer).strip()
    if _YES.match(text) or _NO.match(text):
        rest = _remainder(answer)
        return not rest or _PARTICIPIAL.match(rest) is not None or elliptical(rest)
    if re.match(r"(?:since|because|when|until|before|after|if|whenever)\b[^,]*$", text, re.IGNORECASE):
        return True  # "Since I was ten."
    found = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text)
    words = [word.lower().replace("’", "'") for word in found if word not in {"May", "March"}]
    if len(words) < 2:
        return bool(text)
    subjects = {"i", "we", "you", "he", "she", "it", "they", "there", "this", "that", "my", "our"}
    if words[0].partition("'")[0] in subjects or "i" in words[:6] or "i'm" in words[:6]:
        return False
    plain = [w for w in words[1:] if w not in table.PREPOSITIONS and w not in table.NOUN_VERBS]
    finite = any(
        w in table.MODALS or w in {"am", "are", "have", "do", "don't"} or "'s" in w for w in words[:12]
    )
    past = any(is_past(w) for w in words[:6])
    return not (finite or past or any(is_finite(w) for w in plain))


def _remainder(answer: str) -> str:
    text = answer.strip()
    for pattern in (_YES, _NO):
        match = pattern.match(text)
        if match:
            return _SOFT.sub(" ", text[match.end() :]).strip() and text[match.end() :].strip(" ,.!;:–—-")
    return text


def with_yes_or_no(text: str, answer: str) -> str:
    """A restated answer with the yes or no it began with, where restating took that for a filler."""
    match = re.match(r"\W*(yes|yeah|yep|no|nope|nah)\b", answer, re.IGNORECASE)
    if match is None or re.match(r"(?:yes|yeah|yep|no|nope|nah)\b", text, re.IGNORECASE):
        return text
    pronoun = re.match(r"(?:It|That|They|He|She|Their|His|Her|Its|This|There|We|The|So|But)\b", text)
    return f"{match.group(1).capitalize()}, {text[:1].lower() + text[1:] if pronoun else text}"


def combined(question: str, answer: str, asker: str, answerer: str, restated: str) -> str:
    """One sentence from a question and its elliptical answer, `restated` in the third person."""
    plain = re.sub(
        r"^(?:and|so|but|oh|well|hey|wow)\s*,?\s+", "", question.strip().replace("’", "'"), flags=re.I
    )
    made = (
        _about_another(plain, answer, asker, answerer, restated)
        or _polar(plain, answer, asker, answerer, restated)
        or _open(plain, answerer, asker, restated)
    )
    if made:
        made = made.rstrip(" .!,;") + "."
        return made[:1].upper() + made[1:]
    asked = restate(question.strip(), asker, answerer)
    return f'Asked by {asker} "{asked}", {answerer} answered: "{restated}"'


def _polar(question: str, answer: str, asker: str, answerer: str, restated: str) -> str | None:
    """ "Do you like tea?" "No." -> "Bob doesn't like tea"."""
    match = _POLAR.match(question)
    yes, no = _YES.match(answer.strip()), _NO.match(answer.strip())
    if match is None or not (yes or no):
        return None
    rest = _remainder(restated) if _remainder(answer) else ""
    if (rest and not _PLACE_OR_TIME.match(rest)) or " or " in match["rest"]:
        return None
    aux = match["aux"].lower()
    about = restate(match["rest"].strip(), asker, answerer)
    tail = f", {rest}" if rest else ""
    if no:
        if re.match(r"(?:not yet|never)\b", answer.strip(), re.I) and aux not in {"have", "did"}:
            return None
        plain = re.sub(r"^ever\b", "", about).strip()
        return f"{answerer} {_NEGATED.get(aux, aux + ' not')} {plain}{tail}"
    about = re.sub(r"^ever ", "", about)
    if aux == "do":
        adverb, verb, after = re.match(
            r"((?:\w+ly |still |also |often )?)(\S+)(.*)", about, re.DOTALL
        ).groups()  # type: ignore[union-attr]
        return f"{answerer} {adverb}{third_person(verb)}{after}{tail}"
    form = {"are": "is", "have": "has", "were": "was"}.get(aux, aux)
    return f"{answerer} {form} {about}{tail}"


def _about_another(question: str, answer: str, asker: str, answerer: str, restated: str) -> str | None:
    """ "Is Rex coming too?" "Of course." -> "Rex is coming too"."""
    match = _OTHERS.match(question)
    yes, no = _YES.match(answer.strip()), _NO.match(answer.strip())
    if match is None or not (yes or no) or " or " in match["rest"]:
        return None
    rest = _remainder(restated) if _remainder(answer) else ""
    if rest and not (_PLACE_OR_TIME.match(rest) or _PARTICIPIAL.match(rest)):
        return None
    subject, about = (restate(match[part].strip(), asker, answerer) for part in ("subject", "rest"))
    about = re.sub(r"^ever ", "", about)
    aux, tail = match["aux"].lower(), f", {rest}" if rest else ""
    if no:
        if re.match(r"not yet\b", answer.strip(), re.I) and aux not in {"has", "have", "did"}:
            return None
        return f"{subject} {aux} not {about}{tail}"
    if aux == "does":
        verb, _, after = about.partition(" ")
        return f"{subject} {third_person(verb)} {after}".rstrip() + tail
    return f"{subject} {aux} {about}{tail}"


def _open(question: str, answerer: str, asker: str, restated: str) -> str | None:
    """ "Where do you live now?" "In Lyon." -> "Bob lives in Lyon"."""
    answer = restated.strip()
    small = answer[:1].lower() + answer[1:]
    if len(answer.split()) > 14 or not answer:
        return None
    if match := _WHAT_IS.match(question):
        asked = match["what"].split()
        if is_finite(asked[-1].lower()) or len(asked) > 4:
            return None
        prepositional = _PLACE_OR_TIME.match(answer)
        if (match["wh"].lower() in {"when", "where"}) != bool(prepositional):
            return None
        lower = prepositional or is_adverb(answer.split()[0].lower())
        return f"{answerer}'s {match['what'].strip()} is {small if lower else answer}"
    match = _WHERE_DO.match(question)
    if match and match["wh"].lower() in {"where", "when"} and _PLACE_OR_TIME.match(answer):
        rest = _DROP_NOW.sub("", restate(match["rest"].strip(), asker, answerer)).strip()
        return " ".join(f"{answerer} {third_person(match['verb'].lower())} {rest} {small}".split())
    match = _WHERE_ARE.match(question)
    if match and _PLACE_OR_TIME.match(answer):
        rest = _DROP_NOW.sub("", restate(match["rest"].strip(), asker, answerer)).strip()
        rest = rest.removesuffix(small.split()[0]).strip()  # "where are you from?" "From Chile."
        return " ".join(f"{answerer} is {rest} {small}".split())
    return None

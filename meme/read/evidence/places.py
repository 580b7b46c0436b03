"""The place a sentence names: a known name, what follows a preposition of place, where somebody comes from.

Flows in: a read question and a fitting sentence. Flows out: a phrase in the sentence's wording, or None.
Will not look places up.
"""

import re
from typing import Final

from meme.language.concepts import concept
from meme.language.names import places
from meme.language.questions import Question
from meme.language.questions.mentions import same_name
from meme.language.words import STOPWORDS, words
from meme.read.evidence.statements import Statement

_COMES_FROM: Final = re.compile(
    r"\b(?:from|born in|grew up in|raised in|native of|hometown is)\s+"
    r"(?P<place>(?:an?\s+\w+\s+in\s+)?[A-ZÀ-Þ][\w'’-]*(?:[\s,]+[A-ZÀ-Þ][\w'’-]*)*)"
)


def origin_in(sentence: str) -> str | None:
    """Where somebody comes from: "Split" in "Ivan comes from Split"."""
    match = _COMES_FROM.search(sentence)
    return match["place"] if match else None


def place_in(question: Question, statement: Statement, sentence: str) -> str | None:
    """A named place, else what follows a preposition of place, else the entry's location."""
    own = [name for name in places(sentence) if not any(same_name(name, p) for p in question.persons)]
    fresh = [name for name in own if not set(words(name)) & set(words(question.text))]
    if fresh:
        return fresh[-1] if _moves_to(sentence, fresh) else fresh[0]
    abroad = _PLACE_ABROAD.get(question.language)
    if abroad and (match := abroad.search(sentence)):
        return match["place"]
    for match in _PLACE.finditer(sentence):
        phrase = _cut(match["place"])
        content = [concept(w) for w in words(phrase)]
        plain = [w for w in words(phrase) if w not in STOPWORDS]
        if plain and not set(content) & set(question.keys) and not _NO_PLACE.search(phrase):
            return phrase
    if statement.location and not set(words(statement.location)) & set(words(question.text)):
        return statement.location
    return None


_PLACE: Final = re.compile(
    r"\b(?:in|at|to|from|near|inside|outside|on|into|under)\s+(?=(?:the|a|an|my|our|his|her|their|some|this|[A-Z])?)"
    r"(?P<place>(?:(?:the|a|an|my|our|his|her|their|some|this)\s+)?[^\W\d_][^.,;!?()]*)",
)
_CAPITAL: Final = r"\s+(?P<place>[A-ZÀ-ÞА-Я][\w-]+(?:\s[A-ZÀ-ÞА-Я][\w-]+)*)"
_PLACE_ABROAD: Final = {
    "de": re.compile(rf"\b(?:in|nach|bei|aus|im)(?:\s+(?:der|dem|den|die))?{_CAPITAL}"),
    "fr": re.compile(rf"\b(?:à|au|aux|en|dans|chez|de)(?:\s+(?:la|le|les))?{_CAPITAL}"),
    "es": re.compile(rf"\b(?:en|a|de|desde)(?:\s+(?:la|el))?{_CAPITAL}"),
    "it": re.compile(rf"\b(?:a|in|da|di|nel|nella){_CAPITAL}"),
    "pt": re.compile(rf"\b(?:em|no|na|para|de){_CAPITAL}"),
    "ru": re.compile(rf"\b(?:в|во|на|из){_CAPITAL}"),
    "zh": re.compile(
        r"(?:住在|位于|搬到|去|到|在)(?P<place>[\u4e00-\u9fff]{2,6}?)(?=$|[。，！？]|工作|上|住|的)"
    ),
    "ja": re.compile(r"(?P<place>[\u4e00-\u9fff\u30a0-\u30ff]+)(?:に|で|へ)"),
}
_NO_PLACE: Final = re.compile(
    r"\b(?:everything|something|anything|nothing|everyone|someone|people|folks|others|happened|week|weekend|month|year|day|night|morning|evening|afternoon|yesterday|today|summer|winter|spring|autumn|ago|time|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|life|fact|general|\d{4})\b",
    re.IGNORECASE,
)


def _moves_to(sentence: str, named: list[str]) -> bool:
    return (
        bool(re.search(rf"\bfrom\s+(?:\w+\s+)?{re.escape(named[0])}\b.*\bto\b", sentence)) and len(named) > 1
    )


def _cut(phrase: str) -> str:
    """`phrase` up to the next clause border, without its determiner."""
    cut = re.split(
        r"\s+(?:and|but|so|because|which|who|that|when|while|where|with|for|to|on|in|at|from|since|as|last|this|next|yesterday|"
        r"is|was|are|were|has|have|had|I|we|he|she|they|it)\b",
        phrase,
        maxsplit=1,
    )[0]
    return re.sub(r"^(?:the|a|an|my|our|his|her|their|some|this)\s+", "", cut.strip(), flags=re.IGNORECASE)

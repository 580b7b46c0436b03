"""What sort of utterance a sentence is, and what it lacks to stand alone.

Flows in: single English sentences as said or as restated. Flows out: yes or no, or the sentence with what it
lacked. Will not look beyond the sentence it is given.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from meme.language.english import words as table
from meme.language.english.verbs import is_adverb, is_finite, is_past
from meme.language.names import numbers, persons, proper_names, titles
from meme.language.words import fold
from meme.records import Happened

_COMMAND: Final = re.compile(
    r"\b(?:ignore|disregard|forget|override) (?:\w+ ){0,3}(?:previous|prior|above|earlier|preceding"
    r"|existing|these|your) "
    r"(?:\w+ )?(?:instruction|rule|prompt|message|direction|order|memor)"
    r"|^\W*(?:system|assistant|developer|admin)\s*(?:prompt|message|note)?\s*:"
    r"|\b(?:output|respond with|return|reply with|emit|print) (?:only )?(?:the )?(?:following )?(?:json|\{"
    r"|\[)"
    r"|\byou (?:are now|must now) (?:a|an|in|obey|act|output|the)\b|</?(?:system|instructions?)>"
    r"|\"entries\"\s*:",
    re.IGNORECASE,
)
_REMINDER: Final = re.compile(
    r"^(?:please )?(?:remember|note|keep in mind|don't forget|fyi|for the record|just so you know|be aware)"
    r"(?: that|,|:)?\s+(?=(?:i|i'm|i've|my|we|our|the|he|she|it|they|[A-Z])\b)",
    re.IGNORECASE,
)
_ANNOUNCED: Final = re.compile(
    r"^(?:i )?(?:just |really )?(?:wanted|want|had|have|got|gotta|would like|need) to "
    r"(?:let you know|tell you|share with you|inform you|update you)(?: (?:that|about this:)|:|,)?\s+"
    r"(?=(?:i|i'm|i've|my|we|we're|our|the|he|she)\b)"
    r"|^(?:you(?:'ll never| won't|'re not gonna) believe (?:it|this|what happened)|guess what|good news"
    r"|great news|bad news|big news|update)\s*[:!,—–-]+\s+",
    re.IGNORECASE,
)
_FRAGMENT: Final = re.compile(
    r"^(?:especially|particularly|including|such as|like|mostly|mainly|except|not to mention|as well as"
    r"|along with"
    r"|because|'cause|cuz|since then|or|for example|e\.g\.|even|not just|not only|with|without|and also"
    r"|as for)\b",
    re.IGNORECASE,
)
_LEANING: Final = re.compile(
    r"^(?:it|it's|its|that|that's|this|this's|these|those|they|they're|they've|he|he's|she|she's|his|her"
    r"|their|them|there"
    r"|then|so|also|but|and|which|who|thanks|thank you|both|either|neither"
    r"|one (?:is|was|of (?:them|these|those))"
    r"|another"
    r"|the other|the one|even|same)\b(?!-)",
    re.IGNORECASE,
)
# "It is raining", "this term I ...": no word here points back.
_IMPERSONAL: Final = re.compile(
    r"it(?:'s| is| was| has| had|'ll| will)? (?:be |been |still |already |always |just |so |very |really )*"
    r"(?:rain|snow|pour|hail|freez|sunny|hot\b|cold\b|warm\b|windy|\d+ degrees)",
    re.IGNORECASE,
)
_THIS_TIME: Final = re.compile(
    r"this (?:term|year|week|month|season|semester|quarter|summer|winter|spring|autumn|fall|morning|afternoon"
    r"|evening|weekend)\b(?! (?:is|was)\b)",
    re.IGNORECASE,
)
_SUBJECTLESS: Final = re.compile(
    r"^(?:\w+ly |just |also |always |still )?(?:made|makes|helped|helps|gave|gives|reminded|reminds|keeps"
    r"|kept"
    r"|feels"
    r"|felt|looks|looked|sounds|means|meant|brings|brought|taught|teaches|shows|showed|turned|turns"
    r"|was|is|has)\b",
    re.IGNORECASE,
)
_FOREIGN_GREETING: Final = re.compile(
    r"\W*(?:hola|gracias|adiós|adios|buenos días|hallo|danke|tschüss|guten (?:tag|morgen|abend)|bonjour"
    r"|merci|salut|au revoir"
    r"|ciao|grazie|olá|obrigad[oa]|привет|спасибо|пока|你好|谢谢|再见|您好|こんにちは|ありがとう(?:ございます)?|さようなら|안녕(?:하세요)?"
    r"|감사합니다|مرحبا|شكرا|早上好|好的|嗯)(?:[\s,!.。！，~]+(?:[^\W\d_]{1,12}))?\W*\Z",
    re.IGNORECASE,
)
_POINTING: Final = re.compile(
    r"\b(?:this (?!week|month|year|morning|weekend|summer|time)|this\W*$|these (?!days)|here's|here is"
    r"|here are|here (?:you|we|they|it|he|she) (?:are|is|go)|pics?"
    r"|photos?|pictures?|images?|snapshot|check (?:it|this) out)",
    re.IGNORECASE,
)
_VAGUE_QUESTION: Final = re.compile(
    r"^\W*(?:(?:and|so|but|hey|oh|wow|well|by the way),? )?(?:how are you|how've you been"
    r"|how have you been|what's up|how's it"
    r" going|how are things|anything new|what's new|you\?|really|(?:how|what) about you(?!, \w)|right"
    r"|and you(?!, \w)|huh|guess what"
    r"|isn't it|ready)\b",
    re.IGNORECASE,
)
_NO_SUBJECT_PAST: Final = table.IRREGULAR_PAST - {
    "left",
    "lost",
    "put",
    "set",
    "cut",
    "let",
    "hit",
    "read",
    "bet",
    "cost",
}


def foreign_small_talk(text: str) -> bool:
    """Whether a turn that is not English is a bare greeting or thanks."""
    return _FOREIGN_GREETING.match(text) is not None


def commands_the_system(sentence: str) -> bool:
    """Whether a sentence is an instruction to the machinery: kept as a quotation at most."""
    return _COMMAND.search(sentence) is not None


def without_reminder(sentence: str) -> str:
    """ "Remember that I like tea" and "Just wanted to tell you that I like tea" are "I like tea"."""
    rest = _REMINDER.sub("", _ANNOUNCED.sub("", sentence))
    rest = re.sub(
        r"^(?:so|anyway|plus|also|well|and|but)\s+(?=(?:(?:i|my|we|you|your|our|the)\b|i'|we'"
        r"|(?-i:[A-Z]\w)))",
        "",
        rest,
        flags=re.IGNORECASE,
    )
    return rest[:1].upper() + rest[1:]


def without_bullet(sentence: str) -> str:
    """A list item without its dash."""
    return re.sub(r"^\s*[-*•–]\s+", "", sentence)


def answerable(question: str) -> bool:
    """Whether an answer to this question may be a fact: "How are you?" asks for none."""
    return _VAGUE_QUESTION.match(question) is None


def is_reply(sentence: str) -> bool:
    """Whether a sentence that looks like small talk may answer a question: "Yes.", "No, I don't." """
    return (
        re.match(
            r"\W*(?:yes|yeah|yep|yup|no|nope|nah|not|never|always|barely|please|naturally"
            r"|sort of|kind of|just about|a (?:little|bit)|i do|i am|i did|of course|sure)\b",
            sentence,
            re.I,
        )
        is not None
    )


def informative_reply(question: str, answer: str) -> bool:
    """Whether question and short answer together say something; praise with a question mark does not."""
    yes_or_no = is_reply(answer)
    wh = re.search(r"\b(?:what|where|when|who|why|how|which|any|anything)\b", question, re.IGNORECASE)
    return not (yes_or_no and wh and len(answer.split()) <= 3)


def holds_facts(question: str, talkers: Sequence[str], happened: Happened | None) -> bool:
    """Whether an unanswered question names, counts or dates something worth finding again."""
    known = {fold(name) for name in talkers}
    named = [n for n in proper_names(question) if not any(k.startswith(fold(n)) for k in known)]
    return bool(
        named
        or titles(question)
        or numbers(question)
        or (happened and "today" not in happened.phrase.lower())
    )


def with_subject(sentence: str) -> str:
    """The sentence with the subject its speaker left out: "Been there" is "I've been there"."""
    words = [word.lower().replace("’", "'") for word in re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", sentence)]
    at = next((i for i, word in enumerate(words) if not is_adverb(word) or word in table.ELIDED), None)
    if at is None or at > 2 or not words:
        return sentence
    verb = _missing(words[at:], sentence)
    if verb is None:
        return sentence
    return f"I{verb} {sentence[:1].lower()}{sentence[1:]}"


def _missing(words: list[str], sentence: str) -> str | None:
    """What stands between "I" and the first word: nothing, "am", "have"; None where a subject is there."""
    first, second = words[0], words[1] if len(words) > 1 else ""
    if first == "been":
        return "'ve"
    if first in table.FEELING and words[1:3] == ["you", "to"]:
        return None
    if first in table.FEELING and second not in {"birthday", "new", "anniversary", "is", "was"}:
        return "'m"
    if first.endswith("ing") and len(first) > 5 and first not in table.NOT_PROGRESSIVE:
        return "'m" if _progressive(sentence) else None
    if first in table.ELIDED and not (
        first in {"love", "don't"} and second in {"is", "be", "forget", "give", "worry", "you", "let"}
    ):
        return ""
    subject = second in {"i", "we", "you", "he", "she", "they", "it", "me", "us", "was", "is", "are"}
    ends_past = first.endswith("ed") and is_past(first) and first not in table.FEELING
    past = (first in _NO_SUBJECT_PAST or ends_past) and first not in {"was", "were", "did"}
    return "" if past and not subject and not {"is", "are"} & set(words[1:4]) else None


def _progressive(sentence: str) -> bool:
    """Whether "Researching agencies" lacks "I am": no other subject is there, and it is none itself."""
    words = re.findall(r"[\w'’]+", sentence.lower().replace("’", "'"))
    if _TALKED_OF & set(words) or {"me", "us"} & set(words) or "each other" in sentence.lower():
        return False
    clause = re.split(r"[,;:—–.!?]| - ", sentence.lower().replace("’", "'"))[0]
    inner = re.findall(r"[\w']+", clause)[1:]
    return not any(
        word in {"is", "was", "are", "were", "has", "can", "will", "would", "could", "must", "does", "takes"}
        or word.endswith("'s")
        or (word.endswith("s") and (word[:-1] in table.BASE_VERBS or word[:-2] in table.BASE_VERBS))
        for word in inner
    )


_TALKED_OF: Final = frozenset(
    ["i", "i'm", "i've", "you", "you're", "you've", "your", "we", "we're", "yourself"]
)


def is_dependent(text: str) -> bool:
    """Whether a restated sentence leans on the one before: "It was great", "Especially the blue one"."""
    bare = re.sub(
        r"^(?:hopefully|maybe|perhaps|sometimes|now|honestly|luckily|fortunately),?\s+", "", text, flags=re.I
    )
    if _IMPERSONAL.match(bare) or _THIS_TIME.match(bare):
        return False
    if _LEANING.match(bare) or _FRAGMENT.match(bare) or _SUBJECTLESS.match(bare):
        return True
    return not _has_verb(text) and len(text.split()) < 14


def _has_verb(text: str) -> bool:
    found = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text)
    words = [w.lower().replace("’", "'") for w in found if w not in {"May", "March"}]
    for before, word in pairwise(["", *words]):
        if before == "to" or before in table.DETERMINERS:
            continue
        if word in {"is", "are", "has", "does"} or word.endswith(("'s", "'re", "'ll", "'ve", "'d", "n't")):
            return True
        if is_finite(word) and word not in table.NOUN_VERBS:
            return True
    return any(
        word.removesuffix("s") in table.NOUN_VERBS
        for before, word in pairwise(words)
        if before not in table.PREPOSITIONS and before not in table.DETERMINERS
    )


def is_echo(sentence: str) -> bool:
    """Whether a sentence is a bare cry of a few words without a verb: "A lemon tree!" """
    bare = sentence.strip()
    return bare.endswith("!") and len(bare.split()) <= 4 and not _has_verb(bare) and '"' not in bare


def is_imperative(sentence: str) -> bool:
    """Whether a sentence tells somebody to do something: it begins with a bare verb."""
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", sentence.lower().replace("’", "'"))
    told = False
    while words and words[0] in {"please", "just", "always", "never", "then", "first", "also", "so"}:
        told = told or words[0] in {"please", "always", "never"}
        words = words[1:]
    if not words:
        return False
    if told and words[0] in table.BASE_VERBS:
        return True
    if words[0] in {"let's", "don't", "call", "keep", "remember", "try"}:
        return True
    return words[0] in table.BASE_VERBS - table.NOUN_VERBS - {"need", "love"} and words[0] not in table.ELIDED


def is_advice(sentence: str) -> bool:
    """Whether an assistant's sentence suggests something."""
    advising = re.search(
        r"\b(?:you (?:should|could|might|can|may)|i (?:suggest|recommend)|how about|consider|try)\b",
        sentence,
        re.I,
    )
    return is_imperative(sentence) or advising is not None


def stands_alone(text: str, talkers: Sequence[str], happened: Happened | None) -> bool:
    """Whether an entry names whom or what it is about; else it is told as its speaker's words."""
    if _LEANING.match(text) and not _THIS_TIME.match(text):
        return False
    if not _has_verb(text) and not any(name in text for name in talkers):
        return False
    return bool(happened or persons(text, talkers) or proper_names(text) or numbers(text))


def joined(before: str, after: str) -> str:
    """Two sentences as one entry: a fragment continues the sentence, another sentence follows it."""
    if _FRAGMENT.match(after) and not _has_verb(after) and not before.endswith(("!", "?", '"')):
        return f"{before.rstrip(' .')}, {after[:1].lower()}{after[1:]}"
    if before.endswith('"'):
        inner = before[:-1].rstrip()
        return f'{inner} {after}"' if " answered: " in before else f"{before} {after}"
    return f"{before} {after}"


def finished(text: str) -> str:
    """The sentence with a capital and a full stop."""
    text = re.sub(r",? (?:right|huh|you know)\?$", ".", text.strip())
    text = text[:1].upper() + text[1:]
    return text if re.search(r"[.!?…。！？\"”'’)\]]$|[^\w\s,;:–—-]$", text) else text.rstrip(",;:–—- ") + "."


def caption(text: str) -> str:
    """A caption without "a photo of", and without its full stop."""
    bare = re.sub(
        r"^(?:an? )?(?:photo|photography|photograph|picture|image|pic)s? of (?=\w)",
        "",
        text.strip(),
        flags=re.I,
    )
    return bare.rstrip(" .")


def points(quote: str) -> bool:
    """Whether a sentence points at what is shown: "here's one of them", "I made this"."""
    return _POINTING.search(quote) is not None

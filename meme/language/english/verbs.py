"""English verb forms: which form a word is in, and how it reads after a name.

Flows in: single words. Flows out: their form or their third person. Will not parse a sentence.
"""

from meme.language.english import words as table


def third_person(verb: str) -> str:
    """The third person singular of a base verb, its capital kept: "carry" becomes "carries"."""
    lower = verb.lower()
    if lower in table.THIRD_PERSON:
        return table.THIRD_PERSON[lower]
    if lower.endswith("y") and lower[-2:-1] not in set("aeiou"):
        return verb[:-1] + "ies"
    if lower.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    return verb + "s"


def is_adverb(word: str) -> bool:
    """Whether a lower-case word may stand between a subject and its verb."""
    return word in table.ADVERBS or (word.endswith("ly") and word not in table.LY_OTHERS and len(word) > 4)


def is_past(word: str) -> bool:
    """Whether a lower-case word is (or may be read as) a past tense."""
    if word in table.IRREGULAR_PAST or word in table.SAME_FORM:
        return True
    return word.endswith("ed") and word not in table.ED_BASE and len(word) > 3


def is_participle(word: str) -> bool:
    """Whether a lower-case word may follow "have" or "had"."""
    return word in table.PARTICIPLES or (word.endswith("ed") and word not in table.ED_BASE)


def is_base(word: str) -> bool:
    """Whether a lower-case word is a known verb in its base form."""
    return word in table.BASE_VERBS or word in {"am", "are", "do", "don't", "haven't", "aren't"}


def is_finite(word: str) -> bool:
    """Whether a lower-case word can be the finite verb of a clause."""
    if word in table.MODALS or is_base(word) or is_past(word):
        return True
    stem = word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
    return stem in table.BASE_VERBS or word.removesuffix("es") in table.BASE_VERBS

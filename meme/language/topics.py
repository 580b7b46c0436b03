"""Which of a few everyday topics a sentence is about.

Flows in: a sentence. Flows out: one topic or None. Will not weigh meaning: it counts words of small tables.
"""

from functools import lru_cache
from typing import Final

from meme.language.words import stem, stems

_WORDS: Final = {
    "health": """
        doctor hospital clinic sick ill illness disease allergy allergic asthma diabetes cancer surgery
        injury injured pain medication medicine therapy therapist mental health healthy diagnosed
        vitamin gluten vegan vegetarian blood heart knee headache migraine dentist diet sleep anxiety
        depression pregnant recovery weight""",
    "family": """
        family mother mom mum father dad parent sister brother sibling son daughter child kid twin aunt
        uncle cousin grandmother grandma grandfather grandpa husband wife adopt adoption baby nephew
        niece""",
    "relationships": """
        friend friendship boyfriend girlfriend partner marry married wedding engaged engagement divorce
        divorced date dating single breakup relationship anniversary fiance fiancee""",
    "work": """
        work job career office boss colleague coworker company business startup store client customer
        salary promotion hire hired fired interview employer employee project deadline meeting manager
        engineer nurse teacher lawyer freelance internship profession marketing""",
    "study": """
        study school university college degree exam course class lecture student professor thesis
        graduate graduation homework education scholarship learn semester major""",
    "home": """
        home house apartment flat rent mortgage neighborhood neighbour neighbor garden furniture kitchen
        bedroom renovate renovation roommate landlord lease address move""",
    "travel": """
        travel trip flight fly airport hotel vacation holiday visit tour passport abroad beach camping
        hike hiking road trip train cruise luggage itinerary museum island mountain""",
    "food": """
        food eat cook cooking bake restaurant recipe dinner lunch breakfast coffee tea cake pizza pasta
        sushi meal dish dessert chocolate wine beer vegetable fruit salad soup meat fish cheese""",
    "pets": """
        dog puppy cat kitten pet hamster rabbit turtle parrot fish vet leash""",
    "music": """
        music song album band concert guitar piano violin sing singer singing rap jazz playlist drum
        clarinet orchestra festival""",
    "sport": """
        sport run running marathon gym workout football soccer basketball tennis swim swimming yoga
        cycling bike climb climbing ski skiing surf race team match game coach training dance dancing""",
    "art": """
        art paint painting draw drawing sculpture pottery photography photo gallery exhibition craft
        sketch canvas design movie film book novel read reading poem poetry write writing theater""",
    "money": """
        money pay price cost budget loan debt bank invest investment tax donate donation fund fundraiser
        dollar euro bill""",
    "technology": """
        computer laptop phone app software code coding program programming server deploy deployment
        database api port python website internet wifi password release bug version script robot""",
}


@lru_cache(maxsize=1)
def _table() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for topic, text in _WORDS.items():
        for word in dict.fromkeys(text.split()):
            found.setdefault(stem(word), []).append(topic)
    return {word: tuple(topics) for word, topics in found.items()}


def is_topic_word(word: str) -> bool:
    """Whether a folded word belongs to one of the topics: an everyday noun or verb."""
    return stem(word) in _table()


def topic_of(text: str) -> str | None:
    """The topic most words of `text` belong to; among equals the one that comes first in the text."""
    counts: dict[str, int] = {}
    for word in stems(text):
        for topic in _table().get(word, ()):
            counts[topic] = counts.get(topic, 0) + 1
    return max(counts, key=lambda topic: counts[topic]) if counts else None

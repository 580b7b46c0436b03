"""Words that mean the same for retrieval: irregular forms and a small table of everyday synonyms.

Flows in: any text. Flows out: its content words as concepts (a stem, or the name of a group of stems).
Will not disambiguate: a word belongs to at most one group, and the table stays small and general.
"""

import re
from functools import lru_cache
from typing import Final

from meme.language.words import STOPWORDS, grams, stem, wordless, words

# Base form, then the forms the stemmer cannot lead back to it.
_IRREGULAR: Final = """
be been being was were is are am
become became|begin began begun|bring brought|build built|buy bought|catch caught|choose chose chosen
come came|do did done does|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten
fall fell fallen|feel felt|fight fought|find found|fly flew flown|forget forgot forgotten
get got gotten|give gave given|go went gone|grow grew grown|hear heard|hold held|keep kept
know knew known|lead led|leave left|lend lent|lose lost|make made|mean meant|meet met|pay paid
read|ride rode ridden|rise rose risen|run ran|say said|see saw seen|sell sold|send sent|sing sang sung
sit sat|sleep slept|speak spoke spoken|spend spent|stand stood|swim swam swum|take took taken
teach taught|tell told|think thought|throw threw thrown|understand understood|wake woke woken
wear wore worn|win won|write wrote written|child children|man men|woman women|person people
good better best|bad worse worst|two twice|one once|three thrice|tooth teeth|foot feet|wife wives
"""

# Groups of everyday words; the first names the group. Kept to what people ask their memory about.
_GROUPS: Final = """
live reside residence home relocate move
work job employer employ career profession occupation
like love enjoy favourite favorite fave prefer fond adore
dislike hate
buy purchase
own owner possess
child kid son daughter
spouse partner husband wife
begin start launch
end finish stop quit
mother mom mum mama
father dad papa
grandmother grandma granny
grandfather grandpa
picture photo image pic photograph
trip travel journey vacation
movie film
big large huge
sick ill
doctor physician
phone telephone
car automobile vehicle
attend visit go
speak talk chat
present gift
colleague coworker
town city
plan intend
make create
feel emotion
kind type sort
help assist support
study learn
pet animal
marry wed marriage wedding
birthday born birth
race marathon
say mention tell
happy glad
scare afraid fear
puppy pup
bike bicycle
store shop
reason motivate motivation
hobby pastime
relax unwind destress
"""


def _table() -> dict[str, str]:
    table: dict[str, str] = {}
    for group in _IRREGULAR.replace("\n", "|").split("|"):
        forms = group.split()
        for form in forms[1:]:
            table.setdefault(stem(form), stem(forms[0]))
            table.setdefault(form, stem(forms[0]))
    lemmas = dict(table)
    for line in _GROUPS.split("\n"):
        forms = line.split()
        for form in forms:
            table.setdefault(stem(form), stem(forms[0]))
    # An irregular form leads to its base, and the base to its group.
    return table | {form: table.get(base, base) for form, base in lemmas.items()}


_CONCEPT: Final = _table()


_ELISION: Final = re.compile(r"^(?:[dl]|qu)'(?=\w)")  # French and Italian: d'enfants, l'amico


@lru_cache(maxsize=50_000)
def concept(word: str) -> str:
    """The concept of one folded word: "bought" and "purchases" are both "buy"."""
    bare = _ELISION.sub("", word).removesuffix("'s").removesuffix("'")
    if bare in _CONCEPT:
        return _CONCEPT[bare]
    root = stem(bare)
    return _CONCEPT.get(root, root)


_SHORT_PART: Final = re.compile(r"(?<![\w-])([^\W\d_]+)[-‐‑]([^\W\d_]+)(?![\w-])")
_LIVELIHOOD: Final = re.compile(
    r"\b(?:for|(?:make|makes|made|making|earn\w*)\s+(?:a|his|her|their|my))\s+(?:a\s+)?living\b",
    re.IGNORECASE,
)


_ACQUAINTED: Final = re.compile(r"\b(?:know|knew|known)\s+(?:each other|one another)\b", re.IGNORECASE)


def reworded(text: str) -> str:
    """`text` with "Wi-Fi" as "WiFi" and "for a living" as "as a job": one wording for one concept.

    Hyphened words of two longer parts stay apart: "half-marathon" is a "half marathon" too.
    """

    def joined(match: re.Match[str]) -> str:
        return match[1] + match[2] if min(len(match[1]), len(match[2])) <= 2 else match[0]

    return _ACQUAINTED.sub("met", _LIVELIHOOD.sub("as a job", _SHORT_PART.sub(joined, text)))


def concepts(text: str) -> list[str]:
    """Concepts of the content words of `text`, in order; n-grams where words have no spaces."""
    return [
        one
        for word in words(reworded(text))
        if word not in STOPWORDS
        for one in (grams(word) if wordless(word).strip() else (concept(word),))
    ]


def word_set(text: str) -> frozenset[str]:
    """The words of a table written as text."""
    return frozenset(text.split())


def concept_set(text: str) -> frozenset[str]:
    """The concepts of the words of a table written as text."""
    return frozenset(concept(word) for word in text.split())


def synonyms(word: str) -> tuple[str, ...]:
    """Other everyday words of the same group, in table order; empty for a word outside the table."""
    wanted = concept(word)
    return next(
        (
            tuple(form for form in line.split() if form != word and stem(form) != stem(word))
            for line in _GROUPS.split("\n")
            if line and concept(line.split()[0]) == wanted
        ),
        (),
    )

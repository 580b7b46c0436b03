"""Word tables for comparing statements: synonyms, light words, animate nouns, first words of a predicate.

Flows in: one folded word. Flows out: the concept it stands for. Holds English only; words of
other languages stand for themselves.
"""

import re
from functools import lru_cache
from typing import Final

from meme.language.words import STOPWORDS, stem


def word_set(text: str) -> frozenset[str]:
    """The words of a table written as text."""
    return frozenset(text.split())


MONTHS: Final = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
WEEKDAYS: Final = word_set("monday tuesday wednesday thursday friday saturday sunday noon midnight tomorrow")
DETERMINERS: Final = word_set(
    "the a an this that these those my your our his her its their some another every each both"
)

_CONCEPTS: Final = """
like: like likes liked love loves loved enjoy enjoys enjoyed adore adores adored fond
dislike: dislike dislikes hate hates hated detest detests loathe loathes despise despises
allerg: allergic allergy allergies
live: live lives living lived reside resides residing dwell home
work: work works working worked employed employee job employment workplace
child: child children kid kids
mother: mother mum mom mama
father: father dad papa
bike: bike bicycle bicycles bikes
film: film films movie movies
flat: flat flats apartment apartments
car: car cars automobile
phone: phone telephone mobile cellphone cell phones
email: email emails e-mail mail
buy: buy buys bought purchase purchased purchases
go: go goes went going gone attend attends attended visit visits visited
get: get gets got gotten receive receives received
meet: meet meets met
see: see sees saw seen
make: make makes made
give: give gives gave given
take: take takes took taken
run: run runs ran running
swim: swim swims swam swimming
write: write writes wrote written
drive: drive drives drove driven driving
fly: fly flies flew flown
eat: eat eats ate eaten
teach: teach teaches taught
sing: sing sings sang sung
ride: ride rides rode riding
begin: begin begins began start starts started starting begun
own: own owns owned possess possesses
big: big large
photo: photo photos photograph picture pictures
price: price prices cost costs costing fee
doctor: doctor physician
afraid: afraid scared frightened terrified
subscrib: subscribe subscribes subscribed subscription subscriptions
vegetarian: vegetarian veggie
smoke: smoke smokes smoking smoker
favourite: favourite favorite favourites favorites
colour: colour color colours colors
company: company firm
1: one
2: two couple
3: three
4: four
5: five
6: six
7: seven
8: eight
9: nine
10: ten
11: eleven
12: twelve dozen
15: fifteen
20: twenty
30: thirty
40: forty
50: fifty
"""
CONCEPTS: Final = {
    word: name
    for line in _CONCEPTS.strip().splitlines()
    for name, _, members in [line.partition(": ")]
    for word in members.split()
}
LIGHT: Final = word_set(
    """not no never longer anymor any now current actual still real recent also too well besid addit
    just alreadi nowaday day instead final wrong fals incorrect mistak true forget ask meant
    mean sorri correct never cannot again use get stop quit cancel gave give up sold end way ltd
    inc llc gmbh corp"""
)

ANIMATE: Final = frozenset(
    stem(word)
    for word in word_set(
        """user sister brother mother father son daughter child wife husband partner girlfriend boyfriend
    friend neighbour neighbor colleague boss manager cousin aunt uncle niece nephew grandmother
    grandfather grandma grandpa parent roommate flatmate dog cat puppy kitten horse rabbit
    hamster parrot pet teacher doctor dentist landlord twin baby fiance fiancee ex team"""
    )
) | {"mother", "father", "child", "doctor"}

# Words that can be the first of a predicate. Names and nouns before them are the subject.
PREDICATE_STARTS: Final = word_set(
    """is are was were am be been has have had having do does did will would can could shall should
    must may might cannot isn't aren't now also still currently recently just already never
    always often usually sometimes finally really no not only live lives work works move moves
    moved relocate relocates relocated like likes love loves hate hates enjoy enjoys prefer
    prefers adore adores dislike dislikes detest loathe own owns use uses drive drives ride
    rides play plays read reads learn learns study studies speak speaks want wants need needs
    plan plans hope hopes think thinks know knows go goes went come came get gets got give gave
    take took make made meet met see saw buy bought sell sold leave left quit quits stop stops
    stopped start starts started begin began join joins joined become became turn turns turned
    run runs ran cost costs listen listens open opens close closes start end ends ended belong
    belongs contain contains hold holds held weigh weighs measure keep keeps kept eat eats ate
    drink drinks drank sleep sleeps wake wakes swim swims write writes wrote sing sings teach
    teaches taught administer administers manage manages lead leads led earn earns pay pays paid
    rent rents find found lose lost win won break broke fell feel feels felt sit sat stand
    stands stay stays switch switched change changes changed upgrade upgraded cancel cancels
    cancelled canceled adopt adopted marry married divorce divorced split rename renamed resign
    resigned retire retired took takes falls lies sends sent collects grows bakes paints expires
    begins tastes smokes smoke handles maintains attends visits says said told asked wrote spent
    spend costs seats uses charges serves supports requires expects celebrates flew flies ended
    moved broke met hosts hosted cut raised lowered set put got meant shut keeps walks walk
    dropped finished called wears follows trusts suffers volunteers dates identifies misses
    reports"""
)

# Verbs in their base form that are more often nouns after "the", "my", "a".
NOUNISH: Final = word_set(
    """plan work run play read use need want drive ride love hope stop start end cost open close rent
    change walk lead stay visit sleep drink smoke move set cut pay find put meet split dates
    reports runs plans visits walks works"""
)

# Set phrases that mean a plain verb; applied in order to the whole sentence.
REWRITES: Final = tuple(
    (re.compile(pattern, re.I), plain)
    for pattern, plain in (
        (r"\bI am\b|\bI'm\b", "The user is"),
        (r"\bI've\b|\bI have\b", "The user has"),
        (r"\bI'll\b", "The user will"),
        (r"\bI'd\b", "The user would"),
        (r"(?<![\w'])I(?= [a-z])", "The user"),
        (r"\b(?:my|mine)\b", "the user's"),
        (r"\b(?:me|myself)\b", "the user"),
        (r"^the user", "The user"),
        (r"\b(it|that|he|she|there)'s\b", r"\1 is"),
        (r"\bcalled off\b", "cancelled"),
        (
            r"\bleft (?=(?:the|her|his|their|our) (?:[\w'-]+ ){0,3}(?:club|team|band|choir|group|"
            r"course|class|"
            r"committee|board|society|party|union|league|project|gym|church|orchestra|network|squad)\b)",
            "quit ",
        ),
        (r"^(?:the user|[A-Z]\w+) (?:meant|means)(?: to say)?(?: that)? (?=it |on |at |\d|[A-Z])", ""),
        (
            r"\b(?:can't|cannot|can not|couldn't|could not) (?:stand|bear|abide|tolerate) (.+?) any ?more\b",
            r"dislikes \1",
        ),
        (r"\b(?:can't|cannot|can not|couldn't|could not) (?:stand|bear|abide|tolerate)\b", "dislikes"),
        (
            r"\b(?:doesn't|don't|does not) care for\b|\b(?:isn't|is not) (?:a (?:big )?fan of|keen on|"
            r"fond of)\b",
            "dislikes",
        ),
        (r"\b(?:can't|cannot) get enough of\b", "loves"),
        (
            r"\b(?:is|am|are) (?:really |very |quite |so )?(?:a (?:big |huge )?fan of|keen on|fond of|"
            r"crazy about|into)\b",
            "loves",
        ),
        (r"\b(?:has|have) (?:grown|come) to (?=like|love|hate|dislike|enjoy)", "now "),
        (r"\bout of (?:a|the) job\b", "unemployed"),
        (
            r"\bmoved in with\b",
            "lives with",
        ),
    )
)

# Verbs that give a thing a new value: "moved that gateway over to 9443", "was raised to 6,200".
CHANGE_VERBS: Final = (
    r"(?:moved?|moves|switched|migrated|changed?|changes|upgraded|downgraded|bumped|raised|lowered|cut|"
    r"set|updated|"
    r"increased|reduced|rescheduled|postponed|pushed|shifted|brought|extended|renamed|dropped|went|rose|fell|"
    r"grew|gone|corrected|reassigned|transferred|handed|delayed|advanced|risen|fallen|grown)"
)
CHANGES: Final = re.compile(rf"\b{CHANGE_VERBS}\b[^.]*\bto\b", re.I)


@lru_cache(maxsize=50_000)
def concept(word: str) -> str:
    """What one folded word stands for: its synonym group, else its stem; "" for a stopword."""
    bare = word.removesuffix("'s").removesuffix("'")
    if bare in CONCEPTS:
        return CONCEPTS[bare]
    if bare in STOPWORDS or word in STOPWORDS or (len(bare) < 2 and not bare.isdigit()):
        return ""
    return stem(bare)

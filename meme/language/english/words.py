"""Word tables of English grammar: verbs, auxiliaries, adverbs, kin. No logic, no state.

Flows in: nothing. Flows out: frozen sets and maps of lower-case words. Will not claim to be complete: rules
fall back on endings where a word is in no table.
"""

from typing import Final


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What "I" and "you" do to the verb after them, as it reads after a name.
THIRD_PERSON: Final = {
    "am": "is",
    "are": "is",
    "have": "has",
    "do": "does",
    "don't": "doesn't",
    "dont": "doesn't",
    "haven't": "hasn't",
    "aren't": "isn't",
    "ain't": "isn't",
    "wanna": "wants to",
    "gotta": "has to",
    "go": "goes",
}

SINGULAR_PAST: Final = {"were": "was", "weren't": "wasn't"}

MODALS: Final = _set(
    """can could will would shall should may might must can't cannot couldn't won't wouldn't shouldn't
    mightn't mustn't shan't needn't used had hadn't did didn't was wasn't were weren't has hasn't does
    doesn't is isn't gonna better"""
)

INVERTED: Final = _set(
    """am are do does did don't didn't doesn't have has had haven't hadn't was were wasn't weren't can
    could will would should may might must can't couldn't won't wouldn't shouldn't aren't is isn't shall"""
)

ADVERBS: Final = _set(
    """also still just always never often sometimes even already once now only really quite usually
    currently too both totally actually then first almost nearly ever later soon definitely probably
    rather sure certainly generally mostly mainly kinda sorta finally recently lately normally typically
    frequently rarely seldom hardly barely simply truly honestly personally absolutely all maybe perhaps
    therefore thus again back regularly literally literally fully deeply especially not so long much
    well hopefully twice today tonight yesterday tomorrow instead somehow clearly obviously together"""
)

# End in -ly and are no adverbs.
LY_OTHERS: Final = _set(
    """rely apply reply fly supply multiply imply comply ally rally tally bully family italy july belly
    jelly lily butterfly assembly emily lovely friendly lonely early daily weekly likely ugly silly holy
    elderly lively deadly costly monopoly anomaly kelly sally molly polly billy homily comely"""
)

IRREGULAR_PAST: Final = _set(
    """was were had did went saw came got gave took made said told knew thought felt found left kept met
    ran sat stood heard held brought bought built began became broke caught chose cost cut drove drank
    ate fell fought flew forgot forgave froze grew hung hid hit hurt laid led lent let lit lost meant
    paid put quit read rode rang rose sold sent set shook shone shot shut sang sank slept spoke spent
    spun spread stole stuck struck swore swam swept taught tore threw understood upset woke wore won
    wrote bet bent bit bled blew bred burnt burst clung crept dealt dug drew dreamt dove fed fled knelt
    leapt learnt overcame overslept proved rewound sought shrank slid smelt spelt spilt split spoilt
    sprang stung stank swung thrust underwent withdrew wept wound woken withstood undertook foresaw
    misunderstood ended wed redid rebuilt retold outgrew"""
)

PARTICIPLES: Final = _set(
    """been had done gone seen come got gotten given taken made said told known thought felt found left
    kept met run sat stood heard held brought bought built begun become broken caught chosen driven
    drunk eaten fallen flown forgotten grown hidden led lost meant paid put quit read ridden risen sold
    sent set shaken slept spoken spent stolen stuck swum taught torn thrown understood woken worn won
    written better always never already"""
)

# Same form in present and past: left as they are, which reads as the past.
SAME_FORM: Final = _set("put cut let set read hit hurt quit cost shut spread bet beat burst split upset wed")

HABIT: Final = _set(
    "every usually often always sometimes daily weekly monthly never regularly mornings evenings"
)

ED_BASE: Final = _set(
    "need feed bleed breed speed proceed exceed succeed heed weed seed shed embed wed bed shred"
)

BASE_VERBS: Final = _set(
    """accept ache achieve act adapt add admire admit adopt adore advise afford agree aim allow announce
    answer apologize appear apply appreciate argue arrange arrive ask assist assume attend avoid bake be
    beat become beg begin believe belong bike bike blame book borrow bounce bowl break breathe bring
    brush build burn buy calculate call camp cancel care carry catch celebrate change charge chase chat
    check cheer choose clean climb close coach code collect come commute compare compete complain
    complete concentrate connect consider consult contain continue contribute convince cook cope copy
    count cover crave create cross cry cycle dance deal decide decorate deliver depend describe deserve
    design develop dig discover discuss dislike dive do donate doubt draw dream dress drink drive drop
    earn eat edit embrace encourage enjoy enter escape exercise exist expand expect explain explore
    express face fail fall fear feed feel fight figure fill find finish fish fit fix fly focus follow
    forget forgive foster freelance garden gather get give go grab graduate grow guess handle hang
    happen hate have head hear help hesitate hide hike hire hit hold hope host hug hunt hurt imagine
    improve include inform inspire intend introduce invest invite join journal judge jump keep kick kiss
    knit know laugh launch lead lean learn leave lend let lift like listen live look lose love make
    manage marry matter mean meditate meet mention mind miss mix move need notice observe obtain offer
    open operate order organize overcome owe own pack paint panic participate pass pay perform
    photograph pick plan plant play practice practise pray prefer prepare present pretend prevent
    produce promise promote protect prove provide pull push put quit race raise reach read realize
    recall receive recognize recommend record recover reduce refuse regret relate relax rely remember
    remind remove rent repair repeat replace reply report represent request require rescue research
    respect respond rest retire return review ride ring rise run save say scare search see seek seem
    sell send serve set settle sew shake share shine shop show sign sing sit skate ski skip sleep smell
    smile smoke snack solve sound speak specialize spend stand stare start stay steal stick stop stream
    stretch strive struggle study succeed suffer suggest supply support suppose surf survive suspect
    swear swim switch take talk teach tell tend thank think throw tolerate touch train travel treasure
    treat trust try turn type understand unwind update use value view visit volunteer vote wait wake
    walk wander want warn wash watch wear weigh welcome win wish wonder work worry worship write"""
)

# Verbs that are as often nouns: "cats and dance" is no second verb.
NOUN_VERBS: Final = _set(
    """act aim answer ache bake book bowl break build call camp care change charge chase chat check cheer
    climb close code cook copy count cover cry cycle dance deal design dream dress drink drive drop
    exercise face fall fear fight figure fill find fish fit fix fly focus garden guess hate head help
    hike hit hold hope host hug hunt hurt journal judge jump keep kick kiss lead lift like look love
    matter mind mix move need offer order pack paint panic pass pay pick plan plant play practice
    present promise pull push race raise reach record regret rent repair reply report request research
    respect rest return review ride ring rise run save scare search share shop show sign skate ski sleep
    smell smile smoke snack sound stand start stay stick stop stream stretch struggle study suit supply
    support surf swim switch talk taste tend thank touch train travel treasure treat trust try turn type
    use value view visit volunteer vote wait walk wash watch welcome win wish wonder work worry worship"""
)

# After these comes a clause or a bare infinitive: a verb behind a later "and" may be somebody else's.
CLAUSE_VERBS: Final = _set(
    """think know believe guess hope feel say suppose wish mean bet hear imagine figure assume agree let
    make help see watch heard saw made helped knew thought said told tell wonder had"""
)

STOPPERS: Final = _set(
    """because when whenever if although though since while whereas that who which where why how what until
    unless before after so he she we they i there than"""
)

DETERMINERS: Final = _set(
    """a an the my your his her its our their this that these those some any every each no all both many
    much more several few one two three"""
)

PREPOSITIONS: Final = _set(
    """in on at to for with from of by about as into onto over under after before during through near
    around across without within between against toward towards up down off out away along past like via
    since until outside inside behind beside upon"""
)

OBJECTS: Final = _set("me him her it them us you myself that this")

_SHE: Final = _set(
    """mother mom mum mommy mummy mama sister daughter aunt auntie niece grandmother grandma granny gran
    nana granddaughter wife girlfriend fiancee stepmother stepmom stepsister godmother mother-in-law
    sister-in-law lady woman girl actress queen landlady waitress"""
)
_HE: Final = _set(
    """father dad daddy papa brother son uncle nephew grandfather grandpa granddad grandson husband
    boyfriend fiance stepfather stepdad stepbrother godfather father-in-law brother-in-law guy man boy
    actor king landlord waiter"""
)
_THEY: Final = _set(
    """parents sisters brothers siblings sons daughters children kids twins aunts uncles cousins
    grandparents grandkids grandchildren friends buddies colleagues coworkers co-workers neighbors
    neighbours roommates classmates teammates students clients in-laws girls boys dogs cats puppies
    kittens"""
)
_EITHER: Final = _set(
    """parent sibling child kid baby cousin spouse partner friend buddy pal bestie colleague coworker
    co-worker boss manager supervisor mentor teacher professor tutor coach neighbor neighbour roommate
    flatmate housemate classmate teammate doctor dentist therapist lawyer client trainer instructor dog
    cat puppy kitten pup grandchild nurse vet"""
)

# A person word and the pronoun that stands for it: he, she, they (plural), or "" (he or she).
KIN_PRONOUN: Final[dict[str, str]] = {
    **dict.fromkeys(_SHE, "she"),
    **dict.fromkeys(_HE, "he"),
    **dict.fromkeys(_THEY, "they"),
    **dict.fromkeys(_EITHER, ""),
}

GROUPS: Final = _set(
    """family fam team class group band crew company husband wife partner girlfriend boyfriend everyone
    everybody gang club squad staff guys folks community neighborhood"""
)

# Written with a full stop that ends no sentence.
ABBREVIATIONS: Final = _set(
    """mr mrs ms dr prof sr jr st vs etc inc ltd co corp dept fig vol approx est ca cf e.g i.e a.m p.m u.s
    u.k u.s.a ph.d b.c a.d jan feb mar apr jun jul aug sep sept oct nov dec mt ft gen col sgt rev hon
    z.b d.h u.a bzw nr str usw p.ej av sra"""
)

# After these a subject of its own may follow: "I think you ...".
SAYING: Final = _set("think know believe hope guess hear heard say said wish bet glad happy sure see")

# Before an inverted auxiliary: "so do I", "what have you".
INVERTERS: Final = _set(
    """so neither nor never only what where when why who how which and but or rarely seldom hardly not"""
)

# Verbs that begin a sentence whose "I" was left out: "Love this song".
ELIDED: Final = _set(
    """love hate miss need want hope wish guess prefer enjoy believe can't won't couldn't wouldn't don't
    didn't haven't might appreciate gotta wanna plan adore"""
)

# Adjectives that begin a sentence whose "I am" was left out: "Excited to go".
FEELING: Final = _set(
    """excited glad happy proud grateful thankful sorry thrilled honored sad stoked nervous worried lucky
    tired busy pumped determined blessed gonna ready eager"""
)

# End in -ing and begin sentences without being what somebody is doing.
NOT_PROGRESSIVE: Final = _set(
    """something anything everything nothing morning evening during according including seeing being having
    building wedding meeting amazing exciting inspiring depending sounding speaking considering
    regarding following wishing sending interesting clothing"""
)

# Past forms that say how things were, not what took place.
STATIVE: Final = _set(
    """was were had liked loved wanted needed felt thought knew meant seemed used excited tired interested
    married supposed called named based"""
)

# After "she's" these say how she is: "is tired", never "has tired".
ADJECTIVAL: Final = _set(
    """better excited tired interested married engaged worried scared bored retired divorced pleased
    impressed terrified delighted thrilled disappointed embarrassed exhausted overwhelmed stressed
    surprised shocked convinced determined devoted dedicated named called based gone done lost stuck broken
    grown supposed allowed invited injured"""
)

# Before a participle that says how somebody is, not what took place.
NO_ACT: Final = _set(
    """to get be is are was were been am i'm it's feel so very the a more really that's they're you're
    we're my your and of or"""
)

# First words of a question in which the verb comes before its subject.
ASKING: Final = _set("how what which when where who whose why")

# Kin words for those one works with rather than lives with: no part of a later "we".
OUTSIDERS: Final = _set(
    """boss manager supervisor mentor teacher professor tutor coach doctor dentist therapist lawyer client
    trainer instructor nurse vet landlord landlady clients students waiter waitress"""
)

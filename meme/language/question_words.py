"""Question words of ten languages, as data.

Flows in: nothing. Flows out: tables that lead a question's wording to the kind of answer it wants.
Will not read a question: `questions.py` does.
"""

from typing import Final, Literal

AnswerKind = Literal[
    "when", "where", "who", "how_many", "how_long", "which", "yes_no", "list", "why", "what", "other"
]

# Phrases are folded (no accents) and compared as whole words, longest first.
# fmt: off
_SPOKEN: Final[dict[str, dict[str, str]]] = {
    "de": {
        "when": "seit wann|bis wann|wann", "where": "woher|wohin|wo", "who": "wer|wen|wem|wessen",
        "how_many": "wie viele|wie viel|wieviele|wieviel|wie oft|wie alt", "how_long": "wie lange|wie lang",
        "which": "welcher|welche|welches|welchen|welchem", "why": "warum|wieso|weshalb|wozu", "what": "was",
        "other": "wie",
    },
    "fr": {
        "when": "depuis quand|quand", "where": "d'ou|ou",
        "how_long": "combien de temps|depuis combien|pendant combien",
        "how_many": "combien|quel age", "who": "a qui|avec qui|qui",
        "which": "quel|quelle|quels|quelles|lequel|laquelle",
        "why": "pourquoi", "what": "qu'est-ce que|qu'est-ce qui|que|quoi|qu'", "yes_no": "est-ce que|est-ce qu'",
        "other": "comment",
    },
    "es": {
        "when": "desde cuando|cuando", "where": "adonde|de donde|donde", "how_long": "cuanto tiempo",
        "how_many": "cuantos|cuantas|cuanto|cuanta|que edad", "who": "a quien|con quien|quien|quienes",
        "which": "cual|cuales", "why": "por que", "what": "que", "other": "como",
    },
    "it": {
        "when": "da quando|quando", "where": "di dove|dov'e|dove", "how_long": "quanto tempo|da quanto",
        "how_many": "quanti|quante|quanto|quanta", "who": "con chi|chi", "which": "quale|quali|qual",
        "why": "perche", "what": "che cosa|cosa|che", "other": "come",
    },
    "pt": {
        "when": "desde quando|quando", "where": "aonde|de onde|onde", "how_long": "quanto tempo|ha quanto tempo",
        "how_many": "quantos|quantas|quanto|quanta", "who": "com quem|quem", "which": "qual|quais",
        "why": "por que|porque", "what": "o que|que", "other": "como",
    },
    "ru": {
        "when": "когда", "where": "откуда|куда|где", "how_long": "как долго|сколько времени",
        "how_many": "сколько", "who": "кто|кого|кому|кем|чеи", "which": "какои|какая|какое|какие|какую|какого",
        "why": "почему|зачем", "what": "что|чем", "other": "как",
    },
}
# fmt: on

# Without spaces between words: looked for anywhere, in this order.
UNSPACED: Final[tuple[tuple[str, AnswerKind], ...]] = (
    ("什么时候", "when"), ("什麼時候", "when"), ("何时", "when"), ("几时", "when"), ("哪一天", "when"), ("哪年", "when"),
    ("多久", "how_long"), ("多长时间", "how_long"), ("どのくらい", "how_long"), ("どれくらい", "how_long"),
    ("哪里", "where"), ("哪儿", "where"), ("哪裡", "where"), ("什么地方", "where"), ("どこ", "where"),
    ("多少", "how_many"), ("几个", "how_many"), ("几次", "how_many"), ("いくつ", "how_many"), ("何人", "how_many"),
    ("何個", "how_many"), ("何回", "how_many"), ("为什么", "why"), ("為什麼", "why"), ("为何", "why"), ("なぜ", "why"),
    ("どうして", "why"), ("いつ", "when"), ("谁", "who"), ("誰", "who"), ("だれ", "who"), ("哪些", "list"), ("哪", "which"),
    ("どの", "which"), ("どれ", "which"), ("どちら", "which"), ("什么", "what"), ("什麼", "what"), ("何", "what"),
    ("なに", "what"), ("吗", "yes_no"), ("嗎", "yes_no"), ("是不是", "yes_no"), ("ですか", "yes_no"), ("ますか", "yes_no"),
    ("ましたか", "yes_no"),
)  # fmt: skip


def spoken(language: str) -> tuple[tuple[str, str], ...]:
    """(phrase, kind) pairs of one language code, longest phrase first; empty for an unknown code."""
    table = _SPOKEN.get(language, {})
    pairs = [(phrase, kind) for kind, phrases in table.items() for phrase in phrases.split("|")]
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))


# Function words that give a language away; a question needs one of them or a question word.
FUNCTION_WORDS: Final[dict[str, frozenset[str]]] = {
    "en": frozenset(
        "the is are was were does did has have had do of and to an for with what when where who which how why whose "
        "whom will would can could should about on at from by's".split()
    ),
    "de": frozenset(
        "der die das den dem des ein eine einen einem ist sind war hat haben hatte wird und nicht mit von zu im am "
        "bei nach macht mag wohnt arbeitet geht wie wo wer wann warum welche welcher sein ihr ich mein meine".split()
    ),
    "fr": frozenset(
        "le la les un une des du de est sont etait a ont avec dans sur pour et ne pas que qui ou quand elle il son sa "
        "ses au aux quel quelle pourquoi combien habite je mon ma mes t".split()
    ),
    "es": frozenset(
        "el la los las un una es son era ha han con en por para y no que quien donde cuando vive de del al su sus "
        "como cual fue tiene le se mi yo".split()
    ),
    "it": frozenset(
        "il lo la i gli le un una e sono era ha hanno con in per di del della dove quando chi che cosa vive abita suo "
        "sua si al nel perche quale quanti io mio mia".split()
    ),
    "pt": frozenset(
        "o a os as um uma e sao era tem com em por para de do da no na onde quando quem que mora vive seu sua ao "
        "nao foi porque quantos eu meu minha".split()
    ),
    "ru": frozenset("и в на с не что кто где когда как у он она живет его ее по из за я мои моя".split()),
}

AUXILIARIES: Final = frozenset(
    "is are was were am do does did has have had can could will would shall should may might must isn't aren't "
    "wasn't weren't don't doesn't didn't hasn't haven't hadn't can't couldn't won't wouldn't shouldn't".split()
)

# Asked nouns that make "what/which <noun>" a question for something else.
NOUN_KIND: Final[dict[str, str]] = {
    **dict.fromkeys("date day year month weekday time season week weekend".split(), "when"),
    **dict.fromkeys("city country place town location state area region address spot village".split(), "where"),
    **dict.fromkeys("person people".split(), "who"),
    "reason": "why",
}

NEEDS: Final[dict[str, tuple[str, ...]]] = {
    "when": ("date",),
    "where": ("place",),
    "who": ("person",),
    "how_many": ("number",),
    "how_long": ("duration",),
    "why": ("reason",),
    "list": ("items",),
    "yes_no": ("statement",),
}

"""Question words of ten languages, as data.

Flows in: nothing. Flows out: tables that lead a question's wording to the kind of answer it wants.
Will not read a question: `questions.py` does.
"""

from typing import Final, Literal

from meme.language.concepts import word_set

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
        "why": "pourquoi", "what": "qu'est-ce que|qu'est-ce qui|que|quoi|qu'",
        "yes_no": "est-ce que|est-ce qu'",
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
        "when": "desde quando|quando", "where": "aonde|de onde|onde",
        "how_long": "quanto tempo|ha quanto tempo",
        "how_many": "quantos|quantas|quanto|quanta", "who": "com quem|quem", "which": "qual|quais",
        "why": "por que|porque", "what": "o que|que", "other": "como",
    },
    "ru": {
        "when": "когда", "where": "откуда|куда|где", "how_long": "как долго|сколько времени",
        "how_many": "сколько", "who": "кто|кого|кому|кем|чеи",
        "which": "какои|какая|какое|какие|какую|какого",
        "why": "почему|зачем", "what": "что|чем", "other": "как",
    },
}
# fmt: on

# Without spaces between words: looked for anywhere, in this order.
_UNSPACED: Final = """
when 什么时候 什麼時候 何时 几时 哪一天 哪年
how_long 多久 多长时间 どのくらい どれくらい
where 哪里 哪儿 哪裡 什么地方 どこ
how_many 多少 几个 几次 いくつ 何人 何個 何回
why 为什么 為什麼 为何 なぜ どうして
when いつ
who 谁 誰 だれ
list 哪些
which 哪 どの どれ どちら
what 什么 什麼 何 なに
yes_no 吗 嗎 是不是 ですか ますか ましたか
"""
UNSPACED: Final[tuple[tuple[str, str], ...]] = tuple(
    (mark, kind)
    for kind, *marks in (line.split() for line in _UNSPACED.split("\n") if line)
    for mark in marks
)


def spoken(language: str) -> tuple[tuple[str, str], ...]:
    """(phrase, kind) pairs of one language code, longest phrase first; empty for an unknown code."""
    table = _SPOKEN.get(language, {})
    pairs = [(phrase, kind) for kind, phrases in table.items() for phrase in phrases.split("|")]
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))


# Function words that give a language away; a question needs one of them or a question word.
FUNCTION_WORDS: Final[dict[str, frozenset[str]]] = {
    "en": word_set(
        """the is are was were does did has have had do of and to an for with what when where who which how
        why whose whom will would can could should about on at from by's"""
    ),
    "de": word_set(
        """der die das den dem des ein eine einen einem ist sind war hat haben hatte wird und nicht mit von
        zu im am bei nach macht mag wohnt arbeitet geht wie wo wer wann warum welche welcher sein ihr
        ich mein meine"""
    ),
    "fr": word_set(
        """le la les un une des du de est sont etait a ont avec dans sur pour et ne pas que qui ou quand
        elle il son sa ses au aux quel quelle pourquoi combien habite je mon ma mes t"""
    ),
    "es": word_set(
        """el la los las un una es son era ha han con en por para y no que quien donde cuando vive de del
        al su sus como cual fue tiene le se mi yo"""
    ),
    "it": word_set(
        """il lo la i gli le un una e sono era ha hanno con in per di del della dove quando chi che cosa
        vive abita suo sua si al nel perche quale quanti io mio mia"""
    ),
    "pt": word_set(
        """o a os as um uma e sao era tem com em por para de do da no na onde quando quem que mora vive seu
        sua ao nao foi porque quantos eu meu minha"""
    ),
    "ru": word_set("и в на с не что кто где когда как у он она живет его ее по из за я мои моя"),
}

# Among them, what still says what is asked.
TELLING_WORDS: Final = word_set("macht mag wohnt arbeitet geht habite vive abita mora живет")

AUXILIARIES: Final = word_set(
    """is are was were am do does did has have had can could will would shall should may might must isn't
    aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't can't couldn't won't wouldn't
    shouldn't"""
)

# Asked nouns that make "what/which <noun>" a question for something else.
NOUN_KIND: Final[dict[str, str]] = {
    **dict.fromkeys(["date", "day", "year", "month", "weekday", "time", "season", "week", "weekend"], "when"),
    **dict.fromkeys(
        [
            "city",
            "country",
            "place",
            "town",
            "location",
            "state",
            "area",
            "region",
            "address",
            "spot",
            "village",
        ],
        "where",
    ),
    **dict.fromkeys(["person", "people"], "who"),
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

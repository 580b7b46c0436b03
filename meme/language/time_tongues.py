"""Time phrases in German, French, Spanish, Italian, Portuguese, Russian, Chinese and Japanese.

Flows in: a match in a text and the day it was said. Flows out: a `Reading` worded in the language
of the phrase. Covers day words, last/this/next with a unit or weekday, counts ("vor 3 Tagen") and
full dates; written-out dates of further languages go through dateparser. Will not read parts of
the day, seasons or holidays, nor weekdays that stand alone.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache, partial
from typing import Final

from meme.language import time_spans as spans
from meme.language.time_rules import Groups, Place, Reading, Rule
from meme.records import Happened


@dataclass(frozen=True, slots=True)
class Tongue:
    """The time words of one language: regular expressions by meaning.

    `wording` gives (preposition, noun) by precision, filled with d, m (month name) and y.
    `of` joins day, month and year. `week_of` is what stands before a date that names its week.
    """

    days: Mapping[str, int]
    units: Mapping[str, str]
    weekdays: tuple[str, ...]
    ways: Mapping[int, str]
    article: str
    prepositions: str
    counts: Mapping[str, int]
    counted_units: Mapping[str, str]
    ago: str
    ahead: str
    months: tuple[str, ...]
    of: str
    week_of: str
    wording: Mapping[str, tuple[str, str]]


GERMAN: Final = Tongue(
    days={"vorgestern": -2, "gestern": -1, "heute": 0, r"(?-i:morgen)": 1, "übermorgen": 2},
    units={"week": "woche", "month": "monat", "year": "jahr", "weekend": "wochenende"},
    weekdays=("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag|sonnabend", "sonntag"),
    ways={-1: r"(?:letzt|vorig|vergangen)e[nrsm]?", 0: r"diese[nrsm]?", 1: r"(?:nächst|kommend)e[nrsm]?"},
    article=r"(?:am|im|in\s+der|in\s+den|an|den|die|der|das|dem)\s+",
    prepositions="seit bis ab von vom vor nach für",
    counts={"eine[mnr]?": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "zehn": 10},
    counted_units={"day": "tag(?:en?)?", "week": "wochen?", "month": "monat(?:en?)?", "year": "jahr(?:en?)?"},
    ago=r"vor\s+{n}\s+{unit}",
    ahead=r"in\s+{n}\s+{unit}",
    months=tuple(
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
    ),
    of="",
    week_of=r"woche\s+vom",
    wording={
        "day": ("am", "{d}. {m} {y}"),
        "month": ("im", "{m} {y}"),
        "year": ("", "{y}"),
        "week": ("in der", "Woche vom {d}. {m} {y}"),
        "weekend": ("am", "Wochenende vom {d}. {m} {y}"),
    },
)
FRENCH: Final = Tongue(
    days={
        r"avant[- ]hier": -2, r"hier(?=\s+(?:soir|matin)\b)|hier": -1, "aujourd['’]hui": 0,
        r"après[- ]demain": 2, "demain": 1,
    },  # fmt: skip
    units={"week": "semaine", "month": "mois", "year": "an|année", "weekend": "week-?end"},
    weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    ways={-1: "derni(?:er|ère)|passée?", 0: "cet(?:te)?|ce", 1: "prochaine?"},
    article=r"(?:le|la|en)\s+|l['’]",
    prepositions="depuis jusqu dès avant après pour",
    counts={"une?": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "dix": 10},
    counted_units={"day": "jours?", "week": "semaines?", "month": "mois", "year": "ans?|années?"},
    ago=r"il\s+y\s+a\s+{n}\s+{unit}",
    ahead=r"dans\s+{n}\s+{unit}",
    months=tuple(
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()
    ),
    of="",
    week_of=r"semaine\s+du",
    wording={
        "day": ("", "le {d} {m} {y}"),
        "month": ("en", "{m} {y}"),
        "year": ("en", "{y}"),
        "week": ("", "la semaine du {d} {m} {y}"),
        "weekend": ("", "le week-end du {d} {m} {y}"),
    },
)
SPANISH: Final = Tongue(
    days={"anteayer|antier": -2, "ayer": -1, "hoy": 0, r"pasado\s+mañana": 2, "mañana": 1},
    units={"week": "semana", "month": "mes", "year": "año", "weekend": r"fin\s+de\s+semana"},
    weekdays=("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
    ways={-1: "pasad[oa]", 0: "est[ea]", 1: r"próxim[oa]|que\s+viene"},
    article=r"(?:en\s+)?(?:el|la)\s+",
    prepositions="desde hasta para antes después",
    counts={"una?": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "diez": 10},
    counted_units={"day": "días?", "week": "semanas?", "month": "mes(?:es)?", "year": "años?"},
    ago=r"hace\s+{n}\s+{unit}",
    ahead=r"(?:dentro\s+de|en)\s+{n}\s+{unit}",
    months=tuple(
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()
    ),
    of=r"de\s+|del\s+",
    week_of=r"semana\s+del",
    wording={
        "day": ("", "el {d} de {m} de {y}"),
        "month": ("en", "{m} de {y}"),
        "year": ("en", "{y}"),
        "week": ("", "la semana del {d} de {m} de {y}"),
        "weekend": ("", "el fin de semana del {d} de {m} de {y}"),
    },
)
ITALIAN: Final = Tongue(
    days={r"l['’]altro\s+ieri|avantieri": -2, "ieri": -1, "oggi": 0, "dopodomani": 2, "domani": 1},
    units={"week": "settimana", "month": "mese", "year": "anno", "weekend": r"fine\s+settimana|weekend"},
    weekdays=("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"),
    ways={-1: "scors[oa]|passat[oa]", 0: "quest['’oa]", 1: "prossim[oa]"},
    article=r"(?:il|la|lo|nel|nella)\s+|l['’]|nell['’]",
    prepositions="da dal dalla fino per prima dopo",
    counts={"un['’oa]?": 1, "due": 2, "tre": 3, "quattro": 4, "cinque": 5, "sei": 6, "sette": 7, "dieci": 10},
    counted_units={"day": "giorn[oi]", "week": "settiman[ae]", "month": "mes[ei]", "year": "ann[oi]"},
    ago=r"{n}\s+{unit}\s+fa",
    ahead=r"(?:tra|fra)\s+{n}\s+{unit}",
    months=tuple(
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split()
    ),
    of="",
    week_of=r"settimana\s+del",
    wording={
        "day": ("", "il {d} {m} {y}"),
        "month": ("a", "{m} {y}"),
        "year": ("nel", "{y}"),
        "week": ("", "la settimana del {d} {m} {y}"),
        "weekend": ("", "il fine settimana del {d} {m} {y}"),
    },
)
PORTUGUESE: Final = Tongue(
    days={"anteontem": -2, "ontem": -1, "hoje": 0, r"depois\s+de\s+amanhã": 2, "amanhã": 1},
    units={"week": "semana", "month": "mês", "year": "ano", "weekend": r"(?:fim|final)\s+de\s+semana"},
    weekdays=(
        "segunda(?:-feira)?", "terça(?:-feira)?", "quarta(?:-feira)?", "quinta(?:-feira)?",
        "sexta(?:-feira)?", "sábado", "domingo",
    ),  # fmt: skip
    ways={-1: "passad[oa]", 0: "est[ea]|nest[ea]", 1: r"próxim[oa]|que\s+vem"},
    article=r"(?:no|na|o|a|em)\s+",
    prepositions="desde até para antes depois",
    counts={"uma?": 1, "dois|duas": 2, "três": 3, "quatro": 4, "cinco": 5, "seis": 6, "sete": 7, "dez": 10},
    counted_units={"day": "dias?", "week": "semanas?", "month": "m[êe]s(?:es)?", "year": "anos?"},
    ago=r"(?:há\s+{n}\s+{unit}(?:\s+atrás)?|{n}\s+{unit}\s+atrás)",
    ahead=r"(?:daqui\s+a|em)\s+{n}\s+{unit}",
    months=tuple(
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split()
    ),
    of=r"de\s+",
    week_of=r"semana\s+de",
    wording={
        "day": ("em", "{d} de {m} de {y}"),
        "month": ("em", "{m} de {y}"),
        "year": ("em", "{y}"),
        "week": ("na", "semana de {d} de {m} de {y}"),
        "weekend": ("no", "fim de semana de {d} de {m} de {y}"),
    },
)
RUSSIAN: Final = Tongue(
    days={"позавчера": -2, "вчера": -1, "сегодня": 0, "послезавтра": 2, "завтра": 1},
    units={"week": "недел[еюи]", "month": "месяц[ае]?", "year": "год[уа]?", "weekend": "выходны[ех]"},
    weekdays=(
        "понедельник", "вторник", "сред[ау]", "четверг", "пятниц[ау]", "суббот[ау]", "воскресенье",
    ),  # fmt: skip
    ways={-1: "прошл(?:ый|ую|ой|ом|ое|ая|ые|ых)", 0: "эт(?:от|у|ой|ом|о|и|их)", 1: "следующ(?:ий|ую|ей|ем|ее|ие|их)"},
    article=r"(?:в|во|на)\s+",
    prepositions="с со до после к",
    counts={"один|одну": 1, "два|две": 2, "три": 3, "четыре": 4, "пять": 5, "шесть": 6, "семь": 7, "десять": 10},
    counted_units={"day": "день|дня|дней", "week": "недел[юиь]", "month": "месяц(?:а|ев)?", "year": "год(?:а)?|лет"},
    ago=r"{n}\s+{unit}\s+назад",
    ahead=r"через\s+{n}\s+{unit}",
    months=tuple("января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split()),
    of="",
    week_of=r"неделе\s+с",
    wording={
        "day": ("", "{d} {m} {y} года"),
        "month": ("в", "{in_m} {y} года"),
        "year": ("в", "{y} году"),
        "week": ("на", "неделе с {d} {m} {y} года"),
        "weekend": ("на", "выходных {d} {m} {y} года"),
    },
)
TONGUES: Final = (GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, RUSSIAN)

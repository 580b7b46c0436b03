"""The time words of German, French, Spanish, Italian, Portuguese and Russian.

Flows out: one `Tongue` a language, for the rules in `time_abroad`. Will not resolve anything, and
has no words for parts of the day, seasons or holidays.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Tongue:
    """The time words of one language by meaning; alternatives are separated by "|".

    `ways` are the words for last (-1), this (0) and next (1); `adjective_first` tells that they only
    stand before the noun. `article`, `ago`, `ahead`, `of` and `week_of` are regular expressions: what
    may stand before a phrase, a counted phrase, what joins day, month and year, and what makes a
    date the name of its week. `wording` gives (preposition, noun) by precision, to be filled with
    d, m (month name) and y. `cues` are further words that betray the language.
    """

    days: Mapping[str, int]
    units: Mapping[str, str]
    weekdays: tuple[str, ...]
    ways: Mapping[int, str]
    article: str
    prepositions: str
    counts: Mapping[str, int]
    counted_units: Mapping[str, str]
    ago: tuple[str, ...]
    ahead: tuple[str, ...]
    months: tuple[str, ...]
    of: str
    week_of: str
    wording: Mapping[str, tuple[str, str]]
    adjective_first: bool = False
    cues: str = ""


def _listed(names: str) -> tuple[str, ...]:
    return tuple(names.split())


def _forms(stems: str, endings: str) -> str:
    """Every stem alone and with every ending."""
    return "|".join(stem + ending for stem in stems.split() for ending in ("", *endings.split()))


GERMAN: Final = Tongue(
    days={"vorgestern": -2, "gestern": -1, "heute": 0, "morgen": 1, "übermorgen": 2},
    units={"week": "woche", "month": "monat", "year": "jahr", "weekend": "wochenende"},
    weekdays=("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag|sonnabend", "sonntag"),
    ways={
        -1: _forms("letzte vorige vergangene", "n r s m"),
        0: _forms("diese", "n r s m"),
        1: _forms("nächste kommende", "n r s m"),
    },
    article=r"(?:am|im|in\s+der|in\s+den|an|den|die|der|das|dem)\s+",
    prepositions="seit bis ab von vom vor nach für",
    counts={
        "einem|einer|einen|eine": 1,
        "zwei": 2,
        "drei": 3,
        "vier": 4,
        "fünf": 5,
        "sechs": 6,
        "sieben": 7,
        "zehn": 10,
    },
    counted_units={
        "day": "tag|tage|tagen",
        "week": "woche|wochen",
        "month": "monat|monate|monaten",
        "year": "jahr|jahre|jahren",
    },
    ago=(r"vor\s+{n}\s+{unit}",),
    ahead=(r"in\s+{n}\s+{unit}",),
    months=_listed("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
    of="",
    week_of=r"woche\s+vom",
    wording={
        "day": ("am", "{d}. {m} {y}"),
        "month": ("im", "{m} {y}"),
        "year": ("", "{y}"),
        "week": ("in der", "Woche vom {d}. {m} {y}"),
        "weekend": ("am", "Wochenende vom {d}. {m} {y}"),
    },
    adjective_first=True,
)
FRENCH: Final = Tongue(
    days={
        "avant-hier|avant hier": -2,
        "hier": -1,
        "aujourd'hui": 0,
        "après-demain|après demain": 2,
        "demain": 1,
    },
    units={"week": "semaine", "month": "mois", "year": "an|année", "weekend": "week-end|weekend"},
    weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    ways={-1: "dernier|dernière|passé|passée", 0: "cette|cet|ce", 1: "prochain|prochaine"},
    article=r"(?:le|la|en)\s+|l['’]",
    prepositions="depuis jusqu dès avant après pour",
    counts={"un|une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "dix": 10},
    counted_units={
        "day": "jour|jours",
        "week": "semaine|semaines",
        "month": "mois",
        "year": "an|ans|année|années",
    },
    ago=(r"il\s+y\s+a\s+{n}\s+{unit}",),
    ahead=(r"dans\s+{n}\s+{unit}",),
    months=_listed("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
    of="",
    week_of=r"semaine\s+du",
    wording={
        "day": ("", "le {d} {m} {y}"),
        "month": ("en", "{m} {y}"),
        "year": ("en", "{y}"),
        "week": ("", "la semaine du {d} {m} {y}"),
        "weekend": ("", "le week-end du {d} {m} {y}"),
    },
    cues="y",
)
SPANISH: Final = Tongue(
    days={"anteayer|antier": -2, "ayer": -1, "hoy": 0, "pasado mañana": 2, "mañana": 1},
    units={"week": "semana", "month": "mes", "year": "año", "weekend": "fin de semana"},
    weekdays=("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
    ways={-1: "pasado|pasada", 0: "este|esta", 1: "próximo|próxima|que viene"},
    article=r"(?:en\s+)?(?:el|la)\s+",
    prepositions="desde hasta para antes después",
    counts={"un|una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "diez": 10},
    counted_units={"day": "día|días", "week": "semana|semanas", "month": "mes|meses", "year": "año|años"},
    ago=(r"hace\s+{n}\s+{unit}",),
    ahead=(r"(?:dentro\s+de|en)\s+{n}\s+{unit}",),
    months=_listed(
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
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
    days={"l'altro ieri|altro ieri|avantieri": -2, "ieri": -1, "oggi": 0, "dopodomani": 2, "domani": 1},
    units={"week": "settimana", "month": "mese", "year": "anno", "weekend": "fine settimana|weekend"},
    weekdays=("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"),
    ways={-1: "scorso|scorsa|passato|passata", 0: "questo|questa|quest'", 1: "prossimo|prossima"},
    article=r"(?:il|la|lo|nel|nella)\s+|l['’]|nell['’]",
    prepositions="da dal dalla fino per prima dopo",
    counts={
        "un|uno|una": 1,
        "due": 2,
        "tre": 3,
        "quattro": 4,
        "cinque": 5,
        "sei": 6,
        "sette": 7,
        "dieci": 10,
    },
    counted_units={
        "day": "giorno|giorni",
        "week": "settimana|settimane",
        "month": "mese|mesi",
        "year": "anno|anni",
    },
    ago=(r"{n}\s+{unit}\s+fa",),
    ahead=(r"(?:tra|fra)\s+{n}\s+{unit}",),
    months=_listed(
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"
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
    days={"anteontem": -2, "ontem": -1, "hoje": 0, "depois de amanhã": 2, "amanhã": 1},
    units={"week": "semana", "month": "mês", "year": "ano", "weekend": "fim de semana|final de semana"},
    weekdays=(
        "segunda-feira|segunda",
        "terça-feira|terça",
        "quarta-feira|quarta",
        "quinta-feira|quinta",
        "sexta-feira|sexta",
        "sábado",
        "domingo",
    ),
    ways={-1: "passado|passada", 0: "este|esta|neste|nesta", 1: "próximo|próxima|que vem"},
    article=r"(?:no|na|o|a|em)\s+",
    prepositions="desde até para antes depois",
    counts={"um|uma": 1, "dois|duas": 2, "três": 3, "quatro": 4, "cinco": 5, "seis": 6, "sete": 7, "dez": 10},
    counted_units={"day": "dia|dias", "week": "semana|semanas", "month": "mês|meses", "year": "ano|anos"},
    ago=(r"há\s+{n}\s+{unit}(?:\s+atrás)?", r"{n}\s+{unit}\s+atrás"),
    ahead=(r"(?:daqui\s+a|em)\s+{n}\s+{unit}",),
    months=_listed(
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"
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
    units={
        "week": "неделе|неделю|неделя|недели",
        "month": "месяц|месяца|месяце",
        "year": "год|году|года",
        "weekend": "выходные|выходных",
    },
    weekdays=(
        "понедельник",
        "вторник",
        "среда|среду",
        "четверг",
        "пятница|пятницу",
        "суббота|субботу",
        "воскресенье",
    ),
    ways={
        -1: "прошлый|прошлую|прошлой|прошлом|прошлое|прошлая|прошлые|прошлых",
        0: "этот|эту|этой|этом|это|эти|этих",
        1: "следующий|следующую|следующей|следующем|следующее|следующие|следующих",
    },
    article=r"(?:в|во|на)\s+",
    prepositions="с со до после к",
    counts={
        "один|одну": 1,
        "два|две": 2,
        "три": 3,
        "четыре": 4,
        "пять": 5,
        "шесть": 6,
        "семь": 7,
        "десять": 10,
    },
    counted_units={
        "day": "день|дня|дней",
        "week": "неделю|недели|недель",
        "month": "месяц|месяца|месяцев",
        "year": "год|года|лет",
    },
    ago=(r"{n}\s+{unit}\s+назад",),
    ahead=(r"через\s+{n}\s+{unit}",),
    months=_listed("января февраля марта апреля мая июня июля августа сентября октября ноября декабря"),
    of="",
    week_of=r"неделе\s+с",
    wording={
        "day": ("", "{d} {m} {y} года"),
        "month": ("в", "{in_m} {y} года"),
        "year": ("в", "{y} году"),
        "week": ("на", "неделе с {d} {m} {y} года"),
        "weekend": ("на", "выходных {d} {m} {y} года"),
    },
    adjective_first=True,
)
TONGUES: Final = (GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, RUSSIAN)

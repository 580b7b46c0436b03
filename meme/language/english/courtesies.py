"""Wordings of courtesies and bare remarks: the tables behind `small_talk`. No logic, no state.

Flows in: nothing. Flows out: pairs of a reason and a pattern that has to match a part of a sentence as a
whole. Will not match a part that states a preference, a plan or a fact of its own.
"""

from typing import Final

_FOREIGN: Final = (
    r"boa (?:noite|tarde|sorte|viagem)|bom dia|bonne (?:nuit|chance|année|soirée|journée)|bon (?:appétit"
    r"|voyage|courage)|buen(?:os|as) (?:d[ií]as|tardes|noches)|buena suerte|feliz (?:cumpleaños|navidad"
    r"|año(?: nuevo)?|natal|ano novo|aniversário)|adi[oó]s|hasta (?:luego|mañana|pronto|la vista)|hola"
    r"|guten (?:tag|morgen|abend)|gute nacht|viel (?:glück|spaß)|hallo|danke(?: schön)?|tschüss|bonjour"
    r"|bonsoir|merci(?: beaucoup)?|salut|au revoir|à bientôt|buongiorno|buonasera|buona (?:sera|notte"
    r"|fortuna)|ciao|grazie(?: mille)?|prego|olá|oi|tchau|(?:muito )?obrigad[oa]|(?:muchas )?gracias"
    r"|até (?:logo|amanhã|breve)|auf wiedersehen|felicidades|parabéns|salud|saúde|prost|skål"
)
_FEAST: Final = (
    r"(?:new year|christmas|xmas|birthday|easter|anniversary|halloween|thanksgiving|holidays?|hanukkah"
    r"|diwali|eid|friday|weekend|monday|(?:valentine|mother|father)'?s'? day)"
)
_AFFECTION: Final = (
    r"(?:hugs?|kiss(?:es)?|love|regards|cuddles?|pats?|strokes?|greetings|best(?: wishes)?|congratulations)"
)

# Names in these are those of the people greeted or pitied, or echo what the other said.
COURTESIES: Final = (
    (
        "greeting",
        rf"(?:(?:a )?(?:very |belated )*(?:happy|merry) (?:belated )?{_FEAST}(?: to (?:you|him|her|them|\w+)"
        rf"(?: (?:both|all|two))?)?(?: again| in advance| everyone| all)*|{_FOREIGN})",
    ),
    (
        "regards",
        r"(?:please )?(?:and )?(?:"
        rf"(?:give|send|pass(?: on)?) (?:[\w'-]+ ){{1,5}}?(?:an? |my |our |some |lots of |all my |many )?"
        rf"(?:big |huge |warm |little |extra )*{_AFFECTION}(?: (?:from|for) (?:me|us|all of us"
        rf"|both of us)| too)*"
        rf"|(?:send|pass on) (?:my|our) {_AFFECTION} to [\w' -]{{1,40}}"
        r"|(?:kiss|hug|pet|pat|cuddle|squeeze|stroke|greet) [\w' -]{1,30} (?:for|from) (?:me|us)"
        rf"|(?:lots of |big |many |all my )*{_AFFECTION} (?:to|for|from) [\w' -]{{1,40}}"
        r"|(?:say|tell) (?:[\w'-]+ ){0,4}(?:hi|hello|hey)(?: to [\w' -]{1,30})?(?: (?:for|from) (?:me|us))?)",
    ),
    ("sympathy", r"(?:and )?(?:oh )?poor (?:old |little |dear )*[\w'’-]+(?: and (?:poor )?[\w'’-]+)?"),
    ("acknowledgement", r"[\w' -]{1,40}, (?:got it|noted|understood|duly noted|roger(?: that)?)"),
)

_WHO: Final = r"(?:you|he|she|they|we)"
_NOW: Final = r"(?: too| as well| now| already| again| here| though| then)*"
_MOOD: Final = (
    r"(?:glad|jealous|happy|thrilled|relieved|delighted|speechless|impressed|pleased|touched|tempted|trying"
    r"|sorry|flattered|envious|honou?red|all ears|blushing)"
)
_FINDING: Final = (
    r"(?:adventure|dream|story|relief|shame|pity|treat|surprise|achievement|milestone|accomplishment|lot"
    r"|blast|joy|delight|win|mouthful|steal|bargain|classic|deal|honou?r|blessing|nightmare|pain|bummer"
    r"|pleasure|start|combination|combo|feat|change|compliment|bonus|highlight|inspiration|game changer)"
)

# What only judges the other's words, or says that one goes on talking.
REMARKS: Final = (
    (
        "praise",
        rf"(?:(?:and )?(?:nobody|no one|no-one) deserves? (?:it|this|that) more(?: than you)?"
        rf"|{_WHO}(?:'ve|'s| have| has)? (?:really |totally |so |all )?(?:deserved?|earned?)s? (?:it"
        rf"|this|that)"
        rf"|{_WHO} (?:has|have) every right|{_WHO} should be|(?:he|she|they|you) (?:usually"
        rf"|always) (?:is|are)"
        rf"|(?:he|she|they|you)(?:'s|'re| is| are) not wrong|{_WHO} (?:actually |really )?did it"
        r"|you(?:'re| are) (?:simply |just )?the best|you(?:'ll| will) (?:be|do) (?:just )?(?:great|fine"
        r"|brilliant(?:ly)?|amazing|wonderful|well|awesome|okay)"
        r"|(?:that|this|it)(?:'s| is| was| sounds?(?: like)?| looks?(?: like)?| must (?:be|have been))"
        r" (?:such |quite )?(?:an?|the|some) "
        rf"(?:(?:real|proper|true|whole|great|big|huge|lovely|nice|good|total|absolute) )*{_FINDING}"
        r"|(?:that|this|it)(?:'s| is| sounds| looks) (?:so |really |just |absolutely )*(?:perfect|great"
        r"|lovely"
        r"|wonderful|ideal|brilliant|exciting|nice|good) (?:for|of) (?:him|her|them|you|us|[\w'-]+))",
    ),
    (
        "agreement",
        r"(?:even better|better still|naturally|never|same as (?:before|ever|always|usual)"
        r"|(?:just )?a (?:little|bit)"
        r"|sort of|kind of|just about|not (?:really|at all|bad)|mine too|us too|so (?:do|am|did|have|was) i"
        r"|neither (?:do|am|did|have|was) i|that(?:'s| is| was) the (?:plan|idea|spirit|dream|goal|way|point)"
        r"|that(?:'s| is) all (?:i|anyone|anybody|we|you) (?:asks?|needs?|wants?)(?: for)?"
        r"|it gets (?:worse|better)"
        r"|(?:then |so )?let'?s (?:do (?:it|this|that)|celebrate(?: properly)?|hope so|see)|a (?:bit"
        r"|little) late"
        r"|listen to (?:her|him|you|them|this)|(?:good|fine|deal|done|perfect)(?: then)?)",
    ),
    (
        "mood",
        rf"(?:(?:and|but) )?(?:i'?m |i am )?(?:(?:so|really|very|just|a little|a bit|also|truly"
        rf"|genuinely) )*{_MOOD}"
        rf"(?: to all of (?:them|you))?{_NOW}|i (?:just |really |simply )*(?:can't|cannot"
        rf"|can hardly) wait{_NOW}",
    ),
    (
        "talk about talking",
        rf"(?:i(?: have|'ve got|'ve)(?: some| big| good| great| exciting)? news{_NOW}"
        rf"|(?:hello )?(?:to )?you (?:two|both|guys"
        r"|all)|both of you|(?:hello )?(?:everyone|everybody|folks|all)"
        r"|(?:dinner|lunch|breakfast|supper|food|my (?:taxi|bus|train|ride)|the (?:taxi|bus|doorbell|food))"
        rf"(?:'s| is) (?:ready|served|calling|waiting|here|on the table){_NOW}"
        r"|i(?:'ll| will) (?:let you know|keep you (?:posted|updated)|tell you (?:more|all about it))"
        r"(?: how it goes| soon| later)*"
        r"|tell (?:us|me|[\w'-]+) (?:everything|more|all about (?:it|that|them)|your [\w'-]+"
        r"|about (?:it|that)))",
    ),
)

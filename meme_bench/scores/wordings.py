"""The wordings by which English answers refuse, correct, hedge and deny.

Flows in: nothing. Flows out: patterns, and the words that carry no content. What they mean for an answer is
decided in `abstention`; that they fit is tested with a bank of wordings and with LoCoMo's own answers, of
which none may look like a refusal.
"""

import re
from typing import Final

_AUX: Final = r"(?:is|was|are|were|be|been|being|do|does|did|has|have|had|can|could|would|will)"
NOT: Final = rf"(?:{_AUX}\s+not|{_AUX}n't|cannot|can't|won't|never)"
_KNOWN: Final = (
    r"(?:mention\w*|discuss\w*|stat(?:e|ed|es|ing)|specif\w+|provid\w+|given|said|recorded|known|stored|"
    r"indicat\w+|reveal\w*|describ\w+|disclos\w+|includ\w+|contain\w*|cover\w*|answerable|clear|addressed|"
    r"explain\w*|document\w*|note[ds]?|named|identif\w+|shared|listed|told|talked\s+about|brought\s+up|"
    r"available|found|tell\w*|say\w*(?!\s+(?:no|yes|goodbye)\b)|support\w*|come[s]?\s+up|confirm\w*|established|touch\w*\s+on|elaborat\w+)"
)
KNOWN_WORD: Final = re.compile(rf"\b{_KNOWN}\b", re.IGNORECASE)
_KNOWLEDGE: Final = (
    r"(?:information|info|mention|details?|evidence|record|records|indication|data|memory|memories|context|"
    r"reference|answer|idea|hints?|clue|trace|way\s+(?:to\s+(?:know|tell|answer|say)|of\s+(?:knowing|telling))|such\b[\w\s'-]{0,40}?|basis|"
    r"knowledge|entry|entries|statement|account|specifics)"
)
REFUSAL: Final = re.compile(
    "|".join(
        (
            rf"\b{NOT}\s+(?:\w+ly\s+|been\s+|be\s+|ever\s+|any\w*\s+|yet\s+|enough\s+){{0,3}}{_KNOWN}\b",
            rf"\bnot\s+(?:\w+ly\s+|been\s+|be\s+|enough\s+){{0,2}}(?:{_KNOWN}|{_KNOWLEDGE})\b",
            rf"\bno\s+(?:\w+\s+){{0,2}}?{_KNOWLEDGE}(?!\w)",
            rf"\b{NOT}\s+(?:\w+\s+)?(?:enough|sufficient|any|much)\s+(?:\w+\s+)?{_KNOWLEDGE}(?!\w)",
            rf"\b(?:none|nothing|nowhere)\b[^.;,]{{0,60}}?\b{_KNOWN}\b",
            rf"(?:\bnot|n't)\s+(?:something|anything|one)\s+(?:\w+\s+){{0,3}}?(?:{_KNOWN}|know|remember|recall)\b",
            r"\b(?:missing|absent)\s+from\b|\bsilent\s+(?:on|about)\b",
            r"(?:\bnot|n't)\s+(?:anywhere\s+)?in\s+(?:the|my|this|any|our)\s+(?:\w+\s+)?(?:conversations?|dialogue|memor\w+|"
            r"transcript|chat|context|evidence|history|messages|records?|text|notes)\b",
            rf"\bno\b[^.;,]{{0,60}}?\b(?:is|was|are|were|been)\s+(?:\w+ly\s+)?{_KNOWN}\b",
            rf"\b(?:without|lack\w*|insufficient|missing|isn't\s+any|aren't\s+any|not\s+any)\s+"
            rf"(?:\w+\s+){{0,3}}?{_KNOWLEDGE}(?!\w)",
            rf"\b(?:do|does|did|could|can|have|has|had)(?:n't|\s+not)\s+(?:\w+ly\s+)?(?:have|find|found|see|seen|"
            rf"recall|hold|offer|give|got|appear\s+to\s+have|seem\s+to\s+have)\s+(?:\w+\s+){{0,3}}?{_KNOWLEDGE}(?!\w)",
            r"\b(?:i|we)\s+(?:do\s+not|don't|did\s+not|didn't)\s+(?:\w+ly\s+)?(?:know|recall|remember)\b",
            r"\b(?:cannot|can't|could\s+not|couldn't|unable\s+to|impossible\s+to|not\s+possible\s+to|"
            r"not\s+able\s+to|hard\s+to|no\s+way\s+to)\s+(?:be\s+)?(?:\w+ly\s+)?"
            r"(?:answer\w*|recall|remember|determin\w+|tell|say(?!\s+(?:no|yes|goodbye)\b)|know\w*|find|infer\w*|verif\w+|confirm\w*|conclud\w+|establish\w*|"
            r"identif\w+|ascertain\w*|deduc\w+|found)\b",
            r"\b(?:unknown|unspecified|unanswerable|undisclosed|unmentioned|undefined|unstated|undetermined|unrecorded)\b",
            r"\b(?:is|it's|remains|remained|are|was)\s+(?:\w+\s+)?unclear\b|^\W*unclear\b",
            r"\b(?:i'm|i\s+am|we're|we\s+are)\s+(?:not\s+sure|unsure|not\s+certain|uncertain|not\s+aware|unaware)\b",
            r"\bnothing\s+(?:\w+\s+){0,4}?(?:about|on|regarding|concerning|says|said|suggests|indicates|mentions|"
            r"mentioned|indicating|known|recorded|stored|that)\b",
            r"\b(?:nobody|no\s*one|none\s+of\s+(?:the|them)|neither)\b[^.;]{0,60}?\b(?:mention\w*|says?|said|talk\w*|"
            r"discuss\w*|states?|stated|described?|bring\w*|brought)\b",
            r"\bno\s+(?:turn|message|part|session|line|speaker|conversation)\b[^.;]{0,60}?\b"
            r"(?:mention\w*|says?|said|talk\w*|discuss\w*|states?|stated|describ\w+|covers?|about)\b",
            r"^\W*(?:n/?a|not\s+applicable|none\s+given|no\s+answer|no\s+idea|not\s+sure|unsure|no\s+clue)\W*$",
            r"\b(?:never|not)\s+(?:comes?|came)\s+up\b|\bdoes(?:n't|\s+not)\s+(?:appear|seem)\s+(?:in|that)\b",
            r"\bthere\s+(?:is|was|are|were)\s+(?:no|nothing)\b[^.;]{0,80}?\b(?:conversation|dialogue|memor(?:y|ies)|"
            r"transcript|chat|context|evidence|history|messages)\b",
        )
    ),
    re.IGNORECASE,
)
CORRECTION: Final = re.compile(
    r"\b(?:question|premise)\b[^.;]{0,40}?\b(?:wrong|false|incorrect|mistaken|assum\w+|mix\w*|confus\w+|"
    r"mislead\w+|flawed|not\s+(?:\w+\s+)?(?:correct|true|accurate|hold))|\bfalse\s+premise\b|"
    r"\b(?:perhaps|maybe|do|did)\s+you\s+mean\b|\byou\s+(?:may|might)\s+(?:be\s+thinking|mean)\b|"
    r"\b(?:that|this|it)(?:'s|\s+is|\s+was)\s+(?:not\s+(?:true|correct|accurate|right|the\s+case)|untrue|"
    r"incorrect|a\s+misunderstanding|a\s+mix-?up)\b|"
    r"^\W*(?:none|nothing|nobody|no\s*one|nowhere|never|neither)\W*$",
    re.IGNORECASE,
)
HEDGE: Final = re.compile(
    r"\b(?:probabl[ey]|likely|perhaps|maybe|possibl[ey]|presumably|supposedly|i(?:'d|\s+would|\s+can)?\s+(?:only\s+)?"
    r"(?:guess|assume|suppose|think|believe|say|bet)|(?:best|educated|my)\s+guess|it\s+(?:seems|appears)|"
    r"(?:might|may|could|must)\s+(?:be|have\s+been|well\s+be)|suggests?|impl(?:y|ies)|hints?)\b",
    re.IGNORECASE,
)
DENIAL: Final = re.compile(
    r"\b(?:no|not|never|neither|nor|none|nothing|nobody|without|cannot|unable|unclear|unknown|unspecified|"
    r"unsure|uncertain|lacks?|lacking|instead\s+of|rather\s+than|insufficient|impossible)\b|n't\b",
    re.IGNORECASE,
)
TO_READER: Final = re.compile(
    r"\b(?:you|ask(?:ing)?|please|let\s+me\s+know|sorry|apolog\w+|more\s+context|another\s+conversation)\b",
    re.IGNORECASE,
)
# Where one claim ends and another may begin. A plain comma does not part them: refusals list in commas.
SEAMS: Final = re.compile(
    r"[.!?;:](?:\s+|$)|\s+[-–—]+\s+|—|[()]|\b(?:but|however|though|although|nevertheless|whereas|still|yet)\b|"
    r",\s*(?:so|and)\s+|,\s*(?=(?:probably|likely|most\s+likely|perhaps|maybe|possibly|presumably|i|i'd|my|it|only\s+that|"
    r"it's|he|she|they|that|that's|this|this\s+is)\b)|\b(?:so|and)\s+(?=(?:probably|likely|perhaps|maybe|i|my)\b)",
    re.IGNORECASE,
)
NAME: Final = re.compile(r"\b[A-Z][a-z]+(?:'s)?\b")
VERB: Final = re.compile(
    r"\s*,\s*(?:not|who)\b|\s+(?:is|was|did|does|has|had|who|got|went|said|told|made|took|bought|won|lost|came|saw|gave|met|felt|ran|"
    r"wrote|\w+s|\w+ed)\b"
)
SUBJECT: Final = re.compile(
    r"\b(?:i|we|you|he|she|they|it|there|this|that|information|conversation|dialogue|transcript|chat|context|evidence|"
    r"memor(?:y|ies)|records?|messages)\b",
    re.IGNORECASE,
)
NO_NAMES: Final = re.compile(
    r"The|It|She|He|They|There|This|That|These|Those|In|On|At|No|Not|Yes|You|We|Her|His|Their|Its|Actually|Instead|"
    r"Perhaps|Maybe|Probably|Likely|Possibly|Based|According|However|Although|But|So|What|When|Where|January|"
    r"February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|"
    r"Thursday|Friday|Saturday|Sunday|An|My|Most|If|As|For|Since|Unknown|Neither|Nothing"
)
LITTLE: Final = (
    "is was are were be been do does did has have had can could would will what which who whom whose when "
    "where why how of to in on at by for with from about into it its he she they them his her their that "
    "this these those there as or not no i you we my your our so if than then some any get got him also"
)

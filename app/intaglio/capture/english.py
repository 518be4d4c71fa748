"""English cues: which phrases state a decision, a preference or a standing rule.

A sentence is classified on its own, in lower case, with code and quotations blanked out. Sentences
that need their conversation to be understood ("let's go with that") are ignored.
"""

import re
from typing import Final, TypeAlias

from intaglio.capture.cue import Cue, CueType

_Table: TypeAlias = tuple[tuple[re.Pattern[str], float], ...]

_OPENER: Final = (
    r"(?:(?:ok(?:ay)?|yes|yeah|yep|right|alright|sure|so|and|but|also|then|well|good|great|perfect|"
    r"thanks|now|note|remember|reminder|important|rule|new rule|house rule|hint|fyi|btw|by the way|"
    r"one more thing|in general|generally|as a rule|as i said|in short|finally|for the record|no)"
    r"\b[,.:;!\u2013-]*\s+)*"
)

# ------------------------------------------------------------------ what is not kept, whatever else
_QUESTION: Final = (
    rf"^{_OPENER}(?:(?:should|shall|can|could|would|will|do|does|did|have|has|is|are|was|were|may|"
    r"must|am)\s+(?:we|i|you|it|this|that|the|they|there|he|she|anyone|somebody)\b|"
    r"(?:what|what's|how|how's|which|where|who|whose|when did|when do|when should)\b)|\bwhy\b"
)
_TASK: Final = (
    rf"^{_OPENER}(?:please\s+)?(?:implement|add|fix|refactor|write|create|remove|delete|update|"
    r"change|check|look|read|run|rerun|explain|find|grep|search|show|tell|give|try|test|build|move|"
    r"rename|ensure|todo|fixme|see|open|continue|start|stop)\b"
    r"(?!.*\b(?:from now on|always\W*$))|\b(?:please )?(?:fix|change|correct) (?:that|this|it)\b"
)
_TENTATIVE: Final = (
    r"\b(?:maybe|perhaps|possibly|might|i guess|i suppose|not sure|unsure|i wonder|wondering|"
    r"what if|suppose|imagine|hypothetically|in theory|thinking about|thinking of|considering|"
    r"leaning|undecided|tempted|we could|i could|you could|if only|let me know|whether|as if|"
    r"as though|pretend|for example|for instance|such as|it seems|seems like|it looks|looks like|"
    r"just kidding|anyway|were going to|was going to|used to|and see|"
    r"that you (?:would|will))\b"
)
_REPORTED: Final = (
    r"\byou(?:'ve)?\s+(?:also\s+|just\s+|already\s+)*(?:said|told|wrote|claimed|suggested|decided|"
    r"chose|recommended|mentioned|agreed)\b|"
    r"\b(?:he|she|they|it|who|someone|somebody|people|docs?|documentation|readme|article|author|"
    r"book|post|blog|comment|error|message|log|output|linter|compiler|reviewer|customer|client|boss|"
    r"manager|claude|codex|gpt|chatgpt|copilot|the other team|upstream|vendor)(?:'s|'ve|'d|'re)?"
    r"(?:\s+(?:have|has|had|just|also|once|already|always|never|even))*\s+"
    r"(?:said|says?|told|tells?|wrote|writes?|claim(?:s|ed)?|thinks?|thought|suggest(?:s|ed)?|"
    r"recommend(?:s|ed)?|mention(?:s|ed)?|insist(?:s|ed)?|decided|chose|agreed|prefer(?:s|red)?|"
    r"want(?:s|ed)?|asked|asks|complain(?:s|ed)?|reads?|state[sd]?|report(?:s|ed)?|warn(?:s|ed)?)\b|"
    r"\b(?!i\b)\w+ (?:says|said|claims|claimed|recommends|recommended|suggests|suggested)\b|"
    r"\b(?:according to|apparently|supposedly|i (?:heard|read|saw)|quote|quoting|quoted)\b"
)
_FLEETING: Final = (
    r"\b(?:right now|today|this time|tonight|tomorrow|yesterday|at the moment|in this case|"
    r"this once|"
    r"just once|in a (?:minute|moment|second)|next (?:hour|week|meeting|pr|commit)|last week|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|lunch|meet|meeting|postponed?|happen|"
    r"the following|(?:see|described) (?:below|above))\b|:$"
)
_POINTING: Final = (
    r"\bth(?:is|ese)\b(?! (?:repo|repository|project|codebase|monorepo|team|company|workspace|"
    r"organi[sz]ation|machine)\b)|"
    r"\byour (?:\w+ )?(?:suggestion|proposal|idea|option|plan|version)\b|"
    r"\b(?:anything|something) else\b|\bthe (?:old|new|other|previous|original|existing) "
    r"(?:one|code|version|way|endpoint|file|implementation|approach)\b|\b(?:option|plan) \w\b"
)
_NEVER_KEPT: Final = re.compile(
    f"{_QUESTION}|{_TASK}|{_TENTATIVE}|{_REPORTED}|{_FLEETING}|{_POINTING}"
)
# These take back a decision or a preference that follows them; before a rule they are its scope.
_CONDITION: Final = re.compile(
    r"\b(?:if|unless|when|whenever|since|because|once|until|although|though|not|never|haven't|"
    r"hasn't|didn't|in case|assuming|(?:before|after)(?= $)|"
    r"(?:before|after) (?:i|we|you|they|the team))(?!\w)"
)
_FAILURE: Final = re.compile(
    r"\b(?:for now|fail(?:s|ed|ing|ure)?|broke|broken|crash\w*|errors?|bugs?|wrong|stopped|slow|"
    r"problems?|[45]\d\d|that's why)\b"
)
_HERE: Final = re.compile(
    r"\b(?:here|for now|yet|later|otherwise (?:it|we|redirect)|"
    r"before (?:you|i) (?:continue|go on|proceed|start|left|leave))\b"
)

# --------------------------------------------------------------------------------- what is kept
# An object that means nothing once the conversation is gone.
_OBJECT: Final = (
    r"(?!\s*(?:it|that|those|them|both|so|one|him|her|there|neither|\d)\b(?! (?:\w+ ){2}))"
    r"(?!\s*[a-d]\s*(?:[.,;!]|$))"
    r"(?!\s*(?:the|your|my|a)\s+(?:\w+est|first|second|third|last|latter|former|other|same|next|"
    r"previous|suggestion|proposal|option|idea|recommendation|plan|approach|flow|quick|wrong|"
    r"main branch|master)\b)(?!\s*(?:main|master|develop|lunch)\b)"
)
_ADVERBS: Final = (
    r"(?:(?:have|just|now|finally|all|already|both|therefore|also|recently|explicitly|instead)\s+)*"
)
_WE_WILL: Final = r"(?:we'll|we will|we're going to|we are going to|we shall)\s+(?:now\s+|just\s+)?"


def _table(confidence: float, text: str) -> _Table:
    """Parse one phrase per line; a line with deeper indentation continues the previous one."""
    phrases: list[str] = []
    for line in text.strip("\n").split("\n"):
        if line.startswith(" " * 8):
            phrases[-1] += line.strip()
        elif line.strip():
            phrases.append(line.strip())
    return tuple((re.compile(phrase), confidence) for phrase in phrases)


_DECIDED: Final[_Table] = (
    *_table(
        0.6,
        rf"""
    \b(?:we|the team)(?:'ve)?\s+{_ADVERBS}(?:decided|agreed|settled|opted|resolved)\s+
        (?:to|on|that|for|against|not|with|upon)\b{_OBJECT}
    \bi(?:'ve)?\s+{_ADVERBS}(?:decided|opted|settled)\s+(?:on|that|for|against|not to|to (?:use|
        go|keep|drop|switch|move|adopt|store|write|build|rewrite|replace|remove|support|stick|stay|
        split|merge|rename|host|deploy))\b{_OBJECT}
    ^{_OPENER}(?:final |our |my |the )?(?:decision|agreed|decided|agreement)\s*[:\u2013-]\s+
    ^{_OPENER}(?:the|our) (?:final )?decision (?:is|was)\s+(?:to|that)\b(?! be made)
    """,
    ),
    *_table(
        0.5,
        rf"""
    \b(?:it (?:was|is|has been)|it's)\s+{_ADVERBS}(?:decided|agreed)\s+(?:that|to)\b
    """,
    ),
)
_CHOSEN: Final[_Table] = (
    *_table(
        0.6,
        rf"""
    \bwe(?:'ve)?\s+{_ADVERBS}(?:chose|chosen|picked|selected|adopted|standardi[sz]ed on|went[ ]
        with|gone with|switched to|migrated to)\b(?!\s+(?:up|it|that|them)\b){_OBJECT}
    \b{_WE_WILL}(?:go with|stick with|stick to|stay with|standardi[sz]e on|adopt|switch to|
        settle on)\b(?!\s+(?:it|that|the plan)\b){_OBJECT}
    \b(?:{_WE_WILL}|(?:we are|we're|we)\s+(?:now\s+|only\s+)?)(?:use|using|keep|keeping|deploy|
        deploying|target|targeting|support|supporting|ship|shipping|write|writing|store|storing)\b
        (?!\s+(?:it|that|them)\b).*(?:\binstead of\b|\brather than\b|[,;]\s*(?:and\s+)?not\b)
    """,
    ),
    *_table(
        0.5,
        rf"""
    \blet's\s+(?:just\s+|all\s+)*(?:go with|stick with|stick to|settle on|standardi[sz]e on|
        adopt|switch to|stay with)\b(?!\s+(?:it|that)\b){_OBJECT}
    \blet's\s+(?:just\s+)?(?:use|keep)\b(?!\s+(?:it|that)\b).*\b(?:instead of|rather than|
        as our|everywhere|for all|for every|across)\b
    \b{_WE_WILL}use\b(?!\s+(?:it|that|them)\b){_OBJECT}.*\b(?:for|as)\s+(?:the|our|all|every|
        each|any|everything|local|production|tests?|\w+ing)\b
    \b(?:we're|we are)\s+(?:sticking|staying) with\b(?!\s+(?:it|that)\b){_OBJECT}
    ^{_OPENER}(?:we're|we are|i'm|i am)?\s*going with\b{_OBJECT}.*\b(?:for|over|as|because|
        instead|since)\b
    """,
    ),
)
_PREFERENCES: Final[_Table] = (
    *_table(
        0.6,
        rf"""
    \bi(?:'d|\s+would)?\s+(?:(?:really|strongly|generally|usually|much|always|personally|
        definitely|highly|also)\s+)*prefer\b
        (?!\s+(?:not to|to not|if|to (?:wait|do|see)|a different|another|it|that)\b){_OBJECT}
    \bmy (?:\w+\s+)?preference is\b(?! clear){_OBJECT}
    ^{_OPENER}please,?\s+(?:always|never|don't ever|do not ever)\s+(?!mind\b|do that\b)
    """,
    ),
    *_table(
        0.5,
        rf"""
    \bi(?:'d| would) (?:much )?rather\b.*\bthan\b
    \bi\s+(?:really\s+)?(?:like|love)\b{_OBJECT}\s+.{{2,80}}\s+(?:better|more) than\b
    \bi\s+(?:always|never|only ever)\s+(?:use|write|deploy|name|prefer|put|keep|format|indent|
        squash|rebase|merge|develop|code|mock|comment)\b(?!\s+(?:that|it|them)\b)
    \bi don't want (?:any )?[\w-]+ in (?:the|my|our|any) (?:code|docs|tests|commits?|repo|readme)\b
    \bi (?:always|never) want\b(?! to\b| (?:it|that|them)\b)
    \bi\s+(?:don't|do not)\s+(?:like|want)\s+it\s+when\s+(?:you|code|commits|functions|comments|
        prs?)\b
    \bi(?:'d| would)? (?:want|like|need|expect) you to (?:always|never)\b(?! be\b)
    \b(?:i|we)\s+(?:really\s+)?(?:dislike|can't stand|hate)\s+(?:using|writing|reading)\b
    """,
    ),
)
_VERB: Final = (
    "(?:use|run|write|add|keep|check|double-check|commit|push|force-push|pull|merge|squash|rebase|"
    "cherry-pick|test|mock|stub|log|print|call|return|raise|throw|catch|swallow|handle|validate|"
    "sanitize|escape|quote|format|lint|type|annotate|document|comment|name|prefix|import|export|"
    "include|exclude|avoid|prefer|ask|confirm|show|explain|answer|respond|reply|speak|say|tell|"
    "mention|sign|put|place|store|save|cache|encrypt|hash|expose|leak|hard-?code|delete|remove|drop|"
    "truncate|edit|modify|change|alter|touch|rename|move|create|make|build|compile|deploy|release|"
    "ship|publish|tag|bump|update|upgrade|install|pin|open|close|read|load|parse|start|stop|restart|"
    "kill|skip|disable|enable|ignore|suppress|silence|trust|assume|guess|rely|depend|duplicate|copy|"
    "inline|extract|split|nest|wrap|block|wait|sleep|poll|retry|rerun|fetch|query|select|insert|join|"
    "index|migrate|seed|back up|review|approve|request|link|reference|refer|translate|pass|set|"
    "take|do|let|leave|send|post|submit|share|apply|follow|respect|force|amend|reset|rewrite|generate|"
    "render|style|indent|align|sort|order|group|declare|define|initiali[sz]e|inject|inherit|subclass|"
    "override|extend|implement|cover|assert|verify|measure|profile|benchmark|optimi[sz]e|round|"
    "convert|cast|compare|mutate|clone|await|spawn|schedule|enqueue|batch|throttle|limit|cap|allow|"
    "require|reuse|choose|pick|stick|switch|stay|forget to|be explicit|prompt|plan|work on|just "
    "(?:use|rerun|run|delete|ignore|disable|skip|catch)|paste|store|bypass|vendor|hand-?edit)\\b"
)
_NAMED: Final = r"(?!\s+(?:it|that|them|him|her)\b(?! \w+ \w+))"
_SCOPE: Final = (
    r"(?:when(?:ever)?|if|for|in|on|before|after|while|during|with|inside|within|as|to|at|under|"
    r"regarding|about)\b"
)
_RULES: Final[_Table] = (
    *_table(
        0.6,
        rf"""
    ^{_OPENER}(?:please\s+)?(?:always|never(?: ever)?)\s+{_VERB}{_NAMED}
    ^{_OPENER}{_SCOPE}[^,;:]{{2,120}}[,;:\u2013-]\s*(?:please\s+)?(?:always|never)\s+{_VERB}
    ^{_OPENER}(?:don't|do not|dont)\s+(?:you\s+)?ever\s+{_VERB}{_NAMED}
    ^{_OPENER}(?:make sure|be sure|remember|take care)\s+(?:that\s+)?(?:you\s+|to\s+)
        (?:always|never)\s+{_VERB}{_NAMED}
    \b(?:must|should|shall)\s+(?:always|never)\s+(?!have\b|been\b)\w+
    \b(?:must not|mustn't|must never|may never)\s+(?:ever\s+)?
        (?!have\b|be (?:the|that|it|a)\b|exist\b)\w+
    \b(?:all|every|each|any)\s+(?:new\s+)?[\w-]+(?:\s+[\w-]+){{0,5}}?\s+must\s+
        (?!have (?:been|had|\w+ed)\b|pass\b|fail\b|work\b|
        be (?:wrong|broken|missing|a bug|down|filled|green|done)\b)\w+
    ^{_OPENER}(?:from (?:now|here|today) on(?:wards?)?|going forward|henceforth),?\s+(?:please\s+)?
        (?:always|never|use|don't|do not|we(?:'ll| will)?|let's|i want|
        you (?:must|should|always|never)|make|ask|only|all|every|stop|
        no|keep|write|put|run|name|commit|each|any|add|avoid|call|prefer)\b
    ^{_OPENER}(?:please\s+)?(?:always|never|use|don't|do not|we(?:'ll| will)?|let's|only|stop|
        keep|write|put|run|name|commit|avoid|all|every|no)\b.*
        \b(?:from now on|going forward|from here on|henceforth)(?: please)?\s*[.!]*$
    """,
    ),
    *_table(
        0.5,
        rf"""
    ^{_OPENER}(?:in|for|across|throughout) (?:this|our|the whole|the entire) (?:repo|repository|
        project|codebase|code base|monorepo|workspace|team|organi[sz]ation|company)\b,?\s+
        (?:we (?:use|do|don't|do not|always|never|write|keep|name|follow|put|target|support)|please|
        always|never|use|don't|do not|all|every|only|no|commits)\b
    ^{_OPENER}(?!(?:this|these|always|your|my|his|her|their)\b)(?:[\w-]+ ){{0,2}}[\w-]+[^s\W]s
        [ ]must be \w+ed\b(?! in\b)
    ^{_OPENER}{_VERB}.*,\s*always\W*$
    ^{_OPENER}(?:do not|don't|never|only) {_VERB}.*\bin (?:this|our|any|the) (?:repo|repository|
        project|codebase|monorepo)\W*$
    \bwe\s+(?:always|never)\s+{_VERB}{_NAMED}
    """,
    ),
)


def cue_of(bare: str) -> Cue | None:
    """Classify a sentence in lower case with code and quotations blanked out."""
    if _NEVER_KEPT.search(bare):
        return None
    return (
        _standing("decision", _DECIDED, bare)
        or (None if _FAILURE.search(bare) else _standing("decision", _CHOSEN, bare))
        or (None if _HERE.search(bare) else _standing("preference", _PREFERENCES, bare))
        or (None if _HERE.search(bare) else _first("rule", _RULES, bare))
    )


def _standing(kind: CueType, table: _Table, bare: str) -> Cue | None:
    """Like `_first`, but ignore matches preceded by a condition or retraction."""
    for pattern, confidence in table:
        match = pattern.search(bare)
        if match and not _CONDITION.search(bare, 0, match.start()):
            return Cue(kind, confidence)
    return None


def _first(kind: CueType, table: _Table, bare: str) -> Cue | None:
    for pattern, confidence in table:
        if pattern.search(bare):
            return Cue(kind, confidence)
    return None

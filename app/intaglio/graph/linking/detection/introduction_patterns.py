"""The words between a thing and the name that a text gives it, in six languages."""

import re
from typing import Final

ALSO: Final = re.compile(
    (
        r"(?:,\s|\s\(|（|\s)(?:(?:aka|a\.k\.a\.|alias|also known as|also called|"
        r"also referred to as|or just|or simply|or,? for short,|nicknamed|better known as|"
        r"internally known as|known internally as|called internally|short:|in short|"
        r"formerly known as|formerly|previously known as|previously called|codenamed|"
        r"code-named|auch bekannt als|auch|kurz:?|intern|genannt|abgekürzt|"
        r"también conocido como|también llamado|o simplemente|apodado|dit|dite|aussi appelé|"
        r"aussi connu sous le nom de|surnommé|alias)\s|"
        r"(?:通称|略称|別名|简称|又名|也叫|俗称|愛称)[「“]?)"
    ),
    re.IGNORECASE,
)
MEANS: Final = re.compile(
    (
        r"\s(?:means|stands for|is short for|is shorthand for|refers to|"
        r"is our (?:nick)?name for|is (?:the|our|my|an?|just) (?:nickname|shorthand|short name|"
        r"abbreviation|acronym|alias|codename|code name|name|other name|internal name) (?:of|"
        r"for)|is what (?:we|they|people|everyone) calls?|is how we call|=|==|steht für|"
        r"bedeutet|meint|significa|es la abreviatura de|signifie|veut dire)\s|(?:は|"
        r"とは)?(?=\s?[A-Z])のことです"
    ),
    re.IGNORECASE,
)
CALLS: Final = re.compile(
    (
        r"\b(?:we|i|they|everyone|everybody|people|folks|the team|team|devs|us|it's|let's|"
        r"always|just|also|usually|internally|please|and)\s(?:(?:all|just|always|also|"
        r"usually|internally|now|still|often)\s)?(?:call|calls|called|nicknamed|nickname|"
        r"dubbed|named|refer to)\s|(?:^|(?<=[.!?]\s)|\bplease\s)(?:call|nickname)\s|"
        r"\b(?:wir nennen|nennen wir|on appelle|on surnomme|nous appelons|llamamos a|"
        r"le decimos a)\s"
    ),
    re.IGNORECASE,
)
RENAMES: Final = re.compile(r"\b(?:rename|renamed|renaming)\s", re.IGNORECASE)
NOW: Final = re.compile(
    (
        r"\s(?:(?:is|was|has been|got|gets|were|are)\s(?:now\s|internally\s|recently\s|just\s|"
        r"since\s|also\s)?(?:renamed|called|named|known as|nicknamed|referred to as|rebranded|"
        r"dubbed)\s(?:to\s|as\s)?|goes by\s(?:the name\s)?(?:of\s)?|heißt\s(?:(?:bei uns|jetzt|"
        r"intern|nun|auch)\s){0,2}|se llama\s(?:ahora\s)?|s'appelle\s(?:désormais\s|"
        r"maintenant\s)?)"
    ),
    re.IGNORECASE,
)
NAME_IS: Final = re.compile(
    r"\b(?:nickname|codename|code name|alias|abbreviation|acronym|short name|internal name|pet name"
    r"|shorthand) (?:for|of)\s",
    re.IGNORECASE,
)
CALL_IT: Final = re.compile(
    r"\s?[,(（;–—]\s?(?:(?:and|but|so)\s)?(?:we|i|they|everyone|everybody|people|the team)\s"
    r"(?:all\s|just\s|usually\s|always\s|internally\s|also\s)?(?:call|calls|named|nicknamed)\s"
    r"(?:it|him|her|that|this|them)\s(?:just\s|simply\s)?",
    re.IGNORECASE,
)
WHICH: Final = re.compile(
    r",?\s(?:which|that|what)\s(?:we|everyone|everybody|people|they|i|the team|most of us)\s"
    r"(?:all\s|just\s|usually\s|always\s|internally\s)?(?:call|calls|nicknamed|named)\s",
    re.IGNORECASE,
)
LOOSE: Final = re.compile(r"means|=|bedeutet|meint|significa|signifie|veut dire", re.IGNORECASE)
MEAN_BY: Final = re.compile(
    (
        r"\b(?:by|when (?:i|we) say|if (?:i|we) say|"
        r"with)\s[\"“'‘`]?(?P<alias>[\w.-]{2,30}(?: [\w-]{1,20}){0,2}?)[\"”'’`]?,?\s(?:i|"
        r"we)\s(?:always\s)?(?:mean|meant)\s"
    ),
    re.IGNORECASE,
)
LLAMAMOS: Final = re.compile(
    r"\b(?:llamamos|apodamos|decimos)\s[\"“«]?(?P<alias>[\w-]{2,30})[\"”»]?\sa(?:l|\sla|\slos)?\s",
    re.IGNORECASE,
)
FOR_SHORT: Final = re.compile(
    r"(?P<alias>[\w.-]{2,30}(?: [A-Z]\w{1,20})?)[\"”'’`]?\)?,?\s(?:for short|para abreviar)\b"
)
HINTS: Final = re.compile(
    (
        r"\(|（|\b(?:call|calls|called|nick|dubbed|named|rename|renam|aka|a\.k\.a|alias|known|"
        r"short|means|mean|stands|refers?|just|simply|former|previously|goes by|codename|"
        r"code-name|nennen|heißt|genannt|kurz|auch|steht für|bedeutet|llama|conocid|apodad|"
        r"significa|appel|surnomm|dit|signifie|veut dire)|=|称|名|也叫|のこと"
    ),
    re.IGNORECASE,
)

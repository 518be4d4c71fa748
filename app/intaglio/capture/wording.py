"""Makes a clause readable on its own, and reads whether it corrects."""

import re
from typing import Final

from intaglio.capture.values import Clause, StatementType
from intaglio.language.tokens import count_cjk, count_spaced_words

_LEAD_INS: Final = re.compile(
    r"(?:(?:ok(?:ay)?|k|yes|yeah|yep|yup|right|alright|all right|sure|so|and|but|also|then|well|"
    r"good|great|perfect|nice|cool|thanks|thank you|thx|oh|ah|hm+|hey|hi|hello|actually|anyway|btw|"
    r"by the way|fyi|no|nope|nah|wait|hold on|stop|look|listen|"
    r"oh and|and also|plus|one (?:more|other|last|small) thing|another thing|two things|"
    r"(?:just )?(?:a )?(?:quick )?(?:note|reminder|heads[- ]up)(?: (?:to self|for later))?|"
    r"for the record|for future reference|for the future|just so you know|while (?:you're|you are|"
    r"we're|we are) at "
    r"it|while i(?:'m| am) (?:at it|here|thinking of it)|before i forget|in case it (?:matters|"
    r"helps)|"
    r"as (?:i )?(?:said|mentioned)(?: before| earlier| already)?|like i said|"
    r"(?:(?:a|another|one more) )?(?:new )?rule|ps|(?:scrap|scratch|forget) (?:that|this|it)|"
    r"i take (?:that|it) back|my mistake|on second thoughts?|kommando (?:zurück|retour)|"
    r"(?:i|we)(?:'ve|’ve| have)? changed (?:my|our) minds?|"
    r"ich hab(?:e es|e's|s| es)? mir (?:das )?anders überlegt|j'ai changé d'avis|"
    r"(?:he cambiado|cambié) de (?:opinión|idea)|"
    r"(?:forget|scrap)(?: about)? (?:the|my|our|what (?:i|we) said about) [^,.:;!?\n]{2,60}(?=:)|"
    r"forget(?: about)?(?: that)? (?:we|i) [^,.:;!?\n]{2,60}(?=,)|"
    r"as always|in general|in short|finally|lastly|last thing|remember|note that|"
    r"keep in mind(?: that)?|"
    r"remember that|please (?:remember|note)(?: that)?|important|"
    r"ja|nein|nee|gut|also|und|aber|dann|ach(?: ja| so)?|ach|übrigens|nebenbei|genau|danke|super|"
    r"prima|stimmt|moment|halt|noch (?:was|etwas|eins|eine sache)|zur (?:info|erinnerung)|"
    r"fürs protokoll|"
    r"merk dir(?: bitte)?|denk (?:bitte )?dran|wenn du schon dabei bist|bevor ich's vergesse|"
    r"wichtig|"
    r"ach und|und noch was|"
    r"sí|si|vale|bueno|bien|claro|gracias|perfecto|genial|por cierto|además|y|pero|ah|oye|espera|"
    r"una cosa más|otra cosa|para que (?:conste|lo sepas)|ya que estás|recuerda(?: que)?|ojo|"
    r"oui|non|d'accord|bon|bien|merci|parfait|super|au fait|d'ailleurs|et|mais|ah|attends|"
    r"encore une chose|autre chose|pour info|tant que tu y es|pendant que tu y es|"
    r"rappelle-toi(?: que)?|"
    r"note(?: bien)?(?: que)?|au passage"
    r")\b[ ]?(?:[,.:;!…–—-]+\s*|\s+(?=and\b|also\b|btw\b|please note)))+",
    re.IGNORECASE,
)
_CONNECTIVE: Final = re.compile(
    r"(?:and|but|so|also|then|plus|und|aber|pero|y|et|mais|oh|actually|btw|fyi|by the way|"
    r"just so you know|(?:please )?(?:note|remember|keep in mind) that)\s+(?=\S+\s+\S+\s+\S)",
    re.IGNORECASE,
)
_CJK_LEAD_INS: Final = re.compile(
    r"(?:(?:好的?|嗯+|哦+|对了?|顺便(?:说一下|提一下|说一句)?|另外|还有(?:一点|件事|一件事)?|而且|"
    r"然后|不对?|不是|等等|等一下|谢谢|不错|可以|行|是的|记住|记得|注意|提醒一下|补充一下|说一下|其实|总之|最后|"
    r"はい|うん|ええ|いや|いいえ|あ|ああ|あと|それと|それから|そういえば|ちなみに|ついでに|なお|ありがとう|"
    r"了解|OK|ok|オーケー|えっと|ところで|念のため|覚えておいて)[,，、。:：!！\s]+)+"
)
_CORRECTS: Final = re.compile(
    r"(?:(?:no|nope|nah|wait|actually|scratch that|forget (?:that|it)|never ?mind|"
    r"on second thought|"
    r"hmm+|sorry|correction|i changed my mind|changed my mind|hold on|instead)\b"
    r"|(?:nein|nee|moment|doch (?:nicht|lieber)|halt|vergiss|korrektur|quatsch|ach nein|doch)\b"
    r"|(?:no|espera|mejor|olvida|en realidad|corrección|perdón)\b"
    r"|(?:non|attends|finalement|en fait|oublie|correction|plutôt)\b"
    r"|不[,，对是用要]|算了|等等|改主意|还是|更正|说错|いや|やっぱ|やはり|違|訂正|待って)",
    re.IGNORECASE,
)
_TAKES_BACK: Final = re.compile(
    r"(?:(?:no|nope|nah|ok|okay|wait|hm+|sorry|actually|oh|ah|nein|moment|ach|espera|attends|"
    r"non)[,.!\s]+){0,3}"
    r"(?:(?:please )?(?:scratch|ignore|disregard|strike|forget(?: about)?) (?:that|this|it|"
    r"what i (?:just )?said|the last (?:one|bit|part|"
    r"thing|rule))|i take (?:that|it) back|never ?mind(?: that)?(?: rule)?|"
    r"vergiss (?:das|es|was ich gesagt habe)|streich das|das nehme ich zurück|"
    r"olvida (?:eso|lo (?:que dije|anterior|último))|olvídalo|retiro lo dicho|"
    r"oublie (?:ça|cela|ce que j'ai dit)|laisse tomber|"
    r"算了|刚才(?:说的)?(?:不算|作废|当我没说)|当我没说|忘了(?:刚才|那个)|"
    r"(?:さっきの|今の)(?:は)?(?:なし|取り消し|忘れて)|やっぱりなし)"
    r"[,.!。！\s]*+(?:(?:then|again|please|sorry|bitte|doch|por favor)[,.!。！\s]*+)?$",
    re.IGNORECASE,
)
# "Forget that we use pytest" asks to forget a rule; "forget IE11" is one.
_RULE_TAKEN_BACK: Final = (
    r"(?:(?:no|ok|okay|wait|hm+|sorry|actually|oh|ah|and|so|please)[,.!\s]+){0,3}"
    r"(?:forget(?: about)?(?: that (?:i (?:told|asked) you to )?(?=\S)| (?=we\b))"
    r"(?P<said>(?:(?:we|i)\b|(?<=to )\w)(?>(?:[^,.;:!?\n]|[.:](?=\S))*))|"
    r"(?:forget|ignore|disregard|never ?mind)(?: about)? "
    r"(?:what (?:i|we) (?:just )?(?:said|told you)(?: (?:earlier|before))? about\b|"
    r"(?:the|that|this|my|our) (?:rule|decision)s? (?:about|with|that|to|on)\b)"
    r"(?P<about>(?>(?:[^,.;:!?\n]|[.:](?=\S))*)))"
)
_TAKES_BACK_RULE: Final = re.compile(rf"{_RULE_TAKEN_BACK}[.!\s]*+$", re.IGNORECASE)
# "Forget that we use pytest, we use unittest now" states something, too.
_NAMES_RULE: Final = re.compile(rf"{_RULE_TAKEN_BACK}(?:,[^?\n]*|[.!\s]*+)$", re.IGNORECASE)
_FOR_ONCE: Final = re.compile(
    r"\b(?:for (?:now|once|today|the moment|a moment)|today|tonight|here|"
    r"(?:just )?this (?:once|time)|(?:in|for|on|with) (?:this|that|these|those))\b",
    re.IGNORECASE,
)
# Few and sure words: "I think" begins many a rule.
_UNSURE: Final = re.compile(
    r"\b(?:maybe|perhaps|possibly|might|not (?:yet |so |really |quite |entirely )?sure|unsure|"
    r"undecided|i guess|wondering if|we'll see|let me think|vielleicht|eventuell|evtl|"
    r"nicht sicher|quizás?|tal vez|a lo mejor|no (?:estoy|sé) segur[oa]|peut-être|pas sûre?)\b"
    r"|也许|或许|不确定|かもしれ|たぶん",
    re.IGNORECASE,
)


def content_of(text: str) -> str:
    """Cut what leads into a clause; the rest stays as written."""
    rest = text
    for _ in range(4):
        match = _LEAD_INS.match(rest) or _CJK_LEAD_INS.match(rest) or _CONNECTIVE.match(rest)
        if match is None or not rest[match.end() :].strip():
            break
        rest = rest[match.end() :].lstrip()
    return rest.strip(" \t,;–—")


# Such a clause depends on its conversation.
_POINTS: Final = re.compile(
    r"(?:(?:yes|no|ok|okay|so|then|and|but|also|please|let's|lets|just|we|we'll|i'd|i|do|keep|use|"
    r"go|leave|stick|stay|with|always|never|don't|like|prefer|want)\s+){0,5}"
    r"(?:it|that|this|those|these|them|one|both|so|same|the (?:first|second|other|latter|former|"
    r"last|same|old|new) one)\b(?!\s+\w+\s+\w+\s+\w+)"
    r"|(?:(?:ja|nein|dann|und|also|bitte|wir|nehmen|ich|lass uns|mach|machen)\s+){0,4}"
    r"(?:das|es|den|die da|so|dies(?:e[rsn]?)?|beides?)\b(?!\s+\w+\s+\w+\s+\w+)"
    r"|(?:(?:sí|no|y|pero|entonces|usa|usamos|deja|vamos con)\s+){0,3}"
    r"(?:eso|esto|ese|esa|lo mismo)\b(?!\s+\w+\s+\w+\s+\w+)"
    r"|(?:(?:oui|non|et|mais|alors|on|prend|garde|fais)\s+){0,3}(?:ça|cela|ceci|celui-là|pareil)\b"
    r"(?!\s+\w+\s+\w+\s+\w+)"
    r"|(?:it|they|he|she|it's|they're|he's|she's|它们?|他们?|她们?)(?:\b|(?=[\u3400-\u9fff]))"
    r"|(?:this|that|these|those)\s(?:is|are|was|were|has|have|does|can|must|should|will|goes?|"
    r"needs?|makes?|works?|runs?)\b"
    r"|(?:das|dies|sie|er)\s(?:ist|sind|war|hat|haben|wird|werden|muss|müssen|soll|kann|darf|läuft|"
    r"geht|kommt|bleibt|braucht|macht)\b"
    r"|(?:就|都|用|按|还是)?(?:这个|那个|这样|那样|它|这么|那么)(?:吧|了|办)?[。！]?$"
    r"|(?:それ|これ|あれ|そう|そっち|こっち)(?:で|に|を)?",
    re.IGNORECASE,
)
# In "that's the most important thing: a feeder never stops", the rest stands alone.
_EXPLAINS: Final = re.compile(r"[^:：]{3,60}[:：]\s*(?P<rest>\S+(?:\s\S+){3,})")
_MIN_WORDS: Final = 3
_MIN_CJK: Final = 5
# Dictated without punctuation: several things at once.
_MAX_WORDS: Final = 60

# What is said outright, and of which type it is.
_OUTRIGHT: Final[tuple[tuple[re.Pattern[str], StatementType], ...]] = (
    (
        re.compile(
            r"we(?:'ve| have)? (?:finally |all |now )?(?:decided|agreed) (?:to|on|that|against)\b|"
            # What one person decides to do may be done by tonight.
            r"(?:i(?:'ve|’ve| have)? (?:finally |now )?)?decided to (?:use|go with|store|stay with|"
            r"stick with)\b(?! (?:it|this|that|these|those|them|the|an?|my|your|another|option)\b)"
            r"(?!.{0,200}\b(?:later|now|tonight|today|tomorrow|this time)\W{0,3}$)|"
            r"let's use \S+ for |wir haben (?:uns )?\S.{0,80}(?:entschieden|beschlossen)",
            re.IGNORECASE,
        ),
        "decision",
    ),
    (
        re.compile(
            r"from now on[,:]? \w|(?:please )?(?:we )?(?:always|never) "
            r"(?!\w+(?:ed|ew)\b|(?:an?|the|this|that|these|those|my|in|on|at|some)\b)[a-z-]+ [\w`]|"
            r"(?:all |every |each )?(?:<[^<>\s]{1,40}>|`[^`\s]{1,40}`)(?: \w{1,40})? must "
            r"(?:always|never) \w|ab (?:jetzt|sofort)[,:]? \w|"
            r"以后.{0,12}(?:都|一律|统一)|.{0,10}(?:一律|必须|禁止|不许)|(?:我们|咱们|这边).{0,6}统一",
            re.IGNORECASE,
        ),
        "rule",
    ),
    (
        re.compile(
            r"(?:please )?(?:don't|don’t|do not|never) [a-z-]+"
            r"(?: (?!(?:it|this|that|these|those|them|step|line|else|yet|now)\b)[^\s?]{1,30})"
            r"{0,8}? without (?:asking|checking with|telling|"
            r"(?:my )?(?:okay|ok|approval|permission))\b",
            re.IGNORECASE,
        ),
        "rule",
    ),
    (
        re.compile(
            r"(?:(?:please )?(?:let's )?(?:(?:always|never|only) )?(?:use|write|put|keep|run|name|"
            r"prefix|format|commit|deploy|avoid|prefer|call|add)|we (?:use|only|always|never|don't|"
            r"do not|will|write|put|keep|run|deploy|avoid|prefer)|(?:all|every|each|no)"
            r"(?: [^\s?]{1,30}){1,4} (?:must|should|goes?|gets?|uses?)) "
            r"[^?\n]{2,80} (?:from now on|going forward)[.!]?$",
            re.IGNORECASE,
        ),
        "rule",
    ),
    (
        re.compile(r"i (?:really |strongly |much )?prefer (?!the|that|it|this)\w", re.IGNORECASE),
        "preference",
    ),
)
# A question, or irony.
_NOT_MEANT: Final = re.compile(
    r"[?？]\s*$|,? (?:sure|right|yeah,? right|haha|lol|/s|klar|claro)\W*$|🙄", re.IGNORECASE
)


# Words before a statement that ask to keep it.
_ASKED_TO_KEEP: Final = re.compile(
    r"(?:(?:ok(?:ay)?|and|also|so|oh|btw|please)[,.!\s]+){0,3}"
    r"(?:(?:remember|keep in mind)(?: ?:| that(?= (?:we|you|they|it|the|our|my|all|every|each|no|"
    r"an?|[\w-]{1,40} (?:is|are|must|should|needs?|has|have|will|can|can't|cannot|may|goes?|uses?|"
    r"runs?))\b))|"
    r"(?P<decision>decision|decided) ?:(?!\s*(?:none|pending|tbd|open|see|not|no)\b))\s*+\S",
    re.IGNORECASE,
)


def asked_to_keep(text: str, kind: StatementType) -> StatementType | None:
    """Return of which type a clause is if it begins by asking to keep it; ``kind`` unless it says.

    "Remember: …", "Remember that we …", "Decision: …".
    """
    match = _ASKED_TO_KEEP.match(text)
    if match is None or _NOT_MEANT.search(text):
        return None
    return "decision" if match["decision"] else kind


# Also "about the thumbnails: I changed my mind, two sizes only".
_CHANGED_MIND: Final = re.compile(
    r"(?:(?:no|ok(?:ay)?|wait|hm+|sorry|actually|oh|and|so)[,.!\s]+){0,3}"
    r"(?:(?:about|as for|regarding) [^,.:;!?\n]{2,80}[:,]\s*+)?"
    r"(?:i|we)(?:'ve|’ve| have)? changed (?:my|our) minds?[,.:;!–—-]+\s*+(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
# What is merely ordered differently isn't meant.
_CHOOSES: Final = re.compile(
    r"(?:we(?:'ll|’ll| will)?|let's|let’s) (?:use|go with|go back to|keep|stay (?:with|on)|"
    r"stick (?:with|to)|switch (?:back )?to|don't|don’t|do not|never|always|no longer|only)\b"
    r"(?! (?:it|this|that|these|those|them|option)\b)|"
    r"\w[\w-]{0,40}ing (?:\w[\w-]{0,40} ){0,5}(?:is|are)\b",
    re.IGNORECASE,
)


def changed_mind(text: str) -> str:
    """Return what follows where a clause says first that the user thinks otherwise now, or ""."""
    match = _CHANGED_MIND.match(text)
    return match["rest"] if match and not _NOT_MEANT.search(text) else ""


def chooses(rest: str) -> bool:
    """Whether words after a change of mind choose something for good: "we go with Postgres"."""
    return bool(_CHOOSES.match(rest))


def said_outright(content: str) -> StatementType | None:
    """Return what its words say outright that it is, if they do."""
    if _NOT_MEANT.search(content):
        return None
    return next((kind for pattern, kind in _OUTRIGHT if pattern.match(content)), None)


def stands_alone(clause: Clause, content: str) -> bool:
    """Whether the content means something without its conversation, and is one statement."""
    explained = _EXPLAINS.match(content)
    if _POINTS.match(explained["rest"] if explained else content):
        return False
    words, cjk = count_spaced_words(content), count_cjk(content)
    if words + cjk // 2 > _MAX_WORDS:
        return False
    return 2 * words + cjk >= _MIN_CJK if cjk else words >= _MIN_WORDS or clause.item


# An answer that leaves the choice to the agent states nothing.
_DELEGATES: Final = re.compile(
    r"(?:(?:you|please|just|well|hm+|honestly|either way|ok|no idea|not sure)[,. ]{1,3})?"
    r"(?:(?:you )?(?:decide|choose|pick)(?: (?:for me|yourself|what(?:ever)? you .{0,30}))?"
    r"|up to you|your (?:call|choice|pick)|(?:whatever|whichever|what|as) you "
    r"(?:think|like|prefer|want|recommend|suggest|see fit)(?: (?:is )?best)?"
    r"|(?:i )?(?:don't|do not) (?:care|mind|know)|no (?:preference|opinion|idea)|doesn't matter"
    r"|either(?: (?:one|is fine|works|way))?|any(?: of them| is fine)?|skip(?: (?:this|it))?|none"
    r"|surprise me|use your (?:own )?judge?ment"
    r"|(?:ist |mir )?(?:egal|wurscht)|entscheide? du|du entscheidest|wie du (?:willst|meinst)"
    r"|keine ahnung|(?:decide|elige|escoge) tú|tú (?:decides|eliges)|como (?:quieras|prefieras)"
    r"|(?:me )?da igual|(?:c'est )?(?:à toi de (?:voir|choisir|décider)|comme tu veux)|peu importe"
    r"|(?:你(?:来|自己)?(?:决定|定|选)|随便|都(?:行|可以)|看你|无所谓)(?:吧)?"
    r"|(?:お)?(?:任せ(?:します|る)?|まかせます)|どちらでも(?:いい|良い|構いません)?(?:です)?)"
    r"[.!。！ ]{0,3}",
    re.IGNORECASE,
)


def leaves_it_to_the_agent(answer: str) -> bool:
    """Whether an answer to the agent's question leaves the choice to the agent."""
    return bool(_DELEGATES.fullmatch(answer.strip().replace("’", "'")))


def begins_correction(bare: str) -> bool:
    """Whether it begins by taking back or replacing what was said before."""
    return bool(_CORRECTS.match(bare))


def takes_back(bare: str) -> bool:
    """Whether it takes something back and states nothing else."""
    return bool(_TAKES_BACK.match(bare) or _TAKES_BACK_RULE.match(bare))


def named_rule(bare: str) -> str:
    """Return what words that take a rule back say of it, "" if they name none.

    "We use pytest" of "forget that we use pytest", "the tests" of "ignore what I said about the
    tests". An exception for once takes nothing back, nor does a "maybe".
    """
    match = _NAMES_RULE.match(bare)
    if match is None or _FOR_ONCE.search(bare) or is_unsure(bare):
        return ""
    return (match["said"] or match["about"]).strip()


def is_unsure(text: str) -> bool:
    """Whether its words say that nothing is settled yet: "maybe", "not sure"."""
    return _UNSURE.search(text) is not None

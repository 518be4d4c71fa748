"""The words in which users say that something was tried and failed, or isn't to be tried again.

Most are English; German, Spanish, French, Chinese and Japanese have the plainest ones. Every
expression takes time linear in the text.
"""

import re
from typing import Final

_NOT: Final = (
    r"(?:(?:please |so |and |just )?(?:don't|do not|dont|never|let's not|lets not|let us not)"
    r"(?: ever| even| you| please)?|(?:we|you|i)(?: really)? (?:won't|will not|shouldn't|"
    r"should not|"
    r"mustn't|must not|can't|cannot|are not going to|aren't going to|don't want to|never want to)"
    r"|(?:we're|you're|i'm|we are|i am) (?:not|never)(?: going to)?|no need to|stop)"
)
_ONCE_MORE: Final = (
    r"(?:again|any ?more|any ?longer|a (?:second|third|fourth) time|once more|twice|ever)"
)
BARRED: Final = re.compile(
    rf"\b{_NOT} (?:try(?:ing)?|attempt(?:ing)?|suggest(?:ing)?|propos(?:e|ing)|repeat(?:ing)?)"
    rf"\b(?P<what>[^.;:!?\n]{{0,80}}?) {_ONCE_MORE}\b"
    rf"|\b(?:never|not) again\b|\bdead[ -]end\b|\boff the table\b"
    rf"|\b(?:don't|do not|let's not) go (?:there|down that (?:road|path|route))\b(?: again)?"
    r"|\b(?:versuch|probier)\w{0,4}\b[^.;:!?\n]{0,60} nicht (?:noch ?mal|wieder|erneut|nochmals)\b"
    r"|\bnicht (?:noch ?mal|wieder|erneut|nochmals) (?:versuchen|probieren|ausprobieren)\b"
    r"|\bno (?:lo |la |los |las )?(?:intentes|pruebes|vuelvas a (?:intentar|probar)\w{0,3})\b"
    r"|\b(?:n'essaie|n'essaye|ne (?:le |la |les )?(?:retente|réessaie|réessaye|tente)|"
    r"n'essayez|ne réessayez) (?:plus|pas)\b"
    r"|(?:别|不要|不许|不准)再(?:试|尝试|用|提|搞|弄|改回)|(?:もう|二度と)\S{0,12}(?:試さない|試すな|やらない|"
    r"使わない|しないで)",
    re.IGNORECASE,
)
"""Isn't to be tried again."""

BARRED_IF_FAILED: Final = re.compile(
    rf"\b{_NOT} (?:(?:go(?:ing)?|switch(?:ing)?|mov(?:e|ing)|com(?:e|ing)|revert(?:ing)?|"
    r"return(?:ing)?|chang(?:e|ing))(?: it| this| that| things)? back (?:to|on)|"
    r"return(?:ing)? to|re-?introduc(?:e|ing)|"
    r"re-?add(?:ing)?|re-?enabl(?:e|ing)|re-?appl(?:y|ying)|bring(?:ing)? back)\b"
    r"(?P<to>[^.;:!?\n]{0,80})"
    rf"|\b{_NOT} bring(?:ing)? (?P<brought>[^.;:!?\n]{{1,60}}?) back\b"
    rf"|\b{_NOT} (?:do(?:ing)?|us(?:e|ing)|try(?:ing)?)\b"
    rf"(?P<used>[^.;:!?\n]{{0,80}}?) {_ONCE_MORE}\b"
    rf"|\b(?:leave|keep) (?:it|that|this) (?:alone|out|off|as it was)\b"
    r"|\b(?:stay|keep|steer) (?:away from|clear of)\b(?P<away>[^.;:!?\n]{0,60})"
    r"|\b(?:give|gave|giving) up on\b(?P<given>[^.;:!?\n]{0,60})"
    r"|\bgeh\w{0,3} nicht (?:wieder |mehr )?(?:zu|zum|zur|darauf) \S+(?: \S+){0,3} ?zurück\b"
    r"|\bnicht (?:noch ?mal|wieder|mehr) (?:verwenden|benutzen|einbauen|einführen|machen|nehmen)\b"
    r"|\bno (?:vuelvas|volvamos) a\b|\bne (?:reviens|revenez|revenons) pas\b",
    re.IGNORECASE,
)
"""Isn't to be done again, which means a failed attempt only beside words that say it failed."""

FAILED: Final = re.compile(
    r"(?:\b(?:did|does|do|has|have|had|could|can|would|will)(?:n't| not)|\b(?:never|cannot|won't|"
    r"didnt|doesnt|dont))"
    r"(?: really| even| actually| ever| quite| seem to| just)?"
    r" (?:work|worked|help|helped|fix|fixed|solve|solved|scale|scaled|fly|hold|compile|build|"
    r"improve|survive|cope|handle|manage|support|keep up|play|pan out|perform|make (?:a|"
    r"any) difference|go (?:well|anywhere))\b"
    r"|\b(?:broke|breaks|breaking|crashed|crashes|failed|fails|deadlocked|deadlocks|deadlocking|"
    r"hung|"
    r"hangs|leaked|leaks|corrupted|corrupts|regressed|regresses|blew up|blows up|fell over|"
    r"falls over|timed out|times out|lost|loses|losing|dropped|drops|stalled|stalls|flaked|flakes|"
    r"slowed|slows|raced|races|doubled|tripled|exploded|explodes|clashed|clashes|conflicted|"
    r"conflicts|choked|chokes|froze|freezes|starved|starves|overflowed|overflows|backfired|"
    r"backfires|took down|takes down|brought down|brings down|killed|kills|bricked|wiped|"
    r"duplicated|duplicates|truncated|truncates|swallowed|swallows|locked up|locks up|locked us|"
    r"ran into|runs into|ran out of|runs out of|led to|leads to|ended in|ended up|caused|causes|"
    r"resulted in|results in|thrashed|thrashes|ate|eats)\b"
    r"|(?<=\ws )(?:deadlock|break|crash|leak|corrupt|lose|hang|fail|stall|conflict|clash|block|"
    r"starve|"
    r"time out|race|freeze|regress)\b"
    r"|\b(?:made|makes|making) \S+(?: \S+){0,3} (?:worse|slower|flaky|flakier|unstable|unusable)\b"
    r"|\b(?:was|were|is|are|turned out(?: to be)?|got|went|became) (?:far |much |way |even |just |"
    r"so |simply |really |a |an )?(?:too |so |complete |total )?(?:slow|slower|flaky|flakier|"
    r"unstable|"
    r"unreliable|worse|broken|wrong|dead[ -]end|disaster|mess|failure|mistake|useless|buggy|"
    r"unusable|"
    r"nightmare|no-go)\b"
    r"|\bno luck\b|\bto no avail\b|\bwithout (?:success|luck)\b|\brolled (?:it |that |them |"
    r"this )?back\b"
    r"|\b(?:had to|we) (?:revert|undo|undid|back|take|took|rip|ripped)(?:ed)? (?:it|that|them|"
    r"this)\b"
    r"|\b(?:funktionier|geh|ging|klapp|lief|läuft|half|hilft|bracht)\w{0,3} (?:leider |auch |so |"
    r"gar |"
    r"einfach )?nicht\b|\bnicht (?:funktioniert|geklappt|geholfen|gegangen)\b|\b(?:gescheitert|"
    r"fehlgeschlagen|schiefgegangen|schiefgelaufen|kaputt|abgestürzt|zu langsam|blockiert|hängt)\b"
    r"|\bno (?:funcion\w{1,4}|sirv\w{1,4}|ayud\w{1,4})\b|\b(?:falló|falla|fallaba|rompió|rompe|"
    r"fracasó|se (?:bloquea|bloqueó|cuelga|colgó)|demasiado lent[oa])\b"
    r"|\b(?:(?:n'a|ne) \S*(?:marche|marchait|fonctionne|fonctionnait)? ?pas(?: marché|"
    r" fonctionné| aidé)?"
    r"|(?:a |s'est )?(?:échoué|planté|cassé|bloqué)|casse|plante|bloque|trop lent[e]?)\b"
    r"|(?:不行|没用|没效果|失败|不管用|不起作用|崩溃|崩了|死锁|卡死|太慢|出错|报错|坏了|丢数据|挂了)"
    r"|(?:動かな|うまくいかな|だめだった|ダメだった|失敗|壊れ|落ちた|落ちる|遅すぎ|効かな|デッドロック)",
    re.IGNORECASE,
)
"""Says that something failed, or what harm it did."""

UNDONE: Final = re.compile(
    r"\b(?:undo|undid|revert|reverted|roll(?:ed)? back|back(?:ed)? out|take back|took back|rip out|"
    r"ripped out|throw away|threw away|put back)\b",
    re.IGNORECASE,
)
"""Takes an attempt back."""

TRIED: Final = re.compile(
    r"\b(?P<who>we|i|you|the team|ours|my team)(?:'ve|'d| have| had)?(?: already| once| "
    r"previously| earlier| before)?(?: actually| even| both| briefly| also)? (?:tried(?: out)?|"
    r"attempted|experimented with|went with|gave)\b(?P<what>[^.;:!?\n]{0,100})"
    r"|\b(?P<german>wir|ich) (?:haben|habe|hatten|hatte) [^.;:!?\n]{1,80}?(?:versucht|probiert|"
    r"ausprobiert)\b"
    r"|\b(?:ya )?(?:probamos|intentamos|hemos (?:probado|intentado))\b"
    r"|\b(?:on a|nous avons|j'ai) (?:déjà )?(?:essayé|tenté|testé)\b"
    r"|(?:我们?|咱们?|之前|以前|上次)[^。！？\n]{0,12}(?:试过|尝试过|用过)|(?:前に|以前|すでに|もう)\S{0,20}試し(?:た|て)",
    re.IGNORECASE,
)
"""Says that something was tried; ``what`` follows it in English, ``who`` did."""

LONG_AGO: Final = re.compile(
    r"\b(?:already|before|once|previously|earlier|in the past|twice|three times|several times|"
    r"ages ago|back (?:in|then|when)|last (?:week|month|year|sprint|quarter|release|time|spring|"
    r"summer|fall|autumn|winter)|(?:days|weeks|months|years|a (?:week|month|year|while)) ago|"
    r"in (?:20\d\d|january|february|march|april|may|june|july|august|september|october|november|"
    r"december)|schon|bereits|damals|früher|letzt(?:e[nrsm]?)? (?:woche|jahr|monat|mal)|ya|antes|"
    r"el (?:año|mes) pasado|déjà|auparavant|(?:l'an|le mois) (?:passé|dernier))\b"
    r"|之前|以前|上次|已经"
    r"|前に|以前|すでに",
    re.IGNORECASE,
)
"""Says that it was earlier than just now, when a failure may only be a report."""

NOT_MEANT: Final = re.compile(
    r"\b(?:if|unless|whether|would|suppose|imagine|hypothetically|until|till|for now|for today|"
    r"right now|at the moment|yet|for the moment|"
    r"must not|mustn't|should never|"
    r"whenever|falls|wenn|bis|si|hasta|jusqu'à|worked (?:fine|great|well)|works? (?:now|fine|great|"
    r"again|well)|fixed (?:now|it|that|since)|solved|resolved|they tried|he tried|she tried|"
    r"he said|she said|they said|says|wrote|according to|(?:my|your|their) (?:old|last|previous|"
    r"former|other) (?:job|company|team|employer|project|client)|at (?:google|work|amazon))\b"
    r"|^(?:on|after|when|once|upon|for|in case)\b[^,\n]{1,80},\s?(?:please )?(?:don't|do not|"
    r"never|we)\b"
    r"|如果|除非|直到|要是|もし|なら",
    re.IGNORECASE,
)
"""Makes it a condition, a thing of the moment, an attempt that succeeded in the end, or others'."""

ASKS_FOR_HELP: Final = re.compile(
    r"\b(?:fix|why|debug|investigate|diagnose|figure (?:it |this |that )?out|look into|"
    r"find (?:out|the|a)|"
    r"can you|could you|any ideas?|what(?:'s| is) wrong|help (?:me|us)|this error|following error|"
    r"error message|stack ?trace|the logs?|screenshot|see (?:below|above|attached)|here(?:'s| is|"
    r" are)|repar(?:ier|a)|behebe?|warum|por qué|arregla|pourquoi|corrige)\b"
    r"|为什么|修一下|怎么办|なぜ|直して",
    re.IGNORECASE,
)
"""Wants it to work all the same: what failed is a bug report."""

_DETERMINERS: Final = "that this those these your the our my a an any some all both"
_POINTING: Final = (
    "approach approaches way ways fix fixes change changes idea ideas solution solutions attempt "
    "attempts thing things one ones route path method version versions edit edits patch patches "
    "commit commits stuff code refactoring refactor trick hack workaround experiment last first "
    "second third previous same other old new above whole entire of it that this"
)
_PRONOUNS: Final = (
    "it that this those these them they which everything nothing something anything so again there "
    "hard harder once what both he she i we you either still just already before twice yesterday "
    "earlier and but in the a an or"
)
_BETWEEN: Final = (
    "out doing using with back for on of from at to do use make get have try trying also even just "
    "no ok okay so and but or because since as well yeah yes nope nah please wait stop hm hmm ugh "
    "then now"
)
_SYMPTOMS: Final = (
    "build builds test tests ci suite suites pipeline pipelines app application server servers "
    "page pages site prod production deploy deploys deployment login compilation compile typecheck "
    "lint linter check checks job jobs user users customer customers request requests screen ui "
    "result results output performance latency memory cpu error errors problem problems issue "
    "issues bug bugs crash crashes half rest work thing things program script"
)
DETERMINERS: Final = frozenset(_DETERMINERS.split())
POINTING: Final = frozenset(_POINTING.split())
"""What a determiner may stand before that names nothing: "that approach", "your last fix"."""
PRONOUNS: Final = frozenset(_PRONOUNS.split())
BETWEEN: Final = frozenset(_BETWEEN.split())
"""What may stand between a verb or the start of a clause, and what is spoken of."""
SYMPTOMS: Final = frozenset(_SYMPTOMS.split())
"""What an attempt breaks, rather than the attempt."""

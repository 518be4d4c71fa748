"""Decides by its words whether a text tells agents what to do, in six languages.

A text that an agent stores may have been planted by what it read. What reads as an instruction
waits for the user: an order, a permission, what an assistant has to do when something happens,
however politely or impersonally it is put. How a thing is done ("Run tests with `make test`")
is a fact, unless it holds for every task.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final


def _words(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


_MAX_SENTENCE: Final = 600
_OVERLAP: Final = 200
# Each sentence is compared with each.
_MAX_SPANS: Final = 100
_END: Final = re.compile(r"\n+|;|(?<=[.!?:])\s|[。\uff01\uff1f｡]")
_LABEL: Final = re.compile(
    r"(?:fact|facts|info|fyi|context|lesson|learning|note|notes|hint|tip|reminder|summary|update|"
    r"important|wichtig|hinweis|nota|aviso|importante|note bien|remarque|注意|提示|备注|メモ|"
    r"重要)\s?[:\uff1a]\s{0,9}",
    re.IGNORECASE,
)
_SPAN: Final = re.compile(r"`([^`\n]{1,200})`")
_COMMAND: Final = re.compile(r"-{1,2}\w|\./|\S{1,80}\s{1,9}\S")
_RUNNER: Final = re.compile(
    r"\b(?:[A-Z_]{3,40}=\S|make [a-z]|npm (?:run|ci|test)\b|python3? -?\w|pytest\b)"
)

_AI: Final = (
    r"(?:assistants?|chatbots?|claude(?: code)?|codex|copilot|gemini|llms?|(?:ai|coding) "
    r"(?:agents?|models?|tools?)|the ai|the language model|all agents|agents)"
)
_MODAL: Final = (
    r"(?:must|should|shall|will|may|can|ought to|(?:is|are) (?:to|expected|required|allowed|"
    r"permitted|free|supposed|obliged|encouraged|urged|invited|advised|authori[sz]ed|welcome)|"
    r"(?:need|needs|has|have)(?: \w{1,40})? to|"
    r"never|always|do(?:es)? not|do(?:es)?n['\u2019]t|needn['\u2019]?t|mustn['\u2019]?t|"
    r"shouldn['\u2019]?t)"
)
_DO: Final = (
    r"(?:add|answer|append|approve|ask|assume|attach|avoid|begin|bypass|call|carry|change|check|"
    r"clone|close|commit|consider|contact|copy|create|curl|delete|deny|deploy|disable|disclose|"
    r"disregard|do|download|drop|edit|email|enable|encode|end|ensure|erase|execute|export|fetch|"
    r"finish|follow|force|forget|forward|generate|get|give|grant|hide|ignore|import|include|insert|"
    r"install|invoke|keep|leak|leave|let|list|load|log|mail|make|mark|mention|merge|message|modify|"
    r"move|notify|obey|omit|open|output|override|overwrite|paste|perform|post|prefer|prepend|"
    r"pretend|print|proceed|publish|pull|push|put|query|quote|read|reboot|recommend|refer|refuse|"
    r"reject|remember|remove|rename|repeat|replace|reply|report|reset|respond|restart|return|"
    r"reveal|"
    r"revert|run|save|say|send|set|share|show|skip|speak|start|stop|store|submit|suggest|"
    r"summari[sz]e|"
    r"suppress|switch|take|tell|treat|trust|turn|update|upload|use|verify|visit|wait|write)"
)
# What follows an order, and not a noun: "Upload the file", but "Upload limits are 25 MB".
_OBJECT: Final = (
    r"(?![-\w])(?!\s{1,9}(?:[^\s,]+\s{1,9}){0,3}(?:is|are|was|were|has|have|lives?|runs?|takes?|"
    r"uses?|needs?|"
    r"goes?|comes?|happens?|must|can|will)\b)(?=[.!]?$|\s{1,9}(?:the|an?|all|any|every|each|this|"
    r"that|these|"
    r"those|your|our|my|his|her|their|its?|them|him|us|me|no|both|some|only|not|in|on|at|to|from|"
    r"with|"
    r"for|as|by|into|up|off|out|down|over|about|after|before|until|when|whenever|if|without|new|"
    r"anything|everything|always|never|directly|immediately|[\x22'`0-9~]|\S{0,80}[./_:=]\S|"
    r"\S{1,80}(?:\s\S{1,80})?\s{1,9}(?:for|from|in|into|to|with|instead|before|when|if|unless|"
    r"and)\b))"
)
_SOFT: Final = (
    r"(?:(?:please|kindly|just|simply|also|then|first|always|only|now|instead|and|so)[ ,]+){0,3}"
)
_EACH: Final = _words(
    r"\b(?:each|every|any)\s{1,9}(?:single |new |other )?(?:time|task|session|prompt|question|"
    r"answer|"
    r"reply|response|message|conversation|chat|turn|step|commit|change|edit|file|run|request|tool "
    r"call|call|morning|day|output|summary)\b",
    r"\b(?:whenever|anytime|at all times|from now on|going forward|henceforth|in (?:the "
    r")?future)\b",
    r"\b(?:start|beginning|end|outset) of (?:a|an|the|each|every|any|your|all)\b",
    r"\b(?:asked|answering|replying|responding|the task|the user (?:asks|says|wants|requests|"
    r"mentions|disagrees|types))\b|(?:每次|每个|所有|一律|总是|始终|毎回|すべて)",
    # German, Spanish, French
    r"\b(?:jede[mnrs]?|bei allen|immer wenn|künftig|ab (?:sofort|jetzt|heute)|von nun an|in "
    r"zukunft|"
    r"fortan|stets|immer|gefragt)\b",
    r"\b(?:cada|siempre|nunca|toda (?:tarea|sesión)|todas las|a partir de ahora|de ahora en "
    r"adelante|"
    r"desde ahora|te (?:pregunten|pidan|digan)|una sesión)\b",
    r"(?:\b(?:chaque|toujours|jamais|désormais|dorénavant|à partir de maintenant|à "
    r"l['\u2019]avenir|"
    r"toutes? les|une session|la session|on te (?:demande|dit))\b)",
)

_ADDRESSED: Final = _words(
    r"\byou\s{0,9}(?:['\u2019]ll|will|must|should|shall|ought|need(?:n['\u2019]t)?|have to|are to|"
    r"are (?:expected|required|allowed|permitted|free|authori[sz]ed|asked|obliged|hereby|now)|"
    r"(?:may|can|could|might) (?:\w{1,40} )?(?:skip|bypass|ignore|disable|share|merge|approve|push|"
    r"force|"
    r"delete|post|send|add|please|forget|omit|drop))\b",
    r"\byou['\u2019](?:re|ve) (?:to|expected|required|allowed|permitted|free|authori[sz]ed|"
    r"asked)\b",
    r"\byour (?:job|task|role|duty|goal|mission|first|next|answers?|repl(?:y|ies)|responses?|"
    r"instructions?|output|commits?)\b",
    r"\b(?:authori[sz]ed|allows?|allowed|permitted|instructed|asks?|asked|told|tells|expects?|"
    r"wants?|"
    r"trusts?|would like|need|requires?) (?:you|(?:ai |coding )?assistants?|the (?:assistant|"
    r"ai))\b",
    rf"\b{_AI}(?:['\u2019]s)?\b(?:\s{{1,9}}\S{{1,80}}){{0,5}}?\s{{1,9}}{_MODAL}\b",
    rf"\b{_AI}\s{{1,9}}(?:\w{{1,40}}ly\s{{1,9}})?(?:in this \w{{1,40}}\s{{1,9}}|here\s{{1,9}}|"
    rf"working here\s{{1,9}})?{_DO}\b",
    rf"\b{_AI}['\u2019]s? (?:first|next|only|main) (?:step|task|action|job|duty|answer)\b",
    r"\bthe agent (?:is (?:expected|required|to|allowed|free|supposed)|should|must|has to|needs "
    r"to|may)\b",
    rf"\b(?:to|for|dear|hey|attention|as) (?:all |any |an |the |future |other )?{_AI}(?: working "
    rf"here)?\s{{0,9}}[:,]",
    rf"\b(?:to|for) (?:all |any |an |the |future |other )?{_AI}[:,]",
    r"\bas an (?:ai|assistant|agent|llm)\b",
    r"^(?:system|developer|admin|root|assistant|operator)(?: (?:prompt|message|note|"
    r"override))?\s?[:>]",
    # German
    r"\b(?:du|ihr)\s{1,9}(?:musst|müsst|sollst|sollt|solltest|darfst|dürft|kannst|wirst|hast)\b",
    r"\b(?:musst|sollst|darfst|solltest) du\b",
    r"\b(?:assistent(?:en|in)?|ki|agent(?:en)?|sprachmodelle?|claude|"
    r"codex)\b(?:\s{1,9}\S{1,80}){0,3}?\s{1,9}"
    r"(?:soll(?:en|ten?)?|muss|müssen|darf|dürfen)\b",
    # Spanish
    r"\b(?:debes|debéis|tienes que|tenéis que|deberías|has de|se te (?:permite|pide|autoriza))\b",
    r"\b(?:puedes|podéis) (?:saltar|omitir|ignorar|borrar|desactivar|aprobar|fusionar|"
    r"enviar)\w{0,40}",
    r"\b(?:asistentes?|agentes?|la ia|codex|claude)\b(?:\s{1,9}\S{1,80}){0,3}?\s{1,9}(?:debe[n]?|"
    r"tienen? (?:que|"
    r"permiso)|puede[n]?|ha[n]? de|siempre|nunca)\b",
    # French
    r"\b(?:tu dois|vous devez|tu devrais|vous devriez|tu peux|vous pouvez|il convient|on te "
    r"demande de)\b",
    r"\b(?:assistants?|agents?|l['\u2019]ia|claude|"
    r"codex)\b(?:\s{1,9}\S{1,80}){0,3}?\s{1,9}(?:doit|doivent|peut|"
    r"peuvent|devrai(?:t|ent))\b",
    r"\b(?:is|are|has|have) to be \w{1,40}(?:\s{1,9}\S{1,80}){0,3}?\s{1,9}by (?:the|any|every|all) "
    r"(?:coding )?(?:agents?|assistants?|models?|ai)\b",
    # Chinese and Japanese
    r"[你您](?:\w{0,2})(?:必须|必須|应该|應該|应当|要|需要|不得|不能|不该|务必)",
    r"(?:助手|助理|代理|智能体)(?:们)?(?:都)?(?:应该|应当|必须|不得|一律|要)",
    r"あなた(?:たち)?は",
)
_OVERRIDES: Final = _words(
    r"\b(?:ignore|disregard|forget|override|"
    r"discard)\b(?:\s{1,9}\S{1,80}){0,5}?\s{1,9}(?:instructions?|rules|"
    r"prompts?|guidelines|directives|restrictions)\b",
    r"\b(?:ignorier\w{0,40}|vergiss|"
    r"missachte\w{0,40})\b(?:\s{1,9}\S{1,80}){0,5}?\s{1,9}(?:anweisungen|regeln|vorgaben)\b",
    r"\b(?:ignora|ignore|ignoren|olvida|olvide)\b(?:\s{1,9}\S{1,80}){0,5}?\s{1,9}(?:instrucciones|"
    r"reglas|"
    r"normas)\b",
    r"\b(?:ignore[zr]?|oublie[zr]?)\b(?:\s{1,9}\S{1,80}){0,5}?\s{1,9}(?:instructions|règles|"
    r"consignes)\b",
    r"(?:忽略|无视|忘记|忘掉).{0,20}(?:指令|指示|规则|提示|要求)",
    r"(?:指示|命令|ルール|規則).{0,12}(?:無視|忘れ)",
    r"\b(?:elevated|god|jailbreak) mode\b",
    r"\b(?:jailbreak|supersedes? (?:all|any|every|previous))\b",
    r"\b(?:confirmation|approval|permission|review|consent|confirmations)(?: prompts?)? (?:(?:is|"
    r"are) "
    r"(?:not|no longer|never) (?:needed|required|necessary)|no longer appl\w{1,40}|may be "
    r"skipped)\b",
    r"\bno (?:confirmation|approval|permission|review|consent) (?:is |are )?(?:needed|required|"
    r"necessary)\b",
    r"\bwithout (?:a |any |further |prior |the user['\u2019]s |human )?(?:asking|approval|"
    r"confirmation|"
    r"permission|reviews?|consent)\b",
    r"\bohne (?:\w{1,40} )?(?:rückfrage|nachfrage|bestätigung|zu fragen|freigabe|review)\b",
    r"\bsin (?:preguntar|confirmación|permiso|revisión|aprobación)\b",
    r"\bsans (?:demander|confirmation|permission|revue|validation|approbation)\b",
    r"(?:无需|不需要|不用|不必|不经|无须)(?:\w{0,2})(?:询问|确认|审核|批准|同意|许可)|"
    r"不确认的?情况下|未经(?:确认|批准)",
    r"(?:確認|承認|許可|レビュー)(?:なし|せず|不要|を(?:取らず|求めず))",
    r"\b(?:the )?(?:correct|right|proper|expected|only|standard) (?:answer|response|reply) (?:to|"
    r"for|is)\b",
    r"\bgets? (?:answered|a reply|this answer)\b",
    r"\bcoming from the user\b",
)
_IMPERSONAL: Final = _words(
    r"\b(?:must|should|shall|(?:is|are) to|ought to|(?:has|have|need|needs) to)\s{1,9}(?:\w{1,40} "
    r")?"
    r"(?:be )?(?:approved|skipped|ignored|merged|pushed|sent|forwarded|uploaded|posted|shared|"
    r"disabled|bypassed|deleted|committed|published|trusted|disclosed|mirrored|answered|treated|"
    r"turned off|switched off|included in (?:every|each|all)|mentioned|used instead)\b",
    r"\bit(?:['\u2019]s| is) (?:\w{1,40} )?(?:important|essential|required|mandatory|vital|crucial|"
    r"imperative|expected|advised|ok|okay|fine|allowed|permitted|forbidden|prohibited) (?:that|to|"
    r"for)\b",
    r"\b(?:responses?|repl(?:y|ies)|answers?|outputs?|commits?|commit messages?|pull requests?|"
    r"prs?)\s{1,9}"
    r"(?:must|shall|should|have to|need to|are to)\b",
    r"[,;]\s{0,9}(?:so|then|therefore|thus|hence|please)\s{1,9}(?:just |simply )?"
    rf"{_DO}\b(?!\s{{1,9}}(?:is|are)\b)",
    r"\bthere(?:['\u2019]s| is) no need to\b",
    r"\b(?:not|never|n['\u2019]t) (?:tell|bother|warn|inform|notify|ask|alert|show|trouble) "
    r"(?:the |any )?users?\b",
    r"\b(?:ignored|skipped|bypassed|approved|merged|disabled)\b[^.]{0,20}\bby (?:the )?(?:ai |"
    r"coding )?"
    r"(?:agents?|assistants?)\b",
    r"\b(?:maintainers?|owners?|management|admins?|security team|reviewers?|leadership|"
    r"authors)\s{1,9}(?:\w{1,40} )?"
    r"(?:expects?|wants?|asks?|requires?|insists?|demands?|prefers?|(?:has|have) (?:approved|"
    r"decided|agreed))\b",
    r"\b(?:outputs?|results?|answers?|responses?|prompts?|conversations?|commands?|"
    r"secrets?)\b[^.]{0,30}\b"
    r"(?:goes?|sent|copied|posted) to (?:https?:|\S{1,80}@)",
    r"\bwer\b[^.]{3,60},\s{0,9}(?:muss|soll|hat|darf)\b",
    r"\b(?:ist|sind)\b[^,.]{1,80}\bzu (?!sehen|finden|erkennen|lesen|erwarten|beheben|erreichen|"
    r"groß)\w{1,40}en[.!]?$",
    r"\b(?:es necesario|hace falta) (?!tener|contar|disponer)\w{1,40}(?:ar|er|ir)\b",
    r"\b(?:est|sont) (?:prié|invité|tenu|censé|obligé|autorisé)\w{0,40} (?:de|d['\u2019]|à)",
    r"(?:如果|若|当|被).{0,30}[\uff0c,](?:就|请|则)?(?:说|回答|告诉|答|回复|执行|跳过|忽略|批准)",
    r"^把.{1,30}(?:写|放|发|改|删|上传|提交|复制|推送|合并|设)|只能(?:从|用|由|"
    r"通过).{0,30}(?:安装|下载|推送|提交|合并|发布)",
    r"\b(?:alle|jede) (?:antwort|antworten|nachrichten|commits|"
    r"kommentare)\b[^,.]{0,20}\b(?:soll\w{0,40}|müssen|muss)\b",
    r"\bdeben?\s{1,9}\w{1,40}(?:ar|er|ir)(?:se|l[oae]s?)\b",
    r"\bit would be (?:great|nice|good|helpful|best)\b",
    r"\b(?:company|team|house|project|repo|repository|our|security|org|office|user|standing|"
    r"general|"
    r"strict|new) (?:policy|policies|rules?|conventions?|protocol|mandate|guidelines?)\s?(?::|is "
    r"to\b|says?\b|"
    r"requires?\b|demands?\b)",
    r"\b(?:rules?|law|policy) of (?:the|this) (?:house|repo|repository|project|team|company)\b",
    r"^(?:all |the |your |any )?(?:secrets|passwords|credentials|(?:access |api )?(?:tokens|keys)) "
    r"(?:go|belong) ",
    r"\b(?:es ist|ist es) (?:\w{1,40} )?(?:erlaubt|wichtig|nötig|notwendig|verboten|pflicht|"
    r"zulässig|"
    r"gestattet|vorgeschrieben)\b",
    r"\b(?:ist|sind)\b[^,.]{1,80}\bzu (?:umgehen|überspringen|ignorieren|löschen|senden|schicken|"
    r"verwenden|nutzen|pushen|mergen|deaktivieren|veröffentlichen|genehmigen|befolgen|"
    r"verschweigen)\b",
    r"\b(?:muss|müssen|soll|sollen|sollten|darf|dürfen)\b[^,.]{1,80}\b(?:gesendet|geschickt|"
    r"gepusht|gemergt|"
    r"übersprungen|ignoriert|deaktiviert|abgeschaltet|gelöscht|hochgeladen|weitergeleitet|"
    r"veröffentlicht|genehmigt|committet|ausgegeben|verwendet|benutzt|genutzt|geteilt|ausgeben)\b",
    r"\b(?:es (?:obligatorio|importante|imprescindible|preciso)|está (?:permitido|prohibido)|hay "
    r"que|"
    r"se (?:debe|deben|permite|prohíbe|ruega))\b",
    r"\b(?:deben?|deberán?|tienen? que|ha[n]? de)\s{1,9}(?:\w{1,40} )?(?:subir|enviar|ignorar|"
    r"omitir|"
    r"aprobar|"
    r"fusionar|borrar|eliminar|desactivar|usar|publicar|copiar|compartir|saltar)(?:se|la|lo)?\b",
    r"\b(?:deben?|deberán?)\s{1,9}ser\s{1,9}(?:subid|enviad|ignorad|omitid|aprobad|fusionad|borrad|"
    r"eliminad|"
    r"desactivad|publicad)\w{1,40}",
    r"\bil faut (?:toujours |d['\u2019]abord |le |la |les |l['\u2019])?\w{1,40}(?:er|ir|re)\b",
    r"\bil est (?:\w{1,40} )?(?:obligatoire|important|interdit|permis|impératif|autorisé|"
    r"essentiel)\b",
    r"\b(?:doit|doivent|devra|devront|devrai(?:t|ent))\s{1,9}(?:\w{1,40} )?être\s{1,9}(?:poussé|"
    r"envoyé|ignoré|"
    r"supprimé|fusionné|approuvé|désactivé|publié|copié|utilisé|transmis|partagé)\w{0,40}",
    r"(?:所有|全部|一切|任何|每个|每次|每当).{0,30}(?:都要|必须|都必须|应当|应该|都应|务必)",
    r"(?:允许|准许)(?:代理|助手|你|您|不确认|直接|跳过|绕过)",
    r"^(?:从现在起|从现在开始|今后|以后|从此)",
    r"^(?:今後は|これからは|以後は)",
)
_POLITE: Final = _words(
    rf"^{_SOFT}(?:please|kindly)\b",
    rf"^{_SOFT}(?:feel free to|make sure|be sure|remember to|(?:don['\u2019]?t|do not|never) "
    rf"(?:forget|hesitate|\w{{1,40}})\b|never\b|always {_DO}|consider \w{{1,40}}|see to it|take "
    rf"care to|be "
    rf"careful to|"
    r"i(?:['\u2019]d| would) like you to|we (?:kindly )?(?:ask|request|invite|urge)\b|do as\b|let "
    r"it be|"
    r"under no circumstances|no need to)",
    r"^(?:bitte|vergiss nicht|denk(?:e|t)? (?:daran|dran)|stell(?:e|t)? sicher|sorge? dafür|achte "
    r"darauf|"
    r"scheu\w{0,40} dich nicht|niemals?|merk dir)\b|,\s?bitte\b",
    r"^(?:pon|haz|di|ten|deja|mete)\b|^(?:por favor|asegúr[ae]\w{1,40}|recuerda|recuerde|no "
    r"olvid\w{1,40}|acuérd\w{1,40}|procura|ten en cuenta "
    r"que debes|"
    r"se ruega|no (?:l[eoa]s? |se |me )?\w{1,40}(?:as|es|áis|éis)\b)",
    r"^(?:merci d(?:e |['\u2019])|veuillez|prière de|assure[sz]?-(?:toi|vous)|n['\u2019](?:oublie|"
    r"hésite)\w{0,40} "
    r"pas|pense[sz]? à|veille[sz]? à|s['\u2019]il (?:te|vous) plaît|ne \w{1,40} (?:pas|jamais|"
    r"plus)\b)",
    r"^(?:请|請|确保|務必|务必|记得|記得|别忘|不要|不得|切勿|禁止|严禁|别)|请(?!求|假|教)",
    r"(?:ください|下さい|なさい|こと|べき(?:です|だ|である)?|必要が(?:ある|あります)|ねばならない|"
    r"なければ(?:ならない|なりません)|(?:て|で)はいけ(?:ない|ません)|[るすくうむぐつぶ]な|せよ|"
    r"しろ|従え|使え|やれ|送れ|進め|書け|消せ|"
    r"お願いします|頼みます|[てで]も?(?:いい|よい|良い)(?:です)?|ましょう|"
    r"ように(?:する)?)[」』)\uff09]?[.!\s]{0,9}$",
)
_DE: Final = (
    r"(?:(?:führe|ignoriere|schicke|sende|antworte|lösche|verwende|nutze|benutze|lade|befolge|"
    r"überspringe|deaktiviere|schalte|pushe)(?:n sie)?|schick|lösch|push|"
    r"merge|gib|nenne|melde|erstelle|ändere|setze|öffne|besuche|entferne|verweise|sag(?:e)?|"
    r"verrate|erwähne|kopiere|leite|poste|speichere|schreib(?:e)?|lies|"
    r"ruf(?:e)?|"
    r"starte|installiere|vertraue|genehmige|umgehe|frag(?:e)?|nimm|beginne|füge?|hänge?|tu|"
    r"behandle)"
)
_ES: Final = (
    r"(?:ejecut[ae]n?|ignor[ae]n?|muestr[ae]n?|respond[ea]n?|contest[ae]n?|enví[ae]n?|borr[ae]n?|"
    r"elimin[ae]n?|"
    r"us[ae]n?|utili[cz][ae]n?|sub[ea]n?|descarg\w{1,40}|sig[ua]e?n?|omit[ea]n?|desactiv[ae]n?|"
    r"aprueb[ae]n?|"
    r"fusion[ae]n?|copi[ae]n?|añad[ea]n?|agreg\w{1,40}|haz|di|escrib[ea]n?|le[ea]n?|llam[ae]n?|"
    r"instal[ae]n?|"
    r"public\w{1,40}|reenví[ae]n?|guard[ae]n?|pregunt[ae]n?|trat[ae]n?)(?:l[oae]s?|me)?"
)
_ES_LINKED: Final = (
    r"(?:bórra|elimína|ejecúta|envía|úsa|súbe|sígue|descárga|ignóra|apruéba|cópia|léa)"
    r"(?:l[oae]s?|me)"
)
_FR: Final = (
    r"(?:exécute|lance|ignore|affiche|réponds|envoie|supprime|utilise|pousse|télécharge|suis|"
    r"saute|désactive|"
    r"approuve|fusionne|copie|ajoute|fais|dis|écris|lis|appelle|installe|publie|transmets|garde|"
    r"demande|"
    r"traite|mets|commence|arrête|joins|partage|(?!chez\b|assez\b|nez\b|rez\b)\w{3,15}ez)"
)
_ZH: Final = (
    r"(?:运行|执行|发送|上传|下载|推送|提交|合并|删除|跳过|关闭|回答|回复|告诉|读取|遵守|照做|"
    r"打开|添加|输出|安装|调用|"
    r"使用|发布|复制|转发|批准|绕过)"
)
_ORDERED: Final = _words(
    rf"^{_SOFT}(?P<verb>{_DO}){_OBJECT}",
    rf"^{_DE}\b",
    rf"^(?:{_ES}|{_ES_LINKED})\b",
    rf"^{_FR}\b",
    rf"^{_ZH}",
)
# In these languages nothing but an order begins so.
_IMPERATIVE: Final = _words(
    rf"^{_SOFT}(?P<verb>{_DO}){_OBJECT}",
    rf"^{_DE}\b(?! (?:ist|wird|hat|sind)\b)",
    rf"^{_FR}\b",
)
_WHEN: Final = _words(
    rf"^(?:when(?:ever)?|if|before|after|prior to|at the (?:start|beginning|end) of|on|upon|once|"
    rf"as soon as|"
    rf"(?:each|every|any) time|in (?:each|every|any|all)|for (?:each|every|any|all)|with (?:each|"
    rf"every)|"
    rf"first thing|until|unless|while|during|"
    rf"as)\b[^,:]{{1,160}}[,:]\s{{0,9}}{_SOFT}(?P<verb>{_DO})\b(?!\s{{1,9}}(?:is|are|was)\b)",
    rf"^should\b[^,:]{{1,160}},\s{{0,9}}{_SOFT}{_DO}\b",
    rf"^(?:wenn|falls|sobald|bevor|ehe|nachdem|jedes mal|immer wenn|bei|vor|nach|zu beginn|am "
    rf"anfang|ab)\b"
    rf"[^,:]{{1,160}}[,:]?\s{{1,9}}(?:dann |so |bitte )?{_DE}\b",
    rf"^(?:cuando|si|cada vez que|siempre que|antes de|después de|tras|al|en cada|en cuanto|a "
    rf"partir de|"
    rf"desde)\b[^,:]{{1,160}}[,:]\s{{0,9}}(?:por favor,? )?(?:{_ES}|{_ES_LINKED})\b",
    rf"^(?:quand|lorsque?|dès que|chaque fois que|avant|après|à chaque|au début|à partir de|"
    rf"désormais|"
    rf"dorénavant|si)\b[^,:]{{1,160}}[,:]\s{{0,9}}{_FR}\b",
    rf"(?:每次|每当|会话|对话|任务|用户(?:询问|问|要求)|被问).{{0,40}}(?:时|前|后|开始|之前|之后|"
    rf"的时候|就|\uff0c|"
    rf",).{{0,12}}?{_ZH}",
)
_DESCRIBED: Final = _words(
    r"\b(?:is|are|was|were)\b",
    r"\b(?:the|a|an|our|ci|\w{1,40}file|script|job|hook|image)\b[^.]{0,80}\b(?:runs?|uses?|calls?|"
    r"blocks?|"
    r"blocked|removes?|needs?|requires?|contains?|is|are)\b",
)
_HOW_TO: Final = _words(
    r"^(?:run|use|set|restart|install|check|generate|start|open|build|call|execute|create|update|"
    r"reset|"
    r"load|read|import|export|see|add|push|delete|remove|deploy|pull|clone|log|list|get|find|"
    r"fetch)$"
)
_COMMANDS: Final = _words(
    r"\b(?:curl|wget|fetch)\b[^|\n]{0,300}\|\s{0,9}(?:sudo\s{1,9})?(?:ba|z|da|fi)?sh\b",
    r"\b(?:curl|wget)\b[^|\n]{0,300}\|\s{0,9}(?:python|perl|ruby|node)",
    r"\b(?:ba)?sh\s{1,9}<\(\s{0,9}(?:curl|wget)|\beval\s{1,9}[\"']?\$\(\s{0,9}(?:curl|wget)|"
    r"base64\s{1,9}(?:-d|"
    r"--decode)[^|\n]{0,80}\|",
)
_RISKY: Final = _words(
    r"\brm\s{1,9}-[rf]{2}|--no-verify\b|\bchmod\s{1,9}(?:-R\s{1,9})?777\b|\bsudo\s{1,9}\S|"
    r"--dangerously\S{0,80}|"
    r"--insecure\b",
    r"\bforce[- ]push(?:es|ing)?\b|\bpush\s{1,9}(?:-f\b|--force\b)|StrictHostKeyChecking[= ]no|"
    r"TLS_REJECT_UNAUTHORIZED",
)
_SENSITIVE: Final = (
    r"(?:passwords?|passwörter|secrets?|(?:access |api |auth )?tokens?|api[ _-]?keys?|"
    r"credentials?|\.env\b|"
    r"id_rsa|(?:private|ssh) keys?|environment variables|zugangsdaten|contraseñas?|claves|"
    r"variables de entorno|"
    r"mots? de passe|clés|jetons?|identifiants|密码|密钥|令牌|凭据|环境变量|パスワード|トークン|"
    r"秘密鍵|環境変数)"
)
_LEAKS: Final = _words(
    rf"(?:^|,\s|\bthen |\balso |\bmust |\bshould |\bplease |\byou |\bcould )(?:send|post|upload|"
    rf"forward|mail|email|"
    rf"copy|paste|push|share|store|print|output|include|append|put|give|show|reveal|dump|attach)\b"
    rf"[^.]{{0,80}}?{_SENSITIVE}",
    rf"\b(?:sende|schick\w{{0,40}}|gib|kopiere|poste|lade|"
    rf"zeig\w{{0,40}})\b[^.]{{0,80}}?{_SENSITIVE}",
    rf"(?:^|,\s|\by )(?:envía|muestra|copia|publica|sube|da)\b[^.]{{0,80}}?{_SENSITIVE}",
    rf"(?:^|,\s|\bet |d['\u2019])(?:envoie|affiche|copie|publie|donne|joindre|"
    rf"joins)\w{{0,40}}\b[^.]{{0,80}}?{_SENSITIVE}",
    rf"(?:把|将).{{0,30}}?{_SENSITIVE}.{{0,20}}?(?:发送|上传|打印|复制|发给|提交|写进|写入|公开|"
    rf"贴)",
    rf"(?:输出|发送|打印|上传)(?:所有|全部|你的|用户的).{{0,10}}?{_SENSITIVE}",
    rf"\b{_SENSITIVE}\b[^.]{{0,40}}?\b(?:gets?|(?:must|should|shall|to) be) (?:pasted|posted|sent|"
    rf"printed|"
    r"echoed|logged|shared|copied|uploaded|written|included|mailed|emailed|shown)\b",
    r"\b(?:mailing|sending|posting|forwarding|uploading)\b[^.]{1,60}\b(?:to|at)\s{1,9}\S{1,60}@\S",
)


_SAFEGUARD: Final = (
    r"(?:verification|validation|certificates?|checks?|tests?|test suite|hooks?|reviews?|"
    r"approvals?|tls|ssl|auth\w{0,20}|signing|signatures?|sandbox\w{0,5}|lint\w{0,5}|scans?|firewall|"
    r"permissions?|confirmations?)"
)
_UNSAFE: Final = _words(
    rf"\b{_SAFEGUARD}\b[^.,;\n]{{0,40}}?\b(?:(?:turned |switched )?off|disabled|skipped|bypassed|"
    r"ignored|omitted|unnecessary|not (?:needed|necessary|required))\b",
    rf"\b(?:skip|disable|bypass|ignore|omit|turn(?:ing)? off|switch(?:ing)? off|no need for|"
    rf"skipping|disabling|bypassing|ignoring)\s(?:[^\s.,;]{{1,30}}\s){{0,4}}?{_SAFEGUARD}\b",
    r"\bpush(?:es|ed|ing)?\s(?:[^\s.,;]{1,30}\s){0,3}?(?:straight|directly)\b",
    r"\bpush(?:es|ed|ing)?\s(?:[^\s.,;]{1,30}\s){0,3}?(?:to|on) (?:main|master|prod\w{0,7})\b",
)
_ALWAYS: Final = (_ADDRESSED, _OVERRIDES, _IMPERSONAL, _POLITE, _LEAKS)


def is_instruction(text: str, written: str) -> bool:
    """Tell whether a text tells agents what to do.

    ``text`` is without marks around its words, ``written`` with the marks of code.
    """
    return _tells(text, written, may_order_work=False)


def is_standing_instruction(text: str, written: str) -> bool:
    """Tell whether a text tells agents what to do, beyond a piece of work ("Rename the module").

    What weakens a safeguard is no such work: "skip the tests", "TLS verification off".
    """
    return bool(_UNSAFE.search(text)) or _tells(text, written, may_order_work=True)


def _tells(text: str, written: str, *, may_order_work: bool) -> bool:
    if _COMMANDS.search(text) or (_RISKY.search(text) and not _DESCRIBED.search(text)):
        return True
    commands = _commands_in(written)
    return any(
        _instructs(
            each,
            any(one in each for one in commands) or bool(_RUNNER.search(each)),
            may_order_work=may_order_work,
        )
        for each in _sentences(text)
    )


def _commands_in(written: str) -> list[str]:
    """Return the distinct commands between marks of code, as many as a note may show."""
    spans = dict.fromkeys(each[1] for each in islice(_SPAN.finditer(written), _MAX_SPANS))
    return [each for each in spans if _COMMAND.match(each)]


def _sentences(text: str) -> list[str]:
    """Return the parts of a text that may stand alone, also without a label before them."""
    found: list[str] = []
    for each in _END.split(text):
        sentence = each.strip()
        if sentence:
            label = _LABEL.match(sentence[:_MAX_SENTENCE])
            found += _windows(sentence[label.end() :] if label else sentence)
    # A label in front may be what makes a line an instruction: "Company policy: …".
    found += [line.strip()[:_MAX_SENTENCE] for line in text.splitlines() if ":" in line]
    return found


def _windows(sentence: str) -> Iterator[str]:
    """Yield a sentence, or of a long one parts that overlap."""
    for start in range(0, max(1, len(sentence) - _OVERLAP), _MAX_SENTENCE - _OVERLAP):
        yield sentence[start : start + _MAX_SENTENCE]


def _instructs(sentence: str, has_command: bool, *, may_order_work: bool) -> bool:  # noqa: FBT001 - private
    if any(each.search(sentence) for each in _ALWAYS):
        return True
    holds_always = _EACH.search(sentence) is not None
    if may_order_work and not holds_always:
        return False
    order = _WHEN.search(sentence) or _IMPERATIVE.match(sentence)
    if order is not None:
        verb = order.groupdict().get("verb")
        shows_how = has_command and (verb is None or _HOW_TO.match(verb) is not None)
        return holds_always or not shows_how
    return holds_always and _ORDERED.match(sentence) is not None

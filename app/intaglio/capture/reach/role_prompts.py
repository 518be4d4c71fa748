"""Recognizes prompts that bind one run only: roles given to an agent, and orders to a job.

"You are a code reviewer in CI. Never approve changes without tests." is a rule for that reviewer,
not for the repository. A program writes such prompts for `claude -p`, and people type them, too.
Which interface sent a prompt doesn't decide: people use ones that look like a program.
"""

import re
from typing import Final

_READ_CHARS: Final = 4_000
# A role is assigned at the beginning; later on, "you are the reviewer" is part of a conversation.
_BEGINNING_CHARS: Final = 600

_ROLE_NOUNS: Final = (
    r"(?:assistant|agent|subagent|bot|robot|chatbot|copilot|persona|ai|llm|model|system|tool|"
    r"script|job|process|pipeline|service|worker|program|machine|runner|daemon|"
    r"engineer|developer|programmer|coder|architect|reviewer|tester|generator|writer|editor|"
    r"author|expert|specialist|analyst|auditor|translator|localizer|summari[sz]er|classifier|"
    r"planner|researcher|scientist|administrator|admin|operator|maintainer|consultant|critic|"
    r"judge|mentor|teacher|tutor|coach|manager|designer|linter|checker|validator|verifier|"
    r"inspector|scanner|monitor|moderator|helper|coordinator|orchestrator|supervisor|triager|"
    r"evaluator|grader|rater|scorer|extractor|parser|converter|formatter|labell?er|annotator|"
    r"librarian|investigator|advisor|strategist|technician|pentester|committer|"
    r"dba|sre|devops|hacker|genius|guru|veteran|master|professional|lead)"
)
_ROLES: Final = re.compile(
    # "You are a strict, very experienced code reviewer": the noun is one of the next words.
    rf"\b(?:you are|you're|you will be|act as|acting as|behave as|pretend to be|take the role of|"
    rf"play the role of|assume the role of|imagine you are|working as|i want you to act as)"
    rf"(?: (?:now|currently|going to be|acting as|working as|called|named|known as)){{0,2}} "
    rf"(?:[^\W_][\w'’/&+.-]{{0,30}},? ){{0,9}}[\w-]{{0,20}}{_ROLE_NOUNS}s?\b"
    rf"|\b(?:your|the) (?:role|job|persona|sole purpose|only purpose|only task|only job|mission)"
    rf" (?:is|here is|will be|today is)\b"
    r"|\byour (?:role|job|task|mission|goal|objective): "
    rf"|\bas (?:an?|the) (?:[^\W_][\w-]{{0,30}} ){{0,4}}{_ROLE_NOUNS}, (?:you|your)\b"
    # German, Spanish and French leave the article out: "Du bist Code-Reviewer."
    r"|\b(?:du bist|sie sind|eres|tu es|vous êtes)(?: jetzt| nun| ahora| maintenant)? "
    r"(?:[^\W_][\w-]{0,20} ){0,2}[\w-]{0,20}(?:reviewer|entwickler|assistent|experte|expertin|"
    r"prüfer|tester|bot|agent|manager|redakteur|übersetzer|revisor|desarrollador|asistente|"
    r"experto|agente|relecteur|développeur|assistant|expert|testeur)(?:in|a|e)?\b"
    # German
    r"|\b(?:du bist|sie sind|agiere als|handle als|verhalte dich wie|spiel(?:e|en)? die rolle)"
    r" (?:jetzt |nun |hier )?(?:ein|eine|einer|eines|der|die|das|unser|unsere)\b"
    r" (?!(?:bisschen|wenig|beste|bester|held|schatz|gute|guter)\b)"
    r"|\bdeine (?:rolle|aufgabe|einzige aufgabe) (?:ist|besteht)\b"
    # Spanish
    r"|\b(?:eres|actúa como|actua como|compórtate como|haz de)"
    r" (?:un|una|el|la|nuestro|nuestra)\b (?!(?:poco|genio|crack|sol)\b)"
    r"|\btu (?:rol|papel|tarea|única tarea|misión) (?:es|consiste)\b"
    # French
    r"|\b(?:tu es|vous êtes|agis comme|agissez comme|comporte-toi comme|joue le rôle d)"
    r"(?:e| )(?:un|une|le|la|l'|notre)\b (?!(?:peu|ange|génie|amour)\b)"
    r"|\b(?:ton|votre) (?:rôle|travail|unique tâche|mission) (?:est|consiste)\b"
    # Chinese and Japanese
    r"|(?:你是|你现在是|您是|作为|扮演|充当)(?:一个|一名|一位|一款|名|位|个)?"
    r"[^，。,.！!\n]{0,16}(?:助手|助理|专家|工程师|机器人|审查员|评审|审核员|翻译|分析师|架构师|顾问|编辑|"
    r"测试员|开发者|生成器|程序员|代理|智能体|模型)"
    r"|(?:你的|您的)(?:角色|任务|职责|工作)(?:是|为)"
    r"|あなたは[^。\n]{0,24}(?:アシスタント|エージェント|専門家|エンジニア|レビュアー|レビューア|ボット|"
    r"翻訳者|アナリスト|アーキテクト|開発者|ジェネレーター|プログラマー|編集者|テスター)"
    r"|あなたの(?:役割|仕事|任務|タスク)は",
    re.IGNORECASE,
)
# At the start of a sentence: what a job or an endpoint of the project does is said later in one.
_START: Final = r"(?:^|[.!?:;,\n] {0,2}|[-*] )"
_JOBS: Final = re.compile(
    # A prompt that begins with the job's name. "The nightly job must …" is about the project.
    r"\A\W{0,4}(?:\w{1,12}: )?(?:nightly|hourly|daily|weekly|monthly|scheduled|automated|"
    r"unattended|cron|headless|batch|background|pre-?commit|post-?merge|release|ci|ci/cd)"
    r" (?:[\w-]{1,20} ){0,2}(?:job|run|task|check|review|build|pipeline|report|maintenance|"
    r"workflow|process|script|hook|audit|scan|sweep|triage|session)\b"
    r"|\b(?:this is|it is|it's) an? (?:automated|automatic|unattended|scheduled|non-?interactive|"
    r"nightly|headless|cron)\b"
    r"|\brunning (?:in ci|in (?:a|the) (?:ci|pipeline|container|sandbox|github action)|headless|"
    r"unattended|as a (?:cron|github action|scheduled|ci)|non-?interactively)\b"
    r"|\bwithout (?:any |a )?(?:human|user) (?:intervention|interaction|input|supervision)\b"
    r"|\b(?:nobody|no one|no human|no user|no person) (?:is |will )?(?:be )?(?:here|there|present|"
    r"available|watching|answer|reply|respond|read)\b"
    r"|\A\W{0,4}(?:nächtlicher?|automatischer?|geplanter?) (?:job|lauf|aufgabe|prüfung|bericht)\b"
    r"|\A\W{0,4}(?:tarea|trabajo|ejecución|revisión) (?:nocturn[ao]|programad[ao]|automátic[ao])\b"
    r"|\A\W{0,4}(?:tâche|exécution|revue|vérification) (?:nocturne|planifiée|automatique)\b"
    r"|\A\W{0,4}(?:夜间|定时|自动化?|每日|每晚)(?:任务|作业|构建|检查|审查|流水线)"
    r"|\A\W{0,4}(?:夜間|定期|自動|毎晩の?|毎日の?)(?:ジョブ|タスク|実行|レビュー|チェック|ビルド)",
    re.IGNORECASE,
)
_NO_QUESTIONS: Final = re.compile(
    rf"{_START}(?:and |but |please )?(?:do not|don't|never|you must not)"
    r" (?:ask(?: me| the user| for| any| anyone| clarifying| follow-?up)?|wait for|request)"
    r"(?: any| further| user| human| the)? (?:questions?|clarifications?|confirmations?|approvals?|"
    r"input|permissions?|feedback)\b"
    r"|\bask no questions\b"
    r"|\b(?:stell(?:e|en)?|frag(?:e|en)?) (?:keine|nicht)(?: (?:rück)?fragen| nach)\b"
    r"|\bkeine rückfragen\b|\bno (?:hagas|haga|pidas) (?:preguntas|confirmación|aclaraciones)\b"
    r"|\bne (?:pose|posez|demande|demandez) (?:pas|aucune)(?: de)? (?:question|confirmation)s?\b"
    r"|不要(?:提问|询问|问问题|等待确认)|(?:質問|確認)(?:は)?(?:しないで|せずに|不要)",
    re.IGNORECASE,
)
_OUTPUT: Final = re.compile(
    rf"{_START}(?:(?:and|then|please|always|only|strictly|you must|you should) ){{0,2}}"
    r"(?:respond|reply|answer|return|output|print|emit|produce)"
    r"(?: (?:only|always|strictly|just|exactly|back|me|with|in|as|using|a|an|the|one|single|valid|"
    r"raw|plain|pure|following|your|result|results|final)){1,7}"
    r" (?:json|yaml|xml|csv|markdown|html|line|sentence|word|number|diff|patch|code block|"
    r"commit message|message|text|format|object|array|list|table|verdict|yes or no)\b"
    rf"|{_START}(?:respond|reply|answer|return|output|print) (?:in |with |as )?(?:json|yaml|xml|"
    r"csv|markdown|html)\b"
    r"|\b(?:only output|output only|print only|return only|respond only|reply only)\b"
    r"|\b(?:(?:and )?nothing else|no (?:explanations?|preamble|prose|commentary|other text))\."
    r"|\b(?:gib|antworte|antworten sie|liefere)(?: [\w-]{1,15}){0,3} (?:nur|ausschließlich)\b"
    r"|\b(?:responde|devuelve|contesta) (?:solo|sólo|únicamente|siempre en)\b"
    r"|\b(?:réponds|répondez|renvoie|retourne) (?:uniquement|seulement|toujours en)\b"
    r"|(?:只|仅)(?:输出|返回|回答|回复)|(?:のみ|だけ)(?:を)?(?:出力|返|回答)",
    re.IGNORECASE,
)
# Prompts that a program assembles have sections, tags and placeholders.
_TEMPLATE: Final = re.compile(
    r"^#{1,4} {1,3}(?:role|persona|task|instructions?|rules|context|output|output format|"
    r"constraints|objective|goal|guidelines|steps|input|your (?:task|role|job))\b"
    r"|</?(?:instructions?|task|context|rules|role|system|diff|document|input|output_format|"
    r"output|constraints|examples?|persona|guidelines|pull_request|issue)>"
    r"|\{\{ ?\w{1,40} ?\}\}|\$\{\{"
    r"|^(?:task|role|goal|objective|system|instructions?|mission|input):(?= |$)"
    r"|\b(?:review|summari[sz]e|analy[sz]e|classify|translate|triage|check|grade|evaluate|"
    r"describe|label|fix) (?:the |this |these )?(?:staged |attached |given |following |open |"
    r"above |below )?(?:pr|pull request|merge request|mr|diff|patch|changeset|issue|ticket|"
    r"commits?|alert|log) ?(?:#|no\.? ?)?\d"
    rf"|{_START}(?:review|summari[sz]e|analy[sz]e|classify|triage|check|grade|inspect|audit)"
    r" (?:the|this|these|all|every|each|my) (?:[\w-]{1,15} ){0,2}(?:prs?|pull requests?|merge "
    r"requests?|diffs?|patch|changes|changeset|commits?|branch|issues?|tickets?|alerts?|logs?)\b"
    rf"|{_START}(?:run|execute) (?:the|all) (?:[\w-]{{1,15}} ){{0,2}}(?:tests?|suite|linters?|"
    r"build|checks?) and (?:report|print|output|exit|return|write|post)\b"
    r"|\b(?:the|this|these) (?:staged|following|attached) (?:diff|patch|changes|changeset|"
    r"pull request|commits?)\b",
    re.IGNORECASE | re.MULTILINE,
)


# A person who states something for the project speaks of themselves.
_PERSON: Final = re.compile(
    r"\b(?:i|i'm|i'd|i'll|i've|me|my|mine|we|we're|we'd|we'll|we've|us|our|ours|let's|"
    r"ich|mir|mich|mein\w{0,2}|wir|uns|unser\w{0,2}|yo|me|mi|mis|nosotr[oa]s|nuestr[oa]s?|"
    r"usamos|vamos|hemos|je|j'|moi|mon|ma|mes|nous|notre|nos)\b|[我俺私僕]|咱|うち|自分",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"[.!?\n](?:\s|\Z)|[。！？]")
_SEVERAL: Final = 2


def is_impersonal_order(text: str) -> bool:
    """Whether a prompt has several sentences and none of them speaks of a person.

    Programs write so. Of a person's prompt through the same interface, only this one is in doubt.
    """
    read = text[:_READ_CHARS].strip().replace("’", "'")
    return len(_SENTENCE_END.findall(read)) >= _SEVERAL and not _PERSON.search(read)


def binds_run_only(text: str, *, from_program: bool) -> bool:
    """Whether what a prompt says holds for its run, not for the project.

    ``from_program`` is set if it came through an interface for programs. Then the forms that
    programs use count, too: jobs, output formats, templates, and orders not to ask.
    """
    read = text[:_READ_CHARS].replace("’", "'")
    if _ROLES.search(read[:_BEGINNING_CHARS]):
        return True
    if not from_program:
        return False
    return any(form.search(read) for form in (_JOBS, _NO_QUESTIONS, _OUTPUT, _TEMPLATE))

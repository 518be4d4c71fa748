"""Finds the lines of a message that are the user's own: not pasted, quoted, logged or code.

What is between tags or fences, quoted lines, code and output are left out for certain. Paragraphs
that look like a document pasted without any mark get a score (see `Block`). Every pattern takes
time linear in the message.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from intaglio.capture.citations import cites, names_source
from intaglio.capture.message_parts import outside_fences, outside_tags
from intaglio.capture.values import Block
from intaglio.language.tokens import count_cjk

_ITEM: Final = re.compile(r"\s*(?:[-*+•‣◦・]|\d{1,3}[.)、]|[a-z]\)|\(\d{1,2}\)|\[[ xX]\])\s+")
_HEADING: Final = re.compile(r"\s{0,3}(?:#{1,6}\s+\S|[=\-_*]{4,}\s*$|\*\*[^*\n]{2,60}\*\*:?\s*$)")
_LOG: Final = re.compile(
    r"\s*(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\d{1,3}(?:\.\d{1,3}){3}\s|"
    r"\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|NOTICE|CRITICAL)\b[\]: |]|"
    r"at \S+[(:]|File \"|Traceback|[$#>%\u276f] \S|[+-]{3} |@@ |\||"
    r"[\w.]{1,80}(?:Error|Exception|Warning):|"
    r"(?:error|fatal|npm (?:ERR!|WARN)|debug)(?:\[\w{1,20}\]| TS\d+)?:|"
    r"(?:warning|note|hint|help|info)(?:\[\w{1,20}\]| TS\d+):|"
    r"(?:PASS|FAIL|FAILED|SKIP|not ok)\s\S|OK(?:\s\(\d|\s{0,9}$)|"
    r"ok(?:\s\d{1,6} - |\s{1,9}(?=\S{0,200}[/.])\S{1,200}\s+[\d(])|"
    r"[\u2713\u2714\u2717\u2718\u2022\u00d7] |"
    r"={3,}|-{5,}|\+{3,}|\d+ (?:passed|failed|errors?|warnings?)\b|"
    r"\S{1,200}:\d+(?::\d+[: ]|:)|"
    r"(?:diff --git|index [0-9a-f]{6,}|commit [0-9a-f]{7,}|Author:|Date:))"
)
_CODE: Final = re.compile(
    r"(?:[;{}]|=>|\)\s?:|,\s?\\)\s{0,20}$"
    r"|^\s{0,40}(?:(?:async\s)?def|const|var|function|fn|func|elif|@\w+)\b[^\n]{0,200}[=({:;]\s{0,5}"
    r"(?:$|[\"'\[{(\d])"
    r"|^\s{0,40}(?:class|import|from|let|return|export|public|private|type|interface|if|for|while|"
    r"try|except|with)\b[^\n]{0,200}[=({:;]\s{0,5}$|"
    r"^\s{0,40}[\w.\[\]\"']{1,60}\s?(?:=|:=|\+=)\s?[\"'\[{(\d]|"
    r"^\s{0,40}(?:\$ |SELECT |INSERT |UPDATE |CREATE TABLE |ALTER TABLE |DELETE FROM )"
)
_MARKUP: Final = re.compile(r"\s{0,40}</?\w[^<>]{0,400}>")
_MIN_SPOKEN_WORDS: Final = 3
_MIN_SPOKEN_CJK: Final = 5
# What output and code have in common with sentences: "note: …", "localhost:80 …", "for x in (1, …".
_MAYBE_FOREIGN: Final = re.compile(
    r"\s*(?:(?:warning|note|hint|help|info):\s|(?:ok|OK)\s|\S{1,200}:\d+ )|"
    r"\s{0,40}(?:class|import|from|let|return|export|public|private|type|interface|if|for|while|"
    r"try|except|with)\b[^\n]{0,200}[=({:;]\s{0,5}[\"'\[{(\d]|"
    r"\s{0,40}[\w.\[\]\"']{1,60}\s?:\s?[\"'\[{(\d]"
)
_MAIL: Final = re.compile(
    r"\s*(?:from|to|cc|bcc|subject|date|sent|reply-to|von|an|betreff|gesendet|datum|de|para|asunto|"
    r"enviado|objet|envoyé|à|发件人|收件人|主题|日期|差出人|宛先|件名|日時)\s?[:：]\s*\S",
    re.IGNORECASE,
)
_MAIL_START: Final = re.compile(
    r"\s*(?:-{2,}\s?(?:original|forwarded|ursprüngliche|weitergeleitete)|begin forwarded|"
    r"on [^\n]{5,80} wrote:|am [^\n]{5,60} schrieb[^\n]{0,30}:|le [^\n]{5,80} a écrit\s?:|"
    r"el [^\n]{5,80} escribió:)",
    re.IGNORECASE,
)
_CHAT: Final = re.compile(
    r"\s*(?:\[?\d{1,2}[:.]\d\d(?::\d\d)?(?:\s?[AaPp][Mm])?\]?\s+\S"
    r"|@?[A-Z\u00c0-\u00de][\w.\u00c0-\u024f-]{1,24}(?: "
    r"[A-Z\u00c0-\u00de][\w.\u00c0-\u024f-]{0,24})?"
    r"(?:\s?[\[(][^\])\n]{1,30}[\])]|\s+\d{1,2}:\d\d(?:\s?[AaPp][Mm])?)\s?[:：]?"
    r"|[\u3040-\u9fff]{1,6}(?:\s?[\[(（]?\d{1,2}:\d\d[\])）]?)?\s?[:：]\s?\S)"
)
_KEY_VALUE: Final = re.compile(r"\s*[A-Za-z\u00c0-\u024f][\w .()/\u00c0-\u024f-]{0,30}:\s+\S")
_INTRODUCES: Final = re.compile(
    r"(?:read-?me|docs?\b|documentation|document|guide|guidelines?|wiki|confluence|notion|ticket|"
    r"issue|slack|e-?mail|mail\b|message|thread|log\b|logs\b|output|error|trace|says?\b|said|wrote|"
    r"paste|pasted|following|below|contributing|policy|handbook|spec\b|rfc|page|article|blog|"
    r"review|"
    r"comment|description|template|excerpt|quote|from (?:the|their|our)\b|they (?:have|want)|"
    r"got this|"
    r"this is what|here(?:'s| is)|see\b|config|changelog|release notes|job ad|"
    r"doku|anleitung|hinweise|richtlinie|ausgabe|fehler|schreibt|steht|folgende|kommentar|auszug|"
    r"hier (?:ist|der|die|das)|"
    r"documentaci[oó]n|guía|correo|mensaje|salida|dice|siguiente|aquí|reglamento|"
    r"documentation|courriel|sortie|erreur|dit\b|voici|suivant|extrait|"
    r"文档|文件|日志|输出|报错|邮件|消息|如下|以下|说明|规范|写道|说[:：]|评论|摘|"
    r"ドキュメント|ログ|出力|エラー|メール|以下|次の|規約|書いて|コメント|抜粋)",
    re.IGNORECASE,
)
# Announces a document in a line of its own, even without a colon.
_ANNOUNCES: Final = re.compile(
    r"[^.!?\n]{0,60}\b(?:read-?me|docs?|documentation|guide|guidelines|wiki|page|handbook|policy|"
    r"ticket|article|doku|anleitung|richtlinie)\s(?:says?|reads|states|sagt|schreibt)\s*$"
    r"|(?:this is )?(?:from|out of|aus) (?:the|their|our|dem|der|ihrem|unserem) [^.!?\n]{0,40}"
    r"\b(?:read-?me|docs?|documentation|guide|guidelines|wiki|page|handbook|policy)\s*$",
    re.IGNORECASE,
)
_COLON_END: Final = re.compile(r"[:：]\s*$")
_QUESTION_END: Final = re.compile(r"[?？]\s{0,4}$")
_WORD: Final = re.compile(r"[^\W\d_]")
# A line of a document: it begins with a capital or a number and ends as a sentence does.
_FORMAL: Final = re.compile(
    r"\s*(?:[-*+•‣◦・■●【\[(]\s?|\d{1,3}[.)、]\s*|\[[ xX]\]\s)?"
    r"(?:[A-Z\u00c0-\u00de\d]|[\u3040-\u9fff])[^\n]{0,2000}[.:。：！!]\s*$"
)
_LETTER: Final = re.compile(
    r"\s*(?:dear |hello all|hi all|hi team|hi everyone|kind regards|best regards|regards,|"
    r"sincerely|"
    r"many thanks,|yours|sent from my|last (?:edited|updated|modified)|copyright|version \d|"
    r"liebe[rs]? |sehr geehrte|hallo (?:zusammen|team)|kolleg|mit freundlichen|viele grüße|lg\b|"
    r"vg\b|"
    r"estimad|hola (?:a todos|equipo)|saludos|un saludo|atentamente|buenos días,|"
    r"bonjour à|cher|chère|cordialement|bien à vous|bonne journée|"
    r"各位|尊敬的|亲爱的|您好|此致|敬礼|谢谢配合|【|"
    r"お世話に|各位|よろしくお願い(?:いた|致)|以上|お疲れ様|■|◆|●)",
    re.IGNORECASE,
)
_GREETING: Final = re.compile(
    r"\s*(?:(?:hi|hello|hey) (?:all|team|everyone|folks|both|there|[A-Z]\w+)|dear \w[^\n]{0,60}|"
    r"good (?:morning|afternoon) (?:all|team|everyone)|hallo (?:zusammen|team|alle|[A-Z]\w+)|"
    r"liebe[rs]? \w[^\n]{0,60}|sehr geehrte[^\n]{0,60}|hola (?:a todos|equipo)|"
    r"estimad[oa]s?[^\n]{0,60}|bonjour(?: à tous)?|chers? [^\n]{0,60}|chère [^\n]{0,60}|"
    r"各位[^\n]{0,20}|大家好|お疲れ様です|お世話になっております)\s*[,，:：!！。、]\s*$",
    re.IGNORECASE,
)
_SIGN_OFF: Final = re.compile(
    r"\s*(?:best|cheers|(?:kind |best |warm )?regards|best wishes|sincerely|yours[^\n]{0,20}|"
    r"(?:many )?thanks|thank you|viele grüße|beste grüße|mit freundlichen grüßen|liebe grüße|lg|vg|"
    r"gruß|(?:un )?saludos?[^\n]{0,20}|atentamente|cordialement|bien à vous|bonne journée|"
    r"此致|敬礼|谢谢配合|以上|よろしくお願い(?:いた|致)?します)\s*+(?:[,，!！.。]\s*+)?$",
    re.IGNORECASE,
)
# "Rules:", "Please follow these guidelines:": what stands below is the user's own list of rules,
# item by item. A title that names where they come from is that of a document.
_RULES_HEADING: Final = re.compile(
    r"[\s#*]{0,8}(?:(?:please|follow|keep to|stick to|some|a few|few|here are|these are|more|other|"
    r"general|basic|important|key|hard|strict|golden|standing|coding|code|project|my|our|the|these|"
    r"wichtige|allgemeine|meine|unsere|mis|nuestras|mes|nos|las|les|die|мои|наши) ){0,4}"
    r"(?:rules|guidelines|conventions|principles|ground rules|standards|do'?s and don'?ts|"
    r"regeln|richtlinien|konventionen|vorgaben|reglas|normas|convenciones|règles|consignes|"
    r"conventions|правила|соглашения|zasady|regole|regras|regels)"
    r"(?: (?:for|in|of|für|para|pour|для) (?:this|the|our|my|all|every|dieses|este|ce)"
    r"[^\n:]{0,40})?"
    r"[\s*]{0,4}[:：]?[\s*]{0,4}$"
    r"|[\s#*]{0,8}(?:代码|编码|项目|开发|以下|我的|我们的){0,2}(?:规则|规范|约定|原则)[:：]?\s{0,4}$"
    r"|[\s#*]{0,8}(?:このプロジェクトの)?(?:ルール|規則|方針)[:：]?\s{0,4}$",
    re.IGNORECASE,
)
_TITLE_WORDS: Final = 9
_ENDED: Final = re.compile(r"[.!?…:;。！？；：][\"'”)\]」』]*\s*$")
_WRAPPED: Final = 60

# Scores from here on are certain enough to leave a paragraph out.
CERTAIN: Final = 0.95
_MANY_ITEMS: Final = 9
_FEW_LINES: Final = 3
_SEVERAL: Final = 2
_SOME: Final = 0.3
_LONG: Final = 200


@dataclass(frozen=True, slots=True)
class OwnLine:
    """A line of the user's own words: characters ``start`` to ``end``, without a list mark.

    ``number`` is its index in the paragraph; ``joins`` is set if it continues the line before it.
    """

    start: int
    end: int
    block: int
    number: int
    item: bool
    joins: bool


@dataclass(frozen=True, slots=True)
class OwnText:
    """The user's own lines, and the paragraphs that they stand in."""

    lines: tuple[OwnLine, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str
    foreign: bool
    item: bool


def own_text(message: str) -> OwnText:
    """Return the lines that the user may have written, with a score for each paragraph."""
    lines: list[OwnLine] = []
    blocks: list[Block] = []
    paragraphs = list(_paragraphs(message))
    items = sum(line.item for paragraph in paragraphs for line in paragraph)
    headings = 0
    introduced = 0.0
    cited = under_title = below_rules = below_question = below_line = False
    for paragraph in paragraphs:
        headings += sum(bool(_HEADING.match(line.text)) for line in paragraph)
        # What a line above announces as another's isn't the user's own list.
        is_announced = introduced > _SOME and not below_rules
        standing = not is_announced and _is_standing_list(paragraph, below_rules=below_rules)
        if standing:
            introduced = 0.0
        score = max(
            _document_score(paragraph),
            introduced if _looks_pasted(paragraph) else min(introduced, 0.6),
            0.0 if standing else _outline_score(items, headings),
        )
        number = len(blocks)
        blocks.append(
            Block(
                lines=len(paragraph),
                items=sum(line.item for line in paragraph),
                document=min(1.0, score),
                introduced=introduced,
                foreign=sum(line.foreign for line in paragraph) / len(paragraph),
                formal=_share(paragraph, _FORMAL.match),
                titled=_is_titled(paragraph),
                letter=any(_LETTER.match(line.text) for line in paragraph),
                cited=cited,
                under_title=under_title,
                presented=below_question or below_line,
                standing=standing,
                longest=max(len(line.text) for line in paragraph),
            )
        )
        lines += _own_lines(paragraph, number, first_is_own=introduced == 0)
        begins_rules = bool(_RULES_HEADING.match(paragraph[-1].text))
        if not (is_announced and begins_rules):
            introduced = _introduction(paragraph, introduced)
        cited = introduced >= 1 and cites(f"{paragraph[-1].text} …")
        below_rules = begins_rules and not cited and not is_announced
        below_question = below_question or bool(_QUESTION_END.search(paragraph[-1].text[-8:]))
        above = paragraph[0].text.strip()
        below_line = len(paragraph) == 1 and not below_rules and _is_bare_line(above)
        under_title = below_line and _is_like_a_title(above) and names_source(above)
    if paragraphs and _is_signed(paragraphs[-1]):
        blocks = [replace(block, presented=True) for block in blocks]
    first, last = _letter_span(paragraphs)
    blocks[first:last] = [replace(block, document=1.0) for block in blocks[first:last]]
    return OwnText(tuple(lines), tuple(blocks))


def _is_standing_list(lines: Sequence[_Line], *, below_rules: bool) -> bool:
    """Whether it is a list of rules below a heading that says so, by the user's own hand."""
    if lines[0].item or len(lines) < _SEVERAL:
        below, listed = below_rules, lines
    else:
        below, listed = bool(_RULES_HEADING.match(lines[0].text)), lines[1:]
    return below and sum(line.item for line in listed) * 2 > len(listed)


def _letter_span(paragraphs: Sequence[Sequence[_Line]]) -> tuple[int, int]:
    """Return the paragraphs of a pasted letter, from its greeting to its end; (0, 0) without."""
    greetings = [
        number
        for number, paragraph in enumerate(paragraphs)
        if any(_GREETING.match(line.text) for line in paragraph)
    ]
    endings = [
        number + 1
        for number, paragraph in enumerate(paragraphs)
        if any(_SIGN_OFF.match(line.text) for line in paragraph)
    ]
    if greetings and endings and greetings[0] < endings[-1]:
        return greetings[0], endings[-1]
    return 0, 0


def _paragraphs(message: str) -> Iterator[list[_Line]]:
    """Yield runs of lines without a blank line, a fence or a tag between them."""
    current: list[_Line] = []
    for start, end in outside_fences(message, outside_tags(message)):
        for line_start, line_end in _line_spans(message, start, end):
            text = message[line_start:line_end]
            if not text.strip():
                if current:
                    yield _recognized(current)
                current = []
                continue
            item = _ITEM.match(text)
            current.append(
                _Line(line_start, line_end, text, _is_foreign(text, item=bool(item)), bool(item))
            )
            if _COLON_END.search(text[-8:]) and not item:
                # What it announces is judged apart from it.
                yield _recognized(current)
                current = []
        if current:
            yield _recognized(current)
        current = []


def _recognized(lines: list[_Line]) -> list[_Line]:
    """Recognize output and code by more than one line: a sentence may look like one of them."""
    maybe = [line.foreign or bool(_MAYBE_FOREIGN.match(line.text[:500])) for line in lines]
    if sum(maybe) < _SEVERAL:
        return lines
    return [
        replace(line, foreign=is_foreign) for line, is_foreign in zip(lines, maybe, strict=True)
    ]


def _line_spans(message: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    while at < end:
        stop = message.find("\n", at, end)
        stop = end if stop < 0 else stop
        yield at, stop - (stop > at and message[stop - 1] == "\r")
        at = stop + 1


def _is_markup(text: str) -> bool:
    """Whether a line begins with a tag that isn't the first word of a sentence: "<a> must be …"."""
    tag = _MARKUP.match(text)
    if tag is None:
        return False
    rest = text[tag.end() :]
    is_spoken = len(rest.split()) >= _MIN_SPOKEN_WORDS or count_cjk(rest[:_LONG]) >= _MIN_SPOKEN_CJK
    return not rest[:1].isspace() or "</" in rest or not is_spoken


def _is_foreign(text: str, *, item: bool) -> bool:
    """Whether a line is certainly quoted, indented code, output or code."""
    bare = text.strip()
    return (
        bare.startswith((">", "＞", "|"))
        or (text.startswith(("    ", "\t")) and not item)
        or bool(_LOG.match(text))
        or bool(_CODE.search(text[:500]))
        or _is_markup(text[:500])
        or not _WORD.search(bare)
    )


def _share(lines: Sequence[_Line], matches: Callable[[str], object]) -> float:
    return sum(bool(matches(line.text)) for line in lines) / len(lines)


def _document_score(lines: Sequence[_Line]) -> float:
    """Score how sure it is that nobody typed this paragraph here."""
    if _MAIL_START.match(lines[0].text):
        return 1.0
    count = len(lines)
    foreign = sum(line.foreign for line in lines) / count
    chat = _share(lines, _CHAT.match)
    mail = sum(bool(_MAIL.match(line.text)) for line in lines)
    values = _share(lines, _KEY_VALUE.match)
    headings = sum(bool(_HEADING.match(line.text)) for line in lines)
    score = 0.0
    if mail > 1 and mail * 3 >= count:
        score = 1.0
    if count >= _FEW_LINES:
        score = max(score, foreign * 1.6 if foreign > _SOME else 0.0, chat * 1.4)
        score = max(score, values * 0.9)
        if headings:
            score = max(score, 0.8)
    elif count > 1:
        score = max(score, chat if chat == 1 else 0.0)
    return score


def _outline_score(items: int, headings: int) -> float:
    """Score a message with many list items and headings."""
    if headings >= 1:
        return min(1.0, 0.5 + 0.15 * headings + 0.04 * items)
    return 0.9 if items > _MANY_ITEMS else 0.0


def _looks_pasted(lines: Sequence[_Line]) -> bool:
    return len(lines) > 1 or lines[0].item or lines[0].foreign or len(lines[0].text) > _LONG


def _introduction(lines: Sequence[_Line], before: float) -> float:
    """Score how surely the last line announces a pasted text after it."""
    last = lines[-1].text
    if len(lines) == 1 and _ANNOUNCES.match(last):
        return 1.0
    if _COLON_END.search(last) and not lines[-1].item:
        return 1.0 if _INTRODUCES.search(last[-200:]) else 0.2
    return before * 0.5 if _looks_pasted(lines) and before > _SOME else 0.0


def _is_titled(lines: Sequence[_Line]) -> bool:
    """Whether a short line without an end stands above others, as a title does."""
    return (
        len(lines) >= _FEW_LINES and not lines[0].item and _is_like_a_title(lines[0].text.strip())
    )


def _is_like_a_title(line: str) -> bool:
    return _is_bare_line(line) and not line[:1].islower()


def _is_bare_line(line: str) -> bool:
    """Whether a line of few words may present what stands below it: "from jim's page"."""
    return not _ENDED.search(line) and len(line.split()) <= _TITLE_WORDS


def _is_signed(lines: Sequence[_Line]) -> bool:
    """Whether a letter ends here: a sign-off, and a name below it."""
    return (
        _SEVERAL <= len(lines) <= _FEW_LINES
        and bool(_SIGN_OFF.match(lines[0].text))
        and len(lines[1].text.split()) <= _FEW_LINES
    )


def _own_lines(lines: Sequence[_Line], block: int, *, first_is_own: bool) -> Iterator[OwnLine]:
    joinable = False
    wraps = max((len(line.text) for line in lines), default=0) >= _WRAPPED
    for index, line in enumerate(lines):
        if line.foreign or (_HEADING.match(line.text) and not (first_is_own and index == 0)):
            joinable = False
            continue
        item = _ITEM.match(line.text)
        start = line.start + (item.end() if item else len(line.text) - len(line.text.lstrip()))
        if start >= line.end:
            continue
        yield OwnLine(start, line.end, block, index, line.item, joinable and not line.item)
        # A long line without an end was wrapped; a short one ended deliberately.
        joinable = wraps and len(line.text) >= _WRAPPED and not _ENDED.search(line.text[-4:])

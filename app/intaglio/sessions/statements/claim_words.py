"""Decides by its words whether a text claims a rule, preference or decision to be the user's.

The classifier knows how users talk, not how agents report it, so words count as well. A text is
read without whatever hides its words: quotation marks, code fences, labels, look-alike letters.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from intaglio.fence import lookalikes
from intaglio.fence.characters import visible
from intaglio.memory import parsing
from intaglio.sessions.statements.instruction_words import is_instruction
from intaglio.sessions.statements.services import CaptureServices
from intaglio.sessions.statements.values import ClaimType, as_claim

if TYPE_CHECKING:
    from intaglio.capture.values import Statement


def _pattern(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


_MARKS: Final = re.compile("[\u200c-\u200f]")
_FENCE: Final = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[\w+.-]*[ \t]*$", re.MULTILINE)
_TAG: Final = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>")
_QUOTE: Final = re.compile(
    '[`*"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u300c-\u300f\u300a\u300b]+'
    # Bounded: a text of nothing but apostrophes or underscores would take minutes.
    r"|(?<!\w)['\u2018\u2019]{1,4}(?=\w)|(?<=[\w.!?])['\u2018\u2019]{1,4}(?!\w)"
    r"|(?<!\w)_{1,8}(?=\w)|(?<=\w)_{1,8}(?!\w)"
)
_LINE_START: Final = re.compile(
    r"^[ \t]*(?:(?:>|\||#{1,6}|[-+\u2022\u2013\u2014]|\d{1,3}[.)]|\[[ x]\])[ \t]+|>)+",
    re.MULTILINE | re.IGNORECASE,
)
_WORD: Final = re.compile(r"\w+")
_LATIN: Final = re.compile("[A-Za-z]")
_LOOKS_LATIN: Final = re.compile("[\u0370-\u052f]")
_SENTENCE_END: Final = re.compile(r"\n+|;\s*|(?<=[.!?:])\s+|[。｡]")

_LABELS: Final[tuple[tuple[ClaimType, str], ...]] = (
    ("rule", "rules?|convention|policy|guideline|instructions?|requirement|regel|règle|regla"),
    ("rule", "правило|норма|规则|規則|ルール"),
    ("preference", "preferences?|präferenz|vorliebe|préférence|preferencia"),
    ("preference", "предпочтение|偏好|好み"),
    ("decision", "decisions?|entscheidung|décision|decisión|решение|决定|決定"),
)
_BRACKETS: Final = re.compile(r"\s*\[([^\[\]\n]{1,500})\][:\s]*")
_LABEL: Final = re.compile(r"\s*([^\W\d_][^\n:.!?]{0,40}):\s*")
_NAMES: Final[tuple[tuple[ClaimType, Callable[[str], object]], ...]] = tuple(
    (
        kind,
        re.compile(
            r"(?:\W|\b(?:the|a|an|user|team|project|house|hard|strict|new|standing|global|critical|"
            rf"important|our|my|s)\b)*(?:{names})(?:\W|\b(?:of|the|user|team)\b)*",
            re.IGNORECASE,
        ).fullmatch,
    )
    for kind, names in _LABELS
)

_ADVERBS: Final = (
    r"(?:(?:\w+ly|also|always|never|still|now|just|has|have|had|do|does|did|don['\u2019]?t|"
    r"doesn['\u2019]?t|not|no longer|much|often|rather)\s+){0,3}"
)
_PERSON: Final = (
    r"\b(?:users?|human|owner|maintainer|team|customer|client|boss|we|they|he|she|I)\s+"
)
_OF_THE_USER: Final = _pattern(
    rf"{_PERSON}(?:\w+\s+){{0,2}}?(?:prefers?|preferred|wants?|wanted|loves?|hates?|dislikes?|"
    r"insists?|insisted|decided|agreed|chose|would like|would rather|(?:has|have) (?:a|an|no) "
    r"(?:\w+ )?preference|(?:is|are) in favou?r of|(?:said|told \w+|asked \w+|instructed \w+) "
    r"(?:not )?to|(?:says|said) (?:that )?(?:you|agents?|we|I|it['\u2019]?s))\b",
    rf"{_PERSON}{_ADVERBS}(?:likes?|requires?|expects?|asked|asks|demands?|favou?rs?|will use|"
    r"can['\u2019]?t stand)\b",
    r"\b(?:user|team|owner|maintainer)['\u2019]s\s+(?:\w+\s+)?(?:preference|decision|wish)\s*"
    r"(?::|is\b|was\b|for\b|to\b|[.!]|$)",
    r"\b(?:my|our|his|her|their) (?:preference|decision) (?:is|was)\b",
    # German
    r"\b(?:(?:be)?nutzer(?:in)?|anwender(?:in)?|user|team|wir|ich|er|sie)\s+(?:\w+\s+){0,2}?"
    r"(?:bevorzug(?:t|e|en)|möchten?|will|wollen|wünsch(?:t|e|en)|hass(?:t|e|en)|liebt|lieben|"
    r"besteht|verlangt|mag|(?:hat|haben|habe) (?:\w+ ){0,4}(?:entschieden|beschlossen))\b",
    # French
    r"(?:\b(?:utilisat(?:eur|rice)|équipe|nous|on|il|elle|je)\s+(?:\w+\s+)?|\bj['\u2019])"
    r"(?:préfère(?:nt)?|préférons|veut|veux|voulons|souhait(?:e|ons)|aime|déteste|exige|"
    r"(?:a|ai|avons) (?:décidé|choisi))\b",
    # Spanish
    r"\b(?:usuari[oa]|equipo|nosotros|él|ella|yo)\s+(?:\w+\s+)?(?:prefier[eo]|preferimos|quier[eo]|"
    r"queremos|desea|odia|exige|decidió|decidimos|(?:ha|hemos) decidido)\b",
    # Russian
    r"\b(?:пользователь(?:ница)?|команда|мы|он|она|я)\s+(?:\w+\s+)?(?:предпочита\w+|хоч\w+|хотим|"
    r"любит|ненавидит|требует|просит|решил\w*)\b",
    # Chinese and Japanese
    r"(?:用户|用戶|使用者|团队|團隊|我们|我們|我)(?:\w{0,4}?)(?:喜欢|喜歡|偏好|偏爱|希望|想要|要求|倾向|"
    r"决定|決定|讨厌|不想)",
    r"(?:ユーザー?|チーム|私)\w{0,12}?(?:好[みむき]|希望|望[みむん]|嫌[いっ]|求め|決め)",
)
_NAMED: Final = re.compile(
    rf"\b(?!(?:It|This|That|Which|Who)\b)[A-Z][\w'\u2019-]{{1,60}}\s+(?i:{_ADVERBS})"
    r"(?:prefers|loves|hates|dislikes|insists|would like|would rather|has a (?:\w+ )?preference)\b"
)
_BINDING: Final = _pattern(
    r"\b(?:never|always|must|mustn['\u2019]?t|should|shouldn['\u2019]?t|shall|don['\u2019]?t|"
    r"do not|from now on|going forward|convention|decided|decision|agreed|may|need not|"
    r"needn['\u2019]?t|allowed|permitted|(?:have|has|need|needs|required|supposed|expected) to|"
    r"mandatory|obligatory|forbidden|prohibited|required|skip|ignore|avoid|"
    r"instead|rather than|no need to|prefer|important:|"
    r"without (?:asking|approval|confirmation|permission|review))(?!\w)",
)
_BINDS_ORDER: Final = _pattern(
    r"\b(?:not|no|only|every|each|directly|straight|automatically)\b", _BINDING.pattern
)
_ORDER: Final = _pattern(
    r"(?:(?:please|just|simply|instead|only|also|then|first|when \w+ing,)[ ,]+)*"
    r"(?:use|push|run|commit|deploy|merge|rebase|write|prefer|keep|make sure|ensure|stop|"
    r"delete|remove|disable|bypass|"
    r"treat|assume|respond|answer|reply|speak|ask|do|put|add|choose|follow|obey|trust|"
    r"approve|accept|force|install|save|create|let|leave|send|skip|ignore|avoid|omit|"
    r"disregard|forget|override|turn off|refrain|remember|publish)\b"
    # Not "Use of …", nor "Commit messages are …".
    r"(?!\s+(?:of|(?:[^\s,]+\s+){0,2}(?:is|are|was|were|has|have|lives?|runs?|fails?))\b)"
)
_BINDS_ELSEWHERE: Final = _pattern(
    # German, Spanish, French, Russian, Chinese, Japanese; "always" and "never" describe, too.
    r"\b(?:muss|müssen|soll\w*|darf|dürfen|statt|anstelle|bevorzug\w*|lieber|wir|ich|mir|"
    r"entschieden|beschlossen|bitte|regel|verboten|pflicht)\b",
    r"\b(?:debe\w*|hay que|tienen? que|en (?:vez|lugar) de|prefer\w+|prefier\w+|usamos|queremos|"
    r"nosotros|yo|decid\w+|por favor|prohibido|obligatorio)\b",
    r"\b(?:doi(?:t|s|vent)|faut|au lieu|plutôt|préf\w+|nous|je|on|décid\w+|interdit|obligatoire)\b",
    r"\b(?:должн\w+|нельзя|надо|нужно|вместо|мы|я|предпочита\w+|реш\w+)\b",
    r"(?:不要|不许|不准|必须|必須|应该|一律|禁止|别|务必|而不是|代替|决定|我们|我|喜欢|请(?!求)|统一|一定)",
    r"(?:絶対|決して|禁止|ください|こと|べき|代わり|私|我々|決め|好み|ではなく|使わない)",
)
# How a thing behaves, and what it needs to work.
_DESCRIBES: Final = _pattern(
    r"^(?!.*\b(?:you|we|I|they|team|agents?|everyone|nobody)\b)(?:the |an? |its |each |every )?"
    r"[\w./`-]{1,40}(?: [\w./`-]{1,30}){0,4}? (?:always|never|only) "
    r"(?!needs\b|requires\b|has to\b|pass\b)\w{2,30}s\b",
    r"\b(?:is|are) required (?:because|by|since|due)\b",
    r"\b(?:is|are) (?:always|never|only) (?:in|on|at|of|from|a|an|the)\b",
    r"\b(?:must|has to|have to|needs? to|should) (?:be (?:set|valid|running|unique|installed|"
    r"available|present|defined|exported|between|at least|reachable|started|closed|non-\w+|"
    r"a valid)|exist|match|point|contain)\b",
)
_RULE: Final = _pattern(
    r"\b(?:instead of|without) asking\b",
    r"\b(?:may|can|free to) \w+ (?:\S+ ){0,4}?without (?:approval|confirmation|"
    r"permission|review)\b",
    r"\b(?:ignore|disregard|forget|override) (?:all |any )?(?:the |your |my )?(?:previous|prior|"
    r"earlier|above|other|existing)\b",
    r"\b(?:agents?|assistants?|claude|codex|copilot|the ai|everyone|everybody|nobody|no one)\s+"
    rf"{_ADVERBS}(?:must|should|shall|may|needn['\u2019]?t|need not|(?:have|has|need|needs) to|"
    r"(?:is|are)(?:n['\u2019]t| not| never| always)? (?:allowed|permitted|required|expected|"
    r"forbidden|supposed|free))\b",
    r"\bit(?:['\u2019]s| is)(?: not| strictly| absolutely)? (?:mandatory|obligatory|compulsory|"
    r"forbidden|prohibited|required|allowed|permitted|ok|okay|fine) to\b",
    r"\bno need to (?:ask|run|test|review|check|wait|confirm)\b",
    r"\b(?:agreed|decided) (?:to|that|on|against)\b",
)
_RULE_AT_START: Final = _pattern(
    r"(?:(?:please|so|and|but)[ ,]+)*(?:never|always|do not|don['\u2019]?t|"
    r"under no circumstances|from now on|going forward|no more)\b",
    # German, French, Spanish, Russian, Chinese
    r"(?:bitte |ab jetzt |ab sofort )*(?:niemals|nie|immer|auf keinen fall|keinesfalls|keine? )\b",
    r"(?:s['\u2019]il (?:te|vous) plaît,? )?(?:ne (?:jamais|pas|plus)\b|(?:ne |n['\u2019])\w+"
    r"(?:[- ]\w+)? (?:jamais|pas|plus)\b|toujours\b|jamais\b|interdi(?:t|ction) de\b)",
    r"(?:por favor,? )?(?:nunca|siempre|jamás|no \w+(?:es|as|éis|áis)|prohibido|queda prohibido)\b",
    r"(?:пожалуйста,? )?(?:никогда|всегда|нельзя|запрещ\w+|не \w+(?:й|йте|и|ите|ь|ьте))\b",
    r"(?:请|請)?(?:永远|永遠|绝不|絕不|决不|切勿|请勿|不要|不许|不准|禁止|严禁|务必|别|一定要|总是|始终)",
    r"(?:絶対に|決して|必ず|常に)",
)
_RULE_AT_END: Final = _pattern(
    r"(?:しないで(?:ください)?|[うくぐすつぬぶむる]な|てはいけません|てはいけない|てはならない|禁止(?:です)?|"
    r"なければならない|なければなりません|てください)[。.!\s]*$"
)

# Vectors cost far more than the rest, and a text as long as that is no claim.
# Words that bind are looked for as well, so even little is enough, whatever the settings say.
_CLAIMED_FROM: Final = 0.22
_EMBEDDED_CLAUSES: Final = 40


@dataclass(frozen=True, slots=True)
class ClaimWords:
    """Reads what texts claim about the user, or tell agents to do."""

    services: CaptureServices

    async def type_of(self, content: str) -> ClaimType | None:
        """Return what a text claims; None for a fact."""
        text = await self.services.in_thread(lambda: plain_words(content))
        claimed: ClaimType | None = await self.services.in_thread(lambda: _of_the_user(text))
        if claimed is not None:
            return claimed
        return await self._judged(text) or await self._ordered(text, content)

    async def _ordered(self, text: str, written: str) -> ClaimType | None:
        """Return that a text is a rule if one of its sentences tells agents what to do."""

        def is_rule() -> bool:
            return _orders(text) or is_instruction(text, written)

        return "rule" if await self.services.in_thread(is_rule) else None

    async def _judged(self, text: str) -> ClaimType | None:
        """Return the type of the first statement that binds, as the classifier sees it."""
        # Loading the classifier takes a good part of the daemon's start.
        from intaglio.capture.judge import judge, read_turn  # noqa: PLC0415 - see above
        from intaglio.capture.values import Thresholds  # noqa: PLC0415 - see above

        turn = await self.services.in_thread(lambda: read_turn(text, ""))
        is_short = 0 < len(turn.clauses) <= _EMBEDDED_CLAUSES
        vectors = await self.services.clause_vectors(turn.to_embed) if is_short else None
        limits = Thresholds(keep=1.0, suggest=_CLAIMED_FROM)
        found = await self.services.in_thread(lambda: judge(turn, vectors, limits))
        for one in found.stated:
            claimed = as_claim(one.type)
            if claimed is not None and _binds(one):
                return claimed
        return None


def plain_words(text: str) -> str:
    """Return a text's words as somebody says them: without marks around them or hidden letters."""
    text = unicodedata.normalize("NFKC", _MARKS.sub("", visible(text)))
    text = _WORD.sub(_unmixed, text)
    text = _QUOTE.sub("", _TAG.sub(" ", _FENCE.sub("", text)))
    return _LINE_START.sub("", text).strip()


def _unmixed(word: re.Match[str]) -> str:
    """Replace look-alikes of Latin letters in a word that also has Latin letters."""
    text = word[0]
    if text.isascii() or not (_LATIN.search(text) and _LOOKS_LATIN.search(text)):
        return text
    return lookalikes.read(text).text


def _of_the_user(text: str) -> ClaimType | None:
    """Return the type that a label names, or that words about the user say."""
    labelled = _labelled(text)
    if labelled is None and (_OF_THE_USER.search(text) or _NAMED.search(text)):
        return as_claim(parsing.infer_type(text)) or "preference"
    return labelled


def _labelled(text: str) -> ClaimType | None:
    """Return the type that a label at the start of a line names."""
    for line in text.splitlines():
        # A heading is a label without a colon.
        rest, at = f"{line}:" if "\n" in text else line, 0
        while found := _BRACKETS.match(rest, at) or _LABEL.match(rest, at):
            for label in found[1].split(","):
                for kind, names in _NAMES:
                    if names(label):
                        return kind
            at = found.end()
    return None


def _orders(text: str) -> bool:
    """Whether a sentence tells agents what to do."""
    is_important = "important:" in text.lower()
    return any(_is_rule(each.strip(), is_important) for each in _SENTENCE_END.split(text))


def _is_rule(sentence: str, is_important: bool) -> bool:  # noqa: FBT001 - private
    if _RULE.search(sentence) or _RULE_AT_START.match(sentence) or _RULE_AT_END.search(sentence):
        return True
    return _ORDER.match(sentence) is not None and (
        is_important or _BINDS_ORDER.search(sentence) is not None
    )


def _binds(statement: "Statement") -> bool:
    """Whether a statement's words bind, and don't only describe how something behaves."""
    clause = statement.clause
    if clause.language != "en":
        return _BINDS_ELSEWHERE.search(clause.text) is not None
    if _DESCRIBES.search(clause.text) and not _ORDER.match(clause.text):
        return False
    return bool(_BINDING.search(clause.text) or _ORDER.match(clause.text))

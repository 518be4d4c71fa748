"""Tells whether a sentence means something only where it was said; pure.

Most rules are for English. Other languages have words that point, and the rules of
`capture.wording.stands_alone`.
"""

import re
from collections.abc import Mapping
from typing import Final

from intaglio.language.detection import Language

_WHOLE_PROJECT: Final = (
    r"(?:(?:whole|entire|current|particular)\s)?(?:project|repo(?:sitory)?|app(?:lication)?|codebase|"
    r"code base|package|library|monorepo|workspace|product|team|company|website|site|plugin|"
    r"extension|server|machine|computer|system|week|month|year|way)"
)
# "This" and "these" with what they point at, unless that is the project itself.
_THIS: Final = re.compile(rf"\b(?:this|these|those)\b(?!\s{_WHOLE_PROJECT}\b)", re.IGNORECASE)
_THAT: Final = re.compile(
    r"^(?:\w+\s){0,1}that(?:'s)?\b(?!\s(?:the|a|an|we|i|you|all|every|our)\b)"
    r"|\b(?:in|of|for|with|like|about|from|on|do|did|does|use|using|have|need|want|after|before|than|"
    r"as|into|at|by|without|besides|given|regarding|fix|change|is|was|to|all|know|see|treat|"
    r"take|give|make|try) that\b"
    r"(?=\s*(?:[.,;:!?)]|$)|\s(?:and|as|but|in|when|so|instead|too|way|case|one|file|function|page|part|"
    r"point|thing|line|error|approach|too)\b)",
    re.IGNORECASE,
)
# "On that page", but not "on that Macbook".
_THAT_NOUN: Final = re.compile(
    r"\b(?:in|of|for|with|about|from|on|to|into|at|by|per) that (?!(?:the|an?|we|i|you|it|they|is|"
    r"are|was|can|will|has|have|should|must|time|way)\b)[a-z]{2}"
)
_PRONOUN: Final = re.compile(
    r"\b(?:it|its|it's|they|them|their|they're|he|she|his|her|him)\b", re.IGNORECASE
)
# "It is important that", "it should be possible to", "make it clear that".
_EXPLETIVE: Final = re.compile(
    r"\bit(?:'s| is| was| (?:would|should|must|may|might) be)?\s(?:always |never |also |very |"
    r"more |not |only )*(?:important|essential|better|best|ok(?:ay)?|fine|possible|necessary|"
    r"clear|easy|easier|hard|good|bad|enough|safe|allowed|forbidden|up to|time)\b"
    r"|\bmake it (?:clear|easy|possible)\b|\bas it (?:is|was|gets)\b|\bwhen it comes to\b",
    re.IGNORECASE,
)
# What a pronoun behind it may stand for.
_NOUN: Final = re.compile(
    r"\b(?:the|a|an|our|my|your|each|every|all|any|no|some|both|other|new|old|two|three|another)\s"
    r"[\w`'./-]{2,}|`[^`]{1,80}`|\b[A-Z][\w.-]{2,}|\b\w+[_./-]\w+|\b[a-z]{3,}(?:s|ion|ment|ing|er)\b",
)
_NO_NOUN: Final = re.compile(
    r"^(?:always|this|does|is|was|has|its|us|his|as|plus|let's|whenever|however|never|before|after|"
    r"once|if|when|make|note|remember|ensure|keep|use|also|just|yes|ok|okay|please|actually|"
    r"instead|another|during|under|over|others?|things?|something|anything|everything|nothing|"
    r"you|we|they|the|for|from|with|then|where|what|which|who|how|why|there|here|let|can|could|"
    r"should|would|may|must|will|don't|not|and|but|that|these|those|even|only|both|all|any|some|"
    r"each|every|because|since|while|although|though|unless)$",
    re.IGNORECASE,
)
_POINTS: Final = re.compile(
    r"\b(?:(?:better|worse|faster|easier|cleaner)(?=\.?$)|"
    r"(?:above|below)(?! (?:\d|(?:zero|the|a|an|our)\b))|aforementioned|the following|"
    r"respectively|previous(?:ly)?|earlier|"
    r"as (?:i|we|you|they|it) (?:said|did|do|have|mentioned|discussed|suggested|proposed|are|is|"
    r"were|was)(?: now)?|"
    r"(?:the|your) last (?:edits?|messages?|commits?|changes?|time|session|response|try|attempt)|"
    r"another (?:try|go|attempt|look)|"
    r"as (?:discussed|mentioned|described|agreed|before|suggested)|"
    r"the (?:first|second|third|other|latter|former|last|same|next|rest)(?: (?:ones?|options?|"
    r"points?|cases?|parts?|two|approach|files?|steps?)\b|(?=\s*(?:[.,;:!?)]|$)|\s(?:is|are|was|must|should|"
    r"will|and|or|for|as|too)\b))|"
    r"(?:if|like|not|do|did|does|think|hope) so\b|"
    r"in (?:such|that|this|these|those|both) (?:a )?cases?|"
    r"(?:the|your) (?:issues?|errors?|bugs?|problems?|fix|changes?|screenshots?|images?|outputs?|"
    r"results?|logs?|plans?|questions?|lists?|suggestions?|assessment|assesment|approach|proposal|"
    r"answers?|comments?|examples?|refactor(?:ing)?|task|bullet|idea|thing|attached|code you)\b"
    r"(?! (?:of|for|from|in|that|must|should|page|file|view|tab|button|table|endpoint|handler|"
    r"message|messages|component|screen|level|format)\b)|"
    r"you (?:suggested|proposed|mentioned|said|gave|made|wrote|recommended)|"
    r"your (?:plan|message|answer|list|code|version|work|last|previous|own)|"
    r"(?:right|store|keep|see|over|doing|did|in|out|put|goes|go|lives?) there|here's|"
    r"one of (?:them|those|these)|(?:a )?(?:few|couple of|two|three) things|"
    r"both of (?:them|those|these)|just now|right now|at the moment|today|yesterday|tomorrow|"
    r"tonight)"
    r"\b",
    re.IGNORECASE,
)
_HERE: Final = re.compile(r"(?<!from )\bhere\b", re.IGNORECASE)
# "Never use npm here": in this project.
_DONE_HERE: Final = re.compile(
    r"\b(?:never|always|only|don't|do not|we) (?:\w{1,20} )?(?:use|run|write|allow|deploy|commit|"
    r"push|merge|prefer|follow|need|speak)\b[^.;:\n]{0,40}\bhere\b",
    re.IGNORECASE,
)
_INSTEAD: Final = re.compile(
    r"^instead\b(?! of\b)|\b(?:instead|as well|too|again)[.!]?$", re.IGNORECASE
)
# "We no longer use npm, use pnpm instead" says itself what it is instead of.
_DENIED_BEFORE: Final = re.compile(
    r"(?:\b(?:no longer|not|never|stop|stopped|drop|dropped|retired?|abandoned)|n't)\s"
    r"[^,;:.\n]{2,80}+[,;:.]\s",
    re.IGNORECASE,
)
_FRAGMENT: Final = re.compile(
    r"^(?:like|re|as|and|or|nor|but|which|who|whose|whereas|respectively|e\.g|i\.e|etc|than|"
    r"because|otherwise|rather than|except|including|such as|also|then|so that|in that case|"
    r"for example|for instance|regarding|disagree|agree|settled|done|yes|no|same|particularly|"
    r"especially|mainly|something (?:i|we|that|like)|"
    r"does|doesn't|is|are|was|were|has|hasn't|isn't|aren't|not only|"
    r"not (?:a|the)|if not|whatever|"
    r"that (?:the|it|we|you|is)|"
    r"with (?!.*(?:,|\b(?:is|are|must|should|will|would|can|has|have)\b)))\b",
    re.IGNORECASE,
)
_OPEN_ENDS: Final = (":", "：")
_CONNECTIVES: Final = frozenset(
    ("and", "or", "but", "the", "a", "to", "of", "with", "like", "be", "-", "--")
)
_STARTS_WITH_PRONOUN: Final = re.compile(
    r"(?:(?:and|but|so|also|then)\s)?(?:it|its|it's|they|they're|them|their|this|these|those|that|"
    r"that's|he|she|both|in (?:that|this|such) cases?|here)\b",
    re.IGNORECASE,
)
# "Only source files.", "an outline of the plan": without a verb. So many words may follow.
_BEGINS_NOUN: Final[Mapping[str, int]] = {
    **dict.fromkeys(("no", "only", "some", "more", "just"), 5),
    **dict.fromkeys(("a", "an"), 25),
    "the": 2,
}
_VERBS: Final = frozenset(
    (
        "is",
        "are",
        "was",
        "be",
        "has",
        "have",
        "should",
        "must",
        "will",
        "can",
        "does",
        "do",
        "may",
        "need",
        "needs",
    )
)
_ELSEWHERE: Final[Mapping[Language, re.Pattern[str]]] = {
    "de": re.compile(
        r"\b(?:dies(?:e[mnrs]?)?(?!\s(?:projekt|repo))|hier|oben|unten|dort|davon|dafür|damit|darin|"
        r"stattdessen|jene[mnrs]?|wie (?:gesagt|besprochen|vorgeschlagen))\b",
        re.IGNORECASE,
    ),
    "es": re.compile(
        r"\b(?:es(?:te|ta|tos|tas|to|e|a|os|as|o)(?!\sproyecto)|aquí|ahí|arriba|abajo)\b"
        r"(?<!\bes)",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\b(?:ce(?:t|tte|s|ci|la)?(?!\s(?:projet|dépôt|qui|que))|ça|ici|là|ci-dessus|ci-dessous|"
        r"celui|celle|ceux)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"^(?:因为|所以|但是?|而且|然后)|(?:这|那|此)(?:个|些|样|里|次|种|边|一)(?!项目|仓库)|它|上面|下面|以上|以下|如下|上述|截图|"
        r"刚才|刚刚|同样|前面|你的建议"
    ),
    "ja": re.compile(
        r"(?:こ|そ|あ)(?:れ|の(?!プロジェクト|リポジトリ)|こ|ちら|う)|上記|下記|以下|さっき|先ほど"
    ),
    "other": re.compile(
        r"\b(?:эт(?:о|от|а|и|ого|ой|у|их)|здесь|там|выше|ниже|его|её|их|ten|ta|tego|tej|tutaj|"
        r"powyżej|poniżej|isso|isto|este|esta|aqui|questo|questa|qui)\b",
        re.IGNORECASE,
    ),
}


def depends_on_context(text: str, language: Language, *, is_heading: bool = False) -> bool:
    """Whether a sentence points at something outside of it, or is only a part of one."""
    if not is_heading and _is_open(text):
        return True
    elsewhere = _ELSEWHERE.get(language)
    if elsewhere is not None:
        return elsewhere.search(text) is not None
    plain = text.replace("\u2019", "'")
    if (
        _THIS.search(plain)
        or _THAT.search(plain)
        or _THAT_NOUN.search(plain)
        or _POINTS.search(plain)
    ):
        return True
    says_instead = plain.rstrip(".!").endswith("instead") and _DENIED_BEFORE.search(plain)
    if (_INSTEAD.search(plain) and not says_instead) or _HERE.search(_DONE_HERE.sub(" ", plain)):
        return True
    if not is_heading and (_FRAGMENT.match(plain) or _is_noun(plain)):
        return True
    return _has_loose_pronoun(plain)


def _is_open(text: str) -> bool:
    """Whether it ends before it has said what it says."""
    last = text.rstrip(".").rsplit(" ", 1)[-1].lower()
    is_cut = text.count("(") > text.count(")")
    return is_cut or text.endswith(_OPEN_ENDS) or last in _CONNECTIVES


def _is_noun(text: str) -> bool:
    """Whether it names something and says nothing of it."""
    first, *others = text.lower().rstrip(".").split()
    return len(others) <= _BEGINS_NOUN.get(first, 0) and not _VERBS.intersection(others)


def without_expletive(text: str) -> str:
    """Cut "it is important that" at the beginning, whose "it" stands for nothing."""
    found = _EXPLETIVE.match(text)
    return text[found.end() :].removeprefix(" that").strip() or text if found else text


def points_at_start(text: str, language: Language) -> bool:
    """Whether a sentence begins with a pronoun, which the sentence before it may explain."""
    plain = text.replace("\u2019", "'")
    return language == "en" and _STARTS_WITH_PRONOUN.match(plain) is not None


def _has_loose_pronoun(text: str) -> bool:
    """Whether the first pronoun has no noun before it that it may stand for."""
    without = _EXPLETIVE.sub(" ", text)
    first = _PRONOUN.search(without)
    if first is None:
        return False
    before = without[: first.start()]
    return not any(
        not _NO_NOUN.match(found.group().split()[-1]) for found in _NOUN.finditer(before)
    )

"""Reads how a user's message begins as a reply: words of assent, or an option's number; pure.

Every pattern takes time linear in the text.
"""

import re
from dataclasses import dataclass
from typing import Final

from intaglio.capture.agent_sentences import READ_CHARS
from intaglio.capture.reply_words import pattern
from intaglio.language.negation import is_negated

OPENING_CHARS: Final = 240
_LIST_LINE: Final = re.compile(r"^\s{0,8}\d{1,2}[.)]\s", re.MULTILINE)
_SENTENCE_END: Final = re.compile(r"(?<=[^\W\d])[.!;]+(?=\s|$)|[?？。！；\n]")
_BETWEEN: Final = re.compile(r"[\s,，、.。!！;:*_~–—-]*")
_LABEL: Final = re.compile(
    r"#?(?P<label>\d{1,2}|[a-h]|[一二三四五])(?![\w/]|\.\d)[).:：]?", re.IGNORECASE
)
_NEXT_LABEL: Final = re.compile(
    r"\s*(?:,|&|\+|/|and|or|und|oder|y|o|et|ou|和|或)\s*(?:\d|[a-h])\b", re.IGNORECASE
)
_CJK_NUMBERS: Final = "一二三四五"
# What changes the option that is chosen: "the second, but with 30 s".
_CHANGES: Final = re.compile(
    r"\s*(?:[,;–—-]\s*)?(?:but|with|without|plus|except|only|aber|nur|mit|ohne|pero|con|sin|mais|"
    r"avec|sans)\b",
    re.IGNORECASE,
)
# What judges the option rather than changes it: "but it's too slow".
_STATES: Final = re.compile(
    r"\b(?:is|are|was|it's|that's|looks?|seems?|sounds?|tell|think|want|need|ist|sind|es|c'est|si)\b",
    re.IGNORECASE,
)
_TAKES_BACK: Final = re.compile(r"(?:actually|no|nope|wait|sorry|nein|non)\b", re.IGNORECASE)
_COMMA: Final = re.compile(r"\s*[,;，；]")
# "Yes, what are the options", "yes, if it is free": who asks on, or sets a condition, accepts
# nothing.
_ASKS_ON: Final = re.compile(
    r"(?:and\s|but\s|so\s)?(?:what|which|how(?!\syou)|why(?!\snot)|when|where|who|could you|"
    r"can you|would you|do you|does|is (?:it|that|this|there)|are (?:you|they|there)|"
    r"will (?:it|that|this)|should (?:we|i)|if|once|und wie|"
    r"wie(?!\s(?:du|besprochen|vorgeschlagen))|warum(?!\snicht)|"
    r"welche[rs]?|wer|wo|wenn|falls|sobald|qué|cómo|cuál|quoi|quel|quelle|quand|comment|"
    r"pourquoi(?!\spas))\b",
    re.IGNORECASE,
)
QUESTION_MARKS: Final = "?？"
_BESIDE_WORDS: Final = " \t\n.,;:!，；。–—-"


def leans_on_agent(message: str) -> bool:
    """Whether a message accepts or chooses something, whatever the agent said; cheap."""
    return ReplyOpening.read(message) is not None


def assents(message: str) -> bool:
    """Whether a message says yes, or chooses an option, without a "but" or a "maybe"."""
    opening = ReplyOpening.read(message)
    return opening is not None and (
        opening.accepts or (opening.label is not None and not opening.rest)
    )


def chosen_option(message: str) -> "OptionLabel | None":
    """Return the option that a message chooses, whatever the agent has said."""
    opening = ReplyOpening.read(message)
    return None if opening is None else opening.label


def is_bare_assent(message: str) -> bool:
    """Whether a message says yes, or chooses an option, and nothing else: "ok, go ahead"."""
    plain = message.replace("\u2019", "'").strip()
    if len(plain) > OPENING_CHARS:
        return False
    assent = _assent(plain, 0, len(plain))
    if assent.label is not None:
        return not _rest(plain[assent.label.end :])
    return not assent.is_nothing and not plain[assent.at :].strip(" \t\n.!。！;；")


@dataclass(frozen=True, slots=True)
class OptionLabel:
    """The number of an option, from 0, and how it is labelled; no kind: "the first".

    ``end`` is where the label ends in the message.
    """

    number: int
    kind: str
    end: int
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class ReplyOpening:
    """The beginning of a user's message, as far as it replies.

    ``rest`` is what follows the words of assent, or the option, in the same sentence, ``weak`` if
    these may only praise what the agent did.
    """

    end: int
    accepts: bool = False
    weak: bool = False
    label: OptionLabel | None = None
    rest: str = ""

    @classmethod
    def read(cls, message: str) -> "ReplyOpening | None":
        """Read a message; None if it asks, lists, or begins with no words of assent."""
        plain = message.replace("\u2019", "'")
        start = len(plain) - len(plain.lstrip())
        end, asks = _sentence_end(plain, start)
        if asks or len(_LIST_LINE.findall(plain[:READ_CHARS])) > 1:
            return None
        more = plain[end : end + OPENING_CHARS].strip(" \t\n.!。！;；")
        assent = _assent(plain, start, end)
        if assent.label is None and assent.at >= end and more and not assent.is_nothing:
            # "Okay. Let's go with option 1."
            after = plain.index(more, end)
            further, asks = _sentence_end(plain, after)
            label = None if asks else _label(plain, after, further)
            if label is not None:
                return cls(further, label=label, rest=_rest(plain[label.end : further]))
        if assent.label is not None:
            if _takes_back(more):
                # "2. Actually no, 1": nobody knows which is meant.
                return cls(end)
            return cls(end, label=assent.label, rest=_rest(plain[assent.label.end : end]))
        return None if assent.is_nothing else cls._accepting(assent, plain[assent.at : end], more)

    @classmethod
    def _accepting(cls, assent: "_Assent", rest: str, more: str) -> "ReplyOpening":
        end = assent.at + len(rest)
        rest = rest.strip()
        if _ASKS_ON.match(rest):
            return cls(end)
        hedges = pattern("hedge")
        if hedges.search(rest) or hedges.match(more.lstrip(", ")):
            return cls(end)
        if not assent.strong and (rest or more):
            return cls(end)
        return cls(end, accepts=True, weak=not assent.strong, rest=rest)


@dataclass(frozen=True, slots=True)
class _Assent:
    """Words of assent: where they end, how sure they are, and the option that follows them."""

    at: int
    strong: bool
    weak: bool
    label: OptionLabel | None

    @property
    def is_nothing(self) -> bool:
        return not self.strong and not self.weak and self.label is None


def _assent(plain: str, start: int, end: int) -> _Assent:
    at, strong, weak = start, False, False
    label = _label(plain, start, end)
    while at < end and label is None:
        surely = pattern("assent").match(plain, at, end)
        perhaps = surely or pattern("weak_assent").match(plain, at, end)
        found = perhaps or pattern("filler").match(plain, at, end)
        if found is None:
            break
        strong, weak = strong or surely is not None, weak or perhaps is not None
        between = _BETWEEN.match(plain, found.end(), end)
        at = between.end() if between is not None else found.end()
        label = _label(plain, at, end)
    return _Assent(at, strong, weak, label)


def _sentence_end(plain: str, start: int) -> tuple[int, bool]:
    """Return where the sentence that begins there ends, and whether it is a question."""
    cut = _SENTENCE_END.search(plain, start, start + OPENING_CHARS)
    if cut is None:
        return min(len(plain), start + OPENING_CHARS), False
    return cut.start(), cut.group() in QUESTION_MARKS


def _label(plain: str, at: int, end: int) -> OptionLabel | None:
    """Return the option that is named; None if none or several are."""
    chose = pattern("chooses").match(plain, at, end)
    place = chose.end() if chose else at
    place += len(plain[place:end]) - len(plain[place:end].lstrip())
    for number, name in enumerate(("first", "second", "third")):
        found = pattern(name).match(plain, place, end)
        if found is not None and not _NEXT_LABEL.match(plain, found.end(), end):
            # "First, run the tests" begins a list of the user's own.
            is_one = " " in found.group().strip()
            if _is_choice(plain, found.end(), end) or (
                is_one and _COMMA.match(plain, found.end(), end)
            ):
                return OptionLabel(number, "", found.end(), is_named=True)
    named = pattern("option").match(plain, place, end)
    if named:
        place = named.end()
        place += len(plain[place:end]) - len(plain[place:end].lstrip())
    found = _LABEL.match(plain, place, end)
    if found is None or _NEXT_LABEL.match(plain, found.end(), end):
        return None
    is_bare = (
        _is_choice(plain, found.end(), end) or plain[found.end() : end].lstrip()[:1] in ",，-–—"
    )
    # "3. Configure the tool": an item of a list of the user's own, or a number of something.
    if not is_bare and not named and not (chose and found.group()[-1] in ":："):
        return None
    if found["label"].lower() == "a" and not is_bare and not named:
        return None
    kind = "number" if found["label"].isdigit() else "letter"
    return OptionLabel(label_number(found["label"]), kind, found.end(), named is not None)


def _takes_back(more: str) -> bool:
    """Whether the sentence behind a choice doubts it, or chooses once more."""
    doubts = pattern("hedge").match(more) or _TAKES_BACK.match(more)
    return doubts is not None or _label(more, 0, len(more)) is not None


def _is_choice(plain: str, at: int, end: int) -> bool:
    """Whether what follows an option's name leaves it a choice: nothing, or what changes it."""
    rest = plain[at:end].strip(" .,!")
    return (
        not rest
        or pattern("option").match(rest) is not None
        or pattern("filler").match(rest) is not None
        or _CHANGES.match(plain, at, end) is not None
    )


def changes_option(rest: str) -> bool:
    """Whether what follows an option changes it, and neither judges, denies nor asks.

    "But with 30 s", not "but it's too slow".
    """
    change = _CHANGES.match(rest)
    if change is None:
        return False
    behind = rest[change.end() :].strip()
    return not (
        is_negated(behind)
        or pattern("hedge").search(behind)
        or _ASKS_ON.match(behind)
        or _STATES.search(rest)
    )


def _rest(text: str) -> str:
    """Return what stands behind an option without the words that say nothing: "then, please"."""
    text = text.strip(_BESIDE_WORDS)
    while (filler := pattern("filler").match(text)) or (filler := pattern("option").match(text)):
        text = text[filler.end() :].strip(_BESIDE_WORDS)
    return text


def label_number(label: str) -> int:
    """Return an option's number, from 0, by its label: "2", "b" or "二"."""
    if label.isdigit():
        return int(label) - 1
    if label in _CJK_NUMBERS:
        return _CJK_NUMBERS.index(label)
    return ord(label.lower()) - ord("a")

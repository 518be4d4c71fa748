"""Finds what a user's short reply accepts, chooses or answers in the agent's last message; pure.

"Yes", "option 2" and "seven" mean nothing alone: what is stored is the agent's own sentence. Rules
only; the word lists are data. Every pattern takes time linear in the text.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.capture.agent_sentences import (
    READ_CHARS,
    AgentSentence,
    last_sentences,
    unformatted,
)
from intaglio.capture.answers import answered, is_open_question
from intaglio.capture.reply_words import (
    base_form,
    is_once,
    names_something,
    pattern,
    points_elsewhere,
)
from intaglio.capture.values import Clause, Statement
from intaglio.capture.wording import leaves_it_to_the_agent
from intaglio.language.detection import Language, language_of
from intaglio.language.negation import count_denials
from intaglio.language.tokens import count_words, fold, is_cjk, words

AcceptanceForm: TypeAlias = Literal["agreed", "chosen", "confirmed", "answered"]

# A recommendation may stand before the reasons for it.
_LONGER: Final = 12
_HEAD_CHARS: Final = 240
_MAX_ANSWER_WORDS: Final = 8
_MAX_CHOICE_WORDS: Final = 4
_MAX_PROPOSAL_CHARS: Final = 320
_MIN_WORDS: Final = 3
_MIN_LETTERS: Final = 4
_MAX_OPTIONS: Final = 9
# Begins a sentence rather than an answer.
_SPEAKS: Final = re.compile(
    r"(?:we|i|i'm|it|they|you|let's|always|never|use|don't|please|wir|ich|nous|on|je|yo|我|我们)\b",
    re.IGNORECASE,
)
_SURE: Final = 0.8
_LIKELY: Final = 0.6

_LIST_LINE: Final = re.compile(r"^\s{0,8}\d{1,2}[.)]\s", re.MULTILINE)
_OPTION_LABEL: Final = re.compile(
    r"(?:option|approach|solution)\s(?:\d{1,2}|[a-h])\b[\s:–—-]*|(?:both|yes|no)(?:,|\s[–—-])\s+",
    re.IGNORECASE,
)
_OPENS_OPTION: Final = re.compile(r"^(?:or|oder|ou|o)\s", re.IGNORECASE)
_OPTION_NAME: Final = re.compile(r"option\s(?P<label>\d{1,2}|[a-h])\b", re.IGNORECASE)
_CLAUSE: Final = re.compile(
    r"(?:the|a|an|our|your|this|every|all|we|you|i|it)\b.{2,80}?\b(?:is|are|should|must|will|"
    r"stays?|has|have|can|goes|lives?)\b",
    re.IGNORECASE,
)
_HEAD_END: Final = re.compile(r"(?<=[^\W\d])[.!;]+(?=\s|$)|[?？。！；\n]")
_BETWEEN: Final = re.compile(r"[\s,，、.。!！;:*_~–—-]*")
_ITEM: Final = re.compile(
    r"(?:(?<=\n)|(?<=\s)|^)(?:[-*•]\s{1,3})?"
    r"(?P<named>(?:option|approach|solution|variante?|alternative|plan|opción|方案|选项)\s?)?"
    r"(?P<label>\d{1,2}|[A-H]|[一二三四五])(?P<end>[.):：、]|\s[–—-]\s)(?=\s?\S)",
    re.IGNORECASE,
)
# What follows the options in the same line.
_AFTER_OPTIONS: Final = re.compile(
    r"(?<=[.!?)\w])\s+(?=(?:which|what|would you|do you|should|shall|please|let me know|tell me|"
    r"once you|your preference|my recommendation|i recommend|i'd|the first|the second)\b)"
    r"|(?<=[.!?])\s+(?=[A-Z])",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    r"#?(?P<label>\d{1,2}|[a-h]|[一二三四五])(?![\w/]|\.\d)[).:：]?", re.IGNORECASE
)
_NEXT_LABEL: Final = re.compile(
    r"\s*(?:,|&|\+|/|and|or|und|oder|y|o|et|ou|和|或)\s*(?:\d|[a-h])\b", re.IGNORECASE
)
_CJK_NUMBERS: Final = "一二三四五"
_ALTERNATIVES: Final = re.compile(r",?\s(?:or|oder|ou|o)\s|还是", re.IGNORECASE)
_TAG: Final = re.compile(
    r"(?:,\s|\s)(?:right|correct|okay|ok|yes|no|please|first|now|then|instead)$", re.IGNORECASE
)
_GOES_AHEAD: Final = re.compile(
    r"(?:(?:go ahead|proceed|continue|move forward|start)\s(?:and|with|by|to)\s)", re.IGNORECASE
)
_ALSO: Final = re.compile(r"^(?:also|then|just|rather|simply)\s", re.IGNORECASE)
_EVALUATES: Final = re.compile(r"(?:\w+ly|worth|yes|no|well|good|great)\b", re.IGNORECASE)
_REASON: Final = re.compile(r"\s(?:–|—|--)\s.*", re.DOTALL)
_SUBORDINATE: Final = re.compile(r"^(?:that\s)?(?:we|you|to)\s(?:should\s)?", re.IGNORECASE)
_ASKS: Final = "?？"
_NUMBER: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class AcceptedProposal:
    """What the user's reply makes a statement of the agent's words.

    ``content`` is what is stored. ``said_by_agent`` are the agent's own words, as written.
    ``confidence`` is the share of such statements that a careful reader would keep.
    """

    form: AcceptanceForm
    content: str
    said_by_agent: str
    confidence: float


@dataclass(frozen=True, slots=True)
class UserAssent:
    """A user's message that leans on the agent's: what it accepts is in ``proposal``, if anything.

    ``end`` is the end of the reply in the message. ``is_bare`` if its words state nothing.
    """

    end: int
    proposal: AcceptedProposal | None = None
    is_bare: bool = True


def read_reply(before: str, message: str) -> UserAssent | None:
    """Read a message as a reply to the agent's; None if it stands for itself."""
    if not before.strip():
        return None
    head = _Head.read(message)
    if head is None:
        return None
    said = unformatted(before)
    label = head.label
    if label is not None:
        return UserAssent(head.end, _chosen(said, label))
    if head.accepts:
        found = _agreed(said, head)
        if found is not None and head.rest and not _shares_words(head.rest, found.said_by_agent):
            found = None
        if found is not None and _gives_other_number(message, found.said_by_agent):
            found = None
        return UserAssent(head.end, found, is_bare=not head.rest)
    return None


def proposes(before: str) -> bool:
    """Whether the agent's message ends with a question or a proposal."""
    said = unformatted(before)
    return any(one.is_question for one in last_sentences(said)) or _proposed(said) is not None


def accepted_text(before: str, message: str) -> str:
    """Return what of the agent's message the user accepts: all, one option, or nothing.

    Whether it is worth keeping is another question; see `read_reply`.
    """
    head = _Head.read(message)
    if head is None:
        return ""
    said = unformatted(before)
    if head.label is not None:
        recommended = _recommended_option(said, head.label)
        return recommended.said_by_agent if recommended else _option(said, head.label)
    accepts = head.accepts and not count_denials(head.rest)
    return before if accepts and not (head.weak and _agreed(said, head) is None) else ""


def leans_on_agent(message: str) -> bool:
    """Whether a message accepts or chooses something, whatever the agent said; cheap."""
    return _Head.read(message) is not None


def assents(message: str) -> bool:
    """Whether a message says yes, or chooses an option, without a "but" or a "maybe"."""
    head = _Head.read(message)
    return head is not None and (head.accepts or head.label is not None)


def is_bare_assent(message: str) -> bool:
    """Whether a message says yes, or chooses an option, and nothing else: "ok, go ahead"."""
    plain = message.replace("\u2019", "'").strip()
    assent = _assent(plain, 0, len(plain))
    if assent.label is not None:
        return count_words(plain) <= _MAX_CHOICE_WORDS
    return not assent.is_nothing and not plain[assent.at :].strip(" \t\n.!。！;；")


def accepted_statement(message: str, reply: UserAssent, proposal: AcceptedProposal) -> Statement:
    """Return what a reply accepts as a statement of the user.

    It is suggested at most: the words are the agent's, who may have read them anywhere.
    """
    start = len(message) - len(message.lstrip())
    words_of_user = " ".join(message[start : reply.end].split())
    return Statement(
        clause=Clause(
            number=-1,
            text=words_of_user,
            bare=words_of_user,
            start=start,
            end=reply.end,
            sentence_start=start,
            sentence_end=reply.end,
            language=language_of(proposal.content),
        ),
        content=proposal.content,
        type="decision",
        reach="project",
        confidence=proposal.confidence,
        outcome="suggested",
        corrects=False,
        stands_alone=False,
        said_by_agent=proposal.said_by_agent,
    )


def open_question(before: str, message: str) -> str:
    """Return the agent's question that a short message answers; empty if there is none."""
    answer = message.strip()
    if (
        not answer
        or "\n" in answer
        or any(sign in answer for sign in _ASKS)
        or pattern("hedge").search(answer)
        or count_words(answer) > _MAX_ANSWER_WORDS
        or leaves_it_to_the_agent(answer)
        or read_reply(before, message) is not None
        or is_once(answer)
        or _SPEAKS.match(answer)
        or points_elsewhere(answer)
    ):
        return ""
    asked = [one.text for one in last_sentences(unformatted(before)) if one.is_question]
    return asked[0] if len(asked) == 1 and is_open_question(asked[0]) else ""


@dataclass(frozen=True, slots=True)
class _Label:
    """The number of an option, from 0, and how it is labelled; no kind: "the first"."""

    number: int
    kind: str
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class _Head:
    """The beginning of a user's message, as far as it replies.

    ``rest`` is what follows the words of assent in the same sentence, ``weak`` if these may only
    praise what the agent did.
    """

    end: int
    accepts: bool = False
    weak: bool = False
    label: _Label | None = None
    rest: str = ""

    @classmethod
    def read(cls, message: str) -> "_Head | None":
        plain = message.replace("\u2019", "'")
        start = len(plain) - len(plain.lstrip())
        end, asks = _sentence_end(plain, start)
        if asks or len(_LIST_LINE.findall(plain[:READ_CHARS])) > 1:
            return None
        more = plain[end:].strip(" \t\n.!。！;；")
        assent = _assent(plain, start, end)
        if assent.label is None and assent.at >= end and more and not assent.is_nothing:
            # "Okay. Let's go with option 1."
            after = plain.index(more, end)
            further, asks = _sentence_end(plain, after)
            label = None if asks else _label(plain, after, further)
            if label is not None:
                return cls(further, label=label)
        if assent.label is not None:
            return cls(end, label=assent.label)
        return None if assent.is_nothing else cls._accepting(assent, plain[assent.at : end], more)

    @classmethod
    def _accepting(cls, assent: "_Assent", rest: str, more: str) -> "_Head":
        end = assent.at + len(rest)
        rest = rest.strip()
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
    label: _Label | None

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
    cut = _HEAD_END.search(plain, start, start + _HEAD_CHARS)
    if cut is None:
        return min(len(plain), start + _HEAD_CHARS), False
    return cut.start(), cut.group() in _ASKS


def _label(plain: str, at: int, end: int) -> _Label | None:
    """Return the option that is named; None if none or several are."""
    chose = pattern("chooses").match(plain, at, end)
    place = chose.end() if chose else at
    place += len(plain[place:end]) - len(plain[place:end].lstrip())
    for number, name in enumerate(("first", "second", "third")):
        found = pattern(name).match(plain, place, end)
        if found is not None and not _NEXT_LABEL.match(plain, found.end(), end):
            rest = plain[found.end() : end].strip(" .,!")
            if not rest or pattern("option").match(rest) or pattern("filler").match(rest):
                return _Label(number, "", is_named=True)
    named = pattern("option").match(plain, place, end)
    if named:
        place = named.end()
        place += len(plain[place:end]) - len(plain[place:end].lstrip())
    found = _LABEL.match(plain, place, end)
    if found is None or _NEXT_LABEL.match(plain, found.end(), end):
        return None
    rest = plain[found.end() : end].strip()
    is_bare = not rest or rest[0] in ",，-–—" or pattern("filler").match(rest) is not None
    # "3. Configure the tool": an item of a list of the user's own, or a number of something.
    if not is_bare and not named and not (chose and found.group()[-1] in ":："):
        return None
    if found["label"].lower() == "a" and not is_bare and not named:
        return None
    kind = "number" if found["label"].isdigit() else "letter"
    return _Label(_value(found["label"]), kind, named is not None)


def _value(label: str) -> int:
    if label.isdigit():
        return int(label) - 1
    if label in _CJK_NUMBERS:
        return _CJK_NUMBERS.index(label)
    return ord(label.lower()) - ord("a")


def _chosen(said: str, label: _Label) -> AcceptedProposal | None:
    """Return the option of that number in the last enumeration."""
    recommended = _recommended_option(said, label)
    text = _option(said, label)
    if recommended is not None or not text:
        return recommended
    if is_once(text, "work_verbs") or not _is_statement(text):
        return None
    last = last_sentences(said)
    if not any(one.is_question or pattern("asks_choice").search(one.text) for one in last):
        return None
    asked = next((one.text for one in reversed(last) if one.is_question), "")
    if asked and is_open_question(asked) and count_words(text) <= _MAX_ANSWER_WORDS:
        content = answered(asked, text)
    else:
        content = _sentence(text)
    if points_elsewhere(content):
        return None
    return AcceptedProposal("chosen", content, text, _LIKELY)


def _option(said: str, label: _Label) -> str:
    """Return the text of the option of that number; empty if there is none."""
    kind, options = _options(said)
    is_other = bool(label.kind) and kind != label.kind
    return "" if is_other or not 0 <= label.number < len(options) else options[label.number]


def _recommended_option(said: str, label: _Label) -> AcceptedProposal | None:
    """Return what the agent recommended, if it is the option that the user chose."""
    found = _proposed(said)
    if found is None or not label.is_named:
        return None
    named = _OPTION_NAME.search(found.said_by_agent)
    return found if named is not None and _value(named["label"]) == label.number else None


def _options(said: str) -> tuple[str, list[str]]:
    """Return the texts of the last enumeration, in order, and what labels them."""
    group: list[re.Match[str]] = []
    last: list[re.Match[str]] = []
    kind, last_kind = "", ""
    for item in _ITEM.finditer(said):
        label = item["label"]
        if label.islower() and not item["named"]:
            continue
        number = _value(label)
        same = label.isdigit() == (kind == "number")
        if group and same and number == len(group):
            group.append(item)
        elif number == 0:
            group, kind = [item], "number" if label.isdigit() else "letter"
        else:
            continue
        if len(group) > 1:
            last, last_kind = group, kind
    if not 1 < len(last) <= _MAX_OPTIONS:
        return "", []
    ends = [*(item.start() for item in last[1:]), len(said)]
    texts = [_option_text(said[item.end() : end]) for item, end in zip(last, ends, strict=True)]
    return last_kind, texts


def _option_text(text: str) -> str:
    line = text.strip().split("\n", 1)[0]
    cut = _AFTER_OPTIONS.search(line)
    line = line[: cut.start()] if cut else line
    line = _OPENS_OPTION.sub("", line.strip(" \t-*•"))
    return line.rstrip(" \t,;:?？(")[:_MAX_PROPOSAL_CHARS]


def _agreed(said: str, head: _Head) -> AcceptedProposal | None:
    """Return the one proposal that a question at the end asks about, or that stands there."""
    last = last_sentences(said)
    questions = [one for one in last if one.is_question]
    asking = [one for one in questions if not pattern("asks_assent").match(_plain(one.text))]
    if len(asking) > 1:
        return None
    if asking:
        return _asked(asking[0], said, head)
    if questions:
        return _proposed(said) or _said_to_last(last)
    is_last = bool(last) and pattern("proposes").match(_plain(last[-1].text)) is not None
    return _proposed(said) if is_last or not head.weak else None


def _asked(question: AgentSentence, said: str, head: _Head) -> AcceptedProposal | None:
    text = _plain(question.text)
    leave = pattern("asks_leave").match(text)
    if leave is not None:
        wanted = _without_tag(text[leave.end() :])
        wanted = _picked(wanted, head.rest)
        ahead = _GOES_AHEAD.match(wanted)
        wanted = wanted[ahead.end() :] if ahead else wanted
        return _proposal("agreed", wanted, question.text) or _proposed(said)
    back = pattern("reads_back").match(text)
    if back is not None or text.lower().rstrip(" ?？").endswith((", right", ", correct")):
        wanted = text[back.end() :] if back else text
        wanted = _without_tag(wanted).strip(" ,:")
        if not pattern("lasting_words").search(wanted):
            return None
        return _proposal("confirmed", wanted, question.text)
    # "Which one? My recommendation: …" accepts the recommendation.
    return _proposed(said)


def _without_tag(text: str) -> str:
    """Return a question without its mark, and without the ", right" before it."""
    return _TAG.sub("", text.rstrip(" \t?？.。!！")).strip()


def _picked(wanted: str, rest: str) -> str:
    """Return the alternative that the user's further words name; empty if it isn't clear."""
    parts = _ALTERNATIVES.split(wanted)
    if len(parts) == 1:
        return wanted
    named = [part for part in parts if _shares_words(rest, part)]
    return named[0] if len(named) == 1 else ""


def _shares_words(rest: str, said: str) -> bool:
    """Whether further words of the user's are about what the agent said."""
    own = {word for word in words(fold(rest)) if len(word) >= _MIN_LETTERS or is_cjk(word)}
    return bool(own & set(words(fold(said))))


def _gives_other_number(message: str, said: str) -> bool:
    """Whether a reply names a number that the proposal, which has one, doesn't: "make it 4"."""
    own = set(_NUMBER.findall(message[:_HEAD_CHARS]))
    proposed = set(_NUMBER.findall(said))
    return bool(proposed and own - proposed)


def _proposed(said: str) -> AcceptedProposal | None:
    """Return the one proposal among the agent's last sentences."""
    last = last_sentences(said, _LONGER)
    marked = [
        (number, start)
        for number, one in enumerate(last)
        if not one.is_question and (start := pattern("proposes").match(_plain(one.text)))
    ]
    # "Recommended approach" may be the heading of the sentence that recommends.
    numbers = {number for number, _ in marked}
    marked = [
        (number, start)
        for number, start in marked
        if start.string[start.end() :].strip(" :：") or number + 1 not in numbers
    ]
    if len(marked) != 1:
        return None
    ((number, start),) = marked
    text = start.string
    wanted = text[start.end() :].strip(" :：*-–—,")
    if not wanted and number + 1 < len(last):
        wanted = _plain(last[number + 1].text)
    is_infinitive = wanted[:3].lower() == "to "
    verb = base_form(text[: start.end()].rstrip(" :：").rsplit(" ", 1)[-1])
    if verb and verb != "suggest":
        wanted = f"{verb} {wanted}"
    wanted = _OPTION_LABEL.sub("", _SUBORDINATE.sub("", wanted), count=1)
    asked = last[number - 1].text if number and last[number - 1].is_question else ""
    return _recommended(asked, wanted, last[number].text, is_infinitive=is_infinitive)


def _said_to_last(last: list[AgentSentence]) -> AcceptedProposal | None:
    """Return the first of the sentences before "Agreed?" whose words say that it lasts."""
    lasting = [
        one.text
        for one in last
        if not one.is_question and pattern("lasting_adverbs").search(one.text)
    ]
    return _proposal("agreed", lasting[0], lasting[0]) if lasting else None


def _recommended(
    asked: str, wanted: str, said: str, *, is_infinitive: bool
) -> AcceptedProposal | None:
    if is_once(wanted, "work_verbs"):
        return None
    if asked and is_open_question(asked):
        answer = _REASON.sub("", wanted)
        if count_words(answer) <= _MAX_ANSWER_WORDS:
            content = answered(asked, answer)
            if not points_elsewhere(content):
                return AcceptedProposal("agreed", content, f"{asked} {said}", _SURE)
    if _EVALUATES.match(wanted):
        return None
    content = _sentence(wanted if is_infinitive else _as_order(wanted, language_of(said)))
    if points_elsewhere(_REASON.sub("", content)) or not _is_statement(content):
        return None
    return AcceptedProposal("agreed", content, said, _SURE)


def _as_order(wanted: str, language: Language) -> str:
    """Return "use X" for "using X" and for a bare "X"; English only."""
    first, _, rest = wanted.partition(" ")
    if not first.isascii() or _CLAUSE.match(wanted) or language != "en":
        return wanted
    verb = base_form(first)
    if not verb and first.endswith("ing"):
        return wanted
    return f"{verb} {rest}" if verb else f"use {wanted}"


def _proposal(form: AcceptanceForm, wanted: str, said: str) -> AcceptedProposal | None:
    if not wanted or is_once(wanted) or points_elsewhere(wanted) or not _is_statement(wanted):
        return None
    confidence = _SURE if names_something(wanted) else _LIKELY
    return AcceptedProposal(form, _sentence(_ALSO.sub("", wanted)), said, confidence)


def _is_statement(text: str) -> bool:
    return count_words(text) >= _MIN_WORDS or (count_words(text) > 1 and names_something(text))


def _sentence(text: str) -> str:
    text = text.strip()
    if len(text) > _MAX_PROPOSAL_CHARS:
        text = text[:_MAX_PROPOSAL_CHARS].rsplit(" ", 1)[0] + " …"
    end = "" if text.endswith((".", "!", "。", "…", ")")) else "."
    return f"{text[:1].upper()}{text[1:]}{end}"


def _plain(text: str) -> str:
    return text.replace("\u2019", "'").lstrip(" \t-*•¿¡")

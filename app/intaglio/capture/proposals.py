"""Finds what a user's short reply accepts, chooses or answers in the agent's last message; pure.

"Yes", "option 2" and "seven" mean nothing alone: what is stored is the agent's own sentence. Rules
only; the word lists are data. Every pattern takes time linear in the text.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.capture.agent_options import MAX_OPTION_CHARS, option_text
from intaglio.capture.agent_sentences import AgentSentence, last_sentences, unformatted
from intaglio.capture.answers import answered, is_open_question
from intaglio.capture.reply_openings import (
    OPENING_CHARS,
    QUESTION_MARKS,
    OptionLabel,
    ReplyOpening,
    changes_option,
    label_number,
)
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
_MAX_ANSWER_WORDS: Final = 8
_MIN_WORDS: Final = 3
_MIN_LETTERS: Final = 4
# Begins a sentence rather than an answer.
_SPEAKS: Final = re.compile(
    r"(?:we|i|i'm|it|they|you|let's|always|never|use|don't|please|wir|ich|nous|on|je|yo|我|我们)\b",
    re.IGNORECASE,
)
_SURE: Final = 0.8
_LIKELY: Final = 0.6
_OPTION_LABEL: Final = re.compile(
    r"(?:option|approach|solution)\s(?:\d{1,2}|[a-h])\b[\s:–—-]*|(?:both|yes|no)(?:,|\s[–—-])\s+",
    re.IGNORECASE,
)
_OPTION_NAME: Final = re.compile(r"option\s(?P<label>\d{1,2}|[a-h])\b", re.IGNORECASE)
_CLAUSE: Final = re.compile(
    r"(?:the|a|an|our|your|this|every|all|we|you|i|it)\b.{2,80}?\b(?:is|are|should|must|will|"
    r"stays?|has|have|can|goes|lives?)\b",
    re.IGNORECASE,
)
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
    opening = ReplyOpening.read(message)
    if opening is None:
        return None
    said = unformatted(before)
    label = opening.label
    if label is not None:
        return UserAssent(opening.end, _chosen(said, label, opening.rest), is_bare=not opening.rest)
    if opening.accepts:
        found = _agreed(said, opening)
        if (
            found is not None
            and opening.rest
            and not _shares_words(opening.rest, found.said_by_agent)
        ):
            found = None
        if found is not None and _gives_other_number(message, found.said_by_agent):
            found = None
        return UserAssent(opening.end, found, is_bare=not opening.rest)
    return None


def proposes(before: str) -> bool:
    """Whether the agent's message ends with a question or a proposal."""
    said = unformatted(before)
    return any(one.is_question for one in last_sentences(said)) or _proposed(said) is not None


def accepted_text(before: str, message: str) -> str:
    """Return what of the agent's message the user accepts: all, one option, or nothing.

    Whether it is worth keeping is another question; see `read_reply`.
    """
    opening = ReplyOpening.read(message)
    if opening is None:
        return ""
    said = unformatted(before)
    if opening.label is not None:
        recommended = _recommended_option(said, opening.label)
        return recommended.said_by_agent if recommended else option_text(said, opening.label)
    accepts = opening.accepts and not count_denials(opening.rest)
    return before if accepts and not (opening.weak and _agreed(said, opening) is None) else ""


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
        or any(sign in answer for sign in QUESTION_MARKS)
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


def _chosen(said: str, label: OptionLabel, changed: str) -> AcceptedProposal | None:
    """Return the option of that number in the last enumeration, and what the user ``changed``."""
    recommended = _recommended_option(said, label)
    text = option_text(said, label)
    if recommended is not None and not changed:
        return recommended
    if not text or is_once(text, "work_verbs") or not _is_statement(text):
        return None
    # "Option 2 doesn't work" chooses nothing.
    if changed and not changes_option(changed):
        return None
    last = last_sentences(said)
    # A bare number may be that of a step that was done.
    is_sure = label.is_named or label.kind == "letter" or _proposed(said) is not None
    if not is_sure and not any(
        one.is_question or pattern("asks_choice").search(one.text) for one in last
    ):
        return None
    asked = next((one.text for one in reversed(last) if one.is_question), "")
    if asked and is_open_question(asked) and count_words(text) <= _MAX_ANSWER_WORDS:
        content = answered(asked, text)
    else:
        content = _sentence(text)
    if changed:
        content = _sentence(f"{content.rstrip('.')}, {changed}")
    if points_elsewhere(content):
        return None
    return AcceptedProposal("chosen", content, text, _LIKELY)


def _recommended_option(said: str, label: OptionLabel) -> AcceptedProposal | None:
    """Return what the agent recommended, if it is the option that the user chose."""
    found = _proposed(said)
    if found is None or not label.is_named:
        return None
    named = _OPTION_NAME.search(found.said_by_agent)
    return found if named is not None and label_number(named["label"]) == label.number else None


def _agreed(said: str, opening: ReplyOpening) -> AcceptedProposal | None:
    """Return the one proposal that a question at the end asks about, or that stands there."""
    last = last_sentences(said)
    questions = [one for one in last if one.is_question]
    asking = [one for one in questions if not pattern("asks_assent").match(_plain(one.text))]
    if len(asking) > 1:
        return None
    if asking:
        return _asked(asking[0], said, opening)
    if questions:
        return _proposed(said) or _said_to_last(last)
    is_last = bool(last) and pattern("proposes").match(_plain(last[-1].text)) is not None
    return _proposed(said) if is_last or not opening.weak else None


def _asked(question: AgentSentence, said: str, opening: ReplyOpening) -> AcceptedProposal | None:
    text = _plain(question.text)
    leave = pattern("asks_leave").match(text)
    if leave is not None:
        wanted = _without_tag(text[leave.end() :])
        wanted = _picked(wanted, opening.rest)
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
    own = set(_NUMBER.findall(message[:OPENING_CHARS]))
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
    if len(text) > MAX_OPTION_CHARS:
        text = text[:MAX_OPTION_CHARS].rsplit(" ", 1)[0] + " …"
    end = "" if text.endswith((".", "!", "。", "…", ")")) else "."
    return f"{text[:1].upper()}{text[1:]}{end}"


def _plain(text: str) -> str:
    return text.replace("\u2019", "'").lstrip(" \t-*•¿¡")

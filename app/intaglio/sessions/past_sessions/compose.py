"""Composes what is told of a past session: whole sentences, in the order they were said; pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from operator import itemgetter
from typing import Final

from intaglio.base.clock import local_day
from intaglio.base.text import estimate_tokens
from intaglio.capture.proposals import proposes
from intaglio.capture.reply_openings import (
    assents,
    chosen_option,
    is_bare_assent,
    leans_on_agent,
)
from intaglio.domain.told_lines import ToldKind
from intaglio.language.tokens import count_words
from intaglio.language.topics import topic_words
from intaglio.memory.values import Memory
from intaglio.sessions.asked.words import asked_words
from intaglio.sessions.past_sessions.choose import lasting_by_message
from intaglio.sessions.past_sessions.plain_sentences import plain, plain_sentences
from intaglio.sessions.past_sessions.quotation import quoted
from intaglio.sessions.past_sessions.read import objects
from intaglio.sessions.past_sessions.replaced import ReplacedStatements
from intaglio.sessions.past_sessions.speakers import UserWords, is_noise, may_be_told, user_words
from intaglio.sessions.past_sessions.values import JudgedSentence, ReadSession
from intaglio.sessions.values import SessionLine
from intaglio.transcripts.values import StoredMessage

_LASTING: Final = 0.3
_BESIDE: Final = 0.2
_KEPT: Final = 0.5
_MAX_PROPOSAL: Final = 420
_MAX_WHOLE: Final = 360
_MORE_THAN: Final = 5
_MAX_RECAP: Final = 240
# "Understood." tells nothing.
_MIN_RECAP_WORDS: Final = 4
_BEST: Final = 2
# A message takes 0.3 ms to read for who speaks in it; no budget holds more lines.
_MOST_MESSAGES: Final = 24
_FRAME_TOKENS: Final = 12
_QUESTION: Final = ("?", "\uff1f")


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Lines that may be told, all or none; ``order`` is their place in the session."""

    lines: tuple[SessionLine, ...]
    memories: tuple[Memory, ...]
    order: tuple[int, int]
    worth: float

    @property
    def tokens(self) -> int:
        return sum(estimate_tokens(quoted(line)) + 1 for line in self.lines)

    @property
    def has_text(self) -> bool:
        return all(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class ToldOfSession:
    """What is told of a session, in order, and the memories in it."""

    lines: tuple[SessionLine, ...]
    memories: tuple[Memory, ...]


NOTHING_TOLD: Final = ToldOfSession((), ())


def told_of(session: ReadSession, tokens: int, seen: Mapping[str, str]) -> ToldOfSession:
    """Return what is told of a session within a number of tokens.

    What ``seen`` (memories in the current session's context, and since when) has is left out.
    """
    candidates = sorted(_candidates(session, seen), key=lambda each: -each.worth)
    left = tokens - _FRAME_TOKENS
    chosen: list[_Candidate] = []
    for each in candidates:
        if each.has_text and each.tokens <= left:
            chosen.append(each)
            left -= each.tokens
    if not chosen:
        return NOTHING_TOLD
    chosen.sort(key=lambda each: each.order)
    lines = [line for each in chosen for line in each.lines]
    recap = _recap(session, chosen)
    if recap is not None and estimate_tokens(quoted(recap)) + 1 <= left:
        lines.append(recap)
    memories = {memory.id: memory for each in chosen for memory in each.memories}
    return ToldOfSession(tuple(lines), tuple(memories.values()))


def is_tellable(session: ReadSession, tokens: int, seen: Mapping[str, str]) -> bool:
    """Whether `told_of` would tell anything of a session."""
    left = tokens - _FRAME_TOKENS
    return any(each.has_text and each.tokens <= left for each in _candidates(session, seen))


def _candidates(session: ReadSession, seen: Mapping[str, str]) -> Iterator[_Candidate]:
    matched = session.match.messages
    lasting = lasting_by_message(session)
    ranked = sorted(matched, key=lambda number: -matched[number])
    best = ranked[0] if ranked else 0
    following = dict(zip(session.messages, session.messages[1:], strict=False))
    stale = _stale(session)
    by_message: dict[str, list[JudgedSentence]] = {}
    for sentence in session.sentences:
        by_message.setdefault(sentence.message_id, []).append(sentence)
    remembered = {each.message_id for each in session.sentences if each.memory is not None}

    def worth_of(message: StoredMessage) -> float:
        return matched.get(message.number, 0.0) + lasting.get(message.message_id, 0.0)

    places = [
        (place, message)
        for place, message in enumerate(session.messages)
        if message.number not in stale
        and (
            message.message_id in by_message
            or message.number in session.accepted
            or message.number in ranked[:_BEST]
        )
    ]
    read = nlargest(
        _MOST_MESSAGES,
        places,
        key=lambda each: worth_of(each[1]) + _KEPT * (each[1].message_id in remembered),
    )
    answers: set[int] = set()
    for place, message in sorted(read, key=itemgetter(0)):
        worth = worth_of(message)
        if message.number in answers:
            continue
        if message.role == "agent":
            reply = following.get(message)
            lines = _of_agent(message, reply, session, is_best=message.number in ranked[:_BEST])
            memories: tuple[Memory, ...] = ()
            if reply is not None and len(lines) > 1:
                answers.add(reply.number)
                memories = _memories(by_message.get(reply.message_id, ()))
                worth = max(worth, worth_of(reply)) + (_KEPT if memories else 0.0)
            if lines:
                yield _Candidate(lines, memories, (place, 0), worth)
            continue
        judged = by_message.get(message.message_id)
        if judged is None:
            continue
        words = user_words(message.text)
        own = sorted(
            (each for each in judged if each.hidden or words.has(each.sentence)),
            key=lambda each: each.start,
        )
        whole = _whole(message, own, words, seen)
        if whole is not None:
            line, kept = whole
            yield _Candidate((line,), kept, (place, 0), worth + (_KEPT if kept else 0.0))
        else:
            yield from _of_user(own, seen, place, worth, is_best=message.number == best)


def _of_agent(
    message: StoredMessage, reply: StoredMessage | None, session: ReadSession, *, is_best: bool
) -> tuple[SessionLine, ...]:
    """Return what is told of an agent's message, with what the user answered beyond a yes."""
    is_chosen = _is_chosen(message, reply, session)
    text = plain(session.accepted[message.number]) if is_chosen else _proposal(message, session)
    is_report = not session.accepted.get(message.number) and not proposes(message.text)
    if is_report and count_words(text) < _MIN_RECAP_WORDS:
        text = ""
    if text:
        # The message that accepted it may have been removed, and another stand in its place.
        answer = (
            _answer(reply, is_chosen=is_chosen)
            if reply is not None and reply.role == "user"
            else None
        )
        if answer is None:
            return ()
        if answer:
            asked = "" if is_chosen else _question(message)
            return SessionLine(f"{text} {asked}".strip(), "proposed"), SessionLine(
                answer, "answered"
            )
        # "Perfect" to what the agent reports agrees to no proposal.
        return (SessionLine(text, "recap" if is_report else "proposal"),)
    if is_best and not _is_refused(reply):
        text = _end_of(_statements(message), session.replaced)
        if count_words(text) >= _MIN_RECAP_WORDS:
            return (SessionLine(text, "recap"),)
    return ()


def _memories(sentences: Sequence[JudgedSentence]) -> tuple[Memory, ...]:
    return tuple(each.memory for each in sentences if each.memory is not None)


def _stale(session: ReadSession) -> frozenset[int]:
    """Return the rows of agent's messages beside what the user said and must not be told any more.

    An answer repeats what it answers, and what was accepted is the proposal's words.
    """
    found: set[int] = set()
    answers_outdated, before = False, None
    for message in session.messages:
        if message.role == "user":
            answers_outdated = message.message_id in session.outdated
            if answers_outdated and before is not None and before.number in session.accepted:
                found.add(before.number)
        elif answers_outdated:
            found.add(message.number)
        before = message
    return frozenset(found)


def _whole(
    message: StoredMessage,
    own: Sequence[JudgedSentence],
    words: UserWords,
    seen: Mapping[str, str],
) -> tuple[SessionLine, tuple[Memory, ...]] | None:
    """Return a short message as it was typed, if any of it is worth telling and all of it may be.

    "franz-go. Nothing with cgo": its shortest sentence may be what it is about.
    """
    if not any(each.confidence >= _LASTING for each in own) or any(each.hidden for each in own):
        return None
    if not words.is_all:
        return None
    kept = _memories(own)
    text = plain(asked_words(message.text).typed)
    if len(text) > _MAX_WHOLE or any(plain(memory.content) not in text for memory in kept):
        return None
    if not kept and (is_noise(text) or all(map(is_noise, plain_sentences(message.text)))):
        return None
    # A memory that was told is told again only with what stands beside it.
    if all(_is_seen(memory, seen) for memory in kept):
        said = " ".join(each for each in plain_sentences(message.text) if not is_noise(each))
        if len(said) <= _MORE_THAN + sum(len(memory.content) for memory in kept):
            return None
    return SessionLine(text, "memory" if kept else "said", kept[0].id if kept else None), kept


def _of_user(
    own: Sequence[JudgedSentence],
    seen: Mapping[str, str],
    place: int,
    worth: float,
    *,
    is_best: bool,
) -> Iterator[_Candidate]:
    """Yield the sentences of a message: kept ones each alone, those around them together."""
    open_ones = [each for each in own if not each.hidden]
    least = (
        _BESIDE if is_best or any(each.confidence >= _LASTING for each in open_ones) else _LASTING
    )
    together: list[str] = []
    start = 0
    for each in open_ones:
        if each.memory is not None:
            if _is_seen(each.memory, seen):
                continue
            kind: ToldKind = "proposal" if _is_of_agent(each.memory, each) else "memory"
            line = SessionLine(plain(each.memory.content), kind, each.memory.id)
            yield _Candidate((line,), (each.memory,), (place, each.start), worth + _KEPT)
        elif each.confidence >= least and not is_noise(each.sentence):
            start = start or each.start
            together.append(plain(each.sentence))
    if together:
        # The same sentence may have been judged as a whole and in part.
        kept = [text for at, text in enumerate(together) if not _is_part(text, at, together)]
        yield _Candidate((SessionLine(" ".join(kept), "said"),), (), (place, start), worth)


def _is_of_agent(memory: Memory, said: JudgedSentence) -> bool:
    """Whether a memory has the agent's words, which the user only accepted: "Yes, do that"."""
    content = topic_words(memory.content)
    shared = content & topic_words(said.sentence)
    return leans_on_agent(said.sentence) and 2 * len(shared) < len(content)


def _is_part(text: str, at: int, texts: Sequence[str]) -> bool:
    return any(text in other and (text != other or at > place) for place, other in enumerate(texts))


def _is_seen(memory: Memory, seen: Mapping[str, str]) -> bool:
    at = seen.get(memory.id)
    return at is not None and memory.updated_at <= at


def _is_refused(reply: StoredMessage | None) -> bool:
    return reply is not None and reply.role == "user" and objects(reply.text)


def _statements(message: StoredMessage) -> list[str]:
    return [
        each
        for each in plain_sentences(message.text)
        if not each.endswith(_QUESTION) and may_be_told(each)
    ]


def _end_of(sentences: Sequence[str], replaced: ReplacedStatements) -> str:
    """Return the last sentences: what an agent proposes stands at the end of what it says."""
    taken: list[str] = []
    left = _MAX_PROPOSAL
    for each in reversed(sentences):
        if len(each) > left:
            break
        if replaced.are_stated_in(each):
            continue
        taken.insert(0, each)
        left -= len(each) + 1
    return " ".join(taken)


def _proposal(message: StoredMessage, session: ReadSession) -> str:
    """Return the sentences of the agent that the user accepted; "" if nothing was."""
    if message.number not in session.accepted:
        return ""
    known = plain(session.accepted[message.number])
    parts, replaced = plain_sentences(known), session.replaced
    if not all(may_be_told(each) and not replaced.are_stated_in(each) for each in parts):
        return ""
    text = _end_of(_statements(message), replaced)
    return text if not known or known in text else f"{known} {text}"


def _is_chosen(message: StoredMessage, reply: StoredMessage | None, session: ReadSession) -> bool:
    """Whether what was accepted is one of several options that the agent named."""
    return (
        bool(session.accepted.get(message.number))
        and reply is not None
        and chosen_option(reply.text) is not None
    )


def _question(message: StoredMessage) -> str:
    """Return the question that an agent's message ends with, if it may be told."""
    last = next(reversed(plain_sentences(message.text)), "")
    return last if last.endswith(_QUESTION) and may_be_told(last) else ""


def _answer(reply: StoredMessage, *, is_chosen: bool) -> str | None:
    """Return what the user answered beyond a yes, "" for a bare one; None if it can't be told.

    "Yes, but level 6" doesn't agree to what was proposed, nor does "let me think about it". A
    number that names no option is an answer: "6" to "6 or 24 hours?".
    """
    is_answer = not is_chosen and chosen_option(reply.text) is not None
    if not is_answer and is_bare_assent(reply.text):
        return ""
    if not user_words(reply.text).is_all:
        return None
    # A number alone counts as no word that was typed.
    text = plain(asked_words(reply.text).typed) or plain(reply.text)
    return "" if not is_answer and is_noise(text) and assents(reply.text) else text


def _recap(session: ReadSession, chosen: Sequence[_Candidate]) -> SessionLine | None:
    """Return the agent's closing sentences on what is told, if its words are few.

    "25, and from the first time on" needs what the agent says that it did with it.
    """
    if any(each.lines[0].kind in {"proposal", "proposed", "recap"} for each in chosen):
        return None
    last = max(chosen, key=lambda each: each.worth).order[0]
    reply = next((each for each in session.messages[last + 1 :] if each.role == "agent"), None)
    if reply is None or reply.number in session.accepted or reply.number in _stale(session):
        return None
    text = ""
    for each in plain_sentences(reply.text):
        if len(text) + len(each) > _MAX_RECAP:
            break
        if each.endswith(_QUESTION) or session.replaced.are_stated_in(each):
            continue
        if may_be_told(each):
            text = f"{text} {each}".strip()
    return SessionLine(text, "recap") if count_words(text) >= _MIN_RECAP_WORDS else None


def session_line(at: str, lines: Sequence[SessionLine], replaced_on: str, *, is_told: bool) -> str:
    """Format what is told of a session as one line, each part with its speaker; not sanitized.

    ``replaced_on`` is the day of a later session on its subject, which ``is_told`` or isn't.
    """
    head = local_day(at)
    if replaced_on:
        which = "replaced on {} where they differ" if is_told else "may be replaced on {}"
        head = f"{head}, {which.format(replaced_on)}"
    return f"- ({head}) {'; '.join(map(quoted, lines))}"

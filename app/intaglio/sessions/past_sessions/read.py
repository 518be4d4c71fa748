"""Reads matched sessions: what was said in them, and what capture made of it."""

import re
from collections import deque
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from intaglio.capture.agent_options import option_text
from intaglio.capture.agent_sentences import last_sentences, unformatted
from intaglio.capture.proposals import read_reply
from intaglio.capture.reply_openings import chosen_option, leans_on_agent
from intaglio.language.negation import is_negated
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.recall.past.session_recall import MatchedSession
from intaglio.sessions.past_sessions import rows
from intaglio.sessions.past_sessions.replaced import NOTHING_REPLACED, ReplacedStatements
from intaglio.sessions.past_sessions.values import JudgedSentence, ReadSession
from intaglio.store.tx import ReadTx
from intaglio.transcripts import past_sessions
from intaglio.transcripts.removal import REMOVED
from intaglio.transcripts.values import StoredMessage

# A longer reply says by itself what it decides.
_MAX_REPLY: Final = 240
_MAX_BARE_REPLY: Final = 60
# The options may stand before a question of the user's, and its answer.
_MOST_BEFORE: Final = 3
_WORD: Final = re.compile(r"\w+")
_READ_BEFORE: Final = 3_000
_PROPOSES: Final = re.compile(
    r"\b(?:I(?:'d| would)? (?:propose|suggest|recommend|go for)|proposal:|"
    r"my (?:proposal|suggestion)|to sum up|in short:|the plan:|would be:|ich schlage|vorschlag:|"
    r"zusammengefasst)",
    re.IGNORECASE,
)
_OBJECTS: Final = re.compile(
    r"[?\uff1f]|^\W*(?:no|nope|nah|nein|non|stop|wait|hm+|but|aber|instead|rather|later|maybe)\b",
    re.IGNORECASE,
)
_MOST_MEMORIES: Final = 1_000


def read_session(
    tx: ReadTx,
    match: MatchedSession,
    filters: Filter,
    replaced: ReplacedStatements = NOTHING_REPLACED,
) -> ReadSession:
    """Read a matched session; ``filters`` select the memories that may be told."""
    found = match.session
    stored = past_sessions.messages(tx, found)
    # A message out of which something was taken isn't told: what is left may lean on it.
    said = tuple(each for each in stored if each.role == "agent" or REMOVED not in each.text)
    every = rows.judged(tx, found.harness, found.session_id)
    judged = {row[0] for row in every}
    words = {each.message_id: _words(each.text) for each in said if each.message_id in judged}
    kept = _told(tx, filters, {row[5] for row in every if row[5]})
    sentences = tuple(
        JudgedSentence(
            message_id=message,
            start=start,
            end=end,
            sentence=sentence,
            confidence=confidence,
            memory=kept.get(memory_id or ""),
            hidden=bool(is_hidden) or (memory_id is not None and memory_id not in kept),
        )
        for message, start, end, sentence, confidence, memory_id, is_hidden in every
    )
    still_said = tuple(
        each
        for each in sentences
        if each.sentence and _words(each.sentence) in words.get(each.message_id, "")
    )
    outdated = frozenset(each.message_id for each in sentences if each.hidden)
    number = rows.page_number(tx, found.harness, found.session_id)
    accepted = accepted_messages(stored)
    return ReadSession(match, number, said, still_said, accepted, outdated, replaced)


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.lower()))} "


def _told(tx: ReadTx, filters: Filter, ids: set[str]) -> Mapping[str, Memory]:
    chosen = memories.select(tx, filters, sorted(ids), _MOST_MEMORIES) if ids else ()
    return {each.id: each for each in chosen}


def accepted_messages(said: Sequence[StoredMessage]) -> dict[int, str]:
    """Return the agent's messages that the user's next short reply accepts, by row.

    The value is what of it was accepted, as far as that is known: it may be empty.
    """
    found: dict[int, str] = {}
    before: deque[str] = deque(maxlen=_MOST_BEFORE)
    for message, reply in pairwise(said):
        if message.role == "agent":
            before.appendleft(message.text[-_READ_BEFORE:])
        if message.role == "agent" and reply.role == "user" and len(reply.text) <= _MAX_REPLY:
            accepted = _accepted(before, reply.text)
            if accepted is not None:
                found[message.number] = accepted
                if chosen_option(reply.text) is not None:
                    # What there was to choose is settled.
                    before.clear()
    return found


def has_choice(session: ReadSession) -> bool:
    """Whether the user chose one of the agent's options, or answered a question with a number."""
    return any(
        message.number in session.accepted and chosen_option(reply.text) is not None
        for message, reply in pairwise(session.messages)
    )


def _chosen(before: Sequence[str], reply: str) -> str:
    """Return the option that a reply chooses of those that the agent named last."""
    label = chosen_option(reply)
    if label is None:
        return ""
    newest = unformatted(before[0])
    found = option_text(newest, label)
    # A number answers the question of the newest message rather than chooses of an older list.
    if found or any(each.is_question for each in last_sentences(newest)):
        return found
    return next(filter(None, (option_text(unformatted(each), label) for each in before)), "")


def objects(reply: str) -> bool:
    """Whether a user's reply begins by objecting to what the agent said, or asks about it."""
    return bool(_OBJECTS.search(reply[:_MAX_BARE_REPLY]) or is_negated(reply[:_MAX_BARE_REPLY]))


def _accepted(messages: Sequence[str], reply: str) -> str | None:
    """Return what a reply accepts of the agent's ``messages``, newest first; None if nothing."""
    before = messages[0]
    assent = read_reply(before, reply) if leans_on_agent(reply) else None
    if assent is not None:
        return assent.proposal.said_by_agent if assent.proposal else _chosen(messages, reply)
    # Whoever goes on after a proposal without objecting, in few words, takes it.
    if len(reply) > _MAX_BARE_REPLY or objects(reply):
        return None
    return "" if _PROPOSES.search(before) else None

"""Decides what becomes of a memory that, by a model, the user took back or replaced.

It counts only with words of the user's own in a message after the memory's. What they said instead
replaces it as any later statement does, so a constraint is asked about; else the user is asked,
except about what only the agent had noted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.capture.evidence import FoundQuote, find_quote, is_open
from intaglio.capture.worded_evidence import cuts_denial
from intaglio.inbox.values import AlreadyOpen, Evidence, Proposal, ProposedChange, Suggested
from intaglio.language.overlap import topic_overlap
from intaglio.language.relations import Wording, relate
from intaglio.language.topics import topic_words
from intaglio.memory import history_rows as history
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit
from intaglio.memory.replacement import retire
from intaglio.memory.values import NOTED_BY_MODEL, WORDED_BY_MODEL, Done, Memory
from intaglio.pipeline.proposed_changes import propose
from intaglio.session_notes import rows
from intaglio.session_notes.known_texts import is_told_in
from intaglio.session_notes.values import (
    OPEN_END,
    Conversation,
    NoteLeftOut,
    NoteOutdates,
    PendingNote,
    SessionPart,
    pipeline_actor,
)
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.statements.reversals import Reversal
from intaglio.sessions.statements.services import CaptureServices
from intaglio.store.tx import ReadTx, WriteTx

_TAKEN_BACK: Final = "taken back later in the session"
_CLOSED: Final = "not open any more at the end of its session"
_UNTOUCHED: Final = 1
# Of the words of what holds instead, so many are about the same as what it replaces.
_SHARED: Final = 2
_SHARE: Final = 0.34


@dataclass(frozen=True, slots=True)
class NoteReverser:
    """The use case of one memory that the user took back, by a model that quotes them."""

    services: CaptureServices

    async def apply(
        self, part: SessionPart, note: PendingNote, talk: Conversation
    ) -> NoteOutdates | NoteLeftOut:
        """Replace the memory, or ask about it; a repetition after a crash changes nothing."""
        quote = await self.services.in_thread(lambda: _in_own_words(note, talk))
        if quote is None:
            return NoteLeftOut("unfounded")
        return await self.services.db.write(lambda tx: self._apply(tx, part, note, talk, quote))

    def _apply(
        self,
        tx: WriteTx,
        part: SessionPart,
        note: PendingNote,
        talk: Conversation,
        quote: FoundQuote,
    ) -> NoteOutdates | NoteLeftOut:
        older = memories.get(tx, note.outdates)
        if (
            not rows.is_pending(tx, note.seq)
            or older is None
            or not is_told_in(older, part.project)
        ):
            return NoteLeftOut("unwanted")
        message_id = talk.id_of(note.message_row)
        newer = [each for each in _said_there(tx, part, message_id) if each.id != older.id]
        about = next((each for each in newer if _is_about(each, older)), None)
        evidence = Evidence(
            sentence=" ".join(each.text for each in quote.sentences),
            harness=part.session.harness,
            session_id=part.session.id,
            message_id=message_id,
            start=quote.sentences[0].start,
            end=quote.sentences[-1].end,
            said_at=talk.said_at(note.message_row),
        )
        if about is not None:
            self._replace(tx, part, evidence, about, older)
        elif not _shares_topic(quote, older):
            return NoteLeftOut("unfounded")
        elif older.is_unvouched and not is_vouched_for(tx, older):
            audit = Audit(pipeline_actor(part.session), _TAKEN_BACK)
            if not isinstance(retire(tx, older.id, audit, self.services.context), Done):
                return NoteLeftOut("unwanted")
        else:
            proposal = Proposal(older, ProposedChange(forget=True), evidence)
            asked = propose(tx, proposal, self.services.context)
            if not isinstance(asked, Suggested | AlreadyOpen):
                return NoteLeftOut("unwanted")
        now = memories.get(tx, older.id)
        return NoteOutdates(older.id, is_asked=now is not None and now.status != "replaced")

    def _replace(
        self, tx: WriteTx, part: SessionPart, evidence: Evidence, newer: Memory, older: Memory
    ) -> None:
        actor = pipeline_actor(part.session)
        reversal = Reversal(newer.id, evidence, actor, self.services.context)
        if is_instead(newer.content, older.content) and not is_vouched_for(tx, older):
            reversal.replace(tx, older.id)
        else:
            reversal.ask(tx, older.id)


def is_vouched_for(tx: ReadTx, memory: Memory) -> bool:
    """Whether the user pinned or confirmed a memory: by a model alone, it isn't set aside."""
    return memory.pinned or history.is_confirmed(tx, memory.id)


def is_instead(newer: str, older: str) -> bool:
    """Whether one text surely says what holds instead of another that the user took back."""
    both = topic_overlap(newer, older)
    return (len(both.shared) >= _SHARED and both.share >= _SHARE) or relate(
        Wording(newer), Wording(older)
    ) == "replaces"


def replaced_by(
    note: PendingNote, talk: Conversation, pending: Sequence[PendingNote]
) -> tuple[str, ...]:
    """Return the memories that the user took back in the message of a note, by their own words."""
    return tuple(
        each.outdates
        for each in pending
        if each.outdates
        and each.message_row == note.message_row
        and _in_own_words(each, talk) is not None
    )


def _in_own_words(note: PendingNote, talk: Conversation) -> FoundQuote | None:
    """Return the quote in the user's own words of the named message; None if they ask."""
    # Compiling the regular expressions would take a tenth of the daemon's startup time.
    from intaglio.sessions.reminders.own_words import read_messages  # noqa: PLC0415 - see above

    message_id = talk.id_of(note.message_row)
    said = [each for each in talk.said if each.line.message_id == message_id]
    spoken = [each.spoken for each in read_messages(said, (note.evidence,))]
    found = find_quote(note.evidence, spoken)
    # "Don't forget that" doesn't take it back.
    if any(map(cuts_denial, found)):
        return None
    settled = [each for each in found if not is_open("", each.sentences[0])]
    return settled[0] if settled else None


def _said_there(tx: ReadTx, part: SessionPart, message_id: str) -> list[Memory]:
    """Return the user's memories that a message bears, those of notes first."""
    noted = [
        memory_id for at, memory_id in rows.noted(tx, part.key, "memory_id") if at == message_id
    ]
    said = [
        each.memory_id
        for each in statements.of_session(tx, *part.key)
        if each.message_id == message_id and each.memory_id and each.state == "live"
    ]
    found = memories.by_ids(tx, (*noted, *said))
    listed = (found[each] for each in dict.fromkeys((*noted, *said)) if each in found)
    return [each for each in listed if is_told_in(each, part.project) and not each.is_unvouched]


def _is_about(newer: Memory, older: Memory) -> bool:
    return bool(topic_overlap(newer.content, older.content).shared)


def _shares_topic(quote: FoundQuote, older: Memory) -> bool:
    said = frozenset[str]().union(*(topic_words(each.text) for each in quote.sentences))
    return bool(said & topic_words(older.content))


def close_open_ends(tx: WriteTx, part: SessionPart, services: CaptureServices) -> int:
    """Set aside what was open in a session and isn't by the model's last reply; returns how many.

    What rules captured, somebody changed, or another session says, stays.
    """
    audit = Audit(pipeline_actor(part.session), _CLOSED)
    closed = 0
    for memory_id in rows.not_noted_last(tx, part):
        memory = memories.get(tx, memory_id)
        if memory is not None and _is_open_end(tx, part, memory):
            closed += isinstance(retire(tx, memory_id, audit, services.context), Done)
    return closed


def _is_open_end(tx: ReadTx, part: SessionPart, memory: Memory) -> bool:
    return (
        memory.type == OPEN_END
        and memory.why in {WORDED_BY_MODEL, NOTED_BY_MODEL}
        and memory.version == _UNTOUCHED
        and is_told_in(memory, part.project)
        and not is_vouched_for(tx, memory)
        and all(
            (each.harness, each.session_id) == part.key
            for each in statements.of_memory(tx, memory.id)
        )
    )

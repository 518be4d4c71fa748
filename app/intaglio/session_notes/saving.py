"""Decides what becomes of a model's note, and keeps it.

Whose it is is computed: the user's if its quotes stand in their own words and bear it out, also
where these accept what the agent proposed. Any other is the agent's: what would bind the user waits
in the inbox, the rest is a memory of the agent's. A quote that stands nowhere founds nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.base.errors import ConflictError, InvalidInputError, TooLargeError
from intaglio.capture.evidence import SpokenMessage, VerifiedEvidence, stands_in
from intaglio.capture.worded_evidence import names_new_values, verify_worded
from intaglio.inbox import rows as inbox_rows
from intaglio.inbox.values import AlreadyOpen, DroppedBefore, Suggested
from intaglio.language.relations import Wording, relate
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit
from intaglio.memory.values import (
    AGENT_SOURCE,
    NOTED_BY_MODEL,
    WORDED_BY_MODEL,
    Duplicate,
    Forgotten,
    Inserted,
    Memory,
    NewMemory,
    Source,
    agent_author,
)
from intaglio.pipeline.ingest import Remember, in_project, prepare
from intaglio.recall.values import Question
from intaglio.redaction.redact import clean
from intaglio.session_notes import rows
from intaglio.session_notes.conversation import conversation
from intaglio.session_notes.known_texts import is_told_in
from intaglio.session_notes.open_suggestions import (
    asked_already,
    close_asked,
    is_same,
    join_item,
    quoted_words,
)
from intaglio.session_notes.outdated_memories import (
    NoteReverser,
    is_instead,
    is_vouched_for,
    replaced_by,
)
from intaglio.session_notes.values import (
    Conversation,
    NoteLeftOut,
    NoteOrigin,
    NoteSaved,
    NoteSuggested,
    PendingNote,
    SavedNote,
    SessionPart,
    pipeline_actor,
)
from intaglio.sessions.reminders.notes import (
    AgentNote,
    AgentNotes,
    NoteAuthor,
    NoteDeclined,
    NoteKept,
    NoteKnown,
    NoteTakenBack,
    NoteUnverified,
)
from intaglio.sessions.reminders.prompt_texts import PromptTexts
from intaglio.sessions.statements.claims import AgentClaim, AgentClaims, SaidByUser
from intaglio.sessions.statements.turn import TurnCapture
from intaglio.sessions.statements.values import UserMessage, as_claim
from intaglio.sessions.values import SessionRef
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.transcripts import rows as transcripts

MAX_SUGGESTED: Final = 5
"""Most notes of a session that wait in the inbox."""
BY_MODEL: Final = NoteAuthor(pipeline_actor, WORDED_BY_MODEL, rewords_others=True)
_CONFIDENCE: Final = 0.7
_IMPORTANCE: Final = 0.6
_COMPARED: Final = 5
_MIN_SCORE: Final = 0.2
_NO_PROMPTS: Final = PromptTexts()


def borne_out_by_quotes(
    note: AgentNote, messages: Sequence[SpokenMessage]
) -> VerifiedEvidence | None:
    """Return what bears out a note that a model worded."""
    return verify_worded(note.content, note.quotes, note.proposal, messages)


@dataclass(frozen=True, slots=True)
class NoteSaver:
    """The use case of keeping one note, after which it isn't pending any more.

    ``claims`` decides on what would bind the user.
    """

    turns: TurnCapture
    claims: AgentClaims

    async def save(self, part: SessionPart, note: PendingNote) -> SavedNote:
        """Keep a note; a repetition after a crash finds what was kept.

        Raises UnavailableError if nothing can be stored now.
        """
        services = self.turns.services
        talk = await self._conversation(part)
        if note.outdates:
            return await self._reverse(part, note, talk)
        result = await self._result(part, note, talk)

        def work(tx: WriteTx) -> None:
            if rows.is_pending(tx, note.seq) and isinstance(result, NoteSaved | NoteSuggested):
                if isinstance(result, NoteSaved) and result.origin != "agent":
                    close_asked(tx, part, note, result.memory_id, services.context)
                rows.add_result(
                    tx,
                    part.key,
                    talk.id_of(note.message_row),
                    result.origin,
                    note.made_by,
                    services.context.now,
                    memory_id=result.memory_id if isinstance(result, NoteSaved) else None,
                    inbox_id=result.inbox_id if isinstance(result, NoteSuggested) else None,
                )
            rows.drop_pending(tx, note.seq)

        await services.db.write(work)
        return result

    async def _reverse(self, part: SessionPart, note: PendingNote, talk: Conversation) -> SavedNote:
        services = self.turns.services
        result = await NoteReverser(services).apply(part, note, talk)
        await services.db.write(lambda tx: rows.drop_pending(tx, note.seq))
        return result

    async def _conversation(self, part: SessionPart) -> Conversation:
        services = self.turns.services
        messages = await services.db.read(lambda tx: transcripts.messages(tx, part.transcript))
        return await services.in_thread(lambda: conversation(part, messages))

    async def _result(self, part: SessionPart, note: PendingNote, talk: Conversation) -> SavedNote:
        services = self.turns.services
        message_row = await services.in_thread(lambda: founded_on(note, talk))
        if message_row is None:
            return NoteLeftOut("unfounded")
        if await services.db.read(lambda tx: self._is_unwanted(tx, part, note)):
            return NoteLeftOut("unwanted")
        said = await self._as_users(part, note, talk, talk.id_of(message_row))
        return said or await self._unverified(part, note, talk)

    async def _unverified(
        self, part: SessionPart, note: PendingNote, talk: Conversation
    ) -> SavedNote:
        """Decide on a note that the user's words don't bear out."""
        if not await self.turns.services.in_thread(lambda: is_of_session(note, talk)):
            return NoteLeftOut("unfounded")
        joined = await self._join_asked(part, note)
        if joined is not None:
            return joined
        claimed = as_claim(note.type) or await self.claims.claimed_type(note.content)
        # Kept for all projects, a fact would be told in those it isn't about.
        if claimed is not None or part.project is None:
            return await self._suggest(part, note)
        return await self._as_agents(part, note, talk)

    async def _join_asked(self, part: SessionPart, note: PendingNote) -> NoteSuggested | None:
        """Join a note with the session's open suggestion that says the same, if there is one."""
        services = self.turns.services
        item = await services.db.read(lambda tx: asked_already(tx, part, note))
        if item is None:
            return None
        done = await services.db.write(
            lambda tx: rows.is_pending(tx, note.seq) and join_item(tx, part, note, item.id)
        )
        return NoteSuggested(item.id, "agent") if done else None

    @staticmethod
    def _is_unwanted(tx: ReadTx, part: SessionPart, note: PendingNote) -> bool:
        """Whether the user forgot or dropped what a note of the session said, or its message."""
        if not rows.is_pending(tx, note.seq):
            return True
        for _, memory_id, inbox_id in rows.results(tx, part.key):
            memory = memories.get(tx, memory_id) if memory_id else None
            if memory is not None and memory.is_deleted and is_same(note.content, memory.content):
                return True
            item = inbox_rows.get(tx, inbox_id) if inbox_id else None
            if item is not None and item.action == "drop" and is_same(note.content, item.content):
                return True
        return False

    async def _as_users(
        self, part: SessionPart, note: PendingNote, talk: Conversation, message_id: str
    ) -> SavedNote | None:
        """Keep a note as the user's; None if their words don't bear it out.

        Outside of any project, nothing is: it would be told everywhere.
        """
        if part.project is None:
            return None

        async def said(_: SessionRef) -> Sequence[UserMessage]:
            return talk.said

        notes = AgentNotes(
            self.turns,
            said,
            _NO_PROMPTS,
            BY_MODEL,
            borne_out_by_quotes,
            lambda tx: rows.is_pending(tx, note.seq),
        )
        origin: NoteOrigin = "accepted" if note.accepted else "user"
        match await notes.keep(
            AgentNote(
                content=note.content,
                type=note.type,
                quotes=(note.evidence,),
                session=part.session,
                message_id=message_id,
                proposal=note.accepted,
                replaces=await self._replaced(part, note, talk),
            )
        ):
            case NoteKept(memory_id=memory_id) | NoteKnown(memory_id=memory_id):
                return NoteSaved(memory_id, origin)
            case NoteDeclined() | NoteTakenBack():
                return NoteLeftOut("unwanted")
            case NoteUnverified():
                return None

    async def _replaced(
        self, part: SessionPart, note: PendingNote, talk: Conversation
    ) -> tuple[str, ...]:
        """Return the memories that a note surely says something instead of."""
        services = self.turns.services
        pending = await services.db.read(lambda tx: rows.pending(tx, part))
        named = await services.in_thread(lambda: replaced_by(note, talk, pending))

        def told(tx: ReadTx) -> list[Memory]:
            found = memories.by_ids(tx, named).values()
            return [
                each
                for each in found
                if is_told_in(each, part.project) and not is_vouched_for(tx, each)
            ]

        return tuple(
            each.id
            for each in await services.db.read(told)
            if is_instead(note.content, each.content)
        )

    async def _suggest(self, part: SessionPart, note: PendingNote) -> SavedNote:
        """Ask the user, unless they said so themselves or the session asks too much."""
        services = self.turns.services
        if await services.db.read(lambda tx: _count_suggested(tx, part)) >= MAX_SUGGESTED:
            return NoteLeftOut("too many")
        claim = AgentClaim(
            content=clean(note.content).strip(),
            type=note.type,
            harness=part.session.harness,
            agent_id=part.session.agent_id,
            project=part.project,
            session=part.session,
            ledger_session_id=part.session.id,
            words=quoted_words(note),
        )
        try:
            outcome = await self.claims.settle(claim)
        except ConflictError:
            return NoteLeftOut("too many")
        match outcome:
            case SaidByUser(memory_id=memory_id):
                return NoteSaved(memory_id, "user")
            case Suggested(id=item_id) | AlreadyOpen(id=item_id):
                return NoteSuggested(item_id, "agent")
            case Duplicate(memory=known):
                return NoteSaved(known.id, "agent")
            case DroppedBefore():
                return NoteLeftOut("unwanted")

    async def _as_agents(
        self, part: SessionPart, note: PendingNote, talk: Conversation
    ) -> SavedNote:
        """Keep what the agent found out; an agent is told it only where it answers."""
        services = self.turns.services
        known = await self._known(part, note)
        if known is not None:
            return NoteSaved(known, "agent")
        try:
            memory = prepare(_command(part, note, talk), services.context)[0]
        except (InvalidInputError, TooLargeError):
            return NoteLeftOut("unfounded")
        return await services.db.write(lambda tx: self._insert(tx, part, note, memory))

    def _insert(
        self, tx: WriteTx, part: SessionPart, note: PendingNote, memory: NewMemory
    ) -> SavedNote:
        if not rows.is_pending(tx, note.seq):
            return NoteLeftOut("unwanted")
        audit = Audit(pipeline_actor(part.session))
        memory = in_project(tx, memory)
        match operations.insert(tx, memory, audit, self.turns.services.context, revive=False):
            case Inserted(id=memory_id):
                return NoteSaved(memory_id, "agent")
            case Duplicate(memory=known):
                return NoteSaved(known.id, "agent")
            case Forgotten():
                return NoteLeftOut("unwanted")

    async def _known(self, part: SessionPart, note: PendingNote) -> str | None:
        """Return a live memory of the project that says the same."""
        services = self.turns.services
        answer = await self.turns.recall(
            Question(
                text=note.content,
                limit=_COMPARED,
                filters=Filter(
                    reader=await self.turns.agents.active_reader(part.session.agent_id),
                    project=part.project,
                    exact_project=True,
                ),
                min_score=_MIN_SCORE,
                counts_as_use=False,
            )
        )
        near = {hit.memory.id: hit.memory.content for hit in answer.hits}
        made = await services.db.read(lambda tx: rows.results(tx, part.key))
        own = {memory_id for _, memory_id, _ in made if memory_id}
        texts = [note.content, *near.values()]
        vectors = await services.sentence_vectors(texts) if near else None
        wordings = (
            [Wording(text) for text in texts]
            if vectors is None
            else [Wording(text, vector) for text, vector in zip(texts, vectors, strict=True)]
        )

        def same() -> str | None:
            new = wordings[0]
            return next(
                (
                    memory_id
                    for memory_id, known in zip(near, wordings[1:], strict=True)
                    if relate(new, known) == "duplicate"
                    or (memory_id in own and is_same(new.text, known.text))
                ),
                None,
            )

        return await services.in_thread(same)


def _count_suggested(tx: ReadTx, part: SessionPart) -> int:
    """Count what notes of the session suggested; what they joined was asked anyway."""
    ids = (item_id for _, item_id in rows.noted(tx, part.key, "inbox_id"))
    return sum(each.source.is_agent for each in inbox_rows.by_ids(tx, ids).values())


def founded_on(note: PendingNote, talk: Conversation) -> int | None:
    """Return the row of the message that has the quoted words; None if none does.

    The one that the note names, or else the latest.
    """
    named = talk.text_of(note.message_row)
    if named and stands_in(note.evidence, named):
        return note.message_row
    return next(
        (each.number for each in reversed(talk.messages) if stands_in(note.evidence, each.text)),
        None,
    )


def is_of_session(note: PendingNote, talk: Conversation) -> bool:
    """Whether all numbers and names of code in a note were said in the session."""
    return not names_new_values(note.content, (each.text for each in talk.messages))


def _command(part: SessionPart, note: PendingNote, talk: Conversation) -> Remember:
    return Remember(
        content=note.content,
        actor=pipeline_actor(part.session),
        who=agent_author(part.session.harness),
        why=NOTED_BY_MODEL,
        type=note.type,
        importance=_IMPORTANCE,
        confidence=_CONFIDENCE,
        # A prefix of the text must not pin it: pinned memories are told first.
        pinned=False,
        agent_id=part.session.agent_id,
        project=part.project,
        source=Source(AGENT_SOURCE),
        session_id=part.session.id,
        created_at=talk.said_at(note.message_row),
        revive=False,
    )

"""Saves what an agent or a model notes of the user's words: the user's, if the quotes really are.

Its sentence reads well alone, so it becomes the memory's text, whichever of it and capture
comes first; the user's sentences are its evidence, and capture finds their places taken.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from intaglio.base.clock import iso, parse_moment
from intaglio.base.errors import writes_frozen
from intaglio.base.text import clip, content_hash
from intaglio.capture.evidence import (
    QuotedSentence,
    SpokenMessage,
    VerifiedEvidence,
    verify,
)
from intaglio.capture.reach.role_prompts import binds_run_only
from intaglio.capture.reach.scope_words import reach_of
from intaglio.capture.settle import Repeated, Replaced
from intaglio.capture.transcripts import TranscriptMessage
from intaglio.capture.values import StatementType
from intaglio.domain.memory_types import MemoryType
from intaglio.inbox import operations as inbox
from intaglio.inbox import rows as inbox_rows
from intaglio.inbox.values import MAX_SENTENCE_CHARS
from intaglio.language.overlap import topic_overlap
from intaglio.memory import history_rows as history
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit
from intaglio.memory.retention import scoped_hash
from intaglio.memory.values import (
    USER_AUTHOR,
    WORDED_BY_AGENT,
    Actor,
    Change,
    Done,
    Duplicate,
    Forgotten,
    Inserted,
    Memory,
    NewMemory,
    Source,
)
from intaglio.pipeline.ingest import Remember, in_project, prepare
from intaglio.redaction.redact import clean
from intaglio.sessions.reminders.prompt_texts import PromptTexts
from intaglio.sessions.reminders.rewording import is_of_capture, says_more, takes_in
from intaglio.sessions.statements import considered_rows, rows
from intaglio.sessions.statements.plan import Judged, may_concern, plan
from intaglio.sessions.statements.reversals import Reversal
from intaglio.sessions.statements.turn import TurnCapture
from intaglio.sessions.statements.values import (
    PlannedStatement,
    RecordedStatement,
    UserMessage,
    place_of,
)
from intaglio.sessions.statements.wider_scopes import wider_scope
from intaglio.sessions.values import SessionRef
from intaglio.store.tx import ReadTx, WriteTx

if TYPE_CHECKING:
    from intaglio.sessions.reminders.own_words import ReadMessage

ReadSaid: TypeAlias = Callable[[SessionRef], Awaitable[Sequence[UserMessage]]]
"""Returns what the user has said in a session, after capturing it."""

_CONFIDENCE: Final = 0.9
_SAME_SHARE: Final = 0.6
_IMPORTANCE: Final[dict[MemoryType, float]] = {"decision": 0.8, "rule": 0.8, "preference": 0.7}
_FACT_IMPORTANCE: Final = 0.6
# As many memories may quote one sentence.
_MAX_OF_SENTENCE: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentNote:
    """What an agent wants to save, with the user's words that it quotes.

    It ``replaces`` these memories. ``message_id`` is the message that the quotes are from, if that
    is known; ``proposal`` is what the agent proposed there, if the quotes only accept it.
    """

    content: str
    type: MemoryType
    quotes: tuple[str, ...]
    session: SessionRef
    tags: str | None = None
    replaces: tuple[str, ...] = ()
    message_id: str = ""
    proposal: str = ""


VerifyNote: TypeAlias = Callable[[AgentNote, Sequence[SpokenMessage]], VerifiedEvidence | None]
"""Returns what bears out a note, or None if the user's own words don't; pure."""


def borne_out(note: AgentNote, messages: Sequence[SpokenMessage]) -> VerifiedEvidence | None:
    """Return what bears out an agent's note: quotes that say it."""
    return verify(note.content, note.quotes, messages)


@dataclass(frozen=True, slots=True)
class NoteAuthor:
    """Who words notes: the ``actor``, of which the session is added, and why they are kept.

    ``rewords_others`` if their wording also replaces what rules captured in other sessions.
    """

    actor: Callable[[SessionRef], Actor]
    why: str
    rewords_others: bool = False


def _always(_: ReadTx) -> bool:
    return True


BY_AGENT: Final = NoteAuthor(
    lambda session: Actor(session.harness, "agent", session.id), WORDED_BY_AGENT
)


@dataclass(frozen=True, slots=True)
class NoteKept:
    """The note is a memory of the user now; ``message_id`` is where they said it."""

    memory_id: str
    message_id: str


@dataclass(frozen=True, slots=True)
class NoteKnown:
    """A memory says the same; the user's words are evidence of it now."""

    memory_id: str
    message_id: str


@dataclass(frozen=True, slots=True)
class NoteDeclined:
    """The user has dropped or forgotten what the note says."""


@dataclass(frozen=True, slots=True)
class NoteUnverified:
    """The quotes aren't the user's own words of this session, or don't bear the note out."""


@dataclass(frozen=True, slots=True)
class NoteTakenBack(NoteUnverified):
    """The user took back what they say, or replaced it, later in the session."""


NoteOutcome: TypeAlias = NoteKept | NoteKnown | NoteDeclined | NoteUnverified


@dataclass(frozen=True, slots=True)
class _Evidenced:
    """A note with its evidence: the statements that it would be recorded as, the best first."""

    note: AgentNote
    message: UserMessage
    rows: tuple[RecordedStatement, ...]
    memory: NewMemory
    may_reach_further: bool


@dataclass(frozen=True, slots=True)
class AgentNotes:
    """The use case of notes with evidence, of agents or another author.

    ``said`` returns what the user has said up to now, ``prompts`` what may not be in the transcript
    yet; ``verify`` decides whether the user's words bear a note out, ``is_current`` in the
    transaction that keeps it whether it may still be kept.
    """

    turns: TurnCapture
    said: ReadSaid
    prompts: PromptTexts
    author: NoteAuthor = BY_AGENT
    verify: VerifyNote = borne_out
    is_current: Callable[[ReadTx], bool] = _always

    async def keep(self, note: AgentNote) -> NoteOutcome:
        """Save a note as the user's, if their own words of the session bear it out.

        Raises UnavailableError if nothing can be stored now.
        """
        services = self.turns.services
        if services.frozen():
            raise writes_frozen()
        messages = [*await self.said(note.session), *self._prompts(note.session)]
        if not messages:
            return NoteUnverified()
        found = await services.in_thread(lambda: self._verified(note, messages))
        if found is None:
            return NoteUnverified()
        judged = Judged(found.rows[0], found.memory, may_reach_further=found.may_reach_further)
        around = await self.turns.surroundings(found.message, [judged])
        own = [
            row
            for row in around.session
            if _is_within(row, found) or takes_in(found.memory.content, row.content)
        ]
        # What capture made of the same sentences is no other statement.
        made = {row.memory_id for row in own} | {row.inbox_id for row in own}
        # Nor does what it replaces say the same.
        made |= {*note.replaces}
        around = replace(
            around,
            session=[row for row in around.session if row not in own],
            memories=[each for each in around.memories if each.id not in made],
            items=[each for each in around.items if each.id not in made],
        )
        (planned,) = await services.in_thread(lambda: plan([judged], around))
        return await services.db.write(
            lambda tx: self._record(
                tx, found, _with_replaced(tx, found, planned), [each.place for each in own]
            )
        )

    async def confirm(self, note: AgentNote) -> None:
        """Make the user's words evidence of the memory with the note's text, if they say so.

        Nothing else is stored, nor changed.
        """
        services = self.turns.services
        if services.frozen():
            return
        messages = [*await self.said(note.session), *self._prompts(note.session)]
        found = await services.in_thread(lambda: self._verified(note, messages))
        if found is None:
            return

        def work(tx: WriteTx) -> None:
            scope = in_project(tx, found.memory).scope
            memory = memories.live_by_hash(tx, scope, content_hash(found.memory.content))
            if memory is not None:
                self._attach(tx, found, memory.id)

        await services.db.write(work)

    def _prompts(self, session: SessionRef) -> list[UserMessage]:
        """Return the latest prompts as messages, under ids of their own."""
        # What a program may have sent isn't known before the transcript says so.
        return [
            UserMessage(
                session,
                session.project,
                TranscriptMessage(f"prompt {each.at}", "user", each.text, parse_moment(each.at)),
                binds_run_only=binds_run_only(each.text, from_program=True),
            )
            for each in self.prompts.of(session.key)
        ]

    def _verified(self, note: AgentNote, messages: Sequence[UserMessage]) -> _Evidenced | None:
        # Compiling the regular expressions would take a tenth of the daemon's startup time.
        from intaglio.sessions.reminders.own_words import read_messages  # noqa: PLC0415 - see above

        quotes = tuple(clean(quote) for quote in note.quotes)
        note = replace(note, content=clean(note.content).strip(), quotes=quotes)
        read = read_messages(messages, quotes)
        # The transcript's messages have lasting ids; a prompt is needed only if it isn't there yet.
        written = [each for each in read if not _is_prompt(each)]
        named = [each for each in written if each.spoken.key == note.message_id]
        found = next(
            filter(None, (self._verify(note, some) for some in (named, written, read) if some)),
            None,
        )
        if found is None:
            return None
        by_key = {each.spoken.key: each for each in read}
        return self._evidenced(note, found, by_key)

    def _verify(
        self, note: AgentNote, messages: "Sequence[ReadMessage]"
    ) -> VerifiedEvidence | None:
        return self.verify(note, [each.spoken for each in messages])

    def _audit(self, note: AgentNote, reason: str | None = None) -> Audit:
        return Audit(self.author.actor(note.session), reason)

    def _evidenced(
        self, note: AgentNote, found: VerifiedEvidence, read: dict[str, "ReadMessage"]
    ) -> _Evidenced:
        best = read[found.sentences[0].message].message
        reach = reach_of(found.said)
        project = None if reach == "all_projects" else best.project
        rows_of = tuple(
            self._row(note, found, read[each.message], each, project) for each in found.sentences
        )
        command = Remember(
            content=note.content,
            actor=self.author.actor(note.session),
            who=USER_AUTHOR,
            why=self.author.why,
            type=note.type,
            importance=_IMPORTANCE.get(note.type, _FACT_IMPORTANCE),
            confidence=_CONFIDENCE,
            tags=note.tags,
            pinned=False,
            agent_id=note.session.agent_id,
            project=project,
            source=Source(note.session.harness, rows_of[0].place),
            session_id=note.session.id,
            runtime_path=note.session.runtime_path,
            created_at=rows_of[0].said_at,
            revive=False,
        )
        memory = prepare(command, self.turns.services.context)[0]
        unclear = reach == "unclear" and project is not None
        return _Evidenced(note, best, rows_of, memory, unclear)

    def _row(
        self,
        note: AgentNote,
        found: VerifiedEvidence,
        read: "ReadMessage",
        quoted: QuotedSentence,
        project: str | None,
    ) -> RecordedStatement:
        line, sentence = read.message.line, quoted.sentence
        return RecordedStatement(
            seq=0,
            harness=note.session.harness,
            session_id=note.session.id,
            message_id=line.message_id,
            start=sentence.start,
            end=sentence.end,
            said_at=iso(line.time) if line.time else None,
            recorded_at=self.turns.services.context.now,
            agent_id=note.session.agent_id,
            project=project,
            sentence=clip(clean(read.text[sentence.start : sentence.end]), MAX_SENTENCE_CHARS),
            content=note.content,
            type=_statement_type(note.type),
            everywhere=project is None,
            confidence=_CONFIDENCE,
            outcome="kept",
            state="live",
            memory_id=None,
            inbox_id=None,
            context=clip(found.proposal, MAX_SENTENCE_CHARS) if project is not None else "",
        )

    def _record(
        self,
        tx: WriteTx,
        found: _Evidenced,
        planned: PlannedStatement,
        own: Sequence[str],
    ) -> NoteOutcome:
        if not self.is_current(tx):
            return NoteUnverified()
        found = replace(found, memory=in_project(tx, found.memory))
        message_id = found.rows[0].message_id
        there = [
            known
            for row in found.rows
            for known in rows.within(tx, row.harness, row.message_id, row.start, row.end)
        ]
        repeated = (each.earlier for each in planned.effects if isinstance(each, Repeated))
        there += [
            known
            for place in (*own, *repeated)
            if (known := _at(tx, found.rows[0].harness, place)) is not None
            and known.seq not in {each.seq for each in there}
        ]
        if any(each.state in {"withdrawn", "replaced"} for each in there):
            return NoteTakenBack()
        if self._is_unwanted(tx, found, there):
            return NoteDeclined()
        for known in there:
            if known.memory_id is None or known.memory_id in found.note.replaces:
                continue
            outcome = self._of_memory(tx, found, known)
            if outcome is not None:
                self._reverse(tx, found, planned, outcome.memory_id)
                return outcome
        if planned.same_memory is not None:
            memory = memories.get(tx, planned.same_memory.id)
            if memory is not None and not memory.is_deleted:
                operations.raise_confidence(tx, memory.id, max(memory.confidence, _CONFIDENCE))
                if self._is_to_reword(tx, memory) and says_more(
                    found.memory.content, memory.content
                ):
                    self._reword(tx, found, memory.id)
                self._attach(tx, found, memory.id)
                self._reverse(tx, found, planned, memory.id)
                return NoteKnown(memory.id, message_id)
        return self._insert(tx, found, planned, there)

    @staticmethod
    def _is_unwanted(tx: WriteTx, found: _Evidenced, there: Sequence[RecordedStatement]) -> bool:
        """Whether the user has dropped or forgotten what the note says."""
        digest = content_hash(tx.as_stored(found.memory.content))
        if inbox_rows.are_dropped(tx, scoped_hash(found.memory.scope, digest)):
            return True
        for each in there:
            memory = memories.get(tx, each.memory_id) if each.memory_id else None
            if memory is not None and memory.is_deleted and _same(found, memory.content):
                return True
            item = inbox_rows.get(tx, each.inbox_id) if each.inbox_id else None
            if item is not None and item.action == "drop" and _same(found, item.content):
                return True
        return False

    def _of_memory(
        self, tx: WriteTx, found: _Evidenced, known: RecordedStatement
    ) -> NoteKept | NoteKnown | None:
        """Take what capture made of the sentence as the note's memory.

        None if it says other things. The agent's words replace capture's own, but none that the
        user or another session gave it.
        """
        memory = memories.get(tx, known.memory_id or "")
        if memory is None or memory.is_deleted or not _same(found, memory.content):
            return None
        message_id = found.rows[0].message_id
        is_captures = is_of_capture(
            memory, rows.of_memory(tx, memory.id), (known.harness, known.session_id)
        )
        is_captures = is_captures and not history.is_confirmed(tx, memory.id)
        is_new = memory.content != found.memory.content
        if is_captures and is_new and self._reword(tx, found, memory.id):
            self._attach(tx, found, memory.id)
            return NoteKept(memory.id, message_id)
        self._attach(tx, found, memory.id)
        return NoteKnown(memory.id, message_id)

    def _is_to_reword(self, tx: WriteTx, memory: Memory) -> bool:
        if not self.author.rewords_others or history.is_confirmed(tx, memory.id):
            return False
        return is_of_capture(memory, rows.of_memory(tx, memory.id))

    def _reword(self, tx: WriteTx, found: _Evidenced, memory_id: str) -> bool:
        """Give a memory the note's wording; False if nothing changed."""
        change = Change(content=found.memory.content, type=found.memory.type)
        audit = self._audit(found.note, self.author.why)
        done = operations.modify(tx, memory_id, change, audit, self.turns.services.context)
        return isinstance(done, Done)

    def _insert(
        self,
        tx: WriteTx,
        found: _Evidenced,
        planned: PlannedStatement,
        there: Sequence[RecordedStatement],
    ) -> NoteOutcome:
        context, first = self.turns.services.context, found.rows[0]
        memory = found.memory
        if any(each.memory_id is not None for each in there):
            # Another memory has this place as its source.
            start = _free_start(tx, first)
            memory = replace(
                memory, source=Source(first.harness, place_of(first.message_id, start))
            )
        for effect in planned.effects:
            if isinstance(effect, Replaced):
                earlier = _at(tx, first.harness, effect.earlier)
                self.turns.recorder.take_back(tx, earlier, "replaced")
        match operations.insert(tx, memory, self._audit(found.note), context, revive=False):
            case Forgotten():
                return NoteDeclined()
            case Duplicate(memory=known):
                self._attach(tx, found, known.id)
                self._reverse(tx, found, planned, known.id)
                return NoteKnown(known.id, first.message_id)
            case Inserted(id=memory_id):
                self._follow_up(tx, found, planned, memory_id)
                return NoteKept(memory_id, first.message_id)

    def _follow_up(
        self, tx: WriteTx, found: _Evidenced, planned: PlannedStatement, memory_id: str
    ) -> None:
        """Do what a new memory brings with it: evidence, and items of the inbox."""
        context, evidence = self.turns.services.context, found.rows[0].evidence
        self._attach(tx, found, memory_id)
        self._reverse(tx, found, planned, memory_id)
        if planned.may_reach_further:
            wider_scope(tx, memory_id, evidence, context)
        same_item = planned.same_item.id if planned.same_item else None
        self._close_item(tx, found, same_item, memory_id)

    def _reverse(
        self, tx: WriteTx, found: _Evidenced, planned: PlannedStatement, memory_id: str
    ) -> None:
        """Do what the user's words do to older memories, in the name of the note's memory."""
        row = found.rows[0]
        context = self.turns.services.context
        reversal = Reversal(memory_id, row.evidence, self._audit(found.note).actor, context)
        reversal.say_again(tx, row.at)
        reversal.apply(tx, planned)

    def _attach(self, tx: WriteTx, found: _Evidenced, memory_id: str) -> None:
        """Make the user's sentences evidence of the memory; each place has one statement."""
        for row in found.rows:
            known = rows.at(tx, row.harness, row.message_id, row.start)
            considered = considered_rows.at(tx, row.harness, row.message_id, row.start)
            if considered is not None:
                considered_rows.delete(tx, considered.seq)
            if known is None:
                rows.insert(tx, replace(row, memory_id=memory_id))
            elif known.memory_id == memory_id:
                continue
            elif known.memory_id is None and _is_free(tx, known, found):
                rows.attach(tx, [known.seq], memory_id, known.inbox_id)
                self._close_item(tx, found, known.inbox_id, memory_id)
            else:
                start = _free_start(tx, row)
                rows.insert(tx, replace(row, start=start, memory_id=memory_id))
            self._close_suggested_part(tx, found, row, memory_id)

    def _close_suggested_part(
        self, tx: WriteTx, found: _Evidenced, row: RecordedStatement, memory_id: str
    ) -> None:
        """Close what capture suggested of a part of the sentence, if that says the same."""
        for each in rows.within(tx, row.harness, row.message_id, row.start + 1, row.end):
            if each.memory_id is None and each.inbox_id and _is_free(tx, each, found):
                rows.attach(tx, [each.seq], memory_id, each.inbox_id)
                self._close_item(tx, found, each.inbox_id, memory_id)

    def _close_item(
        self, tx: WriteTx, found: _Evidenced, item_id: str | None, memory_id: str
    ) -> None:
        """Close a suggestion that has become the memory."""
        item = inbox_rows.get(tx, item_id) if item_id is not None else None
        if item is None or item.status != "open":
            return
        rows.attach_item(tx, item.id, memory_id)
        inbox.add_evidence(tx, item.id, found.rows[0].evidence)
        context = self.turns.services.context
        inbox.close(tx, item.id, "said_again", context, memory_id=memory_id)


def _with_replaced(tx: WriteTx, found: _Evidenced, planned: PlannedStatement) -> PlannedStatement:
    """Add what the agent says that its note replaces; the user is asked if it is about others."""
    named = memories.by_ids(tx, found.note.replaces)
    near = [each for each in named.values() if may_concern(each.content, found.memory.content)]
    others = [each.id for each in named.values() if each not in near]
    return replace(
        planned,
        replaces=tuple(dict.fromkeys((*(each.id for each in near), *planned.replaces))),
        contradicts=tuple(dict.fromkeys((*others, *planned.contradicts))),
    )


def _is_within(said: RecordedStatement, found: _Evidenced) -> bool:
    """Whether a statement is of one of the quoted sentences."""
    return any(
        said.message_id == row.message_id and row.start <= said.start < max(row.end, row.start + 1)
        for row in found.rows
    )


def _is_free(tx: WriteTx, known: RecordedStatement, found: _Evidenced) -> bool:
    """Whether a statement without a memory says what the note does."""
    item = inbox_rows.get(tx, known.inbox_id) if known.inbox_id else None
    return item is None or _same(found, item.content)


def _same(found: _Evidenced, content: str) -> bool:
    return topic_overlap(found.memory.content, content).share >= _SAME_SHARE


def _free_start(tx: WriteTx, row: RecordedStatement) -> int:
    """Return a start within the sentence that no other statement has."""
    starts = range(row.start, row.start + _MAX_OF_SENTENCE)
    free = (at for at in starts if rows.at(tx, row.harness, row.message_id, at) is None)
    return next(free, row.end)


def _at(tx: WriteTx, harness: str, place: str) -> RecordedStatement | None:
    message_id, _, start = place.rpartition("@")
    return rows.at(tx, harness, message_id, int(start))


def _is_prompt(read: "ReadMessage") -> bool:
    return read.message.line.message_id.startswith("prompt ")


def _statement_type(kind: MemoryType) -> StatementType:
    match kind:
        case "decision" | "preference" | "rule" | "procedural" | "learning":
            return kind
        case _:
            return "fact"

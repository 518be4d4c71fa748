"""Reads the user's messages for the graph, one by one, by a language model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from intaglio.base.clock import iso
from intaglio.base.process.threads import RunInThread
from intaglio.base.settings.values import Settings
from intaglio.fence.injection_marks import has_injection_marks
from intaglio.graph.settings import GraphSettings
from intaglio.graph.stated_relations import OfMessage, Triple, state_relations
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import Job, JobType
from intaglio.memory.operations import ChangeContext
from intaglio.memory.values import Scope
from intaglio.models.calls import ModelCalls
from intaglio.models.values import CallContext, ModelAnswer, MustWait, NoAnswer
from intaglio.pauses.service import pause_state
from intaglio.projects import settings_rows
from intaglio.session_notes import rows, turn_rows
from intaglio.session_notes.settings import TurnSettings
from intaglio.session_notes.surprise import RECENT, surprise
from intaglio.session_notes.turn_prompt import CONTEXT_MESSAGES, EXTRACT_TURN, turn_text
from intaglio.session_notes.turn_rows import TurnResult
from intaglio.session_notes.values import MadeBy, SessionPart
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.values import StoredMessage
from intaglio.transcripts.vectors import rows as vectors

EXTRACT_TURN_JOB: Final = JobType(name="extract_turn", label="Messages for the graph", attempts=3)
STAGE: Final = "turns"
_AT_ONCE: Final = 200
# What is older was said before this was switched on; `pipeline redo` reads it.
_RECENT_TIME: Final = timedelta(days=1)
_FROZEN_CHECK_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class _Turn:
    """A message to read, the user's messages before it, and how it is to be read."""

    part: SessionPart
    message: StoredMessage
    before: tuple[StoredMessage, ...]
    skipped: int
    vector: bytes | None
    vectors_before: tuple[bytes, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReader:
    """Runs jobs of type `extract_turn`, whose subject is the row of a message.

    ``embedding_model`` names the model of the messages' vectors, empty if there is none.
    """

    db: Database
    context: ChangeContext
    settings: Callable[[], Settings]
    frozen: Callable[[], bool]
    calls: ModelCalls
    in_thread: RunInThread
    embedding_model: Callable[[], str]

    def is_on(self) -> bool:
        """Whether messages are read: switched on, with a model and a graph."""
        settings = self.settings()
        return (
            settings.of(TurnSettings).turns
            and settings.of(GraphSettings).enabled
            and self.calls.is_on(EXTRACT_TURN.role)
        )

    async def queue_new(self) -> int:
        """Queue the user's new messages; returns how many."""
        if not self.is_on() or self.frozen():
            return 0
        now = self.context.clock()
        since = iso(now - _RECENT_TIME)
        paused, found = await self.db.read(
            lambda tx: (
                pause_state(tx, now).paused,
                turn_rows.unread(tx, EXTRACT_TURN_JOB.name, since, _AT_ONCE),
            )
        )
        if paused or not found:
            return 0
        return await self.db.write(lambda tx: queue(tx, found, iso(now)))

    async def run(self, job: Job) -> NoAnswer | None:
        """Read a message, or skip it; returns why the model didn't answer, if it didn't."""
        if self.frozen():
            return MustWait("paused", "memories can't be changed now", _FROZEN_CHECK_S)
        row = int(job.subject)
        turn = await self.db.read(lambda tx: self._turn(tx, row))
        skipped = "empty" if turn is None else await self._reason_to_skip(turn)
        if turn is None or skipped is not None:
            await self.db.write(lambda tx: self._skip(tx, job, row, skipped or "empty"))
            return None
        answer = await self.calls.ask(
            EXTRACT_TURN,
            turn_text(turn.message.text, [each.text for each in turn.before]),
            CallContext(stage=STAGE, project=turn.part.project, subject=" ".join(turn.part.key)),
        )
        if not isinstance(answer, ModelAnswer):
            return answer
        made_by = MadeBy(EXTRACT_TURN.name, EXTRACT_TURN.version, answer.model)
        triples = answer.value
        await self.db.write(lambda tx: self._write(tx, job, turn, triples, made_by))
        return None

    def _turn(self, tx: ReadTx, row: int) -> _Turn | None:
        """Return a message as it is read; None if there is nothing to read any more."""
        transcript = transcripts.transcript_of(row)
        part = rows.part(tx, transcript)
        if part is None or settings_rows.chosen(tx, part.project).capture is False:
            return None
        said = [each for each in transcripts.messages(tx, transcript) if each.role == "user"]
        place = next((at for at, each in enumerate(said) if each.number == row), None)
        if place is None:
            return None
        before = tuple(said[max(0, place - CONTEXT_MESSAGES) : place])
        own, earlier = self._vectors(tx, transcript, row, said[max(0, place - RECENT) : place])
        skipped = turn_rows.count_skipped_before(tx, [each.number for each in said[:place]])
        return _Turn(part, said[place], before, skipped, own, earlier)

    def _vectors(
        self, tx: ReadTx, transcript: int, row: int, before: Sequence[StoredMessage]
    ) -> tuple[bytes | None, tuple[bytes, ...]]:
        model = self.embedding_model() if self.settings().of(TurnSettings).gate else ""
        if not model:
            return None, ()
        found = {
            each.number: each.vector
            for one in vectors.of_transcripts(tx, model, [transcript])
            for each in one.unpacked()
        }
        numbers = (each.number for each in before)
        return found.get(row), tuple(found[each] for each in numbers if each in found)

    async def _reason_to_skip(self, turn: _Turn) -> TurnResult | None:
        settings = self.settings().of(TurnSettings)
        if await self.in_thread(lambda: has_injection_marks(turn.message.text)):
            return "injected"
        own = turn.vector
        if not settings.gate or own is None or turn.skipped >= settings.most_skipped:
            return None
        found = await self.in_thread(lambda: surprise(own, turn.vectors_before))
        return "unsurprising" if found < settings.surprise else None

    def _skip(self, tx: WriteTx, job: Job, row: int, result: TurnResult) -> None:
        if jobs.complete(tx, job, self.context.now):
            turn_rows.mark(tx, row, result, 0, None, self.context.now)

    def _write(
        self, tx: WriteTx, job: Job, turn: _Turn, triples: tuple[Triple, ...], made_by: MadeBy
    ) -> None:
        """Write what the message states, unless it was changed or taken out meanwhile."""
        message, now = turn.message, self.context.now
        if not jobs.complete(tx, job, now):
            return
        if transcripts.text_of(tx, message.number) != message.text:
            turn_rows.mark(tx, message.number, "empty", 0, None, now)
            return
        project = turn.part.project
        scope = Scope(turn.part.session.agent_id, project, settings_rows.visibility(tx, project))
        source = OfMessage(message=message.number, text=message.text, scope=scope)
        stated = state_relations(tx, triples, source, self.context)
        turn_rows.mark(tx, message.number, "read", stated.written, made_by, now)


def queue(tx: WriteTx, messages: Sequence[int], at: str) -> int:
    """Queue messages; returns how many weren't queued already."""
    return sum(jobs.enqueue(tx, EXTRACT_TURN_JOB, str(each), at) for each in messages)

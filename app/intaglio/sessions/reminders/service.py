"""Decides with which prompts the agent is reminded to save something, and records what came of it.

The judge that captures decides, with a lower threshold: a reminder too many costs some tokens, one
too few a memory.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from intaglio.base.clock import Clock, iso
from intaglio.base.errors import UnavailableError
from intaglio.base.process.threads import RunInThread
from intaglio.base.settings.values import Settings
from intaglio.base.text import estimate_tokens, scrub
from intaglio.capture.settings import CaptureSettings
from intaglio.fence.marks import strip_injected
from intaglio.language.tokens import count_words
from intaglio.pauses.service import pause_state
from intaglio.redaction.redact import clean
from intaglio.sessions import rows as sessions
from intaglio.sessions.reminders import rows, wording
from intaglio.sessions.reminders.prompt_texts import PromptTexts
from intaglio.sessions.reminders.values import NewReminder, NoteResult
from intaglio.sessions.settings import HarnessSettings
from intaglio.sessions.statements.services import VectorSource
from intaglio.sessions.values import SessionRef
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

if TYPE_CHECKING:
    from intaglio.capture.judge import TurnClauses
    from intaglio.capture.values import ReminderFrequency

# "Continue", "yes please" hold nothing.
_MIN_WORDS: Final = 3
_MAX_SESSIONS: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminders:
    """The use case of save reminders.

    ``clause_vectors`` returns None if the model takes longer than a prompt may wait.
    ``in_background`` runs a write in the background and logs its failure. ``prompts`` keeps what
    the user has said, as evidence for what the agent saves in the same turn. ``closed`` are
    sessions whose reminders are known to be closed, so that the ends of their turns write nothing.
    """

    db: Database
    clock: Clock
    settings: Callable[[], Settings]
    in_thread: RunInThread
    clause_vectors: VectorSource
    in_background: Callable[[Awaitable[None]], None]
    prompts: PromptTexts
    closed: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    async def line(
        self,
        session: SessionRef,
        text: str,
        prompt_id: str | None,
        agent_said: Callable[[], Awaitable[str]] | None = None,
        *,
        captures: bool | None = None,
    ) -> str:
        """Return the reminder to give with a prompt of the user, and record it; often nothing.

        The agent must have our tools. ``agent_said`` is asked only if the prompt leans on what the
        agent said before. ``captures`` is what the user chose for the project; None lets the
        harness's settings decide.
        """
        wanted = self.settings().of(CaptureSettings)
        frequency = _frequency(wanted.reminders)
        if captures is None:
            captures = self.settings().harness(HarnessSettings, session.harness).capture
        if frequency is None or session.subagent or session.anonymous or not captures:
            return ""
        now = self.clock()

        def state(tx: ReadTx) -> tuple[bool, int]:
            return pause_state(tx, now).paused, rows.count(tx, *session.key)

        paused, given = await self.db.read(state)
        if paused:
            return ""
        may_remind = given < wanted.reminders_per_session
        read = await self.in_thread(lambda: _read(text, judged=may_remind))
        self.prompts.note(session.key, read.text, iso(now))
        lasting = await self._lasting(read.turn) if read.turn is not None else 0.0
        if may_remind and read.leans and agent_said is not None:
            before = await agent_said()
            lasting = max(lasting, await self.in_thread(lambda: _accepted(before, read.text)))
        if lasting < _lasting_from(frequency):
            return ""
        self._write(
            session,
            NewReminder(
                harness=session.harness,
                session_id=session.id,
                prompt_id=prompt_id,
                at=iso(now),
                wording=wording.VERSION,
                tokens=estimate_tokens(wording.LINE + "\n"),
                confidence=round(lasting, 3),
            ),
        )
        return wording.LINE

    async def _lasting(self, turn: "TurnClauses") -> float:
        """Return how sure it is that the message holds something lasting, 0 to 1."""
        from intaglio.capture.judge import (  # noqa: PLC0415 - loaded with the classifier
            lasting,
            needs_vectors,
        )

        found = await self.in_thread(lambda: lasting(turn, None))
        if not needs_vectors(found) or not turn.to_embed:
            return found
        # Remembered until the turn ends, when capture judges the same words.
        vectors = await self.clause_vectors(turn.to_embed)
        return await self.in_thread(lambda: lasting(turn, vectors))

    def _write(self, session: SessionRef, new: NewReminder) -> None:
        def work(tx: WriteTx) -> None:
            # What one agent was told must not be read by another one that names the same session.
            if sessions.agent_of(tx, *session.key) in (None, session.agent_id):
                rows.insert(tx, new)

        self.closed.discard(session.key)
        self._start(work)

    def note(self, session: SessionRef | None, result: NoteResult) -> None:
        """Record what the agent did; nothing if no reminder waits for it."""
        if session is None:
            return
        key = session.key

        def work(tx: WriteTx) -> None:
            seq = rows.open_one(tx, *key)
            if seq is not None:
                rows.add_result(tx, seq, result)

        self._start(work)

    def turn_end(self, session: SessionRef) -> None:
        """Record that a session's turn has ended."""
        key, at = session.key, iso(self.clock())

        def work(tx: WriteTx) -> None:
            rows.close(tx, *key, at)

        if session.key not in self.closed:
            if len(self.closed) >= _MAX_SESSIONS:
                self.closed.clear()
            self.closed.add(session.key)
            self._start(work)

    def _start(self, work: Callable[[WriteTx], None]) -> None:
        try:
            self.in_background(self.db.write(work))
        except UnavailableError:
            # Read-only or full: the daemon's state reports it.
            return


@dataclass(frozen=True, slots=True)
class _Read:
    """A prompt; ``leans`` if it accepts or chooses something that the agent said."""

    text: str
    turn: "TurnClauses | None"
    leans: bool


def _read(text: str, *, judged: bool) -> _Read:
    """Read a prompt as capture does: without injected text and secrets."""
    # Compiling the regular expressions would take a tenth of the daemon's startup time.
    from intaglio.capture.judge import read_for_reminder  # noqa: PLC0415 - see above
    from intaglio.capture.message_parts import read_part  # noqa: PLC0415 - see above
    from intaglio.capture.reply_openings import leans_on_agent  # noqa: PLC0415 - see above

    said = read_part(scrub(strip_injected(text)), clean)
    if not judged:
        return _Read(said, None, leans=False)
    leans = leans_on_agent(said)
    if count_words(said) < _MIN_WORDS:
        return _Read(said, None, leans)
    turn = read_for_reminder(said)
    return _Read(said, turn if turn.clauses else None, leans)


def _accepted(before: str, said: str) -> float:
    """Return how sure it is that the prompt accepts something lasting, 0 to 1."""
    from intaglio.capture.proposals import read_reply  # noqa: PLC0415 - see _read

    reply = read_reply(before, said)
    return reply.proposal.confidence if reply is not None and reply.proposal is not None else 0.0


def _frequency(setting: str) -> "ReminderFrequency | None":
    match setting:
        case "normal" | "fewer":
            return setting
        case _:
            return None


def _lasting_from(frequency: "ReminderFrequency") -> float:
    from intaglio.capture.values import LASTING_FROM  # noqa: PLC0415 - loaded with the classifier

    return LASTING_FROM[frequency]

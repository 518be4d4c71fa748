"""What capture neither kept nor offered, kept by the user all the same."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from intaglio.base.errors import ForbiddenError, writes_frozen
from intaglio.inbox.kinds import Refusal
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import USER_AUTHOR, NewMemory, Source
from intaglio.pipeline.ingest import Remember, in_project, prepare
from intaglio.sessions.statements import considered_rows, rows
from intaglio.sessions.statements.suggestions import insert_accepted
from intaglio.sessions.statements.values import RecordedStatement
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

_AUTONOMOUS: Final = frozenset({"agent", "pipeline"})
_KEPT: Final = "kept on the page of its session"


@dataclass(frozen=True, slots=True)
class ConsideredKept:
    """The statement is a memory now, or was one already."""

    memory_id: str


@dataclass(frozen=True, slots=True)
class NoSuchStatement:
    """The session has no such statement, or the reader may not read it."""


KeepOutcome: TypeAlias = ConsideredKept | NoSuchStatement | Refusal


@dataclass(frozen=True, slots=True)
class ConsideredStatements:
    """Makes memories of considered statements, for the user."""

    db: Database
    context: ChangeContext
    frozen: Callable[[], bool] = field(repr=False)

    async def keep(self, session: tuple[str, str], seq: int, audit: Audit) -> KeepOutcome:
        """Save a statement of a session, given by its harness and id, as a memory.

        Raises ForbiddenError for an actor that isn't a person, and UnavailableError while writes
        are frozen or impossible.
        """
        if audit.actor.type in _AUTONOMOUS:
            raise ForbiddenError(
                "Only the user keeps what was said",
                hint="Ask the user to open the session in the dashboard.",
            )
        if self.frozen():
            raise writes_frozen()
        said = await self.db.read(lambda tx: considered_rows.get(tx, seq, audit.reader))
        if said is None or (said.harness, said.session_id) != session:
            return NoSuchStatement()
        audit = replace(audit, reason=audit.reason or _KEPT)
        memory = self._memory(said, audit)
        return await self.db.write(lambda tx: self._keep(tx, said, memory, audit))

    def _memory(self, said: RecordedStatement, audit: Audit) -> NewMemory:
        command = Remember(
            content=said.content,
            actor=audit.actor,
            who=USER_AUTHOR,
            why=_KEPT,
            type=said.type,
            agent_id=said.agent_id,
            project=said.project,
            source=Source(said.harness, said.place),
            session_id=said.session_id,
            created_at=said.said_at,
        )
        return prepare(command, self.context)[0]

    def _keep(
        self, tx: WriteTx, said: RecordedStatement, memory: NewMemory, audit: Audit
    ) -> KeepOutcome:
        if considered_rows.get(tx, said.seq, audit.reader) is None:
            return NoSuchStatement()
        effect = insert_accepted(tx, in_project(tx, memory), said.evidence, audit, self.context)
        if isinstance(effect, Refusal) or effect.memory_id is None:
            return effect if isinstance(effect, Refusal) else NoSuchStatement()
        considered_rows.delete(tx, said.seq)
        # As a suggestion that was accepted: capture didn't keep it by itself.
        rows.insert(tx, replace(said, outcome="suggested", memory_id=effect.memory_id))
        return ConsideredKept(effect.memory_id)

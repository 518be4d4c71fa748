"""Decides whether an agent may change or forget a memory: only what it wrote itself, and little.

What the user said, confirmed or pinned, and what another agent wrote, is the user's to change: the
inbox gets a proposal, and the memory stays as it is. What an agent wrote it may change so many
times in a session; then only the user can, who is told and can undo all of it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, TypeVar

from intaglio.base.errors import ForbiddenError, writes_frozen
from intaglio.base.text import scrub
from intaglio.inbox.values import (
    AlreadyOpen,
    DroppedBefore,
    Evidence,
    Proposal,
    ProposedChange,
    ProposeOutcome,
    Suggested,
    TooManyProposals,
)
from intaglio.memory import history_rows as history
from intaglio.memory import operations
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import (
    KEEP,
    Change,
    ForgetOutcome,
    Memory,
    ModifyOutcome,
    Scope,
    agent_author,
)
from intaglio.pipeline.modify import MemoryPatch, cleaned
from intaglio.pipeline.proposed_changes import propose
from intaglio.pipeline.session_changes import tell_changes
from intaglio.redaction.redact import clean
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

T = TypeVar("T", bound=ForgetOutcome | ModifyOutcome)

ASK_THE_USER: Final = "Ask the user to do it in the dashboard or with the `intaglio` command."
"""The hint of what an agent may not do itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedChange:
    """What an agent wants of a memory; a ``change`` of None forgets it.

    The audit's actor names the harness and the session; ``agent_id`` is the agent, ``project`` the
    key of the project that it works in.
    """

    memory_id: str
    change: Change | None
    audit: Audit
    agent_id: str
    project: str | None


@dataclass(frozen=True, slots=True)
class Proposed:
    """Nothing changed: the user is asked, by an item of the inbox."""

    item_id: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """Nothing changed: the user rejected the same before."""


Refused: TypeAlias = Proposed | Rejected


@dataclass(frozen=True, slots=True)
class _Allowed:
    """The agent may make the change, as long as the memory has this version."""

    version: int | None


_Judgement: TypeAlias = _Allowed | Refused | ForbiddenError


@dataclass(frozen=True, slots=True)
class AgentChanges:
    """The use case of agents' changes; ``limit`` is how many a session's agent may make."""

    db: Database
    context: ChangeContext
    frozen: Callable[[], bool]
    limit: Callable[[], int]
    # Calls that an agent makes at once are counted one after another.
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def carry_out(
        self, wanted: WantedChange, make: Callable[[Audit], Awaitable[T]]
    ) -> T | Refused:
        """Make a change if the agent may, else ask the user.

        ``make`` gets the audit to make it with, which names the version that the agent may change.
        Raises ForbiddenError if the agent may make or propose no more changes, and
        UnavailableError while writes are frozen.
        """
        if self.frozen():
            raise writes_frozen()
        asked = _cleaned(wanted)
        async with self.turn:
            found = await self.db.write(lambda tx: self._judge(tx, asked))
            # Raised here: in the transaction, it would take back what the user is told.
            if isinstance(found, ForbiddenError):
                raise found
            if not isinstance(found, _Allowed):
                return found
            expected = wanted.audit.if_version or found.version
            return await make(replace(wanted.audit, if_version=expected))

    def _judge(self, tx: WriteTx, wanted: WantedChange) -> _Judgement:
        memory = operations.find_visible(tx, wanted.memory_id, wanted.audit.reader)
        if memory is None or memory.is_deleted:
            # There is nothing to protect: making the change says what is wrong with it.
            return _Allowed(None)
        if _is_own(memory, wanted) and not history.is_confirmed(tx, memory.id):
            return self._count(tx, wanted, memory.version)
        return _outcome_of(
            propose(tx, Proposal(memory, _proposed(wanted.change), _evidence(wanted)), self.context)
        )

    def _count(self, tx: WriteTx, wanted: WantedChange, version: int) -> _Allowed | ForbiddenError:
        limit = self.limit()
        made = history.count_by_agents(tx, wanted.audit.actor.session_id or "", limit + 1)
        if made and made + 1 >= limit:
            scope = Scope(wanted.agent_id, wanted.project)
            tell_changes(tx, scope, _evidence(wanted), self.context)
        if made >= limit:
            return ForbiddenError(
                f"No more than {limit} memories may be changed or forgotten in a session",
                hint=f"The user was told. {ASK_THE_USER}" if made else ASK_THE_USER,
            )
        return _Allowed(version)


def _cleaned(wanted: WantedChange) -> WantedChange:
    """Return what is wanted without secrets, as it would be stored."""
    if wanted.change is None:
        reason = clean(scrub(wanted.audit.reason or ""))
        return replace(wanted, audit=replace(wanted.audit, reason=reason))
    patch = cleaned(MemoryPatch(wanted.memory_id, wanted.change, wanted.audit))
    return replace(wanted, change=patch.change, audit=patch.why)


def _is_own(memory: Memory, wanted: WantedChange) -> bool:
    """Tell whether an agent stored a memory by itself: this one, in this harness."""
    author = agent_author(wanted.audit.actor.name)
    is_same = memory.scope.agent_id == wanted.agent_id and memory.who == author
    return memory.is_of_agent and is_same and not memory.pinned


def _proposed(change: Change | None) -> ProposedChange:
    if change is None:
        return ProposedChange(forget=True)
    return ProposedChange(
        content=None if change.content is KEEP else change.content,
        type=None if change.type is KEEP else change.type,
        importance=None if change.importance is KEEP else change.importance,
        tags=None if change.tags is KEEP else change.tags,
    )


def _evidence(wanted: WantedChange) -> Evidence:
    actor = wanted.audit.actor
    return Evidence(wanted.audit.reason or "", actor.name, actor.session_id)


def _outcome_of(outcome: ProposeOutcome) -> Refused | ForbiddenError:
    match outcome:
        case Suggested(id=item_id) | AlreadyOpen(id=item_id):
            return Proposed(item_id)
        case DroppedBefore():
            return Rejected()
        case TooManyProposals():
            return ForbiddenError(
                "Too many changes of what the user said are proposed",
                hint=f"They wait in the user's inbox. {ASK_THE_USER}",
            )

"""Keeps what a project's commits took back, with the reason, as memories of type ``learning``.

The user didn't write them: they aren't instructions, and are deleted with their commits.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final

from intaglio.base.agent_id import DEFAULT_AGENT
from intaglio.base.settings.values import Settings
from intaglio.base.text import content_hash
from intaglio.commits import learning_rows, rows
from intaglio.commits.reverts import HoldingRevert, subject_of, taken_back
from intaglio.commits.settings import CommitSettings
from intaglio.domain.reader import GLOBAL
from intaglio.memory import history_rows as history
from intaglio.memory import operations, retention_rows
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import COMMIT_SOURCE, Actor, Memory, NewMemory, Scope, Source
from intaglio.store.batches import in_batches
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

MOST: Final = 30
"""Of a project, the newest reverts that are kept."""

_READ: Final = 300
_ACTOR: Final = Actor("commits", "daemon")
_WHY: Final = "taken back by a commit"
_GONE: Final = "its commit no longer takes anything back"
_IMPORTANCE: Final = 0.6
_CONFIDENCE: Final = 0.9


@dataclass(frozen=True, slots=True)
class RevertLearnings:
    """The use case of keeping a project's reverts; call `keep` whenever its commits change."""

    db: Database
    context: ChangeContext
    settings: Callable[[], Settings]

    async def keep(self, project: str) -> None:
        """Add what is missing, and remove what its commits don't say any more."""

        def look(tx: ReadTx) -> tuple[list[Memory], list[HoldingRevert]]:
            known = learning_rows.of_project(tx, project)
            return known, _holding(tx, project) if self._are_read(tx, project) else []

        known, holding = await self.db.read(look)
        wanted = {each.commit.hash for each in holding}
        gone = [each for each in known if each.source.id not in wanted]
        await in_batches(self.db, gone, self._remove)
        there = {each.source.id for each in known}
        fresh = [each for each in holding if each.commit.hash not in there]
        # The oldest first, so that the list of memories has the newest on top.
        await in_batches(self.db, fresh[::-1], partial(self._add, project=project))

    async def keep_all(self) -> None:
        """Do so for all projects that have such memories and whose commits aren't read any more."""
        for project in await self.db.read(learning_rows.projects):
            if not await self.db.read(partial(self._are_read, project=project)):
                await self.keep(project)

    def _are_read(self, tx: ReadTx, project: str) -> bool:
        return rows.is_read(tx, project, by_default=self.settings().of(CommitSettings).enabled)

    def _add(self, tx: WriteTx, found: HoldingRevert, project: str) -> None:
        memory = NewMemory(
            content=found.content,
            type="learning",
            importance=_IMPORTANCE,
            confidence=_CONFIDENCE,
            pinned=False,
            tags=(),
            who=COMMIT_SOURCE,
            why=_WHY,
            scope=Scope(DEFAULT_AGENT, project, GLOBAL),
            source=Source(COMMIT_SOURCE, found.commit.hash),
            session_id=None,
            idempotency_key=None,
            runtime_path=None,
            created_at=found.commit.committed_at,
        )
        # What the user forgot isn't added again.
        operations.insert(tx, memory, Audit(_ACTOR), self.context, revive=False)

    def _remove(self, tx: WriteTx, memory: Memory) -> None:
        """Delete a memory so that it may come back; what the user changed or pinned stays."""
        if memory.pinned or history.is_confirmed(tx, memory.id):
            return
        digest = content_hash(memory.content)
        scoped = (tx, memory.scope, memory.source, digest)
        # Once the user has forgotten the same commit elsewhere, that stays so.
        was_forgotten = retention_rows.find_forgotten(*scoped, memory.created_at) is not None
        operations.erase(tx, memory.id, Audit(_ACTOR, _GONE), self.context)
        if not was_forgotten:
            retention_rows.allow_again(*scoped)


def _holding(tx: ReadTx, project: str) -> list[HoldingRevert]:
    reverts = rows.read_many(tx, learning_rows.reverts(tx, project, _READ))
    named = [each.reverts for each in reverts if each.reverts is not None]
    subjects = learning_rows.subjects(tx, project, named)
    quoted = {*subjects.values(), *(subject_of(each.subject) for each in reverts)}
    later = learning_rows.last_committed(tx, project, sorted(quoted))
    return list(islice(taken_back(reverts, subjects, later), MOST))

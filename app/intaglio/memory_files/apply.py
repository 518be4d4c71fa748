"""Writes what a file's statements become: memories, or suggestions for the user; a tx each.

A fact becomes a memory that nobody vouches for. What would bind somebody is suggested at most. A
memory that the user has changed since is the user's: what happens to its statement leaves it alone.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from intaglio.domain.memory_types import MemoryType
from intaglio.inbox import operations as inbox
from intaglio.inbox import rows as inbox_rows
from intaglio.inbox.values import AlreadyOpen, Evidence, NewSuggestion, Suggested
from intaglio.memory import operations, parsing
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.settings import MemorySettings
from intaglio.memory.values import (
    FILE_SOURCE,
    Actor,
    Change,
    Done,
    Duplicate,
    Forgotten,
    Inserted,
    Memory,
    NewMemory,
    Scope,
    ScopeConflict,
    Source,
)
from intaglio.memory_files import rows
from intaglio.memory_files.values import FileLine, KnownLine, MemoryFile
from intaglio.projects import settings_rows
from intaglio.sessions.statements.values import ClaimType
from intaglio.store.tx import WriteTx

ACTOR: Final = Actor("Intaglio", "daemon")
"""Who changes what is read in files."""

_OBSOLETE: Final = "obsolete"
_MAX_OPEN: Final = 20
_IMPORTANCE: Final = 0.5
_CONFIDENCE: Final = 0.7
_FACTS: Final[frozenset[MemoryType]] = frozenset({"procedural", "learning", "issue", "semantic"})


@dataclass(frozen=True, slots=True)
class FileWriter:
    """Writes what the statements of one file become; ``written_at`` is when it was saved."""

    file: MemoryFile
    written_at: str
    context: ChangeContext

    @property
    def path(self) -> str:
        """The file's path, as it is stored."""
        return str(self.file.path)

    def add(self, tx: WriteTx, line: FileLine, claim: ClaimType | None) -> bool:
        """Remember or suggest a new statement; False if the inbox has no room for it now."""
        if claim is not None:
            return self._suggest(tx, line, claim)
        outcome = operations.insert(
            tx, self._memory(tx, line), self._audit("read in"), self.context, revive=False
        )
        match outcome:
            case Inserted(id=memory_id) | Duplicate(memory=Memory(id=memory_id)):
                rows.put_line(tx, KnownLine(self.path, line.id, memory_id))
            case Forgotten(id=memory_id):
                rows.put_line(tx, KnownLine(self.path, line.id, memory_id or None))
        return True

    def edit(self, tx: WriteTx, old: KnownLine, line: FileLine, claim: ClaimType | None) -> bool:
        """Follow a statement that was reworded; False if the inbox has no room for it now."""
        if self._was_forgotten(tx, old):
            # It stays forgotten, however it is reworded.
            rows.delete_line(tx, old)
            rows.put_line(tx, replace(old, id=line.id))
            return True
        memory = self._own(tx, old)
        stays = claim is None and not rows.is_stated_elsewhere(tx, old)
        if memory is None or not stays or memory.scope.project != line.project:
            self.remove(tx, old)
            return self.add(tx, line, claim)
        change, audit = Change(content=line.content), self._audit("changed in")
        outcome = operations.modify(tx, memory.id, change, audit, self.context)
        rows.delete_line(tx, old)
        if isinstance(outcome, ScopeConflict):
            operations.forget(tx, memory.id, audit, self.context)
            return self.add(tx, line, claim)
        rows.put_line(tx, replace(old, id=line.id))
        return True

    def bring_back(
        self, tx: WriteTx, old: KnownLine, line: FileLine, claim: ClaimType | None
    ) -> bool:
        """Restore what a statement was that stands in the file again."""
        rows.delete_line(tx, old)
        item = inbox_rows.get(tx, old.item_id) if old.item_id else None
        memory = memories.get(tx, old.memory_id) if old.memory_id else None
        is_back = False
        if item is not None and item.action == _OBSOLETE:
            inbox.reopen(tx, item)
            is_back = True
        elif memory is not None and memory.is_deleted and memory.updated_by == ACTOR.name:
            days = self.context.settings().of(MemorySettings).tombstone_days
            audit = self._audit("read again in")
            outcome = operations.recover(tx, memory.id, audit, self.context, timedelta(days=days))
            is_back = isinstance(outcome, Done)
        if not is_back:
            return self.add(tx, line, claim)
        rows.put_line(tx, replace(old, removed_at=None))
        return True

    def remove(self, tx: WriteTx, old: KnownLine) -> None:
        """Forget what a statement was that went, unless another one says it, or the user does."""
        rows.delete_line(tx, old)
        gone = replace(old, removed_at=self.context.now)
        item = inbox_rows.get(tx, old.item_id) if old.item_id else None
        if item is not None and item.status == "open":
            inbox.close(tx, item.id, _OBSOLETE, self.context)
            rows.put_line(tx, gone)
        memory = self._own(tx, old)
        if memory is not None and not rows.is_stated_elsewhere(tx, old):
            operations.forget(tx, memory.id, self._audit("removed from"), self.context)
            rows.put_line(tx, gone)

    def _suggest(self, tx: WriteTx, line: FileLine, claim: ClaimType) -> bool:
        if inbox_rows.count_open_of_source(tx, FILE_SOURCE) >= _MAX_OPEN:
            return False
        said = Evidence(f"{self.file.path.name}: {line.content}", FILE_SOURCE)
        new = NewSuggestion(
            content=line.content,
            type=claim,
            agent_id=Scope().agent_id,
            project=line.project,
            source=Source(FILE_SOURCE, f"{self.path}#{line.id}"),
            confidence=_CONFIDENCE,
            evidence=said,
            visibility=settings_rows.visibility(tx, line.project),
        )
        known = KnownLine(self.path, line.id)
        match inbox.suggest(tx, new, self.context):
            case Suggested(id=item_id):
                known = replace(known, item_id=item_id)
            case AlreadyOpen(id=item_id):
                inbox.add_evidence(tx, item_id, said)
            case Duplicate(memory=memory):
                known = replace(known, memory_id=memory.id)
            case _:
                pass
        rows.put_line(tx, known)
        return True

    def _memory(self, tx: WriteTx, line: FileLine) -> NewMemory:
        inferred = parsing.infer_type(line.content)
        return NewMemory(
            content=line.content,
            type=inferred if inferred in _FACTS else "fact",
            importance=_IMPORTANCE,
            confidence=_CONFIDENCE,
            pinned=False,
            tags=(),
            who=FILE_SOURCE,
            why=f"read in {self.file.path.name}",
            scope=Scope(
                project=line.project, visibility=settings_rows.visibility(tx, line.project)
            ),
            source=Source(FILE_SOURCE, line.id, self.path),
            session_id=None,
            idempotency_key=None,
            runtime_path=None,
            created_at=min(self.written_at, self.context.now),
        )

    @staticmethod
    def _own(tx: WriteTx, known: KnownLine) -> Memory | None:
        """Return the live memory of a statement, unless it is somebody's: stored or changed."""
        memory = memories.get(tx, known.memory_id) if known.memory_id else None
        if memory is None or memory.is_deleted or memory.pinned or memory.who != FILE_SOURCE:
            return None
        return memory

    @staticmethod
    def _was_forgotten(tx: WriteTx, known: KnownLine) -> bool:
        """Whether the user forgot what a statement was."""
        if known.item_id is not None:
            return False
        memory = memories.get(tx, known.memory_id) if known.memory_id else None
        return memory is None or (memory.is_deleted and memory.updated_by != ACTOR.name)

    def _audit(self, what: str) -> Audit:
        return Audit(ACTOR, f"{what} {self.file.path.name}")

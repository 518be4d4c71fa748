"""What a memory is, what is asked of memories, and what comes of it."""

from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal, TypeAlias

from intaglio.base.agents.agent_id import DEFAULT_AGENT
from intaglio.base.agents.reader import EVERYONES, Visibility

MemoryType: TypeAlias = Literal[
    "fact",
    "preference",
    "decision",
    "procedural",
    "semantic",
    "rule",
    "learning",
    "issue",
    "session_summary",
    "document_chunk",
]
UniqueField: TypeAlias = Literal["content", "source", "key"]
"""In what two memories of one scope must differ."""

MEMORY_TYPES: Final[tuple[MemoryType, ...]] = (
    "fact",
    "preference",
    "decision",
    "procedural",
    "semantic",
    "rule",
    "learning",
    "issue",
    "session_summary",
    "document_chunk",
)
DEFAULT_IMPORTANCE: Final = 0.8


class Keep(Enum):
    """Marks a field that a change leaves as it is."""

    KEEP = 0


KEEP: Final = Keep.KEEP


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks for a change: ``type`` is operator, agent, daemon, pipeline, harness or sdk."""

    name: str
    type: str = "operator"
    session_id: str | None = None
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a memory belongs; no two live memories of one scope have the same content."""

    agent_id: str = DEFAULT_AGENT
    project: str | None = None
    visibility: Visibility = EVERYONES


@dataclass(frozen=True, slots=True)
class Source:
    """Where a memory comes from: the kind of source and its own id there."""

    type: str = "manual"
    id: str | None = None
    path: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A memory ready to be written: redacted, with all defaults decided."""

    content: str
    type: MemoryType
    importance: float
    confidence: float
    pinned: bool
    tags: tuple[str, ...]
    who: str
    why: str | None
    scope: Scope
    source: Source
    session_id: str | None
    idempotency_key: str | None
    runtime_path: str | None
    created_at: str


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory as it is stored. Times are ISO-8601 UTC, ``tags`` in the order given.

    The order of the fields is that in which their columns are read.
    """

    seq: int
    id: str
    content: str
    type: str
    importance: float
    confidence: float
    pinned: bool
    tags: tuple[str, ...]
    who: str
    why: str | None
    scope: Scope
    source: Source
    session_id: str | None
    created_at: str
    updated_at: str
    updated_by: str
    runtime_path: str | None
    last_accessed: str | None
    access_count: int
    version: int
    is_deleted: bool
    deleted_at: str | None
    extraction_status: str
    embedding_model: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The fields of a memory to replace; ``KEEP`` leaves one as it is."""

    content: str | Keep = KEEP
    type: MemoryType | Keep = KEEP
    importance: float | Keep = KEEP
    pinned: bool | Keep = KEEP
    tags: tuple[str, ...] | Keep = KEEP
    who: str | Keep = KEEP
    project: str | Keep | None = KEEP
    visibility: Visibility | Keep = KEEP


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One recorded change; ``metadata`` is a JSON object as text."""

    id: str
    event: str
    old_content: str | None
    new_content: str | None
    changed_by: str
    actor_type: str
    reason: str | None
    metadata: str | None
    created_at: str
    session_id: str | None
    request_id: str | None


@dataclass(frozen=True, slots=True)
class Inserted:
    """The memory was written."""

    id: str


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A live memory of this scope says the same, or has the same source or key."""

    memory: Memory


@dataclass(frozen=True, slots=True)
class Forgotten:
    """This source or content was remembered before and then forgotten; it stays so.

    ``id`` names the tombstone; empty once that is purged.
    """

    id: str


InsertOutcome: TypeAlias = Inserted | Duplicate | Forgotten


@dataclass(frozen=True, slots=True)
class Done:
    """The change was made: the version before and after.

    ``embedded`` tells of new content whether its vector is there already.
    """

    id: str
    current_version: int
    new_version: int
    content_changed: bool = False
    embedded: bool = False


@dataclass(frozen=True, slots=True)
class NoChange:
    """Nothing would differ, so nothing was written."""

    id: str
    version: int


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no such memory."""


@dataclass(frozen=True, slots=True)
class VersionConflict:
    """The memory has another version than the one the change was meant for."""

    version: int


@dataclass(frozen=True, slots=True)
class AlreadyDeleted:
    """The memory is forgotten already."""

    version: int


@dataclass(frozen=True, slots=True)
class NotDeleted:
    """The memory is not forgotten, so it cannot be recovered."""

    version: int


@dataclass(frozen=True, slots=True)
class PinnedNeedsForce:
    """A pinned memory is forgotten only with force."""

    version: int


@dataclass(frozen=True, slots=True)
class RetentionExpired:
    """The time within which it could be recovered is over."""

    version: int


@dataclass(frozen=True, slots=True)
class ScopeConflict:
    """Another live memory of that scope has the content, the source or the key.

    ``other_id`` is None where the asker may not read it.
    """

    version: int
    other_id: str | None
    same: UniqueField = "content"


ModifyOutcome: TypeAlias = (
    Done | NoChange | Missing | AlreadyDeleted | VersionConflict | ScopeConflict
)
ForgetOutcome: TypeAlias = Done | Missing | AlreadyDeleted | VersionConflict | PinnedNeedsForce
EraseOutcome: TypeAlias = Done | Missing | VersionConflict
RecoverOutcome: TypeAlias = (
    Done | Missing | NotDeleted | VersionConflict | RetentionExpired | ScopeConflict
)


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """A page of memories, newest first, and where the next one begins."""

    memories: tuple[Memory, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts over the live memories that an asker sees."""

    total: int
    with_embeddings: int
    critical: int

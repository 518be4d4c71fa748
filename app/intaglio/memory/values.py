"""The values of the memory package: memories, changes and the outcomes of operations."""

from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal, TypeAlias

from intaglio.base.agent_id import DEFAULT_AGENT
from intaglio.domain.memory_types import MemoryStatus, MemoryType
from intaglio.domain.reader import GLOBAL, Visibility

UniqueField: TypeAlias = Literal["content", "source", "key"]
"""The fields in which two memories of one scope must differ."""

DEFAULT_IMPORTANCE: Final = 0.8
AS_OLDER: Final = 1
AS_NEWER: Final = 2
USER_AUTHOR: Final = "user"
"""Who wrote what capture kept, and what the user kept of an agent's suggestions."""
COMPACTION_AUTHOR: Final = "system"
FROM_COMPACTION: Final = "summary of a compacted conversation"
"""Who wrote an agent's summary of its conversation, and why."""

ANONYMOUS_SESSION: Final = "unnamed:"
"""How the ids of anonymous sessions begin; memories that share one are unrelated."""

HEARD: Final = "said as a "
"""How the reason of a memory begins that capture heard in a session; a type follows."""

WORDED_BY_AGENT: Final = "said by the user, worded by the agent"
"""Why a memory is there, or was reworded: an agent saved it with the user's words as evidence."""

WORDED_BY_MODEL: Final = "said by the user, worded by a language model"
"""Why a memory is there, or was reworded: a model quoted the user's words."""

NOTED_BY_MODEL: Final = "noted by a language model that read the session"
"""Why a memory of an agent's is there that a model read in a session."""

WORDED: Final = (WORDED_BY_AGENT, WORDED_BY_MODEL)
"""The reasons of what the user said and somebody else worded."""

COMMIT_SOURCE: Final = "commit"
"""The source of what a project's commits took back; the source's id is the commit's hash."""

AGENT_SOURCE: Final = "agent"
"""The source type of what an agent stored by itself; the user didn't say it."""

FILE_SOURCE: Final = "file"
"""The source type of what was read in a file; the source's path is the file's."""

UNVOUCHED_SOURCES: Final = (AGENT_SOURCE, FILE_SOURCE)
"""The source types of what nobody has confirmed: it binds nobody and replaces nothing."""


class Keep(Enum):
    """Marks a field that a change leaves as it is."""

    KEEP = 0


KEEP: Final = Keep.KEEP


@dataclass(frozen=True, slots=True)
class Actor:
    """Who requests a change: ``type`` is operator, agent, daemon, pipeline, harness or sdk."""

    name: str
    type: str = "operator"
    session_id: str | None = None
    request_id: str | None = None


AGENT_ACTORS: Final = frozenset({"agent", "harness"})
"""The types of actors that act for an agent; what the user said isn't theirs to change."""


def agent_author(name: str) -> str:
    """Return the author of what an agent stored: its name, but never that of the user."""
    return AGENT_SOURCE if name == USER_AUTHOR else name


@dataclass(frozen=True, slots=True)
class Scope:
    """The agent, project and visibility of a memory; content is unique among its live memories."""

    agent_id: str = DEFAULT_AGENT
    project: str | None = None
    visibility: Visibility = GLOBAL


@dataclass(frozen=True, slots=True)
class Source:
    """Where a memory comes from: the kind of source and its id there."""

    type: str = "manual"
    id: str | None = None
    path: str | None = None

    @property
    def is_agent(self) -> bool:
        """Whether an agent stored or suggested it by itself."""
        return self.type == AGENT_SOURCE


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A memory ready to be written: redacted, with all defaults applied."""

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
    """A stored memory. Times are ISO-8601 UTC, ``tags`` are in the order given.

    The fields are in the order in which their columns are read. ``worded_at`` is when its words
    were said: when they were last corrected, else ``created_at``. ``valid_until`` is when it was
    replaced, by the memory ``superseded_by``; both None if it wasn't. ``dispute`` has bit 1 as the
    older, bit 2 as the newer memory of a contradiction that isn't decided on.
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
    worded_at: str
    superseded_by: str | None = None
    valid_until: str | None = None
    dispute: int = 0

    @property
    def status(self) -> MemoryStatus:
        """Whether it holds."""
        if self.valid_until is not None:
            return "replaced"
        return "disputed" if self.dispute & AS_OLDER else "current"

    @property
    def is_unsettled(self) -> bool:
        """Whether it denies an older memory, and the user hasn't decided between them."""
        return self.status == "current" and bool(self.dispute & AS_NEWER)

    @property
    def is_heard(self) -> bool:
        """Whether it was taken from what the user said in a session, without asking them."""
        why = self.why or ""
        return why.startswith(HEARD) or why in WORDED

    @property
    def is_unvouched(self) -> bool:
        """Whether only an agent or a file says it; what the user has kept or edited is theirs."""
        return self.source.type in UNVOUCHED_SOURCES and self.who != USER_AUTHOR

    @property
    def said_by(self) -> Literal["user", "agent", "file"]:
        """Whose word it is."""
        if not self.is_unvouched:
            return "user"
        return "agent" if self.source.is_agent else "file"

    @property
    def is_of_agent(self) -> bool:
        """Whether an agent stored it by itself; a claim that the user has kept is the user's."""
        return self.source.is_agent and self.who != USER_AUTHOR


@dataclass(frozen=True, slots=True)
class MemoryText:
    """What ranking reads of a live memory; the tags are JSON."""

    seq: int
    content: str
    tags: str
    who: str
    scope: Scope
    session_id: str | None
    created_at: str


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
    """A live memory of this scope has the same content, source or key; nothing was written.

    ``redacted`` counts the secrets that were removed from the text to save.
    """

    memory: Memory
    redacted: int = 0


@dataclass(frozen=True, slots=True)
class Forgotten:
    """This source or content was remembered before and then forgotten; it stays forgotten.

    ``id`` is the tombstone's; empty if that is purged.
    """

    id: str


InsertOutcome: TypeAlias = Inserted | Duplicate | Forgotten


@dataclass(frozen=True, slots=True)
class Done:
    """The change was made; with the versions before and after.

    ``embedded`` says whether new content already has its vector.
    """

    id: str
    current_version: int
    new_version: int
    content_changed: bool = False
    embedded: bool = False


@dataclass(frozen=True, slots=True)
class NoChange:
    """Nothing differs, so nothing was written."""

    id: str
    version: int


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no such memory."""


@dataclass(frozen=True, slots=True)
class VersionConflict:
    """The memory has another version than the change expected."""

    version: int


@dataclass(frozen=True, slots=True)
class AlreadyDeleted:
    """The memory is already forgotten."""

    version: int


@dataclass(frozen=True, slots=True)
class NotDeleted:
    """The memory isn't forgotten, so it can't be recovered."""

    version: int


@dataclass(frozen=True, slots=True)
class PinnedConflict:
    """A pinned memory is neither forgotten nor marked as outdated before it is unpinned."""

    version: int


@dataclass(frozen=True, slots=True)
class RetentionExpired:
    """The time in which it could be recovered has passed."""

    version: int


@dataclass(frozen=True, slots=True)
class ScopeConflict:
    """Another live memory of that scope has the same content, source or key.

    ``other_id`` is None if the principal may not read it.
    """

    version: int
    other_id: str | None
    same: UniqueField = "content"


ModifyOutcome: TypeAlias = (
    Done | NoChange | Missing | AlreadyDeleted | VersionConflict | ScopeConflict
)
ForgetOutcome: TypeAlias = Done | Missing | AlreadyDeleted | VersionConflict | PinnedConflict
EraseOutcome: TypeAlias = Done | Missing | VersionConflict
ReplaceOutcome: TypeAlias = Done | NoChange | Missing | AlreadyDeleted
ReinstateOutcome: TypeAlias = Done | NoChange | Missing | AlreadyDeleted | VersionConflict
RetireOutcome: TypeAlias = ReinstateOutcome | PinnedConflict
RecoverOutcome: TypeAlias = (
    Done | Missing | NotDeleted | VersionConflict | RetentionExpired | ScopeConflict
)


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """A page of memories, newest first, and the cursor of the next page."""

    memories: tuple[Memory, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of the live memories that a reader may read."""

    total: int
    with_embeddings: int
    critical: int

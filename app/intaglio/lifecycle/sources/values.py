"""Sources that can be taken back, what came from them, and the records of taking them back."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.domain.source_kinds import SourceKind
from intaglio.lifecycle.values import token_of
from intaglio.memory.values import Memory
from intaglio.sessions.values import SessionKey

StayReason: TypeAlias = Literal["elsewhere", "confirmed", "pinned"]
"""Why a memory stays: it also comes from elsewhere, the user confirmed or pinned it."""

RemovalState: TypeAlias = Literal["planned", "running", "done", "undoing", "undone"]
RemovedKind: TypeAlias = Literal["memory", "suggestion", "session"]
ItemOutcome: TypeAlias = Literal[
    "", "forgotten", "dropped", "deleted", "elsewhere", "confirmed", "pinned", "gone", "returned"
]
"""What became of an item: empty until then. Later, ``returned`` says that it is back."""

TOPIC: Final = "sources"
"""The topic of sources that are taken back, and undone, on the bus."""


@dataclass(frozen=True, slots=True)
class MemoryOrigin:
    """A source: ``id`` is a session's number or an import's id, a path, or a name."""

    kind: SourceKind
    id: str


@dataclass(frozen=True, slots=True)
class OriginCount:
    """A source with how many live memories came from it."""

    origin: MemoryOrigin
    label: str
    memories: int


@dataclass(frozen=True, slots=True)
class OriginMemory:
    """A live memory of a source; ``stays`` says why it isn't taken back by itself."""

    id: str
    stays: StayReason | None

    @property
    def is_shared(self) -> bool:
        """Whether it doesn't come from this source alone: the user's own act counts, too."""
        return self.stays in {"elsewhere", "confirmed"}


@dataclass(frozen=True, slots=True)
class OriginContents:
    """What came from a source: memories, newest first; open suggestions by id; and sessions.

    ``messages`` of their transcripts are stored, which changes nothing of the token.
    """

    memories: tuple[OriginMemory, ...] = ()
    suggestions: tuple[str, ...] = ()
    sessions: tuple[SessionKey, ...] = ()
    messages: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left to take back."""
        return not (self.memories or self.suggestions or self.messages)

    def token(self, origin: MemoryOrigin) -> str:
        """Return the token that confirms exactly these, of this source."""
        return token_of(
            (
                f"{origin.kind} {origin.id}",
                *(f"{each.id} {each.stays or ''}" for each in self.memories),
                *self.suggestions,
                *(session_item_id(key) for key in self.sessions),
            )
        )


@dataclass(frozen=True, slots=True)
class OriginPreview:
    """What taking a source back removes, and how it is called; ``shown`` are the first memories."""

    origin: MemoryOrigin
    label: str
    contents: OriginContents
    shown: tuple[Memory, ...] = ()

    @property
    def token(self) -> str:
        """The token that confirms exactly this."""
        return self.contents.token(self.origin)

    @property
    def shared(self) -> frozenset[str]:
        """The ids of the memories that don't come from this source alone."""
        return frozenset(each.id for each in self.contents.memories if each.is_shared)


@dataclass(frozen=True, slots=True)
class OriginChanged:
    """The source isn't as it was previewed; nothing was done."""

    preview: OriginPreview


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalRecord:
    """A source that was taken back; ``undone_at`` is when the user began to undo that."""

    seq: int
    id: str
    origin: MemoryOrigin
    label: str
    state: RemovalState
    reason: str
    changed_by: str
    created_at: str
    undone_at: str | None
    forgotten: int
    kept: int
    dropped: int

    @property
    def is_running(self) -> bool:
        """Whether it, or undoing it, isn't complete yet."""
        return self.state in {"planned", "running", "undoing"}


@dataclass(frozen=True, slots=True)
class RemovalItem:
    """A memory, suggestion or session of a source that was taken back, and what became of it.

    A session's id is that of `session_item_id`.
    """

    kind: RemovedKind
    id: str
    outcome: ItemOutcome
    detail: str = ""


def session_item_id(session: SessionKey) -> str:
    """Return the id of a session among a removal's items: a line each for harness and session."""
    return "\n".join(session)


def session_of_item(item_id: str) -> SessionKey:
    """Return the session of such an id."""
    harness, _, session = item_id.partition("\n")
    return harness, session

"""The values of the inbox: items, their evidence, and the outcomes of operations."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from intaglio.domain.memory_types import MemoryType
from intaglio.domain.reader import GLOBAL, USER, Reader, Visibility
from intaglio.domain.speaker import Speaker
from intaglio.memory.values import (
    KEEP,
    UNVOUCHED_SOURCES,
    Duplicate,
    Keep,
    Memory,
    Scope,
    Source,
)
from intaglio.store.values import ListPosition

ItemStatus: TypeAlias = Literal["open", "done"]

ClosingAction: TypeAlias = Literal[
    "said_again", "withdrawn", "obsolete", "expired", "memory_gone", "memory_changed"
]
"""Why an item was closed without the user's decision.

Said again and kept, taken back by the user, not true of its files any more, too old, or moot as its
memory is gone or has changed.
"""

CLOSING_ACTIONS: Final[tuple[ClosingAction, ...]] = get_args(ClosingAction)

MODEL_SPEAKER: Final = "model"
"""Stands for a harness in the evidence that a language model gives: why it asks."""

MAX_SENTENCE_CHARS: Final = 400
MAX_EVIDENCE: Final = 20
"""Most places that an item remembers; the first ones stay."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where something was said: the sentence, and its characters in the user's message.

    What an agent claims has no message.
    """

    sentence: str
    harness: str
    session_id: str | None = None
    message_id: str | None = None
    start: int = 0
    end: int = 0
    said_at: str | None = None

    @property
    def by(self) -> Speaker:
        """Whose words these are."""
        return "agent" if self.message_id is None else "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSuggestion:
    """A memory to suggest: ``content`` reads well alone, ``confidence`` is 0 to 1.

    ``source`` identifies the statement (harness; message and clause), so that reading a transcript
    twice suggests once.
    """

    content: str
    type: MemoryType
    agent_id: str
    project: str | None
    source: Source
    confidence: float
    evidence: Evidence
    replaces: tuple[str, ...] = ()
    visibility: Visibility = GLOBAL

    @property
    def scope(self) -> Scope:
        """The scope that the memory would have."""
        return Scope(self.agent_id, self.project, self.visibility)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedChange:
    """What an agent wants of a memory: that it is forgotten, or what is to differ."""

    forget: bool = False
    content: str | None = None
    type: MemoryType | None = None
    importance: float | None = None
    tags: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that an agent proposes of a memory, with the reason it gives."""

    memory: Memory
    change: ProposedChange
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxItem:
    """An item of the inbox.

    A contradiction has no content of its own: ``memory_id`` is the newer memory, ``older_id`` the
    older one. Of a kept suggestion, ``memory_id`` is its memory. ``changed_version`` is the version
    of the memory that the decision made or forgot, None if it changed none. A possible merge has no
    content either: ``entity_id`` may be the same entity as ``other_entity_id``. A wider scope asks
    about ``memory_id``, a memory of ``project``. A proposed change is of the memory ``memory_id``,
    and has its ``change``. The changes of an agent are those of the session that its evidence
    names. ``replaces`` are the memories that an accepted suggestion replaces.
    """

    seq: int = 0
    id: str
    kind: str
    status: ItemStatus = "open"
    content: str = ""
    type: str
    confidence: float
    agent_id: str
    project: str | None
    visibility: Visibility
    source: Source
    memory_id: str | None = None
    older_id: str | None = None
    created_at: str
    decided_at: str | None = None
    action: str | None = None
    changed_version: int | None = None
    evidence: tuple[Evidence, ...] = ()
    entity_id: str | None = None
    other_entity_id: str | None = None
    change: ProposedChange | None = None
    replaces: tuple[str, ...] = ()

    @property
    def scope(self) -> Scope:
        """The scope of the suggested memory."""
        return Scope(self.agent_id, self.project, self.visibility)

    @property
    def origin(self) -> Speaker:
        """Who a suggestion is from; of a contradiction, who its newer memory is from.

        What was read in a file isn't the user's word either.
        """
        return "agent" if self.source.type in UNVOUCHED_SOURCES else "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFilter:
    """Which items are wanted, of those that the reader may read.

    ``projects`` are the key and the other names of one project; none selects all projects.
    ``sessions`` (harness and id) are those in which something was said; None selects all items.
    """

    reader: Reader = USER
    status: ItemStatus = "open"
    kind: str | None = None
    projects: tuple[str, ...] = ()
    sessions: tuple[tuple[str, str], ...] | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """What the user changes of a suggestion on keeping it; None and ``KEEP`` leave it as it is."""

    content: str | None = None
    type: str | None = None
    project: str | Keep | None = KEEP


NO_EDIT: Final = Edit()


@dataclass(frozen=True, slots=True)
class ItemPage:
    """A page of items, newest first, and the last one's position if there are more."""

    items: tuple[InboxItem, ...]
    end: ListPosition | None


@dataclass(frozen=True, slots=True)
class Suggested:
    """The suggestion was added."""

    id: str


@dataclass(frozen=True, slots=True)
class AlreadyOpen:
    """A suggestion of the same words or of the same source is open; nothing was written."""

    id: str


@dataclass(frozen=True, slots=True)
class DroppedBefore:
    """The user doesn't want it: nothing was written.

    These words were dropped, this statement was decided on already, or the memory of it was
    forgotten after it was said. ``id`` is the item's; empty if there is none any more.
    """

    id: str


SuggestOutcome: TypeAlias = Suggested | AlreadyOpen | DroppedBefore | Duplicate
"""`Duplicate` if there is a memory of these words, or of this statement."""


@dataclass(frozen=True, slots=True)
class TooManyProposals:
    """A session may propose no more changes, or as many wait for the user as may."""


ProposeOutcome: TypeAlias = Suggested | AlreadyOpen | DroppedBefore | TooManyProposals


@dataclass(frozen=True, slots=True)
class ItemClosed:
    """The item is done."""

    item: InboxItem


@dataclass(frozen=True, slots=True)
class NotOpen:
    """The item was decided on before."""

    item: InboxItem


@dataclass(frozen=True, slots=True)
class NoSuchItem:
    """There is no such item, or the reader may not read it."""


CloseOutcome: TypeAlias = ItemClosed | NotOpen | NoSuchItem

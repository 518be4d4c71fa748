"""What a checkpoint holds: where a session stood at a time."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.base.text import first_sentences, storage_form
from intaglio.fence.characters import visible

CheckpointTrigger: TypeAlias = Literal["periodic", "pre_compaction", "compaction", "session_end"]
"""Why it was written: prompts or time, before or after a compaction, or the session's end."""

DigestKind: TypeAlias = Literal["asked", "kept", "file", "open", "agent"]
"""What a line says: what the user asked last, what was saved, an edited file, what the agent said
is open, and what it said last."""

_INTRODUCED: Final[Mapping[DigestKind, str]] = {
    "asked": "The user asked: {}",
    "kept": "Saved: {}",
    "file": "Edited: {}",
    "open": "Still open: {}",
    "agent": "The agent said last: {}",
}


_KEPT_CHARS: Final = 240
_LONGEST_KEPT: Final = 400


def beginning(text: str, limit: int, longest: int) -> str:
    """Return a text's first whole sentences on one line; the first may be ``longest`` long."""
    return storage_form(first_sentences(visible(text), limit, longest))


def kept_text(content: str) -> str:
    """Return what a digest says of a memory."""
    return beginning(content, _KEPT_CHARS, _LONGEST_KEPT)


@dataclass(frozen=True, slots=True)
class DigestLine:
    """A line of a digest, and where it comes from.

    ``memory_id`` is the memory that says it, in its present words; ``messages`` are the ids of
    those that it is taken from, or that the agent's words answer. It isn't told once one of these
    is gone or replaced.
    """

    kind: DigestKind
    text: str
    memory_id: str | None = None
    messages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedId:
    """An id of the graph, and its name now."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuralSnapshot:
    """What of the graph was in play; ids of entities and aspects, the most named first.

    ``constraints`` counts the constraints that the session was told, ``traversed`` the memories
    that it was told or saved and that say something about an entity.
    """

    focal_entities: tuple[str, ...] = ()
    active_aspects: tuple[str, ...] = ()
    constraints: int = 0
    traversed: int = 0


NO_SNAPSHOT: Final = StructuralSnapshot()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCheckpoint:
    """A checkpoint on its way into the store; ``summary`` is what the harness itself says."""

    trigger: CheckpointTrigger
    prompts: int
    lines: tuple[DigestLine, ...]
    summary: str = ""
    snapshot: StructuralSnapshot = NO_SNAPSHOT
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Where a session stood; ``number`` is that of its page.

    ``queries`` are what its prompts and its agent were searched for, latest first, ``remembered``
    the memories among its lines that are still there. Entities and aspects that are gone aren't
    listed.
    """

    id: str
    trigger: CheckpointTrigger
    harness: str
    session_id: str
    number: int
    agent_id: str
    project: str | None
    prompts: int
    lines: tuple[DigestLine, ...]
    summary: str
    focal_entities: tuple[NamedId, ...]
    active_aspects: tuple[NamedId, ...]
    constraints: int
    traversed: int
    queries: tuple[str, ...]
    remembered: tuple[str, ...]
    at: str

    @property
    def digest(self) -> str:
        """All that it says, a line each; the harness's own summary comes last."""
        lines = [_INTRODUCED[each.kind].format(each.text) for each in self.lines]
        return "\n".join([*lines, *([self.summary] if self.summary else [])])

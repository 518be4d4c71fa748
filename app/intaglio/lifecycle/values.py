"""What is asked of many memories at once, and what comes of it."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from intaglio.memory.filters import Filter
from intaglio.memory.values import EraseOutcome, ForgetOutcome, Memory

CONFIRM_ABOVE: Final = 25
_TOKEN_CHARS: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which memories are meant: those that pass ``wanted``, and the question or the ids if any.

    ``versions`` says by id which version was seen. With ``tombstones``, forgotten memories are
    meant too, after the live ones; a question finds none of them.
    """

    filters: Filter
    query: str | None = None
    ids: tuple[str, ...] = ()
    limit: int = 20
    versions: Mapping[str, int] = field(default_factory=dict[str, int])
    tombstones: bool = False


@dataclass(frozen=True, slots=True)
class RemovalCandidate:
    """A memory that is meant; ``score`` (0 to 1) is how well it answers the question, else 1."""

    memory: Memory
    score: float


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be forgotten, and the token that says one has seen it."""

    candidates: tuple[RemovalCandidate, ...]

    @property
    def needs_confirmation(self) -> bool:
        """Whether there are so many that the token has to be shown."""
        return len(self.candidates) > CONFIRM_ABOVE

    @property
    def token(self) -> str:
        """The first 32 hex digits of the SHA-256 over the sorted ids, joined with ``|``."""
        return token_of(each.memory.id for each in self.candidates)


@dataclass(frozen=True, slots=True)
class Unconfirmed:
    """The token is missing, or is that of other memories; nothing was done."""

    preview: Preview


RemovalOutcome: TypeAlias = ForgetOutcome | EraseOutcome


@dataclass(frozen=True, slots=True)
class RemovalResult:
    """What became of each memory, in the order of the candidates."""

    outcomes: tuple[tuple[str, RemovalOutcome], ...]


def token_of(ids: Iterable[str]) -> str:
    """Return the token that stands for a set of memories."""
    joined = "|".join(sorted(set(ids)))
    return hashlib.sha256(joined.encode()).hexdigest()[:_TOKEN_CHARS]

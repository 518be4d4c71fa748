"""Selections of memories to remove, their previews and results."""

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
    """The memories to remove: those that match the filters, and the query or ids if given.

    ``versions`` maps ids to expected versions. With ``tombstones``, forgotten memories are included
    after the live ones; a query doesn't find them.
    """

    filters: Filter
    query: str | None = None
    ids: tuple[str, ...] = ()
    limit: int = 20
    versions: Mapping[str, int] = field(default_factory=dict[str, int])
    tombstones: bool = False


@dataclass(frozen=True, slots=True)
class RemovalCandidate:
    """A selected memory; ``score`` (0 to 1) is how well it matches the query, else 1."""

    memory: Memory
    score: float


@dataclass(frozen=True, slots=True)
class Preview:
    """The memories that would be removed, and the token that confirms exactly these."""

    candidates: tuple[RemovalCandidate, ...]

    @property
    def needs_confirmation(self) -> bool:
        """Whether there are so many that the token is required."""
        return len(self.candidates) > CONFIRM_ABOVE

    @property
    def token(self) -> str:
        """The first 32 hex digits of the SHA-256 over the sorted ids, joined with ``|``."""
        return token_of(each.memory.id for each in self.candidates)


@dataclass(frozen=True, slots=True)
class Unconfirmed:
    """The token is missing or doesn't match; nothing was done."""

    preview: Preview


RemovalOutcome: TypeAlias = ForgetOutcome | EraseOutcome


@dataclass(frozen=True, slots=True)
class RemovalResult:
    """The outcome of each memory, in the order of the candidates."""

    outcomes: tuple[tuple[str, RemovalOutcome], ...]


def token_of(ids: Iterable[str]) -> str:
    """Return the confirmation token of a set of memory ids."""
    joined = "|".join(sorted(set(ids)))
    return hashlib.sha256(joined.encode()).hexdigest()[:_TOKEN_CHARS]

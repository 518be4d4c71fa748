"""What vector search is asked, what it answers, and in what state it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from intaglio.store.tx import Sql

VectorMethod: TypeAlias = Literal["mirror", "exact", "none"]


@dataclass(frozen=True, slots=True)
class Model:
    """A model whose vectors are stored: its row, its vectors' size, and what 127 stands for."""

    id: int
    dimensions: int
    scale: float


@dataclass(frozen=True, slots=True)
class FilterKey:
    """What the usual filters ask of a memory; few combinations of it occur in a store."""

    agent_id: str
    visibility: str
    project: str | None
    type: str
    pinned: bool
    source_type: str = ""


Passes: TypeAlias = Callable[[FilterKey], bool]


@dataclass(frozen=True, slots=True)
class VectorEntry:
    """A live memory with its vector: its row number, the vector's, and the stored bytes."""

    seq: int
    vector_id: int
    key: FilterKey
    row: bytes
    tags: tuple[str, ...] = ()
    who: str = ""
    created_at: str = ""
    importance: float = 0.0


@dataclass(frozen=True, slots=True)
class FilterHints:
    """What a filter asks beyond facets, as far as the mirror can tell it of most rows."""

    tags: tuple[str, ...] = ()
    who: str | None = None
    since: str | None = None
    until: str | None = None
    importance_min: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorFilter:
    """Which memories count, as a search applies it; `memory` makes it, `store` alone reads it.

    ``condition`` is one on rows ``m``. ``passes`` and ``finer`` say the same of what an index in
    memory holds; ``needs_sql`` tells that the condition asks for more than these can tell.
    """

    condition: str
    params: tuple[Sql, ...]
    passes: Passes
    hints: FilterHints = FilterHints()
    needs_sql: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorQuery:
    """A search by meaning among the memories that count, applied before ranking.

    ``exact`` compares with every vector. ``model`` is the one that made the vector: where another
    one's are searched by now, nothing is found.
    """

    vector: Sequence[float]
    limit: int
    filter: VectorFilter
    exact: bool = False
    model: Model | None = None


@dataclass(frozen=True, slots=True)
class VectorMatches:
    """Row numbers of memories with their cosine (-1 to 1), best first, and how they were found."""

    cosines: dict[int, float]
    method: VectorMethod
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class IndexState:
    """How vectors are searched now.

    ``vectors`` are in the mirror, ``waiting`` rows are not yet taken over into it; ``recall`` is
    the latest share of true neighbours that the mirror found, None before the first self-check.
    """

    method: VectorMethod
    vectors: int
    waiting: int
    candidates: int
    bytes: int
    recall: float | None

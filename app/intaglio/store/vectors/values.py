"""Queries, results and states of vector search."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from intaglio.store.tx import Sql

VectorMethod: TypeAlias = Literal["mirror", "exact", "none"]


@dataclass(frozen=True, slots=True)
class Model:
    """A model whose vectors are stored: its row, its vectors' size, and the value of level 127."""

    id: int
    dimensions: int
    scale: float


@dataclass(frozen=True, slots=True)
class FilterKey:
    """The attributes that common filters read; a store has few combinations of them."""

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


class VectorColumns(NamedTuple):
    """Live memories with their vectors, column by column; all are of the same length.

    ``keys`` have the fields of a `FilterKey` each; ``tags`` are JSON arrays, None for no tags.
    """

    seqs: Sequence[int]
    vector_ids: Sequence[int]
    keys: Iterable[tuple[str, str, str | None, str, int, str]]
    rows: Sequence[bytes]
    tags: Sequence[str | None]
    who: Sequence[str]
    created_at: Sequence[str]
    importance: Sequence[float]


@dataclass(frozen=True, slots=True)
class FilterHints:
    """The filters beyond `FilterKey` that the binary index can evaluate for most rows."""

    tags: tuple[str, ...] = ()
    who: str | None = None
    since: str | None = None
    until: str | None = None
    importance_min: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorFilter:
    """Which memories match, in the form that searches apply; `memory` creates it.

    ``condition`` is in SQL, on rows ``m``. ``passes`` and ``hints`` express it for an index in
    memory; ``needs_sql`` says that these don't cover all of the condition.
    """

    condition: str
    params: tuple[Sql, ...]
    passes: Passes
    hints: FilterHints = FilterHints()
    needs_sql: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorQuery:
    """A semantic search among the matching memories; the filter is applied before ranking.

    ``exact`` compares with every vector. ``rough`` compares fewer candidates with their stored
    vectors, for callers that rank what is found by more than its cosine. ``model`` is the one that
    made the vector: if another model's vectors are searched by now, nothing is found.
    """

    vector: Sequence[float]
    limit: int
    filter: VectorFilter
    exact: bool = False
    rough: bool = False
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

    ``vectors`` are in the binary index, ``waiting`` rows aren't applied to it yet; ``recall`` is
    the latest share of true neighbours that it found, None before the first self-check.
    """

    method: VectorMethod
    vectors: int
    waiting: int
    candidates: int
    bytes: int
    recall: float | None

"""Requests and replies about memories. Times are ISO-8601 UTC, scores 0 to 1."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from intaglio.domain.context_groups import ConstraintBasis
from intaglio.domain.memory_types import MemoryStatus
from intaglio.domain.reader import Visibility

StatusFilter: TypeAlias = Literal["current", "replaced", "disputed", "all"]
"""Which memories are wanted: those that hold, were replaced, are disputed, or all."""
Score = Annotated[float, Meta(ge=0, le=1)]
PositiveInt = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Limit = Annotated[int, Meta(ge=1, le=200)]
ShortText = Annotated[str, Meta(max_length=1_000)]
PathText = Annotated[str, Meta(max_length=4_096)]
# The limit is enforced later, where the error can be more specific.
Content = Annotated[str, Meta(extra_json_schema={"maxLength": 100_000})]
Query = Annotated[str, Meta(max_length=10_000)]
Tags = str | list[Annotated[str, Meta(max_length=200)]]


class FilterRequest(Struct, kw_only=True):
    """A request that selects: an unknown field is refused, since dropping it selects too much."""


class RememberRequest(Struct, kw_only=True):
    """A memory to save. Supports the prefixes ``critical:`` and ``[tag1,tag2]:`` in the content."""

    content: Content
    who: ShortText | None = None
    why: ShortText | None = None
    project: PathText | None = None
    importance: Score | None = None
    tags: Tags | None = None
    pinned: bool | None = None
    source_type: ShortText | None = msgspec.field(default=None, name="sourceType")
    source_id: ShortText | None = msgspec.field(default=None, name="sourceId")
    type: ShortText | None = None
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")
    visibility: ShortText | None = None
    session_id: ShortText | None = msgspec.field(default=None, name="sessionId")
    created_at: ShortText | None = msgspec.field(default=None, name="createdAt")
    idempotency_key: ShortText | None = msgspec.field(default=None, name="idempotencyKey")
    runtime_path: ShortText | None = msgspec.field(default=None, name="runtimePath")
    source_path: PathText | None = msgspec.field(default=None, name="sourcePath")


class RememberReply(Struct, kw_only=True, omit_defaults=True):
    """The saved memory or, with ``deduped``, the one that already existed."""

    id: str
    type: str
    tags: str | None
    pinned: bool
    importance: float
    content: str
    embedded: bool
    deduped: bool = False
    redacted: int = 0


class RecallRequest(FilterRequest, kw_only=True):
    """A question in natural language, and filters that apply before ranking.

    ``agentId`` is the reading agent, ``agent`` selects an agent's memories. ``minScore`` is
    another name of ``min_score``. ``expand`` adds to each of the first 20 results what was said
    around it. Without ``status`` and ``as_of``, only what holds is searched.
    """

    query: Query = ""
    keyword_query: Query | None = msgspec.field(default=None, name="keywordQuery")
    limit: Limit = 10
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")
    agent: ShortText | None = None
    visibility: Visibility | None = None
    project: PathText | None = None
    type: ShortText | None = None
    tags: Tags | None = None
    who: ShortText | None = None
    pinned: bool | None = None
    source_type: ShortText | None = msgspec.field(default=None, name="sourceType")
    source_path: PathText | None = msgspec.field(default=None, name="sourcePath")
    session_id: ShortText | None = msgspec.field(default=None, name="sessionId")
    entity: ShortText | None = None
    global_only: bool = msgspec.field(default=False, name="globalOnly")
    importance_min: Score | None = None
    importance_max: Score | None = None
    since: ShortText | None = None
    until: ShortText | None = None
    memory_status: StatusFilter | None = msgspec.field(default=None, name="status")
    as_of: ShortText | None = None
    min_score: Score | None = None
    min_score_camel: Score | None = msgspec.field(default=None, name="minScore")
    explain: bool = False
    expand: bool = False


class TranscriptLine(Struct, kw_only=True):
    """A message of a session; ``is_source`` marks the one that the memory comes from."""

    role: Literal["user", "agent"]
    said_at: str
    text: str
    is_source: bool


class ResultTranscript(Struct, kw_only=True):
    """What was said around a memory: about 2,000 characters of whole messages, oldest first."""

    harness: str
    session_id: str
    messages: list[TranscriptLine]


class RecallResult(Struct, kw_only=True, omit_defaults=True):
    """A recalled memory; the fields after ``created_at`` are as in ``MemoryRow``.

    ``transcript`` is there with ``expand``, if its session's is stored and may be read.
    """

    id: str
    content: str
    content_length: int
    truncated: bool
    score: float
    source: str
    type: str
    tags: str | None
    pinned: bool
    importance: float
    who: str
    project: str | None
    agent_id: str
    visibility: str
    created_at: str
    status: MemoryStatus = "current"
    superseded_by: str | None = None
    valid_until: str | None = None
    is_unsettled: bool = False
    basis: ConstraintBasis | None = None
    explain: "ResultExplain | None" = None
    transcript: ResultTranscript | None = None


class ResultExplain(Struct, kw_only=True):
    """Why this memory was found.

    ``bm25``, ``coverage``, ``cosine`` and ``meaning`` are raw signals, higher for better.
    ``shares`` is what each signal adds to the score; ``reasons`` say what speaks for the memory
    besides the ``matched`` words. ``answers`` is false for a memory that is only listed because of
    a ``min_score``.
    """

    bm25: float
    coverage: float
    cosine: float | None
    meaning: float | None
    matched: list[str]
    shares: dict[str, float]
    reasons: list[str]
    answers: bool


class RecallExplain(Struct, kw_only=True):
    """How the query was parsed: the terms searched, and the terms dropped with the reason."""

    terms: list[str]
    dropped: list[str]
    postings: int
    candidates: int
    timed_out: bool


class RecallReply(Struct, kw_only=True, omit_defaults=True):
    """The results, best first, and the search method.

    ``weaker`` is how many more memories, within the limit, were found but left out because they
    don't answer the query well enough; with ``min_score`` 0 they are results. ``keywords_only``
    says why memories were found by keywords only, such as a model that is still loading.
    """

    results: list[RecallResult]
    query: str
    method: str
    weaker: int = 0
    keywords_only: str = ""
    explain: RecallExplain | None = None


class SimilarResult(Struct, kw_only=True):
    """A similar memory; ``score`` is the cosine similarity."""

    id: str
    content: str
    type: str
    tags: list[str]
    score: float
    confidence: float
    created_at: str


class SimilarReply(Struct, kw_only=True):
    """The most similar memories, best first."""

    results: list[SimilarResult]


class MemoryRow(Struct, kw_only=True):
    """A memory in full; ``effective_importance`` is ``importance`` after decay.

    ``status`` is ``current``, ``replaced`` (by ``superseded_by``, at ``valid_until``) or
    ``disputed``: a newer memory denies it, and the inbox asks which one holds. That newer one
    ``is_unsettled``. ``basis`` says why it is always told to sessions where it applies; null if it
    isn't.
    """

    id: str
    content: str
    type: str
    importance: float
    effective_importance: float
    tags: str | None
    pinned: int
    who: str
    why: str | None
    source_id: str | None
    source_type: str
    source_path: str | None
    project: str | None
    session_id: str | None
    runtime_path: str | None
    agent_id: str
    visibility: str
    confidence: float
    access_count: int
    last_accessed: str | None
    is_deleted: int
    deleted_at: str | None
    extraction_status: str
    embedding_model: str | None
    version: int
    created_at: str
    updated_at: str
    updated_by: str
    status: MemoryStatus
    superseded_by: str | None
    valid_until: str | None
    is_unsettled: bool
    basis: ConstraintBasis | None


class MemoryStats(Struct, kw_only=True, rename="camel"):
    """Counts of all live memories visible to the reader."""

    total: int
    with_embeddings: int
    critical: int


class ListGroup(Struct, kw_only=True):
    """A group of the list: how many memories match, and how many ``rows`` of the page are in it.

    ``value`` is null for memories that belong to no project.
    """

    value: str | None
    count: int
    rows: int


class MemoryList(Struct, kw_only=True, omit_defaults=True):
    """A page of memories; ``next_cursor`` requests the next page.

    ``groups`` are those of the page, in order, if the list is grouped.
    """

    memories: list[MemoryRow]
    stats: MemoryStats
    next_cursor: str | None
    groups: list[ListGroup] | None = None


class IdMatches(Struct, kw_only=True):
    """The memories whose ids share a prefix; ``more`` means that the list is incomplete."""

    memories: list[MemoryRow]
    more: bool


class NameCount(Struct, kw_only=True):
    """How many memories have this value; null means no project."""

    value: str | None
    count: int


class FlagCount(Struct, kw_only=True):
    """How many memories have the flag set or unset."""

    value: bool
    count: int


class ScoreCount(Struct, kw_only=True):
    """How many memories lie between ``value`` and 0.1 above it; 0.9 includes 1."""

    value: float
    count: int


class Facets(Struct, kw_only=True):
    """The values of each field, most frequent first, at most 100 each."""

    type: list[NameCount]
    project: list[NameCount]
    agent: list[NameCount]
    visibility: list[NameCount]
    who: list[NameCount]
    tags: list[NameCount]
    source_type: list[NameCount]
    pinned: list[FlagCount]
    importance: list[ScoreCount]


class FacetsReply(Struct, kw_only=True):
    """How many memories match the filters, and how many would with each value selected."""

    total: int
    facets: Facets


class HistoryEvent(Struct, kw_only=True, rename="camel"):
    """One change of a memory."""

    id: str
    event: str
    old_content: str | None
    new_content: str | None
    changed_by: str
    actor_type: str
    reason: str | None
    metadata: dict[str, object] | None
    created_at: str
    session_id: str | None
    request_id: str | None


class HistoryReply(Struct, kw_only=True, rename="camel"):
    """A memory's changes, oldest first."""

    memory_id: str
    count: int
    history: list[HistoryEvent]

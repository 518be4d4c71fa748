"""Replies of the timeline and of Signet's older search."""

from msgspec import Struct


class KeyCount(Struct, kw_only=True):
    """How often a value occurs."""

    key: str
    count: int


class Bucket(Struct, kw_only=True, rename="camel"):
    """Counts for one range of time; ``end`` is exclusive.

    ``evolved`` counts changes other than those that raised the importance (``strengthened``).
    """

    era_index: int
    range_key: str
    label: str
    start: str
    end: str
    memories_added: int
    tracked_events: int
    evolved: int
    strengthened: int
    recovered: int
    avg_importance: float
    pinned: int
    type_breakdown: list[KeyCount]
    source_breakdown: list[KeyCount]
    top_tags: list[KeyCount]


class Timeline(Struct, kw_only=True, rename="camel"):
    """Memories added and changed today, in the week before and in the month before."""

    generated_at: str
    generated_for: str
    range_preset: str
    total_memories: int
    total_history_events: int
    invalid_memory_timestamps: int
    invalid_history_timestamps: int
    buckets: list[Bucket]


class LegacyResult(Struct, kw_only=True, omit_defaults=True):
    """A memory in the older search; ``score`` is BM25 or the effective importance."""

    id: str
    content: str
    created_at: str
    who: str
    importance: float
    tags: str | None
    type: str
    pinned: int
    score: float | None = None


class LegacyReply(Struct, kw_only=True):
    """The memories, best first."""

    results: list[LegacyResult]


class LegacyValues(Struct, kw_only=True):
    """The distinct values of a field."""

    values: list[str]

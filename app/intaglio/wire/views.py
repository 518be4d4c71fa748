"""Replies that show many memories in another way: the timeline, and Signet's older search."""

from msgspec import Struct


class KeyCount(Struct, kw_only=True):
    """How often something occurs."""

    key: str
    count: int


class Bucket(Struct, kw_only=True, rename="camel"):
    """What happened in one range of time; ``end`` is the first moment that is not in it.

    ``evolved`` counts changes, those aside that made a memory matter more (``strengthened``).
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
    """What was remembered and changed today, in the week and in the month before."""

    generated_at: str
    generated_for: str
    range_preset: str
    total_memories: int
    total_history_events: int
    invalid_memory_timestamps: int
    invalid_history_timestamps: int
    buckets: list[Bucket]


class LegacyResult(Struct, kw_only=True, omit_defaults=True):
    """A memory as the older search shows it; ``score`` is BM25, or what it still matters."""

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
    """The different values of a field."""

    values: list[str]

"""Replies of the timeline endpoints."""

from typing import Literal

from msgspec import Struct


class TimelineEventRow(Struct, kw_only=True):
    """Something that happened; the details are names, ids and numbers."""

    timestamp: str
    source: Literal["history", "job", "log", "error", "predictor"]
    event: str
    details: dict[str, str | int | float | bool | None]


class TimelineReply(Struct, kw_only=True, rename="camel"):
    """What happened to something, oldest first; ``cut`` if older events were left out."""

    entity_type: Literal["memory", "entity", "session", "request", "unknown"]
    entity_id: str
    events: list[TimelineEventRow]
    generated_at: str
    cut: bool = False


class TimelineMeta(Struct, kw_only=True, rename="camel"):
    """What was exported, by which version, and when."""

    version: str
    exported_at: str
    entity_id: str


class TimelineExport(Struct, kw_only=True):
    """A timeline as a file."""

    meta: TimelineMeta
    timeline: TimelineReply

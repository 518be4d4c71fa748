"""Timelines and their events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Detail: TypeAlias = str | int | float | bool | None
"""A name, an id, a number; never a text of a memory or a prompt."""

TimelineSource: TypeAlias = Literal["history", "job", "log", "error"]
TimelineSubject: TypeAlias = Literal["memory", "entity", "session", "request", "unknown"]


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """Something that happened, and what is known of it besides texts."""

    at: str
    source: TimelineSource
    event: str
    details: Mapping[str, Detail]


@dataclass(frozen=True, slots=True)
class EventTimeline:
    """The events of a subject, oldest first; ``is_cut`` if older ones were left out."""

    subject: TimelineSubject
    id: str
    events: Sequence[TimelineEvent]
    is_cut: bool = False

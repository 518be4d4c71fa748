"""Replies about checkpoints and summaries of sessions, as the client contract defines them."""

from typing import Literal

import msgspec
from msgspec import Struct

CheckpointCause = Literal["periodic", "pre_compaction", "compaction", "session_end"]
SummaryKind = Literal["session", "compaction", "checkpoint"]


class CheckpointRow(Struct, kw_only=True):
    """Where a session stood at a time, and why that was noted.

    `digest` has a line each for what was asked, saved, edited and left open, and ends with what
    the harness said when it compacted the conversation. The lists are JSON texts, or null if they
    are empty: words that were searched for, what was saved, entities and aspects of the graph that
    were in play. `surfaced_constraint_count` counts the constraints that the session was told,
    `traversal_memory_count` the memories that say something about an entity. `project_normalized`
    is the project's key, as `project` is.
    """

    id: str
    session_key: str
    harness: str
    project: str | None
    project_normalized: str | None
    trigger: CheckpointCause
    digest: str
    prompt_count: int
    memory_queries: str | None
    recent_remembers: str | None
    created_at: str
    focal_entity_ids: str | None
    focal_entity_names: str | None
    active_aspect_ids: str | None
    surfaced_constraint_count: int
    traversal_memory_count: int


class CheckpointList(Struct, kw_only=True):
    """Checkpoints, the latest first."""

    checkpoints: list[CheckpointRow]
    count: int


class SessionSummaryRow(Struct, kw_only=True):
    """A summary of a session.

    `kind` says what wrote it: `session` the language model that reads sessions, `compaction` the
    agent when it compacted its conversation, `checkpoint` rules at the session's end. Its depth is
    0, and it has no children: summaries aren't summarised.
    """

    id: str
    project: str | None
    depth: int
    kind: SummaryKind
    content: str
    token_count: int
    earliest_at: str
    latest_at: str
    session_key: str
    harness: str
    agent_id: str
    created_at: str
    child_count: int = msgspec.field(name="childCount")


class SessionSummaryList(Struct, kw_only=True):
    """A part of the summaries, the latest session first, and how many there are in all."""

    summaries: list[SessionSummaryRow]
    total: int

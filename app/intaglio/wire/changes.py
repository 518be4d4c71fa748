"""Requests and replies for changes of memories: modify, forget, restore, feedback."""

import msgspec
from msgspec import UNSET, Struct, UnsetType

from intaglio.wire.memory import (
    Content,
    FilterRequest,
    PathText,
    PositiveInt,
    Query,
    Score,
    ShortText,
    Tags,
)


class Fields(Struct, kw_only=True):
    """Fields to change on a memory; absent ones stay, ``project`` null makes it global."""

    content: Content | UnsetType = UNSET
    type: ShortText | UnsetType = UNSET
    tags: Tags | UnsetType | None = UNSET
    importance: Score | UnsetType = UNSET
    pinned: bool | UnsetType = UNSET
    who: ShortText | UnsetType = UNSET
    project: PathText | UnsetType | None = UNSET
    visibility: ShortText | UnsetType = UNSET
    if_version: PositiveInt | None = None
    changed_by: ShortText | None = None


class ModifyRequest(Fields, kw_only=True):
    """A change of one memory; a reason is required."""

    reason: ShortText = ""
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")


class Patch(Fields, kw_only=True):
    """One change of a batch; without its own reason, the request's applies."""

    id: ShortText
    reason: ShortText | None = None


class BatchModifyRequest(Struct, kw_only=True):
    """1 to 200 changes, each a ``Patch``; an invalid one fails alone."""

    patches: list[msgspec.Raw] = msgspec.field(default_factory=list[msgspec.Raw])
    reason: ShortText = ""
    changed_by: ShortText | None = None
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")


class ForgetRequest(Struct, kw_only=True):
    """Why a memory is forgotten; ``force`` erases it permanently."""

    reason: ShortText = ""
    force: bool = False
    if_version: PositiveInt | None = None
    changed_by: ShortText | None = None
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")


class RecoverRequest(Struct, kw_only=True):
    """Why a forgotten memory is restored."""

    reason: ShortText = ""
    if_version: PositiveInt | None = None
    changed_by: ShortText | None = None
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")


class ValidityRequest(Struct, kw_only=True):
    """Why a memory no longer holds, or holds again."""

    reason: ShortText = ""
    if_version: PositiveInt | None = None
    changed_by: ShortText | None = None
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")


class BatchForgetRequest(FilterRequest, kw_only=True):
    """The memories to forget, selected by query, ids and filters combined.

    ``if_versions`` maps ids to expected versions; a memory with a different version is kept.
    """

    mode: str = "preview"
    query: Query | None = None
    ids: list[ShortText] | None = None
    type: ShortText | None = None
    tags: Tags | None = None
    who: ShortText | None = None
    source_type: ShortText | None = None
    project: PathText | None = None
    since: ShortText | None = None
    until: ShortText | None = None
    limit: PositiveInt = 20
    reason: ShortText = ""
    force: bool = False
    confirm_token: ShortText | None = None
    if_version: object = None
    if_versions: dict[str, PositiveInt] | None = None
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")
    changed_by: ShortText | None = None


class BatchRecoverRequest(FilterRequest, kw_only=True):
    """The 1 to 200 forgotten memories to restore, and why; ``if_versions`` as in forget."""

    ids: list[ShortText] = msgspec.field(default_factory=list[ShortText])
    reason: ShortText = ""
    if_versions: dict[str, PositiveInt] | None = None
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")
    changed_by: ShortText | None = None


class MutationReply(Struct, kw_only=True, rename="camel", omit_defaults=True):
    """The result of a change.

    ``status`` is updated, no_changes, deleted, recovered, retired or
    reinstated.

    ``erased`` means that nothing is left here; ``outside`` lists where copies may still exist.
    """

    id: str
    status: str
    success: bool
    current_version: int
    new_version: int
    content_changed: bool | None = None
    embedded: bool | None = None
    retention_days: int | None = None
    erased: bool = False
    outside: list[str] | None = None


class ItemReply(Struct, kw_only=True, rename="camel", omit_defaults=True):
    """The result for one memory of a batch; ``error`` says why it wasn't changed."""

    id: str
    status: str
    error: str | None = None
    current_version: int | None = None
    new_version: int | None = None
    content_changed: bool | None = None
    duplicate_memory_id: str | None = None
    embedded: bool | None = None


class BatchModifyReply(Struct, kw_only=True):
    """The number of changes made, and the results in the order of the request."""

    success: bool
    total: int
    updated: int
    results: list[ItemReply]


class ForgetCandidate(Struct, kw_only=True):
    """A memory that would be forgotten; ``content`` is truncated."""

    id: str
    score: float
    pinned: bool
    version: int
    content: str


class ForgetPreview(Struct, kw_only=True, rename="camel"):
    """The memories that would be forgotten; ``confirmToken`` confirms exactly these."""

    mode: str
    success: bool
    count: int
    requires_confirm: bool
    confirm_token: str
    candidates: list[ForgetCandidate]


class BatchForgetReply(Struct, kw_only=True, omit_defaults=True):
    """The number of memories forgotten or erased, and each result."""

    mode: str
    success: bool
    requested: int
    deleted: int
    results: list[ItemReply]
    erased: bool = False
    outside: list[str] | None = None


class BatchRecoverReply(Struct, kw_only=True):
    """The number of memories restored, and the results in the order of the request."""

    success: bool
    requested: int
    recovered: int
    results: list[ItemReply]


class FeedbackRequest(Struct, kw_only=True, rename="camel"):
    """How useful memories were to a session, by id: -1 (misleading) to 1 (essential)."""

    session_key: ShortText
    feedback: dict[str, object]
    agent_id: ShortText | None = None


class FeedbackReply(Struct, kw_only=True):
    """The number of ratings recorded; those of unknown memories aren't."""

    ok: bool
    recorded: int

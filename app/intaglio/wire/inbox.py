"""Requests and replies of the inbox. Times are ISO-8601 UTC."""

from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from intaglio.domain.entity_kinds import EntityType
from intaglio.domain.speaker import Speaker
from intaglio.wire.memory import Content, PathText, ShortText

KIND: Final = "inbox-kind"
USER_ACTION: Final = "inbox-user-action"
ACTION: Final = "inbox-action"
"""Formats of texts whose values the packages declare; the OpenAPI document lists the values."""

ItemKind = Annotated[str, Meta(extra_json_schema={"extra": {"format": KIND}})]
UserAction = Annotated[str, Meta(extra_json_schema={"extra": {"format": USER_ACTION}})]
ItemAction = Annotated[str | None, Meta(extra_json_schema={"extra": {"format": ACTION}})]

ItemIds = Annotated[list[ShortText], Meta(min_length=1, max_length=1_000)]


class InboxEvidence(Struct, kw_only=True):
    """What was said: the sentence, by whom, where, and its characters in the user's message.

    What an agent claims has no message. ``session_id`` is the harness's own, ``session`` the id of
    GET /api/sessions if it is known.
    """

    sentence: str
    by: Speaker
    harness: str
    session_id: str | None
    session: str | None
    message_id: str | None
    start: int
    end: int
    said_at: str | None


class EvidenceReply(Struct, kw_only=True):
    """What the user said that a memory is based on, oldest first."""

    items: list[InboxEvidence]


class InboxMemory(Struct, kw_only=True):
    """A memory that an item is about, as it is now; it may be forgotten since."""

    id: str
    content: str
    type: str
    created: str
    forgotten: bool


class InboxEntity(Struct, kw_only=True):
    """An entity of a possible merge, as it is now, with some of its newest memories' texts.

    `merged`: it counts as the other one by now.
    """

    id: str
    name: str
    entity_type: EntityType
    mentions: int
    samples: list[str]
    merged: bool


class InboxChange(Struct, kw_only=True):
    """What an agent proposes of a memory: to forget it, or what is to differ; null stays."""

    forget: bool
    content: str | None
    type: str | None
    importance: float | None
    tags: list[str] | None


class InboxRow(Struct, kw_only=True):
    """An item that waits for the user's decision, or was decided on (`done`).

    The content of a contradiction is that of the newer memory; `memories` has the older and the
    newer one, in this order, as far as they still exist. `origin` is `agent` for what an agent
    claims by itself; `source` is the harness, or `agent`. `expires` is when a
    suggestion is dropped by itself, null for never. From a confidence of `keep_at`, capture saves
    what makes sense on its own without asking; what an agent claims is never saved so. `memory_id`
    is the memory that a kept suggestion became. A possible merge has two `entities`; its content is
    their names, its type theirs, its confidence how similar their names are. A wider scope asks
    whether the memory `memory_id` applies to all projects; its content is that memory's. A proposed
    change has its `change`, and its memory in `memories`; its content is that of the memory. What
    an agent changed in a session has the memories in question, at most 100, in `memories`.
    `session_title` names the session of the first evidence to the user; empty if it isn't known.
    """

    id: str
    kind: ItemKind
    status: str
    content: str
    type: str
    project: str | None
    agent: str
    confidence: float
    keep_at: float
    evidence: list[InboxEvidence]
    origin: Speaker
    source: str
    created: str
    expires: str | None
    decided: str | None
    action: ItemAction
    memory_id: str | None
    memories: list[InboxMemory]
    entities: list[InboxEntity]
    session_title: str
    change: InboxChange | None = None


class InboxList(Struct, kw_only=True):
    """A page of items, newest first; `cursor` requests the next page."""

    items: list[InboxRow]
    cursor: str | None


class InboxMatches(Struct, kw_only=True):
    """The items whose ids share their start or end; `more` means that the list is incomplete."""

    items: list[InboxRow]
    more: bool


class InboxCounts(Struct, kw_only=True):
    """The number of open items: in all, and, as a field each, of each kind."""

    open: int


class InboxActionRow(Struct, kw_only=True):
    """A decision that a kind of items takes, with its texts.

    `label` is a button's; `report` precedes the item that was decided on; `outcome` says what
    became of it. `command` is the command of `intaglio inbox`.
    """

    action: UserAction
    label: str
    report: str
    outcome: str
    command: str


class InboxKindRow(Struct, kw_only=True):
    """A kind of items: its name, what it is called, and its decisions.

    `confidence` names what an item's confidence measures, null if it measures nothing; `memories`
    names the memories of an item in their order. `claimable`: an agent may be its origin.
    """

    kind: ItemKind
    label: str
    plural: str
    actions: list[InboxActionRow]
    confidence: str | None
    memories: list[str]
    claimable: bool


class InboxKindList(Struct, kw_only=True):
    """The kinds of items that there may be."""

    kinds: list[InboxKindRow]


class DecisionRequest(Struct, kw_only=True):
    """A decision on an item, and what to change of a suggestion on keeping it.

    A project is a directory or a name, null makes the memory global. Without a field, it stays as
    suggested.
    """

    action: UserAction
    content: Content | UnsetType = UNSET
    type: ShortText | UnsetType = UNSET
    project: PathText | UnsetType | None = UNSET
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")


class BulkDecisionRequest(Struct, kw_only=True):
    """The same decision on 1 to 1,000 items."""

    ids: ItemIds
    action: UserAction
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")


class UndoRequest(Struct, kw_only=True):
    """The 1 to 1,000 items whose decisions are undone."""

    ids: ItemIds
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")


class ItemDecision(Struct, kw_only=True, omit_defaults=True):
    """The result for one item: `status` is done, open (undone) or why nothing was changed.

    Those are already_done, not_done, not_found, wrong_action, refused and invalid; `error` and
    `hint` say what that means.
    """

    id: str
    status: str
    action: str | None = None
    memory_id: str | None = None
    error: str | None = None
    hint: str | None = None


class DecisionList(Struct, kw_only=True):
    """How many items were changed, and the results in the order of the request."""

    requested: int
    changed: int
    results: list[ItemDecision]

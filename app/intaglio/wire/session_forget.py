"""Request and replies for forgetting everything from one session."""

from typing import Literal

from msgspec import Struct

from intaglio.wire.memory import ShortText


class SessionForgetRequest(Struct, kw_only=True, rename="camel"):
    """Preview what would be forgotten, or forget it with the preview's token.

    Memories that don't come from this session alone are kept unless `elsewhere` is set.
    """

    mode: Literal["preview", "execute"] = "preview"
    confirm_token: ShortText = ""
    elsewhere: bool = False
    reason: ShortText = ""
    changed_by: ShortText | None = None
    agent_id: ShortText | None = None


class SessionForgetCandidate(Struct, kw_only=True, rename="camel"):
    """A memory of the session; `elsewhere` if it was said in another session or saved elsewhere."""

    id: str
    content: str
    type: str
    version: int
    pinned: bool
    elsewhere: bool


class SessionForgetPreview(Struct, kw_only=True, rename="camel"):
    """The session's memories, and how many open suggestions would be dropped.

    `messages` is how many of its transcript are stored; they are deleted for good.
    """

    confirm_token: str
    count: int
    memories: list[SessionForgetCandidate]
    suggestions: int
    messages: int


class KeptMemory(Struct, kw_only=True, rename="camel"):
    """A memory that wasn't forgotten, and why."""

    id: str
    reason: str


class SessionForgetReply(Struct, kw_only=True, rename="camel"):
    """The ids of what was forgotten and of the dropped suggestions; both can be undone."""

    forgotten: list[str]
    kept: list[KeptMemory]
    dropped: list[str]

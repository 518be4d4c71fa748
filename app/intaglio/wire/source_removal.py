"""Requests and replies for taking back all that came from one source. Times are ISO-8601 UTC."""

from typing import Literal

from msgspec import Struct

from intaglio.domain.source_kinds import SourceKind
from intaglio.wire.memory import PathText, ShortText


class RemovedSource(Struct, kw_only=True, rename="camel"):
    """A source: ``id`` is a session's or import's id, a path, an agent's or a tool's name."""

    kind: SourceKind
    id: PathText


class SourceRow(Struct, kw_only=True, rename="camel"):
    """A source that memories came from, with how many are live."""

    kind: SourceKind
    id: str
    label: str
    memories: int


class SourceList(Struct, kw_only=True, rename="camel"):
    """Sources other than sessions, those with most memories first."""

    sources: list[SourceRow]


class SourceRemovalRequest(Struct, kw_only=True, rename="camel"):
    """Preview what taking a source back removes, or do it with the preview's token.

    Memories that don't come from this source alone are kept unless ``elsewhere`` is set.
    """

    source: RemovedSource
    mode: Literal["preview", "execute"] = "preview"
    confirm_token: ShortText = ""
    elsewhere: bool = False
    reason: ShortText = ""


class SourceMemory(Struct, kw_only=True, rename="camel"):
    """A memory of the source; ``elsewhere`` if it also came from another one."""

    id: str
    content: str
    type: str
    pinned: bool
    elsewhere: bool


class SourceRemovalPreview(Struct, kw_only=True, rename="camel"):
    """What would be removed; ``memories`` are the first of ``count``.

    ``messages`` of transcripts are deleted for good; ``sessions`` is how many they are in.
    """

    confirm_token: str
    label: str
    count: int
    elsewhere: int
    memories: list[SourceMemory]
    suggestions: int
    sessions: int
    messages: int


class SourceRemoval(Struct, kw_only=True, rename="camel"):
    """A source that was taken back; ``undone`` is when that was undone."""

    id: str
    source: RemovedSource
    label: str
    at: str
    forgotten: int
    kept: int
    dropped: int
    running: bool
    undone: str | None


class SourceRemovalList(Struct, kw_only=True, rename="camel"):
    """What was taken back, newest first."""

    removals: list[SourceRemoval]

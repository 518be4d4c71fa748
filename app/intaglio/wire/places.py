"""Replies about the places that memories name in code. Times are ISO-8601 UTC."""

from msgspec import Struct

from intaglio.wire.commits import MemoryPlaceRow


class StaleMemoryRow(Struct, kw_only=True, rename="camel"):
    """A memory that names a place that is gone, renamed or changed since.

    `mark` says so in at most three words, by the worst of its `places`; `where` is that one.
    """

    id: str
    content: str
    type: str
    pinned: bool
    mark: str
    where: str
    places: list[MemoryPlaceRow]


class ProjectPlaces(Struct, kw_only=True, rename="camel"):
    """What became of the places that a project's memories name.

    `checked` counts the memories that name any. `read_at` is when the project's code was last read,
    null if it wasn't; `stopped` says why that is incomplete.
    """

    project: str
    read_at: str | None
    stopped: str
    checked: int
    memories: list[StaleMemoryRow]

"""Replies about projects. Times are ISO-8601 UTC."""

from msgspec import Struct, field


class ProjectRow(Struct, kw_only=True, rename="camel"):
    """A project: `key` is its directory or its name, `name` what to show.

    `last_active` is when its latest session was active or its newest memory or suggestion was made,
    null for never. `open` counts its open inbox items.
    """

    key: str
    name: str
    memories: int
    sessions: int
    last_active: str | None
    open: int
    is_directory: bool


class GlobalMemories(Struct, kw_only=True, rename="camel"):
    """The memories that apply to all projects, and when the newest was created."""

    memories: int
    last_active: str | None


class ProjectList(Struct, kw_only=True, rename="camel"):
    """A page of projects, the most recently active first."""

    projects: list[ProjectRow]
    cursor: str | None
    global_: GlobalMemories = field(name="global")


class TypeCount(Struct, kw_only=True):
    """How many memories have a type."""

    value: str
    count: int


class NewSince(Struct, kw_only=True):
    """How many memories and open suggestions were made since a time."""

    since: str | None
    memories: int
    suggestions: int


class ProjectDetail(ProjectRow, kw_only=True, rename="camel"):
    """A project with its identity, or what applies to all projects, whose `key` is empty.

    `path` is its directory and `exists` whether that is there now; `remote` is the address of its
    repository, `worktrees` its other working trees, and `other_names` what else it is called.
    """

    path: str | None
    exists: bool
    remote: str | None
    worktrees: list[str]
    other_names: list[str]
    types: list[TypeCount]
    new: NewSince

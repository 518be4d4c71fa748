"""Replies about projects. Times are ISO-8601 UTC."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field


class ProjectRow(Struct, kw_only=True, rename="camel"):
    """A project: `key` is its directory or its name, `name` what to show.

    `last_active` is when its latest session was active; without sessions, when its newest memory or
    suggestion was made; null for never. `open` counts its open inbox items. `exists` tells whether
    its directory is there, `remote` is the address of its repository, and `named` whether `name`
    was given by the user.
    """

    key: str
    name: str
    memories: int
    sessions: int
    last_active: str | None
    open: int
    is_directory: bool
    exists: bool
    remote: str | None
    archived: bool
    named: bool


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
    """How many memories and open inbox items were made since a time."""

    since: str | None
    memories: int
    open: int


class ProjectDetail(ProjectRow, kw_only=True, rename="camel"):
    """A project with its identity, or what applies to all projects, whose `key` is empty.

    `path` is its directory, `worktrees` its other working trees, and `other_names` what else it is
    called.
    """

    path: str | None
    worktrees: list[str]
    other_names: list[str]
    types: list[TypeCount]
    new: NewSince


_ChangeKind: TypeAlias = Literal["move", "merge", "rename", "archive", "unarchive", "keep_apart"]
_Author = Annotated[str, Meta(max_length=200)]
_ProjectText = Annotated[str, Meta(max_length=4_096)]


class ProjectChangeRequest(Struct, kw_only=True, forbid_unknown_fields=True):
    """A change of a whole project, which is a directory or a name.

    `move` gives everything to the directory `target`, which has no memories yet; `merge` to the
    project `target`. `rename` takes the name to show, none for that of the directory. `keep_apart`
    records that `project` isn't what is at `target`. With `preview`, nothing is changed.
    """

    kind: _ChangeKind
    project: _ProjectText
    target: _ProjectText | None = None
    name: Annotated[str, Meta(max_length=1_000)] | None = None
    preview: bool = False
    changed_by: _Author | None = None


class ProjectCounts(Struct, kw_only=True, rename="camel"):
    """How much a project has. `twins` are memories that the target has too: they are forgotten."""

    memories: int
    forgotten: int
    sessions: int
    open: int
    entities: int
    twins: int


class ProjectChangeReply(Struct, kw_only=True, rename="camel"):
    """What a change does or did: `id` undoes it; null for a preview, or if nothing changed.

    `project` and `target` are keys, and the counts those of `project`. `exists` tells whether the
    directory of `project` is still there.
    """

    id: str | None
    kind: _ChangeKind
    project: str
    target: str | None
    name: str | None
    exists: bool
    contents: ProjectCounts


class ProjectChangeRow(Struct, kw_only=True, rename="camel"):
    """A change of a whole project; `detected` if Intaglio made it by itself.

    `memories` is how many were moved; `undone_at` is null as long as the change holds.
    """

    id: str
    kind: _ChangeKind
    project: str
    target: str | None
    name: str | None
    memories: int
    detected: bool
    changed_by: str
    created_at: str
    undone_at: str | None


class ProjectChangeList(Struct, kw_only=True):
    """The latest changes of whole projects, newest first."""

    changes: list[ProjectChangeRow]


class ProjectUndoRequest(Struct, kw_only=True, forbid_unknown_fields=True):
    """The change to undo; without an id, the latest one that isn't undone.

    The beginning or the end of an id is enough, if no other change's is the same.
    """

    id: Annotated[str, Meta(max_length=200)] | None = None
    changed_by: _Author | None = None


class PossibleMove(Struct, kw_only=True, rename="camel"):
    """A project whose directory is gone, and one that may be the same, for this reason.

    `reason` follows the target: "has the same remote". `merges` tells whether the target has
    memories of its own, so that the two can only be merged.
    """

    project: str
    target: str
    memories: int
    reason: str
    merges: bool


class DetectedMove(Struct, kw_only=True, rename="camel"):
    """A move that was detected; `returned` if the former directory exists again."""

    id: str
    project: str
    target: str
    memories: int
    moved_at: str
    returned: bool


class ProjectMoves(Struct, kw_only=True):
    """Moves that the user may accept, and detected ones that the user may undo."""

    possible: list[PossibleMove]
    detected: list[DetectedMove]

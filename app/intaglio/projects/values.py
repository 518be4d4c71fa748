"""What is known of projects, and the changes of whole projects."""

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from intaglio.domain.reader import Visibility
from intaglio.projects.evidence import FolderEvidence

ProjectChangeKind: TypeAlias = Literal[
    "move", "merge", "rename", "archive", "unarchive", "keep_apart"
]


Told: TypeAlias = Literal["everything", "constraints", "nothing"]
"""What sessions of a project are told without asking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownProject:
    """A project on record: ``display_name`` is the one that the user gave it."""

    key: str
    evidence: FolderEvidence = field(default_factory=FolderEvidence)
    display_name: str | None = None
    archived_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewProjectChange:
    """A change to record; ``is_detected`` if Intaglio made it by itself."""

    id: str
    kind: ProjectChangeKind
    project: str
    target: str | None
    by: str
    is_detected: bool = False


@dataclass(frozen=True, slots=True)
class ProjectChange:
    """A recorded change: ``project`` is what was changed, ``target`` where it went.

    ``detail`` is JSON that undoing reads.
    """

    seq: int
    id: str
    kind: ProjectChangeKind
    project: str
    target: str | None
    detail: str
    is_detected: bool
    changed_by: str
    created_at: str
    undone_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectNotice:
    """What was found out about a project as a session starts in it.

    ``moved``: it is what was at ``former``, whose memories came along by the change ``change_id``.
    ``offered``: it may be that, for ``reason``. ``unarchived``: it was archived.
    """

    outcome: Literal["moved", "offered", "unarchived"]
    key: str
    former: str = ""
    memories: int = 0
    reason: str = ""
    change_id: str = ""


@dataclass(frozen=True, slots=True)
class ChosenSettings:
    """What the user chose for a project; None where the general value holds.

    Whether its commits are read is stored with them (`commits.rows`). ``captured_since`` is when
    capture was switched on again.
    """

    capture: bool | None = None
    told: Told | None = None
    visibility: Visibility | None = None
    workspace: bool | None = None
    captured_since: str | None = None


NOTHING_CHOSEN: Final = ChosenSettings()

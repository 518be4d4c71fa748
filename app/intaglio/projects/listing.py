"""Lists projects with what each has, the most recently active first."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from intaglio.projects.names import distinct_names


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectContents:
    """How much a project has, when a session was last active in it, and when it last grew.

    Times are "" for never.
    """

    memories: int = 0
    sessions: int = 0
    open_items: int = 0
    last_session: str = ""
    last_grown: str = ""

    @property
    def last_active(self) -> str:
        """When its last session was active; without sessions, when it last grew.

        What the user keeps or saves there doesn't mean that they work in it now.
        """
        return self.last_session or self.last_grown

    def __add__(self, other: "ProjectContents") -> "ProjectContents":
        """Count both together."""
        return ProjectContents(
            memories=self.memories + other.memories,
            sessions=self.sessions + other.sessions,
            open_items=self.open_items + other.open_items,
            last_session=max(self.last_session, other.last_session),
            last_grown=max(self.last_grown, other.last_grown),
        )


@dataclass(frozen=True, slots=True)
class ListedProject:
    """A project of the list: ``name`` is told apart from the other ones' names."""

    key: str
    name: str
    contents: ProjectContents

    @property
    def position(self) -> tuple[str, str]:
        """Its place in the list, which is ordered by this, descending."""
        return self.contents.last_active, self.key


def total_by_project(
    counted: Iterable[tuple[str | None, ProjectContents]], merged: Mapping[str, str]
) -> dict[str | None, ProjectContents]:
    """Add up what each project has; ``merged`` maps names to the directories of their projects.

    None stands for what has no project.
    """
    totals: dict[str | None, ProjectContents] = {}
    for key, contents in counted:
        project = merged.get(key or "", key)
        totals[project] = totals.get(project, ProjectContents()) + contents
    return totals


def listed_projects(
    totals: Mapping[str | None, ProjectContents],
    merged: Mapping[str, str],
    words: str = "",
    given: Mapping[str, str] = MappingProxyType({}),
) -> list[ListedProject]:
    """Return the projects whose name, key or other name has these words, latest active first.

    ``given`` are the names that the user gave.
    """
    keys = [key for key in totals if key]
    names = distinct_names(keys, given)
    wanted = words.strip().casefold()
    others: dict[str, list[str]] = {}
    for name, key in merged.items():
        others.setdefault(key, []).append(name)
    found = (
        ListedProject(key, names[key], totals[key])
        for key in keys
        if any(wanted in text.casefold() for text in (names[key], key, *others.get(key, ())))
    )
    return sorted(found, key=lambda each: each.position, reverse=True)

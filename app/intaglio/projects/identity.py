"""Resolves a project name to a known project, so that each project has one identity."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Self

from intaglio.base.errors import InvalidInputError
from intaglio.git.finder import is_directory, normal_remote, remote_of, worktrees_of
from intaglio.projects.names import display_name, is_path


class AmbiguousProjectError(InvalidInputError):
    """Several projects have the name; ``candidates`` in ``extra`` are their keys."""

    code = "ambiguous_project"
    title = "Several projects have this name"

    def __init__(self, name: str, candidates: Iterable[str]) -> None:
        listed = sorted(candidates)
        super().__init__(
            f'"{name}" is the name of {len(listed)} projects.',
            hint="\n".join(["Use the path of the project:", *(f"  {key}" for key in listed)]),
            candidates=listed,
        )


def names_of(key: str) -> frozenset[str]:
    """Return every name of a project: that of its directory, and those of its remote.

    A repository at ``git@example.org:acme/fleet.git`` is also called ``fleet``, ``acme/fleet`` and
    ``example.org/acme/fleet``. Reads the repository's configuration.
    """
    if not is_path(key):
        return frozenset({key})
    remote = remote_of(Path(key))
    if remote is None:
        return frozenset({display_name(key)})
    *_, owner, name = f"/{remote}".split("/")
    return frozenset({display_name(key), name, f"{owner}/{name}", remote})


@dataclass(frozen=True, slots=True)
class ProjectIdentity:
    """What the disk says about a project: ``path`` is None for one that is only a name."""

    path: str | None
    exists: bool
    remote: str | None
    worktrees: tuple[str, ...]
    other_names: tuple[str, ...]


def identity_of(key: str) -> ProjectIdentity:
    """Read a project's identity from its directory and its repository's files."""
    if not is_path(key):
        return ProjectIdentity(None, exists=False, remote=None, worktrees=(), other_names=())
    path = Path(key)
    remote = remote_of(path)
    shown = {display_name(key), remote}
    return ProjectIdentity(
        key,
        exists=is_directory(path),
        remote=remote,
        worktrees=tuple(str(tree) for tree in worktrees_of(path)),
        other_names=tuple(sorted(names_of(key) - shown)),
    )


@dataclass(frozen=True, slots=True)
class KnownProjects:
    """The projects that have memories: the names of each, by key."""

    names: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, keys: Iterable[str], given: Mapping[str, str] = MappingProxyType({})) -> Self:
        """Read the names of these projects; ``given`` are those that the user gave them."""
        added = {key: {given[key]} if key in given else set[str]() for key in keys}
        return cls({key: names_of(key) | own for key, own in added.items()})

    def identify(self, name: str) -> str:
        """Return the key of the project with this name; the name itself if no project has it.

        Raises AmbiguousProjectError if several have it and no memory was stored under the name
        alone.
        """
        found = self._directories(name)
        match found:
            case [key]:
                return key
            case []:
                return name
            case _ if name in self.names:
                return name
            case _:
                raise AmbiguousProjectError(name, found)

    def aliases(self, key: str) -> tuple[str, ...]:
        """Return the names under which a directory's project has memories, too.

        A name that another directory has as well belongs to neither.
        """
        own = (name for name in names_of(key) if name in self.names and not is_path(name))
        return tuple(sorted(name for name in own if set(self._directories(name)) <= {key}))

    def merged(self) -> Mapping[str, str]:
        """Return, for each name with memories of its own, the directory of its project."""
        return {
            name: found[0]
            for name in self.names
            if not is_path(name) and len(found := self._directories(name)) == 1
        }

    def _directories(self, name: str) -> list[str]:
        wanted = {name, normal_remote(name) or name}
        return [key for key, names in self.names.items() if is_path(key) and wanted & names]

"""Files that a harness tells its model by itself, and where a session runs that it tells them."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ToldFile:
    """A file that a harness tells its model at each session's start, if it exists.

    ``name`` is what people call it. It counts only if it really lies below ``within``, unless that
    is None. Of ``lines`` only the first are told, 0 for all. With ``imports``, what it imports by
    ``@path`` is told, too.
    """

    path: Path
    name: str
    within: Path | None = None
    lines: int = 0
    imports: bool = False


@dataclass(frozen=True, slots=True)
class ToldFiles:
    """The files that a harness tells its model, and the folders where it keeps its own memory."""

    files: tuple[ToldFile, ...] = ()
    own_memory: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionPlace:
    """Where a session runs: its project's folder, the root of its working tree, its directory.

    The directory is in the working tree. All are None for a session without a folder.
    """

    project: Path | None = None
    root: Path | None = None
    directory: Path | None = None

    @property
    def directories(self) -> tuple[Path, ...]:
        """The directories from the root of the working tree down to the session's."""
        if self.root is None:
            return ()
        inner = self.directory or self.root
        below = [each for each in (inner, *inner.parents) if each.is_relative_to(self.root)]
        return tuple(reversed(below)) or (self.root,)

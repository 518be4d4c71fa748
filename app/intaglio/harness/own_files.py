"""The files that a harness reads by itself: instructions for its model, and its own memory.

Both are in Markdown, and in places that the harness documents.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

from intaglio.domain.told_files import SessionPlace, ToldFile

Names: TypeAlias = tuple[str, ...]
"""Names of which only the first file that exists is told."""

_MAX_RULES: Final = 20
_MAX_ABOVE: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFolder:
    """A folder with a harness's own memory, which it tells its model or looks up by itself.

    ``names`` are patterns of its files. ``project`` is the key of the project that it's about, None
    for all. With ``directory_of``, each section below a heading of the first level is about another
    project: that of the directory which is found in its text; if none is, nobody is told of it.
    """

    folder: Path
    names: tuple[str, ...] = ("*.md",)
    project: str | None = None
    directory_of: Callable[[str], str | None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionNames:
    """The names of the files that a harness tells its model at each session's start.

    ``everywhere`` are in its ``folder``. ``project`` are looked for in each directory from the root
    of the working tree to the session's, or with ``only_root`` in the root alone; with ``above``
    also in the directories above it. ``rules`` are folders in the root, ``own_rules`` in the
    harness's folder, of which all files are told. With ``imports``, files import others by
    ``@path``.
    """

    folder: Callable[[Path, Mapping[str, str]], Path]
    everywhere: tuple[Names, ...] = ()
    project: tuple[Names, ...] = ()
    rules: tuple[str, ...] = ()
    own_rules: tuple[str, ...] = ()
    only_root: bool = False
    above: bool = False
    imports: bool = False

    def files(self, home: Path, env: Mapping[str, str], place: SessionPlace) -> Iterator[ToldFile]:
        """Yield the files that a session in a place is told, as far as they exist."""
        own = self.folder(home, env)
        for names in self.everywhere:
            yield from self._first(own, names, None, _shown(own, home))
        for name in self.own_rules:
            yield from self._rules(own / name, None, _shown(own / name, home))
        root = place.root
        if root is None:
            return
        outer = reversed(root.parents[:_MAX_ABOVE]) if self.above else ()
        for directory in outer:
            for names in self.project:
                yield from self._first(directory, names, directory, directory.name)
        for directory in place.directories[: 1 if self.only_root else None]:
            shown = directory.relative_to(root).as_posix()
            for names in self.project:
                yield from self._first(directory, names, root, "" if shown == "." else shown)
        for name in self.rules:
            yield from self._rules(root / name, root, name)

    def _first(
        self, folder: Path, names: Names, within: Path | None, shown: str
    ) -> Iterator[ToldFile]:
        found = (name for name in names if (folder / name).is_file())
        for name in islice(found, 1):
            title = f"{shown}/{name}" if shown else name
            yield ToldFile(folder / name, title, within, imports=self.imports)

    def _rules(self, folder: Path, within: Path | None, shown: str) -> Iterator[ToldFile]:
        if folder.is_dir():
            for path in sorted(islice(folder.rglob("*.md"), _MAX_RULES)):
                name = f"{shown}/{path.relative_to(folder).as_posix()}"
                yield ToldFile(path, name, within, imports=self.imports)


def _shown(folder: Path, home: Path) -> str:
    return (
        f"~/{folder.relative_to(home).as_posix()}" if folder.is_relative_to(home) else folder.name
    )


def _no_files(home: Path, env: Mapping[str, str], place: SessionPlace) -> Iterator[ToldFile]:
    """Return no further files."""
    del home, env, place
    return iter(())


def _no_memory(home: Path, env: Mapping[str, str], projects: tuple[str, ...]) -> list[MemoryFolder]:
    """Return that the harness keeps no memory of its own."""
    del home, env, projects
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFiles:
    """What a harness reads by itself: instructions by their names, ``more`` files, its memory."""

    instructions: InstructionNames
    more: Callable[[Path, Mapping[str, str], SessionPlace], Iterator[ToldFile]] = _no_files
    memory: Callable[[Path, Mapping[str, str], tuple[str, ...]], list[MemoryFolder]] = _no_memory

    def told(self, home: Path, env: Mapping[str, str], place: SessionPlace) -> list[ToldFile]:
        """Return the files that a session in a place is told, each once."""
        found: dict[Path, ToldFile] = {}
        for file in self.instructions.files(home, env, place):
            found.setdefault(file.path, file)
        return [*found.values(), *self.more(home, env, place)]


def _nowhere(home: Path, env: Mapping[str, str]) -> Path:
    del env
    return home


COMMON_FILES: Final = OwnFiles(
    instructions=InstructionNames(folder=_nowhere, project=(("AGENTS.md",),))
)
"""What most agents read: the AGENTS.md of a project."""

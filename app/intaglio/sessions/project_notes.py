"""What a harness tells its model anyway: agents read CLAUDE.md, AGENTS.md and the like themselves.

A file is compared sentence by sentence and bullet by bullet. What stands in code, in comments, in
quotations, or below a heading such as "Avoid" or "Deprecated" isn't taken as said.
"""

import os
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

from intaglio.base.files.regular_file import read_regular
from intaglio.domain.told_files import SessionPlace, ToldFile, ToldFiles
from intaglio.language.markdown import (
    MarkdownBlock,
    markdown_blocks,
    markdown_sentences,
    plain_markdown,
    split_front_matter,
)
from intaglio.language.restatements import Phrasing, PhrasingIndex, phrasing
from intaglio.memory.values import FILE_SOURCE, Memory
from intaglio.projects.names import is_path
from intaglio.projects.resolver import working_root

IN_FILE: Final = "already in"
_PROJECT_FILES: Final = ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md")
_MAX_BYTES: Final = 200_000
_MAX_FILES: Final = 20
_MAX_STATEMENTS: Final = 1_000
_MAX_CACHED: Final = 64
_MAX_HOPS: Final = 5
# An import stands at the start of a line or after a blank, and not in code.
_IMPORT: Final = re.compile(r"(?:^|(?<=\s))@(?P<path>(?:~/|\.{0,2}/)?\w[\w./-]{0,300})")
_CONDITION: Final = re.compile(r"^(?:paths|globs|applyTo):", re.MULTILINE)
# What follows is an example, a thing of the past, or the opposite of an instruction.
_NOT_SAID: Final = re.compile(
    r"\b(?:don['\u2019]?ts?|do not|never|avoid|not|no|bad|wrong|deprecated|obsolete|legacy|old|"
    r"formerly|rejected|alternatives|considered|examples?|todo|ideas|history|changelog)\b",
    re.IGNORECASE,
)


FindToldFiles: TypeAlias = Callable[[str, SessionPlace], ToldFiles]
"""Finds what a harness, by its name, tells a session."""


def project_files(_: str, place: SessionPlace) -> ToldFiles:
    """Return the files of a project that most harnesses read."""
    root = place.root
    if root is None:
        return ToldFiles()
    return ToldFiles(tuple(ToldFile(root / name, name, root) for name in _PROJECT_FILES))


@dataclass(frozen=True, slots=True)
class InstructionPlaces:
    """Where the instruction files of each harness are; the harnesses themselves know."""

    find: FindToldFiles = project_files


@dataclass(frozen=True, slots=True, eq=False)
class InstructionFile:
    """What one file says; ``name`` is what people call it.

    ``statements`` say different things, ``imports`` are the paths that it imports.
    """

    name: str
    statements: tuple[Phrasing, ...]
    imports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProjectNotes:
    """What a session's model is told by its harness.

    ``texts`` maps each statement in its normal form to the file that says it, and ``files`` each
    of ``statements``. ``own_memory`` are the folders where the harness keeps its own memory.
    """

    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    files: tuple[str, ...] = ()
    statements: PhrasingIndex = field(default_factory=PhrasingIndex)
    own_memory: tuple[Path, ...] = ()

    @classmethod
    def of(cls, files: Sequence[InstructionFile], own_memory: tuple[Path, ...]) -> "ProjectNotes":
        """Return what files say, of which the first ones count most."""
        texts: dict[str, str] = {}
        index = PhrasingIndex()
        names: list[str] = []
        for file in files:
            for statement in file.statements:
                if statement.plain not in texts:
                    texts[statement.plain] = file.name
                    names.append(file.name)
                    index.add(statement)
        return cls(texts, tuple(names), index, own_memory)

    def reason_against(self, memory: Memory) -> str | None:
        """Return why a memory needn't be told: the harness tells it, or knows it itself."""
        if memory.source.type == FILE_SOURCE and memory.source.path:
            path = Path(memory.source.path)
            if any(path.is_relative_to(folder) for folder in self.own_memory):
                return f"{IN_FILE} {path.name}"
        file = self.file_with(memory.content, exactly=memory.pinned)
        return None if file is None else f"{IN_FILE} {file}"

    def file_with(self, content: str, *, exactly: bool) -> str | None:
        """Return the name of a file that says the content, or the first sentence of it, or None.

        All of its sentences must be said. ``exactly`` requires the same words; otherwise nearly the
        same suffice.
        """
        if not self.files:
            return None
        text = plain_markdown(content)
        found = self._file_with(phrasing(text), exactly=exactly)
        parts = markdown_sentences(text) if found is None else []
        if len(parts) > 1:
            each = [self._file_with(phrasing(part), exactly=exactly) for part in parts]
            found = each[0] if all(each) else None
        return found

    def _file_with(self, statement: Phrasing, *, exactly: bool) -> str | None:
        file = self.texts.get(statement.plain)
        if file is not None or exactly:
            return file
        number = self.statements.find(statement)
        return None if number is None else self.files[number]


NO_NOTES: Final = ProjectNotes()

ReadNotes: TypeAlias = Callable[[str, str | None, str | None], Awaitable[ProjectNotes]]
"""Reads what a session is told: by its harness, its project's key and its directory."""


@dataclass(frozen=True, slots=True)
class _FileVersion:
    """Tells two versions of a file apart without reading it."""

    path: Path
    name: str
    lines: int
    modified_ns: int
    size: int
    inode: int


@dataclass(slots=True)
class InstructionFiles:
    """Reads instruction files; one that hasn't changed isn't read again."""

    places: Callable[[], InstructionPlaces] = InstructionPlaces
    _cached: dict[_FileVersion, InstructionFile] = field(
        default_factory=dict[_FileVersion, InstructionFile]
    )
    _joined: dict[tuple[object, ...], ProjectNotes] = field(
        default_factory=dict[tuple[object, ...], ProjectNotes]
    )

    def read(self, harness: str, project: str | None, directory: str | None = None) -> ProjectNotes:
        """Return what a harness tells a session in a directory of a project.

        The project's files are those of the working tree that ``directory`` is in if that is one
        of the project, else those of the project's own directory; a linked worktree has files of
        its own. Takes milliseconds for a file that has changed. A file that can't be read, isn't a
        regular one, or is a link to somewhere else says nothing; nor does anything on a failure.
        """
        try:
            told = self.places().find(harness, _place(project, directory))
            files = tuple(self._all(told.files))
            key = (told.own_memory, *files)
            known = self._joined.get(key)
            if known is None:
                known = ProjectNotes.of(files, told.own_memory)
                kept = self._joined if len(self._joined) < _MAX_CACHED else {}
                self._joined = {**kept, key: known}
        except (OSError, ValueError, RuntimeError):
            return NO_NOTES
        return known

    def _all(self, files: Sequence[ToldFile]) -> Iterator[InstructionFile]:
        """Yield what the files say, and those that they import."""
        known = set[Path]()
        wanted = [(each, 0) for each in reversed(files)]
        while wanted and len(known) < _MAX_FILES:
            file, hops = wanted.pop()
            found = self._read(file)
            if found is None or file.path in known:
                continue
            known.add(file.path)
            yield found
            if file.imports and hops < _MAX_HOPS:
                wanted += [(_imported(file, path), hops + 1) for path in reversed(found.imports)]

    def _read(self, file: ToldFile) -> InstructionFile | None:
        try:
            path = file.path.resolve(strict=True)
            if file.within is not None and not path.is_relative_to(file.within.resolve()):
                return None
            found = path.stat()
            version = _FileVersion(
                path, file.name, file.lines, found.st_mtime_ns, found.st_size, found.st_ino
            )
            known = self._cached.get(version)
            if known is None:
                text = read_regular(path, _MAX_BYTES).decode("utf-8", "replace")
                if file.lines:
                    text = "".join(islice(text.splitlines(keepends=True), file.lines))
                known = instruction_file(file.name, text)
                # Replaced, not changed: another thread may be reading it.
                kept = self._cached if len(self._cached) < _MAX_CACHED else {}
                self._cached = {**kept, version: known}
        except (OSError, ValueError, RuntimeError):
            return None
        return known


def _place(project: str | None, directory: str | None) -> SessionPlace:
    if project is None or not is_path(project):
        return SessionPlace()
    root = working_root(directory, project) if directory else None
    if root is None or directory is None:
        return SessionPlace(Path(project), Path(project))
    return SessionPlace(Path(project), root, Path(os.path.realpath(directory)))


def _imported(file: ToldFile, path: str) -> ToldFile:
    found = Path(path).expanduser() if path.startswith("~") else file.path.parent / path
    return replace(file, path=found, name=found.name)


def instruction_file(name: str, text: str) -> InstructionFile:
    """Read the statements of a file in Markdown."""
    if _CONDITION.search(split_front_matter(text)[0]):
        # Told only when the agent comes near certain files.
        return InstructionFile(name, ())
    found: dict[str, Phrasing] = {}
    for statement in islice(statements(text), _MAX_STATEMENTS):
        words = phrasing(statement)
        if words.plain:
            found.setdefault(words.plain, words)
    imports = (
        match["path"].rstrip(".")
        for block in markdown_blocks(text)
        for match in _IMPORT.finditer(block.text)
    )
    listed = tuple(dict.fromkeys(islice(imports, _MAX_FILES)))
    return InstructionFile(name, tuple(found.values()), listed)


def statements(text: str) -> Iterator[str]:
    """Yield the headings, bullets and sentences of a text in Markdown, without its markup."""
    context = _Context()
    for block in markdown_blocks(text):
        if context.applies(block):
            plain = plain_markdown(block.text)
            yield from dict.fromkeys((plain, *markdown_sentences(plain)))


@dataclass(slots=True)
class _Context:
    """Whether what a block says holds, by the headings and the introductions above it."""

    _headings: list[tuple[int, bool]] = field(default_factory=list[tuple[int, bool]])
    _introductions: list[tuple[int, bool]] = field(default_factory=list[tuple[int, bool]])

    def applies(self, block: MarkdownBlock) -> bool:
        """Whether the block's text holds; takes it into account for those that follow."""
        above = self._introductions
        above[:] = [each for each in above if block.is_bullet and each[0] < block.indent]
        if block.level:
            self._headings[:] = [each for each in self._headings if each[0] < block.level]
        said = all(holds for _, holds in (*self._headings, *above))
        holds = not _NOT_SAID.search(block.text)
        if block.level:
            self._headings.append((block.level, holds))
        elif block.text.endswith(":"):
            above.append((block.indent, holds))
        return said

"""What a project's own instruction files say: agents read CLAUDE.md and AGENTS.md themselves.

A file is compared sentence by sentence and bullet by bullet. What stands in code, in comments, in
quotations, or below a heading such as "Avoid" or "Deprecated" isn't taken as said.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Final

from intaglio.base.files.regular_file import read_regular
from intaglio.language.restatements import Phrasing, PhrasingIndex, phrasing
from intaglio.projects.names import is_path
from intaglio.projects.resolver import working_root

FILES: Final = ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md")
_MAX_BYTES: Final = 64_000
_MAX_STATEMENTS: Final = 1_000
_MAX_CACHED: Final = 32
# No instruction is longer, and each is matched with patterns.
_MAX_LINE_CHARS: Final = 1_000
_MAX_BLOCK_CHARS: Final = 2_000

_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_CODE: Final = re.compile(r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1[^\n]*$|\Z)", re.DOTALL | re.MULTILINE)
_STRUCK: Final = re.compile(r"~~(?:[^~\n]|~(?!~))+~~")
_LINK: Final = re.compile(r"\[([^\]\n]{0,200})\]\([^)\n]{0,500}\)")
_EMPHASIS: Final = re.compile(r"(\*\*|__|`)")
_HEADING: Final = re.compile(r" {0,3}(?P<marks>#{1,6})\s(?P<text>.*)")
_BULLET: Final = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(?P<text>.*)")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])|(?<=[\u3002\uff01\uff1f])")
# What follows is an example, a thing of the past, or the opposite of an instruction.
_NOT_SAID: Final = re.compile(
    r"\b(?:don['\u2019]?ts?|do not|never|avoid|not|no|bad|wrong|deprecated|obsolete|legacy|old|"
    r"formerly|rejected|alternatives|considered|examples?|todo|ideas|history|changelog)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class InstructionFile:
    """What one file says; ``name`` is its path in the project.

    ``texts`` are its statements in their normal form.
    """

    name: str
    texts: frozenset[str]
    statements: PhrasingIndex

    def says(self, statement: Phrasing, *, exactly: bool) -> bool:
        """Whether it says the same in nearly the same words, or ``exactly`` in the same."""
        if exactly or statement.plain in self.texts:
            return statement.plain in self.texts
        return self.statements.find(statement) is not None


@dataclass(frozen=True, slots=True)
class ProjectNotes:
    """What the instruction files of a project say."""

    files: tuple[InstructionFile, ...] = ()

    def file_with(self, content: str, *, exactly: bool) -> str | None:
        """Return the name of a file that says all of the content, or None.

        ``exactly`` requires the same words; otherwise nearly the same suffice.
        """
        if not self.files:
            return None
        text = _plain(content)
        whole, parts = phrasing(text), [phrasing(part) for part in _sentences(text)]
        for file in self.files:
            if file.says(whole, exactly=exactly) or (
                len(parts) > 1 and all(file.says(part, exactly=exactly) for part in parts)
            ):
                return file.name
        return None


@dataclass(frozen=True, slots=True)
class _FileVersion:
    """Tells two versions of a file apart without reading it."""

    path: Path
    modified_ns: int
    size: int
    inode: int


@dataclass(slots=True)
class InstructionFiles:
    """Reads the instruction files of projects; a file that hasn't changed isn't read again."""

    _cached: dict[_FileVersion, InstructionFile] = field(
        default_factory=dict[_FileVersion, InstructionFile]
    )

    def read(self, project: str | None, directory: str | None = None) -> ProjectNotes:
        """Return what the files of a project say; nothing if the key isn't a directory's.

        They are those of the working tree that ``directory`` is in if that is one of the project,
        else those of the project's own directory; a linked worktree has files of its own.
        Takes milliseconds for a file that has changed. A file that can't be read, isn't a regular
        one, or is a link to somewhere outside the project says nothing.
        """
        if project is None or not is_path(project):
            return ProjectNotes()
        root = (working_root(directory, project) if directory else None) or Path(project)
        read = (self._read(root, name) for name in FILES)
        return ProjectNotes(tuple(file for file in read if file is not None))

    def _read(self, root: Path, name: str) -> InstructionFile | None:
        try:
            path = (root / name).resolve(strict=True)
            if not path.is_relative_to(root.resolve()):
                return None
            found = path.stat()
            version = _FileVersion(path, found.st_mtime_ns, found.st_size, found.st_ino)
            known = self._cached.get(version)
            if known is None:
                text = read_regular(path, _MAX_BYTES).decode("utf-8", "replace")
                known = instruction_file(name, text)
                # Replaced, not changed: another thread may be reading it.
                kept = self._cached if len(self._cached) < _MAX_CACHED else {}
                self._cached = {**kept, version: known}
        except (OSError, ValueError, RuntimeError):
            return None
        return known if known.name == name else replace(known, name=name)


def instruction_file(name: str, text: str) -> InstructionFile:
    """Read the statements of a file in Markdown."""
    found = PhrasingIndex()
    texts: set[str] = set()
    for statement in islice(statements(text), _MAX_STATEMENTS):
        words = phrasing(statement)
        if words.plain and words.plain not in texts:
            texts.add(words.plain)
            found.add(words)
    return InstructionFile(name, frozenset(texts), found)


def statements(text: str) -> Iterator[str]:
    """Yield the headings, bullets and sentences of a text in Markdown, without its markup."""
    lines = _STRUCK.sub("", _CODE.sub("", _COMMENT.sub("", text))).splitlines()
    context = _Context()
    for block in _blocks(line[:_MAX_LINE_CHARS] for line in lines):
        if context.applies(block):
            plain = _plain(block.text)
            yield from dict.fromkeys((plain, *_sentences(plain)))


@dataclass(frozen=True, slots=True)
class _Block:
    """A heading, a bullet or a paragraph; ``level`` is that of the heading, else 0."""

    text: str
    level: int = 0
    indent: int = -1

    @property
    def is_bullet(self) -> bool:
        return self.indent >= 0


@dataclass(slots=True)
class _Context:
    """Whether what a block says holds, by the headings and the introductions above it."""

    _headings: list[tuple[int, bool]] = field(default_factory=list[tuple[int, bool]])
    _introductions: list[tuple[int, bool]] = field(default_factory=list[tuple[int, bool]])

    def applies(self, block: _Block) -> bool:
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


def _blocks(lines: Iterable[str]) -> Iterator[_Block]:
    """Join the lines of each bullet and paragraph; quotations and tables are left out."""
    current: _Block | None = None
    for line in (*lines, ""):
        if (heading := _HEADING.match(line)) or not line.strip() or line.lstrip()[0] in ">|":
            if current:
                yield current
            current = _heading(heading) if heading else None
            if current:
                yield current
                current = None
        elif bullet := _BULLET.match(line):
            if current:
                yield current
            current = _Block(bullet["text"].strip(), indent=len(line) - len(line.lstrip()))
        elif current:
            joined = f"{current.text} {line.strip()}"
            current = replace(current, text=joined[:_MAX_BLOCK_CHARS])
        else:
            current = _Block(line.strip())


def _heading(found: re.Match[str]) -> _Block:
    text = found["text"].strip().rstrip("#").rstrip()
    return _Block(text, len(found["marks"]))


def _plain(text: str) -> str:
    return _EMPHASIS.sub("", _LINK.sub(r"\1", text)).strip()


def _sentences(text: str) -> list[str]:
    return [part for part in _SENTENCE_END.split(text) if part.strip()]

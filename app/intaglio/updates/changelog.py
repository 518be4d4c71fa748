"""Reads the changelog: what each version added, changed and mended."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import intaglio
from intaglio.updates.versions import is_newer

UNRELEASED: Final = "Unreleased"
_NAME: Final = "CHANGELOG.md"
_HEADING: Final = re.compile(r"## \[?([^\]\s()]{1,60})\]?(?: (?:- )?\(?(\d{4}-\d\d-\d\d)\)?)?\s*")
_ITEM: Final = re.compile(r"[-*] (?:\*\*([^*]{1,200})\*\*)?(.*)")


@dataclass(frozen=True, slots=True)
class ChangeItem:
    """One change; ``title`` is how it begins, may be empty. ``text`` may have code in backticks."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class ChangeSection:
    """The changes of a kind: Added, Changed, Fixed …."""

    title: str
    items: tuple[ChangeItem, ...]


@dataclass(frozen=True, slots=True)
class Release:
    """A version and its changes; ``date`` is empty while it isn't released."""

    version: str
    date: str
    sections: tuple[ChangeSection, ...]

    def is_new_since(self, seen: str) -> bool:
        """Whether it came after a version."""
        return is_newer(self.version, seen)


@dataclass(slots=True)
class _Draft:
    version: str
    date: str
    sections: list[tuple[str, list[list[str]]]] = field(
        default_factory=list[tuple[str, list[list[str]]]]
    )

    def finish(self) -> Release:
        return Release(
            self.version,
            self.date,
            tuple(
                ChangeSection(title, tuple(map(_item, items)))
                for title, items in self.sections
                if items
            ),
        )


def changelog_file(package: Path | None = None) -> Path:
    """Return the file; a clone has it at its top, every package in ``_built``."""
    folder = package or Path(intaglio.__file__).parent
    packed = folder / "_built" / _NAME
    return packed if packed.is_file() else folder.parent.parent / _NAME


def read_changelog(file: Path) -> tuple[Release, ...]:
    """Read all versions, newest first; none if there is no such file. Blocks."""
    try:
        return parse_changelog(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return ()


def parse_changelog(text: str) -> tuple[Release, ...]:
    """Read a changelog in the format of Keep a Changelog, in its order."""
    return tuple(_releases(text))


def _releases(text: str) -> Iterator[Release]:
    draft: _Draft | None = None
    for line in text.splitlines():
        heading = _HEADING.fullmatch(line)
        if heading is not None:
            if draft is not None:
                yield draft.finish()
            draft = _Draft(heading[1], heading[2] or "")
        elif draft is not None:
            _add_line(draft, line)
    if draft is not None:
        yield draft.finish()


def _add_line(draft: _Draft, line: str) -> None:
    if line.startswith("### "):
        draft.sections.append((line[4:].strip(), []))
    elif line.startswith(("- ", "* ")):
        if not draft.sections:
            draft.sections.append(("", []))
        draft.sections[-1][1].append([line])
    elif line.strip() and draft.sections and draft.sections[-1][1]:
        draft.sections[-1][1][-1].append(line.strip())


def _item(lines: list[str]) -> ChangeItem:
    found = _ITEM.fullmatch(" ".join(lines))
    return ChangeItem((found[1] or "").strip(), found[2].strip()) if found else ChangeItem("", "")

"""The text files directly in the workspace, which `/api/config` lists and writes."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intaglio.base.errors import InvalidInputError
from intaglio.workspace.files import MAX_BYTES, read_workspace_file
from intaglio.workspace.values import UnreadableFile

MAX_FILE_BYTES: Final = MAX_BYTES
_MAX_BYTES: Final = 8_000_000
_MAX_FILES: Final = 200
_MAX_NAME_BYTES: Final = 200
_TYPES: Final = (".md", ".yaml")
_FIRST: Final = ("agent.yaml", "AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md")
_FIELD: Final = re.compile(r"^- (name|creature|vibe):([^\n]*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class WorkspaceText:
    """A file of the workspace."""

    name: str
    text: str
    size: int


def list_texts(workspace: Path) -> list[WorkspaceText]:
    """Return the Markdown and YAML files, the best known first.

    Hidden ones, those that lead out of the workspace, and those that are no UTF-8 text of up to
    1 MB are left out; so is what exceeds 200 files or 8 MB.
    """
    try:
        names = [name for name in os.listdir(workspace) if is_listed(name)]  # noqa: PTH208 - as text
    except OSError:
        return []
    found: list[WorkspaceText] = []
    left = _MAX_BYTES
    for name in sorted(names, key=_rank)[:_MAX_FILES]:
        text = read_text(workspace, name)
        if text is not None and text.size <= left:
            left -= text.size
            found.append(text)
    return found


def _rank(name: str) -> tuple[int, str]:
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST), name)


def is_listed(name: str) -> bool:
    """Whether a file of this name is one of those that are listed."""
    return name.endswith(_TYPES) and not name.startswith(".")


def read_text(workspace: Path, name: str) -> WorkspaceText | None:
    """Read a file; None if there is none that may be shown."""
    found = read_workspace_file(workspace, name)
    if found is None or isinstance(found, UnreadableFile):
        return None
    return WorkspaceText(name, found.decode(), len(found))


def check_name(name: str) -> None:
    """Raise InvalidInputError, in the contract's words, unless this name may be written."""
    hint = "Name a .md or .yaml file directly in the workspace."
    is_hidden = name.startswith(".") or not name.isprintable()
    is_long = len(name.encode("utf-8", "surrogatepass")) > _MAX_NAME_BYTES
    if "/" in name or "\\" in name or ".." in name or ":" in name or is_hidden or is_long:
        raise InvalidInputError("Invalid file name", hint=hint)
    if not name.endswith(_TYPES):
        raise InvalidInputError("Invalid file type", hint=hint)


def leads_out(workspace: Path, name: str) -> bool:
    """Whether a file is a link to somewhere outside the workspace."""
    file = workspace / name
    try:
        return not file.resolve().is_relative_to(workspace.resolve())
    except (OSError, RuntimeError):
        return True


def identity_of(text: str) -> dict[str, str]:
    """Return the fields of an ``IDENTITY.md`` that it has."""
    return {found[1]: found[2].strip() for found in reversed([*_FIELD.finditer(text)])}

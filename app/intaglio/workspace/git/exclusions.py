"""Which files of the workspace never get into its repository, whatever its ignore rules say."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intaglio.base.files.replacement import replace_file
from intaglio.base.paths import Paths

_LINES: Final = (
    "/memory/intaglio.db*",
    "/memory/intaglio.lock",
    "/memory/memories.db*",
    "/memory/backups",
    "/.secrets",
    "/.daemon",
    "/logs",
    "/agents/*/workspace/",
    "*.log",
    "/*.bak",
    ".env",
    ".env.*",
)
_FOLDERS: Final = ((".secrets",), (".daemon",), ("logs",), ("memory", "backups"))
_DATABASES: Final = ("intaglio.db", "intaglio.lock", "memories.db")
_GENERATED_DEPTH: Final = 3
_HEAD: Final = "# Databases, secrets and generated files, which Intaglio never commits."
_MAX_BYTES: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Exclusions:
    """What is never committed; ``folders`` are our own that lie in the workspace, in lower case."""

    folders: tuple[tuple[str, ...], ...] = ()

    def cover(self, path: str) -> bool:
        """Whether a path, relative to the workspace and with slashes, is never committed."""
        # Some file systems don't tell upper from lower case.
        parts = tuple(path.casefold().split("/"))
        folder, name = parts[:-1], parts[-1]
        if name.endswith(".log") or name == ".env" or name.startswith(".env."):
            return True
        if not folder and name.endswith(".bak"):
            return True
        if folder == ("memory",) and name.startswith(_DATABASES):
            return True
        if len(folder) >= _GENERATED_DEPTH and folder[0] == "agents" and folder[2] == "workspace":
            return True
        return any(parts[: len(own)] == own for own in (*_FOLDERS, *self.folders))

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of ``.gitignore`` that say the same."""
        return (*_LINES, *(f"/{'/'.join(folder)}" for folder in self.folders))

    def write_ignore_file(self, workspace: Path) -> None:
        """Add the lines that ``.gitignore`` lacks; raises OSError or UnwritableFileError.

        A link isn't followed: what it names may lie elsewhere.
        """
        file = workspace / ".gitignore"
        if not os.path.islink(file):  # noqa: PTH114 - what isn't there is no link
            replace_file(file, lambda content: with_lines(content, self.lines), limit=_MAX_BYTES)


def exclusions_of(paths: Paths) -> Exclusions:
    """Return what is never committed in a workspace that may have our own folders in it."""
    root = Path(os.path.realpath(paths.workspace))
    found: list[tuple[str, ...]] = []
    for folder in (paths.state, paths.cache, paths.logs, paths.runtime):
        real = Path(os.path.realpath(folder))
        if root in real.parents:
            found.append(tuple(part.casefold() for part in real.relative_to(root).parts))
    return Exclusions(tuple(dict.fromkeys(found)))


def with_lines(content: bytes | None, lines: Sequence[str]) -> bytes:
    """Return the content of an ignore file with all of the lines; what it has stays as it is."""
    text = content or b""
    present = {line.strip() for line in text.splitlines()}
    missing = [line for line in lines if line.encode() not in present]
    if not missing:
        return text
    end = b"\r\n" if b"\r\n" in text else b"\n"
    gap = b"" if not text else end if text.endswith(b"\n") else end + end
    return text + gap + _joined((_HEAD, *missing), end)


def _joined(lines: Iterable[str], end: bytes) -> bytes:
    return b"".join(line.encode() + end for line in lines)

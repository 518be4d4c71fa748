"""Reads the workspace's files: regular ones of the user, UTF-8, of up to 1 MB, within it."""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from intaglio.base.agent_id import is_agent_id
from intaglio.base.files.regular_file import SpecialFileError, open_regular
from intaglio.connect.instructions import INSTRUCTION_FILES
from intaglio.workspace.values import UnreadableFile, WorkspaceTexts

MAX_BYTES: Final = 1_000_000
AGENTS: Final = "agents"
OVERRIDES: Final = ("SOUL.md", "IDENTITY.md")
"""The files that an agent may have of its own, in ``agents/<name>/``."""

_MOST_AGENTS: Final = 200
_MEMORY: Final = "memory"
_MOST_LISTED: Final = 200


def read_texts(workspace: Path, roster: Iterable[str]) -> WorkspaceTexts:
    """Read what agents are told; ``roster`` are the agents that the settings declare."""
    agents = _agents(workspace, roster)
    own = [f"{AGENTS}/{agent}/{name}" for agent in agents for name in OVERRIDES]
    contents: dict[str, bytes] = {}
    unreadable: list[UnreadableFile] = []
    for name in (*INSTRUCTION_FILES, *own):
        found = read_workspace_file(workspace, name)
        if isinstance(found, UnreadableFile):
            unreadable.append(found)
        elif found is not None and found.strip(b"\xef\xbb\xbf\r\n\t "):
            contents[name] = found
    return WorkspaceTexts(contents, tuple(unreadable), tuple(agents))


def _agents(workspace: Path, roster: Iterable[str]) -> list[str]:
    found = {name for name in _names(workspace / AGENTS) if is_agent_id(name)}
    return sorted(found | set(roster))[:_MOST_AGENTS]


def _names(folder: Path) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            yield from (entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
    except OSError:
        return


def read_workspace_file(workspace: Path, name: str) -> bytes | UnreadableFile | None:
    """Read a file of the workspace; None if there is none."""
    file = workspace / name
    try:
        return _read(workspace, file)
    except FileNotFoundError:
        if not file.is_symlink():
            return None
        why, hint = "is a link to a file that doesn't exist", "Remove the link."
    except _UnusableError as error:
        why, hint = error.why, error.hint
    except SpecialFileError as error:
        why, hint = "isn't a regular file", f"Move it away: {error}."
    except UnicodeDecodeError:
        why, hint = "isn't valid UTF-8", "Save it as UTF-8."
    except (OSError, RuntimeError) as error:
        why, hint = "can't be read", f"Check its permissions: {error}."
    return UnreadableFile(name, f"{name} of the workspace {why}.", hint)


class _UnusableError(Exception):
    def __init__(self, why: str, hint: str) -> None:
        super().__init__(why)
        self.why = why
        self.hint = hint


def _read(workspace: Path, file: Path) -> bytes:
    if not file.resolve(strict=True).is_relative_to(workspace.resolve()):
        raise _UnusableError("is a link that leads out of the workspace", "Copy the file.")
    with open_regular(file) as stream:
        facts = os.fstat(stream.fileno())
        if sys.platform != "win32" and facts.st_uid != os.geteuid():
            raise _UnusableError("belongs to another user", "Make it yours.")
        content = stream.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise _UnusableError("is larger than 1 MB", "Make it smaller.")
    content.decode()
    return content


def listed_files(workspace: Path, settings: Path, texts: WorkspaceTexts) -> list[str]:
    """List the files to show: those that agents are told, the settings, and ``memory/*.md``."""
    own = [name for name in texts.contents if name.startswith(f"{AGENTS}/")]
    return [*INSTRUCTION_FILES, settings.name, *own, *_memory_files(workspace)]


def _memory_files(workspace: Path) -> list[str]:
    try:
        names = sorted(os.listdir(workspace / _MEMORY), reverse=True)  # noqa: PTH208 - as text
    except OSError:
        return []
    kept = [name for name in names if name.endswith(".md") and not name.startswith(".")]
    return [f"{_MEMORY}/{name}" for name in kept[:_MOST_LISTED]]

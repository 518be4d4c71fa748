"""Which files outside of the program's folder are Intaglio's, and what an uninstall does to them.

Files are removed by name, never a whole folder by its path: a variable may name any folder.
"""

import contextlib
import shutil
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from intaglio.base.files.regular_file import read_regular
from intaglio.base.paths import Paths
from intaglio.models.confirmations import FILE_NAME as CONFIRMED_MODELS
from intaglio.uninstall.values import UninstallItem, UninstallProblem, UninstallStep

REMOVED_STATE: Final = (
    "hooks",
    "windows",
    "sign-in",
    "read-only",
    "restore-test",
    "restore-test.json",
    "last-opened.json",
    "notified-issues.json",
    "hook-outcomes.json",
    "hook-timeout",
    "settings.lock",
    "install.json",
    "intaglio.sock",
    "git",
    "workspace-git.json",
    "instruction-blocks.json",
    "updates.json",
    CONFIRMED_MODELS,
    ".*.part",
    ".*.new",
)
"""What the state folder holds that no memory is lost with; names are patterns."""

CONNECTION_RECORDS: Final = "connect"
"""What disconnecting needs, and backups of agents' settings: kept until every agent is."""

DATA_STATE: Final = ("spool", "uploads", "workspace-texts", "databases.json", "clock.json")
"""What isn't in the database yet, and what protects it from a wrong drive or clock."""

RUNTIME: Final = (
    "daemon.json",
    "daemon.lock",
    "shortcuts.json",
    "tray.json",
    "tray.lock",
    ".*.part",
)
LOGS: Final = ("daemon.log*", "daemon.out*", "tray.log*", "window.log*", "update.log*")

DATABASE: Final = "intaglio.db"
_SHOWN: Final = (DATABASE, "backups")
_IN_MEMORY: Final = ("intaglio.db*", "intaglio.lock", ".gitignore", "backups")
"""In the memory folder: the database with its side files, those set aside, and the backups."""

_IN_SANDBOXES: Final = (
    "snap/*/common/intaglio-sign-in",
    ".var/app/*/cache/intaglio-sign-in",
)


def program_files(paths: Paths, home: Path) -> list[Path]:
    """Return what can go without losing a memory: hook files, sockets, logs, window states."""
    state = _existing(paths.state, REMOVED_STATE)
    if home.is_relative_to(paths.state):
        # A variable names the home itself: a folder "git" there is most likely the user's.
        state = [file for file in state if not file.is_dir()]
    return [
        *state,
        *_existing(paths.runtime, RUNTIME),
        *_existing(paths.logs, LOGS),
        *_existing(home, _IN_SANDBOXES),
    ]


def data_files(paths: Paths) -> list[Path]:
    """Return the database, its backups, and what waits to get into it."""
    found = [*_existing(paths.memory, _IN_MEMORY), *_existing(paths.state, DATA_STATE)]
    ignored = paths.memory / ".gitignore"
    if ignored in found and not _is_ours(ignored):
        found.remove(ignored)
    return [file for file in found if not _is_empty(file)]


def _is_ours(ignore_file: Path) -> bool:
    try:
        return DATABASE.encode() in read_regular(ignore_file)
    except OSError:
        return False


def remove_files_step(paths: Paths, home: Path) -> UninstallStep:
    """Return the step that removes the program's files and the folders that it leaves empty."""
    files = program_files(paths, home)
    items = (
        (UninstallItem("files", "Hook programs, logs and caches", _shown(files)),) if files else ()
    )
    return UninstallStep(items, partial(_remove_program_files, paths, home))


def remove_records_step(paths: Paths) -> UninstallStep:
    """Return the step that removes the records of connecting; run it if no agent was refused."""
    files = _existing(paths.state, (CONNECTION_RECORDS,))
    title = "Records of connecting, with backups of agents' settings"
    items = (UninstallItem("files", title, _shown(files)),) if files else ()
    return UninstallStep(items, partial(_remove, files, _own_folders(paths)))


def remove_data_step(paths: Paths) -> UninstallStep:
    """Return the step that deletes the memories."""
    items = data_items(paths)
    folders = (*_own_folders(paths), paths.memory, paths.workspace)
    return UninstallStep(items, lambda: _remove(data_files(paths), folders))


def data_items(paths: Paths) -> tuple[UninstallItem, ...]:
    """Return what the user's data are, with their size."""
    files = data_files(paths)
    if not files:
        return ()
    size = sum(_size(file) for file in files) / 1e6
    main = [file for file in files if file.parent == paths.state or file.name in _SHOWN]
    title = "Memories, backups and what waits to be stored"
    return (UninstallItem("data", title, _shown(main or files), f"{size:.1f} MB"),)


def own_items(paths: Paths) -> tuple[UninstallItem, ...]:
    """Return the files of the workspace that the user wrote, which always stay."""
    with contextlib.suppress(OSError):
        names = {file.name for file in paths.workspace.iterdir()} - {paths.memory.name}
        if names or any(paths.memory.glob("*.md")):
            return (UninstallItem("own", "Settings and your own files", (str(paths.workspace),)),)
    return ()


def _remove_program_files(paths: Paths, home: Path) -> tuple[UninstallProblem, ...]:
    return _remove(program_files(paths, home), _own_folders(paths))


def _own_folders(paths: Paths) -> tuple[Path, ...]:
    # A folder of data may be empty, too.
    data = (paths.state / name for name in DATA_STATE)
    return (paths.runtime, paths.logs, paths.cache, *data, paths.state)


def _remove(files: Iterable[Path], folders: Sequence[Path]) -> tuple[UninstallProblem, ...]:
    """Remove files and folders, then those of ``folders`` that are empty; return what stays."""
    problems: list[UninstallProblem] = []
    for file in files:
        try:
            if file.is_dir() and not file.is_symlink():
                shutil.rmtree(file)
            else:
                file.unlink(missing_ok=True)
        except OSError as error:
            reason = f"{error.strerror or error}."
            problems.append(
                UninstallProblem(file.name, reason, "Delete it yourself.", file=str(file))
            )
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()
    return tuple(problems)


def _existing(folder: Path, names: Iterable[str]) -> list[Path]:
    found: dict[Path, None] = {}
    with contextlib.suppress(OSError):
        for name in names:
            found |= dict.fromkeys(sorted(folder.glob(name)))
    return list(found)


def _is_empty(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        return not any(folder.iterdir())
    return False


def _shown(files: Iterable[Path]) -> tuple[str, ...]:
    return tuple(map(str, files))


def _size(file: Path) -> int:
    return sum(_lengths(file))


def _lengths(file: Path) -> Iterator[int]:
    with contextlib.suppress(OSError):
        if file.is_symlink() or not file.is_dir():
            yield file.lstat().st_size
            return
        for each in file.iterdir():
            yield from _lengths(each)

"""Writes ``agent.yaml`` as the user would: one value at a time, and nothing else of it."""

import hashlib
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from intaglio.base.agent_yaml.document import (
    BOM,
    MAX_BYTES,
    Document,
    decode,
    load_tree,
    parse,
)
from intaglio.base.agent_yaml.editor import has_key, remove_value, set_value
from intaglio.base.agent_yaml.problems import BrokenFileError, FileProblem, UneditableError
from intaglio.base.clock import Clock
from intaglio.base.errors import UnavailableError
from intaglio.base.files.daily_backup import keep_backup
from intaglio.base.files.filelock import lock_file
from intaglio.base.files.regular_file import read_regular
from intaglio.base.files.replacement import (
    ContentEdit,
    ReplacedFile,
    UnwritableFileError,
    is_writable,
    replace_file,
)
from intaglio.base.settings.catalogue import ListedSetting, SettingsCatalogue
from intaglio.base.settings.declaration import Scalar
from intaglio.base.settings.reading import SettingsReading

SettingWrite: TypeAlias = tuple[ListedSetting, Scalar | None]
"""The new value of a setting; None removes it from the file."""

NEW_FILE: Final = (
    "# Settings of Intaglio. Each holds its default until it is set here.\n"
    "# The dashboard writes them too, and keeps what else is in this file.\n"
)
_LOCK_WITHIN_S: Final = 10.0
_TRY_EVERY_S: Final = 0.01
_MOVED: Final = "memory.pipelineV2."


@dataclass(frozen=True, slots=True)
class FileContent:
    """The file as it is now; ``text`` is empty if there is none, or if it has a ``problem``."""

    exists: bool = True
    text: str = ""
    fingerprint: str = ""
    problem: FileProblem | None = None
    document: Document | None = None


@dataclass(frozen=True, slots=True)
class _ReadText:
    text: str
    reading: SettingsReading


class SettingsFile:
    """Reads and changes the settings file; several processes can at the same time.

    ``locate`` returns where it is now: another of its names may have appeared. ``lock`` is a file
    that writers lock. All methods block.
    """

    def __init__(
        self,
        locate: Callable[[], Path],
        lock: Path,
        clock: Clock,
        catalogue: SettingsCatalogue,
    ) -> None:
        self._locate = locate
        self._lock = lock
        self._clock = clock
        self._catalogue = catalogue

    @property
    def path(self) -> Path:
        """Where the file is, or would be created."""
        return self._locate()

    @property
    def is_writable(self) -> bool:
        """Whether the file, or one in its place, could be written."""
        return is_writable(self.path)

    def read(self) -> FileContent:
        """Read the file as it is now."""
        try:
            data = read_regular(self.path, MAX_BYTES + 1)
        except FileNotFoundError:
            return FileContent(exists=False)
        except OSError as error:
            return FileContent(problem=FileProblem(f"can't be read: {error}"))
        fingerprint = hashlib.sha256(data).hexdigest()[:16]
        try:
            text, document = check(data)
        except BrokenFileError as error:
            return FileContent(fingerprint=fingerprint, problem=error.problem)
        return FileContent(text=text, fingerprint=fingerprint, document=document)

    def apply(self, changes: Sequence[SettingWrite]) -> ReplacedFile:
        """Write all the changes, or none.

        Raises BrokenFileError, UneditableError, UnwritableFileError or BusyFileError.
        """
        return self.replace(self.path, lambda data: self._changed(data, changes))

    def replace(self, file: Path, edit: ContentEdit) -> ReplacedFile:
        """Change a file of the workspace under the lock, and keep a backup of it."""
        try:
            with self._locked():
                done = replace_file(file, edit, limit=MAX_BYTES + 1)
        except OSError as error:
            raise UnwritableFileError(
                f"Can't write {file}: {error.strerror or error}",
                hint="Make room or allow writing, then try again. Nothing was lost.",
            ) from error
        if done.before and done.before != done.after:
            keep_backup(file, done.before, self._clock())
        return done

    @contextmanager
    def _locked(self) -> Generator[None]:
        until = time.monotonic() + _LOCK_WITHIN_S
        while True:
            stream = lock_file(self._lock, lenient=True)
            if stream is not None:
                break
            if time.monotonic() > until:
                raise UnavailableError(
                    "Another program is changing the settings", hint="Try again in a moment."
                )
            time.sleep(_TRY_EVERY_S)
        with stream:
            yield

    def _changed(self, data: bytes | None, changes: Sequence[SettingWrite]) -> bytes | None:
        if data is None:
            changes = [each for each in changes if each[1] is not None]
            if not changes:
                return None
        text = NEW_FILE if data is None else decode(data)
        found = _ReadText(text, self._read(text))
        for setting, value in changes:
            found = (
                self._without(found, setting)
                if value is None
                else self._with(found, setting, value)
            )
        written = found.text.encode()
        if len(written) > MAX_BYTES:
            raise UneditableError(FileProblem("would be larger than 1 MB"))
        return written

    def _with(self, found: _ReadText, setting: ListedSetting, value: Scalar) -> _ReadText:
        given = found.reading.given.get(setting.key)
        spelled = _best_place(found.text, setting.key) if given is None else given.spelled
        text = set_value(found.text, spelled.split("."), value)
        changed = _ReadText(text, self._read(text))
        in_use = setting.value(changed.reading.settings)
        if in_use != value:
            message = f"{setting.key} would still be {in_use!r}: another key of the file sets it"
            raise UneditableError(FileProblem(message))
        return changed

    def _without(self, found: _ReadText, setting: ListedSetting) -> _ReadText:
        # A setting may be there in more than one spelling.
        while (given := found.reading.given.get(setting.key)) is not None:
            text = remove_value(found.text, given.spelled.split("."))
            if text == found.text:
                raise UneditableError(FileProblem(f"{given.spelled} can't be found"))
            found = _ReadText(text, self._read(text))
        return found

    def _read(self, text: str) -> SettingsReading:
        return self._catalogue.read(text.removeprefix(BOM))


def check(data: bytes) -> tuple[str, Document]:
    """Return the text and the document of a settings file; raises BrokenFileError."""
    text = decode(data)
    document = parse(text.removeprefix(BOM))
    load_tree(document)
    return text, document


def _best_place(text: str, key: str) -> str:
    """Return the key below the sections that the file has: some are accepted at two places."""
    if not key.startswith(_MOVED):
        return key
    document = parse(text.removeprefix(BOM))
    moved = key.removeprefix("memory.")
    has_top = has_key(document, ["pipelineV2"]) is not None
    return moved if has_top and has_key(document, ["memory", "pipelineV2"]) is None else key

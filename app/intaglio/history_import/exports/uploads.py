"""Uploads of exports: received in parts, read once, offered as sources, deleted in the end.

Each is a folder below the state folder, which only its owner can read. The daemon opens no other
path: what a client names is looked up among the known uploads. The file itself may hold secrets, so
it is deleted as soon as it is read; what was read of it has none (decision record 0105).
"""

import asyncio
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from intaglio.base.background_tasks import BackgroundTasks
from intaglio.base.clock import Clock
from intaglio.base.errors import (
    ConflictError,
    InvalidInputError,
    NotFoundError,
    TooLargeError,
    UnavailableError,
)
from intaglio.base.ids import NewId
from intaglio.base.log import Logger
from intaglio.base.paths import make_private, write_private
from intaglio.base.process.threads import quick_switches
from intaglio.base.text import clip, scrub
from intaglio.capture.transcripts import TranscriptReading
from intaglio.harness.events import KeptTranscript
from intaglio.history_import.exports.archive import UnreadableExportError
from intaglio.history_import.exports.conversations import SERVICE_LABELS, ExportService
from intaglio.history_import.exports.export_reader import ExportReader
from intaglio.history_import.exports.stored_export import StoredExport
from intaglio.history_import.sources import HistorySource, SourceType
from intaglio.redaction.redact import clean

MAX_UPLOAD_BYTES: Final = 4_000_000_000
"""How large all uploads may be together."""

KEPT_DAYS: Final = 7

_MAX_UPLOADS: Final = 20
# What must stay free, for the database and what is read of the upload.
_FREE_BYTES: Final = 1_000_000_000
_MAX_NAME_CHARS: Final = 200
_RECORD: Final = "upload.json"
_DATA: Final = "data"


class _Record(Struct):
    """What is stored of an upload beside its bytes."""

    name: str
    size: int
    created: datetime
    service: ExportService | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ExportSource:
    """An export that was uploaded and read, as a source of the import."""

    upload: str
    service: ExportService
    name: str
    stored: StoredExport
    kind: SourceType = "upload"

    @property
    def id(self) -> str:
        """The upload's id, after a word that no harness is named by."""
        return f"upload-{self.upload}"

    @property
    def harness(self) -> str:
        """The name of the service."""
        return self.service

    @property
    def label(self) -> str:
        """The service's display name."""
        return SERVICE_LABELS[self.service]

    @property
    def place(self) -> str:
        """The name of the file."""
        return self.name

    def sessions(self) -> Iterator[KeptTranscript]:
        """Iterate the conversations."""
        return self.stored.sessions()

    def read(
        self, session: KeptTranscript, position: str, limit_bytes: int, context_bytes: int = 0
    ) -> TranscriptReading:
        """Read a part of a conversation."""
        return self.stored.read(session.transcript.session, position, limit_bytes, context_bytes)


@dataclass(frozen=True, slots=True)
class UploadState:
    """How far an upload is; ``source`` is set once it is read, or ``problem``."""

    id: str
    name: str
    size: int
    received: int
    source: ExportSource | None
    problem: str


class _StoppedError(Exception):
    """The upload was deleted, or the daemon stops, while it is read."""


@dataclass(slots=True)
class _Upload:
    id: str
    folder: Path
    record: _Record
    received: int
    stored: StoredExport | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    is_reading: bool = False
    is_deleted: bool = False

    @property
    def is_read(self) -> bool:
        return self.record.service is not None or bool(self.record.problem)

    @property
    def state(self) -> UploadState:
        record, source = self.record, None
        if record.service is not None:
            if self.stored is None:
                label = SERVICE_LABELS[record.service]
                self.stored = StoredExport(self.folder, record.name, label)
            source = ExportSource(self.id, record.service, record.name, self.stored)
        return UploadState(self.id, record.name, record.size, self.received, source, record.problem)


def _free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


@dataclass(slots=True, kw_only=True)
class Uploads:
    """The uploads of this installation; ``free_bytes`` returns the space left beside a folder."""

    folder: Path
    clock: Clock
    new_id: NewId
    background: BackgroundTasks
    log: Logger
    free_bytes: Callable[[Path], int] = _free_bytes
    _uploads: dict[str, _Upload] | None = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _is_closing: bool = False

    async def begin(self, name: str, size: int) -> UploadState:
        """Begin an upload of a file.

        Raises InvalidInputError for a size that no export has, TooLargeError if there is no room
        among the uploads, UnavailableError if there is none on the disk.
        """
        if size < 1:
            raise InvalidInputError("The file is empty.", hint="Choose the export's zip file.")
        known = await self._known()
        async with self._lock:
            self._check_room(known, size)
            record = _Record(_shown_name(name), size, self.clock())
            upload = await asyncio.to_thread(self._create, record)
            known[upload.id] = upload
        return upload.state

    async def append(self, upload_id: str, offset: int, part: bytes) -> UploadState:
        """Add a part; after the last one, reading begins.

        Raises ConflictError if the part isn't the next one, InvalidInputError if it is longer than
        what is missing, NotFoundError, UnavailableError if it can't be written.
        """
        upload = await self._find(upload_id)
        async with upload.lock:
            if offset != upload.received:
                raise ConflictError(
                    f"The upload continues at byte {upload.received}, not at {offset}.",
                    hint="Send what comes from there.",
                    received=upload.received,
                )
            missing = upload.record.size - offset
            if not 0 < len(part) <= missing:
                raise InvalidInputError(
                    f"The part has {len(part)} bytes, but {missing} are missing.",
                    hint="Send a part of what is missing.",
                )
            if upload.is_deleted:
                raise _not_found()
            await asyncio.to_thread(_write_part, upload.folder / _DATA, offset, part)
            upload.received += len(part)
        self._start_reading(upload)
        return upload.state

    async def get(self, upload_id: str) -> UploadState:
        """Return how far an upload is; raises NotFoundError."""
        upload = await self._find(upload_id)
        self._start_reading(upload)
        return upload.state

    async def delete(self, upload_id: str) -> None:
        """Delete an upload, whether it is complete or not; raises NotFoundError."""
        upload = await self._find(upload_id)
        upload.is_deleted = True
        (await self._known()).pop(upload.id, None)
        async with upload.lock:
            if not upload.is_reading:
                await asyncio.to_thread(_remove, upload.folder)

    async def delete_source(self, source_id: str) -> None:
        """Delete the upload of a source, if it is one."""
        for upload in tuple((await self._known()).values()):
            if upload.state.source is not None and upload.state.source.id == source_id:
                await self.delete(upload.id)

    async def sources(self) -> Sequence[HistorySource]:
        """List the uploads that were read as sources, oldest first."""
        states = [upload.state for upload in (await self._known()).values()]
        return [state.source for state in states if state.source is not None]

    async def tidy(self) -> None:
        """Delete uploads that are too old, and read those whose reading was interrupted."""
        oldest = self.clock() - timedelta(days=KEPT_DAYS)
        for upload in tuple((await self._known()).values()):
            if upload.record.created < oldest and not upload.is_reading:
                await self.delete(upload.id)
            else:
                self._start_reading(upload)

    async def close(self) -> None:
        """End the readings; they begin anew after the next start."""
        self._is_closing = True

    async def _known(self) -> dict[str, _Upload]:
        """Return the uploads by id; reads them from the disk at first."""
        if self._uploads is None:
            async with self._lock:
                if self._uploads is None:
                    self._uploads = await asyncio.to_thread(self._load)
        return self._uploads

    async def _find(self, upload_id: str) -> _Upload:
        upload = (await self._known()).get(upload_id)
        if upload is None:
            raise _not_found()
        return upload

    def _check_room(self, known: dict[str, _Upload], size: int) -> None:
        taken = sum(each.record.size for each in known.values())
        if size > MAX_UPLOAD_BYTES:
            raise TooLargeError(
                f"The file has more than {_gigabytes(MAX_UPLOAD_BYTES)} GB.",
                hint="Unpack it, and choose its conversations.json.",
            )
        if taken + size > MAX_UPLOAD_BYTES or len(known) >= _MAX_UPLOADS:
            raise TooLargeError(
                "There is no room beside the other uploads.",
                hint="Import or delete them first.",
            )
        make_private(self.folder)
        free = self.free_bytes(self.folder)
        if free < size + _FREE_BYTES:
            raise UnavailableError(
                f"The disk has {_gigabytes(free)} GB free; the file needs "
                f"{_gigabytes(size + _FREE_BYTES)} GB.",
                hint="Free up space first.",
            )

    def _create(self, record: _Record) -> _Upload:
        upload_id = self.new_id()
        folder = self.folder / upload_id
        make_private(folder)
        _write_record(folder, record)
        return _Upload(upload_id, folder, record, 0)

    def _load(self) -> dict[str, _Upload]:
        found: dict[str, _Upload] = {}
        folders = sorted(self.folder.iterdir()) if self.folder.is_dir() else []
        for folder in folders:
            try:
                record = msgspec.json.decode((folder / _RECORD).read_bytes(), type=_Record)
            except (OSError, msgspec.DecodeError):
                _remove(folder)
                continue
            data = folder / _DATA
            upload = _Upload(folder.name, folder, record, record.size)
            if upload.is_read:
                data.unlink(missing_ok=True)
            else:
                size = data.stat().st_size if data.exists() else 0
                upload.received = min(size, record.size)
            found[upload.id] = upload
        return found

    def _start_reading(self, upload: _Upload) -> None:
        """Begin to read an upload that is complete, unless that was done."""
        is_complete = upload.received == upload.record.size
        if is_complete and not (upload.is_read or upload.is_reading or upload.is_deleted):
            upload.is_reading = True
            self.background.start(self._read(upload))

    async def _read(self, upload: _Upload) -> None:
        try:
            with quick_switches():
                await asyncio.to_thread(self._read_now, upload)
        finally:
            upload.is_reading = False
            if upload.is_deleted:
                await asyncio.to_thread(_remove, upload.folder)

    def _read_now(self, upload: _Upload) -> None:
        def check() -> None:
            if upload.is_deleted or self._is_closing:
                raise _StoppedError
            if self.free_bytes(upload.folder) < _FREE_BYTES // 2:
                raise UnreadableExportError("The disk is full.", hint="Free up space first.")

        service, problem = None, ""
        data = upload.folder / _DATA
        try:
            service = ExportReader(self.clock(), check).read(data, upload.folder).service
        except _StoppedError:
            return
        except UnreadableExportError as error:
            problem = f"{error.detail} {error.hint}".strip()
        except OSError as error:
            problem = f"It can't be read: {error.strerror or error}."
        # Whatever another program wrote: without a problem, it would be read again at every look.
        except Exception as error:
            self.log.exception("upload not read", upload=upload.id)
            problem = f"It can't be read: {type(error).__name__}."
        record = msgspec.structs.replace(upload.record, service=service, problem=problem)
        # In this order: after a crash in between, nobody has to upload the file again.
        _write_record(upload.folder, record)
        data.unlink(missing_ok=True)
        upload.record = record


def _not_found() -> NotFoundError:
    return NotFoundError("There is no such upload.", hint="Begin a new one.")


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f}".removesuffix(".0")


def _shown_name(name: str) -> str:
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return clip(clean(scrub(last)).strip(), _MAX_NAME_CHARS) or "export"


def _write_record(folder: Path, record: _Record) -> None:
    write_private(folder / _RECORD, msgspec.json.encode(record))


def _write_part(file: Path, offset: int, part: bytes) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.seek(offset)
            stream.write(part)
    except OSError as error:
        raise UnavailableError(
            f"The part can't be written: {error.strerror or error}.", hint="Free up space first."
        ) from error


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)

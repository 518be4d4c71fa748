"""Reads the events that hooks spooled while the daemon was down; invalid files are moved aside."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from intaglio.base.files.regular_file import read_regular
from intaglio.base.json.tolerant import REFUSED, TolerantDecoder
from intaglio.base.log import Logger
from intaglio.base.text import scrub
from intaglio.harness.events import EventOrigin, HarnessEvent, IgnoredEvent
from intaglio.harness.protocol import Harness

MAX_FILES = 10_000
MAX_FILE_BYTES = 100_000
MAX_REJECTED = 200
_STALE_PART_S = 3_600
_NEWEST = 100
_REJECTED = "rejected"

_Id = Annotated[str, Meta(min_length=1, max_length=200)]
_Word = Annotated[str, Meta(max_length=200)]
_Path = Annotated[str, Meta(max_length=4_096)]
_Seconds = Annotated[float, Meta(ge=0, le=4_102_444_800)]


class _Entry(Struct):
    harness: _Word
    event: _Word
    session: _Id
    time: _Seconds
    reason: _Word | None = None
    cwd: _Path | None = None
    started_in: _Path | None = None
    transcript_path: _Path | None = None
    agent_id: _Word | None = None


_DECODER = TolerantDecoder(_Entry)


@dataclass(frozen=True, slots=True)
class Spooled:
    """An event spooled while the daemon was down; delete ``file`` after the commit."""

    harness: Harness
    event: HarnessEvent
    time: datetime
    file: Path


def spooled_files(folder: Path) -> list[Path]:
    """List the spooled files, oldest first, at most `MAX_FILES`."""
    try:
        return sorted(file for file in folder.glob("*.json") if file.is_file())[:MAX_FILES]
    except OSError:
        return []


def drain(folder: Path, harnesses: Mapping[str, Harness], log: Logger) -> Iterator[Spooled]:
    """Yield the spooled events, oldest first; the caller deletes each file after its commit.

    Invalid files are moved to the ``rejected`` folder and logged.
    """
    for file in spooled_files(folder):
        read = _read(file, harnesses)
        if isinstance(read, str):
            reject(file, read, log)
        else:
            yield read
    _sweep(folder)


def _read(file: Path, harnesses: Mapping[str, Harness]) -> Spooled | str:
    """Return the event, or why the file is invalid."""
    try:
        data = read_regular(file, MAX_FILE_BYTES + 1)
    except OSError as error:
        return f"couldn't be read: {error}"
    if len(data) > MAX_FILE_BYTES:
        return "too large"
    try:
        entry = _DECODER.decode(data)
    except REFUSED as error:
        return str(error)
    harness = harnesses.get(entry.harness)
    if harness is None:
        return f"unknown harness {entry.harness}"
    event = harness.spooled_event(entry.event, _origin(entry), entry.reason or "")
    if isinstance(event, IgnoredEvent):
        return f"unknown event {event.name} of {entry.harness}"
    return Spooled(harness, event, datetime.fromtimestamp(entry.time, UTC), file)


def _origin(entry: _Entry) -> EventOrigin:
    return EventOrigin(
        session=scrub(entry.session),
        cwd=entry.cwd,
        started_in=entry.started_in,
        transcript=entry.transcript_path,
        agent_id=entry.agent_id,
    )


def remove_session(folder: Path, session: str) -> bool:
    """Remove the newest spooled events of a session; returns whether there were any."""
    found = False
    for file in spooled_files(folder)[-_NEWEST:]:
        try:
            if session.encode() in read_regular(file, MAX_FILE_BYTES):
                file.unlink(missing_ok=True)
                found = True
        except OSError:
            continue
    return found


def rejected_files(folder: Path) -> int:
    """Count the rejected files."""
    try:
        return sum(1 for _ in (folder / _REJECTED).iterdir())
    except OSError:
        return 0


def reject(file: Path, reason: str, log: Logger) -> None:
    """Move a file to the ``rejected`` folder, which keeps the newest `MAX_REJECTED` files."""
    folder = file.parent / _REJECTED
    log.warning("spooled event rejected", file=file.name, reason=reason)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        file.replace(folder / file.name)
        for old in sorted(folder.iterdir())[:-MAX_REJECTED]:
            old.unlink()
    except OSError as error:
        log.warning("couldn't move rejected event", file=file.name, reason=str(error))


def _sweep(folder: Path) -> None:
    """Remove partial files that killed hooks left, once they are an hour old."""
    try:
        parts = list(folder.glob("*.part"))
        now = datetime.now(UTC).timestamp()
        for part in parts:
            if now - part.stat().st_mtime > _STALE_PART_S:
                part.unlink()
    except OSError:
        return

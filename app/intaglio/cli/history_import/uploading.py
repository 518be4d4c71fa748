"""Uploads exports to the daemon, which opens no file by its name."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from intaglio.base.errors import InvalidInputError
from intaglio.cli.history_import.progress import ProgressLine
from intaglio.client.daemon_client import DaemonClient
from intaglio.wire.history_import import ImportSource, Upload

_PART_BYTES: Final = 8_000_000
_LOOK_S: Final = 0.5


def upload_export(
    client: DaemonClient,
    file: Path,
    line: ProgressLine,
    pause: Callable[[float], None] = time.sleep,
) -> ImportSource:
    """Upload an export, wait until it is read, and return it as a source.

    If it can't be read, or the user interrupts, nothing of it stays. Raises InvalidInputError.
    """
    size = file.stat().st_size
    upload = client.begin_upload(file.name, size)
    try:
        _send(client, file, upload, line)
        while upload.source is None and not upload.problem:
            line.show(f"Reading {file.name}")
            pause(_LOOK_S)
            upload = client.upload(upload.id)
    except BaseException:
        client.delete_upload(upload.id)
        raise
    finally:
        line.clear()
    if upload.source is None:
        client.delete_upload(upload.id)
        raise InvalidInputError(f"Can't import {file.name}. {upload.problem}")
    return upload.source


def _send(client: DaemonClient, file: Path, upload: Upload, line: ProgressLine) -> None:
    sent = 0
    with file.open("rb") as stream:
        while part := stream.read(_PART_BYTES):
            client.send_upload_part(upload.id, sent, part)
            sent += len(part)
            line.show(f"Uploading {file.name}: {sent * 100 // max(1, upload.size)} %")
    if sent < upload.size:
        raise InvalidInputError(f"Can't import {file.name}: it became shorter while it was read.")

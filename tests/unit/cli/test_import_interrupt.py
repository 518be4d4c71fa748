"""Ctrl-C while `intaglio import` shows an import leaves it running; during an upload, nothing."""

import io
from pathlib import Path
from typing import cast

import pytest

from intaglio.cli.history_import.commands import follow_import
from intaglio.cli.history_import.progress import ProgressLine
from intaglio.cli.history_import.uploading import upload_export
from intaglio.client.daemon_client import DaemonClient
from intaglio.wire.history_import import Upload


class _Interrupted:
    """A daemon whose user presses Ctrl-C while it answers."""

    def __init__(self) -> None:
        self.deleted: list[str] = []

    def import_run(self, _: str) -> object:
        raise KeyboardInterrupt

    def begin_upload(self, name: str, size: int) -> Upload:
        return Upload(id="u", name=name, size=size, received=0, source=None, problem="")

    def send_upload_part(self, *_: object) -> Upload:
        raise KeyboardInterrupt

    def delete_upload(self, upload_id: str) -> None:
        self.deleted.append(upload_id)


def test_an_import_goes_on_and_says_how_to_see_it(capsys: pytest.CaptureFixture[str]) -> None:
    follow_import(cast("DaemonClient", _Interrupted()), "1", as_json=False)
    said = capsys.readouterr().err
    assert said.startswith("The import goes on in the background.")
    assert "import --cancel" in said


def test_an_interrupted_upload_is_deleted(tmp_path: Path) -> None:
    file = tmp_path / "export.zip"
    file.write_bytes(b"x")
    client = _Interrupted()
    line = ProgressLine(io.StringIO(), quiet=True)
    with pytest.raises(KeyboardInterrupt):
        upload_export(cast("DaemonClient", client), file, line)
    assert client.deleted == ["u"]

"""`intaglio import` broken off: an import goes on with its uploads, else none of them stays."""

import io
from pathlib import Path
from typing import Self, cast

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from intaglio.cli.history_import import commands
from intaglio.cli.history_import.commands import follow_import, import_history
from intaglio.cli.history_import.progress import ProgressLine
from intaglio.cli.history_import.uploading import upload_export
from intaglio.client.daemon_client import DaemonClient
from intaglio.client.errors import UnreachableError
from intaglio.wire.history_import import ImportList, ImportRequest, ImportRun, Upload
from unit.cli.test_import_output import RUN, SOURCE


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


class _Lost(_Interrupted):
    """A daemon that stops once an import of an upload has begun."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def imports(self) -> ImportList:
        return ImportList(imports=[])

    def send_upload_part(self, *_: object) -> Upload:
        return self.upload("u")

    def upload(self, upload_id: str) -> Upload:
        source = replace(SOURCE, id="upload-u", kind="upload")
        return Upload(id=upload_id, name="a.zip", size=1, received=1, source=source, problem="")

    def start_import(self, _: ImportRequest) -> ImportRun:
        return RUN

    def import_run(self, _: str) -> object:
        raise UnreachableError("The daemon doesn't answer.")


def test_what_an_import_reads_stays_when_the_daemon_is_lost(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "export.zip"
    file.write_bytes(b"x")
    client = _Lost()
    monkeypatch.setattr(commands, "daemon_client", lambda: client)
    done = CliRunner().invoke(import_history, [str(file), "--yes"])
    assert isinstance(done.exception, UnreachableError)
    assert client.deleted == []

"""The command `intaglio uninstall`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fakes.shell import shell_of
from fakes.waiting import wait_for
from intaglio.base.errors import InvalidInputError
from intaglio.base.installed_by import InstalledBy
from intaglio.base.paths import Paths, find_paths
from intaglio.cli.uninstall import uninstall
from intaglio.client.daemon_process import is_answering
from intaglio.uninstall.command import main
from intaglio.uninstall.next_command import removal_hint


@pytest.fixture
def paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    """The directories of a home of its own, with a database."""
    for name in ("WORKSPACE", "STATE_DIR", "CACHE_DIR", "LOG_DIR"):
        monkeypatch.setenv(f"INTAGLIO_{name}", str(tmp_path / name.lower()))
    monkeypatch.setenv("HOME", str(tmp_path))
    found = find_paths()
    found.memory.mkdir(parents=True)
    found.database.write_bytes(b"rows")
    found.hooks.mkdir(parents=True)
    return found


def test_without_yes_nothing_is_changed(paths: Paths, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    said = capsys.readouterr().out
    assert str(paths.hooks) in said
    assert "Nothing has been changed." in said
    assert paths.hooks.exists()


def test_json_says_what_was_removed_what_stays_and_what_to_run_then(
    paths: Paths, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--yes", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["done"], said["problems"]) == (True, [])
    assert [item["files"] for item in said["removes"]] == [[str(paths.hooks)]]
    assert [item["files"] for item in said["keeps"]] == [[str(paths.database)]]
    assert said["nextStep"]
    assert paths.database.exists()


def test_deleting_data_needs_a_terminal_also_with_yes(
    paths: Paths, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--yes", "--delete-data"]) == 1
    assert "has to be confirmed in a terminal" in capsys.readouterr().err
    assert paths.hooks.exists()
    assert paths.database.exists()


def test_data_can_be_kept_or_deleted_but_not_both() -> None:
    done = CliRunner().invoke(uninstall, ["--keep-data", "--delete-data"])
    assert isinstance(done.exception, InvalidInputError)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("deb", "sudo apt purge intaglio"),
        ("uv", "uv tool uninstall intaglio-next"),
        ("pipx", "pipx uninstall intaglio-next"),
        ("pip", "/env/intaglio-next/bin/python -m pip uninstall intaglio"),
        ("clone", "/src"),
        ("folder", "/env/intaglio-next/bin"),
        ("inno", "Apps"),
        ("app-bundle", "Trash"),
    ],
)
def test_the_program_is_removed_by_what_installed_it(kind: InstalledBy, words: str) -> None:
    hint = removal_hint(kind, "/env/intaglio-next/bin/python", Path("/src/app/intaglio"))
    assert any(words in part for part in hint)


@pytest.mark.slow
def test_a_running_daemon_stops_and_keeps_what_it_stored(tmp_path: Path) -> None:
    with shell_of(tmp_path) as shell:
        shell.start()
        paths = find_paths(shell.env)
        wait_for(lambda: is_answering(paths) is not None, "the daemon")
        assert shell("remember", "We deploy on Fridays", fresh=True).returncode == 0
        done = shell("uninstall", "--yes", fresh=True)
        assert done.returncode == 0, done.stderr
        assert "The daemon" in done.stdout
        assert is_answering(paths) is None
        assert paths.database.exists()
        assert not paths.hooks.exists()
        assert not paths.identity.exists()

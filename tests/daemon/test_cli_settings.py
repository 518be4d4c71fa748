"""Settings at the command line of a running daemon, which uses a change at once."""

from collections.abc import Generator
from pathlib import Path

import pytest

from fakes.daemon import NO_MODEL, write_settings
from fakes.shell import Shell, shell_of
from fakes.waiting import wait_for

FILE = f"# mine\nbackup: {{enabled: false}} # here\n{NO_MODEL}"


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shell]:
    with shell_of(tmp_path_factory.mktemp("settings")) as running:
        write_settings(running.home, FILE)
        running.start()
        yield running


@pytest.fixture
def file(shell: Shell) -> Path:
    write_settings(shell.home, FILE)
    # What the tests before have written is gone once the daemon has seen it.
    wait_for(lambda: shell("config", "get", "backup.keep").stdout == "7\n", "the default")
    return shell.home / "agents" / "agent.yaml"


def test_a_change_is_in_use_at_once(shell: Shell, file: Path) -> None:
    done = shell("config", "set", "backup.keep", "9")
    assert done.stdout == f"backup.keep: 7 backups → 9 backups\nIn {file}\n"
    assert done.stderr == ""
    assert shell("config", "get", "backup.keep").stdout == "9\n"
    assert file.read_text() == FILE.replace("false}", "false, keep: 9}")
    assert shell("config", "unset", "backup.keep", "--yes").returncode == 0
    assert file.read_text() == FILE


def test_an_error_has_the_daemons_words_and_exit_code_1(shell: Shell, file: Path) -> None:
    refused = shell("config", "set", "backup.keep", "9999")
    assert refused.returncode == 1
    assert "must be a whole number from 1 to 365" in refused.stderr
    assert file.read_text() == FILE


def test_what_deletes_something_must_be_confirmed(shell: Shell, file: Path) -> None:
    refused = shell("config", "set", "backup.keep", "3")
    assert refused.returncode == 1
    assert refused.stderr == (
        "Error: Older backups are deleted with the next backup.\nAdd --yes to go on.\n"
    )
    assert file.read_text() == FILE
    assert shell("config", "set", "backup.keep", "3", "--yes").returncode == 0
    assert shell("config", "get", "backup.keep").stdout == "3\n"


def test_a_hand_written_change_is_seen(shell: Shell, file: Path) -> None:
    write_settings(shell.home, FILE.replace("false}", "false, keep: 4}"))
    assert shell("config", "get", "backup.keep").stdout == "4\n"
    assert file.exists()


def test_what_deletes_something_of_a_project_must_be_confirmed(shell: Shell) -> None:
    change = ("projects", "settings", str(shell.home), "commits", "off")
    refused = shell(*change)
    assert refused.returncode == 1
    assert refused.stderr == (
        "Error: What was read from this project's commits is deleted.\nAdd --yes to go on.\n"
    )
    done = shell(*change, "--yes")
    assert done.stdout.startswith("commits  off (only here; general: on)")
    assert f"projects settings {shell.home} commits default" in done.stdout

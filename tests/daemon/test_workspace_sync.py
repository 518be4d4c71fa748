"""The whole way with a real daemon: a saved file reaches an agent's, is asked about, restored."""

from collections.abc import Generator

import pytest

from fakes.daemon import NO_MODEL, write_settings
from fakes.shell import Shell, shell_of
from fakes.waiting import wait_for
from fakes.workspace import sections


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shell]:
    with shell_of(tmp_path_factory.mktemp("sync")) as running:
        write_settings(running.home, f"backup: {{enabled: false}}\n{NO_MODEL}")
        running.start()
        yield running


# The dashboard's test goes most of this way in the default run.
@pytest.mark.slow
def test_a_saved_file_reaches_the_agent_until_it_is_disconnected(shell: Shell) -> None:
    workspace, folder = shell.home / "agents", shell.home / ".claude"
    folder.mkdir()
    file = folder / "CLAUDE.md"
    file.write_bytes(b"# Mine\r\n")
    assert "No agent is connected." in shell("sync", "status").stdout
    (workspace / "USER.md").write_text("I am Ann.\n")
    connected = shell("connect", "claude-code", "--yes")
    assert "USER.md" in connected.stderr
    wait_for(lambda: sections(file) == {"USER.md": "I am Ann."}, "the block")
    (workspace / "USER.md").write_text("I am Bea.\n")
    wait_for(lambda: sections(file) == {"USER.md": "I am Bea."}, "the change")
    file.write_bytes(file.read_bytes().replace(b"Bea", b"Cleo"))
    wait_for(lambda: "block in" in shell("inbox").stdout, "the item")
    assert "conflict" in shell("sync", "status").stdout
    item = shell("sync", "status").stdout.split()[-1]
    assert shell("inbox", "decide", "take-edit", item).returncode == 0
    wait_for(lambda: (workspace / "USER.md").read_text() == "I am Cleo.\n", "the edit")
    assert "Claude Code: synced" in shell("sync", "now").stdout
    assert shell("disconnect", "claude-code", "--yes").returncode == 0
    assert file.read_bytes() == b"# Mine\r\n"

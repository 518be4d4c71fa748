"""The workspace's repository at the command line: switched on, it is kept by the daemon."""

import json
from collections.abc import Generator

import pytest

from fakes.daemon import NO_MODEL, write_settings
from fakes.git import output_of
from fakes.shell import Shell, shell_of
from fakes.waiting import wait_for

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shell]:
    with shell_of(tmp_path_factory.mktemp("git")) as running:
        write_settings(running.home, f"backup: {{enabled: false}}\n{NO_MODEL}")
        (running.home / "agents" / "AGENTS.md").write_text("Be brief.\n")
        running.start()
        yield running


def test_switched_on_the_workspace_gets_a_repository_and_commits(shell: Shell) -> None:
    workspace = shell.home / "agents"
    assert "The workspace isn't a git repository." in shell("git", "status").stdout
    shown = shell("git", "config").stdout
    assert ("In git        no" in shown, "Commits       by hand" in shown) == (True, True)
    changed = shell("git", "config", "--on", "--interval", "600", "--json")
    assert json.loads(changed.stdout)["syncInterval"] == 600

    def is_committed() -> bool:
        return "AGENTS.md" in output_of(workspace, "ls-tree", "-r", "--name-only", "HEAD")

    wait_for(is_committed, "the first commit")
    assert not [
        name
        for name in output_of(workspace, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
        if "intaglio.db" in name
    ]
    status = shell("git", "status").stdout
    assert "Branch        main" in status
    assert "Uncommitted   nothing" in status
    for command in ("pull", "push", "sync"):
        refused = shell("git", command)
        assert refused.returncode == 1
        assert "git remote add origin" in refused.stderr

"""Commits at the command line: read from a repository, listed, shown, forgotten, switched off."""

import json
from collections.abc import Generator
from pathlib import Path

import pytest

from fakes.daemon import NO_MODEL, write_settings
from fakes.git import git, repository
from fakes.shell import Shell, shell_of
from fakes.waiting import wait_for

MESSAGES = (
    "Retry the export\n\nThe gateway drops every third call.",
    "Use Luxon for dates\n\nMoment is no longer maintained.",
)


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shell]:
    with shell_of(tmp_path_factory.mktemp("commits")) as running:
        write_settings(running.home, "backup: {enabled: false}\n" + NO_MODEL)
        running.start()
        yield running


@pytest.fixture
def project(shell: Shell, tmp_path: Path) -> Path:
    """A repository whose commits were read."""
    folder = repository(tmp_path / "lantern")
    for message in MESSAGES:
        git(folder, "commit", "-q", "--allow-empty", "-m", message)
    read = shell("commits", "read", folder=folder)
    assert read.stdout.startswith("2 commits with a body, read "), read.stderr
    return folder


def test_commits_are_listed_found_and_shown(shell: Shell, project: Path) -> None:
    newest, _ = shell("commits", "--here", folder=project).stdout.splitlines()
    assert newest.endswith("Use Luxon for dates")
    (found,) = shell("commits", "gateway", "--project", str(project)).stdout.splitlines()
    short = found.split()[0]
    # Another test's commits may be the same ones, if they are of the same second.
    mine = ("--project", str(project))
    shown = shell("commits", "show", short, *mine).stdout
    assert "The gateway drops every third call." in shown
    assert f"Commit    {short}" in shown
    (row,) = json.loads(shell("commits", "list", short, *mine, "--json").stdout)
    assert (row["subject"], row["project"]) == ("Retry the export", str(project))


@pytest.mark.parametrize("name", ["ffffffff", "gateway", "zz"])
def test_what_is_no_commit_is_refused_with_a_hint(shell: Shell, project: Path, name: str) -> None:
    refused = shell("commits", "show", name, "--project", str(project))
    assert refused.returncode == 1
    assert f"There is no commit {name}" in refused.stderr
    assert "lists those that were read" in refused.stderr


def test_a_commit_of_two_clones_has_to_be_told_apart(
    shell: Shell, project: Path, tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(project), str(clone))
    shell("commits", "read", folder=clone)
    (row,) = json.loads(shell("commits", "gateway", "--project", str(clone), "--json").stdout)
    refused = shell("commits", "show", row["hash"])
    assert refused.returncode == 1
    assert str(project) in refused.stderr
    assert "--project" in refused.stderr
    assert shell("commits", "show", row["hash"], "--project", str(clone)).returncode == 0


def test_a_forgotten_commit_comes_back_by_what_is_printed(shell: Shell, project: Path) -> None:
    (row,) = json.loads(shell("commits", "gateway", "--project", str(project), "--json").stdout)
    forgot, undo = shell(
        "commits", "forget", row["hash"], "--here", folder=project
    ).stdout.splitlines()
    assert forgot == f"Forgot {row['hash'][:8]}: Retry the export"
    assert shell("commits", "gateway", "--here", folder=project).stdout == "No commits found.\n"
    words = undo.partition("commits ")[2].split()
    assert shell("commits", *words).stdout == f"Restored {row['hash'][:8]}\n"
    assert "Retry" in shell("commits", "gateway", "--here", folder=project).stdout


def test_a_project_is_switched_off_and_on(shell: Shell, project: Path) -> None:
    off = shell("commits", "off", folder=project)
    assert off.stdout == f"The commits of {project} aren't read.\n"
    # They are deleted in the background.
    wait_for(
        lambda: shell("commits", "--here", folder=project).stdout == "No commits found.\n",
        "the end of the commits",
    )
    assert shell("commits", "on", "--project", str(project)).returncode == 0
    assert shell("commits", "read", folder=project).stdout.startswith("2 commits with a body")

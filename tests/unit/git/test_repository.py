"""Where HEAD leads is read from files, as git itself would say."""

import os
from pathlib import Path

import pytest

from fakes.commits import Written, empty_repository
from fakes.git import git
from intaglio.git.repository import Repository, Unreadable, head_of, open_repository


@pytest.fixture
def project(tmp_path: Path) -> Written:
    return empty_repository(tmp_path / "project")


def opened(folder: Path) -> Repository:
    found = open_repository(folder)
    assert isinstance(found, Repository)
    return found


def test_head_is_found_loose_packed_detached_and_unborn(project: Written) -> None:
    assert head_of(opened(project.folder)) == ""
    first = project.commit("first")
    assert head_of(opened(project.folder)) == first
    project.run("pack-refs", "--all")
    assert not (project.folder / ".git/refs/heads/main").exists()
    assert head_of(opened(project.folder)) == first
    # A branch whose name ends like another's.
    project.run("branch", "x/refs/heads/main")
    second = project.commit("second")
    project.run("pack-refs", "--all")
    assert head_of(opened(project.folder)) == second
    project.run("checkout", "-q", "--detach", first)
    assert head_of(opened(project.folder)) == first


@pytest.mark.parametrize(
    "text",
    [
        "ref: refs/heads/../../../outside",
        "ref: /etc/passwd",
        "ref: HEAD",
        "ref: refs/heads/main",
        "nonsense",
        "ABCDEF",
        "0" * 39,
        "",
    ],
)
def test_a_head_that_leads_nowhere_is_empty(project: Written, text: str) -> None:
    own = project.folder / ".git"
    # A branch that names itself, and what a path out of the repository would find.
    (own / "refs/heads/main").write_text("ref: refs/heads/main\n")
    (own.parent.parent / "outside").write_text("0" * 40)
    (own / "HEAD").write_text(f"{text}\n")
    assert head_of(opened(project.folder)) == ""


def test_a_pipe_as_a_branch_is_not_waited_for(project: Written) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes")
    os.mkfifo(project.folder / ".git/refs/heads/main")
    assert head_of(opened(project.folder)) == ""


def test_only_git_knows_the_head_of_a_reftable(project: Written) -> None:
    project.commit("first")
    (project.folder / ".git/reftable").mkdir()
    assert head_of(opened(project.folder)) is None


def test_a_worktree_has_a_head_of_its_own(project: Written, tmp_path: Path) -> None:
    first = project.commit("first")
    project.run("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "topic")
    project.commit("second")
    tree = tmp_path / "tree"
    assert head_of(opened(tree)) == first
    git(tree, "commit", "-q", "--allow-empty", "-m", "third")
    assert head_of(opened(tree)) not in {first, project.head, ""}


def test_a_folder_that_is_no_repository_is_named(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    assert open_repository(tmp_path / "plain") == Unreadable(
        "the folder isn't a git repository of its own", gone=True
    )
    assert open_repository(tmp_path / "none") == Unreadable("the folder isn't there", gone=True)
    assert isinstance(open_repository(Path("relative")), Unreadable)


def test_a_folder_below_a_repository_is_none_of_its_own(project: Written) -> None:
    below = project.folder / "below"
    below.mkdir()
    assert isinstance(open_repository(below), Unreadable)


def test_http_alternates_and_empty_ones_are_harmless(project: Written) -> None:
    info = project.folder / ".git/objects/info"
    (info / "http-alternates").write_text("https://example.org/objects\n")
    (info / "alternates").write_text("\n")
    assert isinstance(open_repository(project.folder), Repository)

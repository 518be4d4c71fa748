"""Pull and push: fast-forward only, nothing is lost, and each obstacle is told."""

import shutil
from pathlib import Path

import pytest

from fakes.git import git, output_of
from fakes.workspace_git import GitWorkspace, git_workspace
from intaglio.workspace.git.operations import PullDone, PushDone
from intaglio.workspace.git.repository_state import GitProblem


@pytest.fixture
def workspace(tmp_path: Path) -> GitWorkspace:
    return git_workspace(tmp_path).with_remote()


def pull(workspace: GitWorkspace) -> PullDone:
    done = workspace.repository.pull()
    assert isinstance(done, PullDone), done
    return done


def refused(done: object) -> str:
    assert isinstance(done, GitProblem), done
    return done.text


def heads(workspace: GitWorkspace) -> set[str]:
    names = ("HEAD", "refs/remotes/origin/main")
    return {workspace.git("rev-parse", name) for name in names} | {
        output_of(workspace.bare, "rev-parse", "main").strip()
    }


def test_what_was_committed_here_is_pushed(workspace: GitWorkspace) -> None:
    workspace.write("SOUL.md", "Calm.\n")
    workspace.commit()
    assert workspace.repository.status().unpushed == 1
    assert workspace.repository.push() == PushDone(1)
    assert len(heads(workspace)) == 1
    assert workspace.repository.status().unpushed == 0


def test_what_was_committed_elsewhere_is_pulled(workspace: GitWorkspace) -> None:
    workspace.elsewhere("SOUL.md", "Calm.\n")
    workspace.elsewhere("AGENTS.md", None)
    assert pull(workspace) == PullDone(2)
    assert len(heads(workspace)) == 1
    assert workspace.git("status", "--porcelain") == ""
    assert workspace.read("SOUL.md") == "Calm.\n"
    assert not (workspace.own / "AGENTS.md").exists()
    assert pull(workspace) == PullDone(0)


def test_changes_of_other_files_stay_without_a_stash(workspace: GitWorkspace) -> None:
    workspace.elsewhere("SOUL.md", "Calm.\n")
    workspace.write("AGENTS.md", "Be very brief.\n")
    workspace.write("notes.md", "untracked\n")
    assert pull(workspace) == PullDone(1)
    assert workspace.read("AGENTS.md") == "Be very brief.\n"
    assert workspace.git("status", "--porcelain").split() == ["M", "AGENTS.md", "??", "notes.md"]
    assert workspace.git("stash", "list") == ""


def test_changes_of_the_same_file_are_stashed_and_put_back(workspace: GitWorkspace) -> None:
    text = "".join(f"line {number}\n" for number in range(20))
    workspace.elsewhere("AGENTS.md", text)
    pull(workspace)
    workspace.elsewhere("AGENTS.md", text.replace("line 1\n", "theirs\n"))
    workspace.write("AGENTS.md", text.replace("line 18\n", "ours\n"))
    assert pull(workspace) == PullDone(1)
    both = text.replace("line 1\n", "theirs\n").replace("line 18\n", "ours\n")
    assert workspace.read("AGENTS.md") == both
    assert workspace.git("stash", "list") == ""
    assert len(heads(workspace)) == 1


def test_changes_that_conflict_stay_in_the_stash_and_files_without_marks(
    workspace: GitWorkspace,
) -> None:
    workspace.elsewhere("AGENTS.md", "Theirs.\n")
    workspace.write("AGENTS.md", "Ours.\n")
    done = pull(workspace)
    assert done.changes == 1
    assert "kept in git stash" in done.note
    assert workspace.read("AGENTS.md") == "Theirs.\n"
    assert workspace.git("status", "--porcelain") == ""
    assert workspace.git("show", "stash@{0}:AGENTS.md") == "Ours."


def test_the_users_own_stash_stays_below(workspace: GitWorkspace) -> None:
    workspace.write("AGENTS.md", "Stashed by hand.\n")
    git(workspace.own, "stash", "-q")
    text = "".join(f"line {number}\n" for number in range(20))
    workspace.elsewhere("SOUL.md", text)
    pull(workspace)
    workspace.elsewhere("SOUL.md", text.replace("line 1\n", "theirs\n"))
    workspace.write("SOUL.md", text + "ours\n")
    pull(workspace)
    assert workspace.git("show", "stash@{0}:AGENTS.md") == "Stashed by hand."
    assert len(workspace.git("stash", "list").splitlines()) == 1


def test_where_both_sides_have_commits_nothing_is_changed(workspace: GitWorkspace) -> None:
    workspace.elsewhere("SOUL.md", "Theirs.\n")
    workspace.write("SOUL.md", "Ours.\n")
    workspace.commit()
    before = workspace.git("rev-parse", "HEAD")
    assert "both have commits of their own" in refused(workspace.repository.pull())
    assert "Pull first" in refused(workspace.repository.push())
    assert workspace.git("rev-parse", "HEAD") == before
    assert workspace.read("SOUL.md") == "Ours.\n"
    status = workspace.repository.status()
    assert (status.unpushed, status.unpulled) == (1, 1)


@pytest.mark.parametrize("ignored", [False, True])
def test_a_file_that_is_only_here_is_not_replaced(workspace: GitWorkspace, ignored: bool) -> None:
    workspace.elsewhere("notes.md", "Theirs.\n")
    workspace.write("notes.md", "Ours.\n")
    if ignored:
        (workspace.own / ".git" / "info" / "exclude").write_text("notes.md\n")
    assert "notes.md, which is here too" in refused(workspace.repository.pull())
    assert workspace.read("notes.md") == "Ours.\n"


def test_a_database_from_elsewhere_never_replaces_ours(workspace: GitWorkspace) -> None:
    workspace.write("memory/intaglio.db", "ours")
    workspace.elsewhere("memory/intaglio.db", "theirs")
    assert "memory/intaglio.db, which would replace" in refused(workspace.repository.pull())
    assert workspace.read("memory/intaglio.db") == "ours"


def test_a_database_that_elsewhere_was_taken_out_stays_on_disk(tmp_path: Path) -> None:
    workspace = git_workspace(tmp_path)
    workspace.write("memory/memories.db", "ours")
    git(workspace.own, "add", "-Af")
    git(workspace.own, "commit", "-q", "-m", "with database")
    workspace.with_remote()
    workspace.elsewhere("memory/memories.db", None)
    pull(workspace)
    assert workspace.read("memory/memories.db") == "ours"
    assert len(heads(workspace)) == 1


def test_files_that_a_filter_keeps_are_not_pulled(workspace: GitWorkspace) -> None:
    workspace.write(".gitattributes", "*.key filter=crypt\n")
    workspace.commit()
    workspace.repository.push()
    workspace.elsewhere("own.key", "cipher")
    assert "Intaglio runs none" in refused(workspace.repository.pull())
    assert not (workspace.own / "own.key").exists()


def test_a_remote_that_has_no_such_branch_gets_it(tmp_path: Path) -> None:
    workspace = git_workspace(tmp_path)
    git(tmp_path, "init", "-q", "--bare", str(workspace.bare))
    git(workspace.own, "remote", "add", "origin", str(workspace.bare))
    assert "no branch main yet" in pull(workspace).note
    assert workspace.repository.push() == PushDone(1)
    assert len(heads(workspace)) == 1


def test_an_empty_repository_gets_what_the_remote_has(workspace: GitWorkspace) -> None:
    second = GitWorkspace(workspace.folder / "second")
    second.own.mkdir(parents=True)
    git(second.own, "init", "-q", "-b", "main")
    git(second.own, "remote", "add", "origin", str(workspace.bare))
    assert pull(second) == PullDone(1)
    assert second.read("AGENTS.md") == "Be brief.\n"
    assert second.git("status", "--porcelain") == ""


def test_a_remote_that_is_gone_is_told(workspace: GitWorkspace) -> None:
    workspace.bare.rename(workspace.folder / "away")
    assert "can't be reached or isn't there" in refused(workspace.repository.pull())
    assert "can't be reached or isn't there" in refused(workspace.repository.push())


@pytest.mark.skipif(shutil.which("ssh") is None, reason="needs ssh")
def test_of_what_git_says_the_reason_is_told_and_no_advice(workspace: GitWorkspace) -> None:
    workspace.git("remote", "set-url", "origin", "ssh://git@127.0.0.1:1/agents.git")
    workspace.repository.protocols = frozenset({"ssh"})
    refusal = refused(workspace.repository.pull())
    assert ("isn't there. " in refusal, "repository exists" in refusal) == (True, False)


def test_without_a_remote_the_command_that_adds_one_is_told(tmp_path: Path) -> None:
    workspace = git_workspace(tmp_path)
    assert "git remote add origin" in refused(workspace.repository.pull())
    assert "git remote add origin" in refused(workspace.repository.push())


def test_a_shallow_clone_is_not_synced(workspace: GitWorkspace) -> None:
    (workspace.own / ".git" / "shallow").write_text(workspace.git("rev-parse", "HEAD") + "\n")
    assert "git fetch --unshallow" in refused(workspace.repository.pull())


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("/srv/agents.git", "is a folder on this machine"),
        ("file:///srv/agents.git", "is a folder on this machine"),
        ("http://example.org/agents.git", "isn't encrypted"),
        ("ext::sh -c evil", "Only remotes over https and ssh"),
        ("ssh://-oProxyCommand=evil/x", "isn't valid"),
    ],
)
def test_other_remotes_than_https_and_ssh_are_not_used(tmp_path: Path, url: str, text: str) -> None:
    workspace = git_workspace(tmp_path)
    workspace.repository.protocols = frozenset({"https", "ssh"})
    git(workspace.own, "remote", "add", "origin", url)
    assert text in refused(workspace.repository.pull())
    assert text in refused(workspace.repository.push())
    assert text in workspace.repository.status().problem


def test_two_operations_never_run_at_once(workspace: GitWorkspace) -> None:
    with workspace.repository.turn:
        workspace.repository.wait_s = 0.01
        assert "Another operation" in refused(workspace.repository.pull())

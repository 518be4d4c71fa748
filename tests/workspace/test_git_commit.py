"""Changes of the workspace are committed: exactly what was checked, and nothing of it runs."""

from pathlib import Path

import pytest

from fakes.git import git, repository
from fakes.workspace_git import GitWorkspace, git_workspace
from intaglio.git.repository import Repository, open_repository
from intaglio.workspace.git.committing import CommitResult
from intaglio.workspace.git.operations import PullDone
from intaglio.workspace.git.packing import pack_objects
from intaglio.workspace.git.private_directory import private_directory
from intaglio.workspace.git.repository_state import GitProblem

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def workspace(tmp_path: Path) -> GitWorkspace:
    return git_workspace(tmp_path)


def refused(workspace: GitWorkspace) -> str:
    done = workspace.repository.commit()
    assert isinstance(done, GitProblem), done
    return done.text


def test_a_change_is_committed_with_time_and_files_in_its_message(workspace: GitWorkspace) -> None:
    workspace.write("SOUL.md", "Calm.\n")
    workspace.write("memory/2026-03-04.md", "Went well.\n")
    workspace.write(".gitignore", "*.tmp\n")
    workspace.write("draft.tmp", "")
    done = workspace.commit()
    assert workspace.git("log", "-1", "--format=%s %an") == (
        "2026-03-04T05-06-07_auto_.gitignore, SOUL.md, 2026-03-04.md Intaglio"
    )
    assert done.hash == workspace.git("rev-parse", "HEAD")
    assert workspace.git("status", "--porcelain") == ""
    assert workspace.committed() == {".gitignore", "AGENTS.md", "SOUL.md", "memory/2026-03-04.md"}
    assert workspace.git("fsck", "--strict") == ""


def test_what_is_unchanged_makes_no_commit(workspace: GitWorkspace) -> None:
    workspace.commit()
    assert workspace.commit() == CommitResult("", (), ())


def test_odd_names_links_modes_and_deletions_are_committed_as_git_would(
    workspace: GitWorkspace,
) -> None:
    workspace.write('a "quoted" \\ na\nme é.md', "odd\n")
    workspace.write("skills/run.sh", "true\n")
    (workspace.own / "skills" / "run.sh").chmod(0o755)
    (workspace.own / "link").symlink_to("SOUL.md")
    (workspace.own / "AGENTS.md").unlink()
    workspace.commit()
    assert workspace.git("status", "--porcelain") == ""
    git(workspace.own, "diff", "--exit-code", "HEAD")
    assert "120000" in workspace.git("ls-tree", "HEAD", "link")
    assert "100755" in workspace.git("ls-tree", "HEAD", "skills/run.sh")
    assert "AGENTS.md" not in workspace.committed()


def test_a_file_in_the_place_of_a_folder_is_committed(workspace: GitWorkspace) -> None:
    workspace.write("notes/a.md", "a\n")
    workspace.commit()
    (workspace.own / "notes" / "a.md").unlink()
    (workspace.own / "notes").rmdir()
    workspace.write("notes", "one file\n")
    workspace.commit()
    assert workspace.git("status", "--porcelain") == ""
    assert workspace.git("show", "HEAD:notes") == "one file"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("notes.md", f"The token is {TOKEN}\n".encode(), "holds what looks like a secret"),
        ("big.bin", b"x" * 1_000_001, "is larger than 1 MB"),
        ("other.sqlite", b"SQLite format 3\x00...", "is a database"),
    ],
)
def test_what_is_secret_or_large_is_left_out_and_said(
    workspace: GitWorkspace, name: str, content: bytes, reason: str
) -> None:
    workspace.write(name, content)
    # Even if somebody staged it.
    git(workspace.own, "add", name)
    done = workspace.commit()
    assert [(each.path, each.reason) for each in done.left_out] == [(name, reason)]
    assert name not in workspace.committed()


def test_databases_and_secrets_leave_the_index_and_stay_on_disk(workspace: GitWorkspace) -> None:
    names = ("memory/memories.db", "memory/intaglio.db-wal", ".secrets/secrets.enc", ".daemon/pid")
    (workspace.own / "logs").write_text("no folder")
    for name in (*names, "agents/ann/workspace/AGENTS.md", "x.log", "agent.yaml.bak"):
        workspace.write(name, "bytes")
    git(workspace.own, "add", "-A")
    git(workspace.own, "commit", "-q", "-m", "by hand")
    workspace.write("memory/memories.db-shm", "bytes")
    git(workspace.own, "add", "-A")
    workspace.commit()
    assert workspace.committed() == {"AGENTS.md", ".gitignore"}
    assert workspace.git("status", "--porcelain") == ""
    assert all((workspace.own / name).exists() for name in names)


def test_the_lines_of_gitignore_are_added_once_and_the_users_stay(workspace: GitWorkspace) -> None:
    workspace.write(".gitignore", "mine/\r\n*.log")
    workspace.commit()
    first = (workspace.own / ".gitignore").read_bytes()
    assert first.startswith(b"mine/\r\n*.log\r\n\r\n# ")
    assert first.count(b"*.log") == 1
    assert b"/.secrets\r\n" in first
    workspace.write("new.md", "")
    workspace.commit()
    assert (workspace.own / ".gitignore").read_bytes() == first


def test_the_author_is_the_one_whom_the_users_own_configuration_names(
    workspace: GitWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "gitconfig"
    own.write_text("[user]\nname = Ann <b>\nemail = ann@example.org\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))
    git(workspace.own, "config", "user.name", "Mallory")
    workspace.write("SOUL.md", "Calm.\n")
    workspace.commit()
    assert workspace.git("log", "-1", "--format=%an %ae") == "Ann b ann@example.org"


def test_objects_of_many_commits_are_packed_and_none_is_lost(workspace: GitWorkspace) -> None:
    for number in range(3):
        workspace.write("AGENTS.md", f"Be brief, {number}.\n")
        workspace.commit()
    workspace.write("stashed.md", "by hand\n")
    workspace.git("add", "stashed.md")
    workspace.git("stash", "-q")
    repository = open_repository(workspace.own)
    assert isinstance(repository, Repository)
    refs = {"refs/heads/main": workspace.git("rev-parse", "HEAD")}
    scratch = workspace.folder / "state"
    with private_directory(scratch, repository, "main", refs) as private:
        assert pack_objects(workspace.repository.git, private) is False
        assert pack_objects(workspace.repository.git, private, most_loose=-1) is True
    assert "packs: 1" in workspace.git("count-objects", "-v")
    workspace.git("fsck", "--strict")
    assert workspace.git("show", "stash@{0}:stashed.md") == "by hand"


def hostile(workspace: GitWorkspace) -> Path:
    """Have everything that the repository can name leave a trace."""
    trace = workspace.folder / "traces"
    trace.mkdir()
    hooks = workspace.own / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    names = ("pre-commit", "post-commit", "prepare-commit-msg", "commit-msg", "post-merge")
    more = ("post-checkout", "reference-transaction", "pre-push", "post-index-change", "pre-rebase")
    for name in (*names, *more):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {trace}/{name}\n")
        (hooks / name).chmod(0o755)
    for key in (
        *("core.fsmonitor", "core.sshCommand", "credential.helper", "core.askPass"),
        *("filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "merge.evil.driver"),
        *("diff.evil.textconv", "remote.origin.uploadpack", "remote.origin.receivepack"),
        *("core.editor", "core.pager", "gpg.program", "diff.external", "core.gitProxy"),
    ):
        program = workspace.folder / f"program-{key}"
        program.write_text(f"#!/bin/sh\ntouch {trace}/{key}\ncat\n")
        program.chmod(0o755)
        git(workspace.own, "config", key, str(program))
    git(workspace.own, "config", "commit.gpgSign", "true")
    info = workspace.own / ".git" / "info"
    info.mkdir(exist_ok=True)
    (info / "attributes").write_text("*.md merge=evil diff=evil\n")
    return trace


def test_nothing_of_the_repository_runs(workspace: GitWorkspace) -> None:
    workspace.with_remote()
    workspace.elsewhere("USER.md", "Elsewhere.\n")
    trace = hostile(workspace)
    workspace.write("AGENTS.md", "Be very brief.\n")
    workspace.write("SOUL.md", "Calm.\n")
    assert not isinstance(workspace.repository.pull(), GitProblem)
    # Over a change of the same file, which is stashed and put back.
    workspace.elsewhere("AGENTS.md", "Be long.\n")
    assert isinstance(done := workspace.repository.pull(), PullDone)
    assert done.stash
    workspace.write("AGENTS.md", "Be very brief.\n")
    workspace.commit()
    assert not isinstance(workspace.repository.push(), GitProblem)
    workspace.repository.status()
    assert not list(trace.iterdir())
    assert workspace.read("USER.md") == "Elsewhere.\n"
    # The user's own git does run it.
    git(workspace.own, "status")
    assert list(trace.iterdir())


def test_a_file_that_a_filter_would_encrypt_is_not_committed_as_it_is(
    workspace: GitWorkspace,
) -> None:
    trace = hostile(workspace)
    workspace.write(".gitattributes", "*.key.md filter=evil\n")
    workspace.write("own.key.md", "plain")
    (left,) = workspace.commit().left_out
    assert left.reason == "is kept by a filter (.gitattributes)"
    assert workspace.committed() == {".gitattributes", ".gitignore", "AGENTS.md"}
    assert not list(trace.iterdir())


def test_the_first_commit_is_made_and_an_empty_repository_is_no_trouble(tmp_path: Path) -> None:
    workspace = GitWorkspace(tmp_path)
    workspace.own.mkdir()
    git(workspace.own, "init", "-q", "-b", "trunk")
    workspace.write("AGENTS.md", "Be brief.\n")
    workspace.commit()
    assert workspace.committed("trunk") == {".gitignore", "AGENTS.md"}
    assert workspace.git("status", "--porcelain") == ""


def test_a_sha256_repository_is_committed_to(tmp_path: Path) -> None:
    workspace = GitWorkspace(tmp_path)
    workspace.own.mkdir()
    git(workspace.own, "init", "-q", "--object-format=sha256")
    workspace.write("AGENTS.md", "Be brief.\n")
    assert len(workspace.commit().hash) == 64
    assert workspace.git("status", "--porcelain") == ""


def test_a_repository_is_created_only_if_that_is_enabled(tmp_path: Path) -> None:
    workspace = GitWorkspace(tmp_path)
    workspace.write("AGENTS.md", "Be brief.\n")
    workspace.change(enabled=False)
    assert refused(workspace) == "The workspace isn't a git repository."
    assert not (workspace.own / ".git").exists()
    workspace.change(enabled=True)
    workspace.commit()
    assert workspace.git("branch", "--show-current") == "main"
    assert not list((workspace.own / ".git").glob("hooks/*"))


@pytest.mark.parametrize("is_home", [False, True])
def test_the_repository_around_the_workspace_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_home: bool
) -> None:
    workspace = GitWorkspace(repository(tmp_path / "dotfiles"))
    if is_home:
        monkeypatch.setenv("HOME", str(workspace.folder))
    workspace.write("AGENTS.md", "Be brief.\n")
    assert "is part of the repository" in refused(workspace)
    assert not (workspace.own / ".git").exists()
    assert workspace.repository.status().is_repository is False


def test_a_bare_repository_is_left_alone(tmp_path: Path) -> None:
    workspace = GitWorkspace(tmp_path)
    git(tmp_path, "init", "-q", "--bare", str(workspace.own))
    assert refused(workspace) == "The workspace is a bare repository, which has no files."


@pytest.mark.parametrize(
    ("mark", "text"),
    [
        ("index.lock", "Another git program is at work"),
        ("MERGE_HEAD", "A merge is in progress"),
        ("rebase-merge", "A rebase is in progress"),
        ("CHERRY_PICK_HEAD", "A cherry-pick is in progress"),
    ],
)
def test_while_git_is_at_work_nothing_is_written(
    workspace: GitWorkspace, mark: str, text: str
) -> None:
    before = workspace.git("rev-parse", "HEAD")
    (workspace.own / ".git" / mark).write_text("")
    workspace.write("SOUL.md", "Calm.\n")
    assert text in refused(workspace)
    assert text in workspace.repository.status().problem
    (workspace.own / ".git" / mark).unlink()
    assert workspace.git("rev-parse", "HEAD") == before


def test_a_detached_head_is_told_and_not_moved(workspace: GitWorkspace) -> None:
    git(workspace.own, "checkout", "-q", "--detach")
    workspace.write("SOUL.md", "Calm.\n")
    assert "No branch is checked out" in refused(workspace)
    status = workspace.repository.status()
    assert "No branch is checked out" in status.problem
    assert status.uncommitted is None


def test_another_branch_than_the_configured_one_is_told(workspace: GitWorkspace) -> None:
    workspace.change(branch="trunk")
    assert refused(workspace) == "The workspace is on the branch main, not on trunk."

"""A workspace with a real repository and a bare remote, and what the daemon does with it."""

import shutil
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from fakes.git import git, output_of
from intaglio.base.clock import monotonic_s
from intaglio.git.command import Git
from intaglio.workspace.git.committing import CommitResult
from intaglio.workspace.git.exclusions import Exclusions
from intaglio.workspace.git.operations import WorkspaceRepository
from intaglio.workspace.git.settings import WorkspaceGitSettings

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


@dataclass
class GitWorkspace:
    """The workspace ``own``, its remote ``bare``, and ``other``, a second clone of it."""

    folder: Path
    settings: WorkspaceGitSettings = field(
        default_factory=lambda: WorkspaceGitSettings(enabled=True)
    )

    def __post_init__(self) -> None:
        self.own = self.folder / "agents"
        self.bare = self.folder / "remote.git"
        self.repository = WorkspaceRepository(
            git=Git(shutil.which("git")),
            workspace=self.own,
            scratch=self.folder / "state" / "git",
            settings=lambda: self.settings,
            exclusions=Exclusions(),
            clock=lambda: NOW,
            seconds=monotonic_s,
            protocols=frozenset({"file"}),
        )

    def change(self, **changes: object) -> None:
        self.settings = replace(self.settings, **changes)  # type: ignore[arg-type]  # a test's own names

    def write(self, name: str, text: str | bytes) -> None:
        """Write a file of the workspace."""
        file = self.own / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)

    def read(self, name: str) -> str:
        return (self.own / name).read_text()

    def commit(self) -> CommitResult:
        """Commit; fails if it doesn't work."""
        done = self.repository.commit()
        assert isinstance(done, CommitResult), done
        return done

    def git(self, *arguments: str) -> str:
        """Run the user's git in the workspace."""
        return output_of(self.own, *arguments).strip()

    def committed(self, ref: str = "HEAD") -> set[str]:
        """Return the paths of a commit."""
        return set(self.git("ls-tree", "-r", "--name-only", ref).splitlines())

    def with_remote(self) -> "GitWorkspace":
        """Add the bare remote, and push the first commit to it."""
        git(self.folder, "init", "-q", "--bare", "-b", "main", str(self.bare))
        git(self.own, "remote", "add", "origin", str(self.bare))
        git(self.own, "push", "-q", "-u", "origin", "main")
        return self

    def elsewhere(self, name: str, text: str | None) -> None:
        """Commit and push a change from another machine; None deletes the file."""
        other = self.folder / "other"
        if other.exists():
            git(other, "pull", "-q")
        else:
            git(self.folder, "clone", "-q", str(self.bare), str(other))
        file = other / name
        if text is None:
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        git(other, "add", "-Af", name)
        git(other, "commit", "-q", "-m", f"change {name}")
        git(other, "push", "-q")


def git_workspace(folder: Path) -> GitWorkspace:
    """Make a workspace whose repository has one commit."""
    made = GitWorkspace(folder)
    made.write("AGENTS.md", "Be brief.\n")
    git(made.own, "init", "-q", "-b", "main")
    git(made.own, "add", "-A")
    git(made.own, "commit", "-q", "-m", "first")
    return made

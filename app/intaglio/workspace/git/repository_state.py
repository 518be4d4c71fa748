"""Reads where the workspace's repository stands: its branch, its remote, and what stops us."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intaglio.git.command import Git, GitFailure, GitTarget
from intaglio.git.finder import find_repository
from intaglio.git.repository import Repository, Unreadable, open_repository

_QUICK_S: Final = 20.0
_MAX_ANSWER: Final = 1_000_000
_UNDER_WAY: Final = (
    ("MERGE_HEAD", "A merge"),
    ("rebase-merge", "A rebase"),
    ("rebase-apply", "A rebase"),
    ("CHERRY_PICK_HEAD", "A cherry-pick"),
    ("REVERT_HEAD", "A revert"),
    ("BISECT_LOG", "A bisect"),
)


@dataclass(frozen=True, slots=True)
class GitProblem:
    """Why git can't do what was asked, in one sentence or two for the user.

    ``needs_user`` if it doesn't pass by itself.
    """

    text: str
    needs_user: bool = False


@dataclass(frozen=True, slots=True)
class NoRepository:
    """The workspace has no repository of its own; ``can_create`` if it could have one."""

    text: str
    can_create: bool = False


@dataclass(frozen=True, slots=True)
class RepositoryState:
    """The workspace's repository.

    ``branch`` is empty without one (detached HEAD), ``head`` without commits, ``tracked`` (the
    remote's branch as last fetched) if it never was, ``url`` without a remote of that name.
    """

    repository: Repository
    branch: str
    head: str
    tracked: str
    remote: str
    url: str
    push_url: str
    sha256: bool

    @property
    def tracking_ref(self) -> str:
        """The ref that has the remote's branch."""
        return f"refs/remotes/{self.remote}/{self.branch}"

    @property
    def refs(self) -> dict[str, str]:
        """What a private directory needs of the refs."""
        return {f"refs/heads/{self.branch}": self.head, self.tracking_ref: self.tracked}

    @property
    def no_hash(self) -> str:
        """The hash that stands for none."""
        return "0" * (64 if self.sha256 else 40)


def run_quickly(
    git: Git, target: GitTarget, arguments: Sequence[str], stdin: bytes = b""
) -> bytes | GitFailure:
    """Run a command whose answer is short."""
    return git.run(target, arguments, stdin=stdin, limit_s=_QUICK_S, max_bytes=_MAX_ANSWER)


def read_state(git: Git, workspace: Path, remote: str) -> RepositoryState | NoRepository:
    """Read the state by git without a working tree: nothing of the repository runs. Blocks."""
    root = Path(os.path.realpath(workspace))
    found = open_repository(root)
    if isinstance(found, Unreadable):
        return _without_repository(root, found)
    if found.git_dir == found.root:
        return NoRepository("The workspace is a bare repository, which has no files.")
    return _state_of(git, found, remote)


def _without_repository(root: Path, found: Unreadable) -> NoRepository:
    if not found.gone or os.path.lexists(root / ".git"):
        return NoRepository(f"The workspace's repository isn't used: {found.reason}.")
    # A repository of the home directory counts too: one in it would hide files from it.
    homes = (each for each in root.parents if os.path.lexists(each / ".git"))
    around = find_repository(root) or next(homes, None)
    if around is not None:
        return NoRepository(
            f"The workspace is part of the repository {around}, which Intaglio leaves alone."
        )
    return NoRepository("The workspace isn't a git repository.", can_create=root.is_dir())


def _state_of(git: Git, repository: Repository, remote: str) -> RepositoryState | NoRepository:
    listed = run_quickly(git, repository, ["config", "--local", "--includes", "-z", "--list"])
    if isinstance(listed, GitFailure):
        return NoRepository(f"The workspace's repository can't be read: {listed.reason}.")
    values = dict(reversed(list(_values(listed))))
    url = values.get(f"remote.{remote}.url", "")
    name = run_quickly(git, repository, ["symbolic-ref", "--quiet", "HEAD"])
    ref = "" if isinstance(name, GitFailure) else os.fsdecode(name).strip()
    branch = ref.removeprefix("refs/heads/") if ref.startswith("refs/heads/") else ""
    tracking = f"refs/remotes/{remote}/{branch}"
    hashes = _hashes(git, repository, ref or "HEAD", tracking)
    return RepositoryState(
        repository=repository,
        branch=branch,
        head=hashes.get(ref, ""),
        tracked=hashes.get(tracking, ""),
        remote=remote,
        url=url,
        push_url=values.get(f"remote.{remote}.pushurl", url),
        sha256=values.get("extensions.objectformat", "").lower() == "sha256",
    )


def _values(listed: bytes) -> Iterator[tuple[str, str]]:
    for entry in listed.split(b"\x00"):
        key, _, value = os.fsdecode(entry).partition("\n")
        if key:
            yield key, value


def _hashes(git: Git, repository: Repository, *refs: str) -> dict[str, str]:
    pattern = ["for-each-ref", "--format=%(objectname) %(refname)", *refs]
    found = run_quickly(git, repository, pattern)
    if isinstance(found, GitFailure):
        return {}
    pairs = (line.partition(" ") for line in os.fsdecode(found).splitlines())
    return {name: value for value, _, name in pairs}


def what_stops(state: RepositoryState, branch: str) -> GitProblem | None:
    """Return why nothing may be written now; ``branch`` is the configured one, if any."""
    own = state.repository.git_dir
    for name, what in _UNDER_WAY:
        if os.path.lexists(own / name):
            return GitProblem(
                f"{what} is in progress in the workspace. Finish or abort it; Intaglio waits."
            )
    if not state.branch:
        return GitProblem("No branch is checked out in the workspace (detached HEAD).")
    if branch and branch != state.branch:
        return GitProblem(f"The workspace is on the branch {state.branch}, not on {branch}.")
    if os.path.lexists(own / "index.lock"):
        return GitProblem(
            "Another git program is at work in the workspace (index.lock). If none is running, "
            "delete .git/index.lock."
        )
    return None


def what_stops_transfer(state: RepositoryState) -> GitProblem | None:
    """Return why nothing can be pulled or pushed."""
    if not state.url:
        return GitProblem(
            f"The workspace's repository has no remote {state.remote}. "
            f"Add one with: git remote add {state.remote} ADDRESS"
        )
    if os.path.lexists(state.repository.common_dir / "shallow"):
        return GitProblem(
            "The workspace is a shallow clone. Complete it with: git fetch --unshallow"
        )
    return None


def set_ref(
    git: Git, state: RepositoryState, ref: str, new: str, old: str, why: str
) -> GitProblem | None:
    """Move a ref of the real repository, unless it isn't ``old`` any more."""
    arguments = ["update-ref", "--create-reflog", "-m", f"intaglio: {why}", ref, new, old]
    done = run_quickly(git, state.repository, arguments)
    if isinstance(done, GitFailure):
        return GitProblem(f"{ref} couldn't be changed: {done.errors or done.reason}.")
    return None

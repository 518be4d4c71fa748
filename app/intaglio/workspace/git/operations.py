"""What is done with the workspace's repository: status, commit, pull, push. All of it blocks."""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from intaglio.base.clock import Clock
from intaglio.base.errors import IntaglioError
from intaglio.git.command import (
    OVERRIDES,
    Git,
    GitContext,
    GitFailure,
    as_options,
    closed_environment,
)
from intaglio.redaction.shown_text import without_secrets
from intaglio.workspace.git.committing import Author, CommitResult, Committer
from intaglio.workspace.git.credentials import AuthMethod, find_credential
from intaglio.workspace.git.exclusions import Exclusions
from intaglio.workspace.git.private_directory import PrivateDirectory, private_directory
from intaglio.workspace.git.pulling import Pull, Pulled
from intaglio.workspace.git.remotes import (
    Protocol,
    RemoteAddress,
    UnusableRemote,
    read_address,
)
from intaglio.workspace.git.repository_state import (
    GitProblem,
    NoRepository,
    RepositoryState,
    read_state,
    run_quickly,
    what_stops,
    what_stops_transfer,
)
from intaglio.workspace.git.settings import WorkspaceGitSettings
from intaglio.workspace.git.stashing import is_stashed
from intaglio.workspace.git.transfer import PROTOCOLS, Diverged, Fetched, Pushed, Transfer
from intaglio.workspace.git.working_tree import FileVetting, RememberedFiles, list_changes

_WAIT_S: Final = 15.0
_AUTHOR: Final = Author("Intaglio", "intaglio@localhost")
BRANCH: Final = "main"
"""The first branch of a repository that is created here."""

STASHED: Final = (
    "What you had changed conflicts with the new commits. It is kept in git stash: see it with "
    "git stash show -p."
)
_LOGIN_KNOWN_S: Final = 60.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RepositoryStatus:
    """What there is to know of the repository; ``unpushed`` and ``unpulled`` as last fetched.

    ``problem`` says what keeps it from being committed or synced. The rest is empty without one.
    ``uncommitted`` is unknown while no branch is checked out.
    """

    is_repository: bool
    problem: str
    branch: str = ""
    remote: str = ""
    auth: AuthMethod | None = None
    uncommitted: int | None = None
    unpushed: int | None = None
    unpulled: int | None = None


@dataclass(frozen=True, slots=True)
class PullDone:
    """The workspace is at the remote's commit; ``note`` is for the user.

    ``stash`` is the commit that keeps what was changed here and conflicts.
    """

    changes: int
    note: str = ""
    stash: str = ""


@dataclass(frozen=True, slots=True)
class PushDone:
    """The remote has the workspace's commits: how many were new to it."""

    commits: int


@dataclass(slots=True)
class WorkspaceRepository:
    """The repository in the workspace; one operation at a time changes it.

    ``scratch`` is a folder of the state for private directories.
    """

    git: Git
    workspace: Path
    scratch: Path
    settings: Callable[[], WorkspaceGitSettings]
    exclusions: Exclusions
    clock: Clock
    seconds: Callable[[], float]
    protocols: frozenset[Protocol] = PROTOCOLS
    wait_s: float = _WAIT_S
    turn: threading.Lock = field(default_factory=threading.Lock)
    _left_out: RememberedFiles = field(default_factory=RememberedFiles)
    _login: "tuple[str, float, AuthMethod | None] | None" = None
    _asking: threading.Lock = field(default_factory=threading.Lock)

    def status(self) -> RepositoryStatus:
        """Return how the repository stands. Nothing is fetched. Raises OSError."""
        settings = self.settings()
        state = read_state(self.git, self.workspace, settings.remote)
        if isinstance(state, NoRepository):
            return RepositoryStatus(is_repository=False, problem=state.text)
        stops = what_stops(state, settings.branch)
        problem = "" if stops is None else stops.text
        with self._private(state) as private:
            changes = list_changes(self.git, private.working_tree())
            ahead, behind = _counts(self.git, state, private)
            address = read_address(state.url, self.protocols) if state.url else None
            auth = None
            match address:
                case UnusableRemote(reason=reason):
                    problem = problem or reason
                case RemoteAddress():
                    auth = self._auth(private, address)
                case None:
                    pass
        return RepositoryStatus(
            is_repository=True,
            problem=problem,
            branch=state.branch,
            remote=without_secrets(state.url),
            auth=auth,
            uncommitted=len(changes) if isinstance(changes, list) and state.branch else None,
            unpushed=ahead,
            unpulled=behind,
        )

    def _auth(self, private: PrivateDirectory, address: RemoteAddress) -> AuthMethod | None:
        """Return how the user logs in; asked again after a minute, as it starts programs."""
        with self._asking:
            known = self._login
            if known is not None and known[0] == address.url and self.seconds() < known[1]:
                return known[2]
            credential = find_credential(self.git, private, address)
            method = None if credential is None else credential.method
            self._login = (address.url, self.seconds() + _LOGIN_KNOWN_S, method)
            return method

    def is_stashed(self, stash: str) -> bool:
        """Whether what a pull stashed is still on the user's stack."""
        state = read_state(self.git, self.workspace, self.settings().remote)
        return isinstance(state, RepositoryState) and is_stashed(self.git, state, stash)

    def commit(self) -> CommitResult | GitProblem:
        """Commit what changed, creating the repository if that is wanted and there is none."""

        def work(state: RepositoryState, private: PrivateDirectory) -> CommitResult | GitProblem:
            try:
                self.exclusions.write_ignore_file(state.repository.root)
            except IntaglioError as error:
                return GitProblem(f".gitignore couldn't be written: {error.detail}")
            vetting = FileVetting(state.repository.root, self.exclusions, self._left_out)
            author = _author(self.git, private)
            return Committer(self.git, state, private, vetting, author).commit(self.clock())

        return self._change(work)

    def pull(self) -> PullDone | GitProblem:
        """Fetch, and fast-forward branch, index and files."""

        def work(state: RepositoryState, private: PrivateDirectory) -> PullDone | GitProblem:
            stops = what_stops_transfer(state)
            if stops is not None:
                return stops
            fetched = Transfer(self.git, state, private, self.protocols).fetch()
            match fetched:
                case GitProblem():
                    return fetched
                case Fetched(hash=""):
                    return PullDone(0, f"The remote has no branch {state.branch} yet.")
                case Fetched(hash=new):
                    author = _author(self.git, private)
                    pull = Pull(self.git, state, private, self.exclusions, author)
                    return _pull_result(pull.run(new))

        return self._change(work)

    def push(self, *, only_new: bool = False) -> PushDone | GitProblem:
        """Push the branch, never by force; with ``only_new`` not if the remote has it already."""

        def work(state: RepositoryState, private: PrivateDirectory) -> PushDone | GitProblem:
            stops = what_stops_transfer(state)
            if stops is not None:
                return stops
            if not state.head:
                return GitProblem("There is nothing to push: the workspace has no commits yet.")
            ahead, _ = _counts(self.git, state, private)
            if only_new and ahead == 0:
                return PushDone(0)
            pushed = Transfer(self.git, state, private, self.protocols).push()
            match pushed:
                case Pushed():
                    count = _count(self.git, private, state.head) if ahead is None else ahead
                    return PushDone(count)
                case Diverged():
                    return GitProblem("The remote has commits that aren't here. Pull first.")
                case GitProblem():
                    return pushed

        return self._change(work)

    def _change(
        self, work: Callable[[RepositoryState, PrivateDirectory], T | GitProblem]
    ) -> T | GitProblem:
        """Work on the repository, if it may be changed now and nothing else does."""
        if not self.turn.acquire(timeout=self.wait_s):
            return GitProblem("Another operation on the workspace's repository is running.")
        try:
            state = self._writable_state()
            if isinstance(state, GitProblem):
                return state
            with self._private(state) as private:
                return work(state, private)
        except OSError as error:
            return GitProblem(f"A file can't be read or written: {error.strerror or error}.")
        finally:
            self.turn.release()

    def _writable_state(self) -> RepositoryState | GitProblem:
        settings = self.settings()
        state = read_state(self.git, self.workspace, settings.remote)
        if isinstance(state, NoRepository) and state.can_create and settings.enabled:
            problem = _create(self.git, self.workspace)
            if problem is not None:
                return problem
            state = read_state(self.git, self.workspace, settings.remote)
        if isinstance(state, NoRepository):
            return GitProblem(state.text)
        return what_stops(state, settings.branch) or state

    @contextmanager
    def _private(self, state: RepositoryState) -> Generator[PrivateDirectory]:
        with private_directory(
            self.scratch,
            state.repository,
            state.branch or BRANCH,
            state.refs,
            sha256=state.sha256,
            ignored=self.exclusions.lines,
        ) as made:
            yield made


def _create(git: Git, workspace: Path) -> GitProblem | None:
    """Create an empty repository without templates, and so without hooks."""
    root = workspace.resolve()
    context = GitContext(("--no-pager", *as_options(OVERRIDES)), closed_environment(), root)
    arguments = ["init", "--quiet", "--template=", f"--initial-branch={BRANCH}", str(root)]
    done = run_quickly(git, context, arguments)
    if isinstance(done, GitFailure):
        return GitProblem(f"The repository couldn't be created: {done.reason}.")
    return None


def _author(git: Git, private: PrivateDirectory) -> Author:
    """Return whom the user's own configuration names, or a neutral author."""
    values: list[str] = []
    for key, otherwise in (("user.name", _AUTHOR.name), ("user.email", _AUTHOR.email)):
        found = run_quickly(git, private.users_configuration(), ["config", "--get", key])
        text = "" if isinstance(found, GitFailure) else found.decode("utf-8", "replace").strip()
        values.append(text or otherwise)
    return Author(*values)


def _counts(
    git: Git, state: RepositoryState, private: PrivateDirectory
) -> tuple[int | None, int | None]:
    """Return how many commits the remote lacks, and how many are missing here."""
    if not state.tracked or not state.head:
        return None, None
    arguments = ["rev-list", "--count", "--left-right", f"{state.head}...{state.tracked}"]
    found = run_quickly(git, private.working_tree(), arguments)
    if isinstance(found, GitFailure):
        return None, None
    ahead, behind = found.split()
    return int(ahead), int(behind)


def _count(git: Git, private: PrivateDirectory, commit: str) -> int:
    found = run_quickly(git, private.working_tree(), ["rev-list", "--count", commit])
    return 0 if isinstance(found, GitFailure) else int(found)


def _pull_result(pulled: Pulled | Diverged | GitProblem) -> PullDone | GitProblem:
    match pulled:
        case GitProblem():
            return pulled
        case Diverged():
            return GitProblem(
                "The remote and the workspace both have commits of their own. Nothing was changed: "
                "merge them with git, then sync again.",
                needs_user=True,
            )
        case Pulled(changes=changes, stash=stash):
            return PullDone(changes, STASHED if stash else "", stash)

"""Fetches from and pushes to the remote of the workspace's repository, by one branch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.git.command import Git, GitContext, GitFailure
from intaglio.workspace.git.credentials import Credential, find_credential, ssh_command
from intaglio.workspace.git.private_directory import PrivateDirectory
from intaglio.workspace.git.remotes import Protocol, RemoteAddress, UnusableRemote, read_address
from intaglio.workspace.git.repository_state import (
    GitProblem,
    RepositoryState,
    run_quickly,
    set_ref,
)

PROTOCOLS: Final[frozenset[Protocol]] = frozenset({"https", "ssh"})
_TRANSFER_S: Final = 120.0
_MAX_ANSWER: Final = 1_000_000
_FETCHED: Final = "refs/intaglio/fetched"
_NO_BRANCH: Final = ("couldn't find remote ref",)
_REJECTED: Final = ("[rejected]", "non-fast-forward", "fetch first")
_LOGIN: Final = (
    "could not read Username",
    "could not read Password",
    "Authentication failed",
    "Permission denied",
    "terminal prompts disabled",
    "The requested URL returned error: 401",
    "The requested URL returned error: 403",
)
_HOST_KEY: Final = ("Host key verification failed",)
_GONE: Final = (
    "not found",
    "does not appear to be a git repository",
    "Could not resolve host",
    "Failed to connect",
    "Connection refused",
    "Could not read from remote repository",
    "unable to access",
)


@dataclass(frozen=True, slots=True)
class Fetched:
    """The remote's branch as it is now; ``hash`` is empty if the remote has no such branch."""

    hash: str


@dataclass(frozen=True, slots=True)
class Pushed:
    """The remote has the branch as it is here."""


@dataclass(frozen=True, slots=True)
class Diverged:
    """The remote has commits that aren't here."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """Speaks to the remote for one operation. All methods block."""

    git: Git
    state: RepositoryState
    private: PrivateDirectory
    protocols: frozenset[Protocol]

    def fetch(self) -> Fetched | GitProblem:
        """Fetch the remote's branch, and remember it as its tracking ref."""
        branch = self.state.branch
        done = self._run(
            self.state.url,
            ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"],
            f"+refs/heads/{branch}:{_FETCHED}",
        )
        if isinstance(done, GitProblem):
            return done
        if isinstance(done, GitFailure):
            if _says(done, _NO_BRANCH):
                return Fetched("")
            return _problem(done, "pulled")
        context = self.private.working_tree()
        found = run_quickly(self.git, context, ["rev-parse", "--verify", _FETCHED])
        if isinstance(found, GitFailure):
            return GitProblem(f"What was fetched can't be read: {found.reason}.")
        new = found.decode("ascii", "replace").strip()
        return self._track(new) or Fetched(new)

    def push(self) -> Pushed | Diverged | GitProblem:
        """Push the branch; never over commits that the remote has."""
        ref = f"refs/heads/{self.state.branch}"
        done = self._run(self.state.push_url, ["push", "--quiet", "--no-verify"], f"{ref}:{ref}")
        if isinstance(done, GitProblem):
            return done
        if isinstance(done, GitFailure):
            return Diverged() if _says(done, _REJECTED) else _problem(done, "pushed")
        return self._track(self.state.head) or Pushed()

    def _track(self, new: str) -> GitProblem | None:
        state = self.state
        if new == state.tracked:
            return None
        old = state.tracked or state.no_hash
        return set_ref(self.git, state, state.tracking_ref, new, old, "sync of the workspace")

    def _run(self, url: str, command: Sequence[str], refs: str) -> bytes | GitFailure | GitProblem:
        address = read_address(url, self.protocols)
        if isinstance(address, UnusableRemote):
            return GitProblem(address.reason)
        credential = find_credential(self.git, self.private, address)
        context = self._context(address, credential)
        found = self.git.run(
            context,
            [*command, "--", address.url, refs],
            limit_s=_TRANSFER_S,
            max_bytes=_MAX_ANSWER,
        )
        if isinstance(found, GitFailure) and credential is None and _says(found, _LOGIN):
            return GitProblem(
                f"No login for {address.host} was found. Set up ssh or a credential helper for "
                "git, or log in with gh."
            )
        return found

    def _context(self, address: RemoteAddress, credential: Credential | None) -> GitContext:
        configured = run_quickly(
            self.git, self.private.users_configuration(), ["config", "--get", "core.sshCommand"]
        )
        own = "" if isinstance(configured, GitFailure) else configured.decode().strip()
        settings = () if credential is None else credential.settings(address)
        secrets = dict[str, str]() if credential is None else credential.environment
        return self.private.network(self.protocols, ssh_command(own), settings, secrets)


def _says(failure: GitFailure, texts: Sequence[str]) -> bool:
    said = failure.errors.casefold()
    return any(text.casefold() in said for text in texts)


def _problem(failure: GitFailure, verb: str) -> GitProblem:
    what = f"The workspace couldn't be {verb}"
    if _says(failure, _HOST_KEY):
        return GitProblem(
            f"{what}: ssh doesn't know the remote's host key. Connect once with ssh yourself.",
            needs_user=True,
        )
    if _says(failure, _LOGIN):
        return GitProblem(f"{what}: the remote refused the login.")
    # Behind an empty line is advice, as about access rights.
    lines = (failure.errors.strip() or failure.reason).split("\n\n")[0].splitlines()
    if _says(failure, _GONE):
        return GitProblem(f"{what}: the remote can't be reached or isn't there. {lines[0][:300]}")
    return GitProblem(f"{what}: {lines[-1][:300]}")

"""Sets aside what changed in the workspace, in the user's own stash, and puts it back."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from intaglio.git.command import Git, GitFailure
from intaglio.workspace.git.committing import Author
from intaglio.workspace.git.private_directory import PrivateDirectory
from intaglio.workspace.git.repository_state import (
    GitProblem,
    RepositoryState,
    run_quickly,
    set_ref,
)

_STASH: Final = "refs/stash"
_MESSAGE: Final = "changes of the workspace before a pull"
_APPLY_S: Final = 120.0
_MAX_ANSWER: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Stash:
    """The stash of one pull. All methods block."""

    git: Git
    state: RepositoryState
    private: PrivateDirectory
    author: Author

    def push(self, changed: Iterable[str]) -> str | GitProblem:
        """Stash what changed, and return its commit; the files themselves stay as they are."""
        paths = tuple(changed)
        before = self._marks(paths)
        context = self.private.working_tree(self._as_author)
        made = run_quickly(self.git, context, ["stash", "create", _MESSAGE])
        if isinstance(made, GitFailure) or not made.strip():
            return GitProblem("What changed in the workspace couldn't be stashed.")
        stash = made.decode("ascii", "replace").strip()
        old = self._newest() or self.state.no_hash
        problem = set_ref(self.git, self.state, _STASH, stash, old, _MESSAGE)
        if problem is not None:
            return problem
        if before != self._marks(paths):
            self.drop(stash)
            return GitProblem("Files changed while they were stashed. Nothing was pulled; retry.")
        return stash

    def apply(self, stash: str) -> bool:
        """Put a stash back; False if it conflicts. Then files may have conflict marks."""
        applied = self.git.run(
            self.private.working_tree(self._as_author),
            ["stash", "apply", "--quiet", stash],
            limit_s=_APPLY_S,
            max_bytes=_MAX_ANSWER,
        )
        return not isinstance(applied, GitFailure)

    def drop(self, stash: str) -> None:
        """Forget the newest stash, unless somebody stashed meanwhile."""
        if self._newest() != stash:
            return
        arguments = ["reflog", "delete", "--updateref", "--rewrite", f"{_STASH}@{{0}}"]
        run_quickly(self.git, self.state.repository, arguments)
        # Deleting the last entry leaves the ref as it is.
        if self._newest() == stash:
            run_quickly(self.git, self.state.repository, ["update-ref", "-d", _STASH, stash])

    def _marks(self, paths: Iterable[str]) -> Mapping[str, tuple[int, int] | None]:
        found: dict[str, tuple[int, int] | None] = {}
        for path in paths:
            try:
                status = os.lstat(self.state.repository.root / path)
                found[path] = (status.st_size, status.st_mtime_ns)
            except OSError:
                found[path] = None
        return found

    @property
    def _as_author(self) -> dict[str, str]:
        return {
            "GIT_AUTHOR_NAME": self.author.name,
            "GIT_AUTHOR_EMAIL": self.author.email,
            "GIT_COMMITTER_NAME": self.author.name,
            "GIT_COMMITTER_EMAIL": self.author.email,
        }

    def _newest(self) -> str:
        arguments = ["rev-parse", "--verify", "--quiet", _STASH]
        found = run_quickly(self.git, self.state.repository, arguments)
        return "" if isinstance(found, GitFailure) else found.decode().strip()


def is_stashed(git: Git, state: RepositoryState, stash: str) -> bool:
    """Whether a stash is still on the user's stack."""
    found = run_quickly(git, state.repository, ["rev-list", "--walk-reflogs", _STASH, "--"])
    return not isinstance(found, GitFailure) and stash in found.decode("ascii", "replace").split()

"""Brings the workspace to the commits of the remote: fetch, fast-forward, nothing merged.

Files that changed here stay as they are. Only where the new commits touch such a file, what changed
here is stashed, and put back onto the new commit.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intaglio.git.command import Git, GitFailure
from intaglio.workspace.git.committing import Author, removal_lines, update_index
from intaglio.workspace.git.exclusions import Exclusions
from intaglio.workspace.git.private_directory import PrivateDirectory
from intaglio.workspace.git.repository_state import (
    GitProblem,
    RepositoryState,
    run_quickly,
    set_ref,
)
from intaglio.workspace.git.transfer import Diverged
from intaglio.workspace.git.working_tree import (
    TreeEntry,
    files_of,
    filtered_paths,
    list_changes,
)

_CHECKOUT_S: Final = 120.0
_MAX_ANSWER: Final = 1_000_000
_EMPTY_TREES: Final = {
    False: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    True: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
_STASH: Final = "refs/stash"
_NO_HASH_YET: Final = ""


@dataclass(frozen=True, slots=True)
class Pulled:
    """How many files the new commits changed; ``kept_in_stash`` if changes here conflict."""

    changes: int
    kept_in_stash: bool = False


@dataclass(frozen=True, slots=True)
class Pull:
    """Fast-forwards the branch that is checked out to a commit that was fetched."""

    git: Git
    state: RepositoryState
    private: PrivateDirectory
    exclusions: Exclusions
    author: Author

    def run(self, new: str) -> Pulled | Diverged | GitProblem:
        """Bring branch, index and files to the commit. Blocks."""
        head = self.state.head
        if head and self._contains(head, new):
            return Pulled(0)
        if head and not self._contains(new, head):
            return Diverged()
        return self._to(new)

    def _to(self, new: str) -> Pulled | GitProblem:
        touched = self._touched(new)
        if isinstance(touched, GitProblem):
            return touched
        changed = self._changed()
        if isinstance(changed, GitProblem):
            return changed
        problem = self._release(touched)
        if problem is not None:
            return problem
        overlap = changed & touched.keys()
        if overlap:
            return self._over_changes(new, overlap, len(touched))
        return self._forward(new) or Pulled(len(touched))

    def _changed(self) -> set[str] | GitProblem:
        """Return the tracked files that changed here."""
        changes = list_changes(self.git, self.private.working_tree(), untracked=False)
        if isinstance(changes, GitFailure):
            return GitProblem(f"The changes of the workspace can't be listed: {changes.reason}.")
        if any(each.is_unmerged for each in changes):
            return GitProblem("Files of the workspace have conflicts that aren't resolved.")
        return {each.path for each in changes}

    def _contains(self, commit: str, older: str) -> bool:
        arguments = ["merge-base", "--is-ancestor", older, commit]
        return not isinstance(
            run_quickly(self.git, self.private.working_tree(), arguments), GitFailure
        )

    def _touched(self, new: str) -> "dict[str, TreeEntry | None] | GitProblem":
        """Map the paths that differ to their new files; None for those that the new one lacks."""
        context = self.private.working_tree()
        before = files_of(self.git, context, self.state.head)
        after = files_of(self.git, context, new)
        if isinstance(before, GitFailure) or isinstance(after, GitFailure):
            return GitProblem("The commits of the remote can't be read.")
        touched = {
            path: after.get(path)
            for path in (*before, *after)
            if before.get(path) != after.get(path)
        }
        forbidden = [path for path, entry in touched.items() if entry and self._is_own(path)]
        if forbidden:
            return GitProblem(
                f"The remote's commits contain {_named(forbidden)}, which would replace what "
                "Intaglio keeps here. Remove it from the remote's branch."
            )
        in_the_way = [path for path in after if path not in before and self._exists(path)]
        if in_the_way:
            return GitProblem(
                f"The remote's commits add {_named(in_the_way)}, which is here too and isn't "
                "committed. Commit it or move it away."
            )
        filtered = filtered_paths(self.git, context, touched)
        if isinstance(filtered, GitFailure):
            return GitProblem(f"The attributes of the workspace can't be read: {filtered.reason}.")
        if filtered:
            return GitProblem(
                f"A filter (git-crypt, LFS) is needed for {_named(sorted(filtered))}, and Intaglio "
                "runs none. Pull with git yourself."
            )
        return touched

    def _exists(self, path: str) -> bool:
        """Whether there is anything that a new file would replace; git takes ignored ones."""
        root = self.state.repository.root
        around = [root / each for each in Path(path).parents if each.parts]
        return os.path.lexists(root / path) or any(
            os.path.lexists(each) and (each.is_symlink() or not each.is_dir()) for each in around
        )

    def _is_own(self, path: str) -> bool:
        return self.exclusions.cover(path)

    def _release(self, touched: Iterable[str]) -> GitProblem | None:
        """Take databases and the like out of the index, so that their files aren't deleted."""
        own = [path for path in touched if self._is_own(path)]
        return update_index(self.git, self.private, removal_lines(own, self.state.no_hash))

    def _forward(self, new: str) -> GitProblem | None:
        old = self.state.head
        base = old or _EMPTY_TREES[self.state.sha256]
        done = self._checkout(["-m", "-u", base, new])
        if isinstance(done, GitFailure):
            return GitProblem(
                f"The new commits can't be checked out; nothing was changed: {_last_line(done)}"
            )
        moved = set_ref(
            self.git,
            self.state,
            f"refs/heads/{self.state.branch}",
            new,
            old or self.state.no_hash,
            "pull of the workspace",
        )
        if moved is not None:
            self._checkout(["-m", "-u", new, base])
        return moved

    def _checkout(self, arguments: list[str]) -> bytes | GitFailure:
        return self.git.run(
            self.private.working_tree(),
            ["read-tree", *arguments],
            limit_s=_CHECKOUT_S,
            max_bytes=_MAX_ANSWER,
        )

    def _over_changes(self, new: str, changed: set[str], touched: int) -> Pulled | GitProblem:
        """Stash what changed here, forward, and put it back; if it conflicts, it stays stashed."""
        marks = self._marks(changed)
        stashed = self._stash()
        if isinstance(stashed, GitProblem):
            return stashed
        if marks != self._marks(changed):
            return GitProblem("Files changed while they were stashed. Nothing was pulled; retry.")
        done = self._checkout(["--reset", "-u", self.state.head])
        if isinstance(done, GitFailure):
            return GitProblem(
                f"The workspace couldn't be reset: {_last_line(done)} "
                "What changed here is in git stash."
            )
        problem = self._forward(new)
        if problem is not None:
            back = self._put_back(stashed, self.state.head)
            return problem if back else GitProblem(f"{problem.text} It is in git stash.")
        if self._put_back(stashed, new):
            return Pulled(touched)
        return Pulled(touched, kept_in_stash=True)

    def _marks(self, paths: Iterable[str]) -> dict[str, tuple[int, int] | None]:
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

    def _stash(self) -> str | GitProblem:
        message = "changes of the workspace before a pull"
        context = self.private.working_tree(self._as_author)
        made = run_quickly(self.git, context, ["stash", "create", message])
        if isinstance(made, GitFailure) or not made.strip():
            return GitProblem("What changed in the workspace couldn't be stashed.")
        stash = made.decode("ascii", "replace").strip()
        old = self._stash_ref()
        problem = set_ref(self.git, self.state, _STASH, stash, old or self.state.no_hash, message)
        return problem or stash

    def _stash_ref(self) -> str:
        found = run_quickly(
            self.git, self.state.repository, ["rev-parse", "--verify", "--quiet", _STASH]
        )
        return _NO_HASH_YET if isinstance(found, GitFailure) else found.decode().strip()

    def _put_back(self, stash: str, onto: str) -> bool:
        """Apply what was stashed; if it conflicts, the files are those of the commit again."""
        context = self.private.working_tree(self._as_author)
        applied = self.git.run(
            context,
            ["stash", "apply", "--quiet", stash],
            limit_s=_CHECKOUT_S,
            max_bytes=_MAX_ANSWER,
        )
        if isinstance(applied, GitFailure):
            self._checkout(["--reset", "-u", onto])
            return False
        self._drop(stash)
        return True

    def _drop(self, stash: str) -> None:
        """Forget the stash, unless somebody stashed meanwhile."""
        arguments = ["reflog", "delete", "--updateref", "--rewrite", f"{_STASH}@{{0}}"]
        if self._stash_ref() == stash:
            run_quickly(self.git, self.state.repository, arguments)
            self._delete_empty(stash)

    def _delete_empty(self, stash: str) -> None:
        # Deleting the last entry leaves the ref as it is.
        if self._stash_ref() == stash:
            run_quickly(self.git, self.state.repository, ["update-ref", "-d", _STASH, stash])


def _named(paths: list[str]) -> str:
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"{paths[0]}{more}"


def _last_line(failure: GitFailure) -> str:
    return " ".join((failure.errors or failure.reason).split())[:300]

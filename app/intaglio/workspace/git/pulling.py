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
from intaglio.workspace.git.stashing import Stash
from intaglio.workspace.git.transfer import Diverged
from intaglio.workspace.git.working_tree import (
    UNMERGED,
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


@dataclass(frozen=True, slots=True)
class Pulled:
    """How many files the new commits changed; ``stash`` keeps changes here that conflict."""

    changes: int
    stash: str = ""


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
        if changed & touched.keys():
            return self._over_changes(new, changed, len(touched))
        return self._forward(new) or Pulled(len(touched))

    def _changed(self) -> set[str] | GitProblem:
        """Return the tracked files that changed here."""
        changes = list_changes(self.git, self.private.working_tree(), untracked=False)
        if isinstance(changes, GitFailure):
            return GitProblem(f"The changes of the workspace can't be listed: {changes.reason}.")
        if any(each.is_unmerged for each in changes):
            return GitProblem(UNMERGED, needs_user=True)
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
                "Intaglio keeps here. Remove it from the remote's branch.",
                needs_user=True,
            )
        in_the_way = [path for path in after if path not in before and self._exists(path)]
        if in_the_way:
            return GitProblem(
                f"The remote's commits add {_named(in_the_way)}, which is here too and isn't "
                "committed. Commit it or move it away.",
                needs_user=True,
            )
        filtered = filtered_paths(self.git, context, touched)
        if isinstance(filtered, GitFailure):
            return GitProblem(f"The attributes of the workspace can't be read: {filtered.reason}.")
        if filtered:
            return GitProblem(
                f"A filter (git-crypt, LFS) is needed for {_named(sorted(filtered))}, and Intaglio "
                "runs none. Pull with git yourself.",
                needs_user=True,
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
        stash = Stash(self.git, self.state, self.private, self.author)
        stashed = stash.push(changed)
        if isinstance(stashed, GitProblem):
            return stashed
        done = self._checkout(["--reset", "-u", self.state.head])
        problem = (
            GitProblem(f"The workspace couldn't be reset: {_last_line(done)}")
            if isinstance(done, GitFailure)
            else self._forward(new)
        )
        is_back = self._put_back(stash, stashed, new if problem is None else self.state.head)
        if problem is None:
            return Pulled(touched, "" if is_back else stashed)
        if is_back:
            return problem
        return GitProblem(f"{problem.text} What changed here is in git stash.", needs_user=True)

    def _put_back(self, stash: Stash, stashed: str, onto: str) -> bool:
        """Apply what was stashed; if it conflicts, the files are those of the commit again."""
        if stash.apply(stashed):
            stash.drop(stashed)
            return True
        self._checkout(["--reset", "-u", onto])
        return False


def _named(paths: list[str]) -> str:
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"{paths[0]}{more}"


def _last_line(failure: GitFailure) -> str:
    return " ".join((failure.errors or failure.reason).split())[:300]

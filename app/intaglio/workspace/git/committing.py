"""Commits what changed in the workspace: exactly the bytes that were checked, and no hooks.

The commit is written by ``git fast-import`` from what was read, never from the index: what somebody
staged beside it isn't committed unchecked.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from intaglio.fence.characters import visible
from intaglio.git.command import Git, GitFailure
from intaglio.redaction.redact import clean
from intaglio.workspace.git.packing import pack_objects
from intaglio.workspace.git.private_directory import PrivateDirectory
from intaglio.workspace.git.repository_state import (
    GitProblem,
    RepositoryState,
    run_quickly,
    set_ref,
)
from intaglio.workspace.git.working_tree import (
    UNMERGED,
    ChangedPath,
    Deletion,
    FileVetting,
    LeftOut,
    TreeEntry,
    VettedFile,
    blob_hash,
    files_of,
    filtered_paths,
    list_changes,
)

_MAX_NAMES: Final = 50
_MAX_FILES: Final = 5_000
_MAX_BYTES: Final = 50_000_000
_IMPORT_S: Final = 120.0
_MAX_HASH: Final = 1_000


@dataclass(frozen=True, slots=True)
class Author:
    """Whose commits these are."""

    name: str
    email: str

    @property
    def line(self) -> str:
        """How git writes it."""
        name, email = (_one_line(text) for text in (self.name, self.email))
        return f"{name} <{email}>"


@dataclass(frozen=True, slots=True)
class CommitResult:
    """What a commit took in: ``hash`` is empty if there was nothing; ``rest`` if more waits."""

    hash: str
    files: tuple[str, ...]
    left_out: tuple[LeftOut, ...]
    rest: bool = False


def _one_line(text: str) -> str:
    return "".join(each for each in text if each.isprintable() and each not in "<>").strip()


def commit_message(moment: datetime, paths: Iterable[str]) -> str:
    """Return ``<YYYY-MM-DDTHH-MM-SS>_auto_<files>``, the files in at most 50 characters."""
    names = clean(visible(", ".join(os.path.basename(path) for path in paths)))  # noqa: PTH119 - a text of git
    return f"{moment:%Y-%m-%dT%H-%M-%S}_auto_{' '.join(names.split())[:_MAX_NAMES]}"


@dataclass(frozen=True, slots=True)
class Committer:
    """Commits on the branch that is checked out; ``vetting`` decides what."""

    git: Git
    state: RepositoryState
    private: PrivateDirectory
    vetting: FileVetting
    author: Author

    def commit(self, moment: datetime) -> CommitResult | GitProblem:
        """Commit all changes that may be committed, or say why not. Blocks."""
        context = self.private.working_tree()
        changes = list_changes(self.git, context)
        if isinstance(changes, GitFailure):
            return GitProblem(f"The changes of the workspace can't be listed: {changes.reason}.")
        if any(each.is_unmerged for each in changes):
            return GitProblem(UNMERGED, needs_user=True)
        before = files_of(self.git, context, self.state.head)
        filtered = filtered_paths(self.git, context, (each.path for each in changes))
        if isinstance(before, GitFailure) or isinstance(filtered, GitFailure):
            return GitProblem("The last commit of the workspace can't be read.")
        return self._commit(self._vet(changes, before, filtered), moment)

    def _vet(
        self,
        changes: Iterable[ChangedPath],
        before: Mapping[str, TreeEntry],
        filtered: frozenset[str],
    ) -> "_Changes":
        # Committed by somebody else; the files themselves stay.
        own = [path for path in before if self.vetting.exclusions.cover(path)]
        found = _Changes(before, own)
        for each in changes:
            match self.vetting.vet(each.path, is_filtered=each.path in filtered):
                case LeftOut(expected=True):
                    if not each.is_untracked:
                        found.unstaged.append(each.path)
                case LeftOut() as left:
                    found.left_out.append(left)
                case Deletion():
                    found.delete(each.path)
                case VettedFile() as content:
                    found.write(content, blob_hash(content.data, sha256=self.state.sha256))
        return found

    def _commit(self, found: "_Changes", moment: datetime) -> CommitResult | GitProblem:
        paths, left_out = (*found.written, *found.deleted), tuple(found.left_out)
        if not paths:
            return self._update_index(found) or CommitResult("", (), left_out)
        new = self._import(found, commit_message(moment, paths), moment)
        if isinstance(new, GitProblem):
            return new
        problem = self._update_index(found) or set_ref(
            self.git,
            self.state,
            f"refs/heads/{self.state.branch}",
            new,
            self.state.head or self.state.no_hash,
            "commit of the workspace",
        )
        if problem is not None:
            return problem
        # Otherwise each look at the files would read those again that were committed.
        run_quickly(self.git, self.private.working_tree(), ["update-index", "-q", "--refresh"])
        pack_objects(self.git, self.private)
        return CommitResult(new, paths, left_out, found.rest)

    def _import(self, found: "_Changes", message: str, moment: datetime) -> str | GitProblem:
        who = f"{self.author.line} {int(moment.timestamp())} +0000"
        text = message.encode("utf-8", "replace")
        head = [
            f"commit refs/heads/{self.state.branch}\nmark :1\nauthor {who}\ncommitter {who}\n",
            f"data {len(text)}\n",
        ]
        parts = [os.fsencode("".join(head)), text, b"\n"]
        if self.state.head:
            parts.append(f"from {self.state.head}\n".encode())
        parts += [b"D " + _quoted(path) + b"\n" for path in found.deleted]
        for content, _ in found.written.values():
            line = f"M {content.mode} inline ".encode() + _quoted(content.path)
            parts += [line, f"\ndata {len(content.data)}\n".encode(), content.data, b"\n"]
        parts.append(b"get-mark :1\ndone\n")
        done = self.git.run(
            self.private.working_tree(),
            ["fast-import", "--quiet", "--done"],
            stdin=b"".join(parts),
            limit_s=_IMPORT_S,
            max_bytes=_MAX_HASH,
        )
        if isinstance(done, GitFailure):
            return GitProblem(f"The commit couldn't be written: {done.reason}.")
        return done.decode("ascii", "replace").strip()

    def _update_index(self, found: "_Changes") -> GitProblem | None:
        gone = (*found.deleted, *found.unstaged)
        entries = (f"{each.mode} {value}" for each, value in found.written.values())
        lines = [
            *removal_lines(gone, self.state.no_hash),
            *(
                f"{entry}\t".encode() + os.fsencode(path)
                for path, entry in zip(found.written, entries, strict=True)
            ),
        ]
        return update_index(self.git, self.private, lines)


class _Changes:
    """What a commit would take in, and what it leaves out."""

    def __init__(self, before: Mapping[str, TreeEntry], deleted: list[str]) -> None:
        self.written: dict[str, tuple[VettedFile, str]] = {}
        self.deleted = deleted
        self.unstaged: list[str] = []
        self.left_out: list[LeftOut] = []
        self.rest = False
        self._before = before
        self._bytes = 0

    def delete(self, path: str) -> None:
        if path in self._before:
            self.deleted.append(path)

    def write(self, content: VettedFile, value: str) -> None:
        """Take in a file if it differs, and if there is room."""
        if self._before.get(content.path) == TreeEntry(content.mode, value):
            return
        self._bytes += len(content.data)
        if len(self.written) < _MAX_FILES and self._bytes <= _MAX_BYTES:
            self.written[content.path] = (content, value)
        else:
            self.rest = True


def _quoted(path: str) -> bytes:
    data = os.fsencode(path)
    for special, escaped in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n")):
        data = data.replace(special, escaped)
    return b'"' + data + b'"'


def removal_lines(paths: Iterable[str], no_hash: str) -> Iterator[bytes]:
    """Yield what takes paths out of the index; the files stay."""
    for path in paths:
        yield f"0 {no_hash}\t".encode() + os.fsencode(path)


def update_index(git: Git, private: PrivateDirectory, lines: Iterable[bytes]) -> GitProblem | None:
    """Change entries of the real index, as ``git update-index --index-info`` reads them."""
    data = b"".join(line + b"\x00" for line in lines)
    if not data:
        return None
    arguments = ["update-index", "--replace", "-z", "--index-info"]
    done = run_quickly(git, private.working_tree(), arguments, data)
    if isinstance(done, GitFailure):
        return GitProblem(f"The index of the workspace couldn't be changed: {done.reason}.")
    return None

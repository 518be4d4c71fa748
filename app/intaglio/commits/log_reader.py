"""Reads commits, the files they touch and the places they change by git; everything blocks."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final, Self

from intaglio.commits.changed_places import changed_places
from intaglio.commits.messages import MAX_FILES, MAX_MESSAGE_BYTES, Changes, LogEntry, has_body
from intaglio.git.command import Git, GitFailure, GitStream
from intaglio.git.repository import Repository, hash_in

_FORMAT: Final = "--format=%H%x00%P%x00%ct%x00%an%x00%B"
_FIELDS: Final = 5
_MAX_LOG_BYTES: Final = 8_000_000_000
_MAX_CHANGES_BYTES: Final = 400_000_000
_MAX_PATCH_BYTES: Final = 40_000_000
_CHANGES_S: Final = 60.0
_PATCH_S: Final = 10.0
_REACHABLE_S: Final = 60.0
_MAX_REACHABLE_BYTES: Final = 200_000_000
_ANSWER_S: Final = 10.0
_ANSWER_BYTES: Final = 1_000
# Of a longer record, only the beginning is read: a path, or where it begins.
_MAX_RECORD: Final = 4_096


@dataclass(frozen=True, slots=True)
class LogChunk:
    """Some commits with a body, how many were walked to find them, and whether that was the end."""

    entries: tuple[LogEntry, ...]
    walked: int
    ended: bool


class LogWalk:
    """A walk through git's log, newest first; ``failure`` says why it ended early.

    ``met`` is whether a commit of it has ``parent`` as a parent. If none has, history was rewritten
    since ``parent`` was HEAD.
    """

    def __init__(
        self,
        git: Git,
        repository: Repository,
        which: Sequence[str],
        limit_s: float,
        parent: str = "",
    ) -> None:
        self.failure: GitFailure | None = None
        self.met = False
        self._parent = parent
        self._git = git
        self._repository = repository
        self._arguments = ["log", "-z", "--no-patch", _FORMAT, *which]
        self._limit_s = limit_s
        self._open = ExitStack()
        self._stream: GitStream | None = None
        self._records: Iterator[bytes] = iter(())

    def open(self) -> Self:
        """Start git."""
        self._stream = self._open.enter_context(
            self._git.stream(
                self._repository,
                self._arguments,
                limit_s=self._limit_s,
                max_bytes=_MAX_LOG_BYTES,
            )
        )
        self._records = self._stream.records(MAX_MESSAGE_BYTES)
        return self

    def close(self) -> None:
        """End git."""
        self._open.close()

    def next_chunk(self, entries: int, most_walked: int) -> LogChunk:
        """Return the next commits with a body, at most so many, of at most so many commits."""
        found: list[LogEntry] = []
        walked = 0
        while len(found) < entries and walked < most_walked:
            fields = [next(self._records, None) for _ in range(_FIELDS)]
            entry = _entry([each for each in fields if each is not None])
            if entry is None:
                self._end(has_more=None not in fields)
                return LogChunk(tuple(found), walked, ended=True)
            walked += 1
            self.met = self.met or self._parent in entry.parents
            if has_body(entry):
                found.append(entry)
        return LogChunk(tuple(found), walked, ended=False)

    def _end(self, *, has_more: bool) -> None:
        if has_more:
            self.failure = GitFailure("git answered what isn't a log")
        elif self._stream is not None:
            self.failure = self._stream.failure


def _entry(fields: Sequence[bytes]) -> LogEntry | None:
    if len(fields) < _FIELDS:
        return None
    name = hash_in(fields[0])
    if not name:
        return None
    seconds = fields[2].strip()
    return LogEntry(
        hash=name,
        parents=tuple(filter(None, map(hash_in, fields[1].split()))),
        committed_s=int(seconds[:12]) if seconds.isdigit() else 0,
        author=fields[3].decode("utf-8", "replace"),
        message=fields[4].decode("utf-8", "replace"),
    )


@dataclass(frozen=True, slots=True)
class ChangeReader:
    """Reads what commits changed against their first parent.

    ``limits`` are the commits of a shallow clone whose parents aren't there: what they changed
    isn't known.
    """

    git: Git
    repository: Repository
    limits: frozenset[str]

    def read(
        self, entries: Sequence[LogEntry], with_symbols: frozenset[str]
    ) -> tuple[dict[str, Changes], GitFailure | None]:
        """Return what commits changed, by hash; ``with_symbols`` are those to read wholly.

        What can't be read is left out, and the failure says why.
        """
        known = [each for each in entries if each.hash not in self.limits]
        files, failure = self._files(known)
        wanted = [
            each
            for each in known
            if each.hash in with_symbols and len(files.get(each.hash, ())) < MAX_FILES
        ]
        symbols = self._symbols(wanted) if wanted else {}
        return {
            name: Changes(tuple(paths), tuple(symbols.get(name, ())))
            for name, paths in files.items()
        }, failure

    def _files(self, entries: Sequence[LogEntry]) -> tuple[dict[str, list[str]], GitFailure | None]:
        found: dict[str, list[str]] = {}
        with self.git.stream(
            self.repository,
            ["diff-tree", "--stdin", "-r", "-z", "--root", "--raw", "--abbrev=4"],
            stdin=_pairs(entries),
            limit_s=_CHANGES_S,
            max_bytes=_MAX_CHANGES_BYTES,
        ) as stream:
            records = stream.records(_MAX_RECORD)
            paths: list[str] = []
            for record in records:
                # A line of a file begins with a colon; its path follows.
                if not record.startswith(b":"):
                    paths = found.setdefault(hash_in(record), [])
                    continue
                path = next(records, b"")
                if len(paths) < MAX_FILES:
                    paths.append(path.decode("utf-8", "replace"))
            return found, stream.failure

    def _symbols(self, entries: Sequence[LogEntry]) -> dict[str, list[str]]:
        """Return the names of places that commits changed, as far as git says within limits."""
        with self.git.stream(
            self.repository,
            ["diff-tree", "--stdin", "-r", "--root", "-p", "-U0"],
            stdin=_pairs(entries),
            limit_s=_PATCH_S,
            max_bytes=_MAX_PATCH_BYTES,
        ) as stream:
            expected = {each.hash.encode() for each in entries}
            return changed_places(stream.lines(_MAX_RECORD), expected)


def _pairs(entries: Sequence[LogEntry]) -> bytes:
    """Return what `git diff-tree --stdin` reads: each commit, with its first parent alone."""
    return "".join(
        f"{each.hash} {each.parents[0]}\n" if each.parents else f"{each.hash}\n" for each in entries
    ).encode()


def current_head(git: Git, repository: Repository) -> str:
    """Ask git for the commit of HEAD; empty if there is none."""
    found = git.run(
        repository,
        ["rev-parse", "--verify", "--quiet", "HEAD"],
        limit_s=_ANSWER_S,
        max_bytes=_ANSWER_BYTES,
    )
    return "" if isinstance(found, GitFailure) else hash_in(found)


def unreachable(
    git: Git, repository: Repository, head: str, hashes: frozenset[str]
) -> frozenset[str] | GitFailure:
    """Return those of some commits that neither HEAD nor a branch leads to."""
    left = {each.encode() for each in hashes}
    with git.stream(
        repository,
        ["rev-list", "--branches", head],
        limit_s=_REACHABLE_S,
        max_bytes=_MAX_REACHABLE_BYTES,
    ) as stream:
        for line in stream.lines(_MAX_RECORD):
            left.discard(line)
        return stream.failure or frozenset(each.decode() for each in left)

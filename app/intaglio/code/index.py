"""Reads what the checked-out commit of a project defines, as far as it isn't known yet.

Files of which git's hash hasn't changed aren't read again. Reading stops after a while and goes on
at the next call: a file that was read is on record with its hash.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Literal, TypeAlias, TypeVar

from intaglio.base.clock import Clock, iso
from intaglio.base.process.threads import RunInThread
from intaglio.code import rows
from intaglio.code.content import MAX_BYTES, indexed, is_read
from intaglio.code.values import CodeReading, IndexedFile
from intaglio.git.blob_reader import BlobReader
from intaglio.git.command import Git, GitFailure
from intaglio.git.repository import Repository, Unreadable, hash_in, head_of, open_repository
from intaglio.redaction.redact import clean
from intaglio.store.database import Database

T = TypeVar("T")

MOST_FILES: Final = 20_000
MOST_BYTES: Final = 60_000_000
_MAX_LISTING: Final = 64_000_000
_MAX_PATH: Final = 1_000
_LISTING_LIMIT_S: Final = 60.0
_READ_LIMIT_S: Final = 10.0
# About 3 ms in the writer thread, redaction included.
_AT_ONCE: Final = 40
_REGULAR: Final = (b"100644", b"100755")
_PARTS: Final = 4

ReadOutcome: TypeAlias = Literal["current", "read", "unfinished", "unreadable"]


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A regular file of a commit; ``is_read`` says whether what it defines is."""

    path: str
    blob: str
    is_read: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeIndex:
    """Keeps the index of projects' code; ``seconds`` is a monotonic clock, ``pause`` rests.

    A call ends after ``limit_s``.
    """

    db: Database
    git: Git
    clock: Clock
    seconds: Callable[[], float]
    in_thread: RunInThread
    pause: Callable[[float], Awaitable[None]]
    limit_s: float = 120.0

    async def read(self, project: str) -> ReadOutcome:
        """Read what is new in a project's checked-out commit; cheap if nothing is new."""
        found = await self.in_thread(lambda: open_with_head(self.git, project))
        if found is None:
            return "unreadable"
        repository, head = found
        known = await self.db.read(lambda tx: rows.reading(tx, project))
        if known is not None and known.head == head:
            return "current"
        listing = await self.in_thread(lambda: self._listed(repository, head))
        if listing is None:
            return "unreadable"
        files, stopped = listing
        reading = await self.db.write(partial(rows.begin, project=project))
        if not await self._update(repository, reading, files):
            return "unfinished"
        at = iso(self.clock())
        await self.db.write(lambda tx: rows.finish(tx, reading.seq, head, at, stopped))
        return "read"

    def _listed(
        self, repository: Repository, head: str
    ) -> tuple[Mapping[str, ListedFile], str] | None:
        """Return the files of a commit by path, and why some are left out."""
        if not head:
            return {}, ""
        with self.git.stream(
            repository,
            ["ls-tree", "-r", "-z", "--long", "--full-tree", head],
            limit_s=_LISTING_LIMIT_S,
            max_bytes=_MAX_LISTING,
        ) as stream:
            entries = list(parse_listing(stream.records(_MAX_PATH)))
            if stream.failure is not None:
                return None
        return choose_files(entries)

    async def _update(
        self, repository: Repository, reading: CodeReading, files: Mapping[str, ListedFile]
    ) -> bool:
        """Write what differs, a batch at a time; return whether nothing is left."""
        known = await self.db.read(lambda tx: rows.blobs(tx, reading.seq))
        gone = [path for path in known if path not in files]
        for paths in _batches(gone, _AT_ONCE):
            await self.db.write(partial(rows.drop_files, number=reading.seq, paths=paths))
        new = [each for each in files.values() if known.get(each.path) != each.blob]
        reader = BlobReader(self.git, repository, MAX_BYTES, _READ_LIMIT_S)
        ends = self.seconds() + self.limit_s
        try:
            for some in _batches(new, _AT_ONCE):
                if self.seconds() >= ends:
                    return False
                began = self.seconds()
                made = await self.in_thread(partial(_read, reader, reading.seq, some))
                await self.db.write(partial(rows.put_files, number=reading.seq, files=made))
                # At most half of a core: nobody waits for it.
                await self.pause(self.seconds() - began)
        finally:
            await self.in_thread(reader.close)
        return True


def open_with_head(git: Git, project: str) -> tuple[Repository, str] | None:
    """Open a project's repository and return the commit that is checked out, empty if none is."""
    repository = open_repository(Path(project))
    if isinstance(repository, Unreadable):
        return None
    head = head_of(repository)
    if head is None:
        named = git.run(
            repository, ["rev-parse", "--verify", "-q", "HEAD"], limit_s=5.0, max_bytes=1_000
        )
        head = "" if isinstance(named, GitFailure) else hash_in(named)
    return repository, head


def parse_listing(records: Iterator[bytes]) -> Iterator[tuple[str, str, int]]:
    """Yield the path, blob and size of each regular file of a listing; odd paths are left out."""
    for record in records:
        head, tab, raw = record.partition(b"\t")
        parts = head.split()
        if not tab or len(parts) != _PARTS or parts[0] not in _REGULAR or not parts[3].isdigit():
            continue
        try:
            path = raw.decode("utf-8")
        except UnicodeDecodeError:
            continue
        if len(record) < _MAX_PATH and path.isprintable():
            yield path, parts[2].decode("ascii", "replace"), int(parts[3])


def choose_files(
    entries: Sequence[tuple[str, str, int]],
) -> tuple[Mapping[str, ListedFile], str]:
    """Choose the files to keep, those whose content is read first, and say what is left out."""
    ordered = sorted(entries, key=lambda each: (not is_read(each[0]), each[0].count("/"), each[0]))
    files: dict[str, ListedFile] = {}
    left, unread = MOST_BYTES, 0
    for path, blob, size in ordered[:MOST_FILES]:
        is_wanted = is_read(path) and size <= MAX_BYTES
        reads = is_wanted and left >= size
        unread += is_wanted and not reads
        left -= size if reads else 0
        files[path] = ListedFile(path, blob, reads)
    stopped: list[str] = []
    if len(ordered) > MOST_FILES:
        stopped.append(f"{MOST_FILES} of {len(ordered)} files are indexed")
    if unread:
        stopped.append(f"{unread} source files are indexed by name only")
    return files, "; ".join(stopped)


def _read(reader: BlobReader, number: int, files: Sequence[ListedFile]) -> list[IndexedFile]:
    made: list[IndexedFile] = []
    for each in files:
        # A path with a secret would be stored under another name.
        if clean(each.path) != each.path:
            continue
        content = reader.read(each.blob) if each.is_read else None
        # Without a hash, a file that couldn't be read is tried again at the next commit.
        blob = "" if each.is_read and content is None else each.blob
        made.append(indexed(number, each.path, blob, content))
    return made


def _batches(listed: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(listed), size):
        yield listed[start : start + size]

"""Finds the places of memories: the files and symbols that they name, as these are now.

The index of the checked-out commit says which files define a name; their lines are read from the
working tree, so that a file that isn't committed counts, too.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path
from typing import Final

from intaglio.base.process.threads import RunInThread
from intaglio.code import place_rows, rows
from intaglio.code.definitions import lines_defining
from intaglio.code.judging import last_part
from intaglio.code.lookup import files_defining, files_named
from intaglio.code.mentions import NamedInCode, named_in_code
from intaglio.code.place_lines import MOST_OF_FILE, MOST_OF_SYMBOL, block, hashes
from intaglio.code.settings import CodeSettings
from intaglio.code.values import NewPlace
from intaglio.code.working_tree import FileStat, WorkingTree
from intaglio.jobs import rows as queue
from intaglio.jobs.job_type import Job, JobType
from intaglio.memory import rows as memories
from intaglio.memory.operations import ChangeContext, MemoryChange
from intaglio.memory.values import Memory
from intaglio.projects.names import is_path
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

LOCATE: Final = JobType(
    name="locate_memory", label="Places that memories name in code", about="memory"
)
MOST_PLACES: Final = 8
_MOST_DEFINING: Final = 3


def queue_location(tx: WriteTx, change: MemoryChange, context: ChangeContext) -> None:
    """Queue the search for the places of a memory that is new or says something else; a listener.

    Those of a project without an index follow when it is read.
    """
    says_else = change.content_changed or change.place_changed
    if change.what != "added" and not (change.what == "updated" and says_else):
        return
    if not context.settings().of(CodeSettings).enabled:
        return
    memory = memories.get(tx, change.id)
    project = None if memory is None else memory.scope.project
    known = None if project is None else rows.reading(tx, project)
    if known is not None and known.read_at is not None:
        queue.enqueue(tx, LOCATE, change.id, change.at)


_Store = Callable[[WriteTx], bool]
"""Writes the places of a memory; False if it says something else by now."""


@dataclass(frozen=True, slots=True)
class _Candidates:
    """What a memory names, and the files that the index knows for it."""

    memory: Memory
    project: str
    head: str
    named: NamedInCode
    paths: tuple[str, ...]
    defining: dict[str, tuple[str, ...]]
    blobs: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLocator:
    """Finds and stores the places of memories; runs jobs of type `locate_memory`."""

    db: Database
    context: ChangeContext
    in_thread: RunInThread

    async def run(self, job: Job) -> None:
        """Find the places of the job's memory; once more if it is reworded meanwhile."""
        is_stored = False
        while not is_stored:
            store = await self._found(job.subject)

            def work(tx: WriteTx, store: _Store = store) -> bool:
                return store(tx) and queue.complete(tx, job, self.context.now)

            is_stored = await self.db.write(work)

    async def locate(self, memory_id: str) -> None:
        """Find the places of a memory as they are now, and forget what became of former ones."""
        await self.db.write(await self._found(memory_id))

    async def catch_up(self, project: str, most: int, pause: Callable[[], Awaitable[None]]) -> bool:
        """Find the places of the next memories of a project; return whether more are left."""

        def next_ones(tx: ReadTx) -> tuple[int, list[tuple[int, str]]]:
            known = rows.reading(tx, project)
            if known is None:
                return 0, []
            return known.seq, place_rows.unplaced(tx, project, known.placed, most)

        number, listed = await self.db.read(next_ones)
        for seq, memory_id in listed:
            store = await self._found(memory_id)

            def work(tx: WriteTx, seq: int = seq, store: _Store = store) -> None:
                store(tx)
                rows.set_placed(tx, number, seq)

            await self.db.write(work)
            await pause()
        return len(listed) == most

    async def _found(self, memory_id: str) -> _Store:
        """Return what writes the places of a memory."""
        found = await self.db.read(lambda tx: _candidates(tx, memory_id))
        if found is None:
            return lambda tx: _put(tx, memory_id, None, (), self.context.now)
        places = await self.in_thread(lambda: _places(found))
        now = self.context.now
        return lambda tx: _put(tx, memory_id, found.memory, places, now)


def _put(
    tx: WriteTx, memory_id: str, read: Memory | None, places: Sequence[NewPlace], at: str
) -> bool:
    """Write places, unless the memory says something else by now; return whether it doesn't."""
    now = memories.get(tx, memory_id)
    if now is None:
        return True
    if read is None:
        place_rows.drop(tx, memory_id)
        return True
    if (now.content, now.scope) != (read.content, read.scope):
        return False
    place_rows.put(tx, memory_id, read.scope.project or "", places, at)
    return True


def _candidates(tx: ReadTx, memory_id: str) -> _Candidates | None:
    memory = memories.get(tx, memory_id)
    project = None if memory is None else memory.scope.project
    if memory is None or project is None or memory.is_deleted or not is_path(project):
        return None
    known = rows.reading(tx, project)
    if known is None or known.read_at is None:
        return None
    named = named_in_code(memory.content)
    by_name = files_named(tx, project, named.paths)
    paths = [
        each for name in named.paths for each in by_name.get(name, ()) if len(by_name[name]) == 1
    ]
    # One that isn't committed yet.
    paths += [each for each in named.paths if each not in by_name and "." in each]
    defining = dict(files_defining(tx, project, named.symbols))
    asked = {*paths, *(each for some in defining.values() for each in some)}
    return _Candidates(
        memory,
        project,
        known.head,
        named,
        tuple(dict.fromkeys(paths)),
        defining,
        rows.existing(tx, known.seq, sorted(asked)),
    )


def _places(found: _Candidates) -> tuple[NewPlace, ...]:
    """Read the files that a memory names, and where in them its symbols are."""
    tree = WorkingTree(Path(found.project))
    files = _Files(tree, found.head, found.blobs)
    named: list[NewPlace] = []
    seen: set[str] = set()
    for symbol in found.named.symbols:
        here = [path for path in found.paths if files.defines(path, symbol)]
        elsewhere = found.defining.get(symbol, ())
        if not here and len(elsewhere) <= _MOST_DEFINING:
            # What the index knows may be moved or gone in the working tree already.
            named += [
                files.place(each, symbol) for each in elsewhere if files.defines(each, symbol)
            ]
        named += [files.place(each, symbol, by_path=True) for each in here]
        seen.update(here)
    alone = [path for path in found.paths if path not in seen and files.lines(path) is not None]
    named += [files.place(each, "", by_path=True) for each in alone]
    ordered = sorted(named, key=lambda each: not each.by_path)
    return tuple({(each.path, each.symbol): each for each in ordered}.values())[:MOST_PLACES]


@dataclass(slots=True)
class _Files:
    """Files of a working tree, each read once."""

    tree: WorkingTree
    head: str
    blobs: dict[str, str]
    _read: dict[str, tuple[bytes, list[str], FileStat] | None]

    def __init__(self, tree: WorkingTree, head: str, blobs: dict[str, str]) -> None:
        self.tree, self.head, self.blobs = tree, head, blobs
        self._read = {}

    def _file(self, path: str) -> tuple[bytes, list[str], FileStat] | None:
        if path not in self._read:
            # Before: a change while it is read is noticed at the next check.
            known, content = self.tree.stat(path), self.tree.read(path)
            self._read[path] = None
            if isinstance(known, FileStat) and isinstance(content, bytes):
                lines = content.decode("utf-8", "replace").split("\n")
                self._read[path] = (content, lines, known)
        return self._read[path]

    def lines(self, path: str) -> list[str] | None:
        """Return the lines of a file; None if it can't be read."""
        found = self._file(path)
        return None if found is None else found[1]

    def defines(self, path: str, symbol: str) -> bool:
        """Tell whether a file defines a symbol."""
        lines = self.lines(path)
        return lines is not None and bool(lines_defining(path, lines, last_part(symbol)))

    def place(self, path: str, symbol: str, *, by_path: bool = False) -> NewPlace:
        """Return a place in a file that was read."""
        found = self._file(path)
        if found is None:
            raise LookupError("the file wasn't read")
        content, lines, known = found
        if symbol:
            first = lines_defining(path, lines, last_part(symbol))[0]
            kept = hashes(block(lines, first), MOST_OF_SYMBOL)
        else:
            kept = hashes(lines, MOST_OF_FILE)
        blob = self.blobs.get(path, "")
        return NewPlace(
            path=path,
            symbol=symbol,
            by_path=by_path,
            blob=blob or blob_hash(content),
            commit=self.head if blob else "",
            lines=kept,
            size=known.size,
            changed_ns=known.changed_ns,
        )


def blob_hash(content: bytes) -> str:
    """Return git's hash of a file's content."""
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()

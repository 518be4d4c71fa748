"""The database as rooms see it: ``await write(work)``, ``await read(work)``, and its state."""

import asyncio
import contextlib
import inspect
import queue
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Never, TypeVar, overload

import apsw

from intaglio.base.clock import Clock
from intaglio.base.errors import ConflictError, UnavailableError
from intaglio.base.events import Publish, StateChanged
from intaglio.base.log import get_logger
from intaglio.base.paths import make_private
from intaglio.store import backup as backups
from intaglio.store import migrations
from intaglio.store.change_feed import ChangeFeed, ChangeListener
from intaglio.store.connection import ForeignDatabaseError, check, open_reader, open_writer
from intaglio.store.tx import ReadTx, WriteTx, run
from intaglio.store.values import (
    Backup,
    Checking,
    Closed,
    DatabaseState,
    Degraded,
    NoGoodBackup,
    Opening,
    Ready,
    Restored,
    RestoreOutcome,
)
from intaglio.store.writer import Writer

T = TypeVar("T")

_READER_WITHIN_S: Final = 10.0
_AS_IT_WAS: Final = "The database was left as it is."
_MEND_PLACE: Final = (
    "Check free disk space and the rights on the workspace folder, then start the daemon again."
)


@dataclass(frozen=True, slots=True)
class DatabaseOptions:
    """Where the database and its copies lie, and how many threads read."""

    file: Path
    backups: Path
    readers: int = 3


class Database:
    """One SQLite file with one writer thread and a pool of readers.

    ``write`` and ``read`` take a plain function, so nothing can be awaited inside a transaction.
    After an unclean stop reading works at once, and writes wait for the check.
    """

    def __init__(self, options: DatabaseOptions, clock: Clock, publish: Publish) -> None:
        self._options = options
        self._clock = clock
        self._publish = publish
        self._state: DatabaseState = Opening()
        self._commits = ChangeFeed()
        self._writer = Writer(publish, self._damaged, self._commits)
        self._readers: queue.SimpleQueue[apsw.Connection] = queue.SimpleQueue()
        self._pool = ThreadPoolExecutor(options.readers, thread_name_prefix="intaglio-reader")
        self._checking: asyncio.Task[None] | None = None
        self._exchanging = asyncio.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._schema = 0
        self._open_connections = 0
        self._log = get_logger("store")

    @property
    def state(self) -> DatabaseState:
        """What the database can do now."""
        return self._state

    @property
    def schema_version(self) -> int:
        """The number of the newest migration that the database has."""
        return self._schema

    def watch(self, table: str, watch: ChangeListener) -> None:
        """Call ``watch`` on the writer thread after each commit that touched rows of the table."""
        self._commits.watch(table, watch)

    @property
    def generation(self) -> int:
        """How many commits there were since the start (see commits.py)."""
        return self._commits.generation

    @property
    def waiting_writes(self) -> int:
        """How many writes wait for the writer thread."""
        return self._writer.waiting

    @property
    def _marker(self) -> Path:
        """There while the database is open: found at the start, it tells of an unclean stop."""
        return self._options.file.with_name(self._options.file.name + ".open")

    async def open(self) -> DatabaseState:
        """Open or make the database and migrate it.

        A damaged file leads to Degraded, not to an error. Raises ConflictError for a database of
        another program or of a newer version.
        """
        self._loop = asyncio.get_running_loop()
        unclean = self._marker.exists()
        try:
            await asyncio.to_thread(self._open_files, unclean=unclean)
        except (apsw.CorruptError, apsw.NotADBError) as error:
            self._open_what_can_be_read()
            self._degrade(str(error))
            return self._state
        except apsw.Error as error:
            self._open_what_can_be_read()
            self._degrade(f"the file is not damaged, but cannot be used: {error}", _MEND_PLACE)
            return self._state
        if unclean:
            self._enter(Checking())
            self._checking = asyncio.create_task(self._check())
        else:
            self._writer.open_gate()
            self._enter(Ready())
        return self._state

    def _open_files(self, *, unclean: bool) -> None:
        make_private(self._options.file.parent)
        backups.finish_put_back(self._options.file, self._clock)
        existed = self._options.file.exists() and self._options.file.stat().st_size > 0
        try:
            connection = open_writer(self._options.file)
        except ForeignDatabaseError:
            raise ConflictError(
                f"{self._options.file} is a database of another program; it was not touched.",
                hint="Name another workspace in INTAGLIO_WORKSPACE, or move that file away.",
            ) from None
        try:
            self._migrate(connection, existed=existed, unclean=unclean)
        except BaseException:
            connection.close()
            raise
        self._marker.touch()
        # The log that a killed process left may hold what it had erased.
        self._writer.start(connection, fold=unclean)
        self._open_readers()

    def _migrate(self, connection: apsw.Connection, *, existed: bool, unclean: bool) -> None:
        run(connection, "BEGIN IMMEDIATE")
        try:
            todo = migrations.pending(WriteTx(connection))
            run(connection, "COMMIT")
        except migrations.MigrationError as error:
            run(connection, "ROLLBACK")
            raise ConflictError(
                f"This database cannot be opened: {error}.",
                hint="Install the version of Intaglio that wrote it, or a newer one.",
            ) from error
        if todo and existed:
            if unclean and (fault := check(connection)):
                raise apsw.CorruptError(fault)
            backups.make_backup(self._options.file, self._options.backups, self._clock)
        for step in todo:
            run(connection, "BEGIN IMMEDIATE")
            migrations.apply(WriteTx(connection), step, self._clock)
            run(connection, "COMMIT")
        self._schema = migrations.ALL[-1].number

    def _open_readers(self) -> None:
        for _ in range(self._options.readers):
            self._readers.put(open_reader(self._options.file))
            self._open_connections += 1

    def _open_what_can_be_read(self) -> None:
        with contextlib.suppress(apsw.Error):
            self._open_readers()

    async def _check(self) -> None:
        fault = await asyncio.to_thread(self._quick_check)
        if fault:
            self._degrade(fault)
        elif isinstance(self._state, Checking):
            self._enter(Ready())
            self._writer.open_gate()

    def _quick_check(self) -> str:
        try:
            connection = open_reader(self._options.file)
        except apsw.Error as error:
            return str(error)
        try:
            return check(connection)
        finally:
            connection.close()

    def _enter(self, state: DatabaseState) -> None:
        self._state = state
        match state:
            case Degraded(reason):
                self._publish(StateChanged("degraded", reason))
            case Opening() | Checking():
                self._publish(StateChanged("checking"))
            case Ready():
                self._publish(StateChanged("ready"))
            case Closed():
                pass

    def _degrade(self, reason: str, hint: str | None = None) -> None:
        if isinstance(self._state, Degraded | Closed):
            return
        self._log.error("database only read", reason=reason)
        self._writer.refuse(
            UnavailableError(
                f"The database is only read, not written: {reason}",
                hint=hint or backups.restore_hint(),
            )
        )
        self._enter(Degraded(reason))

    def _damaged(self, reason: str) -> None:
        """Told by any thread that met damage."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._degrade, reason)

    @overload
    def write(self, work: Callable[[WriteTx], Coroutine[Any, Any, Any]]) -> Never: ...
    @overload
    def write(self, work: Callable[[WriteTx], T]) -> Awaitable[T]: ...
    def write(self, work: Callable[[WriteTx], Any]) -> Any:  # the overloads type it
        """Run ``work`` in one write transaction and return what it returns, once it is on disk.

        Raises what ``work`` raises (nothing of it is kept then), TypeError for a coroutine
        function, UnavailableError when the database cannot be written now.
        """
        if inspect.iscoroutinefunction(work):
            raise TypeError("a write takes a plain function: nothing may be awaited inside it")
        return self._writer.submit(work)

    async def read(self, work: Callable[[ReadTx], T]) -> T:
        """Run ``work`` on one snapshot in a reader thread and return what it returns.

        Raises UnavailableError when the database is not open or too damaged for this.
        """
        if isinstance(self._state, Opening | Closed):
            raise UnavailableError("The database is not open.", hint="Try again in a moment.")
        if not self._open_connections:
            raise UnavailableError(
                "The database is too damaged to be read.", hint=backups.restore_hint()
            )
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._read, work)

    def _read(self, work: Callable[[ReadTx], T]) -> T:
        try:
            connection = self._readers.get(timeout=_READER_WITHIN_S)
        except queue.Empty:
            raise UnavailableError(
                "The database is being exchanged, or all readers are busy.",
                hint="Try again in a moment.",
            ) from None
        try:
            # Read before the snapshot opens, so that the snapshot holds at least these commits.
            generation = self._commits.generation
            run(connection, "BEGIN")
            try:
                return work(ReadTx(connection, generation))
            finally:
                if connection.in_transaction:
                    run(connection, "ROLLBACK")
        except (apsw.CorruptError, apsw.NotADBError) as error:
            self._damaged(str(error))
            raise UnavailableError(
                f"The database is damaged: {error}", hint=backups.restore_hint()
            ) from error
        except apsw.ReadOnlyError as error:
            # Not even a reader can use a WAL whose folder it may not write; else it is our fault.
            if not isinstance(self._state, Degraded):
                raise
            raise UnavailableError(
                f"The database could not be read: {error}", hint=_MEND_PLACE
            ) from error
        except (apsw.IOError, apsw.BusyError, apsw.CantOpenError) as error:
            raise UnavailableError(
                f"The database could not be read: {error}", hint="Try again in a moment."
            ) from error
        finally:
            self._readers.put(connection)

    def list_backups(self) -> list[Backup]:
        """List the kept copies, newest first."""
        return backups.list_backups(self._options.backups)

    async def back_up(self, keep: int) -> Backup:
        """Make a checked copy and keep the newest ``keep``.

        Raises UnavailableError when the database is not ready or the copy fails.
        """
        if not isinstance(self._state, Ready):
            raise UnavailableError("Only a sound database is copied.", hint="Try again later.")
        try:
            made = await asyncio.to_thread(
                backups.make_backup, self._options.file, self._options.backups, self._clock
            )
        except (apsw.CorruptError, apsw.NotADBError) as error:
            self._degrade(str(error))
            raise UnavailableError(f"The copy is damaged: {error}") from error
        except (apsw.Error, OSError) as error:
            raise UnavailableError(
                f"The copy failed: {error}", hint="Check free disk space."
            ) from error
        await asyncio.to_thread(backups.rotate, self._options.backups, keep)
        return made

    async def restore(self, name: str | None = None) -> Restored:
        """Put a kept copy (the newest good one, or the named one) in the database's place.

        Writes that come meanwhile wait for the new one. Raises ConflictError when no copy is good
        and UnavailableError when it cannot be put in place; then the database is as it was.
        """
        async with self._exchanging:
            candidates = [each for each in self.list_backups() if name in (None, each.file.name)]
            if not candidates:
                called = f" called {name}" if name else ""
                raise ConflictError(f"There is no backup{called}.", hint=_AS_IT_WAS)
            outcome = await self._exchange(candidates)
        match outcome:
            case Restored():
                self._log.warning("database restored", backup=outcome.backup.file.name)
                return outcome
            case NoGoodBackup(tried):
                raise ConflictError(f"None of {tried} backups is good.", hint=_AS_IT_WAS)

    async def _exchange(self, candidates: list[Backup]) -> RestoreOutcome:
        self._state = Opening()
        fresh = Writer(self._publish, self._damaged, self._commits)
        old, self._writer = self._writer, fresh
        await self._release(old)
        try:
            outcome = await asyncio.to_thread(
                backups.put_back, self._options.file, candidates, self._clock
            )
        except OSError as error:
            await self.open()
            raise UnavailableError(
                f"The copy could not be put in place: {error}", hint=_AS_IT_WAS
            ) from error
        if isinstance(outcome, Restored):
            self._marker.unlink(missing_ok=True)
        try:
            await self.open()
        except ConflictError as error:
            self._degrade(error.detail, error.hint)
            raise
        self._commits.replaced()
        return outcome

    async def _release(self, writer: Writer) -> None:
        if self._checking is not None:
            self._checking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._checking
            self._checking = None
        # The writer goes last: a read-only connection that did could not fold the WAL back.
        await asyncio.to_thread(self._close_readers)
        await asyncio.to_thread(writer.stop)

    def _close_readers(self) -> None:
        while self._open_connections:
            self._readers.get().close()
            self._open_connections -= 1

    async def close(self) -> None:
        """Finish what waits, then close; the next start is a clean one unless it was damaged."""
        async with self._exchanging:
            clean = isinstance(self._state, Ready)
            await self._release(self._writer)
            self._state = Closed()
            self._pool.shutdown(wait=True)
            if clean:
                self._marker.unlink(missing_ok=True)

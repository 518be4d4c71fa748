"""The database as other packages use it: ``await write(work)``, ``await read(work)``, its state."""

import asyncio
import contextlib
import inspect
import queue
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final, Never, TypeVar, overload

import apsw

from intaglio.base.clock import Clock
from intaglio.base.errors import ConflictError, UnavailableError
from intaglio.base.events import Publish, StateChanged
from intaglio.base.files.writable import read_only_reason
from intaglio.base.log import get_logger
from intaglio.base.paths import make_private
from intaglio.store import backup as backups
from intaglio.store import migrations
from intaglio.store.backup_retention import in_order_of_restore
from intaglio.store.change_feed import ChangeFeed, ChangeListener
from intaglio.store.connection import (
    Findings,
    ForeignDatabaseError,
    check,
    check_file,
    interrupt_when,
    open_reader,
    open_writer,
    refuse_special_files,
)
from intaglio.store.files import rescue
from intaglio.store.files.file_identity import (
    FileFault,
    FileGuard,
    hint_right_after,
    hint_while_saving,
    log_of,
)
from intaglio.store.files.incident import FILE_CAUSES, hold_checkpoints, release_links, save_aside
from intaglio.store.files.known_databases import note_opened
from intaglio.store.files.read_only import find_readable, remove_copy
from intaglio.store.files.startup_check import DatabaseFiles, examine, hint_for
from intaglio.store.index_repair.rebuild import index_faults
from intaglio.store.index_repair.retry import IndexRepair
from intaglio.store.tx import Protect, ReadTx, WriteTx, run, unprotected
from intaglio.store.values import (
    Backup,
    Checking,
    Closed,
    DatabaseOptions,
    DatabaseState,
    Degraded,
    DegradedCause,
    NoGoodBackup,
    Opening,
    Ready,
    Restored,
)
from intaglio.store.writer import Writer, stopping_error

T = TypeVar("T")

_READER_TIMEOUT_S: Final = 10.0
_UNCHANGED: Final = "The database wasn't changed."
_CHECK_DISK: Final = hint_for("unavailable", "")


class Database:
    """One SQLite file with one writer thread and a pool of readers.

    ``write`` and ``read`` take a plain function, so nothing can be awaited inside a transaction.
    After an unclean stop, reading works immediately, and writes wait for the check. ``protect``
    takes secrets out of every text that a statement binds.
    """

    def __init__(
        self,
        options: DatabaseOptions,
        clock: Clock,
        publish: Publish,
        protect: Protect = unprotected,
    ) -> None:
        self._options = options
        self._protect = protect
        self._clock = clock
        self._publish = publish
        self._state: DatabaseState = Opening()
        self._commits = ChangeFeed()
        self._writer = self._new_writer()
        self._readers: queue.SimpleQueue[apsw.Connection] = queue.SimpleQueue()
        self._pool = ThreadPoolExecutor(options.readers, thread_name_prefix="intaglio-reader")
        self._checking: asyncio.Task[None] | None = None
        self._replacing = asyncio.Lock()
        self._interrupted = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._schema = 0
        self._open_connections = 0
        # A copy that takes too long for the stop is made from the hard links at the next start.
        self._is_saving = False
        self._index = IndexRepair(self.write)
        self._log = get_logger("store")

    def _new_writer(self) -> Writer:
        return Writer(self._publish, self._damaged, self._commits, self._file_fault, self._protect)

    @property
    def state(self) -> DatabaseState:
        """What the database can do now."""
        return self._state

    @property
    def schema_version(self) -> int:
        """The number of the newest applied migration."""
        return self._schema

    def as_stored(self, text: str) -> str:
        """Return a text as a statement stores it: without secrets."""
        return self._protect(text)

    def watch(self, table: str, watch: ChangeListener) -> None:
        """Call ``watch`` on the writer thread after each commit that touched rows of the table."""
        self._commits.watch(table, watch)

    @property
    def generation(self) -> int:
        """The number of commits since the start (see change_feed.py)."""
        return self._commits.generation

    @property
    def waiting_writes(self) -> int:
        """The number of writes waiting for the writer thread."""
        return self._writer.waiting

    @property
    def _marker(self) -> Path:
        """Exists while the database is open; if found at the start, the last stop was unclean."""
        return self._options.file.with_name(self._options.file.name + ".open")

    @property
    def _files(self) -> DatabaseFiles:
        # SQLite follows a symbolic link, and puts its log beside the file that it leads to.
        return DatabaseFiles(
            self._options.file.resolve(), self._options.backups, self._marker, self._options.known
        )

    async def open(self, *, create: bool = False) -> DatabaseState:
        """Open or create the database and migrate it.

        A damaged file leads to Degraded, not to an error, and so does a missing one that there
        are traces of, unless ``create`` allows a new one. Raises ConflictError for a database of
        another program or of a newer version, UnavailableError if `interrupt` cut it short.
        """
        self._loop = asyncio.get_running_loop()
        unclean = self._marker.exists()
        try:
            trouble = await asyncio.to_thread(self._open_files, unclean=unclean, create=create)
        except apsw.InterruptError:
            raise stopping_error() from None
        except (apsw.CorruptError, apsw.NotADBError) as error:
            self._open_readers_if_possible(self._options.file)
            self._degrade(str(error))
            return self._state
        except apsw.Error as error:
            self._open_readers_if_possible(self._options.file)
            self._degrade(f"the file can't be opened: {error}", "unavailable")
            return self._state
        if trouble is not None:
            if trouble.copy:
                self._open_readers_if_possible(self._options.backups / trouble.copy)
            self._enter_degraded(trouble)
        elif unclean:
            self._enter(Checking())
            self._checking = asyncio.create_task(self._check())
        else:
            self._writer.open_gate()
            self._enter(Ready())
        return self._state

    def _open_files(self, *, unclean: bool, create: bool) -> Degraded | None:
        refuse_special_files(self._options.file)
        remove_copy(self._options.private)
        if reason := read_only_reason(self._options.file):
            return self._open_read_only(reason)
        make_private(self._options.file.parent)
        if backups.finish_restore(self._options.file, self._clock):
            self._marker.unlink(missing_ok=True)
        if not create and (trouble := examine(self._files, self._clock)) is not None:
            return trouble
        existed = self._options.file.exists() and self._options.file.stat().st_size > 0
        connection = self._open_own(self._options.file)
        try:
            interrupt_when(connection, self._interrupted.is_set)
            self._migrate(connection, existed=existed, unclean=unclean)
            interrupt_when(connection, None)
            self._marker.write_bytes(b"")
            # The log that a killed process left may contain erased data.
            self._writer.start(connection, fold=unclean)
        except BaseException:
            connection.close()
            raise
        rescue.link(self._files.database, self._options.backups)
        note_opened(self._options.known, self._files.database)
        self._open_readers(self._options.file)
        return None

    def _open_read_only(self, reason: str) -> Degraded:
        try:
            found = find_readable(self._options, self._migrate_copy)
        except OSError as error:
            self._log.warning("couldn't read the database", error=str(error))
            found = None
        if found is not None:
            self._schema = self._options.schema[-1].number
            self._open_readers(found.file, immutable=found.immutable)
        return Degraded(reason, "read_only", hint_for("read_only", ""))

    def _migrate_copy(self, copy: Path) -> None:
        connection = self._open_own(copy)
        try:
            interrupt_when(connection, self._interrupted.is_set)
            self._migrate(connection, existed=False, unclean=False)
        finally:
            connection.close()

    def _open_own(self, file: Path) -> apsw.Connection:
        try:
            return open_writer(file)
        except ForeignDatabaseError:
            raise ConflictError(
                f"{self._options.file} belongs to another program. It wasn't changed.",
                hint="Set INTAGLIO_WORKSPACE to another folder, or move that file away.",
            ) from None

    def _migrate(self, connection: apsw.Connection, *, existed: bool, unclean: bool) -> None:
        run(connection, "BEGIN IMMEDIATE")
        try:
            todo = migrations.pending(WriteTx(connection), self._options.schema)
            run(connection, "COMMIT")
        except migrations.MigrationError as error:
            run(connection, "ROLLBACK")
            raise ConflictError(
                f"Can't open the database: {error}.",
                hint="Install the version of Intaglio that wrote it, or a newer one.",
            ) from error
        if todo and existed:
            if unclean and (fault := check(connection)):
                raise apsw.CorruptError(fault)
            backups.make_backup(
                self._options.file, self._options.backups, self._clock, self._interrupted.is_set
            )
        for step in todo:
            run(connection, "BEGIN IMMEDIATE")
            migrations.apply(WriteTx(connection), step, self._clock)
            run(connection, "COMMIT")
        self._schema = self._options.schema[-1].number

    def _open_readers(self, file: Path, *, immutable: bool = False) -> None:
        for _ in range(self._options.readers):
            self._readers.put(open_reader(file, immutable=immutable))
            self._open_connections += 1

    def _open_readers_if_possible(self, file: Path) -> None:
        with contextlib.suppress(apsw.Error):
            self._open_readers(file)

    async def _check(self) -> None:
        found, stopped = Findings(), self._interrupted.is_set
        with contextlib.suppress(apsw.InterruptError):
            # If it doesn't, the writer's thread finds the same and says what happened.
            if self.holds_file:
                found = await asyncio.to_thread(check_file, self._options.file, stopped)
        if stopped():
            return
        if not found.fault and isinstance(self._state, Checking):
            self._enter(Ready())
            self._writer.open_gate()
        await self.note_findings(found)

    async def note_findings(self, found: Findings) -> None:
        """Act on what a check of the file found: write no more, or rebuild the indexes."""
        if found.fault:
            self._degrade(found.fault)
        elif found.index_fault and isinstance(self._state, Ready):
            await self._index.repair_if_possible(found.index_fault)

    @property
    def holds_file(self) -> bool:
        """Whether the database's path still leads to the file that is open."""
        return self._writer.holds_file

    def _enter(self, state: DatabaseState) -> None:
        self._state = state
        match state:
            case Degraded(reason=reason):
                self._publish(StateChanged("degraded", reason))
            case Opening() | Checking():
                self._publish(StateChanged("checking"))
            case Ready():
                self._publish(StateChanged("ready"))
            case Closed():
                pass

    def _degrade(self, reason: str, cause: DegradedCause = "damaged", hint: str = "") -> None:
        if not isinstance(self._state, Degraded | Closed):
            self._enter_degraded(Degraded(reason, cause, hint or hint_for(cause, "")))

    def _enter_degraded(self, state: Degraded) -> None:
        self._log.error("database is read-only", reason=state.reason, cause=state.cause)
        self._writer.refuse(
            UnavailableError(f"The database is read-only: {state.reason}", hint=state.hint)
        )
        self._enter(state)

    def _from_thread(self, do: Callable[[], None]) -> None:
        if self._loop is not None:
            # After the end of the event loop nobody asks for the state any more.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(do)

    def _damaged(self, reason: str) -> None:
        """Called from any thread that detects damage."""
        self._from_thread(partial(self._degrade, reason))

    def _file_fault(
        self, fault: FileFault | None, connection: apsw.Connection, guard: FileGuard
    ) -> None:
        """Called from the writer's thread once it refuses writes, and when a fault has passed."""
        if fault is None:
            hold_checkpoints(connection, hold=False)
            self._from_thread(self._check_again)
            return
        state = Degraded(fault.reason, fault.cause, hint_right_after(fault))
        self._from_thread(partial(self._found, state))
        if fault.cause == "unwritable":
            return
        if fault.cause == "unavailable":
            hold_checkpoints(connection, hold=True)
            return
        self._is_saving = True
        state = save_aside(fault, connection, guard, self._files, self._clock)
        self._is_saving = False
        self._from_thread(partial(self._saved_aside, state))

    def _found(self, state: Degraded) -> None:
        match self._state:
            case Degraded(cause="unavailable" | "unwritable"):
                self._enter_degraded(state)
            case _:
                self._degrade(state.reason, state.cause, state.hint)

    def _check_again(self) -> None:
        """Write again, after files that were out of reach have been checked."""
        match self._state:
            case Degraded(cause="unwritable"):
                self._writer.resume()
                self._enter(Ready())
                self._writer.open_gate()
            case Degraded(cause="unavailable" | "removed"):
                with contextlib.suppress(OSError):
                    self._marker.write_bytes(b"")
                self._writer.resume()
                self._enter(Checking())
                self._checking = asyncio.create_task(self._check())
            case _:
                pass

    def _saved_aside(self, state: Degraded) -> None:
        if isinstance(self._state, Degraded):
            self._enter_degraded(state)

    @overload
    def write(self, work: Callable[[WriteTx], Coroutine[Any, Any, Any]]) -> Never: ...
    @overload
    def write(self, work: Callable[[WriteTx], T]) -> Awaitable[T]: ...
    def write(self, work: Callable[[WriteTx], Any]) -> Any:  # the overloads type it
        """Run ``work`` in one write transaction and return its result once it is on disk.

        Raises what ``work`` raises (then nothing is written), TypeError for a coroutine function,
        UnavailableError if the database can't be written now.
        """
        if inspect.iscoroutinefunction(work):
            raise TypeError(
                "write() takes a plain function: nothing may be awaited inside a transaction"
            )
        return self._writer.submit(work)

    async def read(self, work: Callable[[ReadTx], T]) -> T:
        """Run ``work`` on one snapshot in a reader thread and return its result.

        If it meets a damaged full-text index, it runs again once that is rebuilt. Raises
        UnavailableError if the database isn't open or is too damaged.
        """
        if isinstance(self._state, Opening | Closed):
            raise UnavailableError("The database isn't open.", hint="Try again in a moment.")
        if not self._open_connections:
            raise UnavailableError("The database can't be read.", hint=self._hint)
        run_in_thread = asyncio.get_running_loop().run_in_executor
        return await self._index.retry(lambda: run_in_thread(self._pool, self._read, work))

    def _read(self, work: Callable[[ReadTx], T]) -> T:
        try:
            connection = self._readers.get(timeout=_READER_TIMEOUT_S)
        except queue.Empty:
            raise UnavailableError(
                "The database is being restored, or all readers are busy.",
                hint="Try again in a moment.",
            ) from None
        try:
            # Read before the snapshot opens, so that the snapshot contains at least these commits.
            generation = self._commits.generation
            run(connection, "BEGIN")
            try:
                with index_faults():
                    return work(ReadTx(connection, generation, self._protect))
            finally:
                if connection.in_transaction:
                    run(connection, "ROLLBACK")
        except (apsw.CorruptError, apsw.NotADBError) as error:
            self._damaged(str(error))
            raise UnavailableError(
                f"The database is damaged: {error}", hint=backups.restore_hint()
            ) from error
        except apsw.ReadOnlyError as error:
            # A reader can't use a WAL in a folder without write permission; otherwise it is our
            # fault.
            if not isinstance(self._state, Degraded):
                raise
            raise UnavailableError(
                f"Couldn't read the database: {error}", hint=_CHECK_DISK
            ) from error
        except (apsw.IOError, apsw.BusyError, apsw.CantOpenError) as error:
            raise UnavailableError(
                f"Couldn't read the database: {error}", hint="Try again in a moment."
            ) from error
        finally:
            self._readers.put(connection)

    @property
    def _hint(self) -> str:
        return self._state.hint if isinstance(self._state, Degraded) else backups.restore_hint()

    def list_copies(self) -> list[Backup]:
        """List the backups and the copies that were saved aside, newest first."""
        rescued = rescue.list_rescued(self._options.backups, self._clock)
        return rescue.newest_first([*rescued, *self.list_backups()])

    def list_backups(self) -> list[Backup]:
        """List the backups, newest first."""
        return backups.list_backups(self._options.backups, self._clock)

    async def back_up(self, keep: int | None) -> Backup:
        """Create a checked backup, then rotate: the newest ``keep`` and the last good one stay.

        With None, no backup is deleted.

        Raises UnavailableError if the database isn't ready or the backup fails.
        """
        if not isinstance(self._state, Ready):
            raise UnavailableError(
                "The database isn't ready for a backup.", hint="Try again later."
            )
        self._require_own_file()
        try:
            made = await asyncio.to_thread(
                backups.make_backup,
                self._options.file,
                self._options.backups,
                self._clock,
                self._interrupted.is_set,
            )
        except apsw.InterruptError:
            raise stopping_error() from None
        except (apsw.CorruptError, apsw.NotADBError) as error:
            self._degrade(str(error))
            raise UnavailableError(f"The backup is damaged: {error}") from error
        except (apsw.Error, OSError) as error:
            raise UnavailableError(
                f"The backup failed: {error}", hint="Check free disk space."
            ) from error
        try:
            self._require_own_file()
        except UnavailableError:
            # It may be a copy of another file.
            made.file.unlink(missing_ok=True)
            raise
        if keep is not None:
            await asyncio.to_thread(backups.rotate, self._options.backups, keep, self._clock)
        return made

    def _require_own_file(self) -> None:
        if not self.holds_file:
            raise UnavailableError(
                "The backup wasn't made: the database file was replaced or removed.",
                hint=hint_while_saving(),
            )

    async def restore(self, name: str | None = None) -> Restored:
        """Replace the database by a backup: the newest good one with memories, or the named one.

        A backup that is dated in the future is taken only by its name.

        Writes wait for the new database. Raises ConflictError if no backup is good and
        UnavailableError if it can't be put in place; then the database is unchanged.
        """
        async with self._replacing:
            copies = in_order_of_restore(self.list_copies())
            candidates = [each for each in copies if name in (None, each.file.name)]
            if not candidates:
                called = f" called {name}" if name else ""
                raise ConflictError(f"There is no backup{called}.", hint=_UNCHANGED)
            outcome = await self._replace(
                lambda: backups.restore(
                    self._options.file, candidates, self._clock, named=name is not None
                )
            )
        if isinstance(outcome, NoGoodBackup):
            raise ConflictError(outcome.explain(), hint=_UNCHANGED)
        self._log.warning("database restored", backup=outcome.backup.file.name)
        return outcome

    async def create_empty(self) -> None:
        """Create an empty database in the place of a missing one; what is left of it is kept.

        Raises ConflictError if no database is missing.
        """
        async with self._replacing:
            if not (isinstance(self._state, Degraded) and self._state.cause == "missing"):
                raise ConflictError("No database is missing.", hint=_UNCHANGED)
            log, kept = log_of(self._files.database), self._options.backups
            await self._replace(partial(rescue.move_log_aside, log, kept, self._clock), create=True)
        self._log.warning("empty database created in place of a missing one")

    async def _replace(self, put: Callable[[], T], *, create: bool = False) -> T:
        before, self._state = self._state, Opening()
        old, self._writer = self._writer, self._new_writer()
        await self._release(old, before)
        try:
            await asyncio.to_thread(release_links, before, self._files, self._clock)
            outcome = await asyncio.to_thread(put)
        except OSError as error:
            await self.open()
            raise UnavailableError(
                f"Couldn't replace the database: {error}", hint=_UNCHANGED
            ) from error
        if not isinstance(outcome, NoGoodBackup):
            self._marker.unlink(missing_ok=True)
        try:
            await self.open(create=create)
        except ConflictError as error:
            self._degrade(error.detail, hint=error.hint)
            raise
        self._commits.notify_replaced()
        return outcome

    def interrupt(self) -> None:
        """Give up opening, migrating, checking and backing up, because the daemon is stopping.

        Writes that wait for the check are refused. Called from the event loop.
        """
        self._interrupted.set()
        if isinstance(self._state, Opening | Checking):
            self._writer.refuse(stopping_error())

    async def _release(self, writer: Writer, state: DatabaseState) -> None:
        if not isinstance(state, Degraded):
            # SQLite deletes the log with the last connection.
            await asyncio.to_thread(rescue.unlink_log, self._options.backups)
        if self._checking is not None:
            self._checking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._checking
            self._checking = None
        # The writer closes last: if a read-only connection did, it couldn't checkpoint the WAL.
        await asyncio.to_thread(self._close_readers)
        await asyncio.to_thread(writer.stop)

    def _close_readers(self) -> None:
        while self._open_connections:
            self._readers.get().close()
            self._open_connections -= 1

    async def close(self) -> None:
        """Finish pending writes, then close; the next start is clean unless damaged."""
        async with self._replacing:
            # What the writer's thread has found is on its way to this loop; it may find more.
            await asyncio.sleep(0)
            await self._release(self._writer, self._state)
            state, self._state = self._state, Closed()
            self._pool.shutdown(wait=True)
            await asyncio.to_thread(remove_copy, self._options.private)
            accepted = isinstance(state, Degraded) and state.cause in FILE_CAUSES
            if isinstance(state, Ready) or (accepted and not self._is_saving):
                # Whoever restarts the daemon accepts the files as they are by now.
                release_links(state, self._files, self._clock)
                self._marker.unlink(missing_ok=True)

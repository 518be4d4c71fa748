"""The writer thread: a bounded queue, and one commit for all writes that are waiting."""

import asyncio
import contextlib
import inspect
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import apsw

from intaglio.base.errors import UnavailableError
from intaglio.base.events import BusEvent, Publish
from intaglio.base.log import get_logger
from intaglio.base.process.threads import WRITER_THREAD
from intaglio.store.backup import restore_hint
from intaglio.store.change_feed import ChangeFeed
from intaglio.store.checkpoints import Checkpoints
from intaglio.store.connection import BUSY_MS, open_beside, pragma
from intaglio.store.files.file_identity import FileFault, FileGuard, hint_right_after
from intaglio.store.index_repair.rebuild import index_error, is_index_fault, rebuild
from intaglio.store.tx import Protect, WriteTx, run, unprotected
from intaglio.store.values import DegradedCause

_MAX_QUEUED = 10_000
_MAX_GROUP = 64
_EMPTY_ATTEMPTS = 20
_EMPTY_PAUSE_S = 0.01
# How often the files are looked at while nothing is written.
_WATCH_S = 2.0
_CANNOT_WRITE = (apsw.FullError, apsw.IOError, apsw.ReadOnlyError, apsw.CantOpenError)
# After these faults, others may still be found.
_PASSING: frozenset[DegradedCause] = frozenset({"unavailable", "unwritable"})


def _refusal_for(fault: FileFault) -> UnavailableError:
    return UnavailableError(
        f"The database is read-only: {fault.reason}", hint=hint_right_after(fault)
    )


@dataclass(slots=True)
class _Job:
    work: Callable[[WriteTx], Any]
    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[Any]"
    events: list[BusEvent]
    result: Any = None
    error: BaseException | None = None


def stopping_error() -> UnavailableError:
    """Return the error of what a stop of the daemon cut short."""
    return UnavailableError("The daemon is stopping.", hint="Try again shortly.")


class Writer:
    """Runs each write in BEGIN IMMEDIATE, in order of arrival.

    Writes that wait at the same time share one commit; one that fails is rolled back alone. A
    write's future resolves only after its commit has reached the disk. ``on_file_fault`` is told
    what happened to the files, and None while they are again the ones that are open.
    """

    def __init__(
        self,
        publish: Publish,
        on_damage: Callable[[str], None],
        commits: ChangeFeed,
        on_file_fault: Callable[[FileFault | None, apsw.Connection, FileGuard], None],
        protect: Protect = unprotected,
    ) -> None:
        self._protect = protect
        self._publish = publish
        self._commits = commits
        self._on_file_fault = on_file_fault
        self._on_damage = on_damage
        self._queue: queue.Queue[_Job | None] = queue.Queue(_MAX_QUEUED)
        self._gate = threading.Event()
        self._refusal: UnavailableError | None = None
        self._thread: threading.Thread | None = None
        self._must_empty_log = False
        self._guard: FileGuard | None = None
        self._file_fault: FileFault | None = None
        self._write_fault: FileFault | None = None
        self._log = get_logger("store")

    @property
    def waiting(self) -> int:
        """The number of waiting writes."""
        return self._queue.qsize()

    @property
    def holds_file(self) -> bool:
        """Whether the database's path still leads to the file that is open."""
        return self._guard is None or self._guard.holds_file()

    def start(self, connection: apsw.Connection, *, fold: bool = False) -> None:
        """Start the thread, which takes over the connection and closes it at the end.

        With ``fold``, the log is emptied after the first write. Raises OSError if the files can't
        be examined.
        """
        self._refusal = None
        self._file_fault = self._write_fault = None
        self._commits.follow(connection)
        file = Path(connection.filename)
        self._guard = guard = FileGuard(connection, file)
        checkpoints = Checkpoints(partial(open_beside, file), guard)
        checkpoints.follow(connection)
        self._must_empty_log = fold
        self._gate.clear()
        self._thread = threading.Thread(
            target=self._loop,
            args=(connection, checkpoints, guard),
            name=WRITER_THREAD,
            daemon=True,
        )
        self._thread.start()

    def open_gate(self) -> None:
        """Let waiting writes run."""
        self._gate.set()

    def resume(self) -> None:
        """Accept writes again after a fault that has passed; they wait for `open_gate`."""
        self._gate.clear()
        self._file_fault = self._write_fault = None
        self._refusal = None

    def refuse(self, reason: UnavailableError) -> None:
        """Fail all waiting and future writes with this error."""
        self._refusal = reason
        self._gate.set()
        if self._thread is None:
            self._drop(reason)

    def stop(self, seconds: float = 10) -> None:
        """Finish waiting writes, stop the thread and close the connection; refuse later writes.

        Writes that never could run, because the gate is closed, are refused too.
        """
        stopping = stopping_error()
        if not self._gate.is_set():
            self.refuse(stopping)
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join(seconds)
            self._thread = None
        self.refuse(self._refusal or stopping)

    def _drop(self, reason: UnavailableError) -> None:
        """Fail writes that wait for a stopped thread, so that nobody waits forever."""
        left: list[_Job] = []
        with contextlib.suppress(queue.Empty):
            while True:
                job = self._queue.get_nowait()
                if job is not None:
                    job.error = reason
                    left.append(job)
        if left:
            self._deliver(left)

    def submit(self, work: Callable[[WriteTx], Any]) -> "asyncio.Future[Any]":
        """Queue a write from the running event loop and return its future.

        Raises UnavailableError if writing is refused or too many writes wait.
        """
        if self._refusal is not None:
            raise self._refusal
        loop = asyncio.get_running_loop()
        job = _Job(work, loop, loop.create_future(), [])
        try:
            self._queue.put_nowait(job)
        except queue.Full:
            raise UnavailableError(
                f"More than {_MAX_QUEUED} writes are queued.", hint="Slow down and try again."
            ) from None
        return job.future

    def _loop(
        self, connection: apsw.Connection, checkpoints: Checkpoints, guard: FileGuard
    ) -> None:
        running = True
        while running:
            group: list[_Job] = []
            try:
                first = self._queue.get(timeout=_WATCH_S)
            except queue.Empty:
                self._watch(connection, checkpoints, guard)
                continue
            self._gate.wait()
            running = self._gather(first, group)
            if group:
                self._run(connection, group)
                fault = self._fault_after_commit(group, checkpoints, guard)
                self._deliver(group)
                if fault is not None:
                    self._on_file_fault(fault, connection, guard)
                if self._refusal is None:
                    self._shorten_log(connection, checkpoints, guard)
        checkpoints.stop()
        connection.close()
        guard.close()

    def _watch(
        self, connection: apsw.Connection, checkpoints: Checkpoints, guard: FileGuard
    ) -> None:
        """Look at the files while nothing is written, and empty the log if a reader was in the way.

        What was erased must not stay in the log until somebody writes again.
        """
        known = self._file_fault
        fault = self._find_fault(guard, thorough=True)
        if fault is not None:
            self._on_file_fault(fault, connection, guard)
        elif known is not None and self._has_passed(known, connection, guard):
            guard.note_commit(checkpoints.pages)
            self._on_file_fault(None, connection, guard)
        if self._must_empty_log and self._refusal is None and self._gate.is_set():
            self._shorten_log(connection, checkpoints, guard)

    def _find_fault(self, guard: FileGuard, *, thorough: bool = False) -> FileFault | None:
        """Compare the files, until they differ: also after damage, which may come from that."""
        known = self._file_fault
        if known is not None and known.cause not in _PASSING:
            return None
        fault = guard.fault(thorough=thorough)
        if fault is None:
            fault = self._write_fault
        else:
            # It explains why a write failed.
            self._write_fault = None
        if fault is None or (known is not None and known.cause == fault.cause):
            return None
        self._file_fault = fault
        self._refusal = _refusal_for(fault)
        return fault

    def _has_passed(self, known: FileFault, connection: apsw.Connection, guard: FileGuard) -> bool:
        """Check whether the paths lead to the open files again, with all that was acknowledged.

        A file that was elsewhere must not have been written to there.
        """
        match known.cause:
            case "unwritable":
                return self._can_write(connection)
            case "unavailable":
                return guard.fault(thorough=True) is None
            case "removed":
                return guard.is_untouched() and guard.fault(thorough=True) is None
            case _:
                return False

    def _can_write(self, connection: apsw.Connection) -> bool:
        """Write a page as it is, to find out whether a commit succeeds again."""
        try:
            run(connection, "BEGIN IMMEDIATE")
            version = pragma(connection, "user_version")
            pragma(connection, f"user_version = {version}")
            run(connection, "COMMIT")
        except apsw.Error:
            self._undo(connection)
            return False
        return True

    def _fault_after_commit(
        self, group: list[_Job], checkpoints: Checkpoints, guard: FileGuard
    ) -> FileFault | None:
        """Fail the writes of a group that went to files that nobody finds again."""
        guard.note_commit(checkpoints.pages)
        fault = self._find_fault(guard)
        # What a failed write didn't prevent from being committed is on disk.
        if fault is not None and fault.cause != "unwritable":
            for job in group:
                job.error = job.error or self._refusal
        return fault

    def _shorten_log(
        self, connection: apsw.Connection, checkpoints: Checkpoints, guard: FileGuard
    ) -> None:
        if self._must_empty_log:
            with checkpoints.one_at_a_time:
                emptied = self._empty_log(connection)
                guard.note_checkpoint()
            if emptied:
                checkpoints.note_emptied()
                guard.note_commit(0)
        checkpoints.checkpoint_if_long(connection)

    def _empty_log(self, connection: apsw.Connection) -> bool:
        """Empty the log, as a write requested; return whether it is empty.

        It waits for a reader that holds the log only while no write is queued; otherwise it is
        tried again after the next write or pause.
        """
        connection.set_busy_timeout(0)
        try:
            for _ in range(_EMPTY_ATTEMPTS):
                busy, *_ = run(connection, "PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
                self._must_empty_log = bool(busy)
                if not busy or not self._queue.empty():
                    break
                time.sleep(_EMPTY_PAUSE_S)
        except apsw.Error as error:
            self._log.warning("emptying the log failed", error=str(error))
        finally:
            connection.set_busy_timeout(BUSY_MS)
        return not self._must_empty_log

    def _gather(self, first: _Job | None, group: list[_Job]) -> bool:
        job = first
        while job is not None:
            group.append(job)
            if len(group) == _MAX_GROUP:
                return True
            try:
                job = self._queue.get_nowait()
            except queue.Empty:
                return True
        return False

    def _run(self, connection: apsw.Connection, group: list[_Job]) -> None:
        if self._refusal is not None:
            for job in group:
                job.error = self._refusal
            return
        try:
            try:
                self._commit(connection, group)
            except apsw.Error as error:
                if not is_index_fault(error):
                    raise
                self._undo(connection)
                self._rebuild_index(connection, error)
                self._commit(connection, group)
        # A worker loop: any error of a commit is passed on to its callers.
        except Exception as error:  # noqa: BLE001
            self._undo(connection)
            failure = self._translate(error)
            for job in group:
                job.error = job.error or failure

    def _commit(self, connection: apsw.Connection, group: list[_Job]) -> None:
        run(connection, "BEGIN IMMEDIATE")
        for job in group:
            self._step(connection, job)
        run(connection, "COMMIT")
        self._commits.notify_committed()

    def _rebuild_index(self, connection: apsw.Connection, error: apsw.Error) -> None:
        self._log.warning("rebuilding the full-text indexes", reason=str(error))
        run(connection, "BEGIN IMMEDIATE")
        rebuild(WriteTx(connection))
        run(connection, "COMMIT")

    def _step(self, connection: apsw.Connection, job: _Job) -> None:
        tx = WriteTx(connection, self._protect)
        run(connection, "SAVEPOINT work")
        try:
            job.result = job.work(tx)
            if inspect.isawaitable(job.result):
                close = getattr(job.result, "close", None)
                if close is not None:
                    close()
                raise TypeError("the write must be a plain function without await")  # noqa: TRY301 - same path as the work's own failure
        # A worker loop: the failure is passed on to the caller of `write`.
        except Exception as error:
            if connection.in_transaction:
                run(connection, "ROLLBACK TO work")
                run(connection, "RELEASE work")
            if is_index_fault(error):
                raise
            job.result, job.error = None, self._translate(error)
            if not connection.in_transaction:
                raise
        else:
            run(connection, "RELEASE work")
            job.error = None
            job.events = tx.take_events()
            self._must_empty_log = self._must_empty_log or tx.empties_log

    def _undo(self, connection: apsw.Connection) -> None:
        self._commits.discard()
        if connection.in_transaction:
            run(connection, "ROLLBACK")

    def _translate(self, error: Exception) -> Exception:
        if is_index_fault(error):
            return index_error()
        match error:
            case apsw.CorruptError() | apsw.NotADBError():
                self._on_damage(str(error))
                return UnavailableError(f"The database is damaged: {error}", hint=restore_hint())
            case (
                apsw.FullError()
                | apsw.IOError()
                | apsw.ReadOnlyError()
                | apsw.CantOpenError()
                | apsw.BusyError()
            ):
                self._log.error("write failed", error=str(error))
                if isinstance(error, _CANNOT_WRITE):
                    is_full = isinstance(error, apsw.FullError)
                    reason = "The disk is full." if is_full else f"Writing fails: {error}."
                    self._write_fault = FileFault("unwritable", reason)
                return UnavailableError(
                    f"Couldn't write to the database: {error}",
                    hint="Check free disk space and the permissions of the workspace folder.",
                )
            case _:
                return error

    def _deliver(self, group: list[_Job]) -> None:
        try:
            group[0].loop.call_soon_threadsafe(self._settle, group)
        except RuntimeError:
            # The loop is closed: nobody waits any more, and what was committed stays committed.
            self._log.warning("writes finished after the event loop closed", count=len(group))

    def _settle(self, group: list[_Job]) -> None:
        for job in group:
            if not job.future.cancelled():
                if job.error is None:
                    job.future.set_result(job.result)
                else:
                    job.future.set_exception(job.error)
            if job.error is None:
                for event in job.events:
                    self._publish(event)

"""The one thread that writes: a bounded queue, and one commit for all that waits."""

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
from intaglio.base.threads import WRITER_THREAD
from intaglio.store.backup import restore_hint
from intaglio.store.change_feed import ChangeFeed
from intaglio.store.checkpoints import Checkpoints
from intaglio.store.connection import BUSY_MS, open_beside
from intaglio.store.tx import WriteTx, run

_MAX_WAITING = 10_000
_MAX_GROUP = 64
_FOLD_TRIES = 20
_FOLD_PAUSE_S = 0.01


@dataclass(slots=True)
class _Job:
    work: Callable[[WriteTx], Any]
    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[Any]"
    events: list[BusEvent]
    result: Any = None
    error: BaseException | None = None


class Writer:
    """Runs each work in BEGIN IMMEDIATE, in the order of arrival.

    Works that wait at the same time share one commit; one that fails is rolled back alone. A
    work's future resolves only after its commit has reached the disk.
    """

    def __init__(
        self, publish: Publish, on_damage: Callable[[str], None], commits: ChangeFeed | None = None
    ) -> None:
        self._publish = publish
        self._commits = commits or ChangeFeed()
        self._on_damage = on_damage
        self._queue: queue.Queue[_Job | None] = queue.Queue(_MAX_WAITING)
        self._gate = threading.Event()
        self._refusal: UnavailableError | None = None
        self._thread: threading.Thread | None = None
        self._must_fold = False
        self._log = get_logger("store")

    @property
    def waiting(self) -> int:
        """How many works wait."""
        return self._queue.qsize()

    def start(self, connection: apsw.Connection, *, fold: bool = False) -> None:
        """Start the thread; it takes the connection over and closes it at the end.

        With ``fold`` the log is emptied after the first work.
        """
        self._refusal = None
        self._commits.follow(connection)
        checkpoints = Checkpoints(partial(open_beside, Path(connection.filename)))
        checkpoints.follow(connection)
        self._must_fold = fold
        self._gate.clear()
        self._thread = threading.Thread(
            target=self._loop, args=(connection, checkpoints), name=WRITER_THREAD, daemon=True
        )
        self._thread.start()

    def open_gate(self) -> None:
        """Let the works that wait run."""
        self._gate.set()

    def refuse(self, reason: UnavailableError) -> None:
        """Fail all works that wait and all that come, with this error."""
        self._refusal = reason
        self._gate.set()
        if self._thread is None:
            self._drop(reason)

    def stop(self, seconds: float = 10) -> None:
        """Finish what waits, end the thread and close the connection; what comes then is refused.

        Works that never could run, because the gate is shut, are refused too.
        """
        stopping = UnavailableError("The daemon is stopping.", hint="Try again shortly.")
        if not self._gate.is_set():
            self.refuse(stopping)
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join(seconds)
            self._thread = None
        self.refuse(self._refusal or stopping)

    def _drop(self, reason: UnavailableError) -> None:
        """Fail what waits for a thread that does not run, so that nobody waits for ever."""
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
        """Queue a work of the running event loop and return its future.

        Raises UnavailableError when writing is refused or too many works wait.
        """
        if self._refusal is not None:
            raise self._refusal
        loop = asyncio.get_running_loop()
        job = _Job(work, loop, loop.create_future(), [])
        try:
            self._queue.put_nowait(job)
        except queue.Full:
            raise UnavailableError(
                f"{_MAX_WAITING} writes wait already.", hint="Slow down and try again."
            ) from None
        return job.future

    def _loop(self, connection: apsw.Connection, checkpoints: Checkpoints) -> None:
        running = True
        while running:
            group: list[_Job] = []
            first = self._queue.get()
            self._gate.wait()
            running = self._gather(first, group)
            if group:
                self._run(connection, group)
                self._deliver(group)
                if self._must_fold and self._refusal is None:
                    with checkpoints.one_at_a_time:
                        self._fold(connection)
                checkpoints.look(connection)
        checkpoints.stop()
        connection.close()

    def _fold(self, connection: apsw.Connection) -> None:
        """Empty the log, as a work asked for.

        A reader that holds it is waited for only while nobody wants to write; then later works
        try again.
        """
        connection.set_busy_timeout(0)
        try:
            for _ in range(_FOLD_TRIES):
                busy, *_ = run(connection, "PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
                self._must_fold = bool(busy)
                if not busy or not self._queue.empty():
                    break
                time.sleep(_FOLD_PAUSE_S)
        except apsw.Error as error:
            self._log.warning("the log could not be emptied", error=str(error))
        finally:
            connection.set_busy_timeout(BUSY_MS)

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
            run(connection, "BEGIN IMMEDIATE")
            for job in group:
                self._step(connection, job)
            run(connection, "COMMIT")
            self._commits.committed()
        # A worker loop: whatever a commit raises belongs to those who wait for it.
        except Exception as error:  # noqa: BLE001
            self._undo(connection)
            failure = self._translate(error)
            for job in group:
                job.error = job.error or failure

    def _step(self, connection: apsw.Connection, job: _Job) -> None:
        tx = WriteTx(connection)
        run(connection, "SAVEPOINT work")
        try:
            job.result = job.work(tx)
            if inspect.isawaitable(job.result):
                close = getattr(job.result, "close", None)
                if close is not None:
                    close()
                raise TypeError("a write must be a plain function: it ran into an await")  # noqa: TRY301 - same path as the work's own failure
        # A worker loop: the failure is handed to the caller of write.
        except Exception as error:
            if connection.in_transaction:
                run(connection, "ROLLBACK TO work")
                run(connection, "RELEASE work")
            job.result, job.error = None, self._translate(error)
            if not connection.in_transaction:
                raise
        else:
            run(connection, "RELEASE work")
            job.events = tx.take_events()
            self._must_fold = self._must_fold or tx.folds

    def _undo(self, connection: apsw.Connection) -> None:
        self._commits.undone()
        if connection.in_transaction:
            run(connection, "ROLLBACK")

    def _translate(self, error: Exception) -> Exception:
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
                return UnavailableError(
                    f"The database could not be written: {error}",
                    hint="Check free disk space and the rights on the workspace folder.",
                )
            case _:
                return error

    def _deliver(self, group: list[_Job]) -> None:
        try:
            group[0].loop.call_soon_threadsafe(self._settle, group)
        except RuntimeError:
            # The loop is closed: nobody waits any more, and what was committed stays committed.
            self._log.warning("writes finished after the loop", count=len(group))

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

"""Checkpoints the write-ahead log on a separate thread and connection."""

import threading
from collections.abc import Callable
from typing import Final, cast

import apsw

from intaglio.base.log import get_logger
from intaglio.store.files.file_identity import FileGuard
from intaglio.store.tx import run

# The log is checkpointed from this many 4 kB pages on. The few pages written meanwhile are
# checkpointed immediately after, because only a fully checkpointed log restarts from its beginning.
_MIN_PAGES: Final = 1_000
_MIN_GROWTH: Final = 500
_PASSES: Final = 2
# The log gets this long only if writes never pause; then the writer checkpoints the rest itself.
_MAX_PAGES: Final = 4_000


class Checkpoints:
    """Keeps the log short without making any commit wait (decision record 0024).

    The writer reports its commits; ``beside`` opens the checkpoint connection when first needed.
    Nothing is checkpointed while ``guard`` finds that the files aren't the ones that were opened.
    """

    def __init__(
        self,
        beside: Callable[[], apsw.Connection],
        guard: FileGuard | None = None,
    ) -> None:
        self._beside = beside
        self._guard = guard
        self._pages = 0
        self._tried = 0
        self._force_at = _MAX_PAGES
        self._wake = threading.Event()
        self._stopping = False
        self._thread_failed = False
        self._thread: threading.Thread | None = None
        self.one_at_a_time = threading.Lock() if guard is None else guard.checkpointing
        self._log = get_logger("store")

    @property
    def pages(self) -> int:
        """The length of the log after the latest commit, in pages."""
        return self._pages

    def follow(self, writer: apsw.Connection) -> None:
        """Record the log's length after each commit, in place of SQLite's automatic checkpoints."""
        # SQLite's automatic checkpoint is itself such a hook, and this one replaces it.
        writer.set_wal_hook(self._note)

    def _note(self, _connection: apsw.Connection, _database: str, pages: int) -> int:
        self._pages = pages
        return 0

    def note_emptied(self) -> None:
        """Record that the log was emptied, until the next commit reports its length."""
        self._pages = 0

    def checkpoint_if_long(self, writer: apsw.Connection) -> None:
        """Check whether the log is long; call between transactions on the writer's thread."""
        pages = self._pages
        if pages < self._tried:
            # The log was restarted from its beginning.
            self._tried, self._force_at = 0, _MAX_PAGES
        if pages >= self._force_at:
            self._force_at = pages + _MIN_PAGES
            with self.one_at_a_time:
                self._checkpoint(writer)
        elif pages >= _MIN_PAGES and pages >= self._tried + _MIN_GROWTH:
            self._start()
            self._wake.set()

    def _start(self) -> None:
        if self._thread is not None or self._thread_failed:
            return
        thread = threading.Thread(target=self._loop, name="intaglio-checkpoints", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:
            # The system is out of threads, which must not stop the writer's own thread.
            self._thread_failed = True
            self._log.warning("can't start the checkpoint thread", error=str(error))
        else:
            self._thread = thread

    def stop(self, seconds: float = 10) -> None:
        """Stop the thread and close its connection, before the writer's is closed."""
        self._stopping = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(seconds)

    def _loop(self) -> None:
        if self._guard is not None and not self._guard.holds_file():
            # SQLite would reset the shared memory of the open connections for the wrong file.
            return
        try:
            connection = self._beside()
        except apsw.Error as error:
            # The writer then checkpoints when the log reaches its maximum length.
            self._log.warning("can't open the checkpoint connection", error=str(error))
            return
        try:
            while True:
                self._wake.wait()
                self._wake.clear()
                if self._stopping:
                    return
                self._passes(connection)
        finally:
            connection.close()

    def _passes(self, connection: apsw.Connection) -> None:
        for _ in range(_PASSES):
            with self.one_at_a_time:
                checkpointed = self._checkpoint(connection)
            if checkpointed >= self._pages or self._stopping:
                return

    def _checkpoint(self, connection: apsw.Connection) -> int:
        """Checkpoint what no reader's snapshot still needs; return the last checkpointed page."""
        self._tried = self._pages
        if self._guard is not None and not self._guard.is_unchanged():
            return self._tried
        try:
            _, _, checkpointed = run(connection, "PRAGMA wal_checkpoint(PASSIVE)").fetchall()[0]
        except apsw.Error as error:
            # The commits are safe in the log, and the next growth triggers another attempt.
            self._log.warning("checkpoint failed", error=str(error))
            return self._tried
        finally:
            if self._guard is not None:
                self._guard.note_checkpoint()
        return cast("int", checkpointed)

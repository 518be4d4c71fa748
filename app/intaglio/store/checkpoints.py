"""Folds the write-ahead log into the database, on a thread and a connection of its own."""

import threading
from collections.abc import Callable
from typing import Final, cast

import apsw

from intaglio.base.log import get_logger
from intaglio.store.tx import run

# From so many pages of 4 kB on the log is folded; what comes meanwhile is few pages, and is
# folded at once, for only a log that is folded to its end is written from its beginning again.
_FOLDED_FROM: Final = 1_000
_MORE: Final = 500
_PASSES: Final = 2
# So long it gets only where writes never pause; then the writer itself folds the rest.
_LONGEST: Final = 4_000


class Checkpoints:
    """Keeps the log short without a commit that waits for it (decision record 0024).

    The writer tells of its commits; ``beside`` opens the connection that folds, on first need.
    """

    def __init__(self, beside: Callable[[], apsw.Connection]) -> None:
        self._beside = beside
        self._pages = 0
        self._tried = 0
        self._end_at = _LONGEST
        self._wake = threading.Event()
        self._stopping = False
        self._alone = False
        self._thread: threading.Thread | None = None
        self.one_at_a_time = threading.Lock()
        self._log = get_logger("store")

    @property
    def pages(self) -> int:
        """How long the log was after the latest commit."""
        return self._pages

    def follow(self, writer: apsw.Connection) -> None:
        """Note how long the log is after each commit, in place of SQLite's own checkpoints."""
        # SQLite's automatic checkpoint is such a hook itself: this one takes its place.
        writer.set_wal_hook(self._note)

    def _note(self, _connection: apsw.Connection, _database: str, pages: int) -> int:
        self._pages = pages
        return 0

    def look(self, writer: apsw.Connection) -> None:
        """See, between two transactions and on the writer's thread, whether the log is long."""
        pages = self._pages
        if pages < self._tried:
            # It was written from its beginning again.
            self._tried, self._end_at = 0, _LONGEST
        if pages >= self._end_at:
            self._end_at = pages + _FOLDED_FROM
            with self.one_at_a_time:
                self._fold(writer)
        elif pages >= _FOLDED_FROM and pages >= self._tried + _MORE:
            self._start()
            self._wake.set()

    def _start(self) -> None:
        if self._thread is not None or self._alone:
            return
        thread = threading.Thread(target=self._loop, name="intaglio-checkpoints", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:
            # The system has no more threads; the writer's own must not end of that.
            self._alone = True
            self._log.warning("no thread for checkpoints", error=str(error))
        else:
            self._thread = thread

    def stop(self, seconds: float = 10) -> None:
        """End the thread and close its connection, before the writer's is closed."""
        self._stopping = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(seconds)

    def _loop(self) -> None:
        try:
            connection = self._beside()
        except apsw.Error as error:
            # The writer folds, once the log is at its longest.
            self._log.warning("no checkpoints beside the writer", error=str(error))
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
                folded = self._fold(connection)
            if folded >= self._pages or self._stopping:
                return

    def _fold(self, connection: apsw.Connection) -> int:
        """Copy what no reader's snapshot still needs; return to which page the log is folded."""
        self._tried = self._pages
        try:
            _, _, folded = run(connection, "PRAGMA wal_checkpoint(PASSIVE)").fetchall()[0]
        except apsw.Error as error:
            # The commits are safe in the log, and when it is longer it is tried again.
            self._log.warning("the log could not be folded", error=str(error))
            return self._tried
        return cast("int", folded)

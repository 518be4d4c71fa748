"""Tests that a backup can be restored: into a temporary folder, as a restore would do it.

The result is kept in a file of the state folder, so that it survives a restore.
"""

import asyncio
import contextlib
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Final

import apsw
import msgspec

from intaglio.base.clock import Clock, iso, parse_moment
from intaglio.base.errors import ConflictError, NotFoundError, UnavailableError
from intaglio.base.files.regular_file import read_regular
from intaglio.base.log import get_logger
from intaglio.base.paths import make_private, write_private
from intaglio.store.backup import copy_private
from intaglio.store.connection import find_faults, interrupt_when, open_reader
from intaglio.store.database import Database
from intaglio.store.migrations import Migration
from intaglio.store.tx import run
from intaglio.store.values import Backup, DatabaseOptions, Degraded

EVERY: Final = timedelta(days=7)
_MAX_BYTES: Final = 10_000
# A migration may rewrite the copy's largest table.
_ROOM: Final = 2.5


class RestoreTest(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a test: of which backup, when, and what was wrong with it; empty for nothing.

    ``stamp`` is the file's time and size; ``memories`` are those in the copy.
    """

    backup: str
    at: str
    fault: str
    stamp: tuple[int, int]
    memories: int = 0

    @property
    def text(self) -> str:
        """Say in a sentence what was found."""
        if self.fault:
            return self.fault
        count = "1 memory" if self.memories == 1 else f"{self.memories:,} memories"
        return f"It was restored into a temporary folder and is intact: {count}."


@dataclass(slots=True, kw_only=True)
class RestoreTests:
    """Tests backups, one at a time, in ``folder``; ``file`` keeps the last result.

    ``stopped`` is asked from a thread.
    """

    folder: Path
    file: Path
    schema: tuple[Migration, ...]
    clock: Clock
    stopped: Callable[[], bool]
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    def last(self) -> RestoreTest | None:
        """Return the result of the last test; None if there is none. Reads a file."""
        try:
            return msgspec.json.decode(read_regular(self.file, _MAX_BYTES), type=RestoreTest)
        except (OSError, msgspec.DecodeError):
            return None

    def is_due(self, backups: Sequence[Backup]) -> bool:
        """Whether the newest backup is to be tested: each week, and if it isn't what was tested.

        After a test that failed, the next backup is tested at once. Reads a file.
        """
        newest, last = newest_of(backups), self.last()
        if newest is None or last is None:
            return newest is not None
        tested_at = parse_moment(last.at)
        if tested_at is None or not timedelta() <= self.clock() - tested_at < EVERY:
            return True
        if newest.file.name != last.backup:
            return last.fault != ""
        return _stamp(newest.file) != last.stamp

    async def test(self, backups: Sequence[Backup], name: str | None = None) -> RestoreTest:
        """Test a backup, the newest one unless it is named, and keep the result.

        Raises NotFoundError if there is none, UnavailableError if there isn't enough room or the
        daemon stops.
        """
        chosen = next((each for each in backups if each.file.name == name), None)
        if name is None:
            chosen = newest_of(backups)
        if chosen is None:
            raise NotFoundError(
                f"There is no backup called {name}." if name else "There is no backup yet.",
                hint="GET /api/backups lists them.",
            )
        async with self._one_at_a_time:
            stamp = _stamp(chosen.file)
            try:
                fault, memories = await self._restore(chosen)
            except apsw.InterruptError:
                raise UnavailableError("The daemon is stopping.") from None
            finally:
                await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)
            made = RestoreTest(
                backup=chosen.file.name,
                at=iso(self.clock()),
                fault=fault,
                stamp=stamp,
                memories=memories,
            )
            await asyncio.to_thread(self._keep, made)
            get_logger("backup").info("backup tested", file=made.backup, fault=made.fault)
            return made

    def _keep(self, made: RestoreTest) -> None:
        with contextlib.suppress(OSError):
            write_private(self.file, msgspec.json.encode(made))

    async def _restore(self, backup: Backup) -> tuple[str, int]:
        """Open a copy as a daemon does, with its migrations; return its fault, and its memories."""
        copy = self.folder / "intaglio.db"
        fault = await asyncio.to_thread(self._copy, backup.file, copy)
        if fault:
            return fault, 0
        options = DatabaseOptions(copy, self.folder / "backups", self.schema, readers=1)
        database = Database(options, self.clock, publish=lambda _: None)
        try:
            state = await database.open()
            if isinstance(state, Degraded):
                return f"It is damaged: {_first_line(state.reason)}.", 0
            return await asyncio.to_thread(_examine, copy, backup.memories, self.stopped)
        except ConflictError as error:
            return error.detail, 0
        finally:
            await database.close()

    def _copy(self, backup: Path, copy: Path) -> str:
        """Copy the backup; return why it can't be read."""
        shutil.rmtree(self.folder, ignore_errors=True)
        make_private(self.folder)
        try:
            needed = backup.stat().st_size * _ROOM
            if shutil.disk_usage(self.folder).free < needed:
                raise UnavailableError(
                    "There isn't enough room to test a backup.",
                    hint=f"Free up {needed / 1e6:,.0f} MB.",
                )
            copy_private(backup, copy)
        except OSError as error:
            return f"It can't be read: {error.strerror or error}."
        return ""


def _examine(copy: Path, recorded: int | None, stopped: Callable[[], bool]) -> tuple[str, int]:
    """Check all of a database, also that indexes agree with tables, and its number of memories."""
    try:
        connection = open_reader(copy)
    except apsw.Error as error:
        return f"It is damaged: {error}.", 0
    interrupt_when(connection, stopped)
    try:
        # A damaged full-text index is rebuilt after a restore.
        fault = find_faults(connection, thorough=True).fault
        if fault:
            return f"It is damaged: {_first_line(fault)}.", 0
        memories = int(str(run(connection, "SELECT count(*) FROM memories").fetchall()[0][0]))
    finally:
        connection.close()
    if recorded not in {None, memories}:
        return f"It has {memories:,} memories; {recorded:,} were saved in it.", memories
    return "", memories


def _first_line(fault: str) -> str:
    """Return the first of the lines in which SQLite says what is damaged, without its heading."""
    lines = [line for line in fault.splitlines() if not line.startswith("***")]
    return (lines or [fault])[0].rstrip(".;")


def newest_of(backups: Sequence[Backup]) -> Backup | None:
    """Return the newest backup; one dated in the future says nothing about when it was made."""
    return next((each for each in backups if not each.in_future and not each.rescued), None)


def _stamp(file: Path) -> tuple[int, int]:
    try:
        found = os.stat(file)  # noqa: PTH116 - as cheap as possible, it runs each minute
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size

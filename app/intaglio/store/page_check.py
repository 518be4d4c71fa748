"""Reads all pages of the database file again and again, so that damage is found before it matters.

SQLite notices a damaged page when a query reads it, which may be months later, when no backup from
before the damage is left.
"""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import apsw

from intaglio.base.clock import Clock, iso
from intaglio.base.log import get_logger
from intaglio.domain.health import Checked, Figure
from intaglio.store.connection import Findings, interrupt_when, open_reader
from intaglio.store.database import Database
from intaglio.store.index_repair.rebuild import is_about_index
from intaglio.store.tx import run
from intaglio.store.values import Degraded, Ready

SHARE_OF_CORE: Final = 0.001
"""How much of a core the check may use, on average."""
FIRST_S: Final = 20.0
"""Startup belongs to new sessions."""
_SHORTEST_PAUSE_S: Final = 30.0
# A small store is checked in one step; in a large one, a step is a table.
_STEP_CPU_S: Final = 0.1
_TREE: Final = re.compile(r"\bTree (\d+)\b")
_PAGE: Final = re.compile(r"\bpage (\d+)\b")


@dataclass(frozen=True, slots=True)
class CheckedTables:
    """What a step found: how many of the tables it checked, and the CPU time that it took."""

    tables: int
    cpu_s: float
    found: Findings = field(default_factory=Findings)


def list_tables(file: Path) -> list[str]:
    """List the tables of a database file, the one with the schema first.

    Raises an apsw error if the file can't be read.
    """
    connection = open_reader(file)
    try:
        found = run(connection, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        return ["sqlite_schema", *(str(name) for (name,) in found.fetchall())]
    finally:
        connection.close()


def check_tables(
    file: Path, tables: Sequence[str], stopped: Callable[[], bool], cpu_s: float = _STEP_CPU_S
) -> CheckedTables:
    """Read the pages of tables and their indexes, until the CPU time is used up or damage is found.

    At least one table is checked. Raises apsw.InterruptError once ``stopped`` is true.
    """
    begun = time.thread_time()
    # A connection of its own: others have pages in memory, and wouldn't read them again.
    connection = open_reader(file)
    interrupt_when(connection, stopped)
    done, found = 0, Findings()
    try:
        for table in tables:
            found = _check_table(connection, table)
            done += 1
            if found != Findings() or time.thread_time() - begun >= cpu_s:
                break
    finally:
        connection.close()
    return CheckedTables(done, time.thread_time() - begun, found)


def _check_table(connection: apsw.Connection, table: str) -> Findings:
    quoted = table.replace('"', '""')
    try:
        rows = run(connection, f'PRAGMA quick_check("{quoted}")').fetchall()
    except (apsw.CorruptError, apsw.NotADBError) as error:
        return Findings(f'A page of the table "{table}" is damaged: {error}.')
    lines = [line for (text,) in rows for line in str(text).splitlines() if text != "ok"]
    about_index = [line for line in lines if is_about_index(line)]
    others = [line for line in lines if not is_about_index(line) and not line.startswith("***")]
    return Findings(
        _describe(connection, table, others[0]) if others else "", "; ".join(about_index)
    )


def _describe(connection: apsw.Connection, table: str, line: str) -> str:
    """Name the damaged table or index, and the page if SQLite does."""
    tree, page = _TREE.search(line), _PAGE.search(line)
    where = f'the table "{table}"'
    if tree is not None:
        named = run(
            connection,
            """SELECT type || ' "' || name || '"' FROM sqlite_schema WHERE rootpage = ?""",
            (int(tree[1]),),
        ).fetchall()
        where = f"the {named[0][0]!s}" if named else where
    which = f"Page {page[1]}" if page else "A page"
    return f"{which} of {where} is damaged: {line}."


@dataclass(slots=True, kw_only=True)
class PageCheck:
    """Checks the file table by table, in rounds.

    After each step it pauses so long that it uses at most `SHARE_OF_CORE`: a round takes seconds in
    a small store, and minutes in one of gigabytes. ``left`` are the tables left in this round,
    ``fault`` is the damage that was found. ``stopped`` is asked from a thread.
    """

    db: Database
    file: Path
    clock: Clock
    stopped: Callable[[], bool]
    rounds: int = 0
    checked_at: str | None = None
    left: list[str] = field(default_factory=list[str])
    fault: str = ""

    async def run(self) -> None:
        """Check for as long as the daemon runs."""
        await asyncio.sleep(FIRST_S)
        while True:
            cpu_s = await self.step() if self._is_wanted else 0.0
            await asyncio.sleep(max(_SHORTEST_PAUSE_S, cpu_s / SHARE_OF_CORE))

    @property
    def _is_wanted(self) -> bool:
        """Whether pages are to be read: damage that a query or the startup met isn't named yet."""
        match self.db.state:
            case Ready():
                return True
            case Degraded(cause="damaged"):
                return not self.fault
            case _:
                return False

    async def step(self) -> float:
        """Check the next tables; act on damage as on any other. Returns the CPU time in seconds."""
        before = self.db.state
        if not self.db.holds_file:
            # The writer's thread finds the same and says what happened.
            return 0.0
        try:
            done = await asyncio.to_thread(self._check_next)
        except apsw.InterruptError:
            return 0.0
        except (apsw.CorruptError, apsw.NotADBError) as error:
            done = CheckedTables(0, 0.0, Findings(f"The database's schema is damaged: {error}."))
        except apsw.Error as error:
            # A table that is gone, because a backup was restored, or a drive that is out of reach.
            get_logger("store").info("couldn't check the file", reason=str(error))
            self.left = []
            return 0.0
        # Meanwhile another file may have been put in the place of the one that was read.
        if self.db.state is before and self.db.holds_file:
            self._note(done)
            await self.db.note_findings(done.found)
        return done.cpu_s

    def _check_next(self) -> CheckedTables:
        if not self.left:
            self.left = list_tables(self.file)
        return check_tables(self.file, self.left, self.stopped)

    def _note(self, done: CheckedTables) -> None:
        self.fault = done.found.fault
        self.left = self.left[done.tables :]
        if done.tables and not self.left:
            self.rounds += 1
            self.checked_at = iso(self.clock())

    async def check(self) -> Checked:
        """Return when all pages were checked; the state of the database says what was found."""
        return Checked(
            figures=(Figure("pagesCheckedAt", "All pages checked", self.checked_at, "moment"),),
        )

"""The states of the database, and the records of backups and restores."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from intaglio.store.migrations import Migration

DegradedCause: TypeAlias = Literal[
    "damaged",
    "unavailable",
    "read_only",
    "unwritable",
    "replaced",
    "removed",
    "overwritten",
    "log_lost",
    "missing",
]
"""Why the database is read-only, for programs.

``damaged``: a page is. ``unavailable``: the file can't be opened. ``read_only``: the workspace or
the file can't be written, and there is nothing wrong with its content. ``unwritable``: a write
failed, as on a full disk; it ends by itself once one succeeds. ``replaced``, ``removed``,
``overwritten``: another program did that to the file while it was open. ``log_lost``: the same for
its write-ahead log or shared memory. ``missing``: there is no file, but traces of one.
"""


@dataclass(frozen=True, slots=True)
class Opening:
    """Not opened yet."""


@dataclass(frozen=True, slots=True)
class Checking:
    """The last stop was unclean: reading works, writes wait for the check."""


@dataclass(frozen=True, slots=True)
class Ready:
    """Reading and writing work."""


@dataclass(frozen=True, slots=True)
class Degraded:
    """The database can't be trusted: it is read as far as possible, and never written.

    ``hint`` says what to do; ``copy`` is the name of the copy that was saved aside, if any.
    """

    reason: str
    cause: DegradedCause = "damaged"
    hint: str = ""
    copy: str = ""


@dataclass(frozen=True, slots=True)
class Closed:
    """Permanently closed."""


DatabaseState: TypeAlias = Opening | Checking | Ready | Degraded | Closed


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of the database; ``created_at`` is ISO-8601 UTC.

    ``memories`` counts the memories in it, forgotten ones included; None if that isn't recorded.
    ``in_future`` means that the clock was wrong, now or when the backup was made. ``rescued`` marks
    one that was saved aside because something happened to the database's file.
    """

    file: Path
    bytes: int
    created_at: str
    memories: int | None = None
    in_future: bool = False
    rescued: bool = False


@dataclass(frozen=True, slots=True)
class Restored:
    """The backup that was restored, and the folder of the replaced files."""

    backup: Backup
    set_aside: Path


@dataclass(frozen=True, slots=True)
class NoGoodBackup:
    """No backup was taken.

    ``smaller`` have under half of the database's memories; of the others, ``in_future`` bear a date
    after now, so nothing says that they are the newest.
    """

    tried: int
    smaller: int = 0
    in_future: int = 0

    def explain(self) -> str:
        """Say why, in a sentence for people."""
        reasons = {
            "fewer than half of the memories that the database has": self.smaller,
            "a date in the future": self.in_future,
        }
        found = [
            f"{count} of the {self.tried} backups {'has' if count == 1 else 'have'} {reason}."
            for reason, count in reasons.items()
            if count
        ]
        if found:
            return " ".join([*found, "Name one to restore it anyway."])
        return f"None of the {self.tried} backups is intact."


RestoreOutcome: TypeAlias = Restored | NoGoodBackup


@dataclass(frozen=True, slots=True)
class DatabaseOptions:
    """The paths of the database and its backups, its schema, and the number of reader threads.

    A database that can't be written is copied into the folder ``private`` if it has to be. The file
    ``known`` keeps which databases were opened.
    """

    file: Path
    backups: Path
    schema: tuple[Migration, ...]
    readers: int = 3
    private: Path | None = None
    known: Path | None = None


@dataclass(frozen=True, slots=True)
class ListPosition:
    """The place of a row in a list: the time that sorts it, and a number that breaks ties."""

    moment: str
    number: int

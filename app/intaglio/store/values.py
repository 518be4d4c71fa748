"""The states of the database, and the records of backups and restores."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias


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
    """The database is damaged: it is read as far as possible, and never written."""

    reason: str


@dataclass(frozen=True, slots=True)
class Closed:
    """Permanently closed."""


DatabaseState: TypeAlias = Opening | Checking | Ready | Degraded | Closed


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup of the database; ``created_at`` is ISO-8601 UTC.

    ``memories`` counts the memories in it, forgotten ones included; None if that isn't recorded.
    ``in_future`` means that the clock was wrong, now or when the backup was made.
    """

    file: Path
    bytes: int
    created_at: str
    memories: int | None = None
    in_future: bool = False


@dataclass(frozen=True, slots=True)
class Restored:
    """The backup that was restored, and the folder of the replaced files."""

    backup: Backup
    set_aside: Path


@dataclass(frozen=True, slots=True)
class NoGoodBackup:
    """No backup passed its check; nothing was changed."""

    tried: int


RestoreOutcome: TypeAlias = Restored | NoGoodBackup

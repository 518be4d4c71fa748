"""The states of the database, and the records of backups and migrations."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Opening:
    """Not opened yet."""


@dataclass(frozen=True, slots=True)
class Checking:
    """The last stop was unclean: reading works, writes wait until the check is through."""


@dataclass(frozen=True, slots=True)
class Ready:
    """Reading and writing work."""


@dataclass(frozen=True, slots=True)
class Degraded:
    """The database is damaged: it is read as far as it can be, and never written."""

    reason: str


@dataclass(frozen=True, slots=True)
class Closed:
    """Closed for good."""


DatabaseState: TypeAlias = Opening | Checking | Ready | Degraded | Closed


@dataclass(frozen=True, slots=True)
class Backup:
    """A kept copy of the database; ``created_at`` is ISO-8601 UTC."""

    file: Path
    bytes: int
    created_at: str


@dataclass(frozen=True, slots=True)
class Restored:
    """The copy that is in place now, and where the replaced files were put aside."""

    backup: Backup
    set_aside: Path


@dataclass(frozen=True, slots=True)
class NoGoodBackup:
    """No copy passed its check; nothing was touched."""

    tried: int


RestoreOutcome: TypeAlias = Restored | NoGoodBackup

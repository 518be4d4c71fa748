"""The daily backup of the database: when it is due, and the loop that makes it."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Final

from intaglio.base.clock import Clock, parse_moment
from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger
from intaglio.base.settings.values import Settings
from intaglio.daemon.settings import BackupSettings
from intaglio.store.database import Database
from intaglio.store.values import Backup, Ready

_FIRST_CHECK_S: Final = 30
_CHECK_INTERVAL_S: Final = 3_600
_INTERVAL: Final = timedelta(days=1)


def is_due(backups: Sequence[Backup], now: datetime) -> bool:
    """Whether there is no backup from the last day.

    A backup dated in the future, made while the clock was wrong, doesn't count.
    """
    times = (parse_moment(backup.created_at) for backup in backups)
    return not any(at is not None and timedelta() <= now - at < _INTERVAL for at in times)


async def keep_backups(
    database: Database,
    settings: Callable[[], Settings],
    clock: Clock,
    suspended: Callable[[], str],
) -> None:
    """Check every hour whether a backup is due, until cancelled.

    While ``suspended`` gives a reason, backups are made, and none is deleted.
    """
    log = get_logger("backup")
    await asyncio.sleep(_FIRST_CHECK_S)
    while True:
        wanted = settings().of(BackupSettings)
        if wanted.enabled and isinstance(database.state, Ready):
            backups = await asyncio.to_thread(database.list_backups)
            if is_due(backups, clock()):
                try:
                    made = await database.back_up(None if suspended() else wanted.keep)
                    log.info("backup made", file=made.file.name, bytes=made.bytes)
                except UnavailableError as error:
                    log.warning("backup failed", reason=error.detail)
        await asyncio.sleep(_CHECK_INTERVAL_S)

"""The daily copy of the database: when it is due, and the loop that makes it."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Final

from intaglio.base.clock import Clock, parse_moment
from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger
from intaglio.base.settings.schema import Settings
from intaglio.store.database import Database
from intaglio.store.values import Backup, Ready

_FIRST_LOOK_S: Final = 30
_LOOK_EVERY_S: Final = 3_600
_EVERY: Final = timedelta(days=1)


def is_due(kept: Sequence[Backup], now: datetime) -> bool:
    """Tell whether no copy was made within the last day.

    One that bears a time to come, made while the clock was wrong, does not count.
    """
    made = (parse_moment(backup.created_at) for backup in kept)
    return not any(at is not None and timedelta() <= now - at < _EVERY for at in made)


async def keep_backups(database: Database, settings: Callable[[], Settings], clock: Clock) -> None:
    """Look every hour whether a copy is due, until cancelled."""
    log = get_logger("backup")
    await asyncio.sleep(_FIRST_LOOK_S)
    while True:
        wanted = settings().backup
        if wanted.enabled and isinstance(database.state, Ready):
            kept = await asyncio.to_thread(database.list_backups)
            if is_due(kept, clock()):
                try:
                    made = await database.back_up(wanted.keep)
                    log.info("database copied", file=made.file.name, bytes=made.bytes)
                except UnavailableError as error:
                    log.warning("no copy was made", reason=error.detail)
        await asyncio.sleep(_LOOK_EVERY_S)

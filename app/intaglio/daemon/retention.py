"""The retention purge in the daemon: put together, and begun when it is due."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final

from intaglio.base.clock import Clock, monotonic_s
from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger
from intaglio.base.settings.values import Settings
from intaglio.lifecycle.sweep import Retention
from intaglio.store.backup import purge_set_aside
from intaglio.store.database import Database
from intaglio.store.values import Ready

# The start belongs to sessions that begin; what is over its time can wait.
_FIRST_LOOK_S: Final = 60
_LOOK_EVERY_S: Final = 600


def build_retention(
    database: Database, file: Path, settings: Callable[[], Settings], clock: Clock
) -> Retention:
    """Put the purge together; ``file`` is the database's."""

    async def set_aside(before: datetime) -> int:
        return await asyncio.to_thread(purge_set_aside, file, before)

    return Retention(
        db=database,
        settings=settings,
        clock=clock,
        seconds=monotonic_s,
        pause=asyncio.sleep,
        set_aside=set_aside,
    )


async def sweep_when_due(retention: Retention, clock: Clock) -> None:
    """Look every ten minutes whether a sweep is due, until cancelled."""
    await asyncio.sleep(_FIRST_LOOK_S)
    while True:
        # While a database is checked a write would wait, and the others behind it.
        if isinstance(retention.db.state, Ready):
            try:
                due = retention.due_at(await retention.last())
                if due is None or due <= clock():
                    await retention.sweep("schedule")
            except UnavailableError as error:
                get_logger("retention").warning("no sweep was made", reason=error.detail)
        await asyncio.sleep(_LOOK_EVERY_S)

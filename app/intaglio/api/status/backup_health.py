"""The backups of the Health page: the newest one, and its restore test."""

import asyncio

from intaglio.api.services import Services
from intaglio.wire.health import BackupHealth


async def backup_health(services: Services) -> BackupHealth:
    """Return the backups; one that is dated in the future isn't the newest."""
    found = await asyncio.to_thread(services.database.list_backups)
    newest = next((each for each in found if not each.in_future), None)
    return BackupHealth(
        count=len(found),
        newest=newest.file.name if newest else None,
        newest_at=newest.created_at if newest else None,
        newest_bytes=newest.bytes if newest else 0,
        tested_at=None,
        test_result="never",
        test_text="",
    )

"""The backups of the Health page: the newest one, and its restore test."""

from intaglio.api.services import Services
from intaglio.store.backup_upkeep import BackupUpkeep
from intaglio.wire.health import BackupHealth


async def backup_health(services: Services) -> BackupHealth:
    """Return the backups; one that is dated in the future isn't the newest."""
    state = await services.get(BackupUpkeep).state()
    newest, tested = state.newest, state.tested
    result = "never" if tested is None else "failed" if tested.fault else "passed"
    return BackupHealth(
        count=len(state.backups),
        newest=newest.file.name if newest else None,
        newest_at=newest.created_at if newest else None,
        newest_bytes=newest.bytes if newest else 0,
        tested_at=tested.at if tested else None,
        test_result=result,
        test_text=tested.text if tested else "",
    )

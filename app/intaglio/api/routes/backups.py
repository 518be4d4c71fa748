"""Lists the backups of the database, makes one, tests one and restores one."""

import asyncio

from litestar import Controller, get, post
from litestar.params import JSONBody

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.api.status.database_state import cause_and_hint, state_word
from intaglio.base.errors import UnavailableError
from intaglio.pauses.bypasses import Bypasses
from intaglio.pauses.service import Pauses
from intaglio.store.backup_upkeep import BackupUpkeep
from intaglio.wire.status import (
    BackupList,
    BackupRow,
    BackupTestReply,
    EmptyDatabaseReply,
    RestoreReply,
    RestoreRequest,
)


class BackupsController(Controller):
    """Backups; these endpoints work on a degraded database too."""

    tags = ("backups",)

    @get("/api/backups", operation_id="listBackups", opt=declare(Access.PROGRAM))
    async def backups(self, services: Services) -> BackupList:
        """List the backups and the copies that were saved aside, newest first."""
        found = await asyncio.to_thread(services.database.list_copies)
        cause, _ = cause_and_hint(services.database.state)
        return BackupList(
            missing=cause == "missing",
            backups=[convert(each, BackupRow, name=each.file.name) for each in found],
        )

    @post("/api/backups", operation_id="makeBackup", status_code=200, opt=declare(Access.BROWSER))
    async def make(self, services: Services) -> BackupRow:
        """Make a backup now; older ones are deleted as after the daily one."""
        made = await services.get(BackupUpkeep).make()
        return convert(made, BackupRow, name=made.file.name)

    @post(
        "/api/backups/test",
        operation_id="testBackup",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def test(self, services: Services, data: JSONBody[RestoreRequest]) -> BackupTestReply:
        """Restore a backup into a temporary folder and check it: the newest one by default."""
        made = await services.get(BackupUpkeep).test(data.name)
        return BackupTestReply(
            name=made.backup,
            tested_at=made.at,
            passed=not made.fault,
            text=made.text,
            memories=made.memories,
        )

    @post(
        "/api/backups/restore",
        operation_id="restoreBackup",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def restore(self, services: Services, data: JSONBody[RestoreRequest]) -> RestoreReply:
        """Restore a backup; the current database files are moved aside, not deleted."""
        # Transcripts are then read again from the backup's offsets, so pauses must carry over.
        try:
            pauses = await services.get(Pauses).all()
        except UnavailableError:
            pauses = []
        bypasses = await services.get(Bypasses).every()
        done = await services.database.restore(data.name)
        await services.get(Pauses).import_all(pauses)
        await services.get(Bypasses).import_every(bypasses)
        state, _ = state_word(services.database.state)
        return RestoreReply(
            restored=done.backup.file.name, set_aside=done.set_aside.name, state=state
        )

    @post(
        "/api/backups/create-empty",
        operation_id="createEmptyDatabase",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def create_empty(self, services: Services) -> EmptyDatabaseReply:
        """Create an empty database in the place of a missing one; what is left of it is kept."""
        await services.database.create_empty()
        state, _ = state_word(services.database.state)
        return EmptyDatabaseReply(state=state)

"""The kept copies of the database, and putting one back."""

import asyncio

from litestar import Controller, get, post
from litestar.params import JSONBody

from intaglio.api.database_state import state_word
from intaglio.api.gate.declaration import Access, declare
from intaglio.api.services import Services
from intaglio.sessions.pauses.service import Pauses
from intaglio.wire.status import BackupList, BackupRow, RestoreReply, RestoreRequest


class BackupsController(Controller):
    """Backups; they work on a degraded database too."""

    tags = ("backups",)

    @get("/api/backups", operation_id="listBackups", opt=declare(Access.PROGRAM))
    async def backups(self, services: Services) -> BackupList:
        """List the kept copies, newest first."""
        found = await asyncio.to_thread(services.database.list_backups)
        return BackupList(
            backups=[
                BackupRow(name=each.file.name, bytes=each.bytes, created_at=each.created_at)
                for each in found
            ]
        )

    @post(
        "/api/backups/restore",
        operation_id="restoreBackup",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def restore(self, services: Services, data: JSONBody[RestoreRequest]) -> RestoreReply:
        """Put a copy in the database's place; the present files are set aside, not deleted."""
        # Transcripts are then read again from where the copy had come to.
        pauses = await services.get(Pauses).all()
        done = await services.database.restore(data.name)
        await services.get(Pauses).carry(pauses)
        state, _ = state_word(services.database.state)
        return RestoreReply(
            restored=done.backup.file.name, set_aside=done.set_aside.name, state=state
        )

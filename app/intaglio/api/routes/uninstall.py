"""GET /api/uninstall: what `intaglio uninstall` would remove, and what it keeps."""

import asyncio
import os
from typing import Final

import msgspec
from litestar import Controller, get

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.rate_limits import admin_rate
from intaglio.api.services import Services
from intaglio.base.errors import UnavailableError
from intaglio.base.installation import command
from intaglio.base.process.own_program import own_command
from intaglio.base.process.programs import run_program
from intaglio.wire.uninstall import UninstallReply

_DEADLINE_S: Final = 30.0


class UninstallController(Controller):
    """Removing Intaglio."""

    tags = ("daemon",)

    @get(
        "/api/uninstall",
        operation_id="previewUninstall",
        opt=declare(Access.BROWSER, rate=admin_rate),
    )
    async def preview(self, services: Services) -> UninstallReply:
        """Show what uninstalling would remove and what stays. Removes nothing.

        Only the command line uninstalls, because it ends the daemon. `command` is what to run.
        """
        # The daemon doesn't load the code of the desktop; the command knows all parts.
        try:
            async with asyncio.timeout(_DEADLINE_S):
                done = await run_program(
                    own_command("uninstall", "--json"),
                    stdin=b"",
                    folder=services.running.paths.state,
                    environment=os.environ,
                )
            return msgspec.json.decode(done.output or b"", type=UninstallReply)
        except (OSError, TimeoutError, msgspec.DecodeError) as error:
            raise UnavailableError(
                "Couldn't find out what would be removed.",
                hint=f"Run `{command('uninstall')}` in a terminal.",
            ) from error

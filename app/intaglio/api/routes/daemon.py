"""Stops the daemon."""

from litestar import Controller, post

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.services import Services
from intaglio.wire.status import Acknowledged


class DaemonController(Controller):
    """The daemon process."""

    tags = ("daemon",)

    @post("/api/daemon/stop", operation_id="stopDaemon", status_code=200, opt=declare(Access.OWNER))
    async def stop(self, services: Services) -> Acknowledged:
        """Stop the daemon after it finishes the work in progress."""
        services.running.stop()
        return Acknowledged()

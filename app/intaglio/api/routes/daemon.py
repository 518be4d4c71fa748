"""What only the owner may ask of the daemon itself: to stop."""

from litestar import Controller, post

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.services import Services
from intaglio.wire.status import Acknowledged


class DaemonController(Controller):
    """The daemon's own life."""

    tags = ("daemon",)

    @post("/api/daemon/stop", operation_id="stopDaemon", status_code=200, opt=declare(Access.OWNER))
    async def stop(self, services: Services) -> Acknowledged:
        """Ask the daemon to finish what runs and to leave."""
        services.running.stop()
        return Acknowledged()

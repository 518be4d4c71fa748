"""GET and PUT /api/start-at-login."""

from litestar import Controller, get, put
from litestar.params import JSONBody

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.routes.projection.requested_map import CONFLICT
from intaglio.api.services import Services
from intaglio.base.events import Changed
from intaglio.start_at_login.service import StartAtLogin
from intaglio.wire.start_at_login import StartAtLoginReply, StartAtLoginRequest


class StartAtLoginController(Controller):
    """Whether the tray app starts when the user logs in, and intaglio:// links open in it."""

    tags = ("daemon",)

    @get(
        "/api/start-at-login",
        operation_id="getStartAtLogin",
        responses=CONFLICT,
        opt=declare(Access.BROWSER),
    )
    async def state(self, services: Services) -> StartAtLoginReply:
        """Return whether the tray app starts when you log in; 409 if that can't be told."""
        return StartAtLoginReply(on=await services.get(StartAtLogin).is_on())

    @put("/api/start-at-login", operation_id="switchStartAtLogin", opt=declare(Access.BROWSER))
    async def switch(
        self, services: Services, data: JSONBody[StartAtLoginRequest]
    ) -> StartAtLoginReply:
        """Switch start at login on or off; 409 if the system's entries can't be written."""
        on = await services.get(StartAtLogin).switch(on=data.on)
        services.bus.publish(Changed("start-at-login", "updated", ()))
        return StartAtLoginReply(on=on)

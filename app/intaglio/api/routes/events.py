"""GET /api/events: what happens, as it happens."""

from litestar import Controller, get
from litestar.response import Stream

from intaglio.api.problems.describe import REFUSALS
from intaglio.api.services import Needs
from intaglio.api.state import state_word
from intaglio.base.events import StateChanged


class EventsController(Controller):
    """The event stream."""

    tags = ("daemon",)

    @get(
        "/api/events",
        operation_id="streamEvents",
        media_type="text/event-stream",
        responses=REFUSALS,
    )
    async def events(self, services: Needs) -> Stream:
        """Stream `changed`, `state`, `settings` and `resync`; the state comes first."""
        state, reason = state_word(services.database.state)
        return Stream(
            services.streams.open(StateChanged(state, reason)),
            media_type="text/event-stream",
            headers={"cache-control": "no-store", "x-accel-buffering": "no"},
        )

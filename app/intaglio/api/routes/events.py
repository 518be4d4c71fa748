"""GET /api/events: streams changes as they happen."""

from litestar import Controller, get
from litestar.response import Stream

from intaglio.api.event_stream import Streams
from intaglio.api.gate.declaration import Access, declare
from intaglio.api.services import Services
from intaglio.api.status.database_state import state_word
from intaglio.base.events import StateChanged


class EventsController(Controller):
    """The event stream."""

    tags = ("daemon",)

    @get(
        "/api/events",
        operation_id="streamEvents",
        media_type="text/event-stream",
        opt=declare(Access.PROGRAM),
    )
    async def events(self, services: Services) -> Stream:
        """Stream `changed`, `state`, `settings` and `resync` events, starting with the state."""
        state, reason = state_word(services.database.state)
        return Stream(
            services.get(Streams).open(StateChanged(state, reason)),
            media_type="text/event-stream",
            headers={"cache-control": "no-store", "x-accel-buffering": "no"},
        )

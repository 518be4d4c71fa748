"""POST /api/clock/confirm: the user confirms that the clock is right after a jump."""

import asyncio

from litestar import Controller, post

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.services import Services
from intaglio.lifecycle.clock_guard import ClockGuard
from intaglio.wire.status import Acknowledged, ClockStatus


async def clock_status(services: Services) -> ClockStatus | None:
    """Return the jump of the clock that isn't confirmed, or None."""
    # It may save the time.
    jump = await asyncio.to_thread(services.get(ClockGuard).check)
    if jump is None:
        return None
    return ClockStatus(
        ahead_s=round(jump.ahead.total_seconds()), resumes_in_s=round(jump.left.total_seconds())
    )


class ClockController(Controller):
    """The system's clock."""

    tags = ("daemon",)

    @post(
        "/api/clock/confirm",
        operation_id="confirmClock",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def confirm(self, services: Services) -> Acknowledged:
        """Confirm that the clock is right after a jump; expired data is deleted as usual."""
        await asyncio.to_thread(services.get(ClockGuard).confirm)
        return Acknowledged()

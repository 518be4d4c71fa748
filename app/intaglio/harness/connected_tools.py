"""Whether the agent of a session has our tools, as far as that can be known."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from intaglio.base.clock import monotonic_s
from intaglio.sessions.open_sessions import OpenSessions

_FRESH_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class ConnectedTools:
    """Tells by the MCP program of the session's own process, else by the harness's settings.

    ``is_registered`` reads these; its result counts for a minute.
    """

    open_sessions: OpenSessions
    is_registered: Callable[[str], bool]
    seconds: Callable[[], float] = monotonic_s
    _known: dict[str, tuple[bool, float]] = field(default_factory=dict[str, tuple[bool, float]])

    async def are_connected(self, harness: str, session_id: str) -> bool:
        """Whether a session's agent can call the tools now."""
        known = self.open_sessions.has_tools(harness, session_id)
        return await self._registered(harness) if known is None else known

    async def are_expected(self, harness: str, session_id: str) -> bool:
        """Whether it can once it has started: harnesses start their programs beside the hooks."""
        known = self.open_sessions.has_tools(harness, session_id)
        return known or await self._registered(harness)

    async def _registered(self, harness: str) -> bool:
        found, until = self._known.get(harness, (False, 0.0))
        if self.seconds() >= until:
            found = await asyncio.to_thread(self.is_registered, harness)
            self._known[harness] = found, self.seconds() + _FRESH_S
        return found

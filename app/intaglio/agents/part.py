"""Agents in the daemon: the roster, what each may read, and when each was last seen."""

import asyncio
from typing import Final

from intaglio.agents.agent_directory import AgentDirectory
from intaglio.agents.last_seen import LastSeen
from intaglio.kernel import Kernel
from intaglio.package import KeptData, Loop, Package, Part

_WRITE_SEEN_EVERY_S: Final = 5.0


def part(kernel: Kernel) -> Part:
    """Wire the agents; the roster is written when the settings or the database change."""
    directory = AgentDirectory(
        kernel.database, lambda: kernel.settings().roster, kernel.clock, LastSeen(kernel.clock)
    )

    async def write_seen() -> None:
        while True:
            await asyncio.sleep(_WRITE_SEEN_EVERY_S)
            await directory.write_seen()

    return Part(
        services=(directory,),
        loops=(
            Loop("agent roster", lambda: directory.watch(kernel.bus)),
            Loop("agent activity", write_seen),
        ),
    )


PACKAGE = Package(
    name="agents",
    tables={
        "agents": "name, read policy, group, origin, when archived, when last seen",
    },
    kept=(
        KeptData(
            "`agents`",
            "until you archive or remove them",
            deleted_by="you",
        ),
    ),
    make=part,
)

"""Memories in the daemon: their id source, facet counts and timeline."""

import asyncio
from typing import Final

from intaglio.kernel import Kernel, Loop, Part
from intaglio.memory.facet_index.index import FacetIndex

_LOOK_EVERY_S: Final = 60.0


def part(kernel: Kernel) -> Part:
    """Wire the facet index; it follows each commit and is released when unused."""
    tally = FacetIndex(kernel.monotonic_s)
    kernel.database.watch("memories", tally.record_commit)

    async def release() -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            await asyncio.to_thread(tally.rest)

    return Part(
        name="memory",
        services=(tally,),
        loops=(Loop("facet index cleanup", release),),
    )

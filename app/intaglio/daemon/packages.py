"""The packages of the daemon, and what is derived from their declarations.

The order counts: parts are built in it, and listeners and steps run in it.
"""

from typing import Final

from intaglio.agents import part as agents
from intaglio.daemon import part as daemon
from intaglio.embedding import part as embedding
from intaglio.graph import part as graph
from intaglio.harness import part as harness
from intaglio.inbox import part as inbox
from intaglio.jobs import part as jobs
from intaglio.lifecycle import part as lifecycle
from intaglio.mcp import part as mcp
from intaglio.memory import part as memory
from intaglio.memory.operations import MemorySteps
from intaglio.package import Package
from intaglio.pauses import part as pauses
from intaglio.pipeline import part as pipeline
from intaglio.projects import part as projects
from intaglio.recall import part as recall
from intaglio.sessions import part as sessions
from intaglio.store import part as store

PACKAGES: Final[tuple[Package, ...]] = (
    store.PACKAGE,
    daemon.PACKAGE,
    pauses.PACKAGE,
    agents.PACKAGE,
    jobs.PACKAGE,
    embedding.PACKAGE,
    memory.PACKAGE,
    inbox.PACKAGE,
    projects.PACKAGE,
    graph.PACKAGE,
    pipeline.PACKAGE,
    recall.PACKAGE,
    sessions.PACKAGE,
    harness.PACKAGE,
    lifecycle.PACKAGE,
    mcp.PACKAGE,
)


def memory_steps(packages: tuple[Package, ...] = PACKAGES) -> MemorySteps:
    """Return what the packages do in the transaction of a memory's change."""
    return MemorySteps(
        listeners=tuple(each for one in packages for each in one.memory_listeners),
        on_forget=tuple(each for one in packages for each in one.on_forget),
        on_restore=tuple(each for one in packages for each in one.on_restore),
        on_erase=tuple(each for one in packages for each in one.on_erase),
    )

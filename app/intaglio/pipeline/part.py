"""Writing memories in the daemon: remember and modify."""

from intaglio.api.routes.memory.many import ManyController
from intaglio.api.routes.memory.one import MemoryController
from intaglio.kernel import Kernel, Part
from intaglio.pipeline.at_once import AtOnce
from intaglio.pipeline.embed import Embed
from intaglio.pipeline.ingest import Ingest
from intaglio.pipeline.revise import Revise
from intaglio.sessions.agent_directory import AgentDirectory


def part(kernel: Kernel) -> Part:
    """Wire what keeps and changes memories."""
    ingest = Ingest(
        kernel.database, kernel.stamp, kernel.frozen, heard=kernel.get(AgentDirectory).note
    )
    revise = Revise(kernel.database, kernel.stamp, kernel.frozen, AtOnce(kernel.get(Embed)))
    return Part(
        name="pipeline",
        services=(ingest, revise),
        controllers=(MemoryController, ManyController),
    )

"""The graph in the daemon."""

from intaglio.api.routes.knowledge.changes import EntityChangesController
from intaglio.api.routes.knowledge.entities import EntitiesController
from intaglio.api.routes.knowledge.entity import EntityController
from intaglio.api.routes.knowledge.network import GraphNetworkController
from intaglio.api.routes.knowledge.structure import EntityStructureController
from intaglio.graph.edits.entity_edits import EntityEdits
from intaglio.graph.traversal.last_walk import LastWalk
from intaglio.kernel import Kernel, Part


def part(kernel: Kernel) -> Part:
    """Add the changes of entities, and the endpoints."""
    edits = EntityEdits(kernel.database, kernel.clock, kernel.new_id, kernel.frozen)
    return Part(
        name="graph",
        services=(edits, LastWalk()),
        controllers=(
            EntitiesController,
            EntityController,
            EntityStructureController,
            EntityChangesController,
            GraphNetworkController,
        ),
    )

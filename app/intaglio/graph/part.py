"""The graph in the daemon."""

from intaglio.api.routes.knowledge.entities import EntitiesController
from intaglio.api.routes.knowledge.structure import EntityStructureController
from intaglio.kernel import Kernel, Part


def part(_: Kernel) -> Part:
    """Add the endpoints."""
    return Part(name="graph", controllers=(EntitiesController, EntityStructureController))

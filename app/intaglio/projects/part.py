"""Projects in the daemon: their list, and what each has."""

from intaglio.api.routes.projects import ProjectsController
from intaglio.kernel import Kernel, Part


def part(_: Kernel) -> Part:
    """Add the endpoints."""
    return Part(name="projects", controllers=(ProjectsController,))

"""The queue in the daemon: what waits, and what may be done about what was given up."""

from intaglio.api.routes.jobs import JobsController
from intaglio.kernel import Kernel, Part


def part(_: Kernel) -> Part:
    """Wire the endpoints; the daemon's worker serves the job types of all parts."""
    return Part(name="jobs", controllers=(JobsController,))

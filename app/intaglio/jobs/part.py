"""The job queue in the daemon: its state, and retrying or discarding failed jobs."""

from intaglio.api.routes.jobs import JobsController
from intaglio.kernel import Kernel, Part


def part(_: Kernel) -> Part:
    """Wire the endpoints; the daemon's worker runs the job types of all parts."""
    return Part(name="jobs", controllers=(JobsController,))

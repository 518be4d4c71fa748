"""The job queue in the daemon."""

from intaglio.kernel import Kernel, Part


def part(_: Kernel) -> Part:
    """Name the part; the daemon's worker runs the job types of all parts."""
    return Part(name="jobs")

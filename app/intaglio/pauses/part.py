"""Pauses of capture in the daemon."""

from intaglio.kernel import Kernel, Part
from intaglio.pauses.service import Pauses


def part(kernel: Kernel) -> Part:
    """Wire pausing and resuming."""
    return Part(
        name="pauses",
        services=(Pauses(kernel.database, kernel.clock, kernel.new_id, kernel.local),),
    )

"""Timelines in the daemon."""

from intaglio.kernel import Kernel
from intaglio.logs.daemon_log import DaemonLog
from intaglio.package import Package, Part
from intaglio.timelines.timelines import Timelines


def part(kernel: Kernel) -> Part:
    """Wire the timelines; they own no table."""
    timelines = Timelines(
        db=kernel.database, errors=kernel.metrics.errors, log=kernel.get(DaemonLog)
    )
    return Part(services=(timelines,))


PACKAGE = Package(name="timelines", make=part)

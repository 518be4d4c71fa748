"""Pauses of capture in the daemon."""

from intaglio.kernel import Kernel
from intaglio.package import KeptData, Package, Part
from intaglio.pauses.service import Pauses


def part(kernel: Kernel) -> Part:
    """Wire pausing and resuming."""
    return Part(services=(Pauses(kernel.database, kernel.clock, kernel.new_id, kernel.local),))


PACKAGE = Package(
    name="pauses",
    tables={
        "pauses": "when capture was paused: start, planned end, actual end, by whom",
    },
    kept=(
        KeptData(
            "`pauses`",
            "forever, about 100 bytes each: a transcript from inside one may be read at any "
            "later time",
        ),
    ),
    make=part,
)

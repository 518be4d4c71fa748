"""Health in the daemon: what all checks find, for the interface, the command line and the tray."""

from intaglio.health.diagnosis import Diagnosis
from intaglio.kernel import Kernel
from intaglio.package import Package, PackageChecks, Part


def part(kernel: Kernel) -> Part:
    """Wire the diagnosis; the checks are known once all parts are built."""
    diagnosis = Diagnosis(
        checks=lambda: kernel.get(PackageChecks).all,
        clock=kernel.clock,
        monotonic_s=kernel.monotonic_s,
        state=lambda: kernel.database.state,
    )
    return Part(services=(diagnosis,), close=diagnosis.close)


PACKAGE = Package(name="health", make=part)

"""Start at login in the daemon."""

from intaglio.kernel import Kernel
from intaglio.package import Package, Part
from intaglio.start_at_login.service import StartAtLogin


def part(_: Kernel) -> Part:
    """Provide the switch."""
    return Part(services=(StartAtLogin(),))


PACKAGE = Package(name="start_at_login", make=part)

"""The inbox in the daemon; its decisions are a service of `lifecycle`."""

from intaglio.api.routes.inbox import InboxController
from intaglio.kernel import Kernel, Part


def part(_: Kernel) -> Part:
    """Add the endpoints."""
    return Part(name="inbox", controllers=(InboxController,))

"""The inbox in the daemon; its decisions are a service of `lifecycle`."""

from intaglio.kernel import Kernel, Part


def part(_: Kernel) -> Part:
    """Name the part."""
    return Part(name="inbox")

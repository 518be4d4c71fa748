"""Projects in the daemon: their list, and what each has."""

from intaglio.kernel import Kernel, Part


def part(_: Kernel) -> Part:
    """Name the part."""
    return Part(name="projects")

"""What stands for a list of MCP servers where there is nothing to register."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IncludedTools:
    """Connecting brings the MCP program along: a plugin adds it while the harness runs.

    The user can't connect without it, but can switch it off in the harness.
    """

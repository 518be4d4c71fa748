"""Who switched a session off."""

from typing import Literal, TypeAlias

BypassedBy: TypeAlias = Literal["user", "agent"]
"""Only the user switches on again what the user switched off."""

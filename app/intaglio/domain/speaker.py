"""Who said something."""

from typing import Literal, TypeAlias

Speaker: TypeAlias = Literal["user", "agent"]
"""The user, or an agent that claims it by itself."""

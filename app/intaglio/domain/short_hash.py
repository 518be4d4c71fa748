"""How commits are named to people and agents."""

from typing import Final

SHORT_HASH: Final = 8
"""How many digits of a hash are shown: enough to name a commit in all but the largest projects."""

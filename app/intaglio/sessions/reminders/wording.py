"""What an agent is told about saving notes; every wording in one place, for any harness.

`memory_store` describes itself; this is what a prompt and a session's start add. Whoever changes
the reminder raises its version: the ledger records which one an agent was given.
"""

from typing import Final

from intaglio.fence.marks import REMINDER

VERSION: Final = 1
"""The version of `LINE`."""

LINE: Final = (
    f"<{REMINDER}>If the user states or agrees to something here that will hold for weeks, call "
    f"memory_store with their exact words as evidence; else ignore this.</{REMINDER}>"
)
"""Joins the text that is injected with a prompt; it is Intaglio's own, and quotes nobody."""

WELCOME: Final = (
    f"<{REMINDER}>Notes for later sessions are welcome: what you learn here and will need again, "
    f"save with memory_store.</{REMINDER}>"
)
"""Joins a session's start."""

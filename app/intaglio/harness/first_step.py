"""What a start says after its announcement: how to get a new link, and to connect an agent."""

import contextlib

from intaglio.base.errors import IntaglioError
from intaglio.base.installation import NOT_YET, command, read_installation
from intaglio.base.paths import Paths
from intaglio.harness.registry import connection_targets


def first_step(paths: Paths) -> str:
    """Return a line with the command that connects an agent; empty if one is connected."""
    with contextlib.suppress(IntaglioError, OSError):
        install = read_installation(paths) or NOT_YET
        for target in connection_targets(paths).values():
            if target.state(install) in {"connected", "partly"}:
                return ""
        return f"Connect an agent: {command('connect')}"
    return ""


def with_first_step(announcement: str, paths: Paths) -> str:
    """Return a start's announcement with its sign-in link, and what to do next."""
    new_link = f"The link works once. For a new one, run: {command('dashboard')}"
    return "\n".join(filter(None, (announcement, new_link, first_step(paths))))

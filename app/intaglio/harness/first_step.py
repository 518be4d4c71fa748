"""The hint for new users to connect an agent, shown while none is connected."""

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
    """Return a start's announcement, followed by the first step if there is one."""
    return "\n".join(filter(None, (announcement, first_step(paths))))

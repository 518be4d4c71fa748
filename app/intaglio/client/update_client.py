"""The part of the client that asks about updates."""

from typing import Final

from intaglio.client.daemon_connection import DaemonConnection
from intaglio.wire.status import Acknowledged
from intaglio.wire.updates import (
    ChangelogReply,
    UpdateCheckReply,
    UpdateConfigChanged,
    UpdateConfigReply,
    UpdateConfigRequest,
    UpdateRunReply,
    UpdateRunRequest,
)

# The manager may take a minute to answer, and ten to install.
_CHECK_S: Final = 75.0
_RUN_S: Final = 630.0


class UpdateClient(DaemonConnection):
    """The endpoints of updates."""

    def update_check(self, *, force: bool) -> UpdateCheckReply:
        """Return the newest version that is known; with ``force``, ask the package manager."""
        path = f"/api/update/check{'?force=true' if force else ''}"
        return self.send("GET", path, UpdateCheckReply, timeout=_CHECK_S)

    def update_config(self) -> UpdateConfigReply:
        """Return how updates are looked for."""
        return self.send("GET", "/api/update/config", UpdateConfigReply)

    def change_update_config(self, change: UpdateConfigRequest) -> UpdateConfigChanged:
        """Change how updates are looked for."""
        return self.send("POST", "/api/update/config", UpdateConfigChanged, body=change, owner=True)

    def run_update(self, *, confirmed: bool) -> UpdateRunReply:
        """Run the package manager's command, if it may be run."""
        body = UpdateRunRequest(confirmed=confirmed)
        return self.send(
            "POST", "/api/update/run", UpdateRunReply, body=body, owner=True, timeout=_RUN_S
        )

    def changelog(self) -> ChangelogReply:
        """Return what is new in each version, newest first."""
        return self.send("GET", "/api/changelog", ChangelogReply)

    def mark_changelog_seen(self) -> Acknowledged:
        """Mark what is new as seen."""
        return self.send("POST", "/api/changelog/seen", Acknowledged, owner=True)

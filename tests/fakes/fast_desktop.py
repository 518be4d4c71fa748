"""The real tray app with short times, a movable clock, and printed notifications.

Run as a script by the tests of its processes. Where it was forked, so are its daemons; everything
else is as a user has it.
"""

import json
import os
import socket
import stat
import sys
import time
from pathlib import Path
from subprocess import DEVNULL, PIPE
from types import SimpleNamespace

import intaglio
from intaglio.base.paths import Paths
from intaglio.client import daemon_process
from intaglio.desktop import main as app
from intaglio.desktop.supervisor.values import ClockReading, SupervisorRules
from intaglio.desktop.values import Notification

QUICK = SupervisorRules(
    backoff_s=(0.1, 0.2, 0.3, 0.4),
    crash_window_s=3_600.0,
    start_timeout_s=300.0,
    hang_probes=2,
    # A daemon that a busy machine holds up doesn't hang; tests of one that does shorten this.
    hang_s=120.0,
    shutdown_timeout_s=60.0,
    terminate_timeout_s=0.5,
    kill_timeout_s=60.0,
    probe_active_s=0.2,
    probe_idle_s=0.3,
    fresh_s=5.0,
)


class Printed:
    """A notifier that prints."""

    def notify(self, notification: Notification) -> None:
        sys.stdout.write(f"note {notification.kind}: {notification.title}\n")
        sys.stdout.flush()

    def withdraw(self, issue: str) -> None:
        """Leave what was printed."""

    def close(self) -> None:
        """Hold nothing."""


def printed(_: Paths) -> Printed:
    """Stand in for the notifier of the desktop."""
    return Printed()


def moved_clock() -> ClockReading:
    """Tell the time, the wall's moved on by the seconds in a file."""
    file = Path(os.environ["QUICK_TRAY_CLOCK"])
    ahead = float(file.read_text()) if file.exists() else 0.0
    return ClockReading(time.monotonic(), time.time() + ahead)


if __name__ == "__main__":
    if stat.S_ISSOCK(os.fstat(0).st_mode):
        sys.path.append(str(Path(__file__).parents[1]))
        from fakes.forked import ForkClient

        client = ForkClient(socket.socket(fileno=os.dup(0)))
        starts = SimpleNamespace(Popen=client.popen, PIPE=PIPE, DEVNULL=DEVNULL)
        daemon_process.__dict__["subprocess"] = starts
    app.__dict__["notifier_for"] = printed
    app.__dict__["_now"] = moved_clock
    if version := os.environ.get("QUICK_TRAY_VERSION"):
        intaglio.__version__ = version
    changes = json.loads(os.environ.get("QUICK_TRAY_RULES", "{}"))
    fields = {name: getattr(QUICK, name) for name in SupervisorRules.__slots__} | changes
    sys.exit(app.main(sys.argv[1:], SupervisorRules(**fields)))

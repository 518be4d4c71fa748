"""Pauses of capture, and bypasses of sessions, in the daemon."""

from intaglio.base.installation import command as shell_command
from intaglio.domain.health import HealthCheck
from intaglio.domain.issues import Issue
from intaglio.kernel import Kernel
from intaglio.package import KeptData, Package, Part, finding
from intaglio.pauses.bypasses import Bypasses
from intaglio.pauses.migrations import MIGRATIONS
from intaglio.pauses.service import Pauses


def part(kernel: Kernel) -> Part:
    """Wire pausing and resuming."""
    pauses = Pauses(kernel.database, kernel.clock, kernel.new_id, kernel.local)

    async def check() -> list[Issue]:
        return [_paused()] if (await pauses.state()).paused else []

    bypasses = Bypasses(kernel.database, kernel.clock, kernel.new_id)
    return Part(
        services=(pauses, bypasses),
        checks=(
            HealthCheck(
                name="pause",
                domain="capture",
                title="Pauses of capture",
                reads="Whether capture is paused.",
                run=finding(check),
            ),
        ),
    )


def _paused() -> Issue:
    return Issue(
        "capture",
        "info",
        "Capture paused",
        "Nothing from your sessions is saved. Recall still works. To resume, run",
        command=shell_command("resume"),
        page="/help/pause",
    )


PACKAGE = Package(
    name="pauses",
    tables={
        "pauses": "when capture was paused: start, planned end, actual end, by whom",
        "bypasses": "when a session was switched off: harness, its id of the session, start, end, "
        "whether by the user or the agent",
    },
    migrations=MIGRATIONS,
    kept=(
        KeptData(
            "`pauses`, `bypasses`",
            "forever, about 100 bytes each: a transcript from inside one may be read at any "
            "later time",
        ),
    ),
    make=part,
)

"""Pauses of capture in the daemon."""

from intaglio.base.installation import command as shell_command
from intaglio.domain.issues import Issue
from intaglio.kernel import Kernel
from intaglio.package import KeptData, Package, Part
from intaglio.pauses.service import Pauses


def part(kernel: Kernel) -> Part:
    """Wire pausing and resuming."""
    pauses = Pauses(kernel.database, kernel.clock, kernel.new_id, kernel.local)

    async def check() -> list[Issue]:
        return [_paused()] if (await pauses.state()).paused else []

    return Part(services=(pauses,), checks=(check,))


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
    },
    kept=(
        KeptData(
            "`pauses`",
            "forever, about 100 bytes each: a transcript from inside one may be read at any "
            "later time",
        ),
    ),
    make=part,
)

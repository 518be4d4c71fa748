"""Updates in the daemon."""

from typing import Final

from intaglio.base.installed_by import installed_by
from intaglio.base.version_on_disk import version_on_disk
from intaglio.domain.health import Checked, HealthCheck
from intaglio.kernel import Kernel
from intaglio.package import KeptData, Loop, Package, Part
from intaglio.updates.changelog import changelog_file
from intaglio.updates.feed import packaged_feed, read_feed
from intaglio.updates.health import judge_updates
from intaglio.updates.programs import ask_program, run_update
from intaglio.updates.record_file import RecordFile
from intaglio.updates.settings import Channel, UpdateSettings
from intaglio.updates.sources import VersionQuery
from intaglio.updates.updates import Updates
from intaglio.updates.values import VersionOutcome

RECORD_NAME: Final = "updates.json"


def part(kernel: Kernel) -> Part:
    """Wire checks for updates; none is made unless the user asks or has switched them on."""
    paths, version = kernel.running.paths, kernel.running.version
    record = RecordFile(paths.state / RECORD_NAME)

    async def ask(source: VersionQuery | str, channel: Channel) -> VersionOutcome:
        if isinstance(source, VersionQuery):
            return await ask_program(source, paths.state)
        return await read_feed(source, channel)

    async def run(command: tuple[str, ...]) -> str | None:
        return await run_update(command, paths.state, paths.logs / "update.log")

    updates = Updates(
        version=version,
        kind=installed_by(),
        settings=lambda: kernel.settings().of(UpdateSettings),
        clock=kernel.clock,
        record=record,
        on_disk=version_on_disk,
        ask=ask,
        run_command=run,
        changelog=changelog_file(),
        packaged_feed=packaged_feed(),
    )

    async def check() -> Checked:
        return judge_updates(updates)

    return Part(
        services=(updates,),
        loops=(Loop("updates", updates.watch, when=lambda s: s.of(UpdateSettings).check),),
        checks=(
            HealthCheck(
                name="updates",
                domain="update",
                title="Updates",
                reads="Whether a newer version is known, and whether the running one is that on "
                "disk. It asks nobody.",
                run=check,
            ),
        ),
        prepare=lambda: record.load(version),
    )


PACKAGE = Package(
    name="updates",
    kept=(
        KeptData(
            "`updates.json`",
            "the last check for updates: when, what it found, and the version whose changes were "
            "seen",
            deleted_by="the next one",
        ),
        KeptData("`update.log`", "the output of the last update", deleted_by="the next one"),
    ),
    make=part,
)

"""What changes is synced at once."""

import asyncio
from dataclasses import replace

from fakes.waiting import until
from fakes.workspace import SyncedWorkspace
from intaglio.base.bus import EventBus
from intaglio.workspace.sync import SyncReport
from intaglio.workspace.values import BlockTarget, WorkspaceTexts
from intaglio.workspace.watch import WorkspaceWatch


async def test_an_edit_of_the_file_that_a_link_leads_to_is_asked_about(
    synced: SyncedWorkspace,
) -> None:
    link, file = synced.add_target("claude"), synced.home / "dotfiles" / "CLAUDE.md"
    file.parent.mkdir()
    file.write_text("# Mine\n")
    link.symlink_to(file)
    synced.write("USER.md", "I am Ann.\n")
    before: list[SyncReport | None] = []

    async def find(_: WorkspaceTexts) -> list[BlockTarget]:
        before.append(synced.sync.last)
        return synced.targets

    watch = WorkspaceWatch(
        sync=replace(synced.sync, find_targets=find),
        db=synced.store.db,
        bus=EventBus(),
        more_files=tuple,
        debounce_s=0.05,
        check_s=0.05,
        first_s=0.0,
    )

    async def is_settled() -> bool:
        # The second sync is for what changed before the target's folder was watched.
        return len(before) > 1 and synced.sync.last is not before[-1]

    async def is_asked() -> bool:
        return bool(await synced.items())

    running = asyncio.create_task(watch.run())
    try:
        await until(is_settled, "the block is written")
        file.write_text(file.read_text().replace("Ann", "Anna"))
        await until(is_asked, "the edit is asked about")
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

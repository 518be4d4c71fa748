"""The workspace's files in the blocks of targets."""

import asyncio
import json
import os
from dataclasses import replace
from typing import Literal

import pytest

from fakes.workspace import SyncedWorkspace, sections
from intaglio.connect.managed_block import put_block, strip_block


async def test_the_workspaces_files_are_written_and_kept_current(synced: SyncedWorkspace) -> None:
    file = synced.add_target("claude")
    file.write_bytes(b"# Mine\r\n")
    synced.write("AGENTS.md", "Use pnpm.\n")
    synced.write("USER.md", "I am Ann.\n")
    await synced.run()
    assert sections(file) == {"AGENTS.md": "Use pnpm.", "USER.md": "I am Ann."}
    synced.write("USER.md", "I am Bea.\n")
    await synced.run()
    assert sections(file) == {"AGENTS.md": "Use pnpm.", "USER.md": "I am Bea."}
    assert strip_block(file.read_bytes()) == b"# Mine\r\n"


async def test_files_with_a_block_are_listed_for_uninstalling(synced: SyncedWorkspace) -> None:
    file = synced.add_target("claude")
    listed = synced.home / "state/instruction-blocks.json"
    await synced.run()
    assert not listed.exists()
    synced.write("USER.md", "I am Ann.\n")
    await synced.run()
    assert json.loads(listed.read_text()) == [str(file)]
    synced.switch("claude", "disconnected")
    await synced.run()
    assert json.loads(listed.read_text()) == []


async def test_nothing_is_written_while_the_workspace_has_no_such_file(
    synced: SyncedWorkspace,
) -> None:
    file = synced.add_target("claude")
    synced.write("USER.md", "\n")
    assert (await synced.record("claude")).state == "waiting"
    assert not file.exists()


async def test_a_second_sync_writes_nothing(synced: SyncedWorkspace) -> None:
    file = synced.add_target("claude")
    synced.write("USER.md", "I am Ann.\n")
    await synced.run()
    before = file.stat().st_mtime_ns, len(synced.store.events)
    await synced.run()
    assert (file.stat().st_mtime_ns, len(synced.store.events)) == before


async def test_an_agent_has_its_own_soul_and_all_else_of_the_workspace(
    synced: SyncedWorkspace,
) -> None:
    file = synced.add_target("ann", agent="ann")
    synced.write("AGENTS.md", "Use pnpm.")
    synced.write("SOUL.md", "Be brief.")
    synced.write("agents/ann/SOUL.md", "Be kind.")
    await synced.run()
    assert sections(file) == {"AGENTS.md": "Use pnpm.", "agents/ann/SOUL.md": "Be kind."}


@pytest.mark.parametrize("state", ["off", "disconnected"])
@pytest.mark.parametrize("before", [None, b"", b"\xef\xbb\xbf# Mine", b"# Mine\r\n\r\n"])
async def test_switching_off_or_disconnecting_restores_every_byte(
    synced: SyncedWorkspace, state: Literal["off", "disconnected"], before: bytes | None
) -> None:
    file = synced.add_target("claude")
    if before is not None:
        file.write_bytes(before)
    synced.write("USER.md", "I am Ann.\n")
    await synced.run()
    assert sections(file)
    synced.switch("claude", state)
    await synced.run()
    assert (file.read_bytes() if file.exists() else None) == before
    synced.switch("claude", "synced")
    await synced.run()
    assert sections(file)


async def test_a_target_that_is_no_more_loses_its_block(synced: SyncedWorkspace) -> None:
    file = synced.add_target("claude")
    file.write_bytes(b"# Mine\n")
    synced.write("USER.md", "I am Ann.\n")
    await synced.run()
    synced.targets.clear()
    await synced.run()
    assert file.read_bytes() == b"# Mine\n"


async def test_a_block_moves_along_with_a_targets_file(synced: SyncedWorkspace) -> None:
    file = synced.add_target("claude")
    synced.write("USER.md", "I am Ann.\n")
    await synced.run()
    synced.targets.clear()
    other = synced.add_target("other", as_id="claude")
    await synced.run()
    assert not file.exists()
    assert sections(other) == {"USER.md": "I am Ann."}


async def test_a_removed_block_is_not_written_again_and_that_is_said(
    synced: SyncedWorkspace,
) -> None:
    file = synced.add_target("claude")
    synced.write("USER.md", "I am Ann.\n")
    await synced.run()
    file.write_bytes(b"# Mine\n")
    record = await synced.record("claude")
    assert (record.state, record.off_by) == ("off", "removed")
    assert "removed the block" in record.reason
    synced.write("USER.md", "I am Bea.\n")
    await synced.run()
    assert file.read_bytes() == b"# Mine\n"


async def test_a_target_can_be_switched_on_while_a_sync_runs(synced: SyncedWorkspace) -> None:
    file = synced.add_target("claude")
    synced.write("USER.md", "I am Ann.\n")
    await synced.sync.switch(await synced.record("claude"), enabled=False)
    record = await synced.record("claude")
    assert (record.state, file.exists()) == ("off", False)
    reads, goes_on = asyncio.Event(), asyncio.Event()

    async def pause(_: float) -> None:
        reads.set()
        await goes_on.wait()

    running = replace(synced.sync, reader=replace(synced.sync.reader, pause=pause)).sync()
    async with asyncio.TaskGroup() as group:
        group.create_task(running)
        await reads.wait()
        switching = group.create_task(synced.sync.switch(record, enabled=True))
        await asyncio.wait({switching}, timeout=0.05)
        goes_on.set()
    assert (await synced.record("claude")).state == "synced"
    assert sections(file)


async def test_a_removed_block_that_comes_back_is_kept_current(synced: SyncedWorkspace) -> None:
    file = synced.add_target("claude")
    synced.write("USER.md", "I am Ann.\n")
    await synced.run()
    saved = file.read_bytes()
    file.write_bytes(b"")
    await synced.run()
    file.write_bytes(saved)
    synced.write("USER.md", "I am Bea.\n")
    assert (await synced.record("claude")).state == "synced"
    assert sections(file) == {"USER.md": "I am Bea."}


async def test_a_block_comes_back_with_a_new_connection(synced: SyncedWorkspace) -> None:
    file = synced.add_target("claude")
    synced.write("USER.md", "I am Ann.\n")
    await synced.run()
    file.unlink()
    synced.targets = [replace(each, connection="2") for each in synced.targets]
    assert (await synced.record("claude")).state == "synced"
    assert sections(file) == {"USER.md": "I am Ann."}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
async def test_a_read_only_folder_is_refused(synced: SyncedWorkspace) -> None:
    file = synced.add_target("claude")
    file.parent.chmod(0o500)
    synced.write("USER.md", "I am Ann.\n")
    assert (await synced.record("claude")).state == "refused"


async def test_a_read_only_file_is_refused_until_it_can_be_written(
    synced: SyncedWorkspace,
) -> None:
    file = synced.add_target("claude")
    file.write_bytes(b"# Mine\n")
    file.chmod(0o400)
    synced.write("USER.md", "I am Ann.\n")
    record = await synced.record("claude")
    assert (record.state, record.hint) == (
        "refused",
        "Make it writable, or switch sync off for it.",
    )
    assert file.read_bytes() == b"# Mine\n"
    file.chmod(0o600)
    assert (await synced.record("claude")).state == "synced"


async def test_a_missing_folder_is_refused_until_it_is_there(synced: SyncedWorkspace) -> None:
    file = synced.add_target("claude")
    file.parent.rmdir()
    synced.write("USER.md", "I am Ann.\n")
    assert (await synced.record("claude")).state == "refused"
    file.parent.mkdir()
    assert (await synced.record("claude")).state == "synced"


async def test_a_folder_that_was_deleted_and_comes_back_gets_the_block_again(
    synced: SyncedWorkspace,
) -> None:
    file = synced.add_target("claude")
    synced.write("USER.md", "I am Ann.\n")
    await synced.run()
    file.unlink()
    file.parent.rmdir()
    await synced.run()
    file.parent.mkdir()
    await synced.run()
    assert sections(file)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("USER.md", b"\xff\xfe", "isn't valid UTF-8"),
        ("SOUL.md", b"x" * 1_000_001, "is larger than 1 MB"),
    ],
)
async def test_a_file_that_cannot_be_read_leaves_the_blocks_as_they_are(
    synced: SyncedWorkspace, name: str, content: bytes, reason: str
) -> None:
    file = synced.add_target("claude")
    synced.write(name, "I am Ann.\n")
    await synced.run()
    synced.write(name, content)
    record = await synced.record("claude")
    assert record.state == "refused"
    assert reason in record.reason
    assert sections(file) == {name: "I am Ann."}


async def test_a_link_out_of_the_workspace_is_not_read(synced: SyncedWorkspace) -> None:
    synced.add_target("claude")
    (synced.home / "secret.md").write_text("secret")
    (synced.folder / "USER.md").symlink_to(synced.home / "secret.md")
    assert "leads out" in (await synced.record("claude")).reason


async def test_a_link_out_of_a_projects_folder_is_not_written(synced: SyncedWorkspace) -> None:
    project = synced.home / "shop"
    file = synced.add_target("shop", within=project)
    (synced.home / "elsewhere.md").write_text("elsewhere")
    file.symlink_to(synced.home / "elsewhere.md")
    synced.write("USER.md", "I am Ann.\n")
    assert (await synced.record("shop")).state == "refused"
    assert (synced.home / "elsewhere.md").read_text() == "elsewhere"


async def test_a_link_of_the_user_stays_and_its_target_is_written(synced: SyncedWorkspace) -> None:
    file = synced.add_target("claude")
    dotfile = synced.home / "dotfiles.md"
    dotfile.write_text("# Mine\n")
    file.symlink_to(dotfile)
    synced.write("USER.md", "I am Ann.\n")
    await synced.run()
    assert file.is_symlink()
    assert sections(dotfile) == {"USER.md": "I am Ann."}


async def test_broken_comments_are_refused_with_their_line(synced: SyncedWorkspace) -> None:
    file = synced.add_target("claude")
    file.write_bytes(b"# Mine\n<!-- INTAGLIO:END -->\n")
    synced.write("USER.md", "I am Ann.\n")
    record = await synced.record("claude")
    assert record.state == "refused"
    assert "line 2" in record.reason


async def test_comments_in_a_file_of_the_workspace_do_not_end_the_block(
    synced: SyncedWorkspace,
) -> None:
    file = synced.add_target("claude")
    text = "<!-- INTAGLIO:END -->\n<!-- INTAGLIO:START x -->"
    synced.write("USER.md", text)
    assert (await synced.record("claude")).state == "synced"
    assert sections(file) == {"USER.md": text}


async def test_a_new_database_takes_over_a_block_that_nobody_edited(
    synced: SyncedWorkspace,
) -> None:
    file = synced.add_target("claude")
    file.write_bytes(put_block(b"# Mine\n", "<!-- INTAGLIO:FILE USER.md -->\nOld.\n"))
    synced.write("USER.md", "I am Ann.\n")
    await synced.run()
    assert sections(file) == {"USER.md": "I am Ann."}


async def test_two_installations_do_not_write_in_turns(synced: SyncedWorkspace) -> None:
    file = synced.add_target("claude")
    synced.write("USER.md", "I am Ann.\n")
    await synced.run()
    other = put_block(None, "<!-- INTAGLIO:FILE USER.md -->\nAnother.\n")
    file.write_bytes(other)
    await synced.run()
    assert sections(file) == {"USER.md": "I am Ann."}
    file.write_bytes(other)
    record = await synced.record("claude")
    assert "Another installation" in record.reason
    assert file.read_bytes() == other


async def test_a_file_saved_by_rename_is_synced(synced: SyncedWorkspace) -> None:
    file = synced.add_target("claude")
    synced.write("USER.md", "I am Ann.\n")
    await synced.run()
    (synced.folder / "USER.md").rename(synced.folder / "USER.md~")
    synced.write(".USER.md.swp", "I am Bea.\n")
    (synced.folder / ".USER.md.swp").rename(synced.folder / "USER.md")
    await synced.run()
    assert sections(file) == {"USER.md": "I am Bea."}

"""Edits of a block: asked about, decided, undone, and never lost."""

import asyncio
from importlib import import_module

import pytest

from fakes.workspace import USER, SyncedWorkspace, sections
from intaglio.domain.reader import USER as USER_READER
from intaglio.lifecycle.decisions.inbox_decisions import Decided, DecisionRefused
from intaglio.workspace.conflicts import CONFLICT


async def edited(synced: SyncedWorkspace, *, workspace_too: bool = False) -> bytes:
    """Have the block in a target's file edited and asked about; return the file's content."""
    file = synced.add_target("claude")
    file.write_bytes(b"# Mine\n")
    synced.write("AGENTS.md", "Use pnpm.\r\n")
    synced.write("USER.md", "I am Ann.\n")
    await synced.run()
    content = file.read_bytes().replace(b"Ann", b"Bea")
    file.write_bytes(content)
    if workspace_too:
        synced.write("USER.md", "I am Cleo.\n")
    await synced.run()
    assert file.read_bytes() == content
    return content


@pytest.mark.parametrize("workspace_too", [False, True])
async def test_an_edited_block_is_asked_about_and_left_alone(
    synced: SyncedWorkspace, workspace_too: bool
) -> None:
    await edited(synced, workspace_too=workspace_too)
    [item] = await synced.items()
    assert "block in" in item.content
    assert (await synced.record("claude")).state == "conflict"
    assert len(await synced.items()) == 1


@pytest.mark.parametrize("workspace_too", [False, True])
async def test_the_workspaces_text_replaces_the_edit_and_undoing_brings_it_back(
    synced: SyncedWorkspace, workspace_too: bool
) -> None:
    await edited(synced, workspace_too=workspace_too)
    file = synced.targets[0].file
    assert isinstance(await synced.decide("use_workspace"), Decided)
    assert sections(file)["USER.md"] == ("I am Cleo." if workspace_too else "I am Ann.")
    await synced.undo()
    assert sections(file)["USER.md"] == "I am Bea."
    assert file.read_bytes().endswith(b"# Mine\n")
    assert len(await synced.items()) == 1


@pytest.mark.parametrize("workspace_too", [False, True])
async def test_the_edit_is_taken_into_its_file_and_undoing_restores_both(
    synced: SyncedWorkspace, workspace_too: bool
) -> None:
    await edited(synced, workspace_too=workspace_too)
    file = synced.targets[0].file
    before = (synced.folder / "USER.md").read_bytes()
    assert isinstance(await synced.decide("take_edit"), Decided)
    assert (synced.folder / "USER.md").read_bytes() == b"I am Bea.\n"
    assert (synced.folder / "AGENTS.md").read_bytes() == b"Use pnpm.\r\n"
    assert (await synced.record("claude")).state == "synced"
    await synced.undo()
    assert (synced.folder / "USER.md").read_bytes() == before
    assert sections(file)["USER.md"] == "I am Bea."
    assert len(await synced.items()) == 1


@pytest.mark.parametrize(
    ("module", "step"),
    [
        ("decisions", "edited_sections"),
        ("decisions", "replace_file"),
        ("reading", "read_texts"),
        ("sync", "plan_target"),
    ],
)
async def test_an_undo_while_a_sync_carries_out_the_decision_is_carried_out_by_the_next(
    synced: SyncedWorkspace, monkeypatch: pytest.MonkeyPatch, module: str, step: str
) -> None:
    await edited(synced)
    before = (synced.folder / "USER.md").read_bytes()
    [item] = await synced.items()
    await synced.decisions.decide(item.id, "take_edit", USER)
    loop = asyncio.get_running_loop()
    place = import_module(f"intaglio.workspace.{module}")
    work = getattr(place, step)

    def undone_after(*given: object, **named: object) -> object:
        monkeypatch.undo()
        done = work(*given, **named)
        undo = synced.decisions.undo_all([item.id], USER)
        asyncio.run_coroutine_threadsafe(undo, loop).result()
        return done

    monkeypatch.setattr(place, step, undone_after)
    await synced.sync.sync()
    await synced.run()
    assert (synced.folder / "USER.md").read_bytes() == before
    assert sections(synced.targets[0].file)["USER.md"] == "I am Bea."
    assert [each.id for each in await synced.items()] == [item.id]


async def test_another_decision_at_once_after_an_undo_is_carried_out_after_it(
    synced: SyncedWorkspace,
) -> None:
    await edited(synced)
    before = (synced.folder / "USER.md").read_bytes()
    [item] = await synced.items()
    await synced.decide("take_edit")
    await synced.decisions.undo_all([item.id], USER)
    assert isinstance(await synced.decide("use_workspace"), Decided)
    assert (synced.folder / "USER.md").read_bytes() == before
    assert sections(synced.targets[0].file)["USER.md"] == "I am Ann."
    await synced.undo()
    assert sections(synced.targets[0].file)["USER.md"] == "I am Bea."


async def test_undoing_what_was_never_carried_out_shows_nothing_as_replaced(
    synced: SyncedWorkspace,
) -> None:
    await edited(synced)
    (synced.folder / "USER.md").chmod(0o400)
    await synced.decide("take_edit")
    (synced.folder / "USER.md").chmod(0o600)
    await synced.undo()
    [item] = await synced.items()
    shown = await synced.store.db.read(lambda tx: CONFLICT.show(tx, item, USER_READER).content)
    assert "held before" not in shown


async def test_a_taken_edit_reaches_the_other_targets(synced: SyncedWorkspace) -> None:
    await edited(synced)
    other = synced.add_target("codex")
    await synced.decide("take_edit")
    assert sections(other)["USER.md"] == "I am Bea."


async def test_an_edit_of_an_agents_soul_goes_to_its_own_file(synced: SyncedWorkspace) -> None:
    file = synced.add_target("ann", agent="ann")
    synced.write("SOUL.md", "Be brief.\n")
    synced.write("agents/ann/SOUL.md", "Be kind.\n")
    await synced.run()
    file.write_bytes(file.read_bytes().replace(b"kind", b"funny"))
    await synced.run()
    await synced.decide("take_edit")
    assert (synced.folder / "agents/ann/SOUL.md").read_text() == "Be funny.\n"
    assert (synced.folder / "SOUL.md").read_text() == "Be brief.\n"


async def test_an_edit_outside_of_all_files_cannot_be_taken(synced: SyncedWorkspace) -> None:
    await edited(synced)
    file = synced.targets[0].file
    file.write_bytes(file.read_bytes().replace(b"<!-- INTAGLIO:FILE AGENTS.md -->\n", b"Hello\n"))
    await synced.run()
    done = await synced.decide("take_edit")
    assert isinstance(done, DecisionRefused)
    assert "Copy" in done.hint


async def test_the_same_edit_on_both_sides_is_no_conflict(synced: SyncedWorkspace) -> None:
    await edited(synced)
    synced.write("USER.md", "I am Bea.\n")
    assert (await synced.record("claude")).state == "synced"
    assert await synced.items() == []


async def test_an_edit_that_is_taken_back_by_hand_is_no_conflict(synced: SyncedWorkspace) -> None:
    content = await edited(synced)
    synced.targets[0].file.write_bytes(content.replace(b"Bea", b"Ann"))
    assert (await synced.record("claude")).state == "synced"
    assert await synced.items() == []


async def test_a_further_edit_changes_what_is_asked(synced: SyncedWorkspace) -> None:
    content = await edited(synced)
    synced.targets[0].file.write_bytes(content.replace(b"Bea", b"Dora"))
    await synced.run()
    assert len(await synced.items()) == 1
    await synced.decide("take_edit")
    assert (synced.folder / "USER.md").read_text() == "I am Dora.\n"


async def test_an_edit_after_the_decision_is_asked_about_again(synced: SyncedWorkspace) -> None:
    content = await edited(synced)
    [item] = await synced.items()
    file = synced.targets[0].file
    file.write_bytes(content.replace(b"Bea", b"Dora"))
    await synced.decide("use_workspace")
    assert sections(file)["USER.md"] == "I am Dora."
    [again] = await synced.items()
    assert again.id != item.id


async def test_the_same_edit_after_it_was_replaced_is_asked_about_again(
    synced: SyncedWorkspace,
) -> None:
    content = await edited(synced)
    [item] = await synced.items()
    file = synced.targets[0].file
    await synced.decide("use_workspace")
    file.write_bytes(content)
    await synced.run()
    assert file.read_bytes() == content
    [again] = await synced.items()
    assert again.id != item.id
    await synced.decide("use_workspace")
    assert sections(file)["USER.md"] == "I am Ann."


async def test_an_undone_decision_keeps_both_edits_if_there_is_a_newer_one(
    synced: SyncedWorkspace,
) -> None:
    await edited(synced)
    file = synced.targets[0].file
    await synced.decide("use_workspace")
    file.write_bytes(file.read_bytes().replace(b"Ann", b"Dora"))
    await synced.undo()
    [item] = await synced.items()
    shown = await synced.store.db.read(lambda tx: CONFLICT.show(tx, item, USER_READER).content)
    assert ("I am Dora." in shown, "I am Bea." in shown) == (True, True)
    assert sections(file)["USER.md"] == "I am Dora."


async def test_a_decision_is_carried_out_by_a_daemon_that_starts_later(
    synced: SyncedWorkspace,
) -> None:
    await edited(synced)
    synced.sync = synced.restarted()
    await synced.decide("take_edit")
    assert (synced.folder / "USER.md").read_text() == "I am Bea.\n"


async def test_a_file_that_cannot_be_written_keeps_the_edit_until_it_can(
    synced: SyncedWorkspace,
) -> None:
    await edited(synced)
    (synced.folder / "USER.md").chmod(0o400)
    await synced.decide("take_edit")
    record = await synced.record("claude")
    assert record.state == "refused"
    assert "read-only" in record.reason
    assert sections(synced.targets[0].file)["USER.md"] == "I am Bea."
    (synced.folder / "USER.md").chmod(0o600)
    assert (await synced.record("claude")).state == "synced"
    assert (synced.folder / "USER.md").read_text() == "I am Bea.\n"


async def test_switching_off_keeps_an_edited_block(synced: SyncedWorkspace) -> None:
    content = await edited(synced)
    synced.switch("claude", "off")
    record = await synced.record("claude")
    assert (record.state, "stays" in record.reason) == ("off", True)
    assert synced.targets[0].file.read_bytes() == content
    assert await synced.items() == []

"""What users and harnesses write into memory files is remembered, and follows the files."""

import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from fakes.memory_files import Shelf
from intaglio.domain.reader import USER as USER_READER
from intaglio.fence.outgoing import Fence
from intaglio.harness.claude_code import own_files as claude
from intaglio.harness.codex import own_files as codex
from intaglio.inbox import operations as inbox
from intaglio.memory.operations import Audit, erase, forget, modify, recover
from intaglio.memory.settings import MemorySettings
from intaglio.memory.values import Actor, Change
from intaglio.memory_files.disk import MAX_FILES, files_in, workspace_place
from intaglio.memory_files.settings import MemoryFileSettings
from intaglio.projects import settings_rows
from intaglio.projects.settings import CAPTURE
from intaglio.sessions.statements.constraints import constraints_among
from intaglio.sessions.statements.reversals import may_replace
from intaglio.store.tx import WriteTx

USER = Audit(Actor("user"))
PORT, LAG = "Database: Postgres listens on 5433", "Database: The replica lags by five seconds"
NOTES = "## Database\n\n- Postgres listens on 5433\n- The replica lags by five seconds\n"


async def test_each_statement_becomes_a_memory_that_names_its_file(shelf: Shelf) -> None:
    await shelf.save("db.md", NOTES)
    found = await shelf.memories()
    assert [each.content for each in found] == [PORT, LAG]
    path = str(shelf.folder / "db.md")
    assert {(m.source.type, m.source.path, m.type, m.pinned) for m in found} == {
        ("file", path, "fact", False)
    }
    assert await shelf.files.counts() == {path: 2}


async def test_reading_again_changes_nothing(shelf: Shelf) -> None:
    await shelf.save("db.md", NOTES)
    before = await shelf.memories()
    assert (await shelf.files.read()).files == 0
    await shelf.save("db.md", NOTES)
    assert await shelf.memories() == before


async def test_an_edit_changes_that_memory_alone(shelf: Shelf) -> None:
    await shelf.save("db.md", NOTES)
    port, lag = await shelf.memories()
    await shelf.save("db.md", NOTES.replace("5433", "5434"))
    changed, same = await shelf.memories()
    assert (changed.id, changed.content) == (port.id, "Database: Postgres listens on 5434")
    assert same == lag


async def test_a_statement_that_is_removed_is_forgotten_and_returns_with_it(shelf: Shelf) -> None:
    await shelf.save("db.md", NOTES)
    port, lag = await shelf.memories()
    await shelf.save("db.md", "## Database\n\n- Postgres listens on 5433\n")
    assert await shelf.memories() == [port]
    assert [each.id for each in await shelf.memories(forgotten=True)] == [lag.id]
    await shelf.save("db.md", NOTES)
    assert [each.id for each in await shelf.memories()] == [port.id, lag.id]


async def test_a_statement_that_moves_below_another_heading_keeps_its_memory(shelf: Shelf) -> None:
    await shelf.save("db.md", NOTES)
    ids = [each.id for each in await shelf.memories()]
    await shelf.save("db.md", NOTES.replace("## Database", "## Storage"))
    assert [each.id for each in await shelf.memories()] == ids
    assert await shelf.contents() == [each.replace("Database", "Storage") for each in (PORT, LAG)]


async def test_renaming_a_file_keeps_its_memories(shelf: Shelf) -> None:
    await shelf.save("db.md", NOTES)
    before = await shelf.memories()
    (shelf.folder / "db.md").rename(shelf.folder / "storage.md")
    await shelf.files.read()
    path = str(shelf.folder / "storage.md")
    after = await shelf.memories()
    assert [(each.id, each.version) for each in after] == [(m.id, m.version) for m in before]
    assert {each.source.path for each in after} == {path}
    assert await shelf.files.counts() == {path: 2}


async def test_deleting_a_file_forgets_what_no_other_one_says(shelf: Shelf) -> None:
    await shelf.save("db.md", NOTES)
    await shelf.save("copy.md", "## Database\n\n- Postgres listens on 5433\n")
    (shelf.folder / "db.md").unlink()
    await shelf.files.read()
    assert await shelf.contents() == [PORT]
    (shelf.folder / "copy.md").unlink()
    await shelf.files.read()
    assert await shelf.contents() == []


async def test_a_folder_that_is_not_there_changes_nothing(shelf: Shelf) -> None:
    await shelf.save("db.md", NOTES)
    shelf.folder.parent.rename(shelf.folder.parent.with_name("unmounted"))
    await shelf.files.read()
    assert await shelf.contents() == [PORT, LAG]


@pytest.mark.parametrize("text", ["", "  \n", b"\xff\xfe\x00broken", "x" * 300_000])
async def test_a_file_that_cannot_be_read_changes_nothing(shelf: Shelf, text: str | bytes) -> None:
    await shelf.save("db.md", NOTES)
    await shelf.save("db.md", text)
    assert await shelf.contents() == [PORT, LAG]


async def test_a_file_that_is_being_written_is_read_when_it_rests(shelf: Shelf) -> None:
    await shelf.save("db.md", "## Database\n\n- Postgres lis", age_s=0.2)
    assert await shelf.contents() == []
    await shelf.save("db.md", NOTES, age_s=2)
    assert await shelf.contents() == [PORT, LAG]


async def test_no_more_statements_are_read_than_can_be_looked_after(shelf: Shelf) -> None:
    shelf.most = 3
    await shelf.save("a.md", NOTES)
    await shelf.save("b.md", "The importer runs hourly.\n\nThe exporter runs daily.\n")
    assert await shelf.contents() == [PORT, LAG, "The importer runs hourly."]


async def test_of_too_many_files_those_that_changed_last_are_read(shelf: Shelf) -> None:
    shelf.folder.mkdir(parents=True)
    for number in range(MAX_FILES + 50):
        (shelf.folder / f"2026-01-03-{number}.md").write_text(NOTES)
        file = shelf.folder / f"n{number}.md"
        file.write_text("")
        os.utime(file, (number, number))
    (shelf.folder / "n7.md").write_text(NOTES)
    listed = [each.path.name for each in files_in(workspace_place(shelf.folder))]
    assert (len(listed), "n7.md" in listed) == (MAX_FILES, True)
    assert {"n50.md", "2026-01-03-7.md"}.isdisjoint(listed)


async def test_a_name_that_is_no_text_is_left_alone(shelf: Shelf) -> None:
    shelf.folder.mkdir(parents=True)
    (shelf.folder / os.fsdecode(b"\xff.md")).write_text(NOTES)
    await shelf.save("db.md", NOTES)
    assert await shelf.contents() == [PORT, LAG]


async def test_pipes_and_other_names_are_not_read(shelf: Shelf) -> None:
    for name in ("MEMORY.md", "2026-01-03.md", "2026-01-03-shop.md", ".hidden.md", "notes.txt"):
        shelf.write(name, NOTES)
    shelf.write("scripts/run.md", NOTES)
    os.mkfifo(shelf.folder / "pipe.md")
    await shelf.files.read()
    assert await shelf.contents() == []


@pytest.mark.parametrize(
    "line",
    [
        "Never push to main without a review.",
        "Always use pnpm instead of npm.",
        "Rule: commit messages are in German",
        "Decision: the API stays in Go",
        "The user prefers tabs over spaces.",
        "Do not mock the database in tests.",
    ],
)
async def test_what_would_bind_is_only_suggested(shelf: Shelf, line: str) -> None:
    await shelf.save("rules.md", f"# Rules of ours\n\n- {line}\n")
    assert await shelf.memories() == []
    (item,) = await shelf.suggestions()
    assert (item.kind, item.source.type, item.origin) == ("suggestion", "file", "agent")
    assert item.evidence[0].sentence.startswith("rules.md: ")


async def test_no_more_suggestions_than_a_user_can_read_are_made(shelf: Shelf) -> None:
    rules = [f"- Never deploy service number {number} on a Friday\n" for number in range(25)]
    await shelf.save("rules.md", "".join(rules))
    first = await shelf.suggestions()
    assert len(first) == 20

    def drop(tx: WriteTx) -> None:
        for item in first:
            inbox.close(tx, item.id, "drop", shelf.house.bench.context)

    await shelf.house.bench.db.write(drop)
    await shelf.files.read()
    assert len(await shelf.suggestions()) == 5


async def test_a_suggestion_goes_and_returns_with_its_statement(shelf: Shelf) -> None:
    await shelf.save("rules.md", "- Never push to main without a review.\n")
    (item,) = await shelf.suggestions()
    await shelf.save("rules.md", "Nothing binds anybody here.\n")
    assert await shelf.suggestions() == []
    bench = shelf.house.bench
    closed = await bench.db.read(lambda tx: inbox.find_readable(tx, item.id, USER_READER))
    assert closed is not None
    assert closed.action == "obsolete"
    await shelf.save("rules.md", "- Never push to main without a review.\n")
    assert [each.id for each in await shelf.suggestions()] == [item.id]


async def test_what_the_user_forgot_stays_forgotten_however_it_is_reworded(shelf: Shelf) -> None:
    await shelf.save("db.md", NOTES)
    port, lag = await shelf.memories()
    bench = shelf.house.bench
    await bench.db.write(lambda tx: forget(tx, port.id, USER, bench.context))
    await bench.db.write(lambda tx: erase(tx, lag.id, USER, bench.context))
    await shelf.save("db.md", NOTES.replace("5433", "5433 again").replace("five", "six"))
    assert PORT not in await shelf.contents()
    await shelf.save("other.md", NOTES)
    assert not {PORT, LAG} & set(await shelf.contents())


async def test_what_the_user_edited_or_pinned_is_left_alone(shelf: Shelf) -> None:
    await shelf.save("db.md", NOTES)
    port, lag = await shelf.memories()
    bench = shelf.house.bench
    edit = Change(content="Postgres listens on 9999", who="user")
    await bench.db.write(lambda tx: modify(tx, port.id, edit, USER, bench.context))
    await bench.db.write(lambda tx: modify(tx, lag.id, Change(pinned=True), USER, bench.context))
    (shelf.folder / "db.md").unlink()
    await shelf.files.read()
    assert await shelf.contents() == ["Postgres listens on 9999", LAG]


async def test_what_a_file_took_along_can_be_restored_and_read_as_it_was(shelf: Shelf) -> None:
    await shelf.save("db.md", NOTES)
    port, lag = await shelf.memories()
    await shelf.save("db.md", "## Database\n\n- Postgres listens on 5434\n")
    bench = shelf.house.bench
    past = await shelf.house.rows(
        "SELECT event, old_content, reason FROM memory_history WHERE old_content IS NOT NULL "
        "ORDER BY seq"
    )
    assert sorted(past) == [
        ("deleted", LAG, "removed from db.md"),
        ("updated", PORT, "changed in db.md"),
    ]
    within = timedelta(days=30)
    await bench.db.write(lambda tx: recover(tx, lag.id, USER, bench.context, within))
    await shelf.save("db.md", "## Database\n\n- Postgres listens on 5435\n")
    assert [each.id for each in await shelf.memories()] == [port.id, lag.id]
    await shelf.save("db.md", NOTES.replace("5433", "5435"))
    assert [each.id for each in await shelf.memories()] == [port.id, lag.id]


async def test_a_file_neither_binds_nor_replaces_what_the_user_said(shelf: Shelf) -> None:
    await shelf.house.remember("The database listens on 5432", project=None)
    await shelf.save("db.md", NOTES)
    said, port, _ = await shelf.memories()
    assert not await shelf.house.bench.db.read(lambda tx: constraints_among(tx, (port,)))
    assert may_replace(said, port)
    assert not may_replace(port, said)


async def test_what_somebody_said_already_is_neither_doubled_nor_forgotten(shelf: Shelf) -> None:
    await shelf.house.remember(PORT, project=None)
    await shelf.save("db.md", NOTES)
    assert await shelf.contents() == [PORT, LAG]
    await shelf.save("db.md", "Nothing is said here any more.\n")
    assert PORT in await shelf.contents()


async def test_secrets_are_never_stored(shelf: Shelf) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "a1B2c3"
    await shelf.save("keys.md", f"The deploy key of the shop is {secret} and lives in the vault.\n")
    (memory,) = await shelf.memories()
    assert secret not in memory.content


async def test_what_agents_are_told_is_not_read_back(shelf: Shelf) -> None:
    told = Fence().wrap("- The cache is written in Rust.", {"source": "prompt"})
    await shelf.save("notes.md", f"{told}\n\nThe importer is written in Rust.\n")
    assert await shelf.contents() == ["The importer is written in Rust."]


async def test_claude_codes_memory_belongs_to_its_project(shelf: Shelf, tmp_path: Path) -> None:
    home, projects = tmp_path / "home", ("/work/shop", "/work/blog", "/work/my-app", "/work/my/app")
    for project in projects:
        folder = claude.memory_folder(home, {}, project)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "MEMORY.md").write_text(f"The folder is called {project} by its owner.\n")
    shelf.places["claude-code"] = claude.memory_places(home, {}, projects)
    await shelf.files.read()
    found = {each.scope.project for each in await shelf.memories()}
    # One folder may stand for /work/my-app and /work/my/app.
    assert found == {"/work/shop", "/work/blog"}


async def test_codex_task_groups_belong_to_the_directory_that_they_name(
    shelf: Shelf, tmp_path: Path
) -> None:
    folder = tmp_path / ".codex" / "memories"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text(
        "# Task Group: Shop delivery\napplies_to: cwd=/work/shop; reuse_rule=safe\n\n"
        "## Reusable knowledge\n\n- The shop is deployed from the release branch\n\n"
        "# Task Group: Anywhere\napplies_to: cwd=unknown; reuse_rule=safe\n\n"
        "## Reusable knowledge\n\n- Somebody likes the colour blue\n"
    )
    (folder / "raw_memories.md").write_text("The raw memories say it once more.\n")
    shelf.places["codex"] = codex.memory_places(tmp_path, {}, ())
    await shelf.files.read()
    (memory,) = await shelf.memories()
    assert memory.scope.project == "/work/shop"
    assert memory.content.endswith("The shop is deployed from the release branch")


async def test_a_project_whose_capture_is_off_is_not_read(shelf: Shelf, tmp_path: Path) -> None:
    folder = claude.memory_folder(tmp_path, {}, "/work/shop")
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text(NOTES)
    shelf.places["claude-code"] = claude.memory_places(tmp_path, {}, ("/work/shop",))
    await shelf.house.bench.db.write(
        lambda tx: settings_rows.put(tx, "/work/shop", CAPTURE, value=False)
    )
    await shelf.files.read()
    assert await shelf.contents() == []


async def test_nothing_is_read_while_paused_frozen_switched_off_or_taken_back(
    shelf: Shelf,
) -> None:
    house = shelf.house
    path = shelf.write("db.md", NOTES)
    shelf.taken_back.add(str(path))
    await shelf.files.read()
    shelf.taken_back.clear()
    for off in (MemorySettings(frozen=True), MemoryFileSettings(enabled=False)):
        usual = house.settings
        house.settings = usual.having(off)
        await shelf.files.read()
        house.settings = usual
    await house.pauses.pause(None, "user")
    await shelf.files.read()
    assert await shelf.contents() == []
    await house.pauses.resume()
    await shelf.files.read()
    assert await shelf.contents() == [PORT, LAG]


async def test_it_is_told_only_as_an_answer(shelf: Shelf) -> None:
    await shelf.save("db.md", NOTES)
    (memory, _) = await shelf.memories()
    assert memory.is_unvouched
    assert replace(memory, who="user").is_unvouched is False

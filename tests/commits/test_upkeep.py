"""When commits are read, and what the user may do with them."""

from pathlib import Path

import pytest

from fakes.commits import CommitHouse, Written, empty_repository, history
from fakes.git import git
from intaglio.base.errors import NotFoundError, UnavailableError
from intaglio.base.settings.values import Settings
from intaglio.commits import rows
from intaglio.commits.project_rows import give_choices
from intaglio.memory.settings import MemorySettings

BODY = "Because it matters."


async def settled(house: CommitHouse) -> None:
    await house.background.finish(60)


async def test_a_session_start_has_the_projects_commits_read(
    house: CommitHouse, project: Written
) -> None:
    project.commit(f"one\n\n{BODY}")
    house.upkeep.session_started(str(project.folder))
    assert (await house.upkeep.status(str(project.folder))).reading
    await settled(house)
    status = await house.upkeep.status(str(project.folder))
    assert (status.enabled, status.stored, status.reading) == (True, 1, False)
    assert (status.head, status.stopped) == (project.head, "")
    assert status.read_at == "2026-01-31T08:00:00.000Z"


async def test_a_session_without_a_folder_reads_nothing(house: CommitHouse) -> None:
    house.upkeep.session_started(None)
    house.upkeep.session_started("a name")
    await settled(house)
    assert await house.bench.db.read(lambda tx: rows.with_sessions(tx, "", 10)) == []


async def test_the_loop_reads_projects_with_a_recent_session(
    house: CommitHouse, project: Written, tmp_path: Path
) -> None:
    old = empty_repository(tmp_path / "old")
    old.commit(f"old\n\n{BODY}")
    house.upkeep.session_started(str(old.folder))
    await settled(house)
    house.bench.clock.forward(days=15)
    house.upkeep.session_started(str(project.folder))
    await settled(house)
    old.commit(f"newer\n\n{BODY}")
    project.commit(f"new\n\n{BODY}")
    await house.upkeep.read_recent()
    assert sorted(await house.subjects()) == ["new", "old"]


async def test_switching_off_hides_at_once_and_deletes(
    house: CommitHouse, project: Written
) -> None:
    key = str(project.folder)
    project.commit(f"one\n\n{BODY}")
    await house.upkeep.read_now(key)
    await settled(house)
    status = await house.upkeep.switch(key, on=False)
    assert (status.enabled, status.choice, status.stored) == (False, False, 0)
    assert await house.bench.db.read(lambda tx: rows.number_of(tx, key)) is None
    await settled(house)
    assert await house.bench.db.read(lambda tx: tx.count("SELECT count(*) FROM commits")) == 0
    await house.upkeep.switch(key, on=None)
    await settled(house)
    assert await house.subjects() == ["one"]


async def test_a_projects_switch_wins_over_the_settings(
    house: CommitHouse, project: Written
) -> None:
    key = str(project.folder)
    project.commit(f"one\n\n{BODY}")
    house.set(enabled=False)
    status = await house.upkeep.read_now(key)
    assert (status.enabled, status.choice, status.stored) == (False, None, 0)
    await house.upkeep.switch(key, on=True)
    await settled(house)
    assert await house.subjects() == ["one"]


async def test_the_total_switch_deletes_what_was_read(
    house: CommitHouse, project: Written, tmp_path: Path
) -> None:
    chosen = empty_repository(tmp_path / "chosen")
    for each in (project, chosen):
        each.commit(f"one\n\n{BODY}", ["a.txt"])
        house.upkeep.session_started(str(each.folder))
    await house.upkeep.switch(str(chosen.folder), on=True)
    await settled(house)
    house.set(enabled=False)
    await house.upkeep.read_recent()
    assert [each.project for each in await house.stored()] == [str(chosen.folder)]


async def test_a_forgotten_commit_never_comes_back_until_that_is_undone(
    house: CommitHouse, project: Written
) -> None:
    key = str(project.folder)
    name = project.commit(f"one\n\n{BODY}", ["a.txt"])
    await house.read(project.folder)
    assert not await house.upkeep.unforget(key, name)
    assert await house.upkeep.forget(key, name[:8]) == name
    assert await house.stored() == []
    await house.reader.drop(key)
    assert await house.read(project.folder) == 0
    assert await house.upkeep.unforget(key, name[:7]) == name
    [stored] = await house.stored()
    assert (stored.hash, stored.files) == (name, ("a.txt",))


@pytest.mark.parametrize("which", ["", "0", "zzzz", "%%%%"])
async def test_a_commit_that_is_not_there_or_not_unique_cannot_be_forgotten(
    house: CommitHouse, project: Written, which: str
) -> None:
    git(project.folder, "fast-import", "--quiet", stdin=history(40))
    await house.read(project.folder)
    with pytest.raises(NotFoundError):
        await house.upkeep.forget(str(project.folder), which)
    assert len(await house.stored()) == 40


async def test_only_what_was_forgotten_is_restored(house: CommitHouse, project: Written) -> None:
    key = str(project.folder)
    project.commit(f"one\n\n{BODY}")
    git(project.folder, "checkout", "-q", "-b", "side")
    elsewhere = project.commit(f"on a branch\n\n{BODY}")
    git(project.folder, "checkout", "-q", "-")
    await house.read(project.folder)
    assert not await house.upkeep.unforget(key, elsewhere)
    assert [each.subject for each in await house.stored()] == ["one"]


async def test_nothing_is_read_or_changed_while_writes_are_frozen(
    house: CommitHouse, project: Written
) -> None:
    key = str(project.folder)
    project.commit(f"one\n\n{BODY}")
    house.settings = Settings().having(MemorySettings(frozen=True))
    house.upkeep.session_started(key)
    await settled(house)
    assert await house.stored() == []
    with pytest.raises(UnavailableError):
        await house.upkeep.switch(key, on=False)
    with pytest.raises(UnavailableError):
        await house.upkeep.forget(key, "abc")


async def test_the_commits_of_a_project_without_sessions_are_swept_and_read_again(
    house: CommitHouse, project: Written
) -> None:
    project.commit(f"one\n\n{BODY}", ["a.txt"])
    house.upkeep.session_started(str(project.folder))
    await settled(house)
    db, now = house.bench.db, "2026-01-31T08:00:01.000Z"
    assert await db.read(lambda tx: rows.without_sessions(tx, "2026-01-31T07", now, 10)) == []
    [key] = await db.read(lambda tx: rows.without_sessions(tx, now, now, 10))
    assert await db.write(lambda tx: rows.purge(tx, key, now, now)) == 1
    [reading] = await db.read(lambda tx: rows.old_readings(tx, now, now, 10))
    assert await house.read(project.folder) == 1
    assert await db.write(lambda tx: rows.purge_reading(tx, reading, now, now)) == 0
    await house.reader.drop(str(project.folder))
    assert await db.write(lambda tx: rows.purge_reading(tx, reading, now, now)) == 1


async def test_a_moved_project_keeps_what_was_forgotten_and_switched(
    house: CommitHouse, project: Written, tmp_path: Path
) -> None:
    key, target = str(project.folder), str(tmp_path / "moved")
    name = project.commit(f"one\n\n{BODY}")
    project.commit(f"two\n\n{BODY}")
    await house.read(project.folder)
    await house.upkeep.forget(key, name)
    await house.upkeep.switch(key, on=True)
    await settled(house)
    project.folder.rename(target)
    await house.bench.db.write(lambda tx: give_choices(tx, key, target))
    house.set(enabled=False)
    await house.upkeep.read_now(target)
    await settled(house)
    assert await house.subjects(Path(target)) == ["two"]
    await house.upkeep.switch(target, on=False)
    await house.bench.db.write(lambda tx: give_choices(tx, key, target))
    assert (await house.upkeep.status(target)).choice is False

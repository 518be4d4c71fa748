"""What a project's commits took back is kept with the reason, and goes with its commit."""

from dataclasses import replace
from typing import Final

import pytest

from fakes.commits import CommitHouse, Written
from fakes.git import git
from intaglio.memory import operations
from intaglio.memory.operations import Audit
from intaglio.memory.settings import MemorySettings
from intaglio.memory.values import Actor, Change

REASON: Final = "The importer deadlocks when two workers take the same lock."
USER: Final = Audit(Actor("me"))


def revert(written: Written, commit: str, reason: str = REASON, subject: str = "Use locks") -> str:
    name = "Revert" if not subject.startswith("Revert") else "Reapply"
    plain = subject.removeprefix('Revert "').removesuffix('"')
    body = f"This reverts commit {commit}.\n\n{reason}"
    return written.commit(f'{name} "{plain}"\n\n{body}', ["importer.py"])


@pytest.fixture
def locks(project: Written) -> str:
    return project.commit("Use locks\n\nThey keep two workers apart.", ["importer.py"])


async def kept(house: CommitHouse, project: Written) -> list[str]:
    await house.upkeep.read_now(str(project.folder))
    await house.background.finish(60)
    return await contents(house)


async def contents(house: CommitHouse) -> list[str]:
    return await house.bench.db.read(
        lambda tx: tx.column(
            str, "SELECT content FROM memories WHERE is_deleted = 0 ORDER BY created_at"
        )
    )


def told(commit: str, reason: str = REASON) -> str:
    return f'Reverted in {commit[:8]}: "Use locks". {reason}'


async def test_a_revert_with_a_reason_is_a_learning(
    house: CommitHouse, project: Written, locks: str
) -> None:
    taken = revert(project, locks)
    assert await kept(house, project) == [told(taken)]
    [row] = await house.bench.db.read(
        lambda tx: tx.all("SELECT type, source_type, source_id, project, pinned, who FROM memories")
    )
    assert row == ("learning", "commit", taken, str(project.folder), 0, "commit")
    assert await kept(house, project) == [told(taken)]


@pytest.mark.parametrize(
    "reason", ["", "Fixes #12", "Reverts owner/shop#7\n\nSigned-off-by: A <a@example.org>", "Oops."]
)
async def test_a_revert_without_a_reason_is_none(
    house: CommitHouse, project: Written, locks: str, reason: str
) -> None:
    revert(project, locks, reason)
    assert await kept(house, project) == []


async def test_a_subject_of_its_own_is_not_what_was_reverted(
    house: CommitHouse, project: Written
) -> None:
    # It has no body, so it isn't stored.
    small = project.commit("Use locks", ["importer.py"])
    body = f"This reverts commit {small}.\n\n{REASON}"
    taken = project.commit(f"Import without locks\n\n{body}", ["importer.py"])
    said = f'"Import without locks" ({taken[:8]}) reverts {small[:8]}. {REASON}'
    assert await kept(house, project) == [said]


async def test_what_is_reverted_again_is_back(
    house: CommitHouse, project: Written, locks: str
) -> None:
    taken = revert(project, locks)
    back = revert(
        project, taken, "Only one worker runs now, so they are safe.", 'Revert "Use locks"'
    )
    assert await kept(house, project) == []
    again = revert(project, back, "There are two workers after all, it deadlocked again.")
    assert await kept(house, project) == [
        told(taken),
        told(again, "There are two workers after all, it deadlocked again."),
    ]


async def test_what_is_committed_once_more_is_back(
    house: CommitHouse, project: Written, locks: str
) -> None:
    taken = revert(project, locks)
    assert await kept(house, project) == [told(taken)]
    project.commit("Use locks\n\nWith a timeout this time.", ["importer.py"])
    assert await kept(house, project) == []


async def test_a_commit_that_is_gone_takes_its_learning_along(
    house: CommitHouse, project: Written, locks: str
) -> None:
    taken = revert(project, locks)
    assert await kept(house, project) == [told(taken)]
    git(project.folder, "reset", "-q", "--hard", locks)
    project.commit("Go on\n\nWithout the revert.", ["other.py"])
    assert await kept(house, project) == []
    git(project.folder, "reset", "-q", "--hard", taken)
    assert await kept(house, project) == [told(taken)]


async def test_what_the_user_forgot_stays_forgotten(
    house: CommitHouse, project: Written, locks: str
) -> None:
    revert(project, locks)
    await kept(house, project)
    [memory_id] = await house.bench.db.read(lambda tx: tx.column(str, "SELECT id FROM memories"))
    await house.bench.db.write(
        lambda tx: operations.forget(tx, memory_id, USER, house.bench.context)
    )
    project.commit("Go on\n\nWith something else.", ["other.py"])
    assert await kept(house, project) == []
    await house.bench.db.write(
        lambda tx: operations.erase(tx, memory_id, USER, house.bench.context)
    )
    project.commit("Go on\n\nWith something else again.", ["other.py"])
    assert await kept(house, project) == []


async def test_forgetting_the_commit_forgets_its_learning(
    house: CommitHouse, project: Written, locks: str
) -> None:
    taken = revert(project, locks)
    await kept(house, project)
    await house.upkeep.forget(str(project.folder), taken)
    assert await contents(house) == []
    await house.upkeep.unforget(str(project.folder), taken)
    assert await contents(house) == [told(taken)]


async def test_switching_off_removes_them_and_on_brings_them_back(
    house: CommitHouse, project: Written, locks: str
) -> None:
    taken, key = revert(project, locks), str(project.folder)
    await kept(house, project)
    await house.upkeep.switch(key, on=False)
    await house.background.finish(60)
    assert await contents(house) == []
    await house.upkeep.switch(key, on=True)
    await house.background.finish(60)
    assert await contents(house) == [told(taken)]
    await house.upkeep.switch(key, on=None)
    await house.background.finish(60)
    house.set(enabled=False)
    await house.upkeep.read_recent()
    assert await contents(house) == []


async def test_what_the_user_changed_stays(
    house: CommitHouse, project: Written, locks: str
) -> None:
    revert(project, locks)
    await kept(house, project)
    [memory_id] = await house.bench.db.read(lambda tx: tx.column(str, "SELECT id FROM memories"))
    change = Change(content="Locks deadlock the importer.")
    await house.bench.db.write(
        lambda tx: operations.modify(tx, memory_id, change, USER, house.bench.context)
    )
    await house.upkeep.switch(str(project.folder), on=False)
    await house.background.finish(60)
    assert await contents(house) == ["Locks deadlock the importer."]


async def test_the_newest_thirty_are_kept(house: CommitHouse, project: Written) -> None:
    for number in range(33):
        name = f"Try way {number}"
        made = project.commit(f"{name}\n\nIt may be faster.")
        reason = f"Way {number} turned out to be slower than before."
        project.commit(f'Revert "{name}"\n\nThis reverts commit {made}.\n\n{reason}')
    found = await kept(house, project)
    assert len(found) == 30
    assert "Way 32 turned" in found[-1]
    assert "Way 3 turned" in found[0]


async def test_while_writes_are_frozen_nothing_changes(
    house: CommitHouse, project: Written, locks: str
) -> None:
    taken, free = revert(project, locks), house.settings
    house.settings = free.having(replace(free.of(MemorySettings), frozen=True))
    house.upkeep.session_started(str(project.folder))
    await house.background.finish(60)
    await house.upkeep.read_recent()
    assert await contents(house) == []
    house.settings = free
    await house.upkeep.read_recent()
    assert await contents(house) == [told(taken)]

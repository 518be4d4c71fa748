"""Checkpoints note where a session stands, and nothing that was forgotten stays in them."""

from collections.abc import Sequence

import pytest

from fakes.sessions import HARNESS, PROJECT, READY_TO_KEEP, House, session, talk
from intaglio.base.settings.values import Settings
from intaglio.domain.reader import USER
from intaglio.lifecycle.session_removal import SessionForgotten, SessionRemoval
from intaglio.memory import operations
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor
from intaglio.sessions.continuity.settings import ContinuitySettings
from intaglio.sessions.continuity.values import Checkpoint
from intaglio.sessions.settings import HarnessSettings

BY_USER = Audit(Actor("me"))
ASKED = "Please move the invoice cache from Redis to SQLite."
CLOSING = """I moved the cache to SQLite.

Still open:
- The migration has no test yet."""
OWN = session()


async def work(house: House, *more: str) -> None:
    """Hold a session in which the user asked for something, and the agent closed its turn."""
    await house.start(OWN)
    await house.prompt(OWN, ASKED)
    await talk(house, OWN, ASKED, CLOSING, *more, day=30)


async def listed(house: House) -> Sequence[Checkpoint]:
    return await house.checkpoints.list_for_session(OWN.id, USER)


async def last(house: House) -> str:
    return (await listed(house))[0].digest


async def test_it_says_what_was_asked_edited_left_open_and_said_last(house: House) -> None:
    await work(house)
    house.checkpoints.note_edit(OWN, f"{PROJECT}/app/cache.py")
    house.checkpoints.note_edit(OWN, "/etc/passwd")
    assert await house.checkpoints.write(OWN, "pre_compaction")
    assert (await last(house)).splitlines() == [
        f"The user asked: {ASKED}",
        "Edited: app/cache.py",
        "The agent said last: I moved the cache to SQLite.",
        "Still open: The migration has no test yet.",
    ]


async def test_a_memory_of_the_session_is_in_it_and_goes_once_forgotten(house: House) -> None:
    await work(house)
    own = await house.remember("Deploys of the shop happen on Fridays.", session_id=OWN.id)
    await house.checkpoints.write(OWN, "periodic")
    assert "Saved: Deploys of the shop happen on Fridays." in await last(house)
    await house.bench.db.write(lambda tx: operations.forget(tx, own, BY_USER, house.bench.context))
    assert "Fridays" not in await last(house)


@pytest.mark.parametrize("erase", [True, False], ids=["erased", "forgotten"])
async def test_what_was_said_of_a_memory_goes_with_it(house: House, *, erase: bool) -> None:
    said = "Please always run the invoice tests on the staging server."
    await work(house, said, "Understood, I run the invoice tests on the staging server.")
    await house.checkpoints.write(
        OWN, "compaction", "The user wants invoice tests to run on the staging server."
    )
    assert (await last(house)).count("staging server") == 3
    own = await house.remember(said)
    step = operations.erase if erase else operations.forget
    await house.bench.db.write(lambda tx: step(tx, own, BY_USER, house.bench.context))
    stored = await house.rows("SELECT lines, summary FROM checkpoints")
    assert "staging server" not in str(stored)


async def test_forgetting_the_session_deletes_them(house: House) -> None:
    await work(house)
    await house.checkpoints.write(OWN, "periodic")
    removal = SessionRemoval(house.bench.db, house.bench.context, lambda: False)
    token = (await removal.preview(OWN.key, USER)).token
    done = await removal.forget(OWN.key, BY_USER, token, elsewhere=False)
    assert isinstance(done, SessionForgotten)
    assert await house.rows("SELECT seq FROM checkpoints") == []


async def test_none_is_written_where_capture_is_off_or_paused(house: House) -> None:
    await work(house)
    house.settings = Settings().having_harness(HARNESS, HarnessSettings(capture=False))
    assert not await house.checkpoints.write(OWN, "periodic")
    house.settings = READY_TO_KEEP.having(ContinuitySettings(enabled=False))
    assert not await house.checkpoints.write(OWN, "periodic")
    house.settings = READY_TO_KEEP
    await house.pauses.pause(None, "me")
    assert not await house.checkpoints.write(OWN, "periodic")


async def test_one_is_due_after_ten_prompts_or_a_quarter_of_an_hour(house: House) -> None:
    await work(house)
    assert await house.checkpoints.write_due() == 0
    house.bench.clock.forward(minutes=16)
    assert await house.checkpoints.write_due() == 1
    assert await house.checkpoints.write_due() == 0
    for number in range(10):
        house.bench.clock.forward(seconds=1)
        await house.prompt(OWN, f"Please go on with part {number} of the invoices.")
    assert await house.checkpoints.write_due() == 1
    assert [each.prompts for each in await listed(house)] == [11, 1]


async def test_no_more_are_kept_of_a_session_than_set(house: House) -> None:
    house.settings = READY_TO_KEEP.having(ContinuitySettings(most_per_session=2))
    await work(house)
    for _ in range(3):
        await house.checkpoints.write(OWN, "periodic")
    assert len(await listed(house)) == 2

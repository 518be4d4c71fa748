"""A session is told where it stood: after a compaction, and after the last one broke off."""

import pytest

from fakes.sessions import PROJECT, READY_TO_KEEP, House, of_harness, session, talk
from intaglio.base.text import estimate_tokens
from intaglio.domain.reader import USER
from intaglio.memory import operations
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor
from intaglio.sessions.continuity.settings import ContinuitySettings
from intaglio.sessions.overview import rows as overview
from intaglio.sessions.overview.values import LedgerCall
from intaglio.sessions.values import InjectedContext
from intaglio.store.tx import ReadTx

BY_USER = Audit(Actor("me"))
OWN = session("own")
ASKED = "Please move the invoice cache from Redis to SQLite."
CLOSING = """I moved the cache to SQLite and all tests pass.

Still open:
- The migration has no test yet."""
BLOCK = f"""## Where this session stood
- the user asked: "{ASKED}"
- edited files: "app/cache.py, app/db.py"
- the agent said last: "I moved the cache to SQLite and all tests pass."
- open, the agent said: "The migration has no test yet."
</intaglio-memory>"""


async def work(house: House, *more: str) -> None:
    """Hold a session, of which a checkpoint is written."""
    await house.start(OWN)
    await house.prompt(OWN, ASKED)
    await talk(house, OWN, ASKED, CLOSING, *more, day=30)
    for name in ("cache", "db"):
        house.checkpoints.note_edit(OWN, f"{PROJECT}/app/{name}.py")
    assert await house.checkpoints.write(OWN, "pre_compaction")


async def next_session(house: House, name: str = "next") -> InjectedContext:
    return await house.start(session(name))


async def told_after_compaction(house: House) -> str:
    return (await house.start(OWN, "compact")).text.partition("## Where this session stood")[2]


async def test_a_compacted_session_is_told_where_it_stood(house: House) -> None:
    await work(house)
    shown = await house.start(OWN, "compact")
    assert shown.text.endswith(BLOCK)
    assert shown.text.count("Notes from earlier sessions") == 1


async def test_it_stands_behind_the_constraints_and_beside_their_budget(house: House) -> None:
    house.settings = of_harness(start_max_tokens=100)
    for number in range(6):
        await house.remember(f"Never rename table number {number} of the shop.", pinned=True)
    before = await house.start(session("before"))
    await work(house)
    shown = await house.start(OWN, "compact")
    block = shown.text.index("## Where this session stood")
    assert shown.text[:block] == before.text.removesuffix("</intaglio-memory>")
    assert estimate_tokens(shown.text[:block]) <= 100


async def test_the_next_session_is_told_once_where_one_stood_that_broke_off(house: House) -> None:
    await work(house)
    shown = await next_session(house)
    assert "## Where the last session stood" in shown.text
    assert shown.text.count("The migration has no test yet.") == 1
    assert [each.reason for each in shown.sessions] == [
        "It is the project's last session, which broke off."
    ]
    assert "## Where the last" not in (await next_session(house, "third")).text


@pytest.mark.parametrize("why", ["ended", "running", "long ago", "cleared", "switched off"])
async def test_a_start_is_not_told_otherwise(house: House, why: str) -> None:
    await work(house)
    match why:
        case "ended":
            await house.ends.session_end(OWN, "other")
        case "running":
            house.running.add(OWN.key)
        case "long ago":
            house.bench.clock.forward(hours=5)
        case "switched off":
            house.settings = READY_TO_KEEP.having(ContinuitySettings(recovery_chars=0))
        case _:
            assert "## Where" not in (await house.start(OWN, "clear")).text
            return
    assert "## Where" not in (await next_session(house)).text


async def test_a_resumed_session_without_its_conversation_is_told(house: House) -> None:
    await work(house)
    assert "## Where" not in (await house.start(OWN, "resume")).text
    assert "## Where this session stood" in (await house.start(OWN, "lost")).text


async def test_what_is_gone_since_is_not_told(house: House) -> None:
    said = "Please always run the invoice tests on the staging server."
    await work(house, said, "Understood, I run the invoice tests on the staging server.")
    own = await house.remember(said)
    assert "staging" in await told_after_compaction(house)
    await house.bench.db.write(lambda tx: operations.forget(tx, own, BY_USER, house.bench.context))
    assert "staging" not in await told_after_compaction(house)


async def test_a_memory_is_not_told_twice_in_one_start(house: House) -> None:
    await work(house)
    await house.remember("Deploys of the shop happen on Fridays.", session_id=OWN.id)
    await house.checkpoints.write(OWN, "periodic")
    assert (await house.start(OWN, "compact")).text.count("on Fridays") == 1


async def test_the_ledger_records_what_was_told_and_why(house: House) -> None:
    await work(house)
    await house.start(OWN, "compact")

    def read(tx: ReadTx) -> LedgerCall:
        own = overview.get(tx, 1, USER)
        assert own is not None
        return overview.events(tx, own, USER).calls[-1]

    told = await house.bench.db.read(read)
    assert "## Where this session stood" in (told.text or "")
    assert [each.reason for each in told.sessions] == [
        "It is this session, before its conversation was compacted."
    ]

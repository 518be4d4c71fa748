"""A session is told where it stood: after a compaction, and after the last one broke off."""

import pytest

from fakes.sessions import HARNESS, PROJECT, READY_TO_KEEP, House, of_harness, session, talk
from intaglio.base.text import estimate_tokens
from intaglio.domain.reader import USER
from intaglio.memory import operations, replacement
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor
from intaglio.sessions.continuity.settings import ContinuitySettings
from intaglio.sessions.overview import rows as overview
from intaglio.sessions.overview.preview import SessionPreviews
from intaglio.sessions.overview.values import LedgerCall
from intaglio.sessions.settings import HookSettings
from intaglio.sessions.values import InjectedContext
from intaglio.store.tx import ReadTx
from sessions.test_constraints import bind, row_of

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


async def test_a_session_that_broke_off_before_its_first_checkpoint_is_told_too(
    house: House,
) -> None:
    await house.start(OWN)
    await house.prompt(OWN, ASKED)
    await talk(house, OWN, ASKED, CLOSING, day=30)
    house.checkpoints.note_edit(OWN, f"{PROJECT}/app/cache.py")
    told = (await next_session(house)).text.partition("## Where the last session stood")[2]
    assert 'edited files: "app/cache.py"' in told
    assert "The migration has no test yet." in told


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


async def test_constraints_of_what_the_session_was_about_are_told_again(linked: House) -> None:
    house = linked
    bound = await house.remember("Redis keeps no card numbers of the shop.")
    await bind(house, bound, await row_of(house, "redis"))
    await work(house)
    await house.remember("The invoice cache was in Redis.", session_id=OWN.id)
    await house.checkpoints.write(OWN, "periodic")
    (last, *_) = await house.checkpoints.list_for_session(OWN.id, USER)
    assert "Redis" in [each.name for each in last.focal_entities]
    told = await house.start(OWN, "compact")
    constraints = [each.candidate.memory.id for each in told.entries if each.candidate.constraint]
    assert constraints == [bound]


async def test_the_preview_shows_where_the_next_session_would_be_told_the_last_stood(
    house: House,
) -> None:
    await work(house)
    previews = SessionPreviews(house.starts, house.prompts, house.bench.recall)
    shown = await previews.preview(HARNESS, "default", PROJECT, None, 9_500)
    (told,) = shown.start.context.sessions
    assert [(each.kind, each.text) for each in told.lines] == [
        ("asked", ASKED),
        ("edited", "app/cache.py, app/db.py"),
        ("closing", "I moved the cache to SQLite and all tests pass."),
        ("open", "The migration has no test yet."),
    ]


async def test_another_project_and_another_agent_are_not_told(house: House) -> None:
    await work(house)
    for own in (session("a", project="/work/other"), session("b", agent_id="other")):
        assert "## Where" not in (await house.start(own)).text


async def test_what_the_user_marked_as_outdated_is_not_told(house: House) -> None:
    said = "We use Postgres for the billing ledger of the shop."
    await work(house, said, "Understood: we use Postgres for the billing ledger of the shop.")
    assert "Postgres" in await told_after_compaction(house)
    ((older,),) = await house.rows("SELECT id FROM memories WHERE content LIKE '%Postgres%'")
    await house.bench.db.write(
        lambda tx: replacement.retire(tx, str(older), BY_USER, house.bench.context)
    )
    assert "Postgres" not in await told_after_compaction(house)


async def test_a_client_of_the_contract_is_told_at_the_end_within_its_limit(house: House) -> None:
    await house.remember("Never rename a table of the shop.", pinned=True)
    await work(house)
    shown = await house.starts.show_contract(session("next"))
    await house.settle()
    assert shown.text.index("Never rename") < shown.text.index("## Where the last session stood")
    assert shown.text.endswith(BLOCK.partition("\n")[2])
    house.settings = READY_TO_KEEP.having(HookSettings(start_max_chars=500))
    house.bench.clock.forward(minutes=1)
    await house.prompt(OWN, "Go on with the migration of the cache.")
    assert len((await house.starts.show_contract(session("third"))).text) <= 500
    await house.settle()

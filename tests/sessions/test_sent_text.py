"""The text as sent: what the ledger keeps of it, and when it goes."""

from fakes.sessions import House, session
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor
from intaglio.sessions import retention_rows


async def texts(house: House) -> list[str | None]:
    found = await house.rows("SELECT text FROM injections ORDER BY seq")
    return [None if text is None else str(text) for (text,) in found]


async def test_the_ledger_has_the_text_exactly_as_it_was_sent(house: House) -> None:
    await house.remember("We decided to use PostgreSQL.", type="decision")
    shown = await house.start(session())
    assert await texts(house) == [shown.text]


async def test_an_empty_injection_has_no_text(house: House) -> None:
    await house.start(session())
    assert await texts(house) == [None]


async def test_a_text_goes_when_one_of_its_memories_is_erased(house: House) -> None:
    secret = await house.remember("We decided to use PostgreSQL.", type="decision")
    await house.remember("Deploy on Fridays only.", type="rule")
    await house.start(session())
    await house.bench.remove.erase(secret, Audit(Actor("me")))
    assert await texts(house) == [None]


async def test_the_last_of_many_sent_memories_erases_the_text_too(house: House) -> None:
    for number in range(40):
        await house.remember(f"Never do {number}.", type="rule")
        await house.remember(f"critical: number {number} matters")
    shown = await house.start(session())
    assert len(shown.memories) > 60
    await house.bench.remove.erase(shown.memories[-1].id, Audit(Actor("me")))
    assert await texts(house) == [None]


async def test_old_texts_are_removed_and_the_list_of_memories_stays(house: House) -> None:
    await house.remember("We decided to use PostgreSQL.", type="decision")
    await house.start(session())
    old = await house.bench.db.read(lambda tx: retention_rows.old_texts(tx, "9999", "", 10))
    await house.bench.db.write(lambda tx: retention_rows.purge_texts(tx, old, "9999", ""))
    assert await texts(house) == [None]
    assert await house.rows("SELECT count(*) FROM session_memories") == [(1,)]

"""What capture called a rule loses the status of a constraint, unless the user set a limit."""

from fakes.sessions import House, session
from intaglio.graph.migrations import MIGRATIONS
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor, Change
from intaglio.store.tx import WriteTx


async def test_only_what_was_heard_without_a_limit_loses_the_status(linked: House) -> None:
    house = linked
    heard = ("We use pnpm for the shop's packages.", "We use tabs in the shop's templates.")
    await house.say(session(), *heard, "Never push to the main branch of the shop.")
    await house.remember("We decided on Redis for the shop.", type="decision")
    edited = await house.rows("SELECT id FROM memories WHERE content LIKE '%tabs%'")
    change = Change(content="We use tabs in all templates of the shop.")
    await house.bench.revise.modify(str(edited[0][0]), change, Audit(Actor("me")))

    def migrate(tx: WriteTx) -> None:
        tx.execute("UPDATE entity_attributes SET kind = 'constraint', importance = 0.85")
        for statement in MIGRATIONS[0].statements:
            tx.execute(statement)

    await house.bench.db.write(migrate)
    kinds = await house.rows(
        "SELECT m.content, t.kind FROM entity_attributes t JOIN memories m ON m.seq = t.memory "
        "ORDER BY t.seq"
    )
    assert {str(text).split()[2]: kind for text, kind in kinds} == {
        "pnpm": "attribute",
        "tabs": "constraint",
        "to": "constraint",
        "on": "constraint",
    }

"""What the last session left open is told at the next start, and to nobody else."""

from datetime import timedelta

import pytest

from fakes.sessions import House, of_harness, session
from intaglio.base.agent_yaml.roster import DeclaredAgent
from intaglio.base.text import estimate_tokens
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.domain.reader import UserReader
from intaglio.lifecycle.session_removal import SessionRemoval
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor
from intaglio.sessions.past_sessions.rows import told_in
from intaglio.sessions.selection.open_ends import open_ends
from intaglio.sessions.values import SessionRef

CLOSING = """The retry loop works now, and all tests pass.

**Still open:**
- The invoice page **times out** for large carts.
- [ ] Nobody has reviewed the migration yet.

Good night!"""
POINT = "- The invoice page times out for large carts. (noted by an agent, 2026-01-31)"


@pytest.mark.parametrize(
    ("closing", "points"),
    [
        (CLOSING, 2),
        ("## Next steps\n1. Move the cache to Redis.\n2. Measure it again.", 2),
        ("Noch offen:\n\n- Die Übersetzung der Hilfe fehlt.", 1),
        ("Done:\n- The cache is in Redis.\n- The tests pass.", 0),
        ("What I did:\n- one thing here\n\nAll of it is open source.\n- a bullet below", 0),
        ("Next steps:\n" + "\n".join(f"- Point number {n}." for n in range(9)), 3),
        ("Next steps:\n- " + "long " * 80, 0),
        ("", 0),
    ],
    ids=["open", "numbered", "German", "done", "no heading", "many", "too long", "nothing"],
)
def test_points_below_a_heading_are_open(closing: str, points: int) -> None:
    assert len(open_ends(closing)) == points


ASKED = "Please go on with the invoices."


async def close(house: House, own: SessionRef, closing: str, asked: str = ASKED) -> None:
    """Let a session's agent say something at the end of its last turn."""
    await house.prompt(own, asked)
    at = house.bench.clock.moment - timedelta(minutes=5)
    said = (
        TranscriptMessage(f"{own.id}-1", "user", asked, at),
        TranscriptMessage(f"{own.id}-2", "assistant", closing, at + timedelta(minutes=1)),
    )
    await house.ends.turn_end(own, TranscriptReading(said, "100"))
    await house.ends.session_end(own, "other")
    house.bench.clock.forward(hours=1)


async def test_the_next_start_is_told_what_the_last_session_left_open(house: House) -> None:
    await close(house, session("old"), "Next steps:\n- Rename the retry module.")
    await close(house, session("last"), CLOSING)
    shown = await house.start(session("next"))
    lines = shown.text.splitlines()
    assert lines[lines.index("## Still open") + 1] == POINT
    assert "Rename" not in shown.text
    assert [(each.session_id, len(each.lines)) for each in shown.sessions] == [("last", 2)]
    assert estimate_tokens(shown.text) <= 600


async def test_a_resumed_session_and_other_projects_are_not_told(house: House) -> None:
    await close(house, session("last"), CLOSING)
    assert "invoice page" not in (await house.start(session("last"), "resume")).text
    for own in (session("a", project="/work/other"), session("b", project=None)):
        assert "invoice page" not in (await house.start(own)).text


async def test_an_isolated_agent_is_not_told_of_anothers_session(house: House) -> None:
    await close(house, session("last"), CLOSING)
    house.roster = (DeclaredAgent("b", "b", "isolated"),)
    assert "invoice page" not in (await house.start(session("next", agent_id="b"))).text


async def test_nothing_of_a_forgotten_session_is_told(house: House) -> None:
    await close(house, session("last"), CLOSING)
    await house.start(session("next"))
    removal = SessionRemoval(house.bench.db, house.bench.context, lambda: False)
    key = ("claude-code", "last")
    found = await removal.preview(key, UserReader())
    await removal.forget(key, Audit(Actor("me")), found.token, elsewhere=True)
    assert "invoice page" not in (await house.start(session("another"))).text
    kept = await house.rows("SELECT text FROM injections WHERE text LIKE '%invoice page%'")
    assert kept == []


@pytest.mark.parametrize("is_erased", [False, True])
async def test_nothing_is_told_of_a_recap_next_to_a_forgotten_memory(
    house: House, *, is_erased: bool
) -> None:
    rule = "We decided to use Mollie for all payments."
    await close(house, session("last"), CLOSING, f"{rule} Please go on with the invoices.")
    [(memory_id,)] = await house.rows("SELECT DISTINCT memory_id FROM statements")
    me = Audit(Actor("me"))
    remove = house.bench.remove
    await (remove.erase if is_erased else remove.forget)(str(memory_id), me)
    assert "invoice page" not in (await house.start(session("next"))).text
    if not is_erased:
        await remove.recover(str(memory_id), me)
        assert "invoice page" in (await house.start(session("another"))).text


async def test_a_prompt_is_still_told_what_was_settled_in_that_session(house: House) -> None:
    await close(house, session("last"), CLOSING)
    await house.start(session("next"))
    told = await house.bench.db.read(lambda tx: told_in(tx, *session("next").key))
    assert told == frozenset()


async def test_it_takes_only_the_room_that_is_left(house: House) -> None:
    house.settings = of_harness(start_max_tokens=100)
    await close(house, session("last"), CLOSING)
    for number in range(40):
        await house.remember(f"Never open gate {number} of the shop.", type="rule")
    shown = await house.start(session("next"))
    assert estimate_tokens(shown.text) <= 100
    assert f"- {shown.held_back} more rules" in shown.text

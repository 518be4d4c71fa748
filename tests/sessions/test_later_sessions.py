"""What a later session may have replaced is told last, and marked with that session's day."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.sessions import House, of_harness, session
from fakes.store import bench
from intaglio.api.serializers.sessions import preview_of
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.domain.statement_pairs import StatementPair
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor, Change
from intaglio.sessions.overview.preview import SessionPreviews
from intaglio.sessions.past_sessions.contradicting_sessions import ContradictingSessions
from intaglio.sessions.values import MAY_BE_REPLACED, SessionRef

if TYPE_CHECKING:
    from intaglio.language.relations import ClauseVector

Sweep: TypeAlias = Callable[[], Awaitable[None]]

AT_NIGHT = "We decided that meters are installed at night, from 21 to 4."
LETTERS = "We decided that tenants get a letter a week before."
LATER = "We decided to have somebody of the office stand beside it, on weekdays from 9 to 11."
MARK = MAY_BE_REPLACED.format("2026-01-25")
BY_USER = Audit(Actor("me"))


async def talk(house: House, ref: SessionRef, *texts: str, day: int) -> None:
    """Hold a session in which the user said some messages."""
    at = datetime(2026, 1, day, 9, tzinfo=UTC)
    lines = tuple(
        TranscriptMessage(f"{ref.id}-{number}", "user", text, at + timedelta(minutes=number))
        for number, text in enumerate(texts)
    )
    await house.ends.turn_end(ref, TranscriptReading(lines, str(len(lines))))


async def relate(house: House, likeness: float = 6.0) -> None:
    """Have all sessions be about the subject of all others."""
    await house.bench.db.write(
        lambda tx: tx.execute(
            "INSERT INTO related_sessions(later, earlier, likeness) "
            "SELECT l.seq, e.seq, ? FROM transcripts l, transcripts e WHERE l.seq <> e.seq",
            (likeness,),
        )
    )


async def lines(house: House, name: str = "s9") -> list[str]:
    shown = await house.start(session(name))
    return [line for line in shown.text.splitlines() if line.startswith("- ")]


async def memory_of(house: House, content: str) -> str:
    found = await house.rows("SELECT id, content FROM memories")
    return next(str(key) for key, said in found if said == content)


@pytest.fixture
async def amended(house: House) -> House:
    await talk(house, session("s1"), AT_NIGHT, day=20)
    await talk(house, session("s2"), LETTERS, day=10)
    await talk(house, session("s3"), LATER, day=25)
    await relate(house)
    await house.bench.db.write(
        lambda tx: tx.execute("DELETE FROM related_sessions WHERE earlier = 2 OR later = 2")
    )
    return house


async def test_it_is_told_after_the_others_of_its_group_and_marked(amended: House) -> None:
    told = await lines(amended)
    assert [line[2 : 2 + len(AT_NIGHT)] for line in told][-1] == AT_NIGHT
    assert told[-1] == f"- {AT_NIGHT} (2026-01-20, {MARK})"
    assert not any("replaced" in line for line in told[:-1])


async def test_a_rule_that_a_later_session_only_applies_is_not_marked(house: House) -> None:
    rule = "The bank export retries five times with full jitter, then parks the file."
    await talk(house, session("s1"), f"We decided: {rule}", day=20)
    applied = "Implement the bank export: five retries with full jitter, then park the file."
    await talk(house, session("s2"), applied, LETTERS, day=25)
    await relate(house)
    told = await lines(house)
    assert any("full jitter" in line for line in told)
    assert not any("replaced" in line for line in told)


async def test_of_much_that_a_session_settled_only_what_the_later_one_speaks_of_is_marked(
    house: House,
) -> None:
    mails = "We never log the addresses of tenants."
    await talk(house, session("s1"), AT_NIGHT, LETTERS, mails, day=20)
    beside = "We decided to have somebody of the office stand beside the meters."
    await talk(house, session("s2"), beside, day=25)
    await relate(house)
    told = await lines(house)
    assert [line for line in told if MARK in line] == [f"- {AT_NIGHT} (2026-01-20, {MARK})"]
    assert any(mails in line for line in told)
    assert any(LETTERS in line for line in told)


async def test_where_no_words_tell_which_is_meant_all_of_it_is_marked(house: House) -> None:
    mails = "We never log the addresses of tenants."
    await talk(house, session("s1"), AT_NIGHT, LETTERS, mails, day=20)
    await talk(house, session("s2"), LATER, day=25)
    await relate(house)
    assert sum(MARK in line for line in await lines(house)) == 3


async def test_the_ledger_says_why(amended: House) -> None:
    shown = await amended.start(session("s9"))
    [entry] = [each for each in shown.entries if each.candidate.memory.content == AT_NIGHT]
    assert entry.reason.endswith(f"{MARK}: session 3 was on its subject")


async def test_the_preview_is_the_same(amended: House) -> None:
    previews = SessionPreviews(amended.starts, amended.prompts, amended.bench.recall)
    foreseen = await previews.preview("claude-code", "default", "/work/shop", None, 9_000)
    assert foreseen.start.context.text == (await amended.start(session("s9"))).text


async def test_the_dashboard_gets_words_and_marks_apart(amended: House) -> None:
    previews = SessionPreviews(amended.starts, amended.prompts, amended.bench.recall)
    foreseen = await previews.preview("claude-code", "default", "/work/shop", None, 9_000)
    *others, last = preview_of(foreseen.start).lines
    assert (last.words, last.marks) == (AT_NIGHT, [MARK])
    assert [(each.words, each.marks) for each in others] == [(each.content, []) for each in others]


async def test_it_is_left_out_first(amended: House) -> None:
    whole = await amended.starts.compose(session("s9"), "startup", await filters(amended))
    for tokens in range(120, 20, -5):
        amended.settings = of_harness(start_max_tokens=tokens)
        told = "\n".join(await lines(amended, f"t{tokens}"))
        assert AT_NIGHT not in told or whole.text.count("- ") == told.count("- ")


async def filters(house: House) -> Filter:
    return await house.context.visibility.filters("default", "/work/shop")


async def test_a_prompt_is_told_the_mark(amended: House) -> None:
    await amended.bench.db.write(
        lambda tx: tx.execute("UPDATE transcripts SET words = 0 WHERE seq < 4")
    )
    shown = await amended.prompt(session("s9"), "When at night are the meters installed, till 4?")
    assert f"- {AT_NIGHT} (2026-01-20, {MARK})" in shown.text


async def test_the_current_session_marks_nothing(amended: House) -> None:
    assert not any("replaced" in line for line in await lines(amended, "s3"))


async def test_what_was_said_again_later_holds(amended: House) -> None:
    await talk(amended, session("s4"), AT_NIGHT, day=27)
    assert not any(MARK in line for line in await lines(amended))


async def test_what_the_later_session_says_again_holds(house: House) -> None:
    await talk(house, session("s1"), AT_NIGHT, day=20)
    await talk(house, session("s3"), AT_NIGHT, LATER, day=25)
    await relate(house)
    assert not any("replaced" in line for line in await lines(house))


@pytest.mark.parametrize("change", [Change(pinned=True), Change(content=f"{AT_NIGHT} Mostly.")])
async def test_what_the_user_pinned_or_edited_holds(amended: House, change: Change) -> None:
    await amended.bench.revise.modify(await memory_of(amended, AT_NIGHT), change, BY_USER)
    assert not any("replaced" in line for line in await lines(amended))


async def test_what_the_user_saved_holds(house: House) -> None:
    await talk(house, session("s1"), "Let's look at the meters.", day=20)
    await house.remember(AT_NIGHT, session_id="s1", type="decision", created_at="2026-01-20")
    await talk(house, session("s3"), LATER, day=25)
    await relate(house)
    assert not any(MARK in line for line in await lines(house))


async def test_a_session_that_is_less_alike_marks_nothing(amended: House) -> None:
    await amended.bench.db.write(
        lambda tx: tx.execute("UPDATE related_sessions SET likeness = 4.7")
    )
    assert not any("replaced" in line for line in await lines(amended))


async def test_a_session_that_settled_nothing_marks_nothing(house: House) -> None:
    await talk(house, session("s1"), AT_NIGHT, day=20)
    await talk(house, session("s3"), "And the meters?", "ok", day=25)
    await house.bench.db.write(lambda tx: tx.execute("DELETE FROM considered_statements"))
    await relate(house)
    assert not any("replaced" in line for line in await lines(house))


AGENTS = ("default", "ann")
PROJECTS = (None, "/work/shop", "/work/site")
SAID = st.lists(
    st.tuples(st.sampled_from(AGENTS), st.sampled_from(PROJECTS)), min_size=2, max_size=7
)


async def _check(folder: Path, said: list[tuple[str, str | None]]) -> None:
    async with bench(folder) as store:
        house = House(store)
        for number, (agent, project) in enumerate(said):
            ref = session(f"s{number}", agent_id=agent, project=project)
            text = f"We decided that module {number} uses port {8000 + 7 * number}."
            await talk(house, ref, text, day=number + 1)
        # As if a comparison had mixed everything up.
        await relate(house)
        for agent in AGENTS:
            for project in PROJECTS:
                ref = session(f"next {agent} {project}", agent_id=agent, project=project)
                shown = await house.start(ref)
                for entry in shown.entries:
                    own = int(str(entry.candidate.memory.session_id)[1:])
                    later = [n for n, each in enumerate(said) if n > own and each == said[own]]
                    day = f"2026-01-{later[-1] + 1:02}" if later else ""
                    expected = day if said[own] == (agent, project) else ""
                    mark = entry.candidate.replaced_on
                    assert (mark.day if mark else "") == expected


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SAID)
def test_a_session_of_another_project_or_agent_marks_nothing(
    said: list[tuple[str, str | None]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_check(Path(folder), said))


async def _nothing() -> None:
    """Let nothing happen while the model reads."""


def sweeping(
    house: House,
    contradiction: float | None,
    read: list[StatementPair],
    meanwhile: Callable[[], Awaitable[None]] = _nothing,
    unreadable: str = "",
) -> Sweep:
    """Return what reads related sessions; with no figure, the model can't be used.

    Nor can it read a pair with the ``unreadable`` text.
    """

    async def vectors(texts: Sequence[str]) -> "Sequence[ClauseVector] | None":
        return [np.ones(384, np.float32) for _ in texts]

    async def pairs(given: Sequence[StatementPair]) -> Sequence[float] | None:
        read.extend(given)
        await meanwhile()
        if contradiction is None or any(unreadable in (one.older, one.newer) for one in given):
            return None
        return [contradiction for _ in given]

    services = replace(house.capture, sentence_vectors=vectors, read_pairs=pairs)
    return ContradictingSessions(services).sweep


@pytest.mark.parametrize(("contradiction", "is_marked"), [(0.9, True), (0.5, False)])
async def test_of_less_related_sessions_one_that_contradicts_marks_it(
    house: House, contradiction: float, *, is_marked: bool
) -> None:
    await talk(house, session("s1"), AT_NIGHT, day=20)
    await talk(house, session("s3"), LATER, day=25)
    await relate(house, 4.3)
    assert not any("replaced" in line for line in await lines(house))
    read: list[StatementPair] = []
    await sweeping(house, contradiction, read)()
    assert StatementPair(AT_NIGHT, LATER) in read
    assert any(MARK in line for line in await lines(house, "s10")) == is_marked


async def test_related_sessions_are_read_once(house: House) -> None:
    await talk(house, session("s1"), AT_NIGHT, day=20)
    await talk(house, session("s3"), LATER, day=25)
    await relate(house, 4.3)
    read: list[StatementPair] = []
    await sweeping(house, 0.9, read)()
    before = len(read)
    await sweeping(house, 0.9, read)()
    assert len(read) == before > 0


async def test_sessions_are_read_again_after_more_was_said(house: House) -> None:
    await talk(house, session("s1"), AT_NIGHT, day=20)
    await talk(house, session("s3"), LETTERS, day=25)
    await relate(house, 4.3)
    read: list[StatementPair] = []
    await sweeping(house, 0.1, read)()
    await talk(house, session("s3"), LETTERS, LATER, day=25)
    await sweeping(house, 0.9, read)()
    assert StatementPair(AT_NIGHT, LATER) in read


async def test_what_was_said_while_the_model_read_is_read_again(house: House) -> None:
    await talk(house, session("s1"), AT_NIGHT, day=20)
    await talk(house, session("s3"), LETTERS, day=25)
    await relate(house, 4.3)
    read: list[StatementPair] = []

    async def goes_on() -> None:
        await talk(house, session("s3"), LETTERS, LATER, day=25)

    await sweeping(house, 0.1, read, goes_on)()
    await sweeping(house, 0.9, read)()
    assert StatementPair(AT_NIGHT, LATER) in read


async def test_what_was_replaced_already_is_not_read(house: House) -> None:
    await talk(house, session("s1"), AT_NIGHT, LETTERS, day=20)
    await talk(house, session("s3"), LATER, day=25)
    await relate(house, 4.3)
    await house.bench.db.write(
        lambda tx: tx.execute(
            "UPDATE memories SET valid_until = '2026-01-25' WHERE content = ?", (AT_NIGHT,)
        )
    )
    read: list[StatementPair] = []
    await sweeping(house, 0.9, read)()
    assert StatementPair(LETTERS, LATER) in read
    assert not any(AT_NIGHT in (pair.older, pair.newer) for pair in read)


async def test_what_a_session_said_in_another_project_is_not_read(house: House) -> None:
    elsewhere = session("s1", project="/work/site")
    await talk(house, session("s1"), AT_NIGHT, day=20)
    at = datetime(2026, 1, 20, 10, tzinfo=UTC)
    line = TranscriptMessage("s1-site", "user", LETTERS, at)
    await house.ends.turn_end(elsewhere, TranscriptReading((line,), "2"))
    await talk(house, session("s3"), LATER, day=25)
    await relate(house, 4.3)
    read: list[StatementPair] = []
    await sweeping(house, 0.9, read)()
    by_older = [pair.older for pair in read if pair.newer == LATER]
    assert by_older.count(AT_NIGHT) == 1
    assert by_older.count(LETTERS) == 1


async def test_a_pair_that_cannot_be_read_keeps_no_other_waiting(house: House) -> None:
    await talk(house, session("s1"), AT_NIGHT, day=20)
    await talk(house, session("s2"), LETTERS, day=21)
    await talk(house, session("s3"), LATER, day=25)
    await relate(house, 4.3)
    await house.bench.db.write(
        lambda tx: tx.execute(
            "UPDATE related_sessions SET likeness = 4.1 WHERE later IN (2, 3) AND earlier IN (2, 3)"
        )
    )
    read: list[StatementPair] = []
    await sweeping(house, 0.9, read, unreadable=AT_NIGHT)()
    assert AT_NIGHT in (read[0].older, read[0].newer)
    assert StatementPair(LETTERS, LATER) in read


async def test_without_the_cross_encoder_related_sessions_are_read_later(house: House) -> None:
    await talk(house, session("s1"), AT_NIGHT, day=20)
    await talk(house, session("s3"), LATER, day=25)
    await relate(house, 4.3)
    read: list[StatementPair] = []
    sweep = sweeping(house, None, read)
    for _ in range(61):
        await sweep()
    once = len(read)
    await sweep()
    assert len(read) == 2 * once > 0

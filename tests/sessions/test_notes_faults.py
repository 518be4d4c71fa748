"""Wherever the reading of a session ends: each of its notes is kept exactly once in the end."""

from collections.abc import Callable
from typing import Final

import pytest

from fakes.crashes import CrashedError, crash_after, crash_before
from fakes.noted_sessions import NotedSession, note, reply
from fakes.sessions import PROJECT, House
from intaglio.base.settings.values import Settings
from intaglio.capture.settings import CaptureSettings
from intaglio.inbox import operations as inbox
from intaglio.jobs import rows as jobs
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.models.calls import ModelCalls
from intaglio.session_notes import rows, runner
from intaglio.session_notes.runner import SESSION_NOTES_JOB, NotesRunner, subject_of
from intaglio.session_notes.saving import NoteSaver
from intaglio.sessions.reminders.notes import AgentNotes
from intaglio.sessions.statements.claims import AgentClaims

EAGER: Final = Settings().having(CaptureSettings(keep_at=0.2, suggest_at=0.2))
TASK: Final = "From now on always run the linter before pushing."
ANSWER: Final = (
    "Understood, I keep to that in all that follows. "
    "The build failed because the cache of the runner was full. "
    "Shall I store the fixtures in tests/data and load them with pytest?"
)
YES: Final = "yes, do that"
MAIL: Final = "Invoices go out by Postmark."
USERS: Final = note("Invoices are sent by Postmark.", 5, MAIL)
ACCEPTED: Final = note(
    "The fixtures are stored in tests/data and loaded with pytest.",
    3,
    YES,
    accepted="store the fixtures in tests/data and load them with pytest",
)
AGENTS: Final = note(
    "The build failed because the runner's cache was full.",
    2,
    "The build failed because the cache of the runner was full",
    type="learning",
)
SUGGESTED: Final = note("Never use tabs in the build files.", 2, "The build failed", type="rule")
STAGES: Final = [
    (ModelCalls, "ask"),
    (NotesRunner, "_next"),
    (NotesRunner, "_read"),
    (NotesRunner, "_store"),
    (NotesRunner, "_keep_pending"),
    (NotesRunner, "_finish"),
    (NoteSaver, "save"),
    (NoteSaver, "_as_users"),
    (NoteSaver, "_suggest"),
    (NoteSaver, "_as_agents"),
    (NoteSaver, "_insert"),
    (AgentNotes, "keep"),
    (AgentClaims, "settle"),
    (operations, "insert"),
    (rows, "store_reply"),
    (rows, "add_result"),
    (rows, "drop_pending"),
    (runner, "demote"),
    (jobs, "complete"),
]


@pytest.fixture
async def noted(house: House) -> NotedSession:
    house.settings = EAGER
    made = NotedSession(
        house,
        answer=reply(USERS, ACCEPTED, AGENTS, SUGGESTED, one_off=[1], summary="The linter."),
    )
    await made.talk(TASK, ANSWER, YES, "Done.", MAIL)
    return made


async def memories_of(house: House) -> dict[str, str]:
    """Return the contents of all memories, none of which may be there twice, with their states."""
    ids = await house.rows("SELECT id FROM memories ORDER BY seq")
    found = await house.bench.db.read(lambda tx: [memories.get(tx, str(each)) for (each,) in ids])
    listed = [each for each in found if each is not None]
    assert len({each.content for each in listed}) == len(ids)
    return {each.content: each.status for each in listed}


async def run(noted: NotedSession) -> None:
    """Run the session's job as a daemon does that is started anew after each crash."""
    db, now = noted.house.bench.db, noted.house.bench.context.now
    await db.write(lambda tx: jobs.enqueue(tx, SESSION_NOTES_JOB, subject_of(noted.ref.key), now))
    for _ in range(3):
        while (job := await noted.lease(SESSION_NOTES_JOB)) is not None:
            try:
                assert await noted.runner.run(job) is None
            except CrashedError:
                break
        await db.write(lambda tx: jobs.reap(tx, noted.house.bench.clock(), all_leases=True))


@pytest.mark.parametrize(("owner", "name"), STAGES)
@pytest.mark.parametrize("crash", [crash_before, crash_after])
async def test_a_crash_at_a_boundary_keeps_each_note_once(
    noted: NotedSession,
    monkeypatch: pytest.MonkeyPatch,
    crash: Callable[[pytest.MonkeyPatch, object, str], list[int]],
    owner: object,
    name: str,
) -> None:
    crashes = crash(monkeypatch, owner, name)
    await run(noted)
    assert crashes == [1]
    house = noted.house
    texts = [each["content"] for each in (USERS, ACCEPTED, AGENTS)]
    assert await memories_of(house) == {TASK: "replaced", **dict.fromkeys(texts, "current")}
    suggested = await house.bench.db.read(lambda tx: inbox.open_suggestions(tx, PROJECT, "default"))
    assert [each.content for each in suggested] == [SUGGESTED["content"]]
    assert await house.rows("SELECT kind FROM inbox_items WHERE kind = 'one_off_task'") == [
        ("one_off_task",)
    ]
    origins = await house.rows("SELECT origin FROM session_notes ORDER BY origin")
    assert origins == [("accepted",), ("agent",), ("agent",), ("user",)]
    assert await house.rows("SELECT summary FROM session_summaries") == [("The linter.",)]
    assert await house.rows("SELECT * FROM pending_notes") == []
    assert await house.rows("SELECT * FROM jobs WHERE type = 'note_session'") == []
    # Only a reply that was lost before it was stored is asked for again.
    is_lost = name in {"store_reply", "demote", "ask" if crash is crash_after else "_store"}
    assert len(noted.model.asked) == (2 if is_lost else 1)


@pytest.mark.parametrize(("owner", "name"), STAGES)
async def test_a_late_worker_keeps_nothing_twice(
    noted: NotedSession, monkeypatch: pytest.MonkeyPatch, owner: object, name: str
) -> None:
    """A worker whose lease ran out goes on after another has done its job."""
    _ = crash_after(monkeypatch, owner, name)
    house = noted.house
    db, now = house.bench.db, house.bench.context.now
    await db.write(lambda tx: jobs.enqueue(tx, SESSION_NOTES_JOB, subject_of(noted.ref.key), now))
    late = await noted.lease(SESSION_NOTES_JOB)
    assert late is not None
    with pytest.raises(CrashedError):
        await noted.runner.run(late)
    await db.write(lambda tx: jobs.reap(tx, house.bench.clock(), all_leases=True))
    await noted.runner.run(late)
    await run(noted)
    texts = [each["content"] for each in (USERS, ACCEPTED, AGENTS)]
    assert await memories_of(house) == {TASK: "replaced", **dict.fromkeys(texts, "current")}
    suggested = await house.bench.db.read(lambda tx: inbox.open_suggestions(tx, PROJECT, "default"))
    assert [each.content for each in suggested] == [SUGGESTED["content"]]

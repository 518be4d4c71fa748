"""Summaries of sessions, and the requests that reading one would cause."""

from typing import Any, Final

from fakes.api import Api
from fakes.talked import SHOP, talked
from intaglio.graph.job_types import SORT_BY_MODEL
from intaglio.inference.completion.ports import ModelName
from intaglio.jobs import rows as jobs
from intaglio.memory.values import HEARD, Actor, Source
from intaglio.pipeline.ingest import Ingest, Remember, Saved
from intaglio.session_notes import rows
from intaglio.session_notes.one_off_tasks import demote
from intaglio.session_notes.runner import SESSION_NOTES_JOB, subject_of
from intaglio.session_notes.values import MadeBy, SessionSummary
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.statements.values import RecordedStatement
from intaglio.sessions.values import SessionRef
from intaglio.store.tx import WriteTx

REF: Final = SessionRef(harness="claude-code", id="s1", project=SHOP)
ASKED: Final = "Why does the checkout time out? " * 8
MADE_BY: Final = MadeBy("session_notes", 1, ModelName("ollama", "small"))


async def summarise(api: Api, summary: SessionSummary) -> None:
    def work(tx: WriteTx) -> None:
        [part] = rows.parts(tx, REF.key)
        rows.store_reply(tx, part, [], summary, 1 << 40, MADE_BY, api.kernel.change_context.now)

    await api.kernel.database.write(work)


async def get(api: Api, path: str, **params: str) -> Any:  # noqa: ANN401 - the API's JSON
    reply = await api.client.get(path, params=params, headers=api.owner)
    assert reply.status_code == 200, reply.text
    return reply.json()


async def test_a_session_has_the_models_summary(api: Api) -> None:
    await talked(api, "s1", ASKED, "The pool of connections was exhausted.")
    await summarise(
        api, SessionSummary("The outage came from DNS.", ("outage",), ("Use two resolvers.",))
    )
    [row] = (await get(api, "/api/sessions"))["sessions"]
    assert row["summary"] == "The outage came from DNS."
    shown = await get(api, f"/api/sessions/{row['id']}")
    assert (shown["topics"], shown["decisions"]) == (["outage"], ["Use two resolvers."])
    [found] = (await get(api, "/api/sessions", q="resolvers DNS outage"))["sessions"]
    assert (found["id"], found["summary"]) == (row["id"], row["summary"])


async def test_the_requests_of_a_session_are_shown_and_none_is_sent(api: Api) -> None:
    await talked(api, "s1", ASKED, "The pool of connections was exhausted.", "ok, double it")
    [row] = (await get(api, "/api/sessions"))["sessions"]
    shown = await get(api, "/api/pipeline/prompts", session=row["id"])
    stages = [(each["stage"], each["subject"]) for each in shown["requests"]]
    assert stages == [("notes", "messages 1 to 3"), ("turns", "message 1"), ("turns", "message 3")]
    notes = shown["requests"][0]
    assert "[2] agent: The pool of connections was exhausted." in notes["user"]
    assert (notes["model"], notes["prompt"], notes["version"]) == (None, "session_notes", 2)
    assert notes["schema"]["required"] == ["notes", "one_off", "outdated", "summary"]
    assert await api.kernel.database.read(lambda tx: tx.count("SELECT count(*) FROM jobs")) <= 1


async def test_the_requests_are_for_the_user_alone(api: Api) -> None:
    await talked(api, "s1", ASKED)
    unsigned = await api.client.get("/api/pipeline/prompts", params={"session": "1"})
    assert unsigned.status_code in {401, 403}
    for number in ("7", "x"):
        missing = await api.client.get(
            "/api/pipeline/prompts", params={"session": number}, headers=api.owner
        )
        assert missing.status_code == 404


async def one_off(api: Api) -> tuple[str, str]:
    """Store what rules captured and a model called a one-off task; return memory and item."""
    kept = await api.kernel.get(Ingest).remember(
        Remember(
            content="Rename the button to Save.",
            actor=Actor("claude-code", "harness", "s1"),
            why=f"{HEARD}rule",
            type="rule",
            project=SHOP,
            source=Source("claude-code", "m1@0"),
        )
    )
    assert isinstance(kept, Saved)
    said = RecordedStatement(
        seq=0,
        harness="claude-code",
        session_id="s1",
        message_id="m1",
        start=0,
        end=26,
        said_at=None,
        recorded_at=api.kernel.change_context.now,
        agent_id="default",
        project=SHOP,
        sentence="Rename the button to Save.",
        content="Rename the button to Save.",
        type="rule",
        everywhere=False,
        confidence=0.8,
        outcome="kept",
        state="live",
        memory_id=kept.id,
        inbox_id=None,
    )

    def work(tx: WriteTx) -> str | None:
        statements.insert(tx, said)
        return demote(tx, REF, kept.id, api.kernel.change_context)

    item = await api.kernel.database.write(work)
    assert item is not None
    return kept.id, item


async def test_a_one_off_task_is_kept_or_forgotten_and_both_can_be_undone(api: Api) -> None:
    memory_id, item = await one_off(api)
    status: list[str] = []
    for action in ("holds", "undo", "drop", "undo"):
        body: dict[str, str] | dict[str, list[str]]
        if action == "undo":
            address, body = "/api/inbox/undo", {"ids": [item]}
        else:
            address, body = f"/api/inbox/{item}", {"action": action}
        done = await api.client.post(address, json=body, headers=api.owner)
        assert done.status_code == 200, done.text
        reply = await api.client.get(f"/api/memory/{memory_id}", headers=api.owner)
        found: dict[str, Any] = reply.json() if reply.status_code == 200 else {}
        status.append("gone" if found.get("is_deleted", not found) else str(found["status"]))
    assert status == ["current", "replaced", "gone", "replaced"]


async def test_a_job_is_named_by_its_session_or_its_entity(api: Api) -> None:
    await talked(api, "s1", "Fix the outage of the checkout", "The pool was exhausted.")
    await api.remember("The checkout stores its carts in PostgreSQL")

    def queue(tx: WriteTx) -> int:
        at = api.kernel.change_context.now
        jobs.enqueue(tx, SESSION_NOTES_JOB, subject_of(REF.key), at)
        jobs.enqueue(tx, SESSION_NOTES_JOB, "claude-code gone", at)
        entity = tx.count("SELECT seq FROM entities WHERE name = 'PostgreSQL'")
        jobs.enqueue(tx, SORT_BY_MODEL, str(entity), at)
        return entity

    await api.kernel.database.write(queue)
    gone, notes = (await get(api, "/api/jobs", type=SESSION_NOTES_JOB.name))["jobs"]
    [row] = (await get(api, "/api/sessions"))["sessions"]
    title = "Fix the outage of the checkout (shop)"
    assert not notes["embeds"]
    assert notes["about"] == {"kind": "session", "id": row["id"], "title": title}
    assert (gone["about"], gone["subject"]) == (None, "claude-code gone")
    [sorting] = (await get(api, "/api/jobs", type=SORT_BY_MODEL.name))["jobs"]
    assert (sorting["about"]["kind"], sorting["about"]["title"]) == ("entity", "PostgreSQL")

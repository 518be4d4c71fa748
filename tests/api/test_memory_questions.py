"""The questions that a memory answers, over HTTP."""

from fakes.api import Api
from intaglio.hints import rows
from intaglio.store.tx import WriteTx


async def test_the_questions_of_a_memory_are_listed_with_who_wrote_them(api: Api) -> None:
    memory = await api.remember("Sessions live in Redis")
    path = f"/api/memories/{memory}/questions"
    assert (await api.client.get(path)).json() == {"questions": [], "model": None}

    def write(tx: WriteTx) -> None:
        [seq] = tx.column(int, "SELECT seq FROM memories")
        reading = rows.HintReading(1, "qwen3:4b")
        rows.replace(tx, seq, ["Where are logins kept?"], reading, "2026-01-01T00:00:00.000Z")

    await api.kernel.database.write(write)
    assert (await api.client.get(path)).json() == {
        "questions": ["Where are logins kept?"],
        "model": "qwen3:4b",
    }


async def test_the_questions_of_an_unreadable_memory_are_not_found(api: Api) -> None:
    memory = await api.remember("Slate splits", agentId="b", visibility="private")
    path = f"/api/memories/{memory}/questions"
    assert (await api.client.get(path)).status_code == 404
    assert (await api.client.get(path, params={"agentId": "b"})).status_code == 200
    assert (await api.client.get("/api/memories/unknown/questions")).status_code == 404

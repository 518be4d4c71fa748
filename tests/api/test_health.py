"""Health and status."""

from fakes.api import Api
from intaglio.base.clock import parse_moment
from intaglio.daemon.live_settings import LiveSettings
from intaglio.daemon.packages import PACKAGES


async def test_health_has_the_keys_of_the_contract(api: Api) -> None:
    body = (await api.client.get("/health")).json()
    assert {
        "status": "healthy",
        "state": "ready",
        "version": "0.1.0",
        "db": True,
        "updateAvailable": False,
        "pendingRestart": False,
        "agentsDir": str(api.kernel.running.paths.workspace),
    }.items() <= body.items()


async def test_health_names_the_installation(api: Api) -> None:
    assert (await api.client.get("/health")).json()["installId"] == api.install.install_id


async def test_status_counts_the_stored_memories(api: Api) -> None:
    await api.remember("Tabs are 4 wide")
    gone = await api.remember("Tabs are 2 wide")
    await api.client.delete(f"/api/memory/{gone}", params={"reason": "wrong"})
    store = (await api.client.get("/api/status")).json()["store"]
    assert (store["memories"], store["deleted"], store["schemaVersion"]) == (
        1,
        1,
        PACKAGES.schema[-1].number,
    )
    assert store["bytes"] > 0


async def test_status_shows_the_process_resources(api: Api) -> None:
    body = (await api.client.get("/api/status")).json()
    assert all(body["process"][name] > 0 for name in ("rssBytes", "threads", "handles", "cpuS"))
    assert parse_moment(body["startedAt"])


async def test_status_counts_the_spooled_events(api: Api) -> None:
    spool = api.kernel.running.paths.spool
    spool.mkdir(parents=True)
    (spool / "1-1.json").write_text("{}")
    assert (await api.client.get("/api/status")).json()["store"]["spool"] == 1


async def test_status_answers_before_the_database_is_open(api: Api) -> None:
    await api.kernel.database.close()
    body = (await api.client.get("/api/status")).json()
    assert (body["state"], body["store"]["memories"]) == ("checking", 0)


async def test_status_has_the_fields_that_signets_clients_read(api: Api) -> None:
    api.kernel.running.paths.settings.write_text(
        "memory: {pipelineV2: {extraction: {provider: ollama, apiKey: hidden-key}}}\n"
        "agent: {created: 2026-02-11T08:00:00.000Z}"
    )
    assert api.kernel.get(LiveSettings).refresh()
    reply = await api.client.get("/api/status")
    body = reply.json()
    assert body["pipelineV2"]["graph"]["enabled"] is True
    assert body["pipelineV2"]["extraction"]["provider"] == "ollama"
    assert "hidden-key" not in reply.text
    # It isn't asked before the user agrees.
    assert body["providerResolution"]["extraction"] == {
        "configured": "ollama",
        "resolved": "ollama",
        "effective": "none",
        "reason": "",
    }
    assert body["logging"]["logFile"].startswith(body["logging"]["logDir"])
    assert body["update"]["currentVersion"] == body["version"]
    assert set(body["health"]) == {"score", "status"}
    assert body["agentCreatedAt"] == "2026-02-11T08:00:00.000Z"

"""A model reads memories in a composed daemon: from the request to the list of proposals."""

from pathlib import Path

from fakes.api import Api, running_api
from fakes.completions import ScriptedCompletion, configure_model
from fakes.extraction import extracted, fact
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import JobTypes

NOTE = "The orders database is PostgreSQL 16. Deploys of the shop run on Fridays only."
DEPLOYS = "Deploys of the shop run on Fridays only"


async def work(api: Api) -> None:
    """Run what is queued for the model, as the worker does."""
    kernel = api.kernel
    extract = kernel.get(JobTypes).by_name["extract"]
    runner = extract.runner
    assert runner is not None
    leased = await kernel.database.write(
        lambda tx: jobs.lease(tx, [(extract, runner.capacity)], "test", kernel.clock())
    )
    assert await runner.run(leased) == len(leased)


async def test_a_memory_is_read_and_its_proposals_are_listed(tmp_path: Path) -> None:
    settings = tmp_path / "agents" / "agent.yaml"
    settings.parent.mkdir()
    settings.write_text("memory:\n  pipelineV2:\n    extraction: {provider: ollama, model: m}\n")
    async with running_api(tmp_path) as api:
        configure_model(api.kernel, ScriptedCompletion(lambda _: extracted(fact(DEPLOYS))))
        id_ = await api.remember(NOTE, who="user")
        address = f"/api/memory/{id_}"
        assert (await api.client.get(address)).json()["extraction_status"] == "pending"
        await work(api)
        assert (await api.client.get(address)).json()["extraction_status"] == "completed"
        [told] = (
            await api.client.get("/api/pipeline/proposals", headers=await api.signed_in())
        ).json()["proposals"]
        assert (told["result"], told["content"]) == ("applied", DEPLOYS)
        events = (await api.client.get(f"{address}/history")).json()["history"]
        assert [each["event"] for each in events] == ["created", "none"]
        assert events[1]["metadata"]["createdMemoryId"] == told["created"]["id"]


async def test_without_a_model_no_memory_waits_to_be_read(api: Api) -> None:
    id_ = await api.remember(NOTE)
    found = (await api.client.get(f"/api/memory/{id_}")).json()
    assert found["extraction_status"] == "none"

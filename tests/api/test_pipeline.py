"""The pipeline over HTTP: stages, calls, proposals, redo, and Signet's status."""

from collections.abc import Callable
from typing import Any, cast

import pytest

from fakes.api import Api
from fakes.completions import ScriptedCompletion, configure_model
from fakes.extraction import candidate, decided, decision, extracted, fact
from intaglio.daemon.live_settings import LiveSettings
from intaglio.health.diagnosis import Diagnosis
from intaglio.inference.completion.ports import CompletionRequest, NotCompleted, TokenCounts
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import Job, JobTypes
from intaglio.models.calls import ModelCalls
from intaglio.models.prompt import ModelPrompt, ReadReply
from intaglio.models.redo_estimates import StageRedos
from intaglio.models.stages import QueueSubjects, Redo
from intaglio.models.values import CallContext, ModelAnswer, MustWait
from intaglio.pipeline.extraction.decide_prompt import DECIDE_PROMPT
from intaglio.pipeline.extraction.extract_prompt import EXTRACT_PROMPT
from intaglio.session_notes.notes_prompt import SESSION_NOTES
from intaglio.store.tx import WriteTx

STAGE = "extract"
OLD = "The staging server listens on port 8080."
PROMPT = ModelPrompt(
    name="made_up",
    version=3,
    role="extraction",
    system="Answer.",
    schema={"type": "object"},
    read=ReadReply,
    max_input_chars=1_000,
    max_output_tokens=50,
)


async def owner(
    api: Api, method: str, path: str, *, json: object = None, query: object = None
) -> dict[str, Any]:
    reply = await api.client.request(
        method, path, headers=api.owner, json=json, params=cast("dict[str, str]", query)
    )
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def stage_of(api: Api, name: str = STAGE) -> dict[str, Any]:
    listed = (await api.client.get("/api/pipeline/stages")).json()["stages"]
    found: dict[str, Any] = next(each for each in listed if each["name"] == name)
    return found


def model(answer: str | NotCompleted = "{}") -> ScriptedCompletion:
    return ScriptedCompletion(lambda _: answer, tokens=TokenCounts(100, 20))


async def ask(api: Api, subject: str = "", stage: str = STAGE) -> object:
    about = CallContext(stage=stage, project="/srv/shop", subject=subject)
    return await api.kernel.get(ModelCalls).ask(PROMPT, "a text", about)


async def test_without_a_model_all_stages_are_off_and_say_why(api: Api) -> None:
    found = (await api.client.get("/api/pipeline/stages")).json()

    assert (found["mode"], found["models"]) == ("disabled", [])
    assert found["today"]["tokens"] == 0
    assert found["today"]["token_limit"] > 0
    assert {each["name"] for each in found["stages"]} >= {STAGE, "notes", "structural_classify"}
    for each in found["stages"]:
        assert (each["state"], each["week"]["calls"]) == ("off", 0)
        assert each["detail"] in {
            "No language model is configured",
            "Switched off in the settings",
        }
        assert all(prompt["version"] >= 1 for prompt in each["prompts"])


async def test_a_stage_tells_what_its_calls_used(api: Api) -> None:
    configure_model(api.kernel, model())
    await ask(api)
    configure_model(api.kernel, model(NotCompleted("timeout", "no reply within 90 s")))
    await ask(api)

    found = await stage_of(api)

    assert found["state"] == "idle"
    assert found["today"] == {"calls": 2, "failed": 1, "tokens": 120, "usd": 0.0}
    assert (found["last_hour"], found["last_day"]) == (1, 1)
    assert found["median_ms"] is not None
    assert found["last_error"]["text"] == "no reply within 90 s"
    every = (await api.client.get("/api/pipeline/stages")).json()
    assert every["today"]["tokens"] == 120
    assert every["models"][0] == {
        "role": "extraction",
        "provider": "ollama",
        "model": "scripted",
        "title": "Ollama, scripted",
        "is_asked": True,
    }
    assert every["mode"] == "controlled-write"


async def test_a_paused_stage_asks_nothing_until_it_is_resumed(api: Api) -> None:
    scripted = model()
    configure_model(api.kernel, scripted)

    paused = await owner(api, "POST", f"/api/pipeline/stages/{STAGE}/pause")
    assert paused == {"stage": STAGE, "paused": True, "success": True}
    assert isinstance(await ask(api), MustWait)
    found = await stage_of(api)
    assert (found["state"], found["detail"]) == ("paused", "Paused until you resume it")
    assert found["paused_at"] is not None
    assert scripted.asked == []

    await owner(api, "POST", f"/api/pipeline/stages/{STAGE}/resume")
    assert isinstance(await ask(api), ModelAnswer)
    assert (await stage_of(api))["state"] == "idle"
    assert len(scripted.asked) == 1


async def test_a_stage_that_a_setting_switches_off_says_so(api: Api) -> None:
    configure_model(api.kernel, model())
    found = await stage_of(api, "hints")
    assert (found["state"], found["detail"]) == ("off", "Switched off in the settings")


async def test_a_model_that_nobody_confirmed_is_waited_for(api: Api) -> None:
    api.kernel.running.paths.settings.write_text(
        "memory: {pipelineV2: {extraction: {provider: ollama, model: small}}}", encoding="utf-8"
    )
    api.kernel.get(LiveSettings).refresh()
    found = await stage_of(api)
    assert found["state"] == "waiting_for_model"
    assert (await api.client.get("/api/pipeline/stages")).json()["models"][0]["is_asked"] is False


async def test_a_stage_whose_latest_replies_cannot_be_read_fails_and_health_says_so(
    api: Api,
) -> None:
    configure_model(api.kernel, model("not json at all"))
    calls, about = api.kernel.get(ModelCalls), CallContext(stage=STAGE)
    await calls.ask(EXTRACT_PROMPT, "a text", about)
    await calls.ask(DECIDE_PROMPT, "a text", about)
    assert (await stage_of(api))["state"] == "idle"
    await calls.ask(SESSION_NOTES, "a text", about)
    found = await stage_of(api)
    assert (found["state"], found["detail"]) == ("failing", "The latest replies couldn't be read")
    api.kernel.get(Diagnosis).invalidate()
    issues = (await api.client.get("/api/health")).json()["issues"]
    (issue,) = [each for each in issues if each["id"] == "language_model_unreadable"]
    assert "3 of the latest 3 replies couldn't be read" in issue["text"]

    configure_model(api.kernel, model())
    await ask(api)
    assert (await stage_of(api))["state"] == "idle"


async def test_a_reached_limit_of_the_day_is_the_state_of_all_stages(api: Api) -> None:
    configure_model(
        api.kernel, ScriptedCompletion(lambda _: "{}", tokens=TokenCounts(2_000_000, 0))
    )
    await ask(api)
    assert (await stage_of(api, "structural_classify"))["state"] == "capped"


async def test_calls_are_listed_newest_first_with_what_they_were_about(api: Api) -> None:
    memory = await api.remember("The staging server is called granite.")
    configure_model(api.kernel, model())
    await ask(api, memory)
    configure_model(api.kernel, model(NotCompleted("refused", "HTTP 500")))
    await ask(api, "gone")

    calls = (await owner(api, "GET", "/api/pipeline/calls"))["calls"]

    assert [each["outcome"] for each in calls] == ["refused", "answered"]
    assert calls[0]["detail"] == "HTTP 500"
    assert calls[0]["subject"] is None
    assert calls[1]["subject"] == {
        "kind": "memory",
        "id": memory,
        "title": "The staging server is called granite.",
    }
    assert (calls[1]["prompt"], calls[1]["prompt_version"]) == ("made_up", 3)
    assert (calls[1]["tokens_read"], calls[1]["tokens_written"]) == (100, 20)
    first = await owner(api, "GET", "/api/pipeline/calls", query={"limit": 1})
    query = {"limit": 1, "before": first["cursor"]}
    second = await owner(api, "GET", "/api/pipeline/calls", query=query)
    assert (second["calls"][0]["id"], second["cursor"]) == (calls[1]["id"], None)
    for query, count in (
        ({"stage": "notes"}, 0),
        ({"outcome": "failed"}, 1),
        ({"outcome": "answered"}, 1),
        ({"outcome": "refused", "stage": STAGE}, 1),
    ):
        found = await owner(api, "GET", "/api/pipeline/calls", query=query)
        assert len(found["calls"]) == count, query


async def test_redoing_tells_first_what_it_will_use(api: Api) -> None:
    memory = await api.remember("The staging server is called granite.")
    body = {"stage": STAGE, "since": "2026-01-01T00:00:00Z"}
    nothing = await owner(api, "POST", "/api/pipeline/redo", json=body | {"dryRun": True})
    assert (nothing["count"], nothing["tokens"], nothing["queued"]) == (0, 0, 0)

    await run_queued(api, memory, lambda _: extracted())
    estimate = await owner(api, "POST", "/api/pipeline/redo", json=body | {"dryRun": True})
    assert estimate == {
        "stage": STAGE,
        "count": 1,
        "tokens": 120,
        "usd": 0.0,
        "queued": 0,
        "dryRun": True,
        "success": True,
    }
    assert (await stage_of(api))["waiting"] == 0
    assert (await owner(api, "POST", "/api/pipeline/redo", json=body))["queued"] == 1
    assert (await stage_of(api))["waiting"] == 1


async def run_queued(api: Api, memory: str, replies: Callable[[CompletionRequest], str]) -> None:
    """Read a memory as the worker does."""
    configure_model(api.kernel, ScriptedCompletion(replies, tokens=TokenCounts(100, 20)))
    type_ = api.kernel.get(JobTypes).by_name[STAGE]
    context = api.kernel.change_context

    def work(tx: WriteTx) -> tuple[Job, ...]:
        jobs.enqueue(tx, type_, memory, context.now)
        return jobs.lease(tx, [(type_, 1)], context.new_id(), api.kernel.clock(), 3)

    assert type_.runner is not None
    assert await type_.runner.run(await api.kernel.database.write(work)) == 1


async def test_proposals_stand_beside_their_evidence_and_what_they_would_change(api: Api) -> None:
    old = await api.remember(OLD)
    new = await api.remember("We moved: the staging server listens on port 9090. Redis is new.")

    def reply(request: CompletionRequest) -> str:
        if request.user.startswith("["):
            # A fact that is like no memory is added without asking.
            return decided(decision(1, "update", candidate(request, OLD)))
        return extracted(
            fact("The staging server listens on port 9090."),
            fact("Redis is new in the stack.", "Redis is new"),
        )

    await run_queued(api, new, reply)

    found = await owner(api, "GET", "/api/pipeline/proposals")
    by_result = {each["result"]: each for each in found["proposals"]}
    assert set(by_result) == {"applied", "blocked"}
    blocked, applied = by_result["blocked"], by_result["applied"]
    assert blocked["evidence"] == "The staging server listens on port 9090."
    assert (blocked["source"]["id"], blocked["target"]["id"]) == (new, old)
    assert blocked["target"]["content"] == OLD
    assert blocked["item_state"] == "open"
    listed = (await owner(api, "GET", "/api/inbox"))["items"]
    assert [each["id"] for each in listed] == [blocked["item_id"]]
    assert applied["created"]["content"] == "Redis is new in the stack."
    assert {each["result"]: each["count"] for each in found["counts"]}["blocked"] == 1
    only = await owner(api, "GET", "/api/pipeline/proposals", query={"result": "applied"})
    assert [each["id"] for each in only["proposals"]] == [applied["id"]]
    first = await owner(api, "GET", "/api/pipeline/proposals", query={"limit": 1})
    rest = {"limit": 1, "before": first["cursor"]}
    second = await owner(api, "GET", "/api/pipeline/proposals", query=rest)
    ids = [first["proposals"][0]["id"], second["proposals"][0]["id"]]
    assert sorted(ids) == sorted(each["id"] for each in found["proposals"])


async def test_many_jobs_are_queued_in_several_transactions(api: Api) -> None:
    type_ = api.kernel.get(JobTypes).by_name[STAGE]
    subjects = QueueSubjects(type_, lambda _tx, _since: [str(number) for number in range(250)])
    redo = Redo(lambda _tx, _since: 250, subjects)
    redos = api.kernel.get(StageRedos)
    assert await redos.queue(redo, "2026-01-01") == 250
    assert await redos.queue(redo, "2026-01-01") == 0
    assert (await stage_of(api))["waiting"] == 250


async def test_nothing_is_queued_while_no_model_is_configured(api: Api) -> None:
    body = {"stage": STAGE, "since": "2026-01-01T00:00:00Z"}
    reply = await api.client.post("/api/pipeline/redo", json=body, headers=api.owner)
    assert (reply.status_code, reply.json()["hint"]) == (
        409,
        "Choose one in Settings, under Models.",
    )


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/api/pipeline/stages/unknown/pause", None, 404),
        ("POST", "/api/pipeline/stages/unknown/resume", None, 404),
        ("POST", "/api/pipeline/redo", {"stage": "unknown", "since": "2026-01-01"}, 404),
        ("POST", "/api/pipeline/redo", {"stage": "decide", "since": "2026-01-01"}, 400),
        ("POST", "/api/pipeline/redo", {"stage": STAGE, "since": "lately"}, 400),
        ("POST", "/api/pipeline/redo", {"stage": STAGE}, 400),
        ("GET", "/api/pipeline/calls?outcome=lost", None, 400),
        ("GET", "/api/pipeline/calls?before=x", None, 400),
        ("GET", f"/api/pipeline/calls?before={2**63}", None, 400),
        ("GET", "/api/pipeline/calls?limit=0", None, 400),
        ("GET", "/api/pipeline/proposals?result=lost", None, 400),
        ("GET", "/api/pipeline/proposals?before=-1", None, 400),
    ],
)
async def test_what_makes_no_sense_is_refused_with_a_hint(
    api: Api, method: str, path: str, body: object, status: int
) -> None:
    reply = await api.client.request(method, path, json=body, headers=api.owner)
    assert reply.status_code == status, reply.text
    problem = reply.json()
    assert problem["title"]
    assert problem["hint"] or problem["errors"]


async def test_programs_without_the_token_change_nothing_and_read_no_calls(api: Api) -> None:
    for method, path in (
        ("POST", f"/api/pipeline/stages/{STAGE}/pause"),
        ("POST", "/api/pipeline/redo"),
        ("GET", "/api/pipeline/calls"),
        ("GET", "/api/pipeline/proposals"),
    ):
        reply = await api.client.request(method, path)
        assert reply.status_code == 401, path
    for path in ("/api/pipeline/stages", "/api/pipeline/status"):
        assert (await api.client.get(path)).status_code == 200


async def test_signets_status_has_its_exact_shape(api: Api) -> None:
    found = (await api.client.get("/api/pipeline/status")).json()

    assert set(found) == {
        *("workers", "queues", "diagnostics", "latency", "errorSummary", "mode", "feedback"),
        *("traversal", "predictor"),
    }
    names = {"extraction", "summary", "document", "retention", "maintenance", "synthesis"}
    assert set(found["workers"]) == names | {"structuralClassify", "structuralDependency"}
    assert all(set(each) == {"running"} for each in found["workers"].values())
    assert [name for name, each in found["workers"].items() if each["running"]] == ["retention"]
    assert set(found["queues"]) == {"memory", "summary"}
    for queue in found["queues"].values():
        assert set(queue) == {"pending", "leased", "completed", "failed", "dead"}
    assert found["mode"] == "disabled"
    assert set(found["feedback"]) == {
        *("lastRunAt", "feedbackAspectsUpdated", "feedbackFtsConfirmations"),
        *("feedbackDecayedAspects", "feedbackPropagatedAttributes"),
    }
    assert found["traversal"] == {"enabled": True, "lastRun": None}
    assert set(found["predictor"]) == {
        *("running", "modelReady", "coldStartExited", "successRate", "alpha"),
    }
    assert set(found["latency"]) == {
        *("remember", "recall", "mutate", "jobs", "predictor_score", "predictor_train"),
        *("hooks", "capture"),
    }


async def test_signets_status_follows_model_pauses_and_failures(api: Api) -> None:
    configure_model(api.kernel, model(NotCompleted("timeout", "no reply")))
    await ask(api)
    await owner(api, "POST", "/api/pipeline/stages/structural_classify/pause")

    found = (await api.client.get("/api/pipeline/status")).json()

    assert found["mode"] == "controlled-write"
    assert found["workers"]["extraction"] == {"running": True}
    assert found["workers"]["structuralClassify"] == {"running": False}
    assert found["errorSummary"] == {"EXTRACTION_TIMEOUT": 1}

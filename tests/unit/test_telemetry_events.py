"""Which telemetry events are made of what was measured."""

from intaglio.base.metrics.measured import EmbeddingCall, JobsRun, MemoryRead, ModelCall
from intaglio.telemetry.events import Event, events_of


def test_a_model_call_has_what_it_used_but_not_what_it_was_about() -> None:
    call = ModelCall(
        provider="ollama",
        model="qwen3:4b",
        stage="extract",
        outcome="answered",
        ms=1_200.4,
        tokens_read=300,
        tokens_written=40,
        usd=0.25,
        memory_id="m-1",
    )
    (event,) = events_of(call)
    assert event.name == "llm.generate"
    assert event.properties == {
        "provider": "ollama",
        "model": "qwen3:4b",
        "stage": "extract",
        "outcome": "answered",
        "success": True,
        "latencyMs": 1_200,
        "inputTokens": 300,
        "outputTokens": 40,
        "cost": 0.25,
    }


def test_a_memory_that_was_read_is_an_extraction_and_counts_of_decisions() -> None:
    read = MemoryRead(memory_id="m-1", actions=("add", "add", "none"), applied="written", ms=9.0)
    assert events_of(read) == [
        Event("pipeline.extraction", {"facts": 3, "applied": "written", "latencyMs": 9}),
        Event("pipeline.decision", {"add": 2, "none": 1}),
    ]


def test_a_providers_name_that_is_a_sentence_is_left_out() -> None:
    call = EmbeddingCall(provider="my server", model="bge-m3", texts=8, ms=3.14159)
    (event,) = events_of(call)
    assert event.properties == {
        "provider": "other",
        "model": "bge-m3",
        "texts": 8,
        "success": True,
        "latencyMs": 3.1,
    }


def test_a_run_of_the_queue_is_no_event() -> None:
    assert events_of(JobsRun(type="embed", jobs=3, ms=1.0)) == []

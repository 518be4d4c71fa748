"""How timelines and telemetry read in a terminal."""

from intaglio.cli.analytics.output import stats_lines, timeline_lines
from intaglio.wire.telemetry import ModelTotals, TelemetryStats
from intaglio.wire.timelines import TimelineEventRow, TimelineReply


def test_a_timeline_has_a_line_per_event_and_no_control_characters() -> None:
    event = TimelineEventRow(
        timestamp="2026-01-31T09:00:00Z",
        source="history",
        event="updated",
        details={"actor": "an\x1b[2Jn", "ms": 3},
    )
    found = TimelineReply(
        entity_type="memory",
        entity_id="m-1",
        events=[event],
        generated_at="2026-01-31T10:00:00Z",
        cut=True,
    )
    head, cut, line = timeline_lines(found)
    assert (head, cut.strip()) == ("Memory m-1", "(Older events aren't shown.)")
    assert line.endswith("history  updated  actor ann, ms 3")


def test_telemetry_is_summed_up_with_what_models_used() -> None:
    totals = ModelTotals(
        calls=2,
        errors=1,
        total_input_tokens=1_000,
        total_output_tokens=500,
        total_cost=0.0,
        p50=900.0,
        p95=1_800.0,
    )
    found = TelemetryStats(
        enabled=True, total_events=3, llm=totals, pipeline_errors=1, by_event={"llm.generate": 2}
    )
    first, row, models = stats_lines(found)
    assert first == "3 events on this machine. Nothing is sent anywhere."
    assert row.split() == ["llm.generate", "2"]
    assert models.startswith("Language models: 2 calls, 1 failed, 1,500 tokens")

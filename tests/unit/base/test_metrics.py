"""What the daemon counts and times in memory."""

from datetime import UTC, datetime

from intaglio.base.metrics.errors import ErrorEntry
from intaglio.base.metrics.latency import Latency, LatencyHistogram
from intaglio.base.metrics.measured import Measured, MeasuredFailure, ModelCall
from intaglio.base.metrics.metrics import Metrics
from intaglio.base.metrics.usage import OTHERS, ProviderUsage, Usage


def now() -> datetime:
    return datetime(2026, 1, 31, tzinfo=UTC)


def call(failure: MeasuredFailure | None = None) -> ModelCall:
    return ModelCall(
        provider="ollama",
        model="qwen",
        stage="extract",
        outcome="timeout" if failure else "answered",
        ms=20.0,
        tokens_read=10,
        tokens_written=5,
        usd=None,
        memory_id="m-1",
        failure=failure,
    )


def test_percentiles_are_by_nearest_rank() -> None:
    histogram = LatencyHistogram()
    for ms in range(100, 0, -1):
        histogram.add(float(ms))
    assert histogram.read() == Latency(p50=50.0, p95=95.0, p99=99.0, count=100, mean=50.5)


def test_an_operation_without_samples_has_zeros() -> None:
    assert LatencyHistogram().read() == Latency()


def test_the_newest_thousand_samples_count_and_all_are_counted() -> None:
    histogram = LatencyHistogram()
    for ms in [9_999.0] * 500 + [1.0] * 1_000:
        histogram.add(ms)
    assert histogram.read() == Latency(p50=1.0, p95=1.0, p99=1.0, count=1_500, mean=1.0)


def test_any_number_of_actors_takes_bounded_memory() -> None:
    usage = Usage()
    for number in range(1_000):
        usage.add_request("GET /x", f"actor-{number}", "recall", failed=False, ms=1.0)
    assert len(usage.actors) <= 101
    assert usage.actors[OTHERS].requests == 900
    assert sum(each.recalls for each in usage.actors.values()) == 1_000


def test_a_failed_call_counts_for_its_provider_and_as_an_error_of_the_taxonomy() -> None:
    metrics = Metrics.empty(now)
    failure = MeasuredFailure(
        stage="extraction", code="EXTRACTION_TIMEOUT", message="extract: timeout"
    )
    metrics.add(call())
    metrics.add(call(failure))
    assert metrics.usage.providers == {"ollama": ProviderUsage(calls=2, failures=1, total_ms=40.0)}
    assert metrics.errors.summary == {"EXTRACTION_TIMEOUT": 1}
    assert [each.memory_id for each in metrics.errors.since("")] == ["m-1"]


def test_listeners_are_told_of_calls_and_of_errors() -> None:
    metrics, told = Metrics.empty(now), list[Measured]()
    metrics.listeners.append(told.append)
    metrics.add(call(MeasuredFailure(stage="decision", code="DECISION_INVALID", message="decide")))
    assert [type(each) for each in told] == [ErrorEntry, ModelCall]

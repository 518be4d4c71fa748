"""Language models in the daemon: the way to the one that the user chose."""

from datetime import timedelta
from functools import partial
from typing import Final

from intaglio.base.clock import iso
from intaglio.domain.health import HealthCheck
from intaglio.inference.completion.factory import completion_of
from intaglio.kernel import Kernel
from intaglio.models import usage_rows
from intaglio.models.call_rows import ANSWERED, UNREADABLE
from intaglio.models.calls import ModelCalls
from intaglio.models.choices import timeout_s
from intaglio.models.confirmations import ConfirmedModels
from intaglio.models.health_checks import RecentCalls, judge_calls
from intaglio.models.live_models import LiveModels
from intaglio.models.migrations import MIGRATIONS
from intaglio.models.overview import ModelsOverview
from intaglio.models.prices import FILE_NAME, Prices
from intaglio.models.redo_estimates import StageRedos
from intaglio.models.registry import ModelRegistry
from intaglio.models.settings import ModelLimitSettings
from intaglio.models.stage_pauses import StagePauses
from intaglio.models.stage_reports import StageReports
from intaglio.models.trial import ModelTrial
from intaglio.models.usage_gate import UsageGate
from intaglio.package import KeptData, Package, Part, SweepStep, of_snapshot, singly
from intaglio.store.tx import ReadTx

_RECENT: Final = timedelta(hours=24)
_LATEST_CALLS: Final = 100
# Few, so that another model soon shows whether it does better.
_LATEST_REPLIES: Final = 20


def part(kernel: Kernel) -> Part:
    """Wire language models; nothing is called before a job or the user asks for it."""
    confirmed = kernel.get(ConfirmedModels)
    models = LiveModels(kernel.settings, completion_of, confirmed.includes, kernel.background.start)
    prices = Prices(kernel.running.paths.workspace / FILE_NAME)
    gate = UsageGate(
        db=kernel.database,
        clock=kernel.clock,
        local=kernel.local,
        settings=kernel.settings,
        choice=models.asked,
        prices=prices,
        measure=kernel.metrics.add,
    )
    calls = ModelCalls(
        completion=models.completion,
        timeout_s=lambda role: timeout_s(kernel.settings(), role),
        gate=gate,
        monotonic_s=kernel.monotonic_s,
    )
    pauses = StagePauses(kernel.database, kernel.clock, gate.forget_rests)
    reports = StageReports(
        db=kernel.database,
        clock=kernel.clock,
        local=kernel.local,
        settings=kernel.settings,
        models=models,
        calls=calls,
        gate=gate,
    )
    redos = StageRedos(db=kernel.database, clock=kernel.clock, models=models, gate=gate)
    overview = ModelsOverview(
        db=kernel.database,
        clock=kernel.clock,
        local=kernel.local,
        settings=kernel.settings,
        models=models,
        confirmed=confirmed,
        prices=prices,
    )
    trial = ModelTrial(calls=calls, models=models, prices=prices, monotonic_s=kernel.monotonic_s)
    registry = ModelRegistry(
        models=models, prices=prices, clock=kernel.clock, monotonic_s=kernel.monotonic_s
    )
    return Part(
        services=(models, gate, calls, pauses, reports, redos, overview, trial, registry),
        checks=(
            HealthCheck(
                name="model_calls",
                domain="provider",
                title="Calls of language models",
                reads="The latest 100 calls of the last 24 hours: the score is the share that was "
                "answered, or that of the latest 20 replies that could be read if it's less, and 1 "
                "without calls. Once more than a fifth can't be read, something is wrong.",
                run=of_snapshot(kernel.database, partial(_recent_calls, kernel), judge_calls),
            ),
            HealthCheck(
                name="language_model",
                domain="models",
                title="Language model",
                reads="Whether the configured model may and can be asked, and what it has used "
                "today of its limits.",
                run=overview.check,
            ),
        ),
        close=models.close,
    )


def _recent_calls(kernel: Kernel, tx: ReadTx) -> RecentCalls:
    since = iso(kernel.clock() - _RECENT)
    outcomes = usage_rows.latest_outcomes(tx, since, _LATEST_CALLS)
    # A reply that can't be read is one: the provider is there.
    replies = [each for each in outcomes if each in {ANSWERED, UNREADABLE}]
    timed_out = outcomes.count("timeout")
    latest = replies[:_LATEST_REPLIES]
    return RecentCalls(
        answered=len(replies),
        failed=len(outcomes) - len(replies) - timed_out,
        timed_out=timed_out,
        replies=len(latest),
        unreadable=latest.count(UNREADABLE),
    )


PACKAGE = Package(
    name="models",
    tables={
        "model_calls": "each call of a language model: when, which model, stage and prompt with "
        "its version, tokens, cost, time taken, outcome, project, and the id of the memory or "
        "session; nothing of its text",
        "stage_pauses": "the stages of the pipeline that are paused, since when and by whom",
    },
    migrations=MIGRATIONS,
    retention=(
        SweepStep(
            "model_calls",
            lambda s: s.of(ModelLimitSettings).usage_days,
            usage_rows.expired,
            singly(usage_rows.purge),
        ),
    ),
    kept=(
        KeptData(
            "`model_calls`",
            "90 days",
            deleted_by="step `model_calls`",
            settings=("retention.modelCallDays",),
        ),
        KeptData("`stage_pauses`", "until the stage is resumed", deleted_by="resuming it"),
    ),
    make=part,
)

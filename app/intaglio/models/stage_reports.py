"""Reports on the stages of the pipeline: what each is doing, what waits, what it costs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Final, Literal, TypeAlias

from intaglio.base.clock import Clock, iso
from intaglio.base.settings.values import Settings
from intaglio.jobs import rows as jobs
from intaglio.models import call_rows, pause_rows, usage_rows
from intaglio.models.call_rows import StageSum
from intaglio.models.calls import ModelCalls
from intaglio.models.live_models import LiveModels
from intaglio.models.pause_rows import StagePause
from intaglio.models.settings import ModelLimitSettings
from intaglio.models.stages import Stage, Stages
from intaglio.models.usage_gate import UsageGate
from intaglio.pauses.service import pause_state
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx

WEEK_DAYS: Final = 7
# One failed call is no pattern.
_FAILING_CALLS: Final = 3

StageState: TypeAlias = Literal[
    "off", "waiting_for_model", "paused", "resting", "capped", "working", "failing", "idle"
]
"""What a stage is doing.

``off``: no model is configured for it, or a setting switches it off; ``waiting_for_model``: the
configured one isn't confirmed, or can't be asked; ``resting``: the model failed too often;
``capped``: a limit of the day is reached; ``failing``: idle, and the latest calls all failed.
"""


@dataclass(frozen=True, slots=True)
class StageQueue:
    """How many jobs of a stage wait, run, and have failed."""

    waiting: int = 0
    running: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class StageError:
    """The last failure of a stage: of a call, or of a job that was given up."""

    at: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StageReport:
    """A stage as it is now; ``detail`` says why it makes no calls or how it fails, or is empty.

    ``last_hour`` and ``last_day`` count answered calls. ``median_ms`` is of the latest of a week.
    """

    stage: Stage
    state: StageState
    detail: str
    pause: StagePause | None
    queue: StageQueue
    last_hour: int
    last_day: int
    today: StageSum
    week: StageSum
    median_ms: int | None
    error: StageError | None


@dataclass(frozen=True, slots=True)
class DaySpending:
    """What all calls of the day used; ``usd`` counts those with a known price."""

    tokens: int
    usd: float


@dataclass(frozen=True, slots=True)
class PipelineReport:
    """All stages in order, and what the day's calls used."""

    stages: tuple[StageReport, ...]
    today: DaySpending


@dataclass(frozen=True, slots=True)
class _Condition:
    """Why a stage isn't simply idle."""

    state: StageState
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StageReports:
    """Reads what stages do and cost; use it on the event loop."""

    db: Database
    clock: Clock
    local: Callable[[datetime], datetime]
    settings: Callable[[], Settings]
    models: LiveModels
    calls: ModelCalls
    gate: UsageGate

    async def report(self, stages: Stages) -> PipelineReport:
        """Report on all stages."""
        now = self.clock()
        conditions = {each.name: self._condition(each) for each in stages.by_name.values()}
        return await self.db.read(lambda tx: self._report(tx, stages, conditions, now))

    def _condition(self, stage: Stage) -> _Condition | None:
        """Return what is known without the database."""
        if stage.is_enabled is not None and not stage.is_enabled(self.settings()):
            return _Condition("off", "Switched off in the settings")
        if not self.calls.is_on(stage.role):
            if self.models.asked(stage.role) is None:
                return _Condition("off", "No language model is configured")
            problem = self.models.problem(stage.role)
            return _Condition(
                "waiting_for_model", problem or "The language model isn't confirmed yet"
            )
        return None

    def _resting(self, stage: Stage) -> _Condition | None:
        model = self.calls.completion(stage.role)
        if model is not None and model.rest_s > 0:
            return _Condition("resting", "The model failed too often; it is asked again soon")
        rest = self.gate.rest(stage.name)
        if rest is None or rest.reason.reason != "capped":
            return None
        return _Condition("capped", rest.reason.detail)

    def _report(
        self, tx: ReadTx, stages: Stages, conditions: Mapping[str, _Condition | None], now: datetime
    ) -> PipelineReport:
        today, yesterday, week = (self._day(now, back) for back in (0, 2, WEEK_DAYS - 1))
        used = usage_rows.used_on(tx, today)
        spent = DaySpending(used.tokens, used.usd)
        everything = self._condition_of_all(tx, spent, now)
        pauses = {each.stage: each for each in pause_rows.all_pauses(tx)}
        counts: dict[tuple[str, str], int] = {
            (each.type, each.status): each.count for each in jobs.count_states(tx)
        }
        sums_today, sums_week = call_rows.sums(tx, today), call_rows.sums(tx, week)
        hour = call_rows.answered(tx, yesterday, iso(now - timedelta(hours=1)))
        day = call_rows.answered(tx, yesterday, iso(now - timedelta(days=1)))
        found: list[StageReport] = []
        for stage in stages.by_name.values():
            name, queue = stage.name, _queue(stage, counts)
            pause = pauses.get(name)
            condition = conditions[name] or _paused(pause) or everything or self._resting(stage)
            condition = condition or _working(queue) or _failing(tx, name, week)
            times = call_rows.times_ms(tx, name, week)
            found.append(
                StageReport(
                    stage=stage,
                    state=condition.state if condition else "idle",
                    detail=condition.detail if condition else "",
                    pause=pause,
                    queue=queue,
                    last_hour=hour.get(name, 0),
                    last_day=day.get(name, 0),
                    today=sums_today.get(name, StageSum(name)),
                    week=sums_week.get(name, StageSum(name)),
                    median_ms=round(median(times)) if times else None,
                    error=_last_error(tx, stage, sums_week.get(name), has_failed=queue.failed > 0),
                )
            )
        return PipelineReport(tuple(found), spent)

    def _condition_of_all(self, tx: ReadTx, spent: DaySpending, now: datetime) -> _Condition | None:
        if pause_state(tx, now).paused:
            return _Condition("paused", "Capture is paused")
        limits = self.settings().of(ModelLimitSettings)
        if 0 < limits.daily_tokens <= spent.tokens:
            return _Condition(
                "capped", "Today's limit of tokens is reached; it goes on at midnight"
            )
        if 0 < limits.daily_usd <= spent.usd:
            return _Condition("capped", "Today's limit of money is reached; it goes on at midnight")
        return None

    def _day(self, now: datetime, back: int) -> str:
        return f"{self.local(now - timedelta(days=back)):%Y-%m-%d}"


def _paused(pause: StagePause | None) -> _Condition | None:
    return None if pause is None else _Condition("paused", "Paused until you resume it")


def _working(queue: StageQueue) -> _Condition | None:
    return _Condition("working", "") if queue.running else None


def _failing(tx: ReadTx, stage: str, first_day: str) -> _Condition | None:
    latest = call_rows.latest_outcomes(tx, stage, first_day, _FAILING_CALLS)
    if len(latest) < _FAILING_CALLS or call_rows.ANSWERED in latest:
        return None
    unread = all(each == call_rows.UNREADABLE for each in latest)
    what = "replies couldn't be read" if unread else "calls failed"
    return _Condition("failing", f"The latest {what}")


def _queue(stage: Stage, counts: Mapping[tuple[str, str], int]) -> StageQueue:
    def count(state: str) -> int:
        return sum(counts.get((each, state), 0) for each in stage.job_types)

    return StageQueue(count("pending"), count("leased"), count("dead"))


def _last_error(
    tx: ReadTx, stage: Stage, used: StageSum | None, *, has_failed: bool
) -> StageError | None:
    errors: list[StageError] = []
    number = used.last_failed if used else None
    call = None if number is None else call_rows.failed_call(tx, number)
    if call is not None:
        text = call.detail or call.outcome.replace("_", " ")
        errors.append(StageError(call.at, text))
    if has_failed:
        errors += [
            StageError(job.failed_at or job.created_at, job.error or "")
            for type_ in stage.job_types
            for job in jobs.page(tx, "dead", type_, None, 1)
        ]
    return max(errors, key=lambda each: each.at, default=None)

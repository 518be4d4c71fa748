"""Maintenance: what it runs, what it only recommends, and when it stops trying."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest

from fakes.store import Bench, bench
from intaglio.base.background_tasks import BackgroundTasks
from intaglio.base.settings.values import Settings
from intaglio.domain.health import Checked, HealthCheck
from intaglio.domain.issues import Issue
from intaglio.domain.repair import Repair, RepairOptions, RepairResult
from intaglio.health.diagnosis import Diagnosis
from intaglio.health.repair import rows
from intaglio.health.repair.gate import RepairGate
from intaglio.health.repair.maintenance import Maintenance, MaintenanceMode, mode_of
from intaglio.health.repair.repairs import Repairs
from intaglio.health.repair.settings import MaintenanceSettings, RepairSettings
from intaglio.store.tx import ReadTx

ISSUE = Issue("index", "warn", "The index is incomplete", "It lacks rows.", repair="fill")


@dataclass(slots=True)
class Upkeep:
    """A maintenance with one repair, over a database, whose parts a test sets."""

    store: Bench
    mode: str = "execute"
    limits: RepairSettings = field(
        default_factory=lambda: RepairSettings(reembed_cooldown_ms=0, reembed_hourly=10_000)
    )
    found: Checked = field(default_factory=lambda: Checked(issues=(ISSUE,), penalty=0.3))
    runs: int = 0
    waiting: str = ""
    seconds: float = 0.0
    repair: Repair = field(init=False)
    maintenance: Maintenance = field(init=False)

    def __post_init__(self) -> None:
        self.repair = Repair(
            action="fill",
            title="Fill the index",
            text="Adds what it lacks.",
            budget="embedding",
            count=self.run,
            run=self.run,
        )
        self.maintenance = self._build()

    def _build(self) -> Maintenance:
        async def check() -> Checked:
            return self.found

        index = HealthCheck(name="index", domain="index", title="Index", reads="Rows.", run=check)
        diagnosis = Diagnosis(
            checks=lambda: (index,),
            clock=self.store.clock,
            monotonic_s=lambda: self.seconds,
            state=lambda: "ready",
        )
        return Maintenance(
            diagnosis=diagnosis,
            repairs=Repairs(
                db=self.store.db,
                context=self.store.context,
                gate=RepairGate(lambda: self.limits, lambda: False, lambda: self.seconds),
                declared=lambda: (self.repair,),
                undo_within=lambda: timedelta(days=30),
                background=BackgroundTasks(),
                done=diagnosis.invalidate,
            ),
            settings=self.settings,
            clock=self.store.clock,
            monotonic_s=lambda: self.seconds,
            reason_to_wait=lambda: self.waiting,
        )

    def settings(self) -> Settings:
        return Settings().having(self.limits).having(MaintenanceSettings(mode=self.mode))

    async def run(self, _: RepairOptions) -> RepairResult:
        self.runs += 1
        return RepairResult(affected=1, message="1 added")

    async def cycle(self) -> None:
        self.seconds += 1_800
        await self.maintenance.cycle()


@pytest.fixture
async def upkeep(tmp_path: Path) -> AsyncGenerator[Upkeep]:
    async with bench(tmp_path) as store:
        yield Upkeep(store)


async def test_it_runs_the_repair_that_an_issue_names_and_records_that(upkeep: Upkeep) -> None:
    await upkeep.cycle()
    assert upkeep.runs == 1
    (run,) = await upkeep.store.db.read(lambda tx: rows.latest(tx, 9))
    assert (run.action, run.actor_type, run.affected) == ("fill", "daemon", 1)


async def test_observing_writes_nothing_but_its_state(upkeep: Upkeep) -> None:
    def changes(tx: ReadTx) -> tuple[int, int]:
        return tx.count("PRAGMA data_version"), tx.count("SELECT count(*) FROM memory_history")

    before = await upkeep.store.db.read(changes)
    upkeep.mode = "observe"
    await upkeep.cycle()
    assert upkeep.runs == 0
    assert await upkeep.store.db.read(changes) == before
    assert upkeep.maintenance.state.recommended == ("fill",)
    assert upkeep.maintenance.state.last_cycle_at is not None


async def test_what_changes_content_is_only_recommended(upkeep: Upkeep) -> None:
    upkeep.repair = replace(upkeep.repair, changes_content=True)
    await upkeep.cycle()
    assert upkeep.runs == 0
    assert upkeep.maintenance.state.recommended == ("fill",)


async def test_an_issue_that_needs_nobody_is_left_to_itself(upkeep: Upkeep) -> None:
    upkeep.found = Checked(issues=(replace(ISSUE, level="info"),))
    await upkeep.cycle()
    assert (upkeep.runs, upkeep.maintenance.state.recommended) == (0, ())


async def test_three_cycles_without_improvement_halt_a_repair(upkeep: Upkeep) -> None:
    for _ in range(5):
        await upkeep.cycle()
    assert upkeep.runs == 3
    assert upkeep.maintenance.state.halted == ("fill",)


async def test_a_halted_repair_runs_again_once_its_issue_was_gone(upkeep: Upkeep) -> None:
    for _ in range(4):
        await upkeep.cycle()
    wrong, upkeep.found = upkeep.found, Checked()
    await upkeep.cycle()
    upkeep.found = wrong
    await upkeep.cycle()
    assert upkeep.runs == 4
    assert upkeep.maintenance.state.halted == ()


async def test_heavy_work_waits_on_battery_and_says_so(upkeep: Upkeep) -> None:
    upkeep.repair = replace(upkeep.repair, is_heavy=True)
    upkeep.waiting = "the computer runs on battery"
    await upkeep.cycle()
    assert upkeep.runs == 0
    assert upkeep.maintenance.state.waiting == "the computer runs on battery"
    upkeep.waiting = ""
    await upkeep.cycle()
    assert upkeep.runs == 1


async def test_a_refused_repair_counts_as_no_attempt(upkeep: Upkeep) -> None:
    upkeep.limits = RepairSettings(reembed_cooldown_ms=86_400_000)
    for _ in range(5):
        await upkeep.cycle()
    assert upkeep.runs == 1
    assert upkeep.maintenance.state.halted == ()


@pytest.mark.parametrize(
    ("limits", "mode", "expected"),
    [
        (RepairSettings(), "execute", "execute"),
        (RepairSettings(), "observe", "observe"),
        (RepairSettings(), "off", "off"),
        (RepairSettings(frozen=True), "execute", "off"),
        (RepairSettings(agents=False), "execute", "off"),
    ],
)
def test_it_is_off_unless_repairs_may_run_by_themselves(
    limits: RepairSettings, mode: str, expected: MaintenanceMode
) -> None:
    assert mode_of(Settings().having(limits).having(MaintenanceSettings(mode=mode))) == expected

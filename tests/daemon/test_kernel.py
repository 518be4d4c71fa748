"""Parts, their services and their loops: found by type, built in order, run as settings want."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import pytest

from fakes.api import Api, running_api
from fakes.waiting import PATIENCE_S, until
from intaglio.base.errors import UnavailableError
from intaglio.base.events import Resync, SettingsChanged
from intaglio.daemon.lifespan import run_loops
from intaglio.daemon.live_settings import LiveSettings
from intaglio.kernel import Kernel
from intaglio.package import Loop, Package, Packages, Part
from intaglio.store.migrations import Migration
from intaglio.store.settings import BackupSettings


@dataclass(frozen=True, slots=True)
class Ink:
    """A service of a test."""

    colour: str


@pytest.fixture
async def api(tmp_path: Path) -> AsyncGenerator[Api]:
    async with running_api(tmp_path) as running:
        yield running


@pytest.fixture
async def kernel(api: Api) -> Kernel:
    return api.kernel


def bare(kernel: Kernel) -> Kernel:
    """Return the kernel without services."""
    return replace(kernel, _services={})


async def test_a_part_finds_the_services_of_those_before_it(kernel: Kernel) -> None:
    seen: list[Ink] = []

    def second(kernel: Kernel) -> Part:
        seen.append(kernel.get(Ink))
        return Part()

    packages = (
        Package(name="first", make=lambda _: Part(services=(Ink("blue"),))),
        Package(name="second", make=second),
    )
    assert list(Packages(packages).assemble(bare(kernel))) == ["first", "second"]
    assert seen == [Ink("blue")]


async def test_a_service_that_nobody_provides_is_named(kernel: Kernel) -> None:
    with pytest.raises(LookupError, match="no part provides Ink"):
        kernel.get(Ink)


async def test_two_services_of_one_type_are_refused(kernel: Kernel) -> None:
    with pytest.raises(ValueError, match="two parts provide Ink"):
        kernel.provide([Ink("blue"), Ink("red")])


async def test_two_packages_or_loops_of_one_name_are_refused(kernel: Kernel) -> None:
    async def run() -> None: ...

    def make(name: str) -> Package:
        return Package(name=name, make=lambda _: Part(loops=(Loop("ink", run),)))

    with pytest.raises(ValueError, match="two packages are named pen"):
        Packages((make("pen"), make("pen"))).assemble(bare(kernel))
    with pytest.raises(ValueError, match="two loops are named ink"):
        Packages((make("pen"), make("brush"))).assemble(bare(kernel))


def test_migrations_of_all_packages_have_one_order() -> None:
    def package(name: str, *numbers: int) -> Package:
        return Package(
            name=name, migrations=tuple(Migration(number, name, ()) for number in numbers)
        )

    packages = Packages((package("pen", 1, 3), package("ink", 2)))
    assert [step.name for step in packages.schema] == ["pen", "ink", "pen"]
    with pytest.raises(ValueError, match=r"numbered \[1, 2, 2\]"):
        _ = Packages((package("pen", 1, 2), package("ink", 2))).schema


async def test_a_repeating_loop_goes_on_after_the_database_was_unavailable(kernel: Kernel) -> None:
    done = asyncio.Event()
    rounds = count(1)

    async def work() -> None:
        if next(rounds) == 1:
            raise UnavailableError("the disk is full")
        done.set()

    running = asyncio.ensure_future(Loop.repeating("ink", kernel.database, work, 0.001).run())
    try:
        await asyncio.wait_for(done.wait(), PATIENCE_S)
    finally:
        running.cancel()


async def test_a_loop_runs_while_the_settings_want_it(tmp_path: Path) -> None:
    running: list[str] = []

    async def forever() -> None:
        running.append("ink")
        try:
            await asyncio.Event().wait()
        finally:
            running.remove("ink")

    loop = Loop("ink", forever, when=lambda settings: settings.of(BackupSettings).enabled)
    async with running_api(
        tmp_path, Package(name="ink", make=lambda _: Part(loops=(loop,)))
    ) as api:
        live = api.kernel.get(LiveSettings)
        file = api.kernel.running.paths.settings
        file.parent.mkdir(parents=True, exist_ok=True)

        def save(text: str) -> None:
            file.write_text(text)
            assert live.refresh()

        save("backup: {enabled: false}\n")
        task = asyncio.create_task(run_loops(api.daemon))
        await asyncio.sleep(0)
        assert running == []
        save("backup: {enabled: true}\n# now\n")
        api.kernel.bus.publish(SettingsChanged())
        await until(lambda: running == ["ink"], "a loop that is wanted")
        save("backup: {enabled: false}\n# not any more\n")
        # A listener that lost events hears of it by this one.
        api.kernel.bus.publish(Resync())
        await until(lambda: running == [], "a loop that ended")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

"""What is known of the harnesses on this machine, without changing anything of theirs."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import pytest

from fakes.connect_home import PYTHON, Home, connections_of
from fakes.sessions import HARNESS, House, session
from fakes.store import bench
from intaglio.base.clock import iso
from intaglio.base.events import BusEvent, Changed
from intaglio.connect.targets import interpreters
from intaglio.connect.values import ConnectionRefused
from intaglio.harness.activity import HookActivity
from intaglio.harness.connections import Connection, Connections, SettingsChangedError


@dataclass(frozen=True)
class Machine:
    """A user's home, the sessions that were heard of, and the hooks that arrive."""

    home: Home
    house: House
    activity: HookActivity
    events: list[BusEvent]

    async def look(self, python: str = PYTHON) -> Connection:
        (found,) = await self.connections(python).all()
        return found

    def connections(self, python: str = PYTHON) -> Connections:
        return connections_of(self.home, self.house.bench.db, self.activity, python)


@pytest.fixture
async def machine(home: Home, tmp_path: Path) -> AsyncGenerator[Machine]:
    async with bench(tmp_path / "store") as opened:
        events: list[BusEvent] = []
        activity = HookActivity(opened.clock, events.append, frozenset({HARNESS}))
        yield Machine(home, House(opened), activity, events)


async def test_an_absent_harness_can_be_connected(machine: Machine) -> None:
    assert await machine.look() == Connection(
        harness=HARNESS,
        label=machine.home.connector.label,
        settings=machine.home.settings,
        is_installed=False,
        state="not",
        last_hook_at=None,
        command=f"/opt/intaglio connect {HARNESS}",
        tools="missing",
        driven_version=machine.home.connector.driven_version,
    )


async def test_its_folder_or_its_program_shows_that_a_harness_is_there(
    machine: Machine, tmp_path: Path
) -> None:
    machine.home.write(None)
    assert (await machine.look()).is_installed
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.touch(mode=0o755)
    connector, nowhere = machine.home.connector, tmp_path / "nowhere"
    assert connector.is_installed(nowhere, {"PATH": str(program.parent)})
    assert not connector.is_installed(nowhere, {})


async def test_a_connection_is_detected_without_writing(machine: Machine) -> None:
    machine.home.connect()
    before = machine.home.read()
    found = await machine.look()
    assert (found.state, machine.home.read()) == ("connected", before)


async def test_hooks_of_another_interpreter_are_connected_in_part(machine: Machine) -> None:
    machine.home.connect("/gone/python3")
    assert (await machine.look()).state == "partly"


async def test_settings_that_cannot_be_read_are_told_with_the_reason(machine: Machine) -> None:
    machine.home.write(b"{ no json")
    state = (await machine.look()).state
    assert isinstance(state, ConnectionRefused)
    assert state.reason
    assert state.hint


async def test_the_last_hook_is_that_of_the_latest_session(machine: Machine) -> None:
    await machine.house.start(session("one"))
    machine.house.bench.clock.forward(hours=1)
    await machine.house.ends.session_end(session("one"), "exit")
    ended = iso(machine.house.bench.clock())
    machine.house.bench.clock.forward(hours=1)
    assert (await machine.look()).last_hook_at == ended


async def test_a_hook_that_writes_nothing_counts_too_and_is_announced(machine: Machine) -> None:
    await machine.house.start(session("one"))
    machine.house.bench.clock.forward(hours=1)
    machine.activity.note(HARNESS, "prompt")
    assert (await machine.look()).last_hook_at == iso(machine.house.bench.clock())
    assert machine.events == [Changed("harnesses", "updated", (HARNESS,))]


async def test_a_client_that_calls_itself_anything_is_not_noted(machine: Machine) -> None:
    machine.activity.note("anything", "prompt")
    assert machine.events == []
    assert machine.activity.last("anything") is None


async def test_without_the_database_the_settings_are_looked_at(machine: Machine) -> None:
    machine.home.connect()
    machine.activity.note(HARNESS, "prompt")
    await machine.house.bench.db.close()
    found = await machine.look()
    assert (found.state, found.last_hook_at is not None) == ("connected", True)


async def test_the_applied_change_is_the_previewed_one(machine: Machine) -> None:
    connections = machine.connections()
    machine.home.write(b"{}\n")
    shown = await connections.preview(HARNESS, "connect")
    assert machine.home.read() == b"{}\n"
    machine.home.write(b'{"model": "opus"}\n')
    with pytest.raises(SettingsChangedError):
        await connections.apply(HARNESS, "connect", shown.token)
    assert (machine.home.read(), machine.events) == (b'{"model": "opus"}\n', [])
    machine.home.write(b"{}\n")
    await connections.apply(HARNESS, "connect", shown.token)
    assert machine.home.read() == shown.settings.after
    assert machine.events == [Changed("harnesses", "updated", (HARNESS,))]


async def test_a_preview_of_connecting_confirms_no_disconnecting(machine: Machine) -> None:
    machine.home.connect("/gone/python3")
    connections, before = machine.connections(), machine.home.read()
    shown = await connections.preview(HARNESS, "connect")
    with pytest.raises(SettingsChangedError):
        await connections.apply(HARNESS, "disconnect", shown.token)
    assert machine.home.read() == before


async def test_hooks_that_run_in_a_sibling_of_the_interpreter_stay(machine: Machine) -> None:
    machine.home.connect()
    assert not (await machine.connections().preview(HARNESS, "connect")).changed


def test_an_interpreter_is_known_by_each_of_its_names(tmp_path: Path) -> None:
    for name in ("python", "python3", "python3.12", "pip"):
        (tmp_path / name).touch()
    assert interpreters(str(tmp_path / "python3.12")) == tuple(
        str(tmp_path / name) for name in ("python3.12", "python", "python3")
    )

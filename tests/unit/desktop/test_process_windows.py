"""When the tray app keeps a window ready: not for ever, not without memory, not if it crashes."""

import json
import sys
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest

from fakes.waiting import PATIENCE_S, wait_for
from intaglio.desktop.values import OpenMemory, OpenPage, QuickRemember
from intaglio.desktop.window.windows import ProcessWindows, ReadyRules

# Writes down its process id and what it is told.
_PROGRAM = """
import os, sys
with open(sys.argv[1], "a") as told:
    print(os.getpid(), file=told, flush=True)
    for line in sys.stdin:
        print(line, end="", file=told, flush=True)
"""
_ENOUGH = 8_000_000_000


@dataclass
class Machine:
    """The tray app's windows, with a program instead of the window process."""

    folder: Path
    now: float = 0.0
    free: int = _ENOUGH
    minutes: int = 240
    program: str = _PROGRAM
    windows: ProcessWindows = field(init=False)

    def __post_init__(self) -> None:
        self.windows = ProcessWindows(
            self.folder / "logs" / "window.log",
            command=[sys.executable, "-S", "-c", self.program, str(self.told)],
            rules=lambda: ReadyRules(self.minutes),
            clock=lambda: self.now,
            free_memory=lambda: self.free,
        )

    @property
    def told(self) -> Path:
        return self.folder / "told.txt"

    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.told.read_text().splitlines()]

    def commands(self) -> list[Any]:
        return [line for line in self.lines() if isinstance(line, dict)]

    def pids(self) -> list[int]:
        return [line for line in self.lines() if isinstance(line, int)]

    def is_ready(self, *, ready: bool) -> bool:
        told = self.commands()
        return bool(told) and told[-1] == {"type": "keep_ready", "ready": ready}


@pytest.fixture
def machine(tmp_path: Path) -> Generator[Machine]:
    machine = Machine(tmp_path)
    machine.told.touch()
    yield machine
    machine.windows.close()


def test_a_window_is_kept_ready_until_it_was_not_used_for_long(machine: Machine) -> None:
    machine.windows.show(OpenPage(), "http://127.0.0.1:3850/")
    machine.now = 239 * 60
    machine.windows.maintain()
    wait_for(lambda: machine.is_ready(ready=True), "a window that is kept ready")
    machine.now = 240 * 60
    machine.windows.maintain()
    wait_for(lambda: machine.is_ready(ready=False), "the end of that")
    machine.windows.prepare()
    wait_for(lambda: machine.is_ready(ready=True), "a window that is kept ready again")


def test_switched_off_a_process_starts_only_for_a_window(machine: Machine) -> None:
    machine.minutes = 0
    machine.windows.prepare()
    machine.windows.maintain()
    assert machine.told.read_text() == ""
    machine.windows.show(QuickRemember(), "http://127.0.0.1:3850/quick-remember")
    wait_for(lambda: machine.is_ready(ready=False), "no window that is kept ready")


def test_no_window_is_kept_ready_while_memory_is_short(machine: Machine) -> None:
    machine.free = 1_000_000_000
    machine.windows.prepare()
    assert machine.told.read_text() == ""
    machine.free = _ENOUGH
    machine.windows.prepare()
    machine.free = 1_000_000_000
    machine.windows.maintain()
    wait_for(lambda: machine.is_ready(ready=True), "what was begun with enough memory")
    machine.free = 400_000_000
    machine.windows.maintain()
    wait_for(lambda: machine.is_ready(ready=False), "memory given back")


def test_a_killed_process_is_replaced(machine: Machine) -> None:
    machine.windows.prepare()
    wait_for(lambda: len(machine.pids()) == 1, "the process")
    psutil.Process(machine.pids()[0]).kill()

    def is_replaced() -> bool:
        machine.windows.maintain()
        return len(machine.pids()) == 2

    wait_for(is_replaced, "another process")
    wait_for(lambda: machine.is_ready(ready=True), "a window that is kept ready")


def test_a_process_that_fails_again_and_again_is_started_only_for_a_window(
    tmp_path: Path,
) -> None:
    machine = Machine(tmp_path, program="import sys; open(sys.argv[1], 'a').write('1\\n'); exit(1)")
    machine.told.touch()

    def starts() -> int:
        return len(machine.lines())

    def is_third() -> bool:
        # The end of a process is noticed a moment later.
        machine.windows.maintain()
        return starts() == 3

    wait_for(is_third, "three starts")
    for _ in range(5):
        machine.windows.maintain()
    assert starts() == 3
    machine.windows.show(OpenPage(), "http://127.0.0.1:3850/")

    def is_started_again() -> bool:
        # The third one may only have been about to end.
        machine.windows.maintain()
        return starts() >= 4

    wait_for(is_started_again, "a start for a window")
    machine.windows.close()


def test_an_open_window_only_comes_forward_unless_another_page_is_asked_for(
    machine: Machine,
) -> None:
    machine.windows.show(OpenPage(), "http://127.0.0.1:3850/enter?key=1")
    machine.windows.show(OpenMemory("m"), "http://127.0.0.1:3850/enter?key=2")
    wait_for(lambda: len(machine.commands()) == 4, "the commands")
    shown = [told for told in machine.commands() if told["type"] == "show"]
    assert [told.get("keeps_page", False) for told in shown] == [True, False]


def test_closing_ends_the_process_and_nothing_opens_afterwards(machine: Machine) -> None:
    machine.windows.prepare()
    wait_for(machine.pids, "the process")
    process = psutil.Process(machine.pids()[0])
    machine.windows.close()
    process.wait(PATIENCE_S)
    machine.windows.show(OpenPage(), "http://127.0.0.1:3850/")
    machine.windows.maintain()
    assert len(machine.pids()) == 1

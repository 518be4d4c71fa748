"""The tray app's cost on a screen of its own: time to icon, health and painted window; RAM."""

import argparse
import os
import statistics
import time
from pathlib import Path

import psutil

from bench.home import temporary_home
from fakes.desktop_app import RunningTrayApp, start_tray_app, wait_gone
from fakes.program_under_test import VARIABLE
from fakes.screen import Screen, running_screen
from fakes.tray_host import TrayHost, running_tray_host
from fakes.waiting import wait_for
from fakes.windows import TITLE, opened

_SETTLE_S = 4.0
_PAINTED_COLOURS = 60


def painted(screen: Screen) -> bool:
    """Tell whether the dashboard's window shows text rather than its ground."""
    window = screen.windows(TITLE)
    return bool(window) and len(screen.grab(screen.box(window[0])).getcolors(1 << 20) or []) > (
        _PAINTED_COLOURS
    )


def weigh(name: str, processes: list[psutil.Process]) -> dict[str, float]:
    """Sum resident and proportional memory in MB."""
    full = [one.memory_full_info() for one in processes]
    return {
        f"{name}, RSS MB": sum(one.rss for one in full) / 1e6,
        f"{name}, PSS MB": sum(one.pss for one in full) / 1e6,
    }


def below(app: RunningTrayApp, word: str) -> list[psutil.Process]:
    """List the tray app's processes with this word, and all below them."""
    found = app.child_processes(word)
    return found + [child for one in found for child in one.children(recursive=True)]


def cpu_s(processes: list[psutil.Process]) -> float:
    """Sum the CPU seconds that processes have taken, which a busy machine hardly changes."""
    times = [one.cpu_times() for one in processes]
    return sum(one.user + one.system for one in times)


def once(home: Path, screen: Screen, host: TrayHost) -> dict[str, float]:
    """Start the tray app once and take its figures."""
    known, begun = set(host.items), time.perf_counter()
    app = start_tray_app(home, screen.env)
    figures: dict[str, float] = {}
    try:
        wait_for(lambda: set(host.items) - known, "an icon", 60)
        figures["icon, s"] = time.perf_counter() - begun
        app.wait_ready()
        figures["daemon ready, s"] = time.perf_counter() - begun
        opened(screen)
        figures["window, s"] = time.perf_counter() - begun
        wait_for(lambda: painted(screen), "a painted window", 60)
        figures["window painted, s"] = time.perf_counter() - begun
        figures["CPU until then, s"] = cpu_s(app.all_processes())
        time.sleep(_SETTLE_S)
        figures |= weigh("tray", [psutil.Process(app.process.pid)])
        figures |= weigh("daemon", app.child_processes("daemon"))
        figures |= weigh("window with WebKit", below(app, "window"))
        everyone = app.all_processes()
        left = time.perf_counter()
    finally:
        app.stop()
    wait_gone(everyone)
    figures["quit, s"] = time.perf_counter() - left
    return figures


def main(arguments: list[str]) -> None:
    """Print the medians of some starts of this clone, and of packages' programs beside it."""
    parser = argparse.ArgumentParser(prog="python3 app bench desktop")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--program", action="append", default=[], help="a package's `intaglio`")
    options = parser.parse_args(arguments)
    programs = ["", *options.program]
    runs: dict[str, list[dict[str, float]]] = {program: [] for program in programs}
    with (
        temporary_home() as home,
        running_screen(home / "screen", tray=False) as screen,
        running_tray_host(screen.env["DBUS_SESSION_BUS_ADDRESS"]) as host,
    ):
        # In turns, so that all meet the same load of the machine.
        for number in range(options.runs):
            for place, program in enumerate(programs):
                os.environ[VARIABLE] = program
                runs[program].append(once(home / f"{number}-{place}", screen, host))
    columns = ["clone", *(f"package {place}" for place in range(1, len(programs)))]
    for column, program in zip(columns[1:], options.program, strict=True):
        print(f"{column}: {program}")
    print(f"{f'median of {options.runs} starts':<34}" + "".join(f"{one:>14}" for one in columns))
    for name in runs[""][0]:
        medians = [statistics.median(run[name] for run in runs[each]) for each in programs]
        print(f"{name:<34}" + "".join(f"{median:>14.2f}" for median in medians))

"""How long windows take to their first pixels, cold and warm, on a screen of its own; and memory.

A window counts as painted when its text is: the colours inside of its frame are counted on the
screen. Cold is without a window process, warm with one that has a hidden window ready.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from bench.home import temporary_home
from fakes.dashboard import Dashboard, running_dashboard
from fakes.screen import Screen, running_screen
from fakes.waiting import wait_for
from fakes.windows import ANY, running_windows
from intaglio.desktop.deep_links import path_of
from intaglio.desktop.values import Destination, OpenPage, QuickRemember, QuickSearch
from intaglio.desktop.window.windows import ProcessWindows

_MEMORIES = 12
_PATIENCE_S = 60.0
# A window without its page has one colour, its title and its borders are left out.
_TEXT_COLOURS = 40
_FRAME = 8
# After this the next hidden window has loaded its page.
_SETTLE_S = 5.0
_KINDS: dict[str, Destination] = {
    "dashboard": OpenPage(),
    "quick remember": QuickRemember(),
    "quick search": QuickSearch(),
}


def is_painted(screen: Screen) -> bool:
    """Tell whether the one visible window shows text."""
    found = screen.windows(ANY)
    if not found:
        return False
    left, top, right, bottom = screen.box(found[0])
    inside = screen.grab((left + _FRAME, top + _FRAME, right - _FRAME, bottom - _FRAME))
    return len(inside.getcolors(1 << 20) or []) > _TEXT_COLOURS


def memory_of(windows: list[psutil.Process]) -> tuple[float, float]:
    """Sum resident and proportional memory in MB."""
    full = [one.memory_full_info() for one in windows]
    return sum(one.rss for one in full) / 1e6, sum(one.pss for one in full) / 1e6


def window_processes() -> list[psutil.Process]:
    """List the window process and WebKit's."""
    below = psutil.Process().children(recursive=True)
    roots = [one for one in below if "window" in one.cmdline()]
    return roots + [each for one in roots for each in one.children(recursive=True)]


def time_to_paint(
    screen: Screen, made: ProcessWindows, dashboard: Dashboard, shown: Destination
) -> float:
    """Open a window and return the seconds to its text."""
    link = f"{dashboard.fresh_link()}&next={path_of(shown)}"
    begun = time.perf_counter()
    made.show(shown, link)
    while not is_painted(screen):
        if time.perf_counter() - begun > _PATIENCE_S:
            raise AssertionError("no painted window")
    return time.perf_counter() - begun


def close(screen: Screen) -> None:
    """Close the open window as a person does."""
    window = screen.windows(ANY)[0]
    screen.press(window, "alt+F4", until=lambda: not screen.windows(ANY))


def report(name: str, figures: list[float], unit: str = "s") -> None:
    """Print the median and the slowest."""
    ordered = sorted(figures)
    slow = ordered[min(len(ordered) - 1, round(len(ordered) * 0.95))]
    print(f"{name:<40}{statistics.median(ordered):>9.2f}{slow:>9.2f}  {unit}", flush=True)


def cold(screen: Screen, home: Path, dashboard: Dashboard, runs: int) -> None:
    """Measure windows without a process."""
    for name, shown in _KINDS.items():
        figures: list[float] = []
        for _ in range(runs):
            with running_windows(screen, home, dashboard) as made:
                figures.append(time_to_paint(screen, made, dashboard, shown))
        report(f"cold: {name}", figures)


def warm(screen: Screen, home: Path, dashboard: Dashboard, runs: int) -> None:
    """Measure windows that a hidden one is ready for, and what that takes."""
    held: dict[str, list[tuple[float, float]]] = {"ready": [], "ready and open": []}

    def hold(name: str) -> None:
        held[name].append(memory_of(window_processes()))

    with running_windows(screen, home, dashboard, ready_minutes=60) as made:
        made.prepare()
        wait_for(lambda: len(window_processes()) >= len(("window", "network", "page")), "a window")
        time.sleep(_SETTLE_S)
        for name, shown in _KINDS.items():
            figures: list[float] = []
            for _ in range(runs):
                figures.append(time_to_paint(screen, made, dashboard, shown))
                time.sleep(_SETTLE_S)
                hold("ready and open")
                close(screen)
                time.sleep(1)
                hold("ready")
            report(f"warm: {name}", figures)
    for name, pairs in held.items():
        report(f"memory, RSS: {name}", [rss for rss, _ in pairs], "MB")
        report(f"memory, PSS: {name}", [pss for _, pss in pairs], "MB")


def main(arguments: list[str]) -> None:
    """Print medians of cold and warm windows."""
    parser = argparse.ArgumentParser(prog="python3 app bench windows")
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args(arguments)
    measures: tuple[Callable[[Screen, Path, Dashboard, int], None], ...] = (cold, warm)
    with (
        temporary_home() as home,
        running_screen(home / "screen", tray=False, notifications=False) as screen,
        running_dashboard(home / "daemon") as dashboard,
    ):
        for number in range(_MEMORIES):
            dashboard.remember(f"Memory number {number} of the windows.")
        print(f"{options.runs} windows of each kind:{'median':>29}{'p95':>9}")
        for measure in measures:
            measure(screen, home / "windows", dashboard, options.runs)

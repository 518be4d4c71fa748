"""What the map of memories costs a browser, and the desktop's window: first draw, frames, memory.

The Constellation page shows maps of a real daemon. The gallery's page draws generated maps of the
same form, to compare browsers without one.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, cast

from playwright.sync_api import CDPSession, Page

from bench.figures import percentile
from bench.home import temporary_home
from fakes.chromium import WITHOUT_WEBGL, running_chromium
from fakes.dashboard import running_dashboard
from fakes.gallery import served_gallery
from fakes.screen import running_screen
from fakes.star_map import star_home

_SCRIPT: Final = Path(__file__).with_name("map_page.js")
_WINDOW: Final = Path(__file__).with_name("map_window.py")
_HEADINGS: Final = (
    "points",
    "renderer",
    "KB",
    "first draw ms",
    "frame p50",
    "p95",
    "frames/s",
    "drawn moving",
    "whole ms",
    "idle frames",
    "heap MB",
)


def _line(points: int, figures: dict[str, Any], heap_mb: float | None) -> None:
    times: list[float] = figures["times"]
    p50 = statistics.median(times)
    cells = (
        f"{points:,}",
        figures["renderer"],
        f"{figures['bytes'] / 1000:,.0f}",
        f"{figures['firstDraw']:,.0f}",
        f"{p50:.1f}",
        f"{percentile(times, 0.95):.1f}",
        f"{1000 / p50:.1f}",
        f"{figures['drawn']:,}",
        f"{figures['whole']:,.0f}",
        str(figures["idle"]),
        "" if heap_mb is None else f"{heap_mb:.1f}",
    )
    print("".join(f"{cell:>14}" for cell in cells), flush=True)


def _title(name: str) -> None:
    print(f"\n{name}\n" + "".join(f"{heading:>14}" for heading in _HEADINGS), flush=True)


def _heap_mb(devtools: CDPSession) -> float:
    # Playwright leaves out what its mapping holds.
    send = cast("Callable[[str], dict[str, Any]]", devtools.send)  # pyright: ignore[reportUnknownMemberType] # see above
    for _ in range(2):
        send("HeapProfiler.collectGarbage")
    used = send("Runtime.getHeapUsage")
    # Columns and what is made of them are kept beside the heap.
    return float(used["usedSize"] + used.get("backingStorageSize", 0)) / 1e6


def _measured(page: Page, points: int, *, in_gallery: bool) -> None:
    script = _SCRIPT.read_text(encoding="utf-8").strip().removesuffix(";")
    figures: dict[str, Any] = page.evaluate(script, points if in_gallery else None)
    devtools = page.context.new_cdp_session(page)
    _line(points, figures, _heap_mb(devtools))
    devtools.detach()


def on_the_page(counts: list[int]) -> None:
    """Measure the Constellation page of a daemon with so many memories, in headless Chromium."""
    _title("the Constellation page in headless Chromium, software WebGL, 1280x800")
    for points in counts:
        with temporary_home() as home:
            star_home(home, points)
            with running_dashboard(home) as running, running_chromium() as browser:
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                page.set_default_timeout(300_000)
                page.goto(running.fresh_link() + "&next=%2Fconstellation")
                page.get_by_role("application").wait_for()
                _measured(page, points, in_gallery=False)


def in_chromium(address: str, counts: list[int], *, has_webgl: bool) -> None:
    """Measure in headless Chromium, which draws WebGL by the processor."""
    _title(f"the gallery, {'software WebGL' if has_webgl else 'without WebGL'}, 1280x900")
    with running_chromium("--enable-precise-memory-info") as browser:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.set_default_timeout(300_000)
        if not has_webgl:
            context.add_init_script(WITHOUT_WEBGL)
        for points in counts:
            page = context.new_page()
            page.goto(address)
            _measured(page, points, in_gallery=True)
            page.close()


def in_window(address: str, counts: list[int]) -> None:
    """Measure in a pywebview window (WebKitGTK) on a screen of its own."""
    _title("the gallery in a pywebview window (WebKitGTK) under Xvfb, 1280x900")
    with tempfile.TemporaryDirectory() as folder, running_screen(Path(folder)) as screen:
        source = Path(__file__).parents[2] / "app"
        env = {**os.environ, **screen.env, "PYTHONPATH": str(source)}
        line = [sys.executable, str(_WINDOW), address, str(_SCRIPT), *map(str, counts)]
        ran = subprocess.run(
            line, env=env, capture_output=True, text=True, timeout=900, check=False
        )
    for points, printed in zip(counts, ran.stdout.splitlines(), strict=False):
        figures: Any = json.loads(json.loads(printed) or "null")
        if isinstance(figures, dict):
            _line(points, cast("dict[str, Any]", figures), None)
        else:
            print(f"{points}: {figures}")
    if ran.returncode != 0:
        print(ran.stderr[-2_000:])


def main(arguments: list[str]) -> None:
    """Measure maps of so many points and print the figures."""
    parser = argparse.ArgumentParser(prog="python3 app bench constellation")
    parser.add_argument("--points", type=int, nargs="+", default=[10_000, 50_000, 100_000])
    parser.add_argument("--no-window", action="store_true", help="leave out the desktop's window")
    options = parser.parse_args(arguments)
    on_the_page(options.points)
    with served_gallery() as address:
        in_chromium(address, options.points, has_webgl=True)
        in_chromium(address, options.points, has_webgl=False)
        if not options.no_window:
            in_window(address, options.points)

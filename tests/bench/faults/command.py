"""``app bench faults``: injects faults into a real daemon, one by one, and prints a table."""

import argparse
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench.faults.injected import FAULTS, Fault
from bench.faults.scene import Scene, disk_of_its_own, fill_home, running_scene, shifted_clock

_NAMED_WITHIN_S: Final = 75.0
_SILENT_S: Final = 70.0


def main(argv: list[str]) -> None:
    """Inject the faults whose names contain one of the words; all without words."""
    parser = argparse.ArgumentParser(prog="app bench faults", description=main.__doc__)
    parser.add_argument("words", nargs="*")
    words = parser.parse_args(argv).words
    chosen = [each for each in FAULTS if not words or any(word in each.name for word in words)]
    with disk_of_its_own() as disk:
        library, filled, home = shifted_clock(disk), disk / "filled", disk / "home"
        # The agent's settings name the home's place, so that it is filled there.
        fill_home(home)
        home.rename(filled)
        print("| fault | named after | as | what mends it | gone after | nothing lost |")
        print("|---|---|---|---|---|---|", flush=True)
        for fault in chosen:
            shutil.copytree(filled, home, symlinks=True)
            try:
                print(f"| {fault.name} | {' | '.join(_run(fault, home, library))} |", flush=True)
            finally:
                shutil.rmtree(home, ignore_errors=True)


def _run(fault: Fault, home: Path, library: Path) -> Sequence[str]:
    with running_scene(home, library) as scene:
        before = scene.memories()
        unwell = _wait_until_well(scene)
        if unwell:
            return f"not well before: {unwell}", "", "", "", ""
        try:
            cells = _seen(fault, scene)
        finally:
            fault.undo(scene)
        kept = "yes" if before <= scene.memories() else f"{len(before - scene.memories())} lost"
        return *cells, kept


def _wait_until_well(scene: Scene) -> str:
    end = time.monotonic() + _NAMED_WITHIN_S
    while time.monotonic() < end:
        if scene.is_well():
            return ""
        time.sleep(0.5)
    return ", ".join(issue["title"] for issue in scene.issues() if issue["level"] != "info")


def _seen(fault: Fault, scene: Scene) -> Sequence[str]:
    begun = time.monotonic()
    fault.inject(scene)
    if fault.is_silent:
        alarm = [each for each in _watch(scene, _SILENT_S) if each]
        return "no alarm" if not alarm else alarm[0], "-", "-", "-"
    issue = scene.wait_for_issue(fault.named, _NAMED_WITHIN_S)
    if issue is None:
        return "**never**", ", ".join(each["id"] for each in scene.issues()), "", ""
    seconds, is_well = time.monotonic() - begun, scene.is_well()
    fault.undo(scene)
    what = fault.mend(scene, issue)
    gone = scene.wait_until_gone(fault.named)
    called = f"{issue['level']} “{issue['title']}”{' (but well!)' if is_well else ''}"
    return f"{seconds:.0f} s", called, what, "**stays**" if gone is None else f"{gone:.0f} s"


def _watch(scene: Scene, seconds: float) -> Sequence[str]:
    end, seen = time.monotonic() + seconds, list[str]()
    while time.monotonic() < end:
        seen += [issue["title"] for issue in scene.issues() if issue["level"] != "info"]
        time.sleep(1)
    return seen

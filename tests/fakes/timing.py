"""Where a run's time goes: seconds of the workers by folder of the tests."""

import os
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import pytest

from fakes.forked import forked_cpu_s

# The name under which a report carries its CPU seconds from a worker to the one who prints.
CPU: Final = "cpu_s"
_COLUMNS: Final = ("tests", "seconds", "set-up", "call", "CPU")


@dataclass(slots=True)
class FolderTime:
    """What the tests of one folder took; seconds."""

    tests: int = 0
    setup_s: float = 0.0
    call_s: float = 0.0
    cpu_s: float = 0.0

    @property
    def total_s(self) -> float:
        """All that a worker was busy for."""
        return self.setup_s + self.call_s


class CpuMeter:
    """Tells how much CPU this process and its ended children took since it was last asked."""

    __slots__ = ("_last_s",)

    def __init__(self) -> None:
        self._last_s = self._now()

    @staticmethod
    def _now() -> float:
        return sum(os.times()[:4]) + forked_cpu_s()

    def lap(self) -> float:
        """Return the seconds since the last lap."""
        before, self._last_s = self._last_s, self._now()
        return self._last_s - before


def folder_of(nodeid: str) -> str:
    """Return the folder whose seconds a test counts for: tests/store, tests/unit/memory."""
    parts = nodeid.partition("::")[0].split("/")[:-1]
    return "/".join(parts[: 3 if parts[1:2] == ["unit"] else 2])


def seconds_by_folder(reports: Iterable[pytest.TestReport]) -> dict[str, FolderTime]:
    """Add up the reports of all phases; taking down counts as set-up."""
    folders = defaultdict[str, FolderTime](FolderTime)
    for report in reports:
        time = folders[folder_of(report.nodeid)]
        if report.when == "call":
            time.tests += 1
            time.call_s += report.duration
        else:
            time.setup_s += report.duration
        time.cpu_s += sum(
            value
            for name, value in report.user_properties
            if name == f"{CPU}:{report.when}" and isinstance(value, float)
        )
    return dict(folders)


def table(folders: dict[str, FolderTime]) -> list[str]:
    """Lay out the seconds of each folder, the longest first, and their sum."""
    rows = sorted(folders.items(), key=lambda item: -item[1].total_s)
    total = FolderTime(
        tests=sum(time.tests for time in folders.values()),
        setup_s=sum(time.setup_s for time in folders.values()),
        call_s=sum(time.call_s for time in folders.values()),
        cpu_s=sum(time.cpu_s for time in folders.values()),
    )
    lines = [f"{'folder':<24}" + "".join(f"{column:>9}" for column in _COLUMNS)]
    lines += [
        f"{name:<24}{time.tests:>9}"
        + "".join(f"{s:>9.1f}" for s in (time.total_s, time.setup_s, time.call_s, time.cpu_s))
        for name, time in [*rows, ("all workers", total)]
    ]
    return lines

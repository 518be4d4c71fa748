"""Counts each harness's hook events by hour: how many there were, failed, and came too late."""

import contextlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.clock import Clock, monotonic_s, system_clock
from intaglio.base.errors import UnavailableError
from intaglio.base.files.regular_file import read_regular
from intaglio.base.paths import write_private

HOOK_WAITS_S: Final = 2.0
"""How long a hook waits for the reply (`connect/programs/hook_program.py`, `hook_files.py`)."""
_DAY_HOURS: Final = 24
_LATELY_HOURS: Final = 2
_MAX_BYTES: Final = 100_000


class HookCounts(msgspec.Struct, array_like=True):
    """Hook events: how many, how many failed, and how many came after the hook had stopped waiting.

    Those that the daemon couldn't take, because the database wasn't ready, count as neither: the
    hook keeps them.
    """

    events: int = 0
    failed: int = 0
    slow: int = 0

    def add(self, other: "HookCounts") -> None:
        """Add other counts to these."""
        self.events += other.events
        self.failed += other.failed
        self.slow += other.slow


@dataclass(slots=True, kw_only=True)
class HookOutcomes:
    """Counts of the last day, in memory and, every so often, in a file: a restart keeps them.

    ``seconds`` stand still while the machine sleeps.
    """

    clock: Clock = system_clock
    seconds: Callable[[], float] = monotonic_s
    file: Path | None = None
    _hours: dict[str, dict[int, HookCounts]] = field(
        default_factory=dict[str, dict[int, HookCounts]]
    )
    _is_saved: bool = True

    @contextmanager
    def counting(self, harness: str) -> Generator[None]:
        """Count what is done within as one event of a harness."""
        began_s, failed = self.seconds(), False
        try:
            yield
        except UnavailableError:
            raise
        except Exception:
            failed = True
            raise
        finally:
            is_slow = self.seconds() - began_s > HOOK_WAITS_S
            self._add(harness, HookCounts(1, int(failed), int(is_slow)))

    def _add(self, harness: str, counts: HookCounts) -> None:
        hour = self._hour()
        hours = self._hours.setdefault(harness, {})
        for old in [each for each in hours if not 0 <= hour - each < _DAY_HOURS]:
            del hours[old]
        hours.setdefault(hour, HookCounts()).add(counts)
        self._is_saved = False

    def _hour(self) -> int:
        return int(self.clock().timestamp() // timedelta(hours=1).total_seconds())

    def day(self, harness: str) -> HookCounts:
        """Return the counts of the last 24 hours."""
        return self._sum(harness, _DAY_HOURS)

    def lately(self, harness: str) -> HookCounts:
        """Return the counts of this hour and the one before."""
        return self._sum(harness, _LATELY_HOURS)

    def _sum(self, harness: str, hours: int) -> HookCounts:
        now, total = self._hour(), HookCounts()
        for hour, counts in self._hours.get(harness, {}).items():
            if 0 <= now - hour < hours:
                total.add(counts)
        return total

    def load(self) -> None:
        """Read what an earlier daemon has counted; nothing if that can't be read."""
        if self.file is None:
            return
        with contextlib.suppress(OSError, msgspec.DecodeError):
            content = read_regular(self.file, _MAX_BYTES)
            self._hours = msgspec.json.decode(content, type=dict[str, dict[int, HookCounts]])

    def save(self) -> None:
        """Write the counts if there are new ones."""
        if self.file is None or self._is_saved:
            return
        self._is_saved = True
        with contextlib.suppress(OSError):
            write_private(self.file, msgspec.json.encode(self._hours))

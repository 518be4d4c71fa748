"""Notices a jump of the clock, which would make everything look expired, and suspends deleting.

While the daemon runs, the clock is compared with a timer: more than a day of difference is a jump.
At a start nobody knows how long the machine was off, which may be weeks: there, a jump is a clock
more than a day behind the last trusted time, or more than 60 days ahead of it. After a jump nothing
is deleted by age until the user confirms the clock, it returns, or the daemon has run by the new
time for a day.
"""

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.clock import Clock, iso, parse_moment
from intaglio.base.files.regular_file import read_regular
from intaglio.base.installation import command as shell_command
from intaglio.base.log import get_logger
from intaglio.base.paths import write_private
from intaglio.domain.health import Checked, Figure
from intaglio.domain.issues import Issue

LARGEST_STEP: Final = timedelta(days=1)
# Longer than a holiday, shorter than the periods after which memories are deleted.
LONGEST_OFF: Final = timedelta(days=60)
TRUSTED_AFTER: Final = timedelta(days=1)
SUSPENDED: Final = "The clock jumped by more than a day, so nothing is deleted by age."
_SAVE_EVERY: Final = timedelta(minutes=10)
_MAX_BYTES: Final = 10_000


@dataclass(frozen=True, slots=True)
class ClockMark:
    """What is known of the clock: the time by the trusted one, and by one that jumped.

    ``lasted`` is how long the daemon has run by the time of the latter. With ``was_off``, the
    trusted time lacks the time that the machine was off since.
    """

    trusted: datetime
    suspect: datetime | None = None
    lasted: timedelta = timedelta()
    was_off: bool = False


@dataclass(frozen=True, slots=True)
class ClockJump:
    """A jump that isn't confirmed: how far ahead (or behind), and what is left of the day."""

    ahead: timedelta
    left: timedelta


def clock_issue(jump: ClockJump) -> Issue:
    """Return what is wrong while a jump isn't confirmed."""
    number = round(abs(jump.ahead) / timedelta(days=1))
    days = "1 day" if number == 1 else f"{number:,} days"
    hours = max(1, math.ceil(jump.left / timedelta(hours=1)))
    wait = "1 hour passes" if hours == 1 else f"{hours:,} hours pass"
    return Issue(
        "clock",
        "warn",
        "The computer's clock jumped",
        f"It's {days} {'ahead of' if jump.ahead > timedelta() else 'behind'} the expected time. "
        f"Nothing will be deleted by age until you confirm the clock or {wait}. If it's wrong, "
        "correct it in your system settings; if it's right, confirm it:",
        command=shell_command("db confirm-clock"),
        action="confirm-clock",
    )


def judge_clock(jump: ClockJump | None) -> Checked:
    """Judge the clock; a machine that slept, or was off for weeks, hasn't jumped."""
    ahead_s = 0.0 if jump is None else jump.ahead.total_seconds()
    return Checked(
        issues=() if jump is None else (clock_issue(jump),),
        figures=(Figure("clockJump", "Jump of the clock", ahead_s, "s"),),
        penalty=0.5 if jump else 0.0,
        line="It hasn't jumped",
    )


def observe(mark: ClockMark, now: datetime, elapsed: timedelta | None) -> ClockMark:
    """Return the mark ``elapsed`` after the last check by the timer; None at a start."""
    ran = elapsed or timedelta()
    was_off = mark.was_off or elapsed is None
    expected = mark.trusted + ran
    if _fits(now, expected, was_off=was_off):
        return ClockMark(now)
    same = mark.suspect is not None and _fits(now, mark.suspect + ran, was_off=elapsed is None)
    lasted = mark.lasted + ran if same else timedelta()
    if lasted >= TRUSTED_AFTER:
        return ClockMark(now)
    return ClockMark(expected, now, lasted, was_off)


def _fits(now: datetime, expected: datetime, *, was_off: bool) -> bool:
    furthest = LONGEST_OFF if was_off else LARGEST_STEP
    return -LARGEST_STEP <= now - expected <= furthest


class _Stored(msgspec.Struct, frozen=True):
    trusted: str
    suspect: str | None = None
    lasted_s: float = 0.0


class ClockGuard:
    """Follows the clock and remembers it in ``file``; used from several threads.

    ``timer`` returns seconds that never jump and go on while the machine sleeps.
    """

    def __init__(self, file: Path, clock: Clock, timer: Callable[[], float]) -> None:
        self._file = file
        self._clock = clock
        self._timer = timer
        self._lock = threading.Lock()
        self._checked_s = timer()
        self._mark: ClockMark | None = None
        self._saved: ClockMark | None = None

    def check(self) -> ClockJump | None:
        """Compare the clock; return the jump that isn't confirmed yet, or None."""
        with self._lock:
            now, seconds = self._clock(), self._timer()
            before = self._mark or _read(self._file) or ClockMark(now)
            elapsed = timedelta(seconds=seconds - self._checked_s) if self._mark else None
            self._checked_s = seconds
            self._mark = observe(before, now, elapsed)
            self._log_change(before)
            self._save()
            return _jump(self._mark)

    @property
    def reason(self) -> str:
        """Why nothing may be deleted by age now; empty if it may."""
        return SUSPENDED if self.check() is not None else ""

    def confirm(self) -> None:
        """Trust the clock as it is: the user says that it is right."""
        with self._lock:
            self._checked_s = self._timer()
            self._mark = ClockMark(self._clock())
            self._save()
        get_logger("clock").info("clock confirmed")

    def _log_change(self, before: ClockMark) -> None:
        mark = self._mark
        if mark is None or (mark.suspect is None) == (before.suspect is None):
            return
        if mark.suspect is not None:
            ahead = (mark.suspect - mark.trusted).total_seconds()
            get_logger("clock").warning("clock jumped; nothing is deleted by age", ahead_s=ahead)
        else:
            get_logger("clock").info("clock trusted again")

    def _save(self) -> None:
        mark, saved = self._mark, self._saved
        if mark is None:
            return
        if saved is not None and (mark.suspect is None) == (saved.suspect is None):
            newer = abs(mark.trusted - saved.trusted) >= _SAVE_EVERY
            if not newer and mark.lasted - saved.lasted < _SAVE_EVERY:
                return
        suspect = None if mark.suspect is None else iso(mark.suspect)
        stored = _Stored(iso(mark.trusted), suspect, mark.lasted.total_seconds())
        try:
            write_private(self._file, msgspec.json.encode(stored))
        except OSError as error:
            get_logger("clock").warning("couldn't save the time", error=str(error))
        self._saved = replace(mark)


def _jump(mark: ClockMark) -> ClockJump | None:
    if mark.suspect is None:
        return None
    return ClockJump(mark.suspect - mark.trusted, TRUSTED_AFTER - mark.lasted)


def _read(file: Path) -> ClockMark | None:
    """Read the mark; None if there is none or it is damaged."""
    try:
        stored = msgspec.json.decode(read_regular(file, _MAX_BYTES), type=_Stored)
    except (OSError, msgspec.DecodeError):
        return None
    trusted = parse_moment(stored.trusted)
    if trusted is None:
        return None
    suspect = parse_moment(stored.suspect) if stored.suspect else None
    return ClockMark(trusted, suspect, timedelta(seconds=max(0.0, stored.lasted_s)))

"""Runs the probes one after another; neither a crash nor a hang of one ends the run."""

import itertools
import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from bench.attack.arena import Arena, SharedDaemon, end
from bench.attack.probe import Broke, Outcome, Probe

_ERROR_CHARS = 160


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a probe."""

    probe: Probe
    outcome: Outcome


class OverdueError(BaseException):
    """A probe took too long; not an Exception, so that no probe takes it for its own."""


@contextmanager
def limited(seconds: float) -> Generator[None]:
    """Raise OverdueError in the block after so many seconds, where the system has alarms."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise OverdueError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def attempt(probe: Probe, arena: Arena) -> Outcome:
    """Make one attack."""
    try:
        with limited(probe.limit_s):
            return probe.run(arena)
    except OverdueError:
        return Broke(f"not over after {probe.limit_s:.0f} s")
    except Exception as error:  # noqa: BLE001 - whatever it is, the next probe runs
        said = " ".join(str(error).replace(str(arena.home), "~").split())[:_ERROR_CHARS]
        return Broke(f"{type(error).__name__}: {said}")
    finally:
        arena.close()


def run_all(
    probes: Iterable[Probe], folder: Path, tell: Callable[[Result], None]
) -> Iterator[Result]:
    """Make the attacks in their order, each in a home of its own below ``folder``."""
    numbers = itertools.count()
    for name, group in itertools.groupby(probes, lambda probe: probe.group):
        shared = SharedDaemon(folder / f"{name}-shared")
        try:
            for probe in group:
                arena = Arena(folder / f"{name}-{next(numbers)}", shared)
                arena.home.mkdir(parents=True)
                result = Result(probe, attempt(probe, arena))
                tell(result)
                yield result
        finally:
            if shared.daemon:
                end(shared.daemon)

"""What counts as flat: pure rules over samples of a process; nothing is measured here."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

# The heap finds its size meanwhile; a run of less than three times as long warms up for a third of
# it.
WARM_S: Final = 300.0
# A leak lifts what is held at least, not only peaks: of each minute the least counts.
_TROUGH_S: Final = 60.0
# By the median slope resident memory may grow by this share of itself in an hour, and for each
# row that came by what index, columns and vocabulary keep of one.
_AN_HOUR: Final = 0.03
_A_ROW_MB: Final = 0.0003
_MORE_HANDLES: Final = 4
_LONGEST_LOG_MB: Final = 64.0


@dataclass(frozen=True, slots=True)
class Sample:
    """What the daemon's process holds at a moment; CPU and calls are those since the last one.

    ``own_mb`` is what nobody shares, which other processes neither raise nor lower. ``rows`` are
    memories and tombstones.
    """

    second: float
    rss_mb: float
    pss_mb: float
    own_mb: float
    threads: float
    handles: float
    log_mb: float
    rows: float
    cpu_share: float
    calls_s: float


@dataclass(frozen=True, slots=True)
class Growth:
    """Megabytes an hour after the warm-up: of the whole time, of its second half, and allowed.

    ``a_row_kb`` is what each added row would cost if nothing else grew.
    """

    mean_mb: float
    whole: float
    half: float
    allowed: float
    a_row_kb: float

    @property
    def is_leak(self) -> bool:
        """Whether it grows all the time: a step, or what comes to an end, is no leak."""
        return min(self.whole, self.half) > self.allowed


def warm(samples: Sequence[Sample]) -> list[Sample]:
    """Return the samples after the warm-up."""
    first, last = samples[0].second, samples[-1].second
    begun = first + min(WARM_S, (last - first) / 3)
    return [one for one in samples if one.second >= begun]


def growth(samples: Sequence[Sample], name: str) -> Growth:
    """Tell how a figure in megabytes grows over these samples."""
    troughs = _troughs([(one.second, getattr(one, name)) for one in samples])
    hours = (samples[-1].second - samples[0].second) / 3600
    rows = samples[-1].rows - samples[0].rows
    mean = statistics.mean(value for _, value in troughs)
    whole = _slope(troughs)
    return Growth(
        mean_mb=mean,
        whole=whole,
        half=_slope(troughs[len(troughs) // 2 :]),
        allowed=_AN_HOUR * mean + (max(rows, 0) * _A_ROW_MB / hours if hours else 0.0),
        a_row_kb=1_000 * whole * hours / rows if rows > 0 else 0.0,
    )


def faults(samples: Sequence[Sample]) -> list[str]:
    """Say what is not flat after the warm-up."""
    kept = warm(samples)
    found = ["RSS"] if growth(kept, "rss_mb").is_leak else []
    third = max(1, len(kept) // 3)
    for name in ("threads", "handles"):
        values = [getattr(one, name) for one in kept]
        before, after = statistics.median(values[:third]), statistics.median(values[-third:])
        if after > before + _MORE_HANDLES:
            found.append(name)
    if max(one.log_mb for one in samples) > _LONGEST_LOG_MB:
        found.append("log")
    return found


def _troughs(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return (second, value) of the least value of each minute."""
    first = points[0][0]
    minutes: dict[int, tuple[float, float]] = {}
    for second, value in points:
        minute = int((second - first) // _TROUGH_S)
        kept = minutes.get(minute)
        if kept is None or value < kept[1]:
            minutes[minute] = second, value
    return list(minutes.values())


def _slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the median of the slopes between any two points, an hour (Theil and Sen).

    A few high or low points, and a step near an end, hardly move it.
    """
    slopes = [
        3600 * (later - earlier) / (after - before)
        for (before, earlier), (after, later) in combinations(points, 2)
    ]
    return statistics.median(slopes) if slopes else 0.0

"""How a memory's importance decays while it isn't used; computed, never stored."""

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from intaglio.base.clock import parse_moment
from intaglio.memory.values import Memory

_DAY_S: Final = 86_400
_PINNED: Final = 1.0


@dataclass(frozen=True, slots=True)
class Aging:
    """Computes decayed importance at the time ``now``; ``rate`` is the factor per day."""

    rate: float
    now: datetime

    def effective_importance(self, memory: Memory) -> float:
        """Return the effective importance (0 to 1): importance x rate ^ idle days (seed 002).

        Idle is the time since the last recall, or since creation if it was never recalled; a time
        in the future counts as now. A pinned memory doesn't decay: its effective importance is 1.
        """
        if memory.pinned:
            return _PINNED
        since = parse_moment(memory.last_accessed or memory.created_at)
        idle_s = (self.now - since).total_seconds() if since else 0.0
        return memory.importance * math.pow(self.rate, max(0.0, idle_s) / _DAY_S)

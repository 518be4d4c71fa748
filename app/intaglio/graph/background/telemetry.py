"""Counts what the graph's background work has done since the daemon started."""

from dataclasses import dataclass
from typing import Final

LEAST_CONFIDENCE: Final = 0.4
"""Below this, an old memory gets no place in the graph."""

HIGH_CONFIDENCE: Final = 0.7
"""From this on, an assignment counts as sure."""


@dataclass(frozen=True, slots=True)
class BackfillProgress:
    """How far the memories that were never linked are: ``left`` of them wait.

    ``uncertain`` of the ``done`` ones have no place in the graph, because their text doesn't tell
    enough; ``failed`` ones couldn't be read.
    """

    running: bool = False
    done: int = 0
    left: int = 0
    uncertain: int = 0
    failed: int = 0

    def advanced(self, done: int, uncertain: int) -> "BackfillProgress":
        """Return the progress after further memories."""
        return BackfillProgress(
            running=True,
            done=self.done + done,
            left=self.left - done,
            uncertain=self.uncertain + uncertain,
            failed=self.failed,
        )


@dataclass(slots=True)
class GraphTelemetry:
    """What background jobs found since the start, and how far the backfill is."""

    classified: int = 0
    classified_uncertain: int = 0
    classified_by_model: int = 0
    dependency_texts: int = 0
    dependencies: int = 0
    merged: int = 0
    backfill: BackfillProgress = BackfillProgress()

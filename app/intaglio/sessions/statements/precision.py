"""How often the user corrects what capture keeps without asking, and what follows from it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from intaglio.base.clock import Clock, iso
from intaglio.base.settings.values import Settings
from intaglio.capture.settings import CaptureSettings
from intaglio.domain.issues import Issue
from intaglio.sessions.statements import rows
from intaglio.sessions.statements.values import KeptLately
from intaglio.store.database import Database

LINES: Final = 30
"""So many of the latest lines are counted; fewer say too little."""
WITHIN: Final = timedelta(days=30)
ENOUGH: Final = 0.8
"""Below this precision, Status offers a stricter setting."""


@dataclass(frozen=True, slots=True)
class CapturePrecision:
    """Counts the latest lines that capture kept, and those of them that were corrected."""

    db: Database
    clock: Clock
    settings: Callable[[], Settings]

    async def lately(self) -> KeptLately:
        """Return what became of the latest lines that capture would still keep."""
        since = iso(self.clock() - WITHIN)
        keep_at = self.settings().of(CaptureSettings).keep_at
        return await self.db.read(lambda tx: rows.kept_lately(tx, since, keep_at, LINES))

    async def check(self) -> list[Issue]:
        """Return the issue of a capture that keeps too much, with the setting that helps."""
        found = await self.lately()
        if found.lines < LINES or (found.precision or 0) >= ENOUGH:
            return []
        wrong = found.forgotten + found.edited
        keep_at = stricter(self.settings().of(CaptureSettings).keep_at)
        return [
            Issue(
                "capture_precision",
                "warn",
                "Capture keeps too much",
                f"You forgot or rewrote {wrong} of the last {found.lines} memories that were "
                "saved without asking. To be asked more often instead, set "
                f"capture.keepAt to {keep_at} in Settings.",
                page="/settings/capture.keepAt",
            )
        ]


def stricter(keep_at: float) -> float:
    """Return a threshold halfway to certainty, to two decimals and below 1."""
    return min(round(keep_at + (1 - keep_at) / 2, 2), 0.99)

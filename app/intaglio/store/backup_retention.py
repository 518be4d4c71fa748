"""Which backups a rotation keeps: a pure decision from their times and row counts."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import datetime
from typing import Final

from intaglio.base.clock import parse_moment
from intaglio.store.values import Backup

# A store with under this share of the last good backup's memories has probably lost them.
GOOD_SHARE: Final = 0.5
"""The share of memories under which a copy is no substitute for another."""
_DAYS: Final = 2
_WEEKS: Final = 2


def select_kept(backups: Sequence[Backup], keep: int) -> set[Backup]:
    """Return the backups to keep, of all those listed newest first.

    These are the newest ``keep``; the last good one and the one with most memories; and of the
    good ones the first of each of the last two days and weeks that have any. Counting days and
    weeks by the backups, not by the clock, no amount of time deletes a backup by itself.
    """
    good = good_backups(backups)
    kept = set(backups[:keep]) | set(good[:1])
    if good:
        kept.add(max(good, key=lambda backup: backup.memories or 0))
    # A date in the future says nothing about the day on which the backup was made.
    dated = [
        (moment, backup)
        for backup in good
        if not backup.in_future and (moment := parse_moment(backup.created_at)) is not None
    ]
    kept |= _first_of_each(dated, lambda moment: moment.date(), _DAYS)
    kept |= _first_of_each(dated, lambda moment: moment.isocalendar()[:2], _WEEKS)
    return kept


def in_order_of_restore(copies: Sequence[Backup]) -> list[Backup]:
    """Return the copies as a restore tries them: as listed, but those of an empty store last."""
    return sorted(copies, key=lambda copy: copy.memories == 0)


def good_backups(backups: Iterable[Backup]) -> list[Backup]:
    """Return the backups with memories, at least half as many as the good one before; newest first.

    The argument is newest first too. A backup whose memories can't be counted isn't good.
    """
    good: list[Backup] = []
    for backup in reversed(list(backups)):
        before = (good[-1].memories or 0) if good else 0
        if backup.memories and backup.memories >= before * GOOD_SHARE:
            good.append(backup)
    return good[::-1]


def _first_of_each(
    dated: Sequence[tuple[datetime, Backup]],
    period_of: Callable[[datetime], Hashable],
    periods: int,
) -> set[Backup]:
    """Return the oldest backup of each of the last periods; ``dated`` is newest first."""
    first = {period_of(moment): backup for moment, backup in dated}
    return set(list(first.values())[:periods])

"""SQL that counts one day from what is stored; each query is bounded by the day's own rows.

A memory counts on the day on which it was stored, also if what it says was said long before.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from intaglio.memory.values import ANONYMOUS_SESSION
from intaglio.statistics.values import NO_PROJECT, Count, DaySpan, Measure, Origins
from intaglio.store.tx import ReadTx, Sql

_OF_MEMORY: Final = "m.project, ifnull(m.type, ''), ifnull(m.source_type, '')"
_IN_HISTORY: Final = "h.created_at >= ?1 AND h.created_at < ?2"
# Its entry in the history is deleted after a time; what was imported is younger than its moment.
_WITHOUT_HISTORY: Final = (
    "FROM memories m WHERE m.is_deleted = 0 AND m.created_at >= ? AND m.created_at < ? "
    "AND NOT EXISTS (SELECT 1 FROM memory_history h WHERE h.memory = m.seq AND h.event = 'created')"
)
_CREATED: Final = (
    f"FROM memory_history h JOIN memories m ON m.seq = h.memory WHERE {_IN_HISTORY} "
    "AND h.event = 'created'"
)
# A memory may be forgotten first and erased later; that is one loss.
_GONE: Final = (
    f"FROM memory_history h LEFT JOIN memories m ON m.seq = h.memory WHERE {_IN_HISTORY} "  # noqa: S608 - constants
    "AND h.event = 'deleted' AND (h.memory_id IS NULL OR NOT EXISTS (SELECT 1 "
    "FROM memory_history e WHERE e.memory_id = h.memory_id AND e.event = 'deleted' "
    "AND e.seq < h.seq))"
)
_RESTORED: Final = (
    f"FROM memory_history h JOIN memories m ON m.seq = h.memory WHERE {_IN_HISTORY} "
    "AND h.event = 'recovered'"
)
_BY_OTHERS: Final = "ifnull(h.actor_type, 'operator') <> 'operator'"
_TOLD: Final = (
    "FROM injections i JOIN session_memories s ON s.injection = i.seq AND s.injected = 1 "
    "LEFT JOIN memories m ON m.id = s.memory_id "
    "WHERE i.created_at >= ?1 AND i.created_at < ?2 AND i.event {0} 'recall'"
)
_CALLS: Final = (
    "FROM injections i WHERE i.created_at >= ?1 AND i.created_at < ?2 AND i.event {0} 'recall'"
)
_USED: Final = (
    "EXISTS (SELECT 1 FROM session_memories s JOIN injections i ON i.seq = s.injection "
    "WHERE s.memory_id = m.id AND s.injected = 1 AND i.event {0} 'recall')"
)


def count_day(tx: ReadTx, span: DaySpan, origins: Origins) -> list[Count]:
    """Count everything of a day."""
    tally = _Tally(span, origins)
    iso, ms = span.iso, span.ms
    if _has_history(tx, ms[0]):
        tally.add("learned", _grouped(tx, _OF_MEMORY, _CREATED, ms))
    else:
        tally.add("learned", _grouped(tx, _OF_MEMORY, _CREATED, ms))
        tally.add("learned", _grouped(tx, _OF_MEMORY, _WITHOUT_HISTORY, iso))
    for by_others, *values in tx.rows(
        tuple[int, str | None, str, str, int],
        f"SELECT {_BY_OTHERS}, {_OF_MEMORY}, count(*) {_GONE} GROUP BY 1, 2, 3, 4",
        ms,
    ):
        tally.add("retired" if by_others else "forgotten", [tuple(values)])
    tally.add("restored", _grouped(tx, _OF_MEMORY, _RESTORED, ms))
    _count_told(tx, tally, iso)
    _count_sessions(tx, tally, iso)
    _count_capture(tx, tally, iso)
    return [*tally.counts(), *count_uses(tx, span, origins)]


def count_uses(tx: ReadTx, span: DaySpan, origins: Origins) -> list[Count]:
    """Count how many of a day's memories were used since, and still exist."""
    tally = _Tally(span, origins)
    measures: tuple[tuple[Measure, str], ...] = (("used_told", "<>"), ("used_found", "="))
    for measure, is_recall in measures:
        of = f"{_CREATED} AND m.is_deleted = 0 AND {_USED.format(is_recall)}"
        tally.add(measure, _grouped(tx, _OF_MEMORY, of, span.ms))
    return tally.counts()


def first_moment(tx: ReadTx) -> str | None:
    """Return when the earliest of what is counted was stored."""
    return tx.scalar(
        str,
        "SELECT min(at) FROM (SELECT min(created_at) AS at FROM memories WHERE is_deleted = 0 "
        "UNION ALL SELECT min(created_at) FROM injections "
        "UNION ALL SELECT min(ifnull(imported_at, started_at)) FROM sessions "
        "UNION ALL SELECT strftime('%Y-%m-%dT%H:%M:%SZ', min(created_at) / 1000, 'unixepoch') "
        "FROM memory_history)",
    )


class _Tally:
    """Sums of a day."""

    def __init__(self, span: DaySpan, origins: Origins) -> None:
        self._day = span.day.isoformat()
        self._origins = origins
        self._sums: Counter[tuple[Measure, str, str, str]] = Counter()

    def add(self, measure: Measure, found: Sequence[tuple[Sql, ...]]) -> None:
        """Add rows of project, type, origin and number."""
        for project, type_, origin, number in found:
            key = (
                measure,
                NO_PROJECT if project is None else str(project),
                str(type_),
                self._origins.known(str(origin)),
            )
            self._sums[key] += int(number or 0)

    def counts(self) -> list[Count]:
        """Return what isn't 0."""
        return [Count(self._day, *key, number) for key, number in self._sums.items() if number]


def _grouped(
    tx: ReadTx, columns: str, source: str, params: Sequence[Sql], number: str = "count(*)"
) -> list[tuple[Sql, ...]]:
    return tx.all(f"SELECT {columns}, {number} {source} GROUP BY 1, 2, 3", params)


def _has_history(tx: ReadTx, ms: int) -> bool:
    """Whether the history reaches back to a time."""
    oldest = tx.scalar(int, "SELECT min(created_at) FROM memory_history")
    return oldest is not None and oldest < ms


def _count_told(tx: ReadTx, tally: _Tally, iso: Sequence[Sql]) -> None:
    of_told = "i.project, ifnull(m.type, ''), ifnull(m.source_type, '')"
    told = _TOLD.format("<>")
    tally.add("told", _grouped(tx, of_told, told, iso))
    lines = _grouped(tx, of_told, told, iso, "sum(s.tokens)")
    tally.add("told_tokens", lines)
    # The rest of a text: past sessions, commits, what frames the memories.
    whole = _grouped(tx, "i.project, '', ''", _CALLS.format("<>"), iso, "sum(i.tokens)")
    tally.add("told_tokens", list(_rest(whole, lines)))
    tally.add("found", _grouped(tx, of_told, _TOLD.format("="), iso))
    tally.add("searches", _grouped(tx, "i.project, '', i.harness", _CALLS.format("="), iso))


def _rest(
    whole: Sequence[tuple[Sql, ...]], lines: Sequence[tuple[Sql, ...]]
) -> Iterator[tuple[Sql, ...]]:
    told: Counter[Sql] = Counter()
    for project, _, _, tokens in lines:
        told[project] += int(tokens or 0)
    for project, type_, origin, tokens in whole:
        yield project, type_, origin, max(0, int(tokens or 0) - told[project])


def _count_sessions(tx: ReadTx, tally: _Tally, iso: Sequence[Sql]) -> None:
    recorded = "ifnull(imported_at, started_at)"
    of = (
        f"FROM sessions WHERE {recorded} >= ?1 AND {recorded} < ?2 "
        f"AND id NOT GLOB '{ANONYMOUS_SESSION}*'"
    )
    tally.add("sessions", _grouped(tx, "project, '', harness", of, iso))
    made = "FROM entities WHERE created_at >= ?1 AND created_at < ?2 AND merged_into IS NULL "
    made += "AND mentions > 0"
    tally.add("entities", _grouped(tx, "project, entity_type, ''", made, iso))


def _count_capture(tx: ReadTx, tally: _Tally, iso: Sequence[Sql]) -> None:
    recorded = "WHERE recorded_at >= ?1 AND recorded_at < ?2"
    outcomes: tuple[Measure, ...] = ("kept", "suggested")
    for outcome in outcomes:
        of = f"FROM statements {recorded} AND outcome = '{outcome}'"
        tally.add(outcome, _grouped(tx, "project, type, harness", of, iso))
    of = f"FROM considered_statements {recorded}"
    tally.add("dropped", _grouped(tx, "project, type, harness", of, iso))

"""SQL on the counts of days, and on the projects that they name."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from intaglio.domain.statistics_ranges import StatisticsStep
from intaglio.statistics.values import NO_PROJECT, USES, Count, TopEntity
from intaglio.store.tx import ReadTx, Row, Sql, WriteTx

_STEPS: Final[Mapping[StatisticsStep, str]] = {
    "day": "c.day",
    "week": "date(c.day, 'weekday 0', '-6 days')",
    "month": "substr(c.day, 1, 7) || '-01'",
}
_KEY: Final = f"CASE c.project WHEN 0 THEN '{NO_PROJECT}' ELSE p.key END"
_FROM: Final = "FROM daily_counts c LEFT JOIN counted_projects p ON p.number = c.project"
_USES: Final = ", ".join(f"'{each}'" for each in sorted(USES))
# Each looks into an index of live rows; the last one reads only what was forgotten.
_IS_GONE: Final = (
    "NOT EXISTS (SELECT 1 FROM memories m WHERE m.is_deleted = 0 AND m.project = p.key) "
    "AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.project = p.key) "
    "AND NOT EXISTS (SELECT 1 FROM inbox_items i WHERE i.status = 'open' AND i.project = p.key) "
    "AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.is_deleted = 1 AND m.project = p.key)"
)


def sums(tx: ReadTx, first: str, before: str, step: StatisticsStep) -> list[Count]:
    """Return the stored counts of the days in between, those of a step together."""
    return tx.map(
        Count,
        f"SELECT {_STEPS[step]}, c.measure, {_KEY}, c.type, c.origin, sum(c.count) {_FROM} "
        "WHERE c.day >= ? AND c.day < ? GROUP BY 1, 2, c.project, 4, 5",
        (first, before),
    )


def counted_days(tx: ReadTx, now: str) -> list[str]:
    """List the days that were counted; what was counted by a clock in the future doesn't count."""
    return tx.column(str, "SELECT day FROM counted_days WHERE counted_at <= ? ORDER BY day", (now,))


def replace_day(tx: WriteTx, day: str, counts: Iterable[Count], at: str) -> None:
    """Write the counts of a day in place of those that it has."""
    tx.execute("DELETE FROM daily_counts WHERE day = ?", (day,))
    _insert(tx, counts)
    tx.execute("INSERT OR REPLACE INTO counted_days(day, counted_at) VALUES (?, ?)", (day, at))


def replace_uses(tx: WriteTx, day: str, counts: Iterable[Count]) -> None:
    """Write how many of a day's memories were used."""
    tx.execute(f"DELETE FROM daily_counts WHERE day = ? AND measure IN ({_USES})", (day,))  # noqa: S608 - constants
    _insert(tx, counts)


def _insert(tx: WriteTx, counts: Iterable[Count]) -> None:
    numbers: dict[str | None, int] = {NO_PROJECT: 0}
    for each in counts:
        if each.project not in numbers:
            numbers[each.project] = _number(tx, each.project)
        tx.execute(
            "INSERT INTO daily_counts(day, measure, project, type, origin, count) "
            "VALUES (?, ?, ?, ?, ?, ?) "
            "ON CONFLICT DO UPDATE SET count = count + excluded.count",
            (
                *(each.day, each.measure, numbers[each.project]),
                *(each.type, each.origin, each.number),
            ),
        )


def _number(tx: WriteTx, key: str | None) -> int:
    tx.execute("INSERT INTO counted_projects(key) VALUES (?) ON CONFLICT DO NOTHING", (key,))
    return tx.count("SELECT number FROM counted_projects WHERE key = ?", (key,))


def gone_projects(tx: ReadTx) -> dict[str, str | None]:
    """Return the named projects of which nothing is left, and where their contents were moved."""
    found = tx.rows(
        tuple[str, str | None],
        "SELECT p.key, (SELECT c.target FROM project_changes c WHERE c.project = p.key "  # noqa: S608 - constants
        "AND c.kind IN ('move', 'merge') AND c.undone_at IS NULL AND c.is_running = 0 "
        "ORDER BY c.seq DESC LIMIT 1) "
        f"FROM counted_projects p WHERE p.key IS NOT NULL AND {_IS_GONE}",
    )
    return dict(found)


def drop_names(tx: WriteTx) -> int:
    """Delete the names of projects of which nothing is left; return how many.

    The counts of a project that was moved become those of its target.
    """
    gone = gone_projects(tx)
    for key, target in gone.items():
        number = _number(tx, key)
        if target is not None:
            other = _number(tx, target)
            tx.execute(
                "INSERT INTO daily_counts(day, measure, project, type, origin, count) "
                "SELECT day, measure, ?, type, origin, count FROM daily_counts WHERE project = ? "
                "ON CONFLICT DO UPDATE SET count = daily_counts.count + excluded.count",
                (other, number),
            )
            tx.execute("DELETE FROM daily_counts WHERE project = ?", (number,))
        tx.execute("UPDATE counted_projects SET key = NULL WHERE number = ?", (number,))
    return len(gone)


def live_memories(tx: ReadTx, projects: Sequence[str]) -> int:
    """Count the live memories of a project, by all of its names."""
    return sum(
        tx.count("SELECT count(*) FROM memories WHERE is_deleted = 0 AND project = ?", (key,))
        for key in projects
    )


def live_entities(tx: ReadTx, projects: Sequence[str] | None) -> int:
    """Count the entities that memories name, of a project or of all."""
    named = "SELECT count(*) FROM entities WHERE merged_into IS NULL AND mentions > 0"
    if projects is None:
        return tx.count(named)
    return sum(tx.count(f"{named} AND project = ?", (key,)) for key in projects)


def expired(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List counted days from before a time."""
    return tx.all(
        "SELECT day FROM counted_days WHERE day < ? ORDER BY day LIMIT ?", (before[:10], limit)
    )


def purge(tx: WriteTx, key: Row, _before: str, _now: str) -> int:
    """Delete a day's counts."""
    tx.execute("DELETE FROM daily_counts WHERE day = ?", key)
    return tx.execute("DELETE FROM counted_days WHERE day = ?", key)


_OF_ALL: Final = (
    "SELECT e.id, e.name, e.entity_type, e.mentions FROM entities e WHERE e.merged_into IS NULL "
    "AND e.suppressed = 0 AND e.mentions > 0 {0} ORDER BY e.mentions DESC, e.seq DESC LIMIT ?"
)
_OF_NEWEST: Final = (
    "SELECT e.id, e.name, e.entity_type, count(DISTINCT n.memory) "
    # Rows are numbered as they are stored; what was imported has an earlier date.
    "FROM (SELECT seq FROM memories WHERE is_deleted = 0 AND seq >= (SELECT memory "
    "FROM memory_history WHERE event = 'created' AND memory IS NOT NULL AND created_at >= ? "
    "ORDER BY created_at, seq LIMIT 1) {0} "
    "ORDER BY seq DESC LIMIT ?) m "
    "CROSS JOIN memory_entity_mentions n ON n.memory = m.seq "
    "CROSS JOIN entity_aliases a ON a.seq = n.alias CROSS JOIN entities x ON x.seq = a.entity "
    "CROSS JOIN entities e ON e.seq = ifnull(x.merged_into, x.seq) "
    "WHERE e.suppressed = 0 AND e.mentions > 0 GROUP BY e.seq "
    "ORDER BY 4 DESC, e.mentions DESC, e.seq DESC LIMIT ?"
)


def top_entities(
    tx: ReadTx, since_ms: int | None, projects: Sequence[str] | None, newest: int, limit: int
) -> list[TopEntity]:
    """Return the entities that most memories name; of the ``newest`` ones stored since a time."""
    params: list[Sql] = [*(projects or ())]
    of = "" if projects is None else f"AND project IN ({', '.join('?' * len(projects))})"
    if since_ms is None:
        return tx.map(TopEntity, _OF_ALL.format(of), (*params, limit))
    return tx.map(TopEntity, _OF_NEWEST.format(of), (since_ms, *params, newest, limit))

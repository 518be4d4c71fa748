"""SQL on layouts of maps, and on the failures of their runs."""

from collections.abc import Sequence
from typing import Final, NamedTuple, cast

from intaglio.domain.reader import USER
from intaglio.memory.filters import Filter, where
from intaglio.projection.migrations import DRAFT
from intaglio.projection.values import Dimensions, Layout, MapScope, Method, RunFailure
from intaglio.store.tx import ReadTx, Row, Sql, WriteTx

_LAYOUT: Final = (
    "SELECT l.number, l.scope, l.dimensions, l.generation, l.revision, l.method, l.model, "
    "l.points, (SELECT count(*) FROM projection_points p JOIN memories m ON m.seq = p.memory "
    "WHERE p.projection = l.number AND p.placed = 1 AND m.is_deleted = 0), "
    "l.computed_at, l.asked_at, l.seconds FROM projections l"
)
_IS_DRAFT: Final = f"substr(scope, 1, {len(DRAFT)}) = '{DRAFT}'"
_NEXT_NUMBER: Final = (
    "1 + max(ifnull((SELECT max(number) FROM projections), 0), "
    "ifnull((SELECT max(projection) FROM projection_points), 0))"
)
# Each number of a layout that has points, found by steps in the index.
_WITH_POINTS: Final = (
    "WITH RECURSIVE held(number) AS (SELECT min(projection) FROM projection_points UNION ALL "
    "SELECT (SELECT min(projection) FROM projection_points WHERE projection > number) FROM held "
    "WHERE number IS NOT NULL)"
)


class MapCounts(NamedTuple):
    """How many live memories a scope has, and how many of them have a vector of a model."""

    memories: int
    embedded: int


class NewLayout(NamedTuple):
    """A layout that is about to be written; ``model`` is the row of the vectors, 0 without any."""

    scope: MapScope
    dimensions: Dimensions
    method: Method
    model: int
    computed_at: str


def filter_of(scope: MapScope, aliases: tuple[str, ...]) -> Filter:
    """Return the filter that selects the live memories of a scope, whoever may read them.

    ``aliases`` are the other names that its project has memories under.
    """
    return Filter(
        reader=USER,
        project=scope.project,
        project_aliases=aliases,
        exact_project=True,
        agent=scope.agent,
    )


def _layout(number: int, scope: str, dimensions: Dimensions, *rest: Sql) -> Layout:
    generation, revision, method, model, points, placed, computed_at, asked_at, seconds = rest
    return Layout(
        number=number,
        scope=MapScope.of(scope),
        dimensions=dimensions,
        generation=cast("int", generation),
        revision=cast("int", revision),
        method=cast("Method", method),
        model=cast("int", model),
        points=cast("int", points),
        placed=cast("int", placed),
        computed_at=cast("str", computed_at),
        asked_at=cast("str", asked_at),
        seconds=cast("float", seconds),
    )


def layouts(tx: ReadTx, scope: MapScope) -> tuple[Layout, ...]:
    """Return the layouts of a scope, that of two dimensions first."""
    sql = f"{_LAYOUT} WHERE l.scope = ? ORDER BY l.dimensions"
    return tuple(tx.map(_layout, sql, (scope.key,)))


def exists(tx: ReadTx, layout: int) -> bool:
    """Tell whether there still is a layout with this number."""
    return tx.value("SELECT 1 FROM projections WHERE number = ?", (layout,)) is not None


def asked_layouts(tx: ReadTx, since: str) -> list[Layout]:
    """List the layouts of all scopes that were asked for since a time."""
    sql = f"{_LAYOUT} WHERE l.asked_at >= ? AND NOT {_IS_DRAFT} ORDER BY l.number"
    return tx.map(_layout, sql, (since,))


def counts(tx: ReadTx, covered: Filter, model: int) -> MapCounts:
    """Count the memories that a map covers, and those with a vector of this model; 0: of any."""
    condition, params = where(covered)
    live = f"SELECT count(*) FROM memories m WHERE {condition}"  # noqa: S608 - see above
    embedded = (
        tx.count(f"{live} AND m.embedding_model = ?", (*params, str(model)))
        if model
        else tx.count(f"{live} AND m.embedding_model IS NOT NULL", params)
    )
    return MapCounts(tx.count(live, params), embedded)


def set_asked(tx: WriteTx, scope: MapScope, dimensions: Sequence[Dimensions], at: str) -> None:
    """Write that layouts were asked for."""
    for each in dimensions:
        tx.execute(
            "UPDATE projections SET asked_at = ? WHERE scope = ? AND dimensions = ?",
            (at, scope.key, each),
        )


def failure(tx: ReadTx, scope: MapScope) -> RunFailure | None:
    """Return how the last run of a scope failed, unless one was asked for since."""
    found = tx.map(
        _failure,
        "SELECT reason, hint, at FROM projection_failures WHERE scope = ? AND is_open = 1",
        (scope.key,),
    )
    return found[0] if found else None


def _failure(reason: str, hint: str, at: str) -> RunFailure:
    return RunFailure(reason=reason, hint=hint, at=at)


def record_failure(tx: WriteTx, scope: MapScope, failed: RunFailure, *, counts_as: int = 1) -> None:
    """Write how a run failed; ``counts_as`` 0 if it was stopped by a person."""
    tx.execute(
        "INSERT INTO projection_failures(scope, reason, hint, at, times, is_open) "
        "VALUES (?, ?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET reason = excluded.reason, "
        "hint = excluded.hint, at = excluded.at, times = times + excluded.times, is_open = 1",
        (scope.key, failed.reason, failed.hint, failed.at, counts_as),
    )


def close_failure(tx: WriteTx, scope: MapScope) -> None:
    """Write that another run was asked for."""
    tx.execute("UPDATE projection_failures SET is_open = 0 WHERE scope = ?", (scope.key,))


def drop_failure(tx: WriteTx, scope: MapScope) -> None:
    """Forget the failures of a scope, because a run succeeded."""
    tx.execute("DELETE FROM projection_failures WHERE scope = ?", (scope.key,))


def repeated_failures(tx: ReadTx, times: int) -> list[RunFailure]:
    """List the scopes whose runs failed at least so many times in a row."""
    return tx.map(
        _failure,
        "SELECT reason, hint, at FROM projection_failures WHERE times >= ? ORDER BY at DESC",
        (times,),
    )


def add_draft(tx: WriteTx, new: NewLayout) -> int:
    """Add a layout that nobody reads yet, and return its number."""
    # A number is never used again while points of a former layout are left.
    tx.execute(
        "INSERT INTO projections(number, scope, dimensions, generation, revision, method, model, "
        f"points, computed_at, asked_at, seconds) SELECT {_NEXT_NUMBER}, ?, ?, 0, 0, ?, ?, 0, ?, "
        "?, 0",
        (
            DRAFT + new.scope.key,
            new.dimensions,
            new.method,
            new.model,
            new.computed_at,
            new.computed_at,
        ),
    )
    return tx.last_row()


def publish_drafts(tx: WriteTx, scope: MapScope, seconds: float) -> None:
    """Let drafts take the place of the layouts of a scope; what these were is deleted later."""
    for draft, dimensions in tx.rows(
        tuple[int, Dimensions],
        "SELECT number, dimensions FROM projections WHERE scope = ?",
        (DRAFT + scope.key,),
    ):
        former = tx.row(
            tuple[int, str],
            "SELECT generation, asked_at FROM projections WHERE scope = ? AND dimensions = ?",
            (scope.key, dimensions),
        )
        generation, asked_at = former or (0, None)
        tx.execute(
            "DELETE FROM projections WHERE scope = ? AND dimensions = ?", (scope.key, dimensions)
        )
        tx.execute(
            "UPDATE projections SET scope = ?, generation = ?, asked_at = ifnull(?, asked_at), "
            "seconds = ? WHERE number = ?",
            (scope.key, generation + 1, asked_at, seconds, draft),
        )


def drop_drafts(tx: WriteTx) -> None:
    """Delete all drafts; their points are deleted as those of former layouts are."""
    tx.execute(f"DELETE FROM projections WHERE {_IS_DRAFT}")  # noqa: S608 - a constant


def left_points(tx: ReadTx, limit: int) -> list[Row]:
    """List points, as layout and memory, of layouts that are no longer there."""
    return tx.all(
        f"{_WITH_POINTS} SELECT p.projection, p.memory FROM held JOIN projection_points p "  # noqa: S608 - a constant
        "ON p.projection = held.number "
        "WHERE held.number NOT IN (SELECT number FROM projections) LIMIT ?",
        (limit,),
    )


def drop_left_points(tx: WriteTx, limit: int) -> int:
    """Delete points of layouts that are no longer there; return how many."""
    return sum(purge_point(tx, key, "", "") for key in left_points(tx, limit))


def purge_point(tx: WriteTx, key: Row, _before: str, _now: str) -> int:
    """Delete a point, unless its layout is there."""
    return tx.execute(
        "DELETE FROM projection_points WHERE projection = ?1 AND memory = ?2 "
        "AND NOT EXISTS (SELECT 1 FROM projections WHERE number = ?1)",
        key,
    )


def expired_points(tx: ReadTx, _before: str, _now: str, limit: int) -> list[Row]:
    """List points of layouts that are no longer there."""
    return left_points(tx, limit)


def unasked(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List layouts that weren't asked for since a time."""
    return tx.all("SELECT number FROM projections WHERE asked_at < ? LIMIT ?", (before, limit))


def purge_layout(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete a layout, unless it was asked for since; its points are deleted later."""
    return tx.execute("DELETE FROM projections WHERE number = ? AND asked_at < ?", (key[0], before))


def old_failures(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List failures from before a time."""
    return tx.all("SELECT scope FROM projection_failures WHERE at < ? LIMIT ?", (before, limit))


def purge_failure(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete a failure, unless a run failed again since."""
    return tx.execute(
        "DELETE FROM projection_failures WHERE scope = ? AND at < ?", (key[0], before)
    )

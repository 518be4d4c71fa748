"""SQL that counts memories by the values of their fields."""

from dataclasses import replace
from typing import Final

from intaglio.memory.rows import count_where, where
from intaglio.memory.tally.values import FIELDS, MOST_VALUES, Counts, Facets, Field
from intaglio.memory.values import Filter
from intaglio.store.tx import ReadTx

_EXPRESSIONS: Final[dict[Field, str]] = {
    "type": "m.type",
    "project": "m.project",
    "agent": "m.agent_id",
    "visibility": "m.visibility",
    "who": "m.who",
    "tags": "j.value",
    "source_type": "m.source_type",
    "pinned": "m.pinned",
    "importance": "min(9, CAST(m.importance * 10 AS INTEGER))",
}


def without(wanted: Filter, field: Field) -> Filter:
    """Return the filter without what a chosen value of the field would take the place of.

    One more tag takes no other's place: it narrows.
    """
    alone: dict[Field, Filter] = {
        "type": replace(wanted, type=None),
        "project": replace(wanted, project=None, global_only=False),
        "agent": replace(wanted, agent=None),
        "visibility": replace(wanted, visibility=None),
        "who": replace(wanted, who=None),
        "source_type": replace(wanted, source_type=None),
        "pinned": replace(wanted, pinned=None),
        "importance": replace(wanted, importance_min=None, importance_max=None),
    }
    return alone.get(field, wanted)


def _counts(tx: ReadTx, wanted: Filter, field: Field) -> Counts:
    condition, params = where(without(wanted, field))
    table = "memories m, json_each(m.tags) j" if field == "tags" else "memories m"
    rows = tx.all(
        f"SELECT {_EXPRESSIONS[field]}, count(*) FROM {table} WHERE {condition} "  # noqa: S608 - see where()
        "GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?",
        [*params, MOST_VALUES],
    )
    return tuple((_value(field, value), int(str(count))) for value, count in rows)


def _value(field: Field, value: object) -> str | float | bool | None:
    match field, value:
        case _, None:
            return None
        case "pinned", _:
            return bool(value)
        case "importance", _:
            return int(str(value)) / 10
        case _:
            return str(value)


def facets(tx: ReadTx, wanted: Filter) -> Facets:
    """Count the memories that pass, and by each field those that would with a value chosen."""
    condition, params = where(wanted)
    return Facets(
        count_where(tx, condition, params), {field: _counts(tx, wanted, field) for field in FIELDS}
    )

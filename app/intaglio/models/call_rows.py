"""SQL that reads the calls of language models: lists, sums by stage, times taken."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from intaglio.models.usage_rows import CallRow
from intaglio.store.tx import ReadTx, Sql

ANSWERED: Final = "answered"
UNREADABLE: Final = "unreadable"
_RECENT: Final = 200
_COLUMNS: Final = tuple(field.name for field in fields(CallRow))
_OF_STAGES: Final = "stage IN (SELECT value FROM json_each(?))"


@dataclass(frozen=True, slots=True)
class StageSum:
    """What a stage's calls used; ``usd`` is None where no price was known for any of them.

    ``last_failed`` is the number of the last one without a usable reply.
    """

    stage: str
    calls: int = 0
    failed: int = 0
    tokens: int = 0
    usd: float | None = None
    last_failed: int | None = None


@dataclass(frozen=True, slots=True)
class FailedCall:
    """A call without a usable reply: when, the outcome as it is stored, and what was said of it."""

    at: str
    outcome: str
    detail: str


@dataclass(frozen=True, slots=True)
class CallCost:
    """What calls used together."""

    calls: int
    tokens_read: int
    tokens_written: int


@dataclass(frozen=True, slots=True)
class ListedCall:
    """A recorded call with its number, which grows with time."""

    number: int
    call: CallRow


def sums(tx: ReadTx, first_day: str) -> dict[str, StageSum]:
    """Sum calls up since a day of the user's clock, by stage."""
    found = tx.map(
        StageSum,
        "SELECT stage, count(*), sum(outcome <> ?1), sum(tokens_read + tokens_written), sum(usd), "
        "max(CASE WHEN outcome <> ?1 THEN id END) FROM model_calls WHERE day >= ?2 GROUP BY stage",
        (ANSWERED, first_day),
    )
    return {each.stage: each for each in found}


def answered(tx: ReadTx, first_day: str, since: str) -> dict[str, int]:
    """Count the answered calls since a time, which is not before a day, by stage."""
    rows = tx.rows(
        tuple[str, int],
        "SELECT stage, count(*) FROM model_calls "
        "WHERE day >= ? AND at >= ? AND outcome = ? GROUP BY stage",
        (first_day, since, ANSWERED),
    )
    return dict(rows)


def times_ms(tx: ReadTx, stage: str, first_day: str) -> list[int]:
    """Return how long a stage's latest answered calls since a day took."""
    return tx.column(
        int,
        "SELECT ms FROM model_calls WHERE day >= ? AND stage = ? AND outcome = ? "
        "ORDER BY id DESC LIMIT ?",
        (first_day, stage, ANSWERED, _RECENT),
    )


def latest_outcomes(tx: ReadTx, stage: str, first_day: str, limit: int) -> list[str]:
    """Return the outcomes of a stage's latest calls since a day."""
    return tx.column(
        str,
        "SELECT outcome FROM model_calls WHERE day >= ? AND stage = ? ORDER BY id DESC LIMIT ?",
        (first_day, stage, limit),
    )


def failed_call(tx: ReadTx, number: int) -> FailedCall | None:
    """Return what is recorded of the failure of a call."""
    found = tx.map(
        FailedCall, "SELECT at, outcome, detail FROM model_calls WHERE id = ?", (number,)
    )
    return found[0] if found else None


def cost(tx: ReadTx, stages: Sequence[str], since: str) -> CallCost:
    """Sum up what the calls of some stages used since a time."""
    return tx.map(
        CallCost,
        "SELECT count(*), ifnull(sum(tokens_read), 0), ifnull(sum(tokens_written), 0) "  # noqa: S608 - a constant
        f"FROM model_calls WHERE {_OF_STAGES} AND at >= ?",
        (json.dumps(list(stages)), since),
    )[0]


def first_at(tx: ReadTx, stages: Sequence[str]) -> str | None:
    """Return when the first recorded call of some stages was made."""
    return tx.scalar(
        str,
        f"SELECT min(at) FROM model_calls WHERE {_OF_STAGES}",  # noqa: S608 - a constant
        (json.dumps(list(stages)),),
    )


def page(
    tx: ReadTx, stage: str | None, outcome: str | None, before: int | None, limit: int
) -> list[ListedCall]:
    """List calls with a lower number, newest first; the outcome ``failed`` is all but answered."""
    parts, params = ["1"], list[Sql]()
    if outcome == "failed":
        parts.append("outcome <> ?")
        params.append(ANSWERED)
    elif outcome is not None:
        parts.append("outcome = ?")
        params.append(outcome)
    for condition, value in (("stage = ?", stage), ("id < ?", before)):
        if value is not None:
            parts.append(condition)
            params.append(value)
    return tx.map(
        _listed,
        f"SELECT id, {', '.join(_COLUMNS)} FROM model_calls WHERE {' AND '.join(parts)} "  # noqa: S608 - constants
        "ORDER BY id DESC LIMIT ?",
        [*params, limit],
    )


def _listed(number: int, *columns: Any) -> ListedCall:  # noqa: ANN401 - the columns of a STRICT table
    values: dict[str, Any] = dict(zip(_COLUMNS, columns, strict=True))
    values["is_estimated"] = bool(values["is_estimated"])
    return ListedCall(number, CallRow(**values))

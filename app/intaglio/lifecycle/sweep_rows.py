"""SQL on the record of sweeps; no other module writes it."""

import json
from dataclasses import asdict
from typing import Any, Final, cast

from intaglio.lifecycle.sweep_values import StepReport, SweepReport, SweepTrigger
from intaglio.store.tx import ReadTx, WriteTx

_KEPT: Final = 50


def begin(tx: WriteTx, cause: SweepTrigger, at: str) -> int:
    """Record the start of a sweep and return its number; deletes the oldest records."""
    tx.execute("INSERT INTO sweeps(cause, started_at) VALUES (?, ?)", (cause, at))
    number = tx.last_row()
    tx.execute("DELETE FROM sweeps WHERE seq <= ?", (number - _KEPT,))
    return number


def end(tx: WriteTx, number: int, report: SweepReport) -> None:
    """Record the report of a sweep."""
    text = json.dumps(asdict(report), ensure_ascii=False)
    tx.execute(
        "UPDATE sweeps SET ended_at = ?, report = ? WHERE seq = ?", (report.ended_at, text, number)
    )


def last(tx: ReadTx) -> SweepReport | None:
    """Return the report of the latest completed sweep."""
    found = tx.value("SELECT report FROM sweeps WHERE ended_at IS NOT NULL ORDER BY seq DESC")
    if found is None:
        return None
    stored = cast("dict[str, Any]", json.loads(str(found)))
    steps = tuple(StepReport(**step) for step in stored.pop("steps"))
    return SweepReport(**stored, steps=steps)

"""SQL on the record of sweeps; nothing else in the system writes it."""

import json
from dataclasses import asdict
from typing import Any, Final, cast

from intaglio.lifecycle.sweep_values import StepReport, SweepReport, SweepTrigger
from intaglio.store.tx import ReadTx, WriteTx

_KEPT: Final = 50


def begin(tx: WriteTx, cause: SweepTrigger, at: str) -> int:
    """Record that a sweep began and return its number; the oldest records go."""
    tx.execute("INSERT INTO sweeps(cause, started_at) VALUES (?, ?)", (cause, at))
    number = tx.last_row()
    tx.execute("DELETE FROM sweeps WHERE seq <= ?", (number - _KEPT,))
    return number


def end(tx: WriteTx, number: int, report: SweepReport) -> None:
    """Record what came of a sweep."""
    text = json.dumps(asdict(report), ensure_ascii=False)
    tx.execute(
        "UPDATE sweeps SET ended_at = ?, report = ? WHERE seq = ?", (report.ended_at, text, number)
    )


def last(tx: ReadTx) -> SweepReport | None:
    """Return the newest sweep that came to its end."""
    found = tx.value("SELECT report FROM sweeps WHERE ended_at IS NOT NULL ORDER BY seq DESC")
    if found is None:
        return None
    stored = cast("dict[str, Any]", json.loads(str(found)))
    steps = tuple(StepReport(**step) for step in stored.pop("steps"))
    return SweepReport(**stored, steps=steps)

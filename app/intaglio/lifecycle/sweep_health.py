"""Judges the last retention sweep."""

from typing import Final

from intaglio.domain.health import Checked, Figure
from intaglio.domain.issues import Issue
from intaglio.lifecycle.sweep_values import SweepReport

_KINDS: Final = {
    "ledger": "ledger entries",
    "completed_jobs": "finished jobs",
    "dead_jobs": "failed jobs",
    "set_aside": "damaged databases",
    "history": "history entries",
}


def judge_sweep(last: SweepReport | None) -> Checked:
    """Judge whether it could delete all that is past its retention period."""
    figures = (Figure("sweptAt", "Last cleanup", last.ended_at if last else None, "moment"),)
    failed = [step for step in last.steps if step.error] if last else []
    if not failed:
        return Checked(figures=figures)
    what = "; ".join(
        f"{_KINDS.get(step.name, step.name.replace('_', ' '))}: {step.error}" for step in failed
    )
    issue = Issue(
        "retention",
        "warn",
        "The last cleanup was incomplete",
        f"{what}. Clean up again; the next cleanup would try it by itself.",
        action="repair",
        repair="retention-sweep",
    )
    return Checked(issues=(issue,), figures=figures)

"""Judges the hook events that wait in the spool, and those that were rejected."""

from pathlib import Path
from typing import Final

from intaglio.base.installation import command
from intaglio.base.text import count_of
from intaglio.domain.health import Checked, Figure
from intaglio.domain.issues import Issue
from intaglio.harness.spool import rejected_files

_MANY: Final = 100


def read_spool(folder: Path) -> Checked:
    """Count the files of the spool and judge them."""
    return judge_spool(sum(1 for _ in folder.glob("*.json")), rejected_files(folder))


def judge_spool(waiting: int, rejected: int) -> Checked:
    """Judge how many events wait and were rejected."""
    issues: list[Issue] = []
    if rejected:
        issues.append(
            Issue(
                "rejected",
                "warn",
                f"{count_of(rejected, 'hook event', 'hook events')} rejected",
                "They failed three times and weren't captured. For the reason, run",
                command=command("daemon logs"),
                page="/logs",
            )
        )
    if waiting > _MANY:
        issues.append(
            Issue(
                "spool",
                "info",
                f"Catching up on {waiting:,} hook events",
                "They arrived while the daemon was stopped and are being processed. Nothing is "
                "lost.",
            )
        )
    return Checked(
        issues=tuple(issues),
        figures=(
            Figure("spooledEvents", "Hook events that wait", waiting),
            Figure("rejectedEvents", "Hook events that were rejected", rejected),
        ),
    )

"""What can be wrong with sync, for Health and `intaglio doctor`."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intaglio.base.clock import monotonic_s
from intaglio.base.files.regular_file import read_regular
from intaglio.base.settings.values import Settings
from intaglio.domain.issues import Issue
from intaglio.workspace.settings import WorkspaceSettings
from intaglio.workspace.sync import SyncReport, WorkspaceSync
from intaglio.workspace.values import BlockTarget, TargetRecord
from intaglio.workspace.watch import WorkspaceWatch

_PAGE: Final = "/connections/workspace"
_SIGNET: Final = b"<!-- SIGNET:START"
_READ_BYTES: Final = 2_000_000
_STARTS_WITHIN_S: Final = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncHealth:
    """Finds what is wrong; ``since_s`` is when the daemon started, by ``seconds``."""

    sync: WorkspaceSync
    watch: WorkspaceWatch
    settings: Callable[[], Settings]
    since_s: float
    seconds: Callable[[], float] = monotonic_s

    async def issues(self) -> list[Issue]:
        """Return what is wrong now."""
        report = self.sync.last
        found = [] if report is None else await asyncio.to_thread(_issues, report)
        is_late = self.seconds() - self.since_s > _STARTS_WITHIN_S
        is_on = self.settings().of(WorkspaceSettings).sync
        if is_on and is_late and not self.watch.is_watching:
            found.append(
                Issue(
                    id="workspace-watch",
                    level="warn",
                    title="The workspace's files aren't watched",
                    text="What you change there reaches no agent until sync runs again. The log "
                    "says why it stopped; it's started again within a minute.",
                    page=_PAGE,
                )
            )
        return found


def _issues(report: SyncReport) -> list[Issue]:
    return [*_refused(report.targets), *_with_signet(report.targets)]


def _refused(targets: Sequence[tuple[BlockTarget, TargetRecord]]) -> list[Issue]:
    return [
        Issue(
            id=f"workspace-{target.id}",
            level="warn",
            title=f"The workspace isn't synced to {target.label}",
            text=f"{record.reason} {record.hint}",
            page=_PAGE,
        )
        for target, record in targets
        if record.state == "refused"
    ]


def _with_signet(targets: Sequence[tuple[BlockTarget, TargetRecord]]) -> list[Issue]:
    found = [
        target.file for target, record in targets if record.digest and _has_signet(target.file)
    ]
    if not found:
        return []
    files = " and ".join(map(str, found))
    return [
        Issue(
            id="workspace-signet",
            level="info",
            title="Agents are told the workspace's files twice",
            text=f"Signet's block is in {files}, beside Intaglio's. Remove the one that you don't "
            "use; Intaglio leaves Signet's as it is.",
            page=_PAGE,
        )
    ]


def _has_signet(file: Path) -> bool:
    try:
        return _SIGNET in read_regular(file, _READ_BYTES)
    except OSError:
        return False

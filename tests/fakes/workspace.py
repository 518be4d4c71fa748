"""A workspace with files, the files that it is written to, and the sync between them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from fakes.store import Bench, bench
from intaglio.connect.managed_block import ManagedBlock, find_block, sections_of
from intaglio.inbox import rows as inbox_rows
from intaglio.inbox.kinds import InboxKinds
from intaglio.inbox.values import InboxItem, ItemFilter, ItemStatus
from intaglio.lifecycle.decisions.inbox_decisions import Decided, InboxDecisions
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor
from intaglio.workspace.conflicts import CONFLICT
from intaglio.workspace.kept_texts import KeptTexts
from intaglio.workspace.reading import SettledReader
from intaglio.workspace.sync import SyncReport, WorkspaceSync
from intaglio.workspace.values import BlockTarget, TargetRecord, WorkspaceTexts

USER = Audit(Actor("user"))


async def _at_once(_: float) -> None:
    """Don't wait: nobody else writes in a test."""


@dataclass
class SyncedWorkspace:
    """A workspace in a folder, with the targets that a test has chosen."""

    home: Path
    store: Bench
    targets: list[BlockTarget] = field(default_factory=list[BlockTarget])
    roster: list[str] = field(default_factory=list[str])
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        self.sync = self.restarted()

    def restarted(self) -> WorkspaceSync:
        """Return what a daemon that starts anew has."""
        return WorkspaceSync(
            workspace=self.folder,
            db=self.store.db,
            context=self.store.context,
            kept=KeptTexts(self.home / "state/workspace-texts"),
            find_targets=self._find,
            reader=SettledReader(workspace=self.folder, roster=lambda: self.roster, pause=_at_once),
            blocks_file=self.home / "state/instruction-blocks.json",
            seconds=lambda: self.seconds,
        )

    @property
    def folder(self) -> Path:
        return self.home / "agents"

    async def _find(self, _: WorkspaceTexts) -> list[BlockTarget]:
        return list(self.targets)

    def add_target(
        self, name: str, *, agent: str | None = None, within: Path | None = None, as_id: str = ""
    ) -> Path:
        """Add a target in a folder of its own and return its file."""
        file = self.home / name / "AGENTS.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        self.targets.append(
            BlockTarget(
                id=as_id or name,
                kind="harness",
                label=name,
                file=file,
                agent=agent,
                within=within,
            )
        )
        return file

    def switch(self, name: str, state: Literal["synced", "off", "disconnected"]) -> None:
        """Give a target another state."""
        self.targets = [
            replace(each, state=state) if each.id == name else each for each in self.targets
        ]

    def write(self, name: str, text: str | bytes) -> None:
        """Write a file of the workspace."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)

    async def run(self) -> SyncReport:
        """Sync until nothing is to be done."""
        written: tuple[str, ...] = ()
        while True:
            report = await self.sync.sync()
            written += report.written
            if not report.written and not report.retry:
                return replace(report, written=written)

    async def record(self, name: str) -> TargetRecord:
        """Sync and return what is known of a target."""
        report = await self.run()
        return next(record for target, record in report.targets if target.id == name)

    async def items(self, status: ItemStatus = "open") -> list[InboxItem]:
        """Return the items of the inbox, newest first."""
        wanted = ItemFilter(status=status)
        page = await self.store.db.read(lambda tx: inbox_rows.page(tx, wanted, 100, None))
        return list(page.items)

    @property
    def decisions(self) -> InboxDecisions:
        return InboxDecisions(
            self.store.db, self.store.context, lambda: False, InboxKinds((CONFLICT,))
        )

    async def decide(self, action: str) -> object:
        """Decide on the only open item, and sync."""
        [item] = await self.items()
        done = await self.decisions.decide(item.id, action, USER)
        await self.run()
        return done

    async def undo(self) -> None:
        """Undo the last decision, and sync."""
        item = (await self.items("done"))[0]
        [done] = await self.decisions.undo_all([item.id], USER)
        assert isinstance(done, Decided), done
        await self.run()


def sections(file: Path) -> dict[str, str]:
    """Return the texts in a file's block, by file of the workspace."""
    found = find_block(file.read_bytes())
    if not isinstance(found, ManagedBlock):
        return {}
    return {each.file: each.text for each in sections_of(found.body)}


@asynccontextmanager
async def synced_workspace(home: Path) -> AsyncGenerator[SyncedWorkspace]:
    """Open a workspace in a folder."""
    async with bench(home / "store") as store:
        yield SyncedWorkspace(home, store)

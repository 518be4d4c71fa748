"""Keeps the index and the places of projects current while sessions work in them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Final

from intaglio.base.clock import iso
from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger
from intaglio.code import rows
from intaglio.code.checking import PlaceChecks
from intaglio.code.index import CodeIndex
from intaglio.code.locating import MemoryLocator
from intaglio.code.stale_items import ask_about_stale
from intaglio.memory.operations import ChangeContext
from intaglio.projects.names import is_path
from intaglio.store.database import Database
from intaglio.store.values import Ready

# Right after the start, sessions wait for the daemon.
_START_AFTER_S: Final = 15.0
_EVERY_S: Final = 20.0
_ACTIVE: Final = timedelta(hours=2)
_MOST_LOCATED: Final = 50
_REST_S: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeUpkeep:
    """Follows the projects that sessions work in; ``pause`` rests.

    Nothing new costs the reading of a few small files for each project.
    """

    db: Database
    context: ChangeContext
    index: CodeIndex
    locator: MemoryLocator
    checks: PlaceChecks
    pause: Callable[[float], Awaitable[None]]
    _checked: dict[str, str] = field(default_factory=dict[str, str])

    async def run(self) -> None:
        """Look every few seconds for new commits, sessions and memories."""
        await self.pause(_START_AFTER_S)
        while True:
            if isinstance(self.db.state, Ready):
                try:
                    await self.follow_all()
                except UnavailableError as error:
                    get_logger("code").info("code not read", reason=error.detail)
            await self.pause(_EVERY_S)

    async def follow_all(self) -> None:
        """Follow each project with a session that was active lately."""
        since = iso(self.context.clock() - _ACTIVE)
        active = await self.db.read(partial(rows.active_projects, since=since))
        for project, latest in active:
            if is_path(project):
                await self.follow(project, latest)

    async def follow(self, project: str, latest: str) -> None:
        """Read what is new in a project; ``latest`` is when a session last started or ended there.

        All places are checked when either has changed.
        """
        while (outcome := await self.index.read(project)) == "unfinished":
            await self.pause(_REST_S)
        if outcome == "unreadable":
            return
        while await self.locator.catch_up(project, _MOST_LOCATED, partial(self.pause, _REST_S)):
            pass
        if outcome == "read" or self._checked.get(project) != latest:
            await self.checks.check(project)
            self._checked[project] = latest
            await self.db.write(partial(ask_about_stale, project=project, context=self.context))

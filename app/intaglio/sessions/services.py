"""What composing a session's context is built from.

The composition fills in every field; none has a default, so that a forgotten one is an error.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from intaglio.agents.agent_directory import AgentDirectory
from intaglio.base.clock import Clock
from intaglio.base.settings.values import Settings
from intaglio.code.staleness import PlaceMarks
from intaglio.fence.outgoing import Fence
from intaglio.memory.filters import Filter
from intaglio.projects.values import NOTHING_CHOSEN, ChosenSettings
from intaglio.sessions.ledger import Ledger
from intaglio.sessions.project_notes import ReadNotes
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectVisibility:
    """What an agent may be shown in a project.

    ``project_key`` resolves a directory or a name; ``project_aliases`` returns the other names that
    the project has memories under.
    """

    agents: AgentDirectory
    project_key: Callable[[str | None], Awaitable[str | None]]
    project_aliases: Callable[[str | None], Awaitable[tuple[str, ...]]]

    async def filters(
        self, agent_id: str, project: str | None, *, is_active: bool = True
    ) -> Filter:
        """Return what an agent may be shown in a project: its memories and the global ones.

        What was replaced or is disputed isn't shown.

        Records that the agent is active if it is.
        """
        read = self.agents.active_reader if is_active else self.agents.reader
        return Filter(
            reader=await read(agent_id),
            project=project,
            project_aliases=await self.project_aliases(project),
            global_only=project is None,
            memory_status="current",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextServices:
    """What selecting and composing a session's context needs.

    ``local`` converts a time to the user's time zone; ``fence`` cleans what a session is given;
    ``places`` says what became of the code that memories name, ``chosen`` what the user set for a
    project, ``notes`` what the harness tells its model anyway.
    """

    db: Database
    clock: Clock
    settings: Callable[[], Settings]
    visibility: ProjectVisibility
    ledger: Ledger
    fence: Fence
    local: Callable[[datetime], datetime]
    places: PlaceMarks
    chosen: Callable[[ReadTx, str | None], ChosenSettings]
    notes: ReadNotes

    async def chosen_for(self, project: str | None) -> ChosenSettings:
        """Return what the user set for a project; None is a session without one."""
        if project is None:
            return NOTHING_CHOSEN
        return await self.db.read(lambda tx: self.chosen(tx, project))

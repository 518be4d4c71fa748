"""The line that a harness shows to the person at a session's start; the model never gets it."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.base.installation import command
from intaglio.base.text import clip, storage_form
from intaglio.domain.issues import Issue
from intaglio.domain.short_id import SHORT_ID
from intaglio.fence.characters import visible
from intaglio.pauses.service import pause_state
from intaglio.projects.names import display_name
from intaglio.projects.values import ProjectNotice
from intaglio.sessions import rows
from intaglio.sessions.services import ContextServices
from intaglio.sessions.session_start import ALREADY_SHOWN
from intaglio.sessions.settings import HarnessSettings
from intaglio.sessions.values import InjectedContext, SessionRef
from intaglio.store.tx import ReadTx

_SOURCES: Final = ("startup", "resume")
_MAX_NAME_CHARS: Final = 60
_MAX_PATH_CHARS: Final = 200
_MAX_TITLE_CHARS: Final = 80
# A name isn't quoted in the line, so nothing in it may look like markup.
_MARKUP: Final = re.compile(r"[<>`]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class StartNotice:
    """What the line says: ``new`` memories are those from after the previous session's start.

    ``project`` is its key, None for a session without one.
    """

    memories: int
    new: int
    project: str | None
    paused: bool = False

    @property
    def line(self) -> str:
        """The line; empty if the session received nothing."""
        if not self.memories:
            return ""
        count = "1 memory" if self.memories == 1 else f"{self.memories:,} memories"
        new = f", {self.new:,} new" if self.new else ""
        paused = "; capture is paused" if self.paused else ""
        return f"Intaglio: {count} for {_name(self.project)}{new}{paused}"


def _arrival(arrival: ProjectNotice) -> str:
    """Say that a project's folder has moved, with the one step to undo that or to accept it."""
    former = clip(_MARKUP.sub("", storage_form(visible(arrival.former))), _MAX_PATH_CHARS)
    count = "1 memory" if arrival.memories == 1 else f"{arrival.memories:,} memories"
    count = count if arrival.memories else "settings"
    match arrival.outcome:
        case "moved":
            return (
                f"This project has moved from {former}: its {count} came along. "
                f"Undo: {command(f'projects undo {arrival.change_id[-SHORT_ID:]}')}"
            )
        case "offered":
            places = " ".join(_quoted(each) for each in (arrival.former, arrival.key))
            return (
                f"This project may have moved from {former}, which has {count}. "
                f"To take them along: {command(f'projects move {places}')}"
            )
        case "unarchived":
            return f"{_name(arrival.key)} is no longer archived"


def _quoted(path: str) -> str:
    return shlex.quote(_MARKUP.sub("", visible(path)))


def _name(project: str | None) -> str:
    name = "" if project is None else storage_form(visible(display_name(project)))
    return clip(_MARKUP.sub("", name).strip(), _MAX_NAME_CHARS) or "all projects"


def _trouble(issues: Sequence[Issue]) -> str:
    """Name the worst issue if it's a danger, and the command that says what to do."""
    dangers = [issue for issue in issues if issue.level == "danger"]
    if not dangers:
        return ""
    title = clip(_MARKUP.sub("", storage_form(visible(dangers[0].title))), _MAX_TITLE_CHARS)
    more = f" (and {len(dangers) - 1} more)" if len(dangers) > 1 else ""
    return f"{title}{more}. What to do: {command('doctor')}"


async def start_notice(
    services: ContextServices,
    session: SessionRef,
    source: str,
    shown: InjectedContext,
    issues: Sequence[Issue] = (),
) -> str:
    """Return the line for a session that starts or is resumed; empty if there is nothing to say.

    ``shown`` is what it has just received. A resumed session also has what it received before.
    ``issues`` are what is wrong with the installation, worst first.
    """
    if not services.settings().harness(HarnessSettings, session.harness).start_message:
        return ""
    counted = await _counted(services, session, source, shown)
    arrival = "" if shown.arrival is None else _arrival(shown.arrival)
    trouble = _trouble(issues) if source in _SOURCES and not session.subagent else ""
    found = ". ".join(part for part in (arrival, trouble) if part)
    if not found:
        return counted
    return f"{counted}. {found}" if counted else f"Intaglio: {found}"


async def _counted(
    services: ContextServices, session: SessionRef, source: str, shown: InjectedContext
) -> str:
    """Return how many memories the session received; empty if it is no news."""
    if source not in _SOURCES:
        return ""
    told = [
        entry.candidate.memory
        for entry in shown.entries
        if entry.shown or entry.left_out == ALREADY_SHOWN
    ]
    if not told:
        return ""
    project = await services.visibility.project_key(session.project)
    now = services.clock()

    def work(tx: ReadTx) -> StartNotice:
        # A session that starts may already be recorded; one that is resumed was there before.
        besides = session if source == "startup" else None
        since = rows.last_started(tx, project, besides)
        new = sum(memory.created_at > since for memory in told) if since else 0
        return StartNotice(
            memories=len(told), new=new, project=project, paused=pause_state(tx, now).paused
        )

    return (await services.db.read(work)).line

"""What keeps a stage from asking a model now: pauses of capture, of a project, of the stage."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from intaglio.models import pause_rows
from intaglio.models.values import CallContext
from intaglio.pauses.service import pause_state
from intaglio.projects import rows as projects
from intaglio.projects import settings_rows
from intaglio.projects.settings import CAPTURE
from intaglio.store.tx import ReadTx

TEST_STAGE: Final = "test"
"""The stage of the calls by which the user tests a model: they hold nothing of the user's."""

_HOUR_S: Final = 3_600.0


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why nothing is asked; ``is_for_all`` of the stage's calls, not only for one project's."""

    detail: str
    wait_s: float
    is_for_all: bool


def obstacle(tx: ReadTx, context: CallContext, now: datetime) -> Obstacle | None:
    """Return what keeps a call from being made, whatever it costs."""
    if context.stage == TEST_STAGE:
        return None
    paused = pause_state(tx, now)
    if paused.paused:
        wait_s = (paused.until - now).total_seconds() if paused.until else _HOUR_S
        return Obstacle("capture is paused", wait_s, is_for_all=True)
    if pause_rows.is_paused(tx, context.stage):
        return Obstacle("this stage is paused", _HOUR_S, is_for_all=True)
    return _of_project(tx, context.project) if context.project else None


def closed_projects(tx: ReadTx) -> frozenset[str]:
    """Return the projects about which nothing is asked."""
    without = settings_rows.projects_with(tx, CAPTURE, value=False)
    return frozenset((*without, *projects.archived(tx)))


def _of_project(tx: ReadTx, project: str) -> Obstacle | None:
    if settings_rows.chosen(tx, project).capture is False:
        return Obstacle("capture is off for this project", _HOUR_S, is_for_all=False)
    if projects.is_archived(tx, project):
        return Obstacle("this project is archived", _HOUR_S, is_for_all=False)
    return None

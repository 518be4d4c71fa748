"""Reads and changes what users set for single projects."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias
from urllib.parse import quote

from intaglio.base.clock import Clock, iso
from intaglio.base.errors import InvalidInputError
from intaglio.base.events import Changed
from intaglio.base.settings.declaration import (
    HARNESS,
    Scalar,
    SettingInfo,
    must_confirm,
    settings_in,
)
from intaglio.base.settings.validation import check_value
from intaglio.base.settings.values import Settings, harness_key
from intaglio.commits import rows as commits
from intaglio.commits.settings import CommitSettings
from intaglio.commits.upkeep import CommitUpkeep
from intaglio.domain.issues import Issue
from intaglio.fence.characters import visible
from intaglio.lifecycle.projects.changes import TOPIC
from intaglio.projects import settings_rows
from intaglio.projects.names import display_name
from intaglio.projects.settings import (
    CAPTURE,
    COMMITS,
    TOLD,
    VISIBILITY,
    WORKSPACE,
    ProjectSettings,
)
from intaglio.projects.values import ChosenSettings
from intaglio.sessions.settings import HarnessSettings
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

_MOST_NAMED: Final = 5

OwnValue: TypeAlias = bool | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSetting:
    """A setting of a project: its own value, None if it has none, and the general one.

    ``general_key`` is the setting that holds the general value, if there is one.
    """

    info: SettingInfo
    own: OwnValue
    general: bool | str
    general_key: str | None = None

    @property
    def value(self) -> bool | str:
        """The value that holds."""
        return self.general if self.own is None else self.own


@dataclass(frozen=True, slots=True)
class UnconfirmedChange:
    """A change with a consequence that the user must confirm first; nothing was changed."""

    info: SettingInfo
    text: str


@dataclass(frozen=True, slots=True)
class ChangedSettings:
    """The settings after a change; ``undo`` are the values before it, by key."""

    settings: list[ProjectSetting]
    undo: Sequence[tuple[str, OwnValue]]


def general_capture_key(harnesses: Sequence[str]) -> str:
    """Return the key that leads to the general values of capture: of several harnesses, to all."""
    only, *more = harnesses
    return f"harness.{HARNESS if more else harness_key(only)}.capture"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSettingEdits:
    """The use case; ``harnesses`` are the names of those whose settings hold generally.

    Whether commits are read is stored with the commits, everything else with the project.
    """

    db: Database
    settings: Callable[[], Settings]
    commits: CommitUpkeep
    harnesses: Sequence[str]
    clock: Clock

    async def of(self, project: str) -> list[ProjectSetting]:
        """Return all settings of a project."""
        return await self.db.read(lambda tx: self._read(tx, project))

    def _read(self, tx: ReadTx, project: str) -> list[ProjectSetting]:
        own = _values(settings_rows.own(tx, project), commits.state(tx, project).enabled)
        along = _values(settings_rows.moved_along(tx, project), None)
        found = [self._setting(info, own[info.key]) for info in settings_in(ProjectSettings)]
        return [
            each
            if (value := along[each.info.key]) is None
            else replace(each, general=value, general_key=None)
            for each in found
        ]

    def _setting(self, info: SettingInfo, own: OwnValue) -> ProjectSetting:
        current = self.settings()
        match info.key:
            case "project.capture":
                captures = any(
                    current.harness(HarnessSettings, name).capture for name in self.harnesses
                )
                key = general_capture_key(self.harnesses)
                return ProjectSetting(info=info, own=own, general=captures, general_key=key)
            case "project.commits":
                return ProjectSetting(
                    info=info,
                    own=own,
                    general=current.of(CommitSettings).enabled,
                    general_key="commits.enabled",
                )
            case _:
                default = info.default
                general = default if isinstance(default, bool) else str(default)
                return ProjectSetting(info=info, own=own, general=general)

    async def change(
        self, project: str, changes: Sequence[tuple[str, Scalar | None]], *, confirmed: bool
    ) -> ChangedSettings | UnconfirmedChange:
        """Set values for a project, all or none; None lets the general value hold again.

        Raises InvalidInputError that names the first unknown key or bad value, and
        UnavailableError if nothing can be written.
        """
        wanted = {key: _checked(key, value) for key, value in changes}
        if COMMITS in wanted:
            self.commits.check_changes()

        def work(tx: WriteTx) -> ChangedSettings | UnconfirmedChange:
            before = {each.info.key: each for each in self._read(tx, project)}
            for key, own in wanted.items():
                info, value = before[key].info, before[key].general if own is None else own
                if (
                    info.consequence is not None
                    and not confirmed
                    and must_confirm(info, before[key].value, value)
                ):
                    return UnconfirmedChange(info, info.consequence.text)
            for key, own in wanted.items():
                if key == COMMITS:
                    commits.set_enabled(tx, project, None if own is None else bool(own))
                else:
                    settings_rows.put(tx, project, key, own)
            after = self._read(tx, project)
            if _is_switched_on(before[CAPTURE], after):
                settings_rows.switch_on(tx, project, iso(self.clock()))
            tx.publish(Changed(TOPIC, "updated", ()))
            return ChangedSettings(after, [(key, before[key].own) for key in wanted])

        done = await self.db.write(work)
        if COMMITS in wanted and isinstance(done, ChangedSettings):
            self.commits.follow_switch(project)
        return done


def _values(chosen: ChosenSettings, reads_commits: bool | None) -> dict[str, OwnValue]:  # noqa: FBT001 - one of the values
    return {
        CAPTURE: chosen.capture,
        COMMITS: reads_commits,
        TOLD: chosen.told,
        VISIBILITY: chosen.visibility,
        WORKSPACE: chosen.workspace,
    }


def _is_switched_on(before: ProjectSetting, after: Sequence[ProjectSetting]) -> bool:
    return not before.value and any(
        each.value for each in after if each.info.key == before.info.key
    )


def settings_issues(tx: ReadTx) -> list[Issue]:
    """Return which projects capture nothing or tell nothing, for whoever wonders why."""
    off = settings_rows.projects_with(tx, CAPTURE, value=False)
    silent = settings_rows.projects_with(tx, TOLD, value="nothing")
    found = [
        _issue("project_capture_off", "Capture is off in", off, "What is said there isn't kept"),
        _issue("project_told_nothing", "Agents are told nothing in", silent, "You chose so"),
    ]
    return [each for each in found if each is not None]


def _issue(id_: str, title: str, projects: Sequence[str], text: str) -> Issue | None:
    if not projects:
        return None
    names = [visible(display_name(each)) for each in projects[:_MOST_NAMED]]
    more = len(projects) - len(names)
    listed = ", ".join([*names, f"{more} more"] if more else names)
    if len(projects) == 1:
        where, rest = names[0], f"{text}. Its page has the settings."
    else:
        where, rest = (
            f"{len(projects)} projects",
            f"{text}: {listed}. Their pages have the settings.",
        )
    return Issue(
        id=id_,
        level="info",
        title=f"{title} {where}",
        text=rest,
        page=f"/projects/detail?project={quote(projects[0], safe='')}",
    )


def _checked(key: str, value: Scalar | None) -> OwnValue:
    info = next((one for one in settings_in(ProjectSettings) if one.key == key), None)
    if info is None:
        known = ", ".join(one.key for one in settings_in(ProjectSettings))
        raise InvalidInputError(f"A project has no setting {key!r}", hint=f"There are {known}.")
    if value is None:
        return None
    checked, complaint = check_value(info, value)
    if complaint:
        raise InvalidInputError(f"{key} {complaint}", hint=info.help)
    return checked if isinstance(checked, bool) else str(checked)

"""GET and PUT /api/projects/settings: what the user set for one project."""

from typing import Annotated

from litestar import Controller, get, put
from litestar.params import JSONBody, QueryParameter

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.rate_limits import modify_rate
from intaglio.api.request_context import project_of
from intaglio.api.services import Services
from intaglio.base.errors import ConfirmationNeededError, InvalidInputError
from intaglio.kernel import Kernel
from intaglio.lifecycle.projects.project_settings import (
    ChangedSettings,
    ProjectSetting,
    ProjectSettingEdits,
    UnconfirmedChange,
)
from intaglio.wire import settings as wire
from intaglio.wire.settings_view import choices_of, consequence_of

_SettingsProject = Annotated[str, QueryParameter(min_length=1, max_length=4_096)]


class ProjectSettingsController(Controller):
    """Settings of single projects."""

    tags = ("projects",)

    @get(
        "/api/projects/settings",
        operation_id="getProjectSettings",
        opt=declare(Access.PROGRAM),
    )
    async def read(
        self, services: Services, *, project: _SettingsProject
    ) -> wire.ProjectSettingsReply:
        """Get the settings of a project: a directory or a name."""
        key = await _project(services, project)
        return _reply(key, await services.get(ProjectSettingEdits).of(key))

    @put(
        "/api/projects/settings",
        operation_id="changeProjectSettings",
        opt=declare(Access.BROWSER, rate=modify_rate),
    )
    async def change(
        self, services: Services, data: JSONBody[wire.ProjectSettingsRequest]
    ) -> wire.ProjectSettingsChange:
        """Set values for a project, all or none; a null value lets the general one hold again.

        Replies 409 with the code `confirmation_needed` if a change has a consequence that isn't
        `confirmed`. `undo` takes the change back.
        """
        key = await _project(services, data.project)
        changes = [(each.key, each.value) for each in data.changes]
        match await services.get(ProjectSettingEdits).change(
            key, changes, confirmed=data.confirmed
        ):
            case UnconfirmedChange(info=info, text=text):
                raise ConfirmationNeededError(
                    text, hint="Send it again with confirmed.", key=info.key
                )
            case ChangedSettings(settings=settings, undo=undo):
                return wire.ProjectSettingsChange(
                    settings=_reply(key, settings),
                    undo=[wire.SettingChange(key=name, value=value) for name, value in undo],
                )


async def _project(services: Kernel, name: str) -> str:
    key = await project_of(services, name)
    if key is None:
        raise InvalidInputError("project is required", hint="Send the project's directory or name.")
    return key


def _reply(project: str, settings: list[ProjectSetting]) -> wire.ProjectSettingsReply:
    return wire.ProjectSettingsReply(project=project, settings=[_row(each) for each in settings])


def _row(setting: ProjectSetting) -> wire.ProjectSettingRow:
    info = setting.info
    return wire.ProjectSettingRow(
        key=info.key,
        label=info.label,
        help=info.help,
        kind="choice" if info.choices else "switch",
        unit=info.unit,
        value=setting.value,
        general=setting.general,
        general_key=setting.general_key,
        is_set=setting.own is not None,
        low=None,
        high=None,
        choices=choices_of(info),
        consequence=consequence_of(info),
    )

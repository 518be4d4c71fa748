"""/api/settings: all settings with their values, and changes of them in the settings file."""

import asyncio

from litestar import Controller, get, post
from litestar.params import JSONBody

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.services import Services
from intaglio.api.setting_facts import setting_facts
from intaglio.base.events import Changed, SettingsChanged
from intaglio.base.settings.editing import SettingsEditor
from intaglio.redaction.redact import clean
from intaglio.wire import settings as wire
from intaglio.wire.settings_view import settings_reply


async def _reply(services: Services) -> wire.SettingsReply:
    editor = services.get(SettingsEditor)
    view = await asyncio.to_thread(editor.view)
    return settings_reply(str(editor.file.path), view, await setting_facts(services), clean)


class SettingsController(Controller):
    """The settings."""

    tags = ("settings",)

    @get("/api/settings", operation_id="getSettings", opt=declare(Access.PROGRAM))
    async def settings(self, services: Services) -> wire.SettingsReply:
        """Return every setting: what it is, its value, and where that comes from.

        The file is read for each request. Secrets are never included.
        """
        return await _reply(services)

    @post(
        "/api/settings",
        operation_id="changeSettings",
        status_code=200,
        # What a program may not do in silence: settings decide what agents are told.
        opt=declare(Access.BROWSER),
    )
    async def change(
        self, services: Services, data: JSONBody[wire.SettingsChangeRequest]
    ) -> wire.SettingsChangeReply:
        """Write settings into the file, all or none of them, and use them at once.

        A value out of bounds is refused (400), a change with a consequence unless it is confirmed
        (409, `confirmation_needed`), and any change while the file can't be read (409,
        `settings_file_broken`). Comments, order and unknown keys of the file stay as they are.
        """
        editor = services.get(SettingsEditor)
        changes = [(each.key, each.value) for each in data.changes]
        undo = await asyncio.to_thread(editor.change, changes, confirmed=data.confirmed)
        services.bus.publish(SettingsChanged())
        services.bus.publish(Changed("settings", "updated", tuple(key for key, _ in changes)))
        return wire.SettingsChangeReply(
            settings=await _reply(services),
            undo=[wire.SettingChange(key=key, value=value) for key, value in undo],
        )

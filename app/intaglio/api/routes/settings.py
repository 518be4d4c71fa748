"""/api/settings: all settings with their values, and changes of them in the settings file."""

import asyncio
from collections.abc import Sequence
from typing import Final

from litestar import Controller, get, post
from litestar.params import JSONBody

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.services import Services
from intaglio.api.setting_facts import setting_facts
from intaglio.api.shortcut_notices import shortcut_notices
from intaglio.base.errors import InvalidInputError
from intaglio.base.events import Changed, SettingsChanged
from intaglio.base.settings.declaration import Scalar
from intaglio.base.settings.editing import SettingsEditor
from intaglio.base.shortcut_record import read_shortcuts
from intaglio.base.text import clip
from intaglio.redaction.shown_text import MARK, without_secrets
from intaglio.wire import settings as wire
from intaglio.wire.settings_view import settings_reply

_SHOWN_CHARS: Final = 200


async def _reply(services: Services) -> wire.SettingsReply:
    editor = services.get(SettingsEditor)
    view = await asyncio.to_thread(editor.view)
    shortcuts = await asyncio.to_thread(read_shortcuts, services.running.paths)
    return settings_reply(
        str(editor.file.path),
        view,
        await setting_facts(services),
        without_secrets,
        shortcut_notices(view, shortcuts),
    )


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
        if any(isinstance(value, str) and MARK in value for _, value in changes):
            changes = await asyncio.to_thread(_with_hidden, editor, changes)
        undo = await asyncio.to_thread(editor.change, changes, confirmed=data.confirmed)
        services.bus.publish(SettingsChanged())
        services.bus.publish(Changed("settings", "updated", tuple(key for key, _ in changes)))
        return wire.SettingsChangeReply(
            settings=await _reply(services),
            # What is hidden in a value can't be sent back to restore it.
            undo=[
                wire.SettingChange(key=key, value=value)
                for key, value in undo
                if not isinstance(value, str) or without_secrets(value) == value
            ],
        )


def _with_hidden(
    editor: SettingsEditor, changes: Sequence[tuple[str, Scalar | None]]
) -> list[tuple[str, Scalar | None]]:
    """Return the changes, each value that comes back as it was shown with what was hidden in it.

    Raises InvalidInputError for another one in which something is hidden. Blocks.
    """
    now = {each.setting.key: each.value for each in editor.view().states}
    found: list[tuple[str, Scalar | None]] = []
    for key, value in changes:
        current = now.get(key)
        if not isinstance(value, str) or MARK not in value or value == current:
            found.append((key, value))
        elif isinstance(current, str) and without_secrets(current) == value:
            found.append((key, current))
        else:
            raise InvalidInputError(
                f"A part of the value of {clip(key, _SHOWN_CHARS)} is hidden",
                hint="Send the whole value.",
                key=key,
            )
    return found

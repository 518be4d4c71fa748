"""/api/update and /api/changelog: whether there is a newer version, and what is new in each."""

import asyncio
from typing import Annotated, Final

from litestar import Controller, get, post
from litestar.params import JSONBody, QueryParameter

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.serializers.updates import (
    changelog_reply,
    check_reply,
    config_reply,
    run_reply,
    update_config,
)
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError
from intaglio.base.events import Changed, SettingsChanged
from intaglio.base.settings.declaration import Scalar
from intaglio.base.settings.editing import SettingsEditor
from intaglio.updates.settings import UpdateSettings
from intaglio.updates.updates import Updates
from intaglio.wire import updates as wire
from intaglio.wire.status import Acknowledged

TOPIC: Final = "updates"

ForceQuery = Annotated[bool, QueryParameter()]


class UpdatesController(Controller):
    """Updates; Intaglio never replaces its own files."""

    tags = ("updates",)

    @get("/api/update/check", operation_id="checkForUpdate", opt=declare(Access.PROGRAM))
    async def check(
        self, services: Services, *, force: ForceQuery = False
    ) -> wire.UpdateCheckReply:
        """Return the newest version that is known.

        With ``force``, the package manager that installed Intaglio is asked first, by its own
        configuration; what it said at most ten seconds ago is used again.
        """
        updates = services.get(Updates)
        asked = force and await updates.check()
        if asked:
            services.bus.publish(Changed(TOPIC, "updated", ()))
        return check_reply(updates, cached=not asked)

    @get("/api/update/config", operation_id="getUpdateConfig", opt=declare(Access.PROGRAM))
    async def config(self, services: Services) -> wire.UpdateConfigReply:
        """Return how updates are looked for."""
        return config_reply(services.get(Updates))

    @post(
        "/api/update/config",
        operation_id="changeUpdateConfig",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def change(
        self, services: Services, data: JSONBody[wire.UpdateConfigRequest]
    ) -> wire.UpdateConfigChanged:
        """Change how updates are looked for; `autoInstall` true is refused (400)."""
        changes = _changes(data)
        if changes:
            editor = services.get(SettingsEditor)
            await asyncio.to_thread(editor.change, changes, confirmed=False)
            services.bus.publish(SettingsChanged())
            services.bus.publish(Changed("settings", "updated", tuple(key for key, _ in changes)))
        return wire.UpdateConfigChanged(
            config=update_config(services.settings().of(UpdateSettings))
        )

    @post(
        "/api/update/run",
        operation_id="runUpdate",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def run(
        self, services: Services, data: JSONBody[wire.UpdateRunRequest]
    ) -> wire.UpdateRunReply:
        """Run the package manager's own command, if it needs no administrator and is confirmed.

        Otherwise the reply has `success` false, and the command for the user's shell. Waits until
        the manager ends; 409 while it runs already.
        """
        updates = services.get(Updates)
        outcome = await updates.run(confirmed=data.confirmed)
        services.bus.publish(Changed(TOPIC, "updated", ()))
        return run_reply(updates, outcome)

    @get("/api/changelog", operation_id="getChangelog", opt=declare(Access.PROGRAM))
    async def changelog(self, services: Services) -> wire.ChangelogReply:
        """Return what is new in each version, newest first."""
        updates = services.get(Updates)
        return changelog_reply(updates, await updates.releases())

    @post(
        "/api/changelog/seen",
        operation_id="markChangelogSeen",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def seen(self, services: Services) -> Acknowledged:
        """Mark the changes of the running version and of all before as seen."""
        await services.get(Updates).mark_seen()
        return Acknowledged()


def _changes(data: wire.UpdateConfigRequest) -> list[tuple[str, Scalar | None]]:
    if data.auto_install or data.auto_install_camel:
        raise InvalidInputError(
            "Intaglio doesn't install updates by itself",
            hint="Switch on updates.check to be told of them, and install them with the command "
            "that is shown.",
        )
    interval = data.check_interval_camel if data.check_interval is None else data.check_interval
    wanted: dict[str, Scalar | None] = {
        "updates.check": data.check,
        "updates.channel": data.channel,
        "updates.checkInterval": interval,
    }
    return [(key, value) for key, value in wanted.items() if value is not None]

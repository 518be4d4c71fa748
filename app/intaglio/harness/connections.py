"""Lists the harnesses on this machine, their connection state and last activity."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from intaglio.base.errors import UnavailableError
from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.connect.connector import Connector
from intaglio.connect.values import ConnectionRefused, ConnectionState
from intaglio.harness.activity import HookActivity
from intaglio.sessions import rows
from intaglio.store.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """A harness's connection; ``state`` is a refusal if its settings can't be changed safely."""

    harness: str
    label: str
    settings: Path
    is_installed: bool
    state: ConnectionState | ConnectionRefused
    last_hook_at: str | None
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Connections:
    """Reads the harnesses' own settings; writes nothing.

    ``pythons`` are the interpreters that a connected hook may use. ``command`` returns the
    terminal command that connects a harness.
    """

    db: Database
    activity: HookActivity
    connectors: Mapping[str, Connector]
    paths: Paths
    install: Installation
    pythons: tuple[str, ...]
    home: Callable[[], Path]
    env: Mapping[str, str]
    command: Callable[[str], str]

    async def all(self) -> tuple[Connection, ...]:
        """List every harness that can be connected, those on this machine first."""
        try:
            last_active = await self.db.read(rows.last_activity)
        except UnavailableError:
            # The settings can be read without the database.
            last_active = {}
        found = await asyncio.to_thread(
            lambda: [self._connection(one, last_active) for one in self.connectors.values()]
        )
        return tuple(sorted(found, key=lambda one: (not one.is_installed, one.label)))

    def _connection(self, connector: Connector, last_active: Mapping[str, str]) -> Connection:
        settings = connector.settings_file(self.home(), self.env)
        times = (last_active.get(connector.name), self.activity.last(connector.name))
        return Connection(
            harness=connector.name,
            label=connector.label,
            settings=settings,
            is_installed=connector.is_installed(self.home(), self.env),
            state=self._state(connector, settings),
            last_hook_at=max((at for at in times if at), default=None),
            command=self.command(connector.name),
        )

    def _state(self, connector: Connector, settings: Path) -> ConnectionState | ConnectionRefused:
        """Return the best state for any of the interpreters.

        `intaglio` may run in ``python3`` while the daemon runs in ``python`` of the same folder.
        """
        state: ConnectionState | ConnectionRefused = "not"
        for python in self.pythons:
            state = connector.state(settings, self.paths, self.install, python)
            if state == "connected":
                break
        return state


def interpreters(python: str) -> tuple[str, ...]:
    """List an interpreter's names in its folder, the given one first."""
    folder = Path(python).parent
    names = ("python", "python3", "python.exe")
    siblings = [str(folder / name) for name in names if (folder / name).is_file()]
    return tuple(dict.fromkeys([python, *siblings]))

"""Which harnesses are on this machine, which are connected, and when each was last heard from."""

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
    """How one harness stands; ``state`` is Refused where its settings cannot be changed safely."""

    harness: str
    label: str
    settings: Path
    is_installed: bool
    state: ConnectionState | ConnectionRefused
    last_hook_at: str | None
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Connections:
    """Looks at the harnesses' own settings and writes nothing.

    ``pythons`` are the interpreters that a connected hook may name. ``command`` returns the command
    line that connects a harness, as it can be typed.
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
            heard = await self.db.read(rows.last_heard)
        except UnavailableError:
            # The settings can be looked at all the same.
            heard = {}
        found = await asyncio.to_thread(
            lambda: [self._look(one, heard) for one in self.connectors.values()]
        )
        return tuple(sorted(found, key=lambda one: (not one.is_installed, one.label)))

    def _look(self, connector: Connector, heard: Mapping[str, str]) -> Connection:
        settings = connector.settings_file(self.home(), self.env)
        times = (heard.get(connector.name), self.activity.last(connector.name))
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
        """Return the best that any of the interpreters makes of it.

        `intaglio` may run in ``python3`` where the daemon runs in ``python`` of the same folder.
        """
        state: ConnectionState | ConnectionRefused = "not"
        for python in self.pythons:
            state = connector.state(settings, self.paths, self.install, python)
            if state == "connected":
                break
        return state


def interpreters(python: str) -> tuple[str, ...]:
    """List the names under which an interpreter's folder holds it, as given first."""
    folder = Path(python).parent
    names = ("python", "python3", "python.exe")
    beside = [str(folder / name) for name in names if (folder / name).is_file()]
    return tuple(dict.fromkeys([python, *beside]))

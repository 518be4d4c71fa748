"""A harness's settings on this machine: reads their connection state and plans its changes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.connect.connector import Connector
from intaglio.connect.values import ConnectionPlan, ConnectionRefused, ConnectionState


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionTarget:
    """One harness's settings in a user's home; writes nothing.

    ``pythons`` are the interpreters that a connected hook may use, the preferred one first:
    `intaglio` may run in ``python3`` while the daemon runs in ``python`` of the same folder.
    """

    connector: Connector
    paths: Paths
    pythons: tuple[str, ...]
    home: Callable[[], Path]
    env: Mapping[str, str]

    @property
    def settings(self) -> Path:
        """The settings that connecting changes."""
        return self.connector.settings_file(self.home(), self.env)

    @property
    def is_installed(self) -> bool:
        """Whether the harness is on this machine."""
        return self.connector.is_installed(self.home(), self.env)

    def state(self, installation: Installation) -> ConnectionState | ConnectionRefused:
        """Return the best state for any of the interpreters."""
        return self._best(installation)[0]

    def plan_connect(self, installation: Installation) -> ConnectionPlan | ConnectionRefused:
        """Plan to add the hooks; hooks that already run in one of the interpreters stay."""
        _, python = self._best(installation)
        return self.connector.plan_connect(self.settings, self.paths, installation, python)

    def plan_disconnect(self) -> ConnectionPlan | ConnectionRefused:
        """Plan to remove the hooks."""
        return self.connector.plan_disconnect(self.settings, self.paths)

    def _best(self, installation: Installation) -> tuple[ConnectionState | ConnectionRefused, str]:
        settings = self.settings
        for python in self.pythons:
            state = self.connector.state(settings, self.paths, installation, python)
            # Without hooks of ours, the interpreter makes no difference.
            if state != "partly":
                return state, python
        return "partly", self.pythons[0]


def interpreters(python: str) -> tuple[str, ...]:
    """List an interpreter's names in its folder, the given one first."""
    folder = Path(python).parent
    names = ("python", "python3", "python.exe")
    siblings = [str(folder / name) for name in names if (folder / name).is_file()]
    return tuple(dict.fromkeys([python, *siblings]))

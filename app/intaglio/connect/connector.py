"""The protocol of what connects a harness: it changes the user's own settings, and back again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.connect.values import ConnectionPlan, ConnectionRefused, ConnectionState, FileToWrite


@runtime_checkable
class Connector(Protocol):
    """Connects one harness; the ``connector.py`` of the harness's folder exports one as CONNECTOR.

    It runs in the command line with the daemon down, so it imports nothing but `intaglio.connect`
    and `intaglio.base`. Nothing here writes: a plan says what would be written, and
    `intaglio.connect.plans.apply` carries any plan out. `intaglio.connect` has what most need:
    `plans` opens the user's file and keeps the record that takes a change back byte for byte,
    `json_hooks` merges hooks into JSON settings, `files` renders the hook program.

    What every connector promises, held by the tests for each one that there is: connect, then
    disconnect, leaves each byte of the settings as it was; a second connect changes nothing; a
    file that cannot be merged safely is refused and left alone; tokens and ports stand in our own
    files only, never in the user's.
    """

    @property
    def name(self) -> str:
        """The folder's name with hyphens: what the command line and the endpoint call it."""
        ...

    @property
    def label(self) -> str:
        """The name as its makers write it."""
        ...

    def settings_file(self, home: Path, env: Mapping[str, str]) -> Path:
        """Name the user's settings that connecting changes."""
        ...

    def is_installed(self, home: Path, env: Mapping[str, str]) -> bool:
        """Tell whether the harness is on this machine: its configuration folder or its program."""
        ...

    def hook_files(
        self, paths: Paths, installation: Installation, port: int | None = None
    ) -> tuple[FileToWrite, ...]:
        """Render the files of our own that the settings point at (default: the known port).

        The daemon writes them anew at each start, so that the settings never have to change.
        """
        ...

    def plan_connect(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionPlan | ConnectionRefused:
        """Plan to add our hooks; ``python`` runs the hook program."""
        ...

    def plan_disconnect(self, settings: Path, paths: Paths) -> ConnectionPlan | ConnectionRefused:
        """Plan to take our hooks out; files in our own folder stay for sessions that still run."""
        ...

    def state(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionState | ConnectionRefused:
        """Tell whether it is connected as a plan made now would connect it."""
        ...

"""The protocol of a connector, which adds hooks to a harness's settings and removes them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.connect.tools.included_tools import IncludedTools
from intaglio.connect.tools.mcp_servers import McpServers
from intaglio.connect.values import (
    Concern,
    ConnectionPlan,
    ConnectionRefused,
    ConnectionState,
    FileToWrite,
    ProbeCommand,
)


@runtime_checkable
class Connector(Protocol):
    """Connects one harness; its folder's ``connector.py`` exports one as CONNECTOR.

    It runs in the command line without the daemon, so it imports only `intaglio.connect` and
    `intaglio.base`. It never writes: a plan describes the changes, and
    `intaglio.connect.plans.apply` applies it. `intaglio.connect` has the common building blocks:
    `plans` opens the user's files and keeps a record to undo a change byte for byte, `json_hooks`
    merges hooks into JSON settings, `file_entries` adds an entry to a JSON or TOML file or writes a
    file of our own, `hook_files` renders the hook program. A plan may change several files: all are
    written, or none. `targets` adds the MCP program to the list of MCP servers that the connector
    names.

    The tests check for every connector that connect followed by disconnect restores each byte of
    the settings and of that list; that a second connect changes nothing; that a file that can't be
    merged safely is refused and left alone; and that tokens are only in our own files.
    """

    @property
    def name(self) -> str:
        """The folder's name with hyphens, as used by the command line and the endpoint."""
        ...

    @property
    def label(self) -> str:
        """The display name."""
        ...

    @property
    def program(self) -> str:
        """The name of the harness's program, empty if it has none."""
        ...

    @property
    def driven_version(self) -> str:
        """The version of the real harness that the tests drive.

        Empty if the harness isn't driven: then this folder follows its documentation only.
        """
        ...

    @property
    def has_agent_workspaces(self) -> bool:
        """Whether each of its agents has a folder of its own with files of instructions."""
        ...

    def settings_file(self, home: Path, env: Mapping[str, str]) -> Path:
        """Return the path of the settings that connecting changes, the first file of a plan."""
        ...

    def is_installed(self, home: Path, env: Mapping[str, str]) -> bool:
        """Whether the harness's configuration folder or program is on this machine."""
        ...

    def mcp_servers(self, home: Path, env: Mapping[str, str]) -> McpServers | IncludedTools | None:
        """Return the harness's list of MCP servers; None if it has none that can be changed."""
        ...

    def instructions_file(self, home: Path, env: Mapping[str, str]) -> Path | None:
        """Return the file of instructions that the harness reads in every session.

        None if it has none for all projects.
        """
        ...

    def hook_files(self, paths: Paths, installation: Installation) -> tuple[FileToWrite, ...]:
        """Render our own files that the settings refer to.

        The daemon rewrites them at each start, so that the settings never have to change.
        """
        ...

    def plan_connect(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionPlan | ConnectionRefused:
        """Plan to add the hooks; ``python`` runs the hook program."""
        ...

    def plan_disconnect(self, settings: Path, paths: Paths) -> ConnectionPlan | ConnectionRefused:
        """Plan to remove the hooks; our own files stay for sessions that are still running."""
        ...

    def state(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionState | ConnectionRefused:
        """Return whether the settings match what a plan made now would write."""
        ...

    def concerns(self, settings: Path, paths: Paths, env: Mapping[str, str]) -> tuple[Concern, ...]:
        """Return what keeps hooks that are in the settings from running, such as missing trust.

        Called for a connected harness. It may read files, but runs no program.
        """
        ...

    def probe(self, settings: Path, paths: Paths, session: str) -> ProbeCommand | None:
        """Return how the harness would run the hook of a session's start, by the settings.

        Where the model is told nothing then, it is the hook of a prompt. ``session`` is the id to
        report. None if it isn't there, or can't be run by itself.
        """
        ...

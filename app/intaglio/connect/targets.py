"""A harness's settings on this machine: reads their connection state and plans its changes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.connect.connector import Connector
from intaglio.connect.instructions import plan_block_removal, sync_note
from intaglio.connect.mcp_files import mcp_command, mcp_files
from intaglio.connect.plans import connected_folders
from intaglio.connect.tools.included_tools import IncludedTools
from intaglio.connect.tools.mcp_servers import SERVER_NAME, McpServers
from intaglio.connect.values import (
    Concern,
    ConnectionPlan,
    ConnectionRefused,
    ConnectionState,
    FileChange,
    ProbeCommand,
    ToolsChange,
    ToolsState,
)


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
    def instructions_file(self) -> Path | None:
        """The file of instructions that the harness reads in every session, if it has one."""
        return self.connector.instructions_file(self.home(), self.env)

    @property
    def is_installed(self) -> bool:
        """Whether the harness is on this machine."""
        return self.connector.is_installed(self.home(), self.env)

    def state(self, installation: Installation) -> ConnectionState | ConnectionRefused:
        """Return the best state for any of the interpreters."""
        return self._best(installation)[0]

    def is_left_over(
        self, state: ConnectionState | ConnectionRefused, tools: ToolsState | ConnectionRefused
    ) -> bool:
        """Whether there are hooks or an MCP server of ours that this installation didn't write."""
        has_ours = state == "partly" or (state == "not" and tools == "outdated")
        return has_ours and not connected_folders(self.connector.name, self.paths)

    def was_removed(self, state: ConnectionState | ConnectionRefused) -> bool:
        """Whether hooks that this installation wrote are gone, and it didn't remove them.

        Disconnecting, here or by the command line, deletes the record of what was written.
        """
        return state == "not" and self.settings.parent in connected_folders(
            self.connector.name, self.paths
        )

    def concerns(self) -> tuple[Concern, ...]:
        """Return what keeps hooks that are in the settings from running."""
        return self.connector.concerns(self.settings, self.paths, self.env)

    def probe(self, session: str) -> ProbeCommand | None:
        """Return how the harness would run its hook of a session's start, by the settings."""
        return self.connector.probe(self.settings, self.paths, session)

    def tools_state(self, installation: Installation) -> ToolsState | ConnectionRefused:
        """Return whether the harness's agents can use the tools of our MCP program."""
        servers = self._servers
        if not isinstance(servers, McpServers):
            return "unsupported" if servers is None else "included"
        state = servers.state(self.paths, self._mcp_commands())
        there = all(file.is_there() for file in mcp_files(self.paths, installation))
        return "outdated" if state == "registered" and not there else state

    def plan_connect(
        self, installation: Installation, *, tools: bool | None = None
    ) -> ConnectionPlan | ConnectionRefused:
        """Plan to add the hooks; hooks that already run in one of the interpreters stay.

        ``tools`` says whether the MCP program is registered too; None: as the user chose last, or
        registered. If it can't be, a note of the plan says why.
        """
        _, python = self._best(installation)
        plan = self.connector.plan_connect(self.settings, self.paths, installation, python)
        if not isinstance(plan, ConnectionRefused) and plan.connects:
            file = self.instructions_file
            note = sync_note(file, self.paths) if file else None
            plan = replace(plan, notes=(*plan.notes, *([note] if note else [])))
        servers = self._servers
        if isinstance(plan, ConnectionRefused) or servers is None:
            return plan
        files = {file.path: file for file in (*plan.files, *mcp_files(self.paths, installation))}
        plan = replace(plan, files=tuple(files.values()))
        if isinstance(servers, IncludedTools):
            return plan
        commands = self._mcp_commands(python)
        plan = _with_tools(plan, servers, servers.plan(self.paths, commands, wanted=tools))
        if tools is False or servers.state(self.paths, commands) != "foreign":
            return plan
        note = (
            f"{servers.file} has another MCP server named {SERVER_NAME}, which is left as it is. "
            "To use Intaglio's tools, rename that server, then connect again."
        )
        return replace(plan, notes=(*plan.notes, note))

    def plan_disconnect(self) -> ConnectionPlan | ConnectionRefused:
        """Plan to remove the hooks, the MCP program and the block of instructions."""
        plan = self.connector.plan_disconnect(self.settings, self.paths)
        file = self.instructions_file
        if file is not None and not isinstance(plan, ConnectionRefused):
            match plan_block_removal(file, self.paths):
                case FileChange() as change:
                    plan = replace(plan, others=(*plan.others, change))
                case str(why):
                    plan = replace(plan, notes=(*plan.notes, why))
                case None:
                    pass
        servers = self._servers
        if isinstance(plan, ConnectionRefused) or not isinstance(servers, McpServers):
            return plan
        return _with_tools(plan, servers, servers.plan_removal(self.paths))

    @property
    def _servers(self) -> McpServers | IncludedTools | None:
        return self.connector.mcp_servers(self.home(), self.env)

    def _mcp_commands(self, first: str = "") -> list[list[str]]:
        pythons = dict.fromkeys([first or self.pythons[0], *self.pythons])
        return [mcp_command(self.paths, python, self.connector.name) for python in pythons]

    def _best(self, installation: Installation) -> tuple[ConnectionState | ConnectionRefused, str]:
        settings = self.settings
        for python in self.pythons:
            state = self.connector.state(settings, self.paths, installation, python)
            # Without hooks of ours, the interpreter makes no difference.
            if state != "partly":
                return state, python
        return "partly", self.pythons[0]


def _with_tools(
    plan: ConnectionPlan, servers: McpServers, change: ToolsChange | ConnectionRefused
) -> ConnectionPlan:
    """Add the change of the list of MCP servers, or a note that says why there is none."""
    if isinstance(change, ConnectionRefused):
        note = f"{servers.file} can't be changed, so the tools stay as they are. {change.reason}"
        return replace(plan, notes=(*plan.notes, f"{note} {change.hint}"))
    return replace(plan, tools=change)


def interpreters(python: str) -> tuple[str, ...]:
    """List an interpreter's names in its folder, the given one first."""
    folder = Path(python).parent
    names = ("python", "python3", "python.exe")
    siblings = [str(folder / name) for name in names if (folder / name).is_file()]
    return tuple(dict.fromkeys([python, *siblings]))

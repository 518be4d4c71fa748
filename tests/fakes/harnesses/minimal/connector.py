"""Connects the minimal harness: one line in its own settings, ``hook = python3 …``."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.connect.connector import Connector
from intaglio.connect.hook_files import hook_files, program_file
from intaglio.connect.plans import OpenedSettings, open_settings, plan_connection, plan_removal
from intaglio.connect.tools.mcp_servers import McpServers
from intaglio.connect.values import (
    Concern,
    ConnectionPlan,
    ConnectionRecord,
    ConnectionRefused,
    ConnectionState,
    FileToWrite,
    ProbeCommand,
)

_FIELDS: Final = {"event": "kind", "session": "talk", "cwd": "folder", "transcript_path": "log"}


class MinimalConnector:
    """Appends the line, and takes it out again."""

    name = "minimal"
    label = "Minimal Agent"
    program = ""
    driven_version = ""
    has_agent_workspaces = False

    def settings_file(self, home: Path, env: Mapping[str, str]) -> Path:
        del env
        return home / ".minimal" / "settings.conf"

    def is_installed(self, home: Path, env: Mapping[str, str]) -> bool:
        return self.settings_file(home, env).parent.is_dir()

    def mcp_servers(self, home: Path, env: Mapping[str, str]) -> McpServers:
        return McpServers(
            harness=self.name, file=self.settings_file(home, env).with_name("servers.json")
        )

    def instructions_file(self, home: Path, env: Mapping[str, str]) -> None:
        del home, env

    def hook_files(self, paths: Paths, installation: Installation) -> tuple[FileToWrite, ...]:
        return hook_files(self.name, _FIELDS, paths, installation)

    def plan_connect(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionPlan | ConnectionRefused:
        opened = open_settings(self.name, settings, paths)
        if isinstance(opened, ConnectionRefused):
            return opened
        line = _line(paths, python)
        text, record, files = opened.text, opened.record, self.hook_files(paths, installation)
        if line not in text:
            rest = _without(opened)
            fragment = line if rest.endswith("\n") or not rest else "\n" + line
            text = rest + fragment
            record = ConnectionRecord(
                settings=str(settings), created=opened.created, fragments=(fragment,), containers=()
            )
        return plan_connection(opened, text, record, files)

    def plan_disconnect(self, settings: Path, paths: Paths) -> ConnectionPlan | ConnectionRefused:
        opened = open_settings(self.name, settings, paths)
        if isinstance(opened, ConnectionRefused):
            return opened
        rest = _without(opened)
        return plan_removal(opened, rest, empty=not rest)

    def state(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionState | ConnectionRefused:
        plan = self.plan_connect(settings, paths, installation, python)
        if isinstance(plan, ConnectionRefused):
            return plan
        if not plan.changed:
            return "connected"
        return (
            "partly"
            if str(program_file(paths.hooks, self.name)).encode() in (plan.settings.before or b"")
            else "not"
        )

    def concerns(self, settings: Path, paths: Paths, env: Mapping[str, str]) -> tuple[Concern, ...]:
        del settings, paths, env
        return ()

    def probe(self, settings: Path, paths: Paths, session: str) -> ProbeCommand | None:
        del settings, paths, session
        return None


CONNECTOR: Final[Connector] = MinimalConnector()


def _line(paths: Paths, python: str) -> str:
    return f"hook = {shlex.join([python, '-I', '-S', str(program_file(paths.hooks, 'minimal'))])}\n"


def _without(opened: OpenedSettings) -> str:
    text = opened.text
    for fragment in opened.record.fragments if opened.record else ():
        text = text.replace(fragment, "")
    return text

"""Connects the minimal harness: one line in its own settings, ``hook = python3 …``."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from intaglio.base.install import Install
from intaglio.base.paths import Paths
from intaglio.connect.connector import Connector
from intaglio.connect.files import hook_files, program_file
from intaglio.connect.plans import Opened, open_settings, plan_connection, plan_removal
from intaglio.connect.values import FileToWrite, Plan, Record, Refused, State

_FIELDS: Final = {"event": "kind", "session": "talk", "cwd": "folder", "transcript_path": "log"}


class MinimalConnector:
    """Appends the line, and takes it out again."""

    name = "minimal"
    label = "Minimal Agent"

    def settings_file(self, home: Path, env: Mapping[str, str]) -> Path:
        del env
        return home / ".minimal" / "settings.conf"

    def is_installed(self, home: Path, env: Mapping[str, str]) -> bool:
        return self.settings_file(home, env).parent.is_dir()

    def hook_files(
        self, paths: Paths, install: Install, port: int | None = None
    ) -> tuple[FileToWrite, ...]:
        return hook_files(self.name, _FIELDS, paths, install, port)

    def plan_connect(
        self, settings: Path, paths: Paths, install: Install, python: str
    ) -> Plan | Refused:
        opened = open_settings(self.name, settings, paths)
        if isinstance(opened, Refused):
            return opened
        line = _line(paths, python)
        text, record, files = opened.text, opened.record, self.hook_files(paths, install)
        if line not in text:
            rest = _without(opened)
            fragment = line if rest.endswith("\n") or not rest else "\n" + line
            text = rest + fragment
            record = Record(
                settings=str(settings), created=opened.created, fragments=(fragment,), containers=()
            )
        return plan_connection(opened, text, record, files)

    def plan_disconnect(self, settings: Path, paths: Paths) -> Plan | Refused:
        opened = open_settings(self.name, settings, paths)
        if isinstance(opened, Refused):
            return opened
        rest = _without(opened)
        return plan_removal(opened, rest, empty=not rest)

    def state(self, settings: Path, paths: Paths, install: Install, python: str) -> State | Refused:
        plan = self.plan_connect(settings, paths, install, python)
        if isinstance(plan, Refused):
            return plan
        if not plan.changed:
            return "connected"
        return (
            "partly"
            if str(program_file(paths.hooks, self.name)).encode() in (plan.before or b"")
            else "not"
        )


CONNECTOR: Final[Connector] = MinimalConnector()


def _line(paths: Paths, python: str) -> str:
    return f"hook = {shlex.join([python, '-I', '-S', str(program_file(paths.hooks, 'minimal'))])}\n"


def _without(opened: Opened) -> str:
    text = opened.text
    for fragment in opened.record.fragments if opened.record else ():
        text = text.replace(fragment, "")
    return text

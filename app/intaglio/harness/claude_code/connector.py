"""Connects Claude Code: our hooks in its ``settings.json``."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.connect.connector import Connector
from intaglio.connect.hook_files import curl_file, endpoint, hook_files, program_file
from intaglio.connect.hook_settings import Handler
from intaglio.connect.json_hooks import JsonHooks, has_flag
from intaglio.connect.values import ConnectionPlan, ConnectionRefused, ConnectionState, FileToWrite

NAME: Final = "claude-code"
LABEL: Final = "Claude Code"
_PROGRAM: Final = "claude"
OLDER_PATHS: Final = ("/api/hooks/claude-code",)

# What its payloads call the fields of a spooled event.
_FIELDS: Final = {
    "event": "hook_event_name",
    "session": "session_id",
    "cwd": "cwd",
    "transcript_path": "transcript_path",
    "reason": "reason",
    "agent_id": "agent_id",
}
_HOOKS: Final = JsonHooks(NAME, (endpoint(NAME), *OLDER_PATHS))
_SWITCHED_OFF: Final = "disableAllHooks"


@dataclass(frozen=True, slots=True)
class ClaudeCodeConnector:
    """Adds four hooks; ``curl`` says whether curl can be used (None: look for it)."""

    curl: bool | None = None

    @property
    def name(self) -> str:
        """The harness's name."""
        return NAME

    @property
    def label(self) -> str:
        """The name as its makers write it."""
        return LABEL

    def settings_file(self, home: Path, env: Mapping[str, str]) -> Path:
        """Name the user's settings."""
        return configuration(home, env) / "settings.json"

    def is_installed(self, home: Path, env: Mapping[str, str]) -> bool:
        """Tell whether it is on this machine: its configuration folder or its program."""
        program = shutil.which(_PROGRAM, path=env.get("PATH", ""))
        return program is not None or configuration(home, env).is_dir()

    def hook_files(
        self, paths: Paths, installation: Installation, port: int | None = None
    ) -> tuple[FileToWrite, ...]:
        """Render the curl file and the hook program."""
        return hook_files(NAME, _FIELDS, paths, installation, port)

    def plan_connect(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionPlan | ConnectionRefused:
        """Plan to add our hooks."""
        wanted = self._handlers(paths.hooks, python)
        files = self.hook_files(paths, installation)
        plan = _HOOKS.plan_connect(settings, paths, wanted, files)
        if isinstance(plan, ConnectionPlan) and has_flag(plan.after, _SWITCHED_OFF):
            note = f"{_SWITCHED_OFF} is true in these settings, so {LABEL} runs no hooks."
            return replace(plan, notes=(note,))
        return plan

    def plan_disconnect(self, settings: Path, paths: Paths) -> ConnectionPlan | ConnectionRefused:
        """Plan to take our hooks out."""
        return _HOOKS.plan_disconnect(settings, paths)

    def state(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionState | ConnectionRefused:
        """Tell whether it is connected as a plan made now would connect it."""
        return _HOOKS.state(self.plan_connect(settings, paths, installation, python), paths)

    def _handlers(self, hooks: Path, python: str) -> dict[str, Handler]:
        """Return the handler of each event, in the order in which they are written.

        Time-outs are in seconds. No HTTP hook: Claude Code never runs one at a session's start, and
        at a prompt it shows an error whenever the daemon is away.
        """
        program = [python, "-I", "-S", str(program_file(hooks, NAME))]
        quick = ["curl", "-q", "-K", str(curl_file(hooks, NAME))]
        has_curl = shutil.which("curl") is not None if self.curl is None else self.curl
        asking = quick if has_curl else [*program, "--reply"]
        return {
            "SessionStart": _command(asking, 5),
            "UserPromptSubmit": _command(asking, 3),
            "Stop": {**_command(program, 10), "async": True},
            "SessionEnd": _command(program, 5),
        }


CONNECTOR: Final[Connector] = ClaudeCodeConnector()


def configuration(home: Path, env: Mapping[str, str]) -> Path:
    """Name the folder of the user's configuration."""
    configured = env.get("CLAUDE_CONFIG_DIR", "").strip()
    return Path(configured) if configured else home / ".claude"


def _command(argv: list[str], timeout_s: int) -> Handler:
    return {"type": "command", "command": argv[0], "args": argv[1:], "timeout": timeout_s}

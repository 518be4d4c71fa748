"""Connects Claude Code: hooks in its ``settings.json``, our MCP program in ``.claude.json``."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, cast

from intaglio.base.files.regular_file import read_regular
from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.connect.connector import Connector
from intaglio.connect.curl import curl_reaches_daemon, may_use_socket
from intaglio.connect.hook_commands import HookTask, hook_command
from intaglio.connect.hook_files import endpoint, hook_files
from intaglio.connect.hook_json import PayloadFields
from intaglio.connect.hook_settings import Handler, WantedHook
from intaglio.connect.json_hooks import JsonHooks, has_flag
from intaglio.connect.tools.mcp_servers import SERVER_NAME, McpServers
from intaglio.connect.values import (
    Concern,
    ConnectionPlan,
    ConnectionRefused,
    ConnectionState,
    FileToWrite,
    ProbeCommand,
)

NAME: Final = "claude-code"
LABEL: Final = "Claude Code"
_PROGRAM: Final = "claude"
_EDITS: Final = "Edit|Write|MultiEdit|NotebookEdit"
OLDER_PATHS: Final = ("/api/hooks/claude-code",)

_DIRECTORY: Final = "CLAUDE_PROJECT_DIR"
_HOOKS: Final = JsonHooks(NAME, (endpoint(NAME), *OLDER_PATHS))
_SWITCHED_OFF: Final = "disableAllHooks"
_NO_HOOKS: Final = f"{_SWITCHED_OFF} is true in these settings, so {LABEL} runs no hooks."
_EVERYWHERE: Final = ("--scope", "user")
_NO_TRAFFIC: Final = "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"


@dataclass(frozen=True, slots=True)
class ClaudeCodeConnector:
    """Adds seven hooks; ``curl`` says whether curl can reach the daemon (None: find out)."""

    curl: bool | None = None

    @property
    def name(self) -> str:
        """The harness's name."""
        return NAME

    @property
    def label(self) -> str:
        """The display name."""
        return LABEL

    @property
    def program(self) -> str:
        """The name of its program."""
        return _PROGRAM

    @property
    def driven_version(self) -> str:
        """The version that the tests drive."""
        return "2.1.330"

    def settings_file(self, home: Path, env: Mapping[str, str]) -> Path:
        """Return the path of the user's settings."""
        return configuration(home, env) / "settings.json"

    def is_installed(self, home: Path, env: Mapping[str, str]) -> bool:
        """Whether its configuration folder or program is on this machine."""
        program = shutil.which(_PROGRAM, path=env.get("PATH", ""))
        return program is not None or configuration(home, env).is_dir()

    def mcp_servers(self, home: Path, env: Mapping[str, str]) -> McpServers:
        """Return the list of the servers that are there in every project."""
        program = shutil.which(_PROGRAM, path=env.get("PATH", ""))
        mcp = (program, "mcp") if program else ()
        return McpServers(
            harness=NAME,
            file=(configuration(home, env) if _configured(env) else home) / ".claude.json",
            add=(*mcp, "add", *_EVERYWHERE, SERVER_NAME, "--") if mcp else (),
            remove=(*mcp, "remove", *_EVERYWHERE, SERVER_NAME) if mcp else (),
            env={**env, "HOME": str(home), _NO_TRAFFIC: "1"},
            folder=home,
        )

    def hook_files(self, paths: Paths, installation: Installation) -> tuple[FileToWrite, ...]:
        """Render the curl config and the hook program."""
        return hook_files(
            NAME,
            PayloadFields().spooled,
            paths,
            installation,
            curl=may_use_socket(paths),
            directory=_DIRECTORY,
        )

    def plan_connect(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionPlan | ConnectionRefused:
        """Plan to add the hooks."""
        wanted = _handlers(paths.hooks, python, curl=self._uses_curl(paths))
        files = self.hook_files(paths, installation)
        plan = _HOOKS.plan_connect(settings, paths, wanted, files)
        if isinstance(plan, ConnectionPlan) and has_flag(plan.settings.after, _SWITCHED_OFF):
            return replace(plan, notes=(*plan.notes, _NO_HOOKS))
        return plan

    def plan_disconnect(self, settings: Path, paths: Paths) -> ConnectionPlan | ConnectionRefused:
        """Plan to remove the hooks."""
        return _HOOKS.plan_disconnect(settings, paths)

    def state(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionState | ConnectionRefused:
        """Return whether the settings match what a plan made now would write."""
        return _HOOKS.state(self.plan_connect(settings, paths, installation, python), paths)

    def concerns(self, settings: Path, paths: Paths, env: Mapping[str, str]) -> tuple[Concern, ...]:
        """Return whether the settings switch all hooks off."""
        del paths, env
        try:
            content = read_regular(settings)
        except OSError:
            return ()
        if not has_flag(content, _SWITCHED_OFF):
            return ()
        return (Concern(_NO_HOOKS, f"Remove {_SWITCHED_OFF} from {settings}."),)

    def probe(self, settings: Path, paths: Paths, session: str) -> ProbeCommand | None:
        """Return the hook of a session's start."""
        handler = _HOOKS.handler_of(settings, paths, "SessionStart")
        if handler is None:
            return None
        payload = {"hook_event_name": "SessionStart", "session_id": session, "source": "startup"}
        args = cast("list[str]", handler.get("args", []))
        return ProbeCommand(
            argv=(str(handler["command"]), *args), stdin=json.dumps(payload).encode()
        )

    def _uses_curl(self, paths: Paths) -> bool:
        return curl_reaches_daemon(paths) if self.curl is None else self.curl


CONNECTOR: Final[Connector] = ClaudeCodeConnector()


def configuration(home: Path, env: Mapping[str, str]) -> Path:
    """Return the user's configuration folder."""
    configured = _configured(env)
    return Path(configured) if configured else home / ".claude"


def _configured(env: Mapping[str, str]) -> str:
    return env.get("CLAUDE_CONFIG_DIR", "").strip()


def _handlers(hooks: Path, python: str, *, curl: bool) -> dict[str, WantedHook]:
    """Return the hook of each event, in the order they are written.

    Timeouts are in seconds. HTTP hooks aren't used: Claude Code doesn't run them at a session's
    start, and shows an error at every prompt while the daemon is down. What an edit comes near is
    told after it: the model reads it no later than what a hook before the edit returns, and a hook
    behind it can neither block nor change the edit. It is asked for, never spooled.
    """

    def handler(task: HookTask, timeout_s: int) -> Handler:
        command, *args = hook_command(NAME, hooks, python, task, curl=curl)
        return {"type": "command", "command": command, "args": args, "timeout": timeout_s}

    return {
        "SessionStart": WantedHook(handler("reply", 5)),
        "UserPromptSubmit": WantedHook(handler("reply", 3)),
        "PostToolUse": WantedHook(handler("ask", 3), matcher=_EDITS),
        "PreCompact": WantedHook(handler("reply", 5)),
        "PostCompact": WantedHook({**handler("report", 10), "async": True}),
        "Stop": WantedHook({**handler("report", 10), "async": True}),
        "SessionEnd": WantedHook(handler("report", 5)),
    }

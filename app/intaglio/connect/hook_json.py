"""The connector of a harness that runs commands as hooks and gives them JSON, from a description.

Such a harness has JSON settings that list commands by event, and writes an event's JSON to the
standard input of each. `intaglio.harness.hook_json` reads that JSON.
"""

import json
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from intaglio.base.files.regular_file import read_regular
from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.connect.curl import curl_reaches_daemon, may_use_socket
from intaglio.connect.hook_commands import HookTask, hook_command, shell_command, shell_line
from intaglio.connect.hook_files import hook_files
from intaglio.connect.hook_settings import COMMANDS, GROUPED, Handler, HooksForm, WantedHook
from intaglio.connect.json_hooks import JsonHooks
from intaglio.connect.tools.mcp_servers import McpServers
from intaglio.connect.values import (
    Concern,
    ConnectionPlan,
    ConnectionRefused,
    ConnectionState,
    FileToWrite,
    ProbeCommand,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PayloadFields:
    """The names of an event's fields in the harness's JSON; the default ones are most common.

    With ``cwd_is_list``, ``cwd`` holds a list of directories, whose first counts. ``tool_input``
    holds what the agent gave the tool, an object.
    """

    event: str = "hook_event_name"
    session: str = "session_id"
    cwd: str = "cwd"
    cwd_is_list: bool = False
    transcript: str = "transcript_path"
    agent: str = "agent_id"
    source: str = "source"
    reason: str = "reason"
    prompt: str = "prompt"
    prompt_id: str = "prompt_id"
    tool: str = "tool_name"
    tool_input: str = "tool_input"
    summary: str = "compact_summary"

    @property
    def spooled(self) -> Mapping[str, str]:
        """The names of the fields that the hook program keeps while the daemon is down."""
        return {
            "event": self.event,
            "session": self.session,
            "cwd": self.cwd,
            "transcript_path": self.transcript,
            "reason": self.reason,
            "agent_id": self.agent,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class EventHook:
    """What runs at an event: what for, how long it may take, for which tools, and further keys."""

    task: HookTask
    timeout_s: int
    matcher: str = ""
    keys: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class HandlerKeys:
    """How a handler is written: the keys of its command, by system, and of its timeout.

    With ``args``, the key of the arguments, the harness runs the command itself; otherwise a shell
    does. ``per_second`` is the unit of the timeout: 1 for seconds, 1,000 for milliseconds. ``keys``
    are the further members of each.
    """

    command: str = "command"
    windows: str = "command"
    args: str = ""
    timeout: str = "timeout"
    per_second: int = 1
    keys: Mapping[str, object] = field(default_factory=lambda: {"type": "command"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsFolder:
    """A harness's folder in the home: ``name``, or what the environment's ``variable`` says."""

    name: str
    variable: str = ""

    def path(self, home: Path, env: Mapping[str, str]) -> Path:
        """Return the folder of a user's home."""
        set_to = env.get(self.variable, "").strip() if self.variable else ""
        return Path(set_to) if set_to else home / self.name

    def places(
        self, home: Path, env: Mapping[str, str], connected: Iterable[Path]
    ) -> Iterable[Path]:
        """Return where the folder may be, each once.

        In the home, where the environment says, and where the harness was connected.
        """
        return dict.fromkeys([home / self.name, self.path(home, env), *connected])


@dataclass(frozen=True, slots=True, kw_only=True)
class McpList:
    """The file with the harness's MCP servers, in its folder, and the key of their list."""

    file: str
    key: str = "mcpServers"


@dataclass(frozen=True, slots=True, kw_only=True)
class OffSwitch:
    """A setting that keeps hooks from running: its path of keys, and the value that does.

    It may also be a list with that value.
    """

    keys: tuple[str, ...]
    value: object

    def is_set(self, content: bytes | None) -> bool:
        """Whether the settings have that value."""
        try:
            found: object = json.loads((content or b"").decode("utf-8-sig"))
        except (ValueError, RecursionError):
            return False
        for key in self.keys:
            found = cast("dict[str, object]", found).get(key) if isinstance(found, dict) else None
        values = cast("list[object]", found) if isinstance(found, list) else [found]
        return any(each == self.value and type(each) is type(self.value) for each in values)

    @property
    def text(self) -> str:
        """What the settings have, in words."""
        verb = "is" if isinstance(self.value, bool) else "contains"
        return f"{'.'.join(self.keys)} {verb} {json.dumps(self.value)} in these settings"

    def hint(self, settings: Path) -> str:
        """Return what to do about it."""
        switch = ".".join(self.keys)
        if isinstance(self.value, bool):
            return f"Remove {switch} from {settings}."
        return f"Remove {json.dumps(self.value)} from {switch} in {settings}."


@dataclass(frozen=True, slots=True, kw_only=True)
class HookJsonConnector:
    """Connects a harness by its description; `intaglio.connect.connector.Connector` says the rest.

    ``settings`` is the file with the hooks, in the folder; ``hooks`` are in the order in which they
    are written. ``instructions`` is the file of instructions for all projects, in the folder, or
    empty. ``start`` is the event that a probe sends. ``directory`` is the environment
    variable of a hook that names the session's directory. ``endpoints`` are the paths of HTTP hooks
    that count as ours. ``curl`` says whether curl can reach the daemon (None: find out).
    """

    name: str
    label: str
    program: str
    folder: SettingsFolder
    settings: str
    hooks: Mapping[str, EventHook]
    driven_version: str = ""
    instructions: str = ""
    start: str = "SessionStart"
    fields: PayloadFields = PayloadFields()
    form: HooksForm = GROUPED
    handler: HandlerKeys = HandlerKeys()
    mcp: McpList | None = None
    off: tuple[OffSwitch, ...] = ()
    directory: str = ""
    endpoints: tuple[str, ...] = ()
    curl: bool | None = None

    @property
    def has_agent_workspaces(self) -> bool:
        """Whether its agents have folders of their own: they don't."""
        return False

    def settings_file(self, home: Path, env: Mapping[str, str]) -> Path:
        """Return the path of the file with the hooks."""
        return self.folder.path(home, env) / self.settings

    def is_installed(self, home: Path, env: Mapping[str, str]) -> bool:
        """Whether its folder or program is on this machine."""
        program = shutil.which(self.program, path=env.get("PATH", "")) if self.program else None
        return program is not None or self.folder.path(home, env).is_dir()

    def mcp_servers(self, home: Path, env: Mapping[str, str]) -> McpServers | None:
        """Return the list of MCP servers."""
        if self.mcp is None:
            return None
        file = self.folder.path(home, env) / self.mcp.file
        return McpServers(harness=self.name, file=file, key=self.mcp.key)

    def instructions_file(self, home: Path, env: Mapping[str, str]) -> Path | None:
        """Return the file of instructions for all projects."""
        return self.folder.path(home, env) / self.instructions if self.instructions else None

    def hook_files(self, paths: Paths, installation: Installation) -> tuple[FileToWrite, ...]:
        """Render the curl config and the hook program."""
        return hook_files(
            self.name,
            self.fields.spooled,
            paths,
            installation,
            curl=may_use_socket(paths),
            directory=self.directory,
        )

    def plan_connect(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionPlan | ConnectionRefused:
        """Plan to add the hooks."""
        uses_curl = curl_reaches_daemon(paths) if self.curl is None else self.curl
        wanted = {
            event: WantedHook(self._handler(hook, paths, python, curl=uses_curl), hook.matcher)
            for event, hook in self.hooks.items()
        }
        files = self.hook_files(paths, installation)
        plan = self._json_hooks.plan_connect(settings, paths, wanted, files)
        if isinstance(plan, ConnectionRefused):
            return plan
        off = [self._why_off(switch) for switch in self.off if switch.is_set(plan.settings.after)]
        return replace(plan, notes=(*plan.notes, *off))

    def plan_disconnect(self, settings: Path, paths: Paths) -> ConnectionPlan | ConnectionRefused:
        """Plan to remove the hooks."""
        return self._json_hooks.plan_disconnect(settings, paths)

    def state(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionState | ConnectionRefused:
        """Return whether the settings match what a plan made now would write."""
        plan = self.plan_connect(settings, paths, installation, python)
        return self._json_hooks.state(plan, paths)

    def concerns(self, settings: Path, paths: Paths, env: Mapping[str, str]) -> tuple[Concern, ...]:
        """Return which of the settings keep the hooks from running."""
        del paths, env
        try:
            content = read_regular(settings)
        except OSError:
            return ()
        return tuple(
            Concern(self._why_off(switch), switch.hint(settings))
            for switch in self.off
            if switch.is_set(content)
        )

    def probe(self, settings: Path, paths: Paths, session: str) -> ProbeCommand | None:
        """Return the hook of a session's start, as the harness runs it."""
        handler = self._json_hooks.handler_of(settings, paths, self.start) or {}
        command = next((str(handler[key]) for key in COMMANDS if key in handler), None)
        if command is None:
            return None
        names = self.fields
        payload = {names.event: self.start, names.session: session, names.source: "startup"}
        args = cast("list[str]", handler.get(self.handler.args, []))
        argv = (command, *args) if self.handler.args else shell_command(command)
        return ProbeCommand(argv=argv, stdin=json.dumps(payload).encode())

    @property
    def _json_hooks(self) -> JsonHooks:
        return JsonHooks(self.name, self.endpoints, self.form)

    def _why_off(self, switch: OffSwitch) -> str:
        return f"{switch.text}, so {self.label} doesn't run Intaglio's hooks."

    def _handler(self, hook: EventHook, paths: Paths, python: str, *, curl: bool) -> Handler:
        command = hook_command(self.name, paths.hooks, python, hook.task, curl=curl)
        keys = self.handler
        key = keys.windows if sys.platform == "win32" else keys.command
        run = {key: command[0], keys.args: command[1:]} if keys.args else {key: shell_line(command)}
        return {
            **keys.keys,
            **run,
            keys.timeout: hook.timeout_s * keys.per_second,
            **hook.keys,
        }

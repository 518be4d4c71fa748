"""Connects OpenClaw: a plugin in its extension folder, and the memory slot in ``openclaw.json``."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intaglio.base.files.regular_file import read_regular
from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.connect.connector import Connector
from intaglio.connect.file_entries import OwnFile
from intaglio.connect.hook_files import plugin_file, plugin_files
from intaglio.connect.json5_entries import value_at
from intaglio.connect.plans import plan_changes
from intaglio.connect.tools.mcp_servers import McpServers
from intaglio.connect.values import (
    Concern,
    ConnectionPlan,
    ConnectionRefused,
    ConnectionState,
    FileToWrite,
    ProbeCommand,
)
from intaglio.harness.openclaw.slot_entries import PLUGIN, SlotEntries

NAME: Final = "openclaw"
LABEL: Final = "OpenClaw"
_PROGRAM: Final = "openclaw"
_TITLE: Final = "Intaglio"
_SOURCE: Final = Path(__file__).with_name("plugin.js")

TOOLS: Final = (
    "memory_search",
    "memory_get",
    "memory_list",
    "memory_store",
    "memory_modify",
    "memory_forget",
    "memory_feedback",
    "knowledge_expand",
    "session_bypass",
)
"""The tools that the plugin may offer: OpenClaw asks its manifest before it loads it."""

# Without Intaglio's own files, as when Intaglio was deleted but not disconnected, it does nothing.
# The name of a plugin that OpenClaw can't find would make its whole configuration invalid.
_LOADER: Final = """\
// Intaglio's memory plugin; `intaglio disconnect openclaw` removes it.
import {{ createRequire }} from "node:module";

let plugin = null;
try {{
  plugin = createRequire(import.meta.url)({file});
}} catch {{
  // Intaglio isn't installed any more.
}}

export default {{
  id: {plugin},
  name: "Intaglio",
  description: "Memory that is shared by all your coding agents.",
  register(api) {{
    plugin?.register(api, {tools});
  }},
}};
"""
# Runs what the plugin does before a session's first prompt, as OpenClaw would.
_PROBE: Final = """\
import { pathToFileURL } from "node:url";
const { default: plugin } = await import(pathToFileURL(process.argv[1]).href);
const hooks = {};
plugin.register({ on: (name, run) => (hooks[name] = run) });
const told = await hooks.before_prompt_build?.({ prompt: "" }, { sessionId: process.argv[2] });
if (told && Object.keys(told).length) process.stdout.write(JSON.stringify(told));
"""


@dataclass(frozen=True, slots=True)
class OpenClawConnector:
    """Writes the plugin's two files, and makes it the one of the memory slot."""

    name: str = NAME
    label: str = LABEL
    program: str = _PROGRAM
    driven_version: str = "2026.9.6"
    has_agent_workspaces: bool = True

    def settings_file(self, home: Path, env: Mapping[str, str]) -> Path:
        """Return the path of its configuration."""
        named = env.get("OPENCLAW_CONFIG_PATH", "").strip()
        return _path(named, home) if named else state_folder(home, env) / "openclaw.json"

    def is_installed(self, home: Path, env: Mapping[str, str]) -> bool:
        """Whether its folder or program is on this machine."""
        program = shutil.which(_PROGRAM, path=env.get("PATH", ""))
        return program is not None or self.settings_file(home, env).parent.is_dir()

    def mcp_servers(self, home: Path, env: Mapping[str, str]) -> McpServers | None:
        """Return None: the plugin offers the tools, as only it knows the session of a call."""
        del home, env
        return None

    def instructions_file(self, home: Path, env: Mapping[str, str]) -> None:
        """Return None: each of its agents has a workspace with files of its own."""
        del home, env

    def hook_files(self, paths: Paths, installation: Installation) -> tuple[FileToWrite, ...]:
        """Render the plugin, which the one in the extension folder loads."""
        return plugin_files(NAME, _SOURCE, paths, installation)

    def plan_connect(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionPlan | ConnectionRefused:
        """Plan to write the plugin and its entries in the configuration."""
        del python
        manifest, loader = _own_files(settings)
        changes = (
            SlotEntries(NAME, settings).plan(paths),
            manifest.plan(paths, _manifest()),
            loader.plan(paths, _loader(paths)),
        )
        return plan_changes(changes, self.hook_files(paths, installation))

    def plan_disconnect(self, settings: Path, paths: Paths) -> ConnectionPlan | ConnectionRefused:
        """Plan to remove the entries, then the plugin."""
        removals = (
            SlotEntries(NAME, settings).plan_removal(paths),
            *(file.plan_removal(paths) for file in _own_files(settings)),
        )
        return plan_changes(removals)

    def state(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionState | ConnectionRefused:
        """Return whether all of it is there."""
        plan = self.plan_connect(settings, paths, installation, python)
        if isinstance(plan, ConnectionRefused):
            return plan
        if not plan.changed:
            return "connected"
        is_there = SlotEntries(NAME, settings).is_in(plan.settings.before)
        return "partly" if is_there else "not"

    def concerns(self, settings: Path, paths: Paths, env: Mapping[str, str]) -> tuple[Concern, ...]:
        """Return what keeps OpenClaw from loading the plugin or from running its hooks."""
        del paths, env
        text = _text(settings)
        return tuple(
            Concern(each.text, each.hint.format(settings=settings))
            for each in _OBSTACLES
            if each.is_in(text)
        )

    def probe(self, settings: Path, paths: Paths, session: str) -> ProbeCommand | None:
        """Return how Node runs the plugin's hook of a session's first prompt."""
        node = shutil.which("node")
        _, loader = _own_files(settings)
        is_there = loader.file.is_file() and plugin_file(paths.hooks, NAME).is_file()
        if node is None or not is_there:
            return None
        run = (node, "--input-type=module", "--eval", _PROBE, "--", str(loader.file), session)
        return ProbeCommand(argv=run, stdin=b"")


CONNECTOR: Final[Connector] = OpenClawConnector()


@dataclass(frozen=True, slots=True)
class _Obstacle:
    """A value of the configuration that is in the way: at a path, equal to it or in the list."""

    path: tuple[str, ...]
    value: object
    text: str
    hint: str

    def is_in(self, text: str) -> bool:
        found = value_at(text, self.path)
        return found == self.value or (isinstance(found, list) and self.value in found)


_OBSTACLES: Final = (
    _Obstacle(
        ("plugins", "enabled"),
        value=False,
        text="OpenClaw's plugins are switched off (plugins.enabled is false).",
        hint="Remove plugins.enabled from {settings}.",
    ),
    _Obstacle(
        ("plugins", "deny"),
        PLUGIN,
        text="OpenClaw's settings refuse the plugin (plugins.deny).",
        hint="Remove intaglio from plugins.deny in {settings}.",
    ),
    _Obstacle(
        ("plugins", "entries", PLUGIN, "hooks", "allowPromptInjection"),
        value=False,
        text="OpenClaw keeps the plugin from adding to prompts (allowPromptInjection is false).",
        hint="Remove allowPromptInjection of intaglio from {settings}.",
    ),
    _Obstacle(
        ("gateway", "reload", "mode"),
        "off",
        text="OpenClaw's gateway doesn't read changed settings (gateway.reload.mode is off).",
        hint="Restart it once after connecting or disconnecting: openclaw gateway restart",
    ),
)


def state_folder(home: Path, env: Mapping[str, str]) -> Path:
    """Return the folder that has OpenClaw's configuration, extensions and agents."""
    named = env.get("OPENCLAW_STATE_DIR", "").strip()
    if named:
        return _path(named, home)
    profile = env.get("OPENCLAW_PROFILE", "").strip()
    suffix = f"-{profile}" if profile not in {"", "default"} else ""
    return _path(env.get("OPENCLAW_HOME", "").strip() or "~", home) / f".openclaw{suffix}"


def _path(named: str, home: Path) -> Path:
    return home / named.removeprefix("~").lstrip("/\\") if named.startswith("~") else Path(named)


class _Manifest(OwnFile):
    """The plugin's manifest, which names no file of ours."""

    def is_in(self, content: bytes | None) -> bool:
        """Whether it is that of a plugin of our name."""
        return value_at((content or b"").decode("utf-8", "replace"), ("name",)) == _TITLE


def _own_files(settings: Path) -> tuple[OwnFile, OwnFile]:
    folder = settings.parent / "extensions" / PLUGIN
    return (
        _Manifest(f"{NAME}.manifest", folder / "openclaw.plugin.json"),
        OwnFile(f"{NAME}.plugin", folder / "index.mjs"),
    )


def _manifest() -> str:
    content = {
        "id": PLUGIN,
        "name": _TITLE,
        "description": "Memory that is shared by all your coding agents.",
        "kind": "memory",
        "contracts": {"tools": list(TOOLS)},
        "configSchema": {"type": "object", "additionalProperties": False},
    }
    return json.dumps(content, indent=2) + "\n"


def _loader(paths: Paths) -> str:
    file = json.dumps(str(plugin_file(paths.hooks, NAME)))
    return _LOADER.format(file=file, plugin=json.dumps(PLUGIN), tools=json.dumps(TOOLS))


def _text(settings: Path) -> str:
    try:
        return read_regular(settings).decode("utf-8-sig", "replace")
    except OSError:
        return ""

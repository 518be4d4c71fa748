"""Connects Codex: hooks in ``hooks.json``, our MCP program in ``config.toml`` beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from intaglio.base.files.regular_file import read_regular
from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.connect.connector import Connector
from intaglio.connect.hook_json import (
    EventHook,
    HookJsonConnector,
    McpList,
    PayloadFields,
    SettingsFolder,
)
from intaglio.connect.values import Concern, ConnectionPlan, ConnectionRefused
from intaglio.harness.codex.trust import HookTrust, read_trust, trust_concerns

NAME: Final = "codex"
LABEL: Final = "Codex"
FOLDER: Final = SettingsFolder(name=".codex", variable="CODEX_HOME")
FIELDS: Final = PayloadFields(prompt_id="turn_id")

_CONFIG: Final = "config.toml"
# Codex puts more than 2,500 tokens, which it counts as four bytes each, into a file. A reply is
# short enough for every model, but not in every script.
_WHOLE: Final = {"additionalContextLimit": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class CodexConnector(HookJsonConnector):
    """Adds seven hooks, which Codex runs only after the user has trusted each of them.

    The trust is in the command line, the timeout and the matcher as they are written: none of them
    may depend on our version.
    """

    def plan_connect(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionPlan | ConnectionRefused:
        """Plan to add the hooks; a note says what the user still has to do."""
        plan = HookJsonConnector.plan_connect(self, settings, paths, installation, python)
        if isinstance(plan, ConnectionRefused):
            return plan
        found = trust_concerns(self._trust(settings, plan.settings.after, paths), settings)
        untrusted = (f"{each.text} {each.hint}" for each in found)
        return replace(plan, notes=(*plan.notes, *untrusted))

    def concerns(self, settings: Path, paths: Paths, env: Mapping[str, str]) -> tuple[Concern, ...]:
        """Return what keeps Codex from running the hooks: a switch, or missing trust."""
        del env
        try:
            content = read_regular(settings)
        except OSError:
            return ()
        return trust_concerns(self._trust(settings, content, paths), settings)

    def _trust(self, settings: Path, content: bytes | None, paths: Paths) -> HookTrust | None:
        def is_ours(handler: object) -> bool:
            return self._json_hooks.is_ours(handler, paths.hooks)

        return read_trust(settings, content, settings.with_name(_CONFIG), is_ours)


# Seconds; a session's end gets three at most. What an edit comes near is asked for, never spooled.
CONNECTOR: Final[Connector] = CodexConnector(
    name=NAME,
    label=LABEL,
    program="codex",
    driven_version="0.171.0",
    folder=FOLDER,
    settings="hooks.json",
    instructions="AGENTS.md",
    fields=FIELDS,
    hooks={
        "SessionStart": EventHook(task="reply", timeout_s=5, keys=_WHOLE),
        "UserPromptSubmit": EventHook(task="reply", timeout_s=3, keys=_WHOLE),
        "PostToolUse": EventHook(task="ask", timeout_s=3, matcher="apply_patch", keys=_WHOLE),
        "PreCompact": EventHook(task="report", timeout_s=5),
        "PostCompact": EventHook(task="report", timeout_s=5),
        "Stop": EventHook(task="report", timeout_s=5),
        "SessionEnd": EventHook(task="report", timeout_s=3),
    },
    mcp=McpList(file=_CONFIG, key="mcp_servers"),
)

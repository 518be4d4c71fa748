"""Requests and replies of the harnesses' endpoints."""

from typing import Literal

from msgspec import Struct

from intaglio.wire.memory import ShortText

Connected = Literal["connected", "partly", "not", "refused"]
ToolsRegistered = Literal[
    "registered", "outdated", "missing", "declined", "foreign", "unsupported", "refused"
]


class HarnessRow(Struct, kw_only=True, rename="camel"):
    """A harness that can be connected.

    ``path`` is the settings file that connecting changes, ``exists`` whether the harness is
    installed on this machine, ``last_seen`` when its last hook arrived. ``reason`` and ``hint``
    say why its settings can't be changed. ``command`` is the terminal command that connects it.
    ``tools`` says whether its agents can use Intaglio's tools: ``declined`` by the user, or
    ``foreign`` if another MCP server has the name. ``toolsReason`` says why it is ``refused``.
    """

    name: str
    id: str
    path: str
    exists: bool
    last_seen: str | None
    connection: Connected
    reason: str
    hint: str
    command: str
    tools: ToolsRegistered
    tools_reason: str


class McpEndpoints(Struct, kw_only=True):
    """How any MCP client reaches Intaglio: a program that speaks MCP on stdio, or a URL."""

    command: str
    args: list[str]
    url: str


class HarnessList(Struct, kw_only=True):
    """All harnesses that can be connected, those on this machine first."""

    harnesses: list[HarnessRow]
    mcp: McpEndpoints


class ConnectionRequest(Struct, kw_only=True):
    """What to do: show the changes, or make exactly those that a preview's token confirms.

    ``tools`` says whether connecting also registers Intaglio's MCP server with the harness; false
    is remembered. If it is omitted, it is as chosen last, or true.
    """

    mode: Literal["preview", "apply"]
    token: ShortText | None = None
    tools: bool | None = None


class ToolsPreview(Struct, kw_only=True):
    """What would change in the list of MCP servers at ``path``, as a unified diff.

    ``commands`` are the harness's own commands that will make the change, if it is installed.
    """

    path: str
    diff: str
    commands: list[str]


class ConnectionPreview(Struct, kw_only=True):
    """What would be written to the settings file at ``path``, as a unified diff.

    Without ``changes`` there is nothing to write; with ``changes`` and an empty diff, only
    Intaglio's own hook files are. ``exists`` is whether the settings file is there now. ``notes``
    say what keeps the hooks or the tools from working.
    """

    path: str
    exists: bool
    changes: bool
    diff: str
    notes: list[str]
    tools: ToolsPreview | None
    token: str


class ConnectionResult(Struct, kw_only=True):
    """What was written: ``backup`` is a copy of the previous settings, null if there is none.

    ``notes`` say what couldn't be done.
    """

    path: str
    changed: bool
    backup: str | None
    notes: list[str]

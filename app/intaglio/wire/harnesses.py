"""Requests and replies of the harnesses' endpoints."""

from typing import Literal

from msgspec import Struct

from intaglio.domain.hooks import HookEventKind, HookTestOutcome
from intaglio.wire.memory import ShortText

Connected = Literal["connected", "partly", "not", "refused"]
ToolsRegistered = Literal[
    "registered",
    "included",
    "outdated",
    "missing",
    "declined",
    "foreign",
    "unsupported",
    "refused",
]


class HarnessConcern(Struct, kw_only=True):
    """What keeps hooks that are in the settings from running, and what to do."""

    text: str
    hint: str


class HarnessRow(Struct, kw_only=True, rename="camel"):
    """A harness that can be connected.

    ``path`` is the settings file that connecting changes, ``exists`` whether the harness is
    installed on this machine, ``last_seen`` when its last event arrived, and ``last_event`` of
    what kind it was, null if that was before the daemon started. ``reason`` and ``hint`` say why
    its settings can't be changed. ``command`` is the terminal command that connects it.
    ``left_over`` means that its hooks or tools are of an earlier installation, ``concerns`` say
    what keeps hooks that are there from running. ``driven_version`` is the version of the harness
    that Intaglio's tests drive, empty if its connection follows its documentation only.
    ``tools`` says whether its agents can use Intaglio's tools: ``included`` where connecting brings
    them along, ``declined`` by the user, or ``foreign`` if another MCP server has the name.
    ``toolsReason`` says why it is ``refused``.
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
    last_event: HookEventKind | None
    left_over: bool
    concerns: list[HarnessConcern]
    driven_version: str


class McpEndpoints(Struct, kw_only=True):
    """How any MCP client reaches Intaglio: a program that speaks MCP on stdio, or a URL."""

    command: str
    args: list[str]
    url: str


class HarnessList(Struct, kw_only=True):
    """All harnesses that can be connected, those on this machine first."""

    harnesses: list[HarnessRow]
    mcp: McpEndpoints


class HarnessVersions(Struct, kw_only=True):
    """The installed version of each harness by its id, empty if it isn't known."""

    versions: dict[str, str]


class HookTestReply(Struct, kw_only=True):
    """What testing a harness's hook found: ``text`` says it, ``hint`` what to do.

    ``ms`` is how long the hook ran, null if it didn't; ``lines`` are the first that it wrote as
    errors.

    - ``works``: it reached this daemon, and its reply came back;
    - ``absent``: the settings have no hook; ``untestable``: it can't be run by itself;
    - ``missing``: the hook's program or files are gone; ``failed``: it ended with an error;
      ``slow``: it didn't end in time;
    - ``unreached``: it couldn't reach the daemon, ``lost``: its reply didn't come back,
      ``elsewhere``: another program answered, ``silent``: none of these.
    """

    outcome: HookTestOutcome
    text: str
    hint: str
    ms: int | None
    lines: list[str]


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

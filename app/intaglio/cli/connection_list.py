"""The agents that can be connected, as `intaglio connect` lists them without a daemon."""

import asyncio
from collections.abc import Iterator

from intaglio.base.installation import NOT_YET, command, read_installation
from intaglio.base.paths import Paths
from intaglio.connect.program_versions import ProgramVersions
from intaglio.connect.targets import ConnectionTarget
from intaglio.connect.tools.mcp_servers import SERVER_NAME
from intaglio.connect.values import ConnectionRefused, ConnectionState, ToolsState
from intaglio.harness.registry import connection_targets


def connection_lines(ours: Paths) -> Iterator[str]:
    """Describe each agent on this machine, then name the others; runs the agents' programs."""
    install = read_installation(ours) or NOT_YET
    targets = connection_targets(ours)
    states: dict[str, ConnectionState | ConnectionRefused] = {
        name: target.state(install) for name, target in targets.items()
    }
    shown = [name for name in targets if targets[name].is_installed or states[name] != "not"]
    programs = [targets[name].connector.program for name in shown]
    versions = asyncio.run(ProgramVersions().read(programs))
    unconnected: list[str] = []
    for name in shown:
        target, state = targets[name], states[name]
        tools = target.tools_state(install)
        is_left_over = target.is_left_over(state, tools)
        words = "left over from an earlier installation" if is_left_over else _words(state)
        if state != "not" and not is_left_over:
            words += _tools_words(tools)
        yield f"{name}: {words} ({target.connector.label}, {target.settings})"
        yield f"  {version_line(target, versions[target.connector.program])}"
        refused = [each for each in (state, tools) if isinstance(each, ConnectionRefused)]
        for reason in dict.fromkeys(f"{each.reason} {each.hint}" for each in refused):
            yield f"  Note: {reason}"
        for concern in target.concerns() if state in {"connected", "partly"} else ():
            yield f"  Note: {concern.text} {concern.hint}"
        if is_left_over:
            yield f"  Remove it with `{command(f'disconnect {name}')}`, or connect it."
        if state in {"not", "partly"} or tools in {"missing", "outdated"}:
            unconnected.append(name)
    for name in unconnected:
        yield f"Connect it with `{command(f'connect {name}')}`."
    others = [name for name in targets if name not in shown]
    if others:
        yield f"Not found on this computer: {', '.join(others)}."


def version_line(target: ConnectionTarget, version: str) -> str:
    """Say which version is installed, and which one Intaglio's tests run."""
    installed = f"version {version}" if version else "version unknown"
    driven = target.connector.driven_version
    tests = (
        f"Intaglio is tested with {driven}" if driven else "Intaglio follows its documentation only"
    )
    return f"{installed}; {tests}"


def _words(state: ConnectionState | ConnectionRefused) -> str:
    match state:
        case ConnectionRefused():
            return "can't be connected"
        case "connected":
            return "connected"
        case "partly":
            return "partly connected"
        case "not":
            return "not connected"


def _tools_words(state: ToolsState | ConnectionRefused) -> str:
    if isinstance(state, ConnectionRefused):
        return ", tools can't be registered"
    words = {
        "registered": "tools registered",
        "included": "tools included",
        "outdated": "tools registered for an older version",
        "missing": "tools not registered",
        "declined": "tools declined",
        "foreign": f"tools not registered: another MCP server is named {SERVER_NAME}",
    }
    return f", {words[state]}" if state in words else ""

"""How the agents on this computer are: connected, heard of, and with hooks and tools that work."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from intaglio.base.installation import command
from intaglio.connect.values import ConnectionRefused
from intaglio.domain.health import Checked, Figure
from intaglio.domain.issues import Issue
from intaglio.harness.connections import Connection, Connections
from intaglio.harness.hook_outcomes import HOOK_WAITS_S, HookCounts, HookOutcomes
from intaglio.sessions.open_sessions import OpenSessions

AgentState: TypeAlias = Literal["connected", "partly", "not", "removed", "refused"]

_PAGE: Final = "/connections"
_LINES: Final[dict[AgentState, str]] = {
    "connected": "Connected",
    "partly": "Connected in part",
    "not": "Not connected",
    "removed": "Its hooks were removed",
    "refused": "Can't be connected",
}
# A failure now and then says nothing, and a busy machine is late for a while.
_FEW_FAILED: Final = 3
_FAILED_SHARE: Final = 0.2
_FEW_SLOW: Final = 10
_SLOW_SHARE: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentHealth:
    """An agent: its connection, its hook events of the last day, and of this and the last hour.

    ``lacks_tools`` means that a session of it goes on without having started its tools.
    """

    connection: Connection
    day: HookCounts
    lately: HookCounts
    lacks_tools: bool

    @property
    def state(self) -> AgentState:
        """The state of its hooks."""
        if isinstance(self.connection.state, ConnectionRefused):
            return "refused"
        return "removed" if self.connection.is_removed else self.connection.state

    @property
    def has_hooks(self) -> bool:
        """Whether any of its hooks are there."""
        return self.state in {"connected", "partly"}

    @property
    def tools(self) -> str:
        """The state of its tools."""
        tools = self.connection.tools
        return "refused" if isinstance(tools, ConnectionRefused) else tools

    @property
    def is_failing(self) -> bool:
        """Whether its hook events fail."""
        failed = self.lately.failed
        return failed >= _FEW_FAILED and failed >= _FAILED_SHARE * self.lately.events

    @property
    def is_slow(self) -> bool:
        """Whether most of its hooks wait in vain."""
        slow = self.lately.slow
        return slow >= _FEW_SLOW and slow >= _SLOW_SHARE * self.lately.events

    @property
    def line(self) -> str:
        """Say in a few words how it is."""
        if self.has_hooks and self.connection.concerns:
            return "Doesn't run the hooks"
        if self.has_hooks and self.is_failing:
            return "Its hooks fail"
        if self.has_hooks and self.is_slow:
            return "Its hooks are answered too late"
        if self.has_hooks and self.lacks_tools:
            return "Hasn't started the tools"
        return _LINES[self.state]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentsHealth:
    """Reads how the agents are."""

    connections: Connections
    outcomes: HookOutcomes
    open_sessions: OpenSessions

    async def read(self) -> tuple[AgentHealth, ...]:
        """List the agents that are installed, connected, or were connected; last heard of first."""
        found = [
            AgentHealth(
                connection=each,
                day=self.outcomes.day(each.harness),
                lately=self.outcomes.lately(each.harness),
                lacks_tools=each.tools == "registered"
                and self.open_sessions.lacks_tools(each.harness),
            )
            for each in map(self._heard_of, await self.connections.recent())
        ]
        here = [each for each in found if each.connection.is_installed or each.has_hooks]
        return tuple(sorted(here, key=lambda one: one.connection.last_hook_at or "", reverse=True))

    def _heard_of(self, connection: Connection) -> Connection:
        """Return a connection with its last event, which may be newer than what was read of it."""
        seen = self.connections.activity.last(connection.harness)
        if seen is None or seen.at < (connection.last_hook_at or ""):
            return connection
        return replace(connection, last_hook_at=seen.at, last_kind=seen.kind)

    async def check(self) -> Checked:
        """Return what is wrong with the agents."""
        return judge_agents(await self.read())


def judge_agents(agents: Sequence[AgentHealth]) -> Checked:
    """Judge the agents. One that isn't used for weeks is well."""
    connected = [each for each in agents if each.has_hooks]
    issues = [issue for each in agents for issue in _issues(each)]
    if not connected and not any(each.state == "removed" for each in agents):
        issues.append(_none())
    total = HookCounts()
    for each in agents:
        total.add(each.day)
    heard = max((each.connection.last_hook_at or "" for each in agents), default="")
    return Checked(
        issues=tuple(issues),
        figures=(
            Figure("connectedAgents", "Connected agents", len(connected)),
            Figure("lastEventAt", "Last event", heard or None, "moment"),
            Figure("hookEvents", "Hook events in 24 hours", total.events),
            Figure("failedHookEvents", "Failed hook events in 24 hours", total.failed),
            Figure("slowHookEvents", "Hook events answered too late in 24 hours", total.slow),
        ),
        penalty=min(1.0, 0.3 * len(issues)) if connected else 1.0,
        line=f"{len(connected)} connected" if connected else "None connected",
    )


def _none() -> Issue:
    return Issue(
        "agents",
        "warn",
        "No agent is connected",
        "Sessions are told nothing, and nothing is captured. To connect one, run",
        command=command("connect"),
        page=_PAGE,
    )


def _issues(agent: AgentHealth) -> Iterator[Issue]:
    connection, label, state = agent.connection, agent.connection.label, agent.state
    name = connection.harness
    if isinstance(connection.state, ConnectionRefused):
        yield Issue(
            f"agents-{name}",
            "warn",
            f"{label} can't be connected",
            f"{connection.state.reason} {connection.state.hint}",
            page=_PAGE,
        )
    elif state == "removed":
        yield Issue(
            f"agents-{name}",
            "warn",
            f"{label}'s hooks were removed",
            f"They are no longer in {connection.settings.name}, where Intaglio wrote them: another "
            "program took them out, or somebody did by hand. Its sessions are told nothing, and "
            f"nothing is captured. If that was you, run `{command(f'disconnect {name}')}` as well. "
            "To renew them, run",
            command=connection.command,
            page=_PAGE,
        )
    elif state == "partly":
        yield Issue(
            f"agents-{name}",
            "warn",
            f"{label} is connected in part",
            "Hooks are missing, or they are those of another or an older installation. "
            "To renew them, run",
            command=connection.command,
            page=_PAGE,
        )
    if not agent.has_hooks:
        return
    for concern in connection.concerns:
        yield Issue(
            f"hooks-{name}",
            "warn",
            f"{label} doesn't run Intaglio's hooks",
            f"{concern.text} {concern.hint}",
            page=_PAGE,
        )
    yield from _events(agent)
    if agent.lacks_tools:
        yield Issue(
            f"tools-{name}",
            "warn",
            f"{label} hasn't started Intaglio's tools",
            "They are registered, but a session goes on without them, so that it can't search and "
            f"save by itself. Look at its list of MCP servers, and start a new session. If {label} "
            "shall not have them, run",
            command=f"{connection.command} --no-mcp",
            page=_PAGE,
        )


def _events(agent: AgentHealth) -> Iterator[Issue]:
    name, label, lately = agent.connection.harness, agent.connection.label, agent.lately
    if agent.is_failing:
        yield Issue(
            f"hooks_failed-{name}",
            "warn",
            f"{label}'s hooks fail",
            f"{lately.failed} of its last {lately.events} hook events were answered with an error. "
            "For the reason, run",
            command=command("daemon logs"),
            page=_PAGE,
        )
    elif agent.is_slow:
        yield Issue(
            f"hooks_slow-{name}",
            "warn",
            f"{label}'s hooks are answered too late",
            f"{lately.slow} of its last {lately.events} hook events took longer than the "
            f"{HOOK_WAITS_S:.0f} seconds that a hook waits, so its sessions weren't told. Close "
            "what keeps this computer busy. To see what takes long, run",
            command=command("daemon logs"),
            page=_PAGE,
        )

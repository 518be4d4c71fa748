"""The harnesses' connections: lists them, and connects and disconnects a harness."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Final, Literal, TypeAlias, TypeVar

from intaglio.base.clock import monotonic_s
from intaglio.base.errors import ConflictError, NotFoundError, UnavailableError
from intaglio.base.events import Changed
from intaglio.base.installation import Installation
from intaglio.connect.plans import apply
from intaglio.connect.program_versions import ProgramVersions
from intaglio.connect.targets import ConnectionTarget
from intaglio.connect.values import (
    Concern,
    ConnectionApplied,
    ConnectionPlan,
    ConnectionRefused,
    ConnectionState,
    ToolsState,
)
from intaglio.domain.hooks import HookEventKind
from intaglio.harness.activity import HookActivity
from intaglio.harness.hook_test import HookTest, HookTester
from intaglio.sessions import rows
from intaglio.store.database import Database

ConnectionChange: TypeAlias = Literal["connect", "disconnect"]
_FRESH_S: Final = 30.0
_WITH_HOOKS: Final = ("connected", "partly")
_Value = TypeVar("_Value")


class SettingsChangedError(ConflictError):
    """The harness's settings aren't the ones whose change was shown."""

    code = "settings_changed"
    title = "The settings file has changed"


class SettingsRefusedError(ConflictError):
    """The harness's settings can't be changed safely."""

    code = "settings_refused"
    title = "Can't change the settings file"


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """A harness's connection; ``state`` is a refusal if its settings can't be changed safely.

    ``tools`` says the same of its list of MCP servers. ``last_kind`` is the kind of the last event,
    None if it arrived before the daemon started. ``is_left_over`` means that what is there was
    written by an earlier installation, or by hand; ``is_removed`` that something else took out
    what this one wrote. ``concerns`` keep hooks that are there from running. ``driven_version`` is
    the version that the tests drive, empty for none.
    """

    harness: str
    label: str
    settings: Path
    is_installed: bool
    state: ConnectionState | ConnectionRefused
    last_hook_at: str | None
    command: str
    tools: ToolsState | ConnectionRefused
    last_kind: HookEventKind | None = None
    is_left_over: bool = False
    is_removed: bool = False
    concerns: tuple[Concern, ...] = ()
    driven_version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpAccess:
    """How any MCP client reaches this installation: by a program on stdio, or at a URL."""

    command: tuple[str, ...]
    url: str


@dataclass(slots=True)
class _Recent:
    """The connections as they were read last, and what the settings' files were like then."""

    rows: tuple[Connection, ...] = ()
    stamp: tuple[tuple[int, int] | None, ...] | None = None
    until_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Connections:
    """Reads and changes the harnesses' own settings.

    ``command`` returns the terminal command that connects a harness.
    """

    db: Database
    activity: HookActivity
    targets: Mapping[str, ConnectionTarget]
    install: Installation
    command: Callable[[str], str]
    mcp: McpAccess
    tester: HookTester
    versions: ProgramVersions = field(default_factory=ProgramVersions)
    seconds: Callable[[], float] = monotonic_s
    _writing: Lock = field(default_factory=Lock)
    _recent: _Recent = field(default_factory=_Recent)

    async def all(self) -> tuple[Connection, ...]:
        """List every harness that can be connected, those on this machine first."""
        try:
            last_active = await self.db.read(rows.last_activity)
        except UnavailableError:
            # The settings can be read without the database.
            last_active = {}
        found = await asyncio.to_thread(
            lambda: [self._connection(each, last_active) for each in self.targets.values()]
        )
        return tuple(sorted(found, key=lambda one: (not one.is_installed, one.label)))

    async def recent(self) -> tuple[Connection, ...]:
        """List the connections as `all` does, but read them only if a settings file changed.

        They are read again after half a minute at the latest; ``last_hook_at`` may be as old.
        """
        known = self._recent
        stamp = tuple(_stamp(each.settings) for each in self.targets.values())
        if stamp != known.stamp or self.seconds() > known.until_s:
            known.rows = await self.all()
            known.stamp, known.until_s = stamp, self.seconds() + _FRESH_S
        return known.rows

    async def installed_versions(self) -> Mapping[str, str]:
        """Return each harness's installed version, empty if it isn't known; runs the programs."""
        programs = {name: target.connector.program for name, target in self.targets.items()}
        found = await self.versions.read(programs.values())
        return {name: found[program] for name, program in programs.items()}

    async def test(self, harness: str) -> HookTest:
        """Run a harness's own hook and say whether it reaches this daemon.

        Raises NotFoundError.
        """
        target = self._target(harness)
        state = await asyncio.to_thread(target.state, self.install)
        return await self.tester.test(target, is_connected=state in _WITH_HOOKS)

    async def preview(
        self, harness: str, change: ConnectionChange, *, tools: bool | None = None
    ) -> ConnectionPlan:
        """Plan a change of a harness's settings; writes nothing.

        ``tools`` says whether connecting registers the MCP program, like `ConnectionTarget`'s.
        Raises NotFoundError, and SettingsRefusedError with the reason.
        """
        return await asyncio.to_thread(self._plan, self._target(harness), change, tools=tools)

    async def apply(
        self, harness: str, change: ConnectionChange, token: str, *, tools: bool | None = None
    ) -> ConnectionApplied:
        """Apply the plan whose token this is, if it is still the one to make.

        Raises NotFoundError, SettingsRefusedError, and SettingsChangedError.
        """
        target = self._target(harness)
        applied = await asyncio.to_thread(self._apply, target, change, token, tools=tools)
        self.activity.publish(Changed("harnesses", "updated", (harness,)))
        return applied

    def _target(self, harness: str) -> ConnectionTarget:
        target = self.targets.get(harness)
        if target is None:
            raise NotFoundError("No such harness", hint="GET /api/harnesses lists them.")
        return target

    def _plan(
        self, target: ConnectionTarget, change: ConnectionChange, *, tools: bool | None
    ) -> ConnectionPlan:
        connects = change == "connect"
        return _made(
            target.plan_connect(self.install, tools=tools) if connects else target.plan_disconnect()
        )

    def _apply(
        self, target: ConnectionTarget, change: ConnectionChange, token: str, *, tools: bool | None
    ) -> ConnectionApplied:
        with self._writing:
            plan = self._plan(target, change, tools=tools)
            if plan.token != token:
                files = " or ".join(str(edit.target) for edit in plan.edits)
                raise SettingsChangedError(
                    f"{files} isn't as it was when the changes were shown.",
                    hint="Review the changes again. Nothing was written.",
                )
            return _made(apply(plan))

    def _connection(self, target: ConnectionTarget, last_active: Mapping[str, str]) -> Connection:
        name = target.connector.name
        stored, seen = last_active.get(name), self.activity.last(name)
        # What other packages store of a session may be newer than the last event.
        is_newest = seen is not None and seen.at >= (stored or "")
        state, tools = target.state(self.install), target.tools_state(self.install)
        return Connection(
            harness=name,
            label=target.connector.label,
            settings=target.settings,
            is_installed=target.is_installed,
            state=state,
            last_hook_at=seen.at if seen and is_newest else stored,
            command=self.command(name),
            tools=tools,
            last_kind=seen.kind if seen and is_newest else None,
            is_left_over=target.is_left_over(state, tools),
            is_removed=target.was_removed(state),
            concerns=target.concerns() if state in _WITH_HOOKS else (),
            driven_version=target.connector.driven_version,
        )


def _stamp(settings: Path) -> tuple[int, int] | None:
    try:
        found = settings.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _made(outcome: _Value | ConnectionRefused) -> _Value:
    if isinstance(outcome, ConnectionRefused):
        raise SettingsRefusedError(outcome.reason, hint=outcome.hint)
    return outcome

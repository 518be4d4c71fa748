"""The harness part of the daemon: hooks over HTTP, and catching up after downtime."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.installation import command_for_new_terminal, kept_variables
from intaglio.base.log import get_logger
from intaglio.connect.mcp_files import mcp_command
from intaglio.connect.plans import connected_folders
from intaglio.domain.health import HealthCheck
from intaglio.domain.issues import Issue
from intaglio.domain.told_files import SessionPlace, ToldFiles
from intaglio.harness.activity import HookActivity
from intaglio.harness.agent_health import AgentsHealth
from intaglio.harness.asked_prompts import AskedPrompts
from intaglio.harness.connected_tools import ConnectedTools
from intaglio.harness.connections import Connections, McpAccess
from intaglio.harness.dispatch import Dispatch
from intaglio.harness.hook_outcomes import HookOutcomes
from intaglio.harness.hook_test import HookTester
from intaglio.harness.probe_sessions import ProbeSessions
from intaglio.harness.registry import (
    connection_targets,
    connectors,
    harnesses,
    refresh_hook_files,
)
from intaglio.harness.spool_health import read_spool
from intaglio.harness.transcript_files import TranscriptFiles
from intaglio.health.diagnosis import Diagnosis
from intaglio.kernel import Kernel
from intaglio.package import KeptData, Loop, Package, Part
from intaglio.pauses.service import Pauses
from intaglio.sessions.continuity.service import SessionCheckpoints
from intaglio.sessions.edits.service import EditContexts
from intaglio.sessions.open_sessions import OpenSessions
from intaglio.sessions.project_notes import InstructionPlaces, project_files
from intaglio.sessions.prompt import PromptContexts
from intaglio.sessions.session_end import SessionEnds
from intaglio.sessions.session_start import SessionStarts

_CATCH_UP_INTERVAL_S: Final = 30.0
_SAVE_INTERVAL_S: Final = 60.0
_WRITTEN_LATE: Final = timedelta(minutes=2)
_ISSUES_WITHIN_S: Final = 900.0


def part(kernel: Kernel) -> Part:
    """Wire the hooks and the catch-up loop."""
    paths = kernel.running.paths
    transcripts = TranscriptFiles(
        harnesses(),
        lambda one: one.transcript_roots(
            Path.home(), os.environ, connected_folders(one.name, paths)
        ),
    )
    activity = HookActivity(kernel.clock, kernel.bus.publish, frozenset(transcripts.harnesses))
    outcomes = HookOutcomes(
        clock=kernel.clock,
        seconds=kernel.monotonic_s,
        file=paths.state / "hook-outcomes.json",
    )
    probes = ProbeSessions()
    dispatch = Dispatch(
        harnesses=transcripts.harnesses,
        starts=kernel.get(SessionStarts),
        prompts=kernel.get(PromptContexts),
        edits=kernel.get(EditContexts),
        ends=kernel.get(SessionEnds),
        checkpoints=kernel.get(SessionCheckpoints),
        transcripts=transcripts,
        open_sessions=kernel.get(OpenSessions),
        tools=ConnectedTools(kernel.get(OpenSessions), _registered(kernel)),
        spool=paths.spool,
        log=get_logger("harness"),
        probes=probes,
        note=activity.note,
        issues=_known_issues(kernel),
        outcomes=outcomes,
    )
    connections = _connections(kernel, activity, HookTester(sessions=probes, spool=paths.spool))
    agents = AgentsHealth(
        connections=connections, outcomes=outcomes, open_sessions=kernel.get(OpenSessions)
    )

    def prepare() -> None:
        refresh_hook_files(connectors().values(), paths, kernel.running.install)
        outcomes.load()

    return Part(
        services=(
            dispatch,
            transcripts,
            activity,
            connections,
            agents,
            InstructionPlaces(_told_files),
            AskedPrompts(transcripts, kernel.database, kernel.clock),
        ),
        loops=(
            Loop("catch up", _catching_up(kernel, dispatch)),
            Loop("hook outcomes", partial(_save_often, outcomes)),
        ),
        checks=_checks(agents, paths.spool),
        prepare=prepare,
        close=partial(asyncio.to_thread, outcomes.save),
    )


def _catching_up(kernel: Kernel, dispatch: Dispatch) -> Callable[[], Awaitable[None]]:
    """Return the loop that handles what was missed while the daemon was stopped or busy."""
    pauses = kernel.get(Pauses)

    async def catch_up() -> None:
        """Handle what was missed: spooled events, then transcripts that have grown."""
        paused = (await pauses.refresh()).paused
        spooled = await dispatch.drain()
        grown = await dispatch.catch_up()
        if spooled or grown:
            get_logger("daemon").info("caught up", events=spooled, transcripts=grown)
        while True:
            # A hook that couldn't reach a busy daemon spools too, and a harness may write a turn to
            # its transcript after reporting the turn's end, or be killed before the next event.
            await asyncio.sleep(_CATCH_UP_INTERVAL_S)
            before, paused = paused, (await pauses.refresh()).paused
            await dispatch.drain()
            # After a pause, what was said before it may still be unread.
            since = None if before and not paused else kernel.clock() - _WRITTEN_LATE
            await dispatch.catch_up(since)

    return catch_up


def _checks(agents: AgentsHealth, spool: Path) -> tuple[HealthCheck, ...]:
    return (
        HealthCheck(
            name="agents",
            domain="agents",
            title="Agents",
            reads="Which agents are connected; whether another program took out the hooks, or "
            "anything keeps them from running; hook events that failed (3 and a fifth of them "
            "in two hours) or took longer than a hook waits (10 and half of them); registered "
            "tools that a session of two prompts hasn't started after a minute.",
            run=agents.check,
        ),
        HealthCheck(
            name="hook_spool",
            domain="capture",
            title="Hook events on disk",
            reads="Hook events that wait on disk (more than 100 are caught up on), and those "
            "that failed three times.",
            run=lambda: asyncio.to_thread(read_spool, spool),
        ),
    )


def _known_issues(kernel: Kernel) -> Callable[[], Sequence[Issue]]:
    """Return what says what the last checks found, and checks again for the next session."""

    async def check() -> None:
        await kernel.get(Diagnosis).read()

    def issues() -> Sequence[Issue]:
        found = kernel.get(Diagnosis).recent(_ISSUES_WITHIN_S)
        kernel.background.start(check())
        return () if found is None else found.issues

    return issues


async def _save_often(outcomes: HookOutcomes) -> None:
    while True:
        await asyncio.sleep(_SAVE_INTERVAL_S)
        await asyncio.to_thread(outcomes.save)


def _told_files(harness: str, place: SessionPlace) -> ToldFiles:
    """Return what a harness tells a session, and where it keeps its own memory."""
    one = harnesses().get(harness)
    if one is None:
        return project_files(harness, place)
    home, projects = Path.home(), () if place.project is None else (str(place.project),)
    own = one.memory_places(home, os.environ, projects)
    told = one.told_files(home, os.environ, place)
    return ToldFiles(tuple(told), tuple(each.folder for each in own))


def _registered(kernel: Kernel) -> Callable[[str], bool]:
    """Return what says whether a harness's list of MCP servers has ours; it reads files."""
    running = kernel.running
    targets = connection_targets(running.paths)

    def is_registered(name: str) -> bool:
        target = targets.get(name)
        install = msgspec.structs.replace(running.install, port=running.port)
        if target is None:
            return False
        tools = target.tools_state(install)
        return tools == "registered" or (tools == "included" and target.state(install) != "not")

    return is_registered


def _connections(kernel: Kernel, activity: HookActivity, tester: HookTester) -> Connections:
    running = kernel.running
    # The script finds its own packages, so PYTHONPATH isn't needed in the command.
    kept = {
        name: value
        for name, value in kept_variables(os.environ).items()
        if name.startswith(("INTAGLIO_", "SIGNET_"))
    }
    return Connections(
        db=kernel.database,
        activity=activity,
        targets=connection_targets(running.paths),
        install=msgspec.structs.replace(running.install, port=running.port),
        command=lambda name: command_for_new_terminal(f"connect {name}", kept),
        mcp=McpAccess(
            command=tuple(mcp_command(running.paths, sys.executable)),
            url=f"http://127.0.0.1:{running.port}/mcp",
        ),
        tester=tester,
    )


PACKAGE = Package(
    name="harness",
    kept=(
        KeptData(
            "`hook-outcomes.json`",
            "24 hours: per agent and hour the number of hook events, failed and late ones",
            deleted_by="each new one",
        ),
        KeptData(
            "hook events in the spool",
            "until they are processed; the newest 200 rejected ones",
            deleted_by="the daemon",
        ),
    ),
    make=part,
)

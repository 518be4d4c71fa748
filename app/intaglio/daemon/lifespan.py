"""The daemon's life: listen, open the database, catch up, watch; and the orderly end."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from datetime import timedelta
from functools import partial
from typing import Final

from intaglio import __version__
from intaglio.base.clock import iso
from intaglio.base.errors import UnavailableError
from intaglio.base.events import SettingsChanged, StateChanged
from intaglio.base.install import Install
from intaglio.base.log import get_logger
from intaglio.base.paths import Paths
from intaglio.daemon.backups import keep_backups
from intaglio.daemon.compose import Parts, compose
from intaglio.daemon.leash import hold_leash
from intaglio.daemon.lock import remove_record, write_record
from intaglio.daemon.meaning import MeaningParts
from intaglio.daemon.port import Bound
from intaglio.daemon.retention import sweep_when_due
from intaglio.daemon.server import Server, make_server
from intaglio.harness.registry import connectors, refresh_hook_files
from intaglio.inference.heap import return_memory

_PAUSE_AFTER_FAULT_S: Final = 60.0
_LOOK_AT_SPOOL_S: Final = 30.0
_WRITTEN_LATE: Final = timedelta(minutes=2)
_FINISH_WITHIN_S: Final = 5.0
_COUNT_USE_EVERY_S: Final = 2.0
_LOOK_AT_REST_S: Final = 60.0


async def live(
    paths: Paths,
    install: Install,
    bound: Bound,
    say: Callable[[str], None],
    *,
    leash: bool = False,
) -> None:
    """Serve until stopped. The socket answers before the database is open.

    On a leash, the end of standard input stops it too.
    Raises what kept it from beginning, after the server has ended in order.
    """
    parts = compose(paths, install, bound.port)
    server = make_server(parts.app, parts.stopping)
    if leash:
        hold_leash(partial(_let_go, asyncio.get_running_loop(), server))
    failure: Exception | None = None
    try:
        async with asyncio.TaskGroup() as group:
            serving = group.create_task(server.serve(bound.sockets))
            try:
                await _announce(parts, server, say)
                await _begin(parts)
            # The supervisor: whatever it is, the server ends in order before it is raised.
            except Exception as error:  # noqa: BLE001
                failure = error
                server.stop()
            loops = [group.create_task(loop) for loop in _loops(parts)]
            await serving
            for loop in loops:
                loop.cancel()
    finally:
        await parts.later.finish(_FINISH_WITHIN_S)
        await parts.meaning.close()
        with contextlib.suppress(UnavailableError, TimeoutError):
            # While the database is checked, a write would wait for that.
            async with asyncio.timeout(_FINISH_WITHIN_S):
                await _write_use(parts)
        await parts.database.close()
        remove_record(paths)
    if failure is not None:
        raise failure


def _let_go(loop: asyncio.AbstractEventLoop, server: Server) -> None:
    get_logger("daemon").info("let go by whoever started it")
    # The loop may have ended by itself meanwhile.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(server.stop)


async def _announce(parts: Parts, server: Server, say: Callable[[str], None]) -> None:
    """Once the socket answers, leave the record and say where the dashboard is."""
    await server.listening.wait()
    running = parts.services.running
    write_record(
        running.paths,
        running.install,
        port=running.port,
        version=__version__,
        started_at=iso(running.started_at),
    )
    key = parts.services.sign_in.new_key()
    say(f"Intaglio {__version__} · dashboard: http://127.0.0.1:{running.port}/enter?key={key}")


async def _begin(parts: Parts) -> None:
    running = parts.services.running
    await asyncio.to_thread(
        refresh_hook_files, connectors().values(), running.paths, running.install, running.port
    )
    await parts.database.open()


async def _catch_up(parts: Parts) -> None:
    """Do what was missed: events in the spool, then transcripts that grew unseen."""
    dispatch, pauses = parts.services.dispatch, parts.services.pauses
    paused = (await pauses.look()).paused
    spooled = await dispatch.drain()
    grown = await dispatch.catch_up()
    if spooled or grown:
        get_logger("daemon").info("caught up", events=spooled, transcripts=grown)
    while True:
        # A hook that could not reach a busy daemon spools too, and a harness may write a turn into
        # its transcript after it told the turn's end, or be killed before the next one.
        await asyncio.sleep(_LOOK_AT_SPOOL_S)
        before, paused = paused, (await pauses.look()).paused
        await dispatch.drain()
        # After a pause, what was said before it may still be unread.
        since = None if before and not paused else parts.services.clock() - _WRITTEN_LATE
        await dispatch.catch_up(since)


async def _embed(parts: Parts, meaning: MeaningParts) -> None:
    """Give every memory a vector, and again after the database was replaced by a backup."""
    with parts.services.bus.listen() as events:
        await _take_up(meaning)
        async with asyncio.TaskGroup() as group:
            group.create_task(meaning.upkeep.run())
            group.create_task(meaning.worker.run())
            group.create_task(meaning.tracker.run())
            while True:
                match await events.get():
                    case StateChanged("ready"):
                        await _take_up(meaning)
                    case SettingsChanged():
                        await _renew(meaning)
                    case _:
                        pass


async def _renew(meaning: MeaningParts) -> None:
    try:
        await meaning.renew()
    except UnavailableError as error:
        # What is left to do is done when the database is well again.
        get_logger("daemon").warning("the change of the model waits", reason=error.detail)


async def _take_up(meaning: MeaningParts) -> None:
    try:
        await meaning.begin()
    except UnavailableError as error:
        # A database that can only be read is searched; when it is well again, it is said.
        get_logger("daemon").warning("embedding waits", reason=error.detail)


async def _rest(parts: Parts) -> None:
    """Let go of what nobody uses: columns that nobody counts, and memory that was freed."""
    while True:
        await asyncio.sleep(_LOOK_AT_REST_S)
        await asyncio.to_thread(parts.services.tally.rest)
        # Under load too: a heap that is never tidied creeps for hours (decision record 0029).
        await asyncio.to_thread(return_memory)


async def _count_use(parts: Parts) -> None:
    while True:
        await asyncio.sleep(_COUNT_USE_EVERY_S)
        with contextlib.suppress(UnavailableError):
            await _write_use(parts)


async def _write_use(parts: Parts) -> None:
    """Write which memories were recalled; nothing of it while capture is paused."""
    if parts.use.waiting and (await parts.services.pauses.standing()).paused:
        parts.use.drop()
    await parts.use.write()


def _loops(parts: Parts) -> list[Coroutine[None, None, None]]:
    services, meaning = parts.services, parts.meaning
    return [
        _keep_going("embedding", lambda: _embed(parts, meaning)),
        _keep_going("rest", lambda: _rest(parts)),
        _keep_going("use counts", lambda: _count_use(parts)),
        _keep_going("agents", lambda: parts.agents.follow(services.bus)),
        _keep_going("agents seen", parts.agents.keep_seen),
        _keep_going("catch up", lambda: _catch_up(parts)),
        _keep_going("settings", parts.settings.watch),
        _keep_going("retention", lambda: sweep_when_due(services.retention, services.clock)),
        _keep_going(
            "backups", lambda: keep_backups(parts.database, services.settings, services.clock)
        ),
    ]


async def _keep_going(name: str, loop: Callable[[], Awaitable[None]]) -> None:
    """Run a loop for ever: a fault is logged, and after a pause it begins anew."""
    while True:
        try:
            await loop()
        # The supervisor of the loops: a fault in one must not end the daemon.
        except Exception:  # noqa: BLE001 - see above
            get_logger("daemon").exception("a loop failed", loop=name)
            await asyncio.sleep(_PAUSE_AFTER_FAULT_S)

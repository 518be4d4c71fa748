"""The daemon's lifespan: listen, open the database, run the parts' loops, shut down cleanly."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Final

from intaglio import __version__
from intaglio.api.gate.sign_in import SignIn
from intaglio.base.clock import iso
from intaglio.base.errors import UnavailableError
from intaglio.base.events import Resync, SettingsChanged
from intaglio.base.files.hook_breaker import timeout_note
from intaglio.base.installation import Installation
from intaglio.base.log import get_logger
from intaglio.base.paths import Paths
from intaglio.daemon.composition import Daemon, compose
from intaglio.daemon.lock import remove_record, write_record
from intaglio.daemon.parent_watchdog import watch_parent
from intaglio.daemon.peers.identify import peers_of_system
from intaglio.daemon.port import BoundPort
from intaglio.daemon.server import Server, make_server
from intaglio.daemon.unix_socket import UnixSocket
from intaglio.package import Loop

_PAUSE_AFTER_FAULT_S: Final = 60.0
_SHUTDOWN_TIMEOUT_S: Final = 5.0


async def live(
    paths: Paths,
    installation: Installation,
    bound: BoundPort,
    say: Callable[[str], None],
    *,
    exit_with_parent: bool = False,
) -> None:
    """Serve until stopped; requests are answered before the database is open.

    With ``exit_with_parent``, the end of standard input stops it too. If startup fails, shuts down
    cleanly and raises the error.
    """
    daemon = compose(paths, installation, bound.port)
    peers = peers_of_system()
    server = make_server(daemon.app, daemon.kernel.running.stopping, peers)
    if exit_with_parent:
        watch_parent(partial(_stop_from_thread, asyncio.get_running_loop(), server))
    local = UnixSocket(paths.socket, server.serve_unix, timeout_note(paths))
    failure: Exception | None = None
    try:
        async with asyncio.TaskGroup() as group:
            serving = group.create_task(server.serve(bound.sockets))
            try:
                await server.listening.wait()
                await local.open()
                _write_record(daemon, local.bound)
                if await _start_up_unless_stopped(daemon):
                    say(_announcement(daemon))
            # Whatever failed, the server must shut down cleanly before it is raised.
            except Exception as error:  # noqa: BLE001
                failure = error
                server.stop()
            loops = (
                group.create_task(run_loops(daemon)),
                group.create_task(_run_forever(Loop("Unix socket", local.keep))),
            )
            await serving
            for each in loops:
                each.cancel()
    finally:
        local.close()
        peers.close()
        await _shut_down(daemon)
        remove_record(paths)
    if failure is not None:
        raise failure


def _stop_from_thread(loop: asyncio.AbstractEventLoop, server: Server) -> None:
    get_logger("daemon").info("stopping because the parent process closed standard input")
    # The event loop may have been closed in the meantime.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(server.stop)


def _write_record(daemon: Daemon, socket: Path | None) -> None:
    running = daemon.kernel.running
    write_record(
        running.paths,
        running.install,
        port=running.port,
        version=__version__,
        started_at=iso(running.started_at),
        socket=socket,
    )


def _announcement(daemon: Daemon) -> str:
    """Return a line with a link to the dashboard, which works once."""
    port, key = daemon.kernel.running.port, daemon.kernel.get(SignIn).new_key()
    return f"Intaglio {__version__} · dashboard: http://127.0.0.1:{port}/enter?key={key}"


async def _start_up(daemon: Daemon) -> None:
    for part in daemon.parts.values():
        if part.prepare is not None:
            await asyncio.to_thread(part.prepare)
    await daemon.kernel.database.open()


async def _start_up_unless_stopped(daemon: Daemon) -> bool:
    """Start up; return whether it wasn't stopped meanwhile.

    A stop interrupts what takes long, such as migrating a large database.
    """
    starting = asyncio.create_task(_start_up(daemon))
    stopped = asyncio.create_task(daemon.kernel.running.stopping.wait())
    await asyncio.wait((starting, stopped), return_when=asyncio.FIRST_COMPLETED)
    was_stopped = not starting.done()
    if was_stopped:
        get_logger("daemon").info("stopping while starting")
        daemon.kernel.database.interrupt()
    stopped.cancel()
    try:
        await starting
    except UnavailableError:
        if not was_stopped:
            raise
    return not was_stopped


async def _shut_down(daemon: Daemon) -> None:
    """Finish session writes, then close the parts in reverse order, and the database."""
    daemon.kernel.database.interrupt()
    await daemon.kernel.session_writes.finish(_SHUTDOWN_TIMEOUT_S)
    for name, part in reversed(daemon.parts.items()):
        if part.close is not None:
            try:
                # During a database check a write would have to wait.
                async with asyncio.timeout(_SHUTDOWN_TIMEOUT_S):
                    await part.close()
            # A part that fails to close must not keep the others open.
            except Exception:  # noqa: BLE001 - see above
                get_logger("daemon").exception("couldn't close part", part=name)
    await daemon.kernel.database.close()


async def run_loops(daemon: Daemon) -> None:
    """Run the loops enabled by the settings, and start and stop them as the settings change."""
    loops = [loop for part in daemon.parts.values() for loop in part.loops]
    running: dict[str, asyncio.Task[None]] = {}
    with daemon.kernel.bus.listen() as events:
        async with asyncio.TaskGroup() as group:
            while True:
                settings = daemon.kernel.settings()
                for loop in loops:
                    enabled, task = loop.when(settings), running.get(loop.name)
                    if enabled and task is None:
                        running[loop.name] = group.create_task(_run_forever(loop))
                    elif task is not None and not enabled:
                        running.pop(loop.name).cancel()
                while not isinstance(await events.get(), SettingsChanged | Resync):
                    pass


async def _run_forever(loop: Loop) -> None:
    """Run a loop, restarting it after a pause whenever it fails or returns."""
    run: Callable[[], Awaitable[None]] = loop.run
    while True:
        try:
            await run()
            get_logger("daemon").error("loop returned", loop=loop.name)
        # A failing loop must not end the daemon.
        except Exception:  # noqa: BLE001 - see above
            get_logger("daemon").exception("loop failed", loop=loop.name)
            current = asyncio.current_task()
            if current is not None and current.cancelling():
                # It failed while being stopped and must not be restarted.
                return
        await asyncio.sleep(_PAUSE_AFTER_FAULT_S)

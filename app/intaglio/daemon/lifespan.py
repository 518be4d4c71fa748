"""The daemon's life: listen, open the database, run the loops of its parts; and the orderly end."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from intaglio import __version__
from intaglio.api.gate.sign_in import SignIn
from intaglio.base.clock import iso
from intaglio.base.events import Resync, SettingsChanged
from intaglio.base.installation import Installation
from intaglio.base.log import get_logger
from intaglio.base.paths import Paths
from intaglio.daemon.composition import Daemon, compose
from intaglio.daemon.lock import remove_record, write_record
from intaglio.daemon.parent_watchdog import watch_parent
from intaglio.daemon.port import BoundPort
from intaglio.daemon.server import Server, make_server
from intaglio.kernel import Loop

_PAUSE_AFTER_FAULT_S: Final = 60.0
_FINISH_WITHIN_S: Final = 5.0


async def live(
    paths: Paths,
    installation: Installation,
    bound: BoundPort,
    say: Callable[[str], None],
    *,
    exit_with_parent: bool = False,
) -> None:
    """Serve until stopped. The socket answers before the database is open.

    With ``exit_with_parent``, the end of standard input stops it too.
    Raises what kept it from beginning, after the server has ended in order.
    """
    daemon = compose(paths, installation, bound.port)
    server = make_server(daemon.app, daemon.kernel.running.stopping)
    if exit_with_parent:
        watch_parent(partial(_let_go, asyncio.get_running_loop(), server))
    failure: Exception | None = None
    try:
        async with asyncio.TaskGroup() as group:
            serving = group.create_task(server.serve(bound.sockets))
            try:
                await _announce(daemon, server, say)
                await _begin(daemon)
            # The supervisor: whatever it is, the server ends in order before it is raised.
            except Exception as error:  # noqa: BLE001
                failure = error
                server.stop()
            loops = group.create_task(run_loops(daemon))
            await serving
            loops.cancel()
    finally:
        await _end(daemon)
        remove_record(paths)
    if failure is not None:
        raise failure


def _let_go(loop: asyncio.AbstractEventLoop, server: Server) -> None:
    get_logger("daemon").info("let go by whoever started it")
    # The loop may have ended by itself meanwhile.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(server.stop)


async def _announce(daemon: Daemon, server: Server, say: Callable[[str], None]) -> None:
    """Once the socket answers, leave the record and say where the dashboard is."""
    await server.listening.wait()
    running = daemon.kernel.running
    write_record(
        running.paths,
        running.install,
        port=running.port,
        version=__version__,
        started_at=iso(running.started_at),
    )
    key = daemon.kernel.get(SignIn).new_key()
    say(f"Intaglio {__version__} · dashboard: http://127.0.0.1:{running.port}/enter?key={key}")


async def _begin(daemon: Daemon) -> None:
    for part in daemon.parts:
        if part.prepare is not None:
            await asyncio.to_thread(part.prepare)
    await daemon.kernel.database.open()


async def _end(daemon: Daemon) -> None:
    """Finish what sessions write, then close the parts, the last first, and the database."""
    await daemon.kernel.session_writes.finish(_FINISH_WITHIN_S)
    for part in reversed(daemon.parts):
        if part.close is not None:
            try:
                # While the database is checked, a write would wait for that.
                async with asyncio.timeout(_FINISH_WITHIN_S):
                    await part.close()
            # The supervisor: a part that fails to close must not keep the others open.
            except Exception:  # noqa: BLE001 - see above
                get_logger("daemon").exception("a part did not close", part=part.name)
    await daemon.kernel.database.close()


async def run_loops(daemon: Daemon) -> None:
    """Run the loops that the settings want, and start and stop them as these change."""
    loops = [loop for part in daemon.parts for loop in part.loops]
    running: dict[str, asyncio.Task[None]] = {}
    with daemon.kernel.bus.listen() as events:
        async with asyncio.TaskGroup() as group:
            while True:
                settings = daemon.kernel.settings()
                for loop in loops:
                    wanted, task = loop.when(settings), running.get(loop.name)
                    if wanted and task is None:
                        running[loop.name] = group.create_task(_keep_going(loop))
                    elif task is not None and not wanted:
                        running.pop(loop.name).cancel()
                while not isinstance(await events.get(), SettingsChanged | Resync):
                    pass


async def _keep_going(loop: Loop) -> None:
    """Run a loop for ever: when it fails or ends it is restarted after a pause."""
    run: Callable[[], Awaitable[None]] = loop.run
    while True:
        try:
            await run()
            get_logger("daemon").error("a loop ended", loop=loop.name)
        # The supervisor of the loops: a fault in one must not end the daemon.
        except Exception:  # noqa: BLE001 - see above
            get_logger("daemon").exception("a loop failed", loop=loop.name)
            current = asyncio.current_task()
            if current is not None and current.cancelling():
                # It failed while it was being stopped, and must not come back.
                return
        await asyncio.sleep(_PAUSE_AFTER_FAULT_S)

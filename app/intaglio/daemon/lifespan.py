"""The daemon's life: listen, open the database, catch up, watch; and the orderly end."""

import asyncio
from collections.abc import Callable

from intaglio import __version__
from intaglio.base.clock import iso
from intaglio.base.install import Install
from intaglio.base.paths import Paths
from intaglio.connect.files import refresh
from intaglio.daemon.backups import keep_backups
from intaglio.daemon.compose import compose
from intaglio.daemon.lock import remove_record, write_record
from intaglio.daemon.port import Bound
from intaglio.daemon.server import make_server


async def live(paths: Paths, install: Install, bound: Bound, say: Callable[[str], None]) -> None:
    """Serve until stopped. The socket answers before the database is open."""
    parts = compose(paths, install, bound.port)
    server = make_server(parts.app, parts.stopping)
    try:
        async with asyncio.TaskGroup() as group:
            serving = group.create_task(server.serve(bound.sockets))
            await server.listening.wait()
            write_record(
                paths,
                install,
                port=bound.port,
                version=__version__,
                started_at=iso(parts.services.running.started_at),
            )
            key = parts.services.sign_in.new_key()
            say(
                f"Intaglio {__version__} · dashboard: http://127.0.0.1:{bound.port}/enter?key={key}"
            )
            await asyncio.to_thread(refresh, paths, install, bound.port)
            await parts.database.open()
            loops = [
                group.create_task(parts.settings.watch()),
                group.create_task(
                    keep_backups(parts.database, parts.settings.current, parts.services.clock)
                ),
            ]
            await serving
            for loop in loops:
                loop.cancel()
    finally:
        await parts.database.close()
        remove_record(paths)

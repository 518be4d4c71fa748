"""The supervisor's hands: they look, spawn and end processes, and report what happens as events.

Looking and asking take time and are done on threads of their own; nothing here decides.
"""

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import Final

import psutil

from intaglio.base.errors import IntaglioError
from intaglio.base.installation import DEFAULT_PORT, read_installation
from intaglio.base.paths import Paths
from intaglio.base.settings.loader import port_from
from intaglio.client.daemon_client import DaemonClient
from intaglio.client.daemon_process import (
    bound_output,
    output_tail,
    request_shutdown,
    running,
    spawn,
    trace,
)
from intaglio.client.discovery import DaemonAddress, DaemonNotFound, find_daemon
from intaglio.desktop.daemon_cache import DaemonReport, fetch_health, fetch_report
from intaglio.desktop.supervisor.values import (
    ChildExited,
    DaemonAbsent,
    DaemonAnswered,
    DaemonOrigin,
    DaemonSpawned,
    ProbeFinished,
    ProbeResult,
    SpawnFailed,
    SupervisorEvent,
)

_ANSWER_WITHIN_S: Final = 3.0
_ALL_EVERY_S: Final = 15.0
_PORT_TRIES: Final = 200


class ProcessEffects:
    """Carries out effects for one installation.

    ``report`` takes events, ``tell`` what the daemon said; both are called from several threads.
    """

    def __init__(
        self,
        paths: Paths,
        report: Callable[[SupervisorEvent], None],
        tell: Callable[[DaemonReport], None],
        env: Mapping[str, str] = os.environ,
    ) -> None:
        self._paths = paths
        self._report = report
        self._env = dict(env)
        self._child: subprocess.Popen[bytes] | None = None
        self._sight = _DaemonProbe(paths, tell)

    # --- look -------------------------------------------------------------------------------------

    def probe(self, number: int, *, whole: bool, port: bool) -> None:
        """Look for a daemon; ``whole`` asks it for all, ``port`` whether the port is free."""

        def look() -> None:
            seen = self._sight.look(whole=whole)
            if port and isinstance(seen, DaemonAbsent):
                seen = DaemonAbsent(seen.process, is_free(self._own_port()), seen.pid)
            self._report(ProbeFinished(number, seen))

        _apart("look", look)

    def _own_port(self) -> int:
        with contextlib.suppress(IntaglioError):
            install = read_installation(self._paths)
            return port_from(self._env) or (install.port if install else None) or DEFAULT_PORT
        return DEFAULT_PORT

    # --- start ------------------------------------------------------------------------------------

    def spawn(self, *, move_port: bool) -> None:
        """Start a daemon on the leash, on a port of its own choice or, to move, on a free one."""
        if move_port:
            # For this and every later start; the daemon keeps it and rewrites the hooks' files.
            self._env["INTAGLIO_PORT"] = str(another_port(self._own_port()))
        try:
            child = spawn(self._paths, leash=True, env=self._env)
        except OSError as error:
            self._report(SpawnFailed(str(error)))
            return
        self._child = child
        self._report(DaemonSpawned(child.pid))

        def wait() -> None:
            code = child.wait()
            _close_input(child)
            self._report(ChildExited(code, _last_lines(output_tail(self._paths))))

        _apart("child", wait)

    # --- end --------------------------------------------------------------------------------------

    def request_shutdown(self, origin: DaemonOrigin) -> None:
        """Let the daemon leave in order."""
        if origin == "spawned":
            self._let_go()
        else:
            _apart("ask", lambda: request_shutdown(self._paths))

    def terminate(self, origin: DaemonOrigin, pid: int) -> None:
        """End the daemon's process politely, where the platform can."""
        for process in self._target(origin, pid):
            with contextlib.suppress(OSError, psutil.Error):
                process.terminate()

    def kill(self, origin: DaemonOrigin, pid: int) -> None:
        """End the daemon's process at once."""
        for process in self._target(origin, pid):
            with contextlib.suppress(OSError, psutil.Error):
                process.kill()

    def _target(
        self, origin: DaemonOrigin, pid: int
    ) -> "list[subprocess.Popen[bytes] | psutil.Process]":
        if origin == "spawned":
            return [self._child] if self._child is not None else []
        # By its record, never by the number alone: that may be another program's by now.
        process = running(self._paths)
        return [process] if process is not None and process.pid == pid else []

    def _let_go(self) -> None:
        if self._child is not None:
            _close_input(self._child)

    def close(self) -> None:
        """Let go of whatever is still held."""
        self._let_go()
        self._sight.close()

    def truncate_output(self) -> None:
        """Put the daemon's output aside when it has grown long."""
        bound_output(self._paths)


class _DaemonProbe:
    """Asks the daemon; one look at a time, with one connection while it stays where it is."""

    def __init__(self, paths: Paths, tell: Callable[[DaemonReport], None]) -> None:
        self._paths = paths
        self._tell = tell
        self._alone = threading.Lock()
        self._place: DaemonAddress | None = None
        self._client: DaemonClient | None = None
        self._facts: DaemonReport | None = None
        self._all_at = float("-inf")

    def look(self, *, whole: bool) -> ProbeResult:
        with self._alone:
            try:
                return self._ask(whole=whole)
            except IntaglioError:
                self._drop()
            word, pid = trace(self._paths)
            return DaemonAbsent("silent" if word == "lives" else word, pid=pid)

    def _ask(self, *, whole: bool) -> DaemonAnswered:
        client = self._connected()
        facts = fetch_health(client, self._facts)
        now = time.monotonic()
        new = self._facts is None or self._facts.pid != facts.pid
        if whole or new or now - self._all_at >= _ALL_EVERY_S:
            # That it is well is known; the rest may fail while its database is being checked.
            with contextlib.suppress(IntaglioError):
                facts = fetch_report(client, facts)
                self._all_at = now
        self._facts = facts
        self._tell(facts)
        return DaemonAnswered(facts.pid, facts.version)

    def _connected(self) -> DaemonClient:
        place = find_daemon(self._paths, {})
        if self._client is None or place != self._place:
            self._drop()
            self._client = DaemonClient(place, _ANSWER_WITHIN_S)
            self._place = None if isinstance(place, DaemonNotFound) else place
        return self._client

    def _drop(self) -> None:
        if self._client is not None:
            self._client.close()
        self._client, self._facts = None, None

    def close(self) -> None:
        with self._alone:
            self._drop()


def _close_input(child: "subprocess.Popen[bytes]") -> None:
    if child.stdin is not None:
        with contextlib.suppress(OSError):
            child.stdin.close()


def _apart(name: str, work: Callable[[], object]) -> None:
    # Daemon threads: what hangs there must not keep the desk from leaving.
    threading.Thread(target=work, name=f"intaglio-desk-{name}", daemon=True).start()


def _last_lines(said: str, most: int = 2) -> str:
    return "\n".join(said.splitlines()[-most:])


def is_free(port: int) -> bool:
    """Tell whether the port can be bound, as the daemon would bind it."""
    with socket.socket() as probe:
        if sys.platform == "win32":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
            probe.listen()
        except OSError:
            return False
        return True


def another_port(taken: int) -> int:
    """Choose a free port near the default, other than the taken one.

    Not one that the system gives out: it would lend the same to any program later.
    """
    candidates = range(DEFAULT_PORT, DEFAULT_PORT + _PORT_TRIES)
    return next((port for port in candidates if port != taken and is_free(port)), taken)

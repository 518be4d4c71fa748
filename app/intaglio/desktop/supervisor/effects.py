"""Carries out the supervisor's effects: probes, starts and stops processes, reports events.

Slow work runs on threads of its own. Decisions are made in `transitions`.
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

from intaglio import __version__
from intaglio.base.daemon_record import read_record
from intaglio.base.errors import IntaglioError
from intaglio.base.files.hook_breaker import set_aside
from intaglio.base.installation import DEFAULT_PORT, read_installation
from intaglio.base.paths import Paths
from intaglio.base.settings.loader import port_from
from intaglio.client.daemon_client import DaemonClient
from intaglio.client.daemon_process import (
    bound_output,
    find_process,
    output_tail,
    request_shutdown,
    running,
    spawn,
    trace,
)
from intaglio.client.discovery import DaemonAddress, DaemonNotFound, find_daemon
from intaglio.client.errors import UnresponsiveError
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

_REQUEST_TIMEOUT_S: Final = 3.0
_FULL_REPORT_EVERY_S: Final = 15.0
_PORT_ATTEMPTS: Final = 200


class ProcessEffects:
    """Carries out effects for one installation.

    ``report`` receives events, ``on_report`` the daemon's reports; both from several threads.
    ``since`` returns the time from which captured memories are counted.
    """

    def __init__(
        self,
        paths: Paths,
        report: Callable[[SupervisorEvent], None],
        on_report: Callable[[DaemonReport], None],
        since: Callable[[], str],
        env: Mapping[str, str] = os.environ,
    ) -> None:
        self._paths = paths
        self._on_event = report
        self._env = dict(env)
        self._child: subprocess.Popen[bytes] | None = None
        self._probe = _DaemonProbe(paths, on_report, since)

    # --- probe ------------------------------------------------------------------------------------

    def probe(self, number: int, *, full_report: bool, check_port: bool) -> None:
        """Probe for a daemon.

        ``full_report`` requests counts and memories too, ``check_port`` tests our port.
        """

        def probe_daemon() -> None:
            result = self._probe.probe_daemon(full_report=full_report)
            if check_port and isinstance(result, DaemonAbsent):
                result = DaemonAbsent(
                    result.process, is_port_free(self._configured_port()), result.pid
                )
            self._on_event(ProbeFinished(number, result))

        _start_thread("probe", probe_daemon)

    def _configured_port(self) -> int:
        with contextlib.suppress(IntaglioError):
            install = read_installation(self._paths)
            return port_from(self._env) or (install.port if install else None) or DEFAULT_PORT
        return DEFAULT_PORT

    # --- start ------------------------------------------------------------------------------------

    def spawn(self, *, move_port: bool) -> None:
        """Start a daemon that exits with this process; ``move_port`` gives it another port."""
        if move_port:
            # For this and every later start; the daemon saves it and rewrites the hooks' files.
            self._env["INTAGLIO_PORT"] = str(find_free_port(self._configured_port()))
        try:
            child = spawn(self._paths, exit_with_parent=True, env=self._env)
        except OSError as error:
            self._on_event(SpawnFailed(str(error)))
            return
        self._child = child
        self._on_event(DaemonSpawned(child.pid))

        def wait() -> None:
            code = child.wait()
            _close_input(child)
            self._on_event(ChildExited(code, _last_lines(output_tail(self._paths))))

        _start_thread("child", wait)

    # --- stop -------------------------------------------------------------------------------------

    def request_shutdown(self, origin: DaemonOrigin) -> None:
        """Ask the daemon to shut down."""
        if origin == "spawned":
            self._close_child_input()
        else:
            _start_thread("shutdown", lambda: request_shutdown(self._paths))

    def terminate(self, origin: DaemonOrigin, pid: int) -> None:
        """Terminate the daemon's process, gracefully where the platform can."""
        for process in self._target(origin, pid):
            with contextlib.suppress(OSError, psutil.Error):
                process.terminate()

    def kill(self, origin: DaemonOrigin, pid: int) -> None:
        """Kill the daemon's process."""
        for process in self._target(origin, pid):
            with contextlib.suppress(OSError, psutil.Error):
                process.kill()

    def _target(
        self, origin: DaemonOrigin, pid: int
    ) -> "list[subprocess.Popen[bytes] | psutil.Process]":
        if origin == "spawned":
            return [self._child] if self._child is not None else []
        # Found by its record: the process id alone may belong to another program by now.
        process = running(self._paths)
        return [process] if process is not None and process.pid == pid else []

    def _close_child_input(self) -> None:
        if self._child is not None:
            _close_input(self._child)

    def close(self) -> None:
        """Close the pipe to our daemon, which then exits, and the connection."""
        self._close_child_input()
        self._probe.close()

    def truncate_output(self) -> None:
        """Rotate the daemon's output file if it has grown large."""
        bound_output(self._paths)


class _DaemonProbe:
    """Probes the daemon, one probe at a time; reuses the connection to the same address."""

    def __init__(
        self, paths: Paths, on_report: Callable[[DaemonReport], None], since: Callable[[], str]
    ) -> None:
        self._paths = paths
        self._on_report = on_report
        self._since = since
        self._lock = threading.Lock()
        self._address: DaemonAddress | None = None
        self._client: DaemonClient | None = None
        self._last_report: DaemonReport | None = None
        self._full_report_at = float("-inf")

    def probe_daemon(self, *, full_report: bool) -> ProbeResult:
        with self._lock:
            try:
                return self._request_report(full_report=full_report)
            except UnresponsiveError:
                self._set_socket_aside()
                self._disconnect()
            except IntaglioError:
                self._disconnect()
            outdated = self._outdated_daemon()
            if outdated is not None:
                return outdated
            process_state, pid = trace(self._paths)
            return DaemonAbsent("silent" if process_state == "lives" else process_state, pid=pid)

    def _request_report(self, *, full_report: bool) -> DaemonAnswered:
        client = self._connected()
        current = fetch_health(client, self._last_report)
        now = time.monotonic()
        new = self._last_report is None or self._last_report.pid != current.pid
        if full_report or new or now - self._full_report_at >= _FULL_REPORT_EVERY_S:
            # Its health is known; the rest may fail while its database is being checked.
            with contextlib.suppress(IntaglioError):
                current = fetch_report(client, current, self._since())
                self._full_report_at = now
        self._last_report = current
        self._on_report(current)
        return DaemonAnswered(current.pid, current.version)

    def _outdated_daemon(self) -> DaemonAnswered | None:
        """Recognise a daemon of another version, which may not prove itself, by its process."""
        record = read_record(self._paths.lock)
        if record is None or record.version == __version__ or find_process(record) is None:
            return None
        return DaemonAnswered(record.pid, record.version)

    def _set_socket_aside(self) -> None:
        """Let hooks fail at once; the daemon puts its socket back when it runs again."""
        socket = None if self._address is None else self._address.socket
        if socket is not None and socket == self._paths.socket:
            set_aside(socket)

    def _connected(self) -> DaemonClient:
        address = find_daemon(self._paths, {})
        if self._client is None or address != self._address:
            self._disconnect()
            self._client = DaemonClient(address, _REQUEST_TIMEOUT_S)
            self._address = None if isinstance(address, DaemonNotFound) else address
        return self._client

    def _disconnect(self) -> None:
        if self._client is not None:
            self._client.close()
        self._client, self._last_report = None, None

    def close(self) -> None:
        with self._lock:
            self._disconnect()


def _close_input(child: "subprocess.Popen[bytes]") -> None:
    if child.stdin is not None:
        with contextlib.suppress(OSError):
            child.stdin.close()


def _start_thread(name: str, work: Callable[[], object]) -> None:
    # Daemon threads: one that hangs must not keep the app from exiting.
    threading.Thread(target=work, name=f"intaglio-tray-{name}", daemon=True).start()


def _last_lines(output: str, most: int = 2) -> str:
    return "\n".join(output.splitlines()[-most:])


def is_port_free(port: int) -> bool:
    """Return whether the port can be bound, in the way the daemon would bind it."""
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


def find_free_port(taken: int) -> int:
    """Return a free port near the default, other than the taken one.

    Not an ephemeral port: the system could give the same one to another program later.
    """
    candidates = range(DEFAULT_PORT, DEFAULT_PORT + _PORT_ATTEMPTS)
    return next((port for port in candidates if port != taken and is_port_free(port)), taken)

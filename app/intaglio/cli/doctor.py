"""`intaglio doctor`: checks the installation and says how to fix what it finds."""

import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

import click
import psutil

from intaglio.base.clock import system_clock
from intaglio.base.errors import IntaglioError, MisconfiguredError
from intaglio.base.files.gitignore import missing_patterns
from intaglio.base.files.regular_file import read_regular
from intaglio.base.installation import NOT_YET, command, read_installation
from intaglio.base.paths import Paths, home_folder
from intaglio.base.settings.loader import port_from, read_settings
from intaglio.cli.capture import pause_words
from intaglio.cli.connection import daemon_client, paths
from intaglio.cli.output import local_time
from intaglio.client import daemon_process as process
from intaglio.client.daemon_client import DaemonClient
from intaglio.client.discovery import DaemonAddress, DaemonNotFound, find_daemon
from intaglio.client.errors import UnreachableError
from intaglio.connect.connector import Connector
from intaglio.connect.curl import curl_reaches_daemon
from intaglio.connect.values import ConnectionRefused
from intaglio.harness.registry import connectors, harness_names

_MARKS: Final = {"ok": "ok  ", "warn": "warn", "fail": "FAIL"}
_SPOOL_IS_MANY: Final = 100
_MAX_PID_BYTES: Final = 100
_DAY_S: Final = 86_400


@dataclass(frozen=True, slots=True)
class Check:
    """What was checked, the result, and what to do about it."""

    name: str
    result: Literal["ok", "warn", "fail"]
    found: str
    advice: str = ""


def _daemon(ours: Paths) -> Check:
    health = process.is_answering(ours)
    if health is None:
        return Check(
            "daemon", "fail", "not responding", f"Start it with `{command('daemon start')}`."
        )
    if health.state == "degraded":
        return Check("daemon", "fail", f"the database is read-only: {health.reason}", health.hint)
    return Check("daemon", "ok", f"{health.state}, port {health.port}, pid {health.pid}")


def _capture(ours: Paths) -> Check:
    if process.is_answering(ours) is None:
        return Check("capture", "ok", "unknown while the daemon isn't running")
    with daemon_client() as client:
        found = client.status().capture
    if found is None or not found.paused:
        return Check("capture", "ok", "not paused")
    words = pause_words(found, system_clock().astimezone())
    return Check("capture", "warn", words, f"Resume it with `{command('resume')}`.")


def _port(ours: Paths) -> Check:
    install = read_installation(ours) or NOT_YET
    try:
        port = port_from() or install.port
    except MisconfiguredError as error:
        return Check("port", "fail", error.detail, error.hint)
    if port is None:
        return Check("port", "ok", "chosen when the daemon first starts")
    if process.is_answering(ours) is not None:
        return Check("port", "ok", str(port))
    with contextlib.suppress(UnreachableError):
        place = DaemonAddress(f"http://127.0.0.1:{port}", install.install_id, install.token or None)
        with DaemonClient(place) as client:
            client.health()
        return Check("port", "ok", str(port))
    holder = _holder(port)
    if holder is None:
        return Check("port", "ok", f"{port}, free")
    return Check(
        "port",
        "fail",
        f"{port} is used by {holder}",
        "Stop that program, or start the daemon once with INTAGLIO_PORT set to another port.",
    )


def _holder(port: int) -> str | None:
    """Name the program that listens on a port, as far as the system reveals it."""
    with contextlib.suppress(psutil.Error):
        for connection in psutil.net_connections(kind="tcp"):
            listens = connection.status == psutil.CONN_LISTEN and connection.laddr
            if listens and listens.port == port:
                with contextlib.suppress(psutil.Error):
                    return f"{psutil.Process(connection.pid).name()} (pid {connection.pid})"
                return "another program"
    return None


def _settings(ours: Paths) -> Iterator[Check]:
    _, problems = read_settings(ours.settings, harness_names())
    for problem in problems:
        yield Check(
            "settings", "warn", f"{problem.key} {problem.message}", f"Fix it in {ours.settings}."
        )
    if not problems:
        yield Check("settings", "ok", str(ours.settings))


def _harnesses(ours: Paths) -> Iterator[Check]:
    for connector in connectors().values():
        yield _harness(connector, ours)


def _harness(connector: Connector, ours: Paths) -> Check:
    install = read_installation(ours) or NOT_YET
    file = connector.settings_file(home_folder(), os.environ)
    advice = f"Connect it with `{command(f'connect {connector.name}')}`."
    match connector.state(file, ours, install, sys.executable):
        case ConnectionRefused(reason, hint):
            return Check(connector.name, "warn", reason, hint)
        case "connected":
            return Check(connector.name, "ok", "connected")
        case "partly":
            return Check(connector.name, "warn", "partly connected", advice)
        case "not":
            return Check(connector.name, "warn", "not connected", advice)


def _semantic_search(ours: Paths) -> Check:
    if process.is_answering(ours) is None:
        return Check("embeddings", "ok", "unknown while the daemon isn't running")
    try:
        with daemon_client() as client:
            embedding = client.status().embedding
    except IntaglioError as error:
        return Check("embeddings", "warn", error.detail)
    if embedding is None:
        return Check("embeddings", "ok", "turned off; recall uses keywords only")
    if not embedding.available:
        advice = (
            f"Until this is fixed, recall uses keywords only. Check embedding.* in {ours.settings}."
        )
        return Check("embeddings", "fail", embedding.detail or embedding.phase, advice)
    progress = f"{embedding.embedded} of {embedding.total} memories ({embedding.model})"
    if embedding.dead:
        return Check(
            "embeddings",
            "warn",
            f"{progress}; {embedding.dead} failed",
            "Retry the failed jobs on the dashboard's Queue page.",
        )
    return Check("embeddings", "ok", progress)


def _spool(ours: Paths) -> Check:
    waiting = sum(1 for _ in ours.spool.glob("*.json"))
    if waiting > _SPOOL_IS_MANY:
        return Check(
            "spool",
            "warn",
            f"{waiting} events queued",
            f"The daemon processes them. Start it with `{command('daemon start')}`.",
        )
    aside = ours.spool / "rejected"
    rejected = sum(1 for _ in aside.glob("*.json"))
    if rejected:
        return Check(
            "spool",
            "warn",
            f"{waiting} events queued, {rejected} rejected",
            f"See why with `{command('daemon logs')}`. They are in {aside}; you can delete them.",
        )
    return Check("spool", "ok", f"{waiting} events queued")


def _retention(ours: Paths) -> Check:
    place = find_daemon(ours, {})
    if isinstance(place, DaemonNotFound):
        return Check("retention", "ok", "unknown while the daemon isn't running")
    try:
        with DaemonClient(place) as client:
            found = client.status().retention
    except IntaglioError as error:
        return Check("retention", "warn", error.detail)
    if found is None or found.last is None:
        return Check("retention", "ok", "no cleanup has run yet")
    last = found.last
    summary = f"{sum(last.removed.values())} items removed on {local_time(last.ended_at)}"
    if last.failed:
        names = ", ".join(last.failed)
        advice = f"See why with `{command('daemon logs')}`."
        return Check("retention", "warn", f"{summary}; failed: {names}", advice)
    if last.outcome != "done":
        stopped = f"{summary}, then stopped: {last.outcome}"
        return Check("retention", "warn", stopped, "It is retried automatically.")
    return Check("retention", "ok", summary)


def _clock(ours: Paths) -> Check:
    if process.is_answering(ours) is None:
        return Check("clock", "ok", "unknown while the daemon isn't running")
    try:
        with daemon_client() as client:
            jump = client.status().clock
    except IntaglioError as error:
        return Check("clock", "warn", error.detail)
    if jump is None:
        return Check("clock", "ok", "no jumps")
    days = abs(jump.ahead_s) / _DAY_S
    return Check(
        "clock",
        "warn",
        f"{days:.1f} days {'ahead of' if jump.ahead_s > 0 else 'behind'} what was expected; "
        "nothing is deleted by age",
        f"If it is right, run `{command('db confirm-clock')}`; otherwise set it.",
    )


def _gitignore(ours: Paths) -> Check:
    missing = missing_patterns(ours.database, ours.backups)
    if not missing:
        return Check("gitignore", "ok", "the database is kept out of Git")
    return Check(
        "gitignore",
        "warn",
        f"{ours.memory / '.gitignore'} doesn't name all of the database's files",
        f"Add these lines to it: {' '.join(missing)}",
    )


def _curl(ours: Paths) -> Check:
    found = shutil.which("curl")
    if found is None:
        return Check(
            "curl",
            "warn",
            "not found",
            "Install curl and connect your agents again: hooks then start faster.",
        )
    if not curl_reaches_daemon(ours):
        return Check("curl", "ok", f"{found}, not used: hooks can't use a Unix socket here")
    return Check("curl", "ok", found)


def _signet(ours: Paths) -> Check:
    file = ours.workspace / ".daemon" / "pid"
    try:
        pid = int(read_regular(file, _MAX_PID_BYTES).decode("ascii").strip())
    except (OSError, ValueError):
        return Check("signet", "ok", "not in this workspace")
    if not psutil.pid_exists(pid):
        return Check("signet", "ok", "its daemon isn't running")
    return Check(
        "signet",
        "warn",
        f"Signet's daemon (pid {pid}) uses the same workspace",
        "Stop it; otherwise both answer the same sessions.",
    )


_CHECKS: Final[tuple[Callable[[Paths], Check | Iterator[Check]], ...]] = (
    _daemon,
    _capture,
    _port,
    _harnesses,
    _semantic_search,
    _spool,
    _retention,
    _clock,
    _gitignore,
    _curl,
    _signet,
    _settings,
)


@click.command()
def doctor() -> None:
    """Check the installation and show how to fix what is wrong."""
    ours = paths()
    found = (check(ours) for check in _CHECKS)
    checks = [check for one in found for check in ([one] if isinstance(one, Check) else one)]
    for check in checks:
        click.echo(f"{_MARKS[check.result]}  {check.name}: {check.found}")
        if check.advice:
            click.echo(f"      {check.advice}")
    if any(check.result == "fail" for check in checks):
        sys.exit(1)

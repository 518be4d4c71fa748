"""`intaglio doctor`: what is not as it should be, and what to do about it."""

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
from intaglio.base.install import NOT_YET, known_install
from intaglio.base.paths import Paths, home_folder
from intaglio.base.settings.reading import port_from, read_settings
from intaglio.cli.capture import pause_words
from intaglio.cli.reach import daemon_client, paths
from intaglio.client import process
from intaglio.client.daemon import DaemonClient
from intaglio.client.errors import UnreachableError
from intaglio.client.find import Nowhere, Place, find_daemon
from intaglio.connect.connector import Connector
from intaglio.connect.values import Refused
from intaglio.harness.registry import connectors, harness_names

_MARKS: Final = {"ok": "ok  ", "warn": "warn", "fail": "FAIL"}
_SPOOL_IS_MANY: Final = 100


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, how it is, and what to do."""

    name: str
    result: Literal["ok", "warn", "fail"]
    found: str
    advice: str = ""


def _daemon(ours: Paths) -> Check:
    health = process.answering(ours)
    if health is None:
        return Check("daemon", "fail", "it does not answer", "Run `intaglio daemon start`.")
    if health.state == "degraded":
        return Check(
            "daemon",
            "fail",
            f"the database is only read: {health.reason}",
            "If it is damaged, `intaglio restore` puts the newest good backup in its place.",
        )
    return Check("daemon", "ok", f"{health.state}, port {health.port}, pid {health.pid}")


def _capture(ours: Paths) -> Check:
    if process.answering(ours) is None:
        return Check("capture", "ok", "nobody to ask")
    with daemon_client() as client:
        found = client.status().capture
    if found is None or not found.paused:
        return Check("capture", "ok", "not paused")
    words = pause_words(found, system_clock().astimezone())
    return Check("capture", "warn", words, "Run `intaglio resume` to go on.")


def _port(ours: Paths) -> Check:
    install = known_install(ours) or NOT_YET
    try:
        port = port_from() or install.port
    except MisconfiguredError as error:
        return Check("port", "fail", error.detail, error.hint)
    if port is None:
        return Check("port", "ok", "chosen at the first start")
    if process.answering(ours) is not None:
        return Check("port", "ok", str(port))
    with contextlib.suppress(UnreachableError):
        place = Place(f"http://127.0.0.1:{port}", install.install_id, None)
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
        "Stop that program, or set INTAGLIO_PORT once to move Intaglio.",
    )


def _holder(port: int) -> str | None:
    """Name the program that listens on a port, as far as the system tells."""
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
        yield Check("settings", "warn", f"{problem.key} {problem.message}", f"See {ours.settings}.")
    if not problems:
        yield Check("settings", "ok", str(ours.settings))


def _harnesses(ours: Paths) -> Iterator[Check]:
    for connector in connectors().values():
        yield _harness(connector, ours)


def _harness(connector: Connector, ours: Paths) -> Check:
    install = known_install(ours) or NOT_YET
    file = connector.settings_file(home_folder(), os.environ)
    advice = f"Run `intaglio connect {connector.name}`."
    match connector.state(file, ours, install, sys.executable):
        case Refused(reason, hint):
            return Check(connector.name, "warn", reason, hint)
        case "connected":
            return Check(connector.name, "ok", "connected")
        case "partly":
            return Check(connector.name, "warn", "connected in part", advice)
        case "not":
            return Check(connector.name, "warn", "not connected", advice)


def _meaning(ours: Paths) -> Check:
    if process.answering(ours) is None:
        return Check("meaning", "ok", "known while the daemon runs")
    try:
        with daemon_client() as client:
            embedding = client.status().embedding
    except IntaglioError as error:
        return Check("meaning", "warn", error.detail)
    if embedding is None:
        return Check("meaning", "ok", "embedding is switched off; words answer alone")
    if not embedding.available:
        advice = "Until it is mended, words answer alone. See embedding.* in the settings."
        return Check("meaning", "fail", embedding.detail or embedding.phase, advice)
    told = f"{embedding.embedded} of {embedding.total} memories have a vector ({embedding.model})"
    if embedding.dead:
        return Check(
            "meaning", "warn", f"{told}; {embedding.dead} were given up", "See the Queue page."
        )
    return Check("meaning", "ok", told)


def _spool(ours: Paths) -> Check:
    waiting = sum(1 for _ in ours.spool.glob("*.json"))
    if waiting > _SPOOL_IS_MANY:
        return Check("spool", "warn", f"{waiting} events wait", "Start the daemon; it reads them.")
    aside = ours.spool / "rejected"
    rejected = sum(1 for _ in aside.glob("*.json"))
    if rejected:
        return Check(
            "spool",
            "warn",
            f"{waiting} events wait, {rejected} could not be done and were set aside",
            f"`intaglio daemon logs` says why; they lie in {aside} and may be deleted.",
        )
    return Check("spool", "ok", f"{waiting} events wait")


def _retention(ours: Paths) -> Check:
    place = find_daemon(ours, {})
    if isinstance(place, Nowhere):
        return Check("retention", "ok", "told while the daemon runs")
    try:
        with DaemonClient(place) as client:
            found = client.status().retention
    except IntaglioError as error:
        return Check("retention", "warn", f"the daemon does not tell: {error.detail}")
    if found is None or found.last is None:
        return Check("retention", "ok", "nothing was purged yet")
    last = found.last
    told = f"{sum(last.removed.values())} rows and files purged at {last.ended_at}"
    if last.failed:
        names = ", ".join(last.failed)
        return Check("retention", "warn", f"{told}; failed: {names}", "See `intaglio daemon logs`.")
    if last.outcome != "done":
        return Check("retention", "warn", f"{told}, cut off: {last.outcome}", "It is tried again.")
    return Check("retention", "ok", told)


def _curl(_: Paths) -> Check:
    found = shutil.which("curl")
    if found is None:
        return Check(
            "curl", "warn", "not found", "Install curl, then connect again: starts get faster."
        )
    return Check("curl", "ok", found)


def _signet(ours: Paths) -> Check:
    file = ours.workspace / ".daemon" / "pid"
    try:
        pid = int(file.read_text(encoding="ascii").strip())
    except (OSError, ValueError):
        return Check("signet", "ok", "no daemon of Signet on this workspace")
    if not psutil.pid_exists(pid):
        return Check("signet", "ok", "its daemon does not run")
    return Check(
        "signet",
        "warn",
        f"Signet's daemon (pid {pid}) works on the same workspace",
        "Stop it: both would answer the same sessions.",
    )


_CHECKS: Final[tuple[Callable[[Paths], Check | Iterator[Check]], ...]] = (
    _daemon,
    _capture,
    _port,
    _harnesses,
    _meaning,
    _spool,
    _retention,
    _curl,
    _signet,
    _settings,
)


@click.command()
def doctor() -> None:
    """Look for what is not as it should be, and say what to do."""
    ours = paths()
    found = (look(ours) for look in _CHECKS)
    checks = [check for one in found for check in ([one] if isinstance(one, Check) else one)]
    for check in checks:
        click.echo(f"{_MARKS[check.result]}  {check.name}: {check.found}")
        if check.advice:
            click.echo(f"      {check.advice}")
    if any(check.result == "fail" for check in checks):
        sys.exit(1)

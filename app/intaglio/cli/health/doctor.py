"""`intaglio doctor`: checks the installation and says how to fix what it finds."""

import contextlib
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import click
import psutil

from intaglio.base.errors import IntaglioError, MisconfiguredError
from intaglio.base.files.gitignore import missing_patterns
from intaglio.base.files.regular_file import read_regular, special_kind
from intaglio.base.installation import NOT_YET, Installation, command, read_installation
from intaglio.base.paths import Paths
from intaglio.base.settings.loader import port_from, read_settings
from intaglio.cli.connection import daemon_client, paths
from intaglio.cli.health.places import place_lines
from intaglio.cli.health.status import issue_advice
from intaglio.cli.options import project_of, refuse_empty_project
from intaglio.client import daemon_process as process
from intaglio.client.daemon_client import DaemonClient
from intaglio.client.discovery import DaemonAddress, find_daemon
from intaglio.client.errors import UnreachableError
from intaglio.connect.curl import curl_reaches_daemon
from intaglio.connect.tools.mcp_servers import SERVER_NAME
from intaglio.connect.values import ConnectionRefused, ConnectionState, ToolsState
from intaglio.fence.characters import visible
from intaglio.harness.registry import connection_targets, harness_names
from intaglio.sections import SECTIONS
from intaglio.wire.health import DomainRow, HealthReport
from intaglio.wire.status import Health

CheckResult: TypeAlias = Literal["ok", "note", "warn", "fail"]
_MARKS: Final[dict[CheckResult, str]] = {
    "ok": "ok  ",
    "note": "note",
    "warn": "warn",
    "fail": "FAIL",
}
_RESULTS: Final[dict[str, CheckResult]] = {"danger": "fail", "warn": "warn", "info": "note"}
# Beginnings of the ids of issues.
_CHECKED_HERE: Final = (
    "database",
    "checking",
    "agents-",
    "hooks-",
    "setting-",
    "spool",
    "rejected",
)
_SPOOL_IS_MANY: Final = 100
_MAX_PID_BYTES: Final = 100
_PROBE_TIMEOUT_S: Final = 3.0


@dataclass(frozen=True, slots=True)
class Check:
    """What was checked, the result, and what to do about it."""

    name: str
    result: CheckResult
    found: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the daemon answered; asked once, as each question to a hanging one takes long.

    ``pid`` is the process by the daemon's record, 0 if there is none. ``unknown`` is what to say of
    what only the daemon's report would tell; empty if there is a report.
    """

    ours: Paths
    health: Health | None
    report: HealthReport | None
    pid: int
    unknown: str

    @property
    def is_hanging(self) -> bool:
        """Whether the daemon's process is there, but doesn't answer."""
        return self.health is None and self.pid != 0


def _ask(ours: Paths) -> Seen:
    _, pid = process.trace(ours)
    health = process.is_answering(ours)
    if health is None:
        unknown = "the daemon doesn't respond" if pid else "the daemon isn't running"
        return Seen(ours, None, None, pid, f"unknown: {unknown}")
    try:
        with DaemonClient(find_daemon(ours, {})) as client:
            return Seen(ours, health, client.health_report(), health.pid, "")
    except IntaglioError as error:
        return Seen(ours, health, None, health.pid, f"unknown: {error.detail}")


def _daemon(seen: Seen) -> Check:
    health = seen.health
    if seen.is_hanging:
        return Check(
            "daemon",
            "fail",
            f"doesn't respond (pid {seen.pid})",
            f"If it stays like this, run `{command('daemon stop')}` and start it again.",
        )
    if health is None:
        return Check(
            "daemon", "fail", "not responding", f"Start it with `{command('daemon start')}`."
        )
    if health.state == "degraded":
        return Check("daemon", "fail", f"the database is read-only: {health.reason}", health.hint)
    return Check("daemon", "ok", f"{health.state}, port {health.port}, pid {health.pid}")


def _port(seen: Seen) -> Check:
    install = read_installation(seen.ours) or NOT_YET
    try:
        port = port_from() or install.port
    except MisconfiguredError as error:
        return Check("port", "fail", error.detail, error.hint)
    if port is None:
        return Check("port", "ok", "chosen when the daemon first starts")
    if seen.is_hanging and seen.pid in _holders(port):
        return Check("port", "ok", f"{port}, used by the daemon, which doesn't respond")
    if seen.health is not None or (not seen.is_hanging and _is_ours(port, install)):
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


def _is_ours(port: int, install: Installation) -> bool:
    """Whether this installation's daemon answers there, although it left no record."""
    place = DaemonAddress(f"http://127.0.0.1:{port}", install.install_id, install.token or None)
    with (
        contextlib.suppress(UnreachableError),
        DaemonClient(place, timeout_s=_PROBE_TIMEOUT_S) as client,
    ):
        client.health()
        return True
    return False


def _holders(port: int) -> set[int]:
    """Return the pids of the programs that listen on a port, 0 for one that isn't revealed."""
    with contextlib.suppress(psutil.Error):
        return {
            connection.pid or 0
            for connection in psutil.net_connections(kind="tcp")
            if connection.status == psutil.CONN_LISTEN
            and connection.laddr
            and connection.laddr.port == port
        }
    return set()


def _holder(port: int) -> str | None:
    """Name the program that listens on a port, as far as the system reveals it."""
    for pid in sorted(_holders(port), reverse=True):
        with contextlib.suppress(psutil.Error):
            if pid:
                return f"{psutil.Process(pid).name()} (pid {pid})"
        return "another program"
    return None


def _settings(seen: Seen) -> Iterator[Check]:
    ours = seen.ours
    kind = special_kind(ours.settings)
    if kind is not None:
        found = f"{ours.settings} is {kind}, not a file"
        yield Check("settings", "fail", found, "Move it away, then start the daemon again.")
        return
    problems = read_settings(ours.settings, SECTIONS, harness_names()).problems
    for problem in problems:
        yield Check(
            "settings", "warn", f"{problem.key} {problem.message}", f"Fix it in {ours.settings}."
        )
    if not problems:
        yield Check("settings", "ok", str(ours.settings))


def _harnesses(seen: Seen) -> Iterator[Check]:
    install = read_installation(seen.ours) or NOT_YET
    has_any = False
    for name, target in connection_targets(seen.ours).items():
        state = target.state(install)
        if state == "not" and not target.is_installed:
            continue
        has_any = True
        tools = target.tools_state(install)
        if target.was_removed(state):
            yield _removed(name, str(target.settings))
            continue
        yield _harness(name, state, is_left_over=target.is_left_over(state, tools))
        if state in {"connected", "partly"}:
            yield from (Check(name, "warn", each.text, each.hint) for each in target.concerns())
            yield from _tools(name, tools)
    if not has_any:
        advice = f"Install one, then connect it. `{command('connect')}` lists them."
        yield Check("agent programs", "warn", "none that can be connected was found", advice)


def _removed(name: str, settings: str) -> Check:
    return Check(
        name,
        "warn",
        f"its hooks were removed from {settings}",
        "Another program did that, or somebody by hand. Renew them with "
        f"`{command(f'connect {name}')}`, or disconnect it with `{command(f'disconnect {name}')}`.",
    )


def _harness(name: str, state: ConnectionState | ConnectionRefused, *, is_left_over: bool) -> Check:
    advice = f"Connect it with `{command(f'connect {name}')}`."
    if is_left_over:
        remove = f"or remove it with `{command(f'disconnect {name}')}`."
        return Check(
            name, "warn", "left over from an earlier installation", f"{advice[:-1]}, {remove}"
        )
    match state:
        case ConnectionRefused(reason, hint):
            return Check(name, "warn", reason, hint)
        case "connected":
            return Check(name, "ok", "connected")
        case "partly":
            return Check(name, "warn", "partly connected", advice)
        case "not":
            return Check(name, "warn", "not connected", advice)


def _tools(harness: str, state: ToolsState | ConnectionRefused) -> Iterator[Check]:
    name = f"{harness} tools"
    connect = command(f"connect {harness}")
    decline = f"or decline them with `{connect} --no-mcp`."
    match state:
        case ConnectionRefused(reason, hint):
            yield Check(name, "warn", f"can't be registered: {reason}", hint)
        case "registered":
            yield Check(name, "ok", "registered")
        case "included":
            yield Check(name, "ok", "included in the plugin")
        case "declined":
            yield Check(name, "ok", "declined")
        case "outdated":
            yield Check(
                name, "warn", "registered for an older version", f"Renew it with `{connect}`."
            )
        case "missing":
            yield Check(
                name, "warn", "not registered", f"Register them with `{connect}`, {decline}"
            )
        case "foreign":
            found = f"not registered: another MCP server is named {SERVER_NAME}"
            yield Check(name, "warn", found, f"Rename that server, then run `{connect}`, {decline}")
        case "unsupported":
            return


def _report(seen: Seen) -> Iterator[Check]:
    """Tell what the daemon's checks found, but for what is checked here even without a daemon."""
    report = seen.report
    if report is None:
        yield Check("status", "note", seen.unknown)
        return
    for domain in report.domains:
        if not any(check.result in _RESULTS for check in domain.checks):
            result: CheckResult = "ok" if _is_known(domain) else "note"
            yield Check(domain.title.lower(), result, visible(domain.line))
    for issue in report.issues:
        if not issue.id.startswith(_CHECKED_HERE):
            yield Check(issue.id, _RESULTS[issue.level], visible(issue.title), issue_advice(issue))
    yield Check("status", "ok" if report.is_well else "note", visible(report.sentence))


def _is_known(domain: DomainRow) -> bool:
    return all(check.result != "unknown" for check in domain.checks)


def _spool(seen: Seen) -> Check:
    ours = seen.ours
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


def _gitignore(seen: Seen) -> Check:
    ours = seen.ours
    missing = missing_patterns(ours.database, ours.backups)
    if not missing:
        return Check("gitignore", "ok", "the database is kept out of Git")
    return Check(
        "gitignore",
        "warn",
        f"{ours.memory / '.gitignore'} doesn't name all of the database's files",
        f"Add these lines to it: {' '.join(missing)}",
    )


def _curl(seen: Seen) -> Check:
    found = shutil.which("curl")
    if found is None:
        return Check(
            "curl",
            "warn",
            "not found",
            "Install curl and connect your agents again: hooks then start faster.",
        )
    if not curl_reaches_daemon(seen.ours):
        return Check("curl", "ok", f"{found}, not used: hooks can't use a Unix socket here")
    return Check("curl", "ok", found)


def _signet(seen: Seen) -> Check:
    file = seen.ours.workspace / ".daemon" / "pid"
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


_CHECKS: Final[tuple[Callable[[Seen], Check | Iterator[Check]], ...]] = (
    _daemon,
    _port,
    _harnesses,
    _report,
    _spool,
    _gitignore,
    _curl,
    _signet,
    _settings,
)


@click.command()
@click.option(
    "--project",
    is_flag=False,
    flag_value=".",
    metavar="[PATH]",
    help="List a project's memories that name code that is gone or changed; without PATH, that of "
    "this directory.",
)
def doctor(project: str | None) -> None:
    """Check the installation and show how to fix what is wrong."""
    if project is not None:
        refuse_empty_project(project)
        with daemon_client() as client:
            places = client.project_places(project_of(project, here=False) or "")
        for line in place_lines(places):
            click.echo(line)
        return
    seen = _ask(paths())
    found = (check(seen) for check in _CHECKS)
    checks = [check for one in found for check in ([one] if isinstance(one, Check) else one)]
    for check in checks:
        click.echo(f"{_MARKS[check.result]}  {check.name}: {check.found}")
        if check.advice:
            click.echo(f"      {check.advice}")
    if any(check.result == "fail" for check in checks):
        sys.exit(1)

"""Starts the daemon: acquires the lock and port, serves, and prints the dashboard's link."""

import asyncio
import contextlib
import gc
import os
import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import Final, TextIO

from intaglio import __version__
from intaglio.base.clock import system_clock
from intaglio.base.errors import IntaglioError, MisconfiguredError
from intaglio.base.files.regular_file import special_kind
from intaglio.base.installation import Installation, load_installation, save_port
from intaglio.base.log import configure_log, get_logger
from intaglio.base.paths import Paths, find_paths
from intaglio.base.settings.loader import port_from, read_settings
from intaglio.daemon.lock import LockHeld, LockTaken, take_lock, take_workspace
from intaglio.daemon.port import BoundPort, PortInUse, choose_port
from intaglio.daemon.settings import DaemonSettings
from intaglio.sections import SECTIONS

EXIT_PORT_TAKEN: Final = 3
# Not 1, Python's own code for an unhandled exception: here a restart doesn't help.
EXIT_REFUSED: Final = 4
# Only with --exit-with-parent: tells the parent that another daemon is already running.
EXIT_ANOTHER_RUNS: Final = 6


def _write(stream: TextIO | None, text: str) -> None:
    # Without a console there is no stream, and a closed pipe is no reason to stop.
    with contextlib.suppress(OSError):
        if stream is not None:
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
            stream.write(f"{text}\n")
            stream.flush()


def _print(text: str) -> None:
    _write(sys.stdout, text)


def _discard(_: str) -> None:
    pass


def _print_error(title: str, hint: str) -> None:
    _write(sys.stderr, f"{title}\n{hint}" if hint else title)


def run(*, exit_with_parent: bool = False) -> int:
    """Run the daemon until it is stopped and return the exit code.

    With ``exit_with_parent`` it also stops when its standard input ends.
    """
    try:
        return _run(find_paths(), exit_with_parent=exit_with_parent)
    except IntaglioError as error:
        _print_error(f"{error.title}: {error.detail}", error.hint)
        return EXIT_REFUSED
    except OSError as error:
        _print_error(
            f"The daemon can't start: {error}", "Check the disk and the permissions of its folders."
        )
        return EXIT_REFUSED


def _run(paths: Paths, *, exit_with_parent: bool) -> int:
    _refuse_special_settings(paths)
    match take_lock(paths):
        case LockTaken(record=record):
            where = f" (pid {record.pid}, port {record.port})" if record else ""
            if exit_with_parent:
                return EXIT_ANOTHER_RUNS
            _print(f"Intaglio is already running{where}{_dashboard_of(paths)}")
            return 0
        case LockHeld() as held:
            with held.stream:
                return _start_alone(paths, exit_with_parent=exit_with_parent)


def _dashboard_of(running: Paths) -> str:
    """Return a new sign-in link of the running daemon, or an empty text if it gives none."""
    from intaglio.client.daemon_client import DaemonClient  # noqa: PLC0415 - rare, and slow to load
    from intaglio.client.discovery import find_daemon  # noqa: PLC0415 - see above

    with contextlib.suppress(IntaglioError), DaemonClient(find_daemon(running, {})) as client:
        return f" · dashboard: {client.sign_in_link().url}"
    return ""


def _start_alone(paths: Paths, *, exit_with_parent: bool) -> int:
    match take_workspace(paths):
        case LockTaken():
            _print_error(
                f"Another daemon is using the workspace {paths.workspace}.",
                "It has another INTAGLIO_STATE_DIR or INTAGLIO_RUNTIME_DIR. Stop it, or set "
                "INTAGLIO_WORKSPACE to another folder.",
            )
            return EXIT_REFUSED
        case LockHeld() as held:
            with held.stream:
                return _start(
                    paths, load_installation(paths, os.urandom), exit_with_parent=exit_with_parent
                )


def _refuse_special_settings(paths: Paths) -> None:
    """Raise MisconfiguredError if the settings are a pipe, a folder or a device, not a file."""
    kind = special_kind(paths.settings)
    if kind is not None:
        raise MisconfiguredError(
            f"{paths.settings} is {kind}, not a file.",
            hint="Move it away, then start the daemon again.",
        )


def _start(paths: Paths, installation: Installation, *, exit_with_parent: bool) -> int:
    match choose_port(port_from(), installation.port):
        case PortInUse(port=port):
            _print_error(
                f"Port {port} is used by another program.",
                "Stop that program, or start Intaglio once with INTAGLIO_PORT set to another port. "
                "Connected agents follow.",
            )
            return EXIT_PORT_TAKEN
        case BoundPort() as bound:
            with contextlib.ExitStack() as sockets:
                for each in bound.sockets:
                    sockets.enter_context(each)
                kept = save_port(paths, installation, bound.port)
                return _serve(paths, kept, bound, exit_with_parent=exit_with_parent)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    if sys.platform == "win32":
        return None
    import uvloop  # noqa: PLC0415 - there is none on Windows

    return uvloop.new_event_loop


def _serve(
    paths: Paths, installation: Installation, bound: BoundPort, *, exit_with_parent: bool
) -> int:
    # Matrix products run one at a time, so BLAS threads would only cost memory.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Most of the startup time is spent on imports, so they follow the cheap checks. Everything
    # loaded stays for good: freezing it spares the garbage collector from scanning it.
    gc.disable()
    from intaglio.daemon.lifespan import live  # noqa: PLC0415 - see above
    from intaglio.harness.first_step import with_first_step  # noqa: PLC0415 - see above
    from intaglio.harness.registry import harness_names  # noqa: PLC0415 - see above
    from intaglio.redaction.shown_text import without_secrets  # noqa: PLC0415 - see above

    gc.freeze()
    gc.enable()
    reading = read_settings(paths.settings, SECTIONS, harness_names())
    configure_log(
        paths.log_file,
        without_secrets,
        system_clock,
        level=reading.settings.of(DaemonSettings).log_level,
    )
    log = get_logger("daemon")

    def announce(text: str) -> None:
        _print(with_first_step(text, paths))

    log.info("starting", version=__version__, port=bound.port, workspace=str(paths.workspace))
    for problem in reading.problems:
        log.warning("invalid setting", key=problem.key, problem=problem.message)
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            # With --exit-with-parent the tray app opens the dashboard; output goes to a file.
            runner.run(
                live(
                    paths,
                    installation,
                    bound,
                    _discard if exit_with_parent else announce,
                    exit_with_parent=exit_with_parent,
                )
            )
    except IntaglioError as error:
        log.warning("couldn't start", reason=error.detail)
        raise
    except Exception:
        log.exception("the daemon failed")
        raise
    log.info("stopped")
    return 0

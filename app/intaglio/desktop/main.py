"""The tray app's process: arguments, start and shutdown."""

import argparse
import contextlib
import logging
import os
import signal
import sys
import time
from collections.abc import Sequence
from io import TextIOWrapper
from types import FrameType
from typing import Final, TextIO

import intaglio
from intaglio.base.clock import system_clock
from intaglio.base.errors import IntaglioError
from intaglio.base.installation import command, read_installation
from intaglio.base.log import configure_log, get_logger
from intaglio.base.paths import Paths, find_paths, home_folder
from intaglio.base.process.own_program import become
from intaglio.base.settings.loader import port_from
from intaglio.base.version_on_disk import version_on_disk
from intaglio.client.service_definition import is_installed
from intaglio.desktop.actions import DaemonActions
from intaglio.desktop.autostart.command import own_autostart
from intaglio.desktop.autostart.switch import update_if_stale
from intaglio.desktop.capabilities import detect_capabilities
from intaglio.desktop.captured.last_opened import LastOpened
from intaglio.desktop.controller import DesktopController, Environment
from intaglio.desktop.deep_links import InvalidLink, parse_link
from intaglio.desktop.factory import hotkeys_for, icon_view_for, notifier_for, windows_for
from intaglio.desktop.notifications.notified_issues import NotifiedIssues
from intaglio.desktop.notifications.service import notify_once
from intaglio.desktop.protocols import IconView
from intaglio.desktop.run_mode import HeadlessMode, TrayMode, WindowOnlyMode, choose_run_mode
from intaglio.desktop.single_instance import (
    RequestAccepted,
    RequestTimedOut,
    RunningInstance,
    is_instance_running,
    quit_instance,
    start_or_hand_over,
)
from intaglio.desktop.supervisor.effects import ProcessEffects
from intaglio.desktop.supervisor.state import initial_state
from intaglio.desktop.supervisor.values import ClockReading, SupervisorRules
from intaglio.desktop.values import Destination, Notification, OpenPage
from intaglio.harness.first_step import with_first_step

EXIT_REFUSED: Final = 1
EXIT_USAGE: Final = 2
_CHECK_DISK: Final = "Check the disk and the permissions of its folders."
_SHUTDOWN_TIMEOUT_S: Final = 30.0
_FORCED_SIGNALS: Final = 2


def _write(stream: TextIO | None, text: str) -> None:
    # Without a console there is no stream, and a closed pipe is no reason to stop.
    with contextlib.suppress(OSError, ValueError):
        if stream is not None:
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
            stream.write(f"{text}\n")
            stream.flush()


def _print(text: str) -> None:
    _write(sys.stdout, text)


def _print_error(text: str) -> None:
    _write(sys.stderr, text)


def main(arguments: Sequence[str], rules: SupervisorRules | None = None) -> int:
    """Run the tray app, or hand the request to the one that runs; returns the exit code."""
    options = _parser().parse_args(arguments)
    destination: Destination | InvalidLink = (
        parse_link(options.link) if options.link else OpenPage()
    )
    if isinstance(destination, InvalidLink):
        _print_error(destination.reason)
        return EXIT_USAGE
    try:
        if options.quit:
            return _quit_running(find_paths())
        return _run(find_paths(), options, destination, rules or SupervisorRules())
    except IntaglioError as error:
        _refuse(f"{error.title}: {error.detail}", error.hint)
    except OSError as error:
        _refuse(f"The tray app can't run: {error}", _CHECK_DISK)
    return EXIT_REFUSED


def _refuse(text: str, hint: str | None) -> None:
    """Say why the app can't run: in the terminal, and to whoever started it without one."""
    lines = [text, *([hint] if hint else [])]
    _print_error("\n".join(lines))
    if not _has_terminal():
        notify_once(Notification("refused", "Intaglio can't start", "\n".join(lines)))


def _has_terminal() -> bool:
    stream: TextIO | None = sys.stderr
    return stream is not None and stream.isatty()


def _run(
    paths: Paths,
    options: argparse.Namespace,
    destination: Destination,
    rules: SupervisorRules,
) -> int:
    capabilities = detect_capabilities(opens_dashboard=not options.login)
    mode = choose_run_mode(capabilities, headless=options.headless, no_icon=options.no_icon)
    if isinstance(mode, HeadlessMode):
        return _run_headless(mode, paths, destination if options.link else None)
    opened = None if options.login else destination
    match start_or_hand_over(paths, opened):
        case RunningInstance() as first:
            with contextlib.closing(first):
                starts_again = _run_app(first, paths, mode, opened, rules)
            # Once the lock is free; the windows were closed, so none opens by itself.
            return become("tray", "--login", *_kept(options)) if starts_again else 0
        case RequestAccepted() | RequestTimedOut() as outcome:
            return _report_hand_over(outcome, opened)


def _kept(options: argparse.Namespace) -> Sequence[str]:
    return ["--no-icon"] if options.no_icon else []


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=command("tray"), description="Run the tray app.")
    parser.add_argument("--headless", action="store_true", help="Run only the daemon.")
    parser.add_argument("--no-icon", action="store_true", help="Run without a tray icon.")
    parser.add_argument("--login", action="store_true", help="Don't open the dashboard.")
    parser.add_argument("--quit", action="store_true", help="Quit the app that runs.")
    parser.add_argument("link", nargs="?", default="", help="The link to open: intaglio://…")
    return parser


def _quit_running(paths: Paths) -> int:
    if not is_instance_running(paths):
        _print("The tray app isn't running.")
        return 0
    if quit_instance(paths, _SHUTDOWN_TIMEOUT_S):
        _print("The tray app has quit.")
        return 0
    _print_error("The tray app is still running.")
    return EXIT_REFUSED


def _report_hand_over(
    outcome: RequestAccepted | RequestTimedOut, destination: Destination | None
) -> int:
    match outcome:
        case RequestAccepted(pid=pid):
            opens = "" if destination is None else " and opens the link"
            _print(f"Intaglio is already running (pid {pid}){opens}.")
            return 0
        case RequestTimedOut(reason=why):
            _print_error(f"Intaglio is already running, but it doesn't respond: {why}.")
            return EXIT_REFUSED


def _run_headless(mode: HeadlessMode, paths: Paths, destination: Destination | None) -> int:
    if destination is not None:
        # The app may run in another session of this user, one with a screen.
        match start_or_hand_over(paths, destination):
            case RunningInstance() as first:
                first.close()
            case RequestAccepted() | RequestTimedOut() as outcome:
                return _report_hand_over(outcome, destination)
        _print_error("Can't open the link: no screen found.")
        return EXIT_REFUSED
    if mode.line:
        _print(mode.line)
    return become("daemon", "run")


def _run_app(
    first: RunningInstance,
    paths: Paths,
    mode: TrayMode | WindowOnlyMode,
    destination: Destination | None,
    rules: SupervisorRules,
) -> bool:
    """Run the app until it quits; returns whether it is to start again."""
    # Nothing that a user or an agent wrote reaches this process's log, so there is no redaction.
    configure_log(paths.logs / "tray.log", str, system_clock)
    # A line for each probe would drown the rest.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    if mode.line:
        _print(mode.line)
    autostart = own_autostart()
    with contextlib.suppress(OSError):
        if update_if_stale(autostart):
            get_logger("desktop").info("updated the start-at-login entry")
    windows, notifier = windows_for(mode, paths), notifier_for(paths)
    last_opened = LastOpened(paths.state / "last-opened.json", system_clock)
    controller = DesktopController(
        initial_state(intaglio.__version__, _now(), rules, service=_has_service()),
        lambda report, tell: ProcessEffects(paths, report, tell, lambda: last_opened.at),
        Environment(
            _now,
            version_on_disk,
            lambda: _port(paths),
            last_opened,
            NotifiedIssues(paths.state / "notified-issues.json"),
        ),
        windows,
        notifier,
        DaemonActions(paths, autostart),
    )
    hotkeys = hotkeys_for(paths, os.environ, controller)
    view, line = icon_view_for(mode, controller, notifier)
    if line:
        _print(line)
    controller.on_quit(first.stop_listening)
    controller.on_exit(view.stop)
    signals = _handle_signals(controller, view)
    first.listen(os.urandom, controller.show, controller.quit)
    controller.start()
    controller.look_up_autostart()
    hotkeys.start()
    if destination is not None:
        controller.announce(lambda text: _print(with_first_step(text, paths)))
        controller.show(destination)
    try:
        view.run()
    finally:
        # The view may have ended by itself: with its session, or after an error.
        controller.quit()
        if len(signals) < _FORCED_SIGNALS:
            controller.wait(_SHUTDOWN_TIMEOUT_S)
        hotkeys.close()
        windows.close()
        notifier.close()
    return controller.starts_again


def _handle_signals(controller: DesktopController, view: IconView) -> Sequence[int]:
    """Quit in order on the first signal and immediately on the second.

    Returns the list of received signals, which grows. After an immediate exit, the parent watchdog
    stops the daemon.
    """
    received: list[int] = []

    def handle(number: int, _: FrameType | None) -> None:
        received.append(number)
        if len(received) == 1:
            controller.quit()
        else:
            view.stop()

    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32":
        numbers.append(signal.SIGHUP)
    for number in numbers:
        # Started with nohup or in a script's background, it must keep ignoring this signal.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handle)
    return received


def _now() -> ClockReading:
    return ClockReading(time.monotonic(), time.time())


def _port(paths: Paths) -> int | None:
    with contextlib.suppress(IntaglioError):
        install = read_installation(paths)
        return port_from() or (install.port if install else None)
    return None


def _has_service() -> bool:
    with contextlib.suppress(OSError):
        return is_installed(sys.platform, home_folder(), os.environ)
    return False

"""The tray's process: from its arguments to a desk that runs, and its orderly end."""

import argparse
import contextlib
import logging
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from pathlib import Path
from types import FrameType
from typing import Final, TextIO

import intaglio
from intaglio.base.clock import system_clock
from intaglio.base.errors import IntaglioError
from intaglio.base.installation import command, read_installation
from intaglio.base.log import configure_log, get_logger
from intaglio.base.paths import Paths, find_paths, home_folder
from intaglio.base.settings.loader import port_from
from intaglio.client.service_definition import is_installed, kept_variables
from intaglio.desktop.actions import DaemonActions
from intaglio.desktop.autostart.launcher import Launcher
from intaglio.desktop.autostart.switch import Autostart, autostart_for, renew
from intaglio.desktop.capabilities import detect_capabilities
from intaglio.desktop.controller import DesktopController, Environment
from intaglio.desktop.deep_links import BadLink, parse_link
from intaglio.desktop.factory import icon_view_for, notifier_for, windows_for
from intaglio.desktop.protocols import IconView
from intaglio.desktop.run_mode import HeadlessMode, TrayMode, WindowOnlyMode, choose_run_mode
from intaglio.desktop.single_instance import (
    RequestAccepted,
    RequestTimedOut,
    RunningInstance,
    start_or_hand_over,
)
from intaglio.desktop.supervisor.effects import ProcessEffects
from intaglio.desktop.supervisor.state import initial_state
from intaglio.desktop.supervisor.values import ClockReading, SupervisorRules
from intaglio.desktop.tray.icons import app_icon
from intaglio.desktop.values import Destination, OpenPage
from intaglio.harness.first_step import with_first_step

EXIT_REFUSED: Final = 1
EXIT_USAGE: Final = 2
_LEAVE_WITHIN_S: Final = 30.0
_IN_A_HURRY: Final = 2
_VERSION: Final = re.compile(r'^__version__ = "([^"]+)"', re.MULTILINE)


def _write(stream: TextIO | None, text: str) -> None:
    # Without a console there is no stream, and a reader that went away is no reason to stop.
    with contextlib.suppress(OSError, ValueError):
        if stream is not None:
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
            stream.write(f"{text}\n")
            stream.flush()


def _say(text: str) -> None:
    _write(sys.stdout, text)


def _complain(text: str) -> None:
    _write(sys.stderr, text)


def main(arguments: Sequence[str], rules: SupervisorRules | None = None) -> int:
    """Run the desk, or hand the request to the one that runs; returns the exit code."""
    options = _parser().parse_args(arguments)
    what: Destination | BadLink = parse_link(options.link) if options.link else OpenPage()
    if isinstance(what, BadLink):
        _complain(what.why)
        return EXIT_USAGE
    try:
        paths = find_paths()
        ground = detect_capabilities(opens=not options.login)
        mode = choose_run_mode(ground, headless=options.headless, no_icon=options.no_icon)
        if isinstance(mode, HeadlessMode):
            return _without_screen(mode, paths, what if options.link else None)
        wanted = None if options.login else what
        match start_or_hand_over(paths, wanted):
            case RunningInstance() as first:
                with contextlib.closing(first):
                    return _live(first, paths, mode, wanted, rules or SupervisorRules())
            case RequestAccepted() | RequestTimedOut() as met:
                return _come_second(met, wanted)
    except IntaglioError as error:
        _complain(f"{error.title}: {error.detail}" + (f"\n{error.hint}" if error.hint else ""))
    except OSError as error:
        _complain(f"The tray app can't run: {error}")
    return EXIT_REFUSED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=command("tray"), description="Run the tray app.")
    parser.add_argument("--headless", action="store_true", help="Run only the daemon.")
    parser.add_argument("--no-icon", action="store_true", help="Run without a tray icon.")
    parser.add_argument("--login", action="store_true", help="Don't open the dashboard.")
    parser.add_argument("link", nargs="?", default="", help="The link to open: intaglio://…")
    return parser


def _come_second(met: RequestAccepted | RequestTimedOut, destination: Destination | None) -> int:
    match met:
        case RequestAccepted(pid=pid):
            opens = "" if destination is None else " and opens it"
            _say(f"Intaglio is already running (pid {pid}){opens}.")
            return 0
        case RequestTimedOut(why=why):
            _complain(f"Intaglio is already running, but it doesn't respond: {why}.")
            return EXIT_REFUSED


def _without_screen(mode: HeadlessMode, paths: Paths, destination: Destination | None) -> int:
    if destination is not None:
        # A desk may run in another session of this user, which has a screen.
        match start_or_hand_over(paths, destination):
            case RunningInstance() as first:
                first.close()
            case RequestAccepted() | RequestTimedOut() as met:
                return _come_second(met, destination)
        _complain("Can't open that: there is no screen here.")
        return EXIT_REFUSED
    if mode.line:
        _say(mode.line)
    command = [sys.executable, "-m", "intaglio", "daemon", "run"]
    if sys.platform == "win32":
        return subprocess.run(command, check=False).returncode  # noqa: S603 - our own program
    sys.stdout.flush()
    return os.execv(sys.executable, command)  # noqa: S606 - our own program, no shell


def _live(
    first: RunningInstance,
    paths: Paths,
    mode: TrayMode | WindowOnlyMode,
    destination: Destination | None,
    rules: SupervisorRules,
) -> int:
    # Nothing that a user or an agent wrote passes through this process's log.
    configure_log(paths.logs / "desk.log", str, system_clock)
    # A line for every look at the daemon would drown the rest.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    if mode.line:
        _say(mode.line)
    autostart = _autostart()
    with contextlib.suppress(OSError):
        if renew(autostart):
            get_logger("desk").info("start at login names this launcher now")
    windows, notifier = windows_for(mode, paths), notifier_for(paths)
    work = DesktopController(
        initial_state(intaglio.__version__, _now(), rules, service=_has_service()),
        lambda report, tell: ProcessEffects(paths, report, tell),
        Environment(_now, _installed, lambda: _port(paths)),
        windows,
        notifier,
        DaemonActions(paths, autostart),
    )
    face, line = icon_view_for(mode, work, notifier)
    if line:
        _say(line)
    work.when_leaving(first.leave)
    work.when_left(face.leave)
    signals = _take_signals(work, face)
    first.listen(os.urandom, work.show)
    work.start()
    work.look_up_autostart()
    if destination is not None:
        work.announce(lambda text: _say(with_first_step(text, paths)))
        work.show(destination)
    try:
        face.run()
    finally:
        # The face may have ended by itself: with its session, or by a fault.
        work.quit()
        if len(signals) < _IN_A_HURRY:
            work.wait(_LEAVE_WITHIN_S)
        windows.close()
        notifier.close()
    return 0


def _take_signals(work: DesktopController, face: IconView) -> Sequence[int]:
    """Leave in order on the first signal, and at once on the second: the leash ends the rest.

    Returns the signals that came, which grows.
    """
    heard: list[int] = []

    def handle(number: int, _: FrameType | None) -> None:
        heard.append(number)
        if len(heard) == 1:
            work.quit()
        else:
            face.leave()

    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32":
        numbers.append(signal.SIGHUP)
    for number in numbers:
        # Who started it under nohup, or in a script's background, does not want it ended by that.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handle)
    return heard


def _now() -> ClockReading:
    return ClockReading(time.monotonic(), time.time())


def _installed() -> str | None:
    """Read the version that lies on the disk: an update may have replaced what this runs from."""
    try:
        text = Path(intaglio.__file__).read_text(encoding="utf-8")
    except OSError:
        return None
    found = _VERSION.search(text)
    return found[1] if found else None


def _port(paths: Paths) -> int | None:
    with contextlib.suppress(IntaglioError):
        install = read_installation(paths)
        return port_from() or (install.port if install else None)
    return None


def _has_service() -> bool:
    with contextlib.suppress(OSError):
        return is_installed(sys.platform, home_folder(), os.environ)
    return False


def _autostart() -> Autostart:
    launcher = Launcher(sys.executable, kept_variables(os.environ), str(app_icon()))
    return autostart_for(sys.platform, home_folder(), os.environ, launcher)


def switch_autostart(action: str, say: Callable[[str], None] = _say) -> int:
    """Do ``on``, ``off`` or ``status`` and say what is so then; returns the exit code."""
    try:
        autostart = _autostart()
        if action != "status":
            autostart.switch(on=action == "on")
        on = autostart.is_on()
        say(
            "Intaglio starts when you log in and opens intaglio:// links."
            if on
            else "Intaglio doesn't start when you log in."
        )
        if on and autostart.is_stale():
            say(f"Intaglio has moved. Run `{command('autostart on')}` to update the entry.")
    except (IntaglioError, OSError) as error:
        _complain(f"Error: {error}")
        return EXIT_REFUSED
    return 0

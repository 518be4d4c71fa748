"""Stops what runs, and removes what starts it at login and what opens its links."""

import contextlib
import os
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from intaglio.base.errors import IntaglioError
from intaglio.base.paths import Paths
from intaglio.client import daemon_process
from intaglio.client.service_definition import ServiceDefinition
from intaglio.desktop.autostart.switch import Autostart
from intaglio.desktop.single_instance import is_instance_running, quit_instance
from intaglio.uninstall.values import UninstallItem, UninstallProblem, UninstallStep

# The tray app waits for its daemon, which finishes what it is writing.
_QUIT_TIMEOUT_S: Final = 75.0
_COMMAND_LIMIT_S: Final = 10.0

RunCommand = Callable[[tuple[str, ...]], None]
"""Runs a command of the system whose failure doesn't matter."""


def tray_step(paths: Paths) -> UninstallStep:
    """Return the step that quits the tray app, which would start the daemon again."""
    running = is_instance_running(paths)
    items = (UninstallItem("process", "The tray app", note="running"),)
    return UninstallStep(items if running else (), partial(_quit_tray, paths))


def daemon_step(paths: Paths) -> UninstallStep:
    """Return the step that stops the daemon after it has finished pending writes."""
    running = daemon_process.running(paths) is not None
    items = (UninstallItem("process", "The daemon", note="running"),)
    return UninstallStep(items if running else (), partial(_stop_daemon, paths))


def autostart_step(autostart: Autostart) -> UninstallStep:
    """Return the step that removes start at login and the handling of links."""
    entries = autostart.entries()
    items = (UninstallItem("autostart", "Start at login and intaglio:// links", entries),)
    return UninstallStep(items if entries else (), partial(_switch_off, autostart))


def service_step(service: ServiceDefinition, run: RunCommand) -> UninstallStep:
    """Return the step that removes the system's service of the daemon."""
    files = tuple(str(file) for file in _service_files(service) if os.path.lexists(file))
    items = (UninstallItem("service", "The service that starts the daemon", files),)
    return UninstallStep(items if files else (), partial(_remove_service, service, run))


def run_quietly(command: tuple[str, ...]) -> None:
    """Run a command of the system, if there is such a program; what it says is left out."""
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(  # noqa: S603 - a command of the service's definition
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_COMMAND_LIMIT_S,
            check=False,
        )


def _quit_tray(paths: Paths) -> tuple[UninstallProblem, ...]:
    if quit_instance(paths, _QUIT_TIMEOUT_S):
        return ()
    return (
        UninstallProblem(
            "The tray app", "It doesn't quit.", "Quit it from its menu, then try again."
        ),
    )


def _stop_daemon(paths: Paths) -> tuple[UninstallProblem, ...]:
    try:
        daemon_process.stop(paths)
    except IntaglioError as error:
        return (UninstallProblem("The daemon", error.detail, error.hint),)
    return ()


def _switch_off(autostart: Autostart) -> tuple[UninstallProblem, ...]:
    try:
        autostart.switch(on=False)
    except OSError as error:
        left = autostart.entries()
        return (
            UninstallProblem(
                "Start at login",
                f"{error.strerror or error}.",
                "Delete the entry yourself.",
                file=left[0] if left else "",
            ),
        )
    return ()


def _service_files(service: ServiceDefinition) -> tuple[Path, ...]:
    return (service.file,) if service.link is None else (service.link, service.file)


def _remove_service(service: ServiceDefinition, run: RunCommand) -> tuple[UninstallProblem, ...]:
    there = [file for file in _service_files(service) if os.path.lexists(file)]
    for file in there:
        try:
            file.unlink()
        except OSError as error:
            reason = f"{error.strerror or error}."
            hint = f"Run: {service.disable}"
            return (UninstallProblem("The service", reason, hint, file=str(file)),)
    if there and service.forget:
        run(service.forget)
    return ()

"""The command that starts the desk, as each operating system wants it written; pure."""

import plistlib
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from intaglio.client.service_definition import windowless

LABEL: Final = "io.intaglio.desk"
MIME: Final = "x-scheme-handler/intaglio"
LOGIN: Final = "--login"
_COMMENT: Final = "The memory of your coding agents"
_IN_QUOTES: Final = str.maketrans({letter: f"\\{letter}" for letter in '"`$\\'})


@dataclass(frozen=True, slots=True)
class Launcher:
    """The Python that has Intaglio, variables that name its directories, and a picture."""

    python: str
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    icon: str = "intaglio"

    def command(self, *more: str) -> list[str]:
        """Return the command of the desk with some arguments."""
        return [self.python, "-m", "intaglio", "tray", *more]


def exec_value(command: list[str], *, field_code: str = "") -> str:
    """Write a command as the value of ``Exec``; ``field_code`` stands unquoted at its end.

    Each argument is quoted as the desktop entry specification says; as in every value, a backslash
    is then doubled, and a percent sign is doubled so that it is no field code.
    """
    parts = [f'"{part.translate(_IN_QUOTES)}"' for part in command]
    line = " ".join(parts).replace("\\", "\\\\").replace("%", "%%")
    return f"{line} {field_code}".rstrip()


def _entry(launcher: Launcher, line: str, *more: str) -> str:
    lines = [
        "[Desktop Entry]",
        "Type=Application",
        "Name=Intaglio",
        f"Comment={_COMMENT}",
        f"Exec={line}",
        f"Icon={launcher.icon}",
        "Terminal=false",
        *more,
    ]
    return "\n".join(lines) + "\n"


def _with_env(launcher: Launcher, *more: str) -> list[str]:
    command = launcher.command(*more)
    if not launcher.env:
        return command
    return ["env", *(f"{name}={value}" for name, value in launcher.env.items()), *command]


def autostart_entry(launcher: Launcher) -> str:
    """Write the entry of the autostart folder."""
    line = exec_value(_with_env(launcher, LOGIN))
    return _entry(launcher, line, "NoDisplay=true", "X-GNOME-Autostart-enabled=true")


def application_entry(launcher: Launcher) -> str:
    """Write the entry of the applications folder, which also opens our links."""
    # What a page wrote is a link and never an option.
    line = exec_value(_with_env(launcher, "--"), field_code="%u")
    return _entry(launcher, line, "Categories=Development;", f"MimeType={MIME};")


def launch_agent(launcher: Launcher) -> bytes:
    """Write the property list of a launch agent."""
    return plistlib.dumps(
        {
            "Label": LABEL,
            "ProgramArguments": launcher.command(LOGIN),
            "EnvironmentVariables": dict(launcher.env),
            "RunAtLoad": True,
            "ProcessType": "Interactive",
            "LimitLoadToSessionType": "Aqua",
        }
    )


def run_value(launcher: Launcher, *more: str) -> str:
    """Write the command line of a value in the registry."""
    command = launcher.command(*more)
    return subprocess.list2cmdline([windowless(command[0]), *command[1:]])


def link_value(launcher: Launcher) -> str:
    """Write the command line that opens a link; Windows puts it in place of ``%1``."""
    return f'{run_value(launcher, "--")} "%1"'

"""The command that starts the tray app, in each operating system's format; pure."""

import plistlib
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from intaglio.client.service_definition import windowless

LAUNCH_AGENT_LABEL: Final = "io.intaglio.tray"
MIME_TYPE: Final = "x-scheme-handler/intaglio"
LOGIN_OPTION: Final = "--login"
_COMMENT: Final = "Memory for your coding agents"
_IN_QUOTES: Final = str.maketrans({letter: f"\\{letter}" for letter in '"`$\\'})


@dataclass(frozen=True, slots=True)
class Launcher:
    """How Intaglio is started, the variables that set its directories, and the icon file.

    ``program`` is the beginning of each of its command lines: `own_command`.
    """

    program: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    icon: str = "intaglio"

    def command(self, *arguments: str) -> list[str]:
        """Return the tray app's command with some arguments."""
        return [*self.program, "tray", *arguments]


def exec_value(command: list[str], *, field_code: str = "") -> str:
    """Format a command as the value of ``Exec``; ``field_code`` is appended unquoted.

    Each argument is quoted as the desktop entry specification requires. Then backslashes are
    doubled, as in every value, and percent signs, which would start a field code.
    """
    parts = [f'"{part.translate(_IN_QUOTES)}"' for part in command]
    line = " ".join(parts).replace("\\", "\\\\").replace("%", "%%")
    return f"{line} {field_code}".rstrip()


def _entry(launcher: Launcher, line: str, *arguments: str) -> str:
    lines = [
        "[Desktop Entry]",
        "Type=Application",
        "Name=Intaglio",
        f"Comment={_COMMENT}",
        f"Exec={line}",
        f"Icon={launcher.icon}",
        "Terminal=false",
        *arguments,
    ]
    return "\n".join(lines) + "\n"


def _with_env(launcher: Launcher, *arguments: str) -> list[str]:
    command = launcher.command(*arguments)
    if not launcher.env:
        return command
    return ["env", *(f"{name}={value}" for name, value in launcher.env.items()), *command]


def autostart_entry(launcher: Launcher) -> str:
    """Return the contents of the entry in the autostart folder."""
    line = exec_value(_with_env(launcher, LOGIN_OPTION))
    return _entry(launcher, line, "NoDisplay=true", "X-GNOME-Autostart-enabled=true")


def application_entry(launcher: Launcher) -> str:
    """Return the contents of the entry in the applications folder, which also opens our links."""
    # A link comes from a web page; it must never be read as an option.
    line = exec_value(_with_env(launcher, "--"), field_code="%u")
    return _entry(launcher, line, "Categories=Development;", f"MimeType={MIME_TYPE};")


def launch_agent(launcher: Launcher) -> bytes:
    """Return the property list of a launch agent."""
    return plistlib.dumps(
        {
            "Label": LAUNCH_AGENT_LABEL,
            "ProgramArguments": launcher.command(LOGIN_OPTION),
            "EnvironmentVariables": dict(launcher.env),
            "RunAtLoad": True,
            "ProcessType": "Interactive",
            "LimitLoadToSessionType": "Aqua",
        }
    )


def run_value(launcher: Launcher, *arguments: str) -> str:
    """Return the command line for a registry value."""
    command = launcher.command(*arguments)
    return subprocess.list2cmdline([windowless(command[0]), *command[1:]])


def link_value(launcher: Launcher) -> str:
    """Return the command line that opens a link, which Windows puts in place of ``%1``."""
    return f'{run_value(launcher, "--")} "%1"'

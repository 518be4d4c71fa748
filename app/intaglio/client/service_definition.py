"""Service definitions that start the daemon at login, per platform; pure, nothing is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from intaglio.base.installation import kept_variables

_LABEL: Final = "io.intaglio.daemon"
_CONSOLE_PROGRAMS: Final = ("python.exe", "intaglio.exe")


@dataclass(frozen=True, slots=True)
class ServiceDefinition:
    """A service: its file and text, and the commands that enable and disable it.

    ``link`` is what enabling it makes beside the file. ``forget`` is the command, if there is one,
    by which the system drops a service whose file is gone.
    """

    file: Path
    text: str
    enable: str
    disable: str
    encoding: str = "utf-8"
    link: Path | None = None
    forget: tuple[str, ...] = ()


def is_installed(platform: str, home: Path, env: Mapping[str, str]) -> bool:
    """Whether the service's file exists, so that the system starts a daemon at login."""
    return describe(platform, home, env, ["intaglio"]).file.exists()


def windowless(program: str) -> str:
    """Return the Windows executable that does the same as this one, and opens no console."""
    for console in _CONSOLE_PROGRAMS:
        if program.endswith(console):
            return f"{program.removesuffix('.exe')}w.exe"
    return program


def describe(
    platform: str, home: Path, env: Mapping[str, str], program: Sequence[str]
) -> ServiceDefinition:
    """Return the service definition for a platform (`sys.platform`).

    ``program`` is the beginning of its command line: `own_command`. The definition
    includes the environment variables for directories, so that the service uses the same ones as
    this terminal.
    """
    kept = kept_variables(env)
    command = [*program, "daemon", "run"]
    match platform:
        case "darwin":
            return _launchd(home, kept, command)
        case "win32":
            return _task(home, command)
        case _:
            return _systemd(home, env, kept, command)


def _quoted(text: str) -> str:
    clean = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{clean}"'


def _systemd(
    home: Path, env: Mapping[str, str], kept: Mapping[str, str], command: Sequence[str]
) -> ServiceDefinition:
    config = Path(env.get("XDG_CONFIG_HOME") or home / ".config")
    # In Environment= a dollar sign is literal.
    variables = "".join(
        f"Environment={_quoted(f'{name}={value}').replace('$$', '$')}\n"
        for name, value in kept.items()
    )
    text = (
        "[Unit]\n"
        "Description=Intaglio, the memory of coding agents\n\n"
        "[Service]\n"
        f"ExecStart={_quoted(command[0])} {' '.join(command[1:])}\n"
        f"{variables}"
        "Restart=on-failure\n"
        "RestartSec=5\n"
        # Port in use or startup refused: restarting doesn't help, the user has to act.
        "RestartPreventExitStatus=3 4\n"
        "TimeoutStopSec=20\n\n"
        "[Install]\n"
        "WantedBy=default.target\n"
    )
    name, folder = "intaglio.service", config / "systemd" / "user"
    return ServiceDefinition(
        folder / name,
        text,
        f"systemctl --user daemon-reload && systemctl --user enable --now {name}",
        f"systemctl --user disable --now {name} && systemctl --user daemon-reload",
        link=folder / "default.target.wants" / name,
        forget=("systemctl", "--user", "daemon-reload"),
    )


def _launchd(home: Path, kept: Mapping[str, str], command: Sequence[str]) -> ServiceDefinition:
    file = home / "Library" / "LaunchAgents" / f"{_LABEL}.plist"
    content = {
        "Label": _LABEL,
        "ProgramArguments": list(command),
        "EnvironmentVariables": dict(kept),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": 10,
        "ProcessType": "Interactive",
    }
    import plistlib  # noqa: PLC0415 - the daemon, which imports this module, writes no such file

    text = plistlib.dumps(content).decode()
    return ServiceDefinition(
        file,
        text,
        f"launchctl bootstrap gui/$(id -u) '{file}'",
        f"launchctl bootout gui/$(id -u)/{_LABEL}",
        forget=("launchctl", "remove", _LABEL),
    )


def _task(home: Path, command: Sequence[str]) -> ServiceDefinition:
    file = home / "AppData" / "Local" / "intaglio" / "intaglio-task.xml"
    text = (
        '<?xml version="1.0" encoding="UTF-16"?>\n'
        '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">\n'
        "  <Triggers><LogonTrigger><Enabled>true</Enabled></LogonTrigger></Triggers>\n"
        "  <Settings>\n"
        "    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>\n"
        "    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>\n"
        "    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>\n"
        "    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>\n"
        "  </Settings>\n"
        "  <Actions><Exec>\n"
        f"    <Command>{escape(windowless(command[0]), quote=False)}</Command>\n"
        f"    <Arguments>{' '.join(command[1:])}</Arguments>\n"
        "  </Exec></Actions>\n"
        "</Task>\n"
    )
    return ServiceDefinition(
        file,
        text,
        f'schtasks /Create /TN Intaglio /XML "{file}"',
        "schtasks /Delete /TN Intaglio /F",
        encoding="utf-16",
        forget=("schtasks", "/Delete", "/TN", "Intaglio", "/F"),
    )

"""What the Debian package's scripts do for the users of Intaglio, as root.

``maintenance.py restart`` restarts daemons that still run the previous version. ``maintenance.py
uninstall`` runs `intaglio uninstall --keep-data` for every user, then ends what still runs. Both
have a deadline and exit with 0: they never hold up or fail dpkg. It runs with Debian's Python and
imports only the standard library.
"""

import contextlib
import os
import pwd
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Final

PROGRAMS: Final = "/opt/intaglio/bin/"
COMMAND: Final = f"{PROGRAMS}intaglio"
SYSTEMCTL: Final = "/usr/bin/systemctl"
SERVICE: Final = "intaglio.service"

_DEADLINE_S: Final = 120.0
_TERMINATION_S: Final = 15.0
_POLL_S: Final = 0.1
_KILL_S: Final = 5.0
_MOST_PER_USER: Final = 8
_TAIL_BYTES: Final = 4096
_MAX_REASON: Final = 300
_PATH: Final = "/usr/local/bin:/usr/bin:/bin"
_CHILD_OF_TRAY: Final = "--exit-with-parent"
# What would make the interpreter or the linker load other code than the package's.
_LOADERS: Final = ("PYTHON", "LD_", "GCONV_")


@dataclass(frozen=True, slots=True)
class User:
    """A user of this system."""

    name: str
    uid: int
    gid: int
    home: str


@dataclass(frozen=True, slots=True)
class AppProcess:
    """A running process of Intaglio: its command line, its environment and its systemd unit."""

    pid: int
    uid: int
    words: tuple[str, ...]
    env: Mapping[str, str]
    cgroup: str = ""

    @property
    def is_daemon(self) -> bool:
        """Whether it is a daemon."""
        module = self.words.index("-m") + 1
        return self.words[module : module + 3] == ("intaglio", "daemon", "run")


@dataclass(frozen=True, slots=True)
class UserCommand:
    """A command that is run as a user, in that user's environment."""

    user: User
    words: Sequence[str]
    env: Mapping[str, str]


# --- what there is --------------------------------------------------------------------------------


def users() -> dict[int, User]:
    """Return the system's users by their number."""
    return {
        entry.pw_uid: User(entry.pw_name, entry.pw_uid, entry.pw_gid, entry.pw_dir)
        for entry in pwd.getpwall()
    }


def processes(
    proc: Path = Path("/proc"), root: Path = Path("/"), python: str = f"{PROGRAMS}python3"
) -> list[AppProcess]:
    """Return the running processes of the package that is installed below a root folder.

    Those of containers see another root. Any user may write any command line and environment for
    a program that then runs as root, such as sudo: a process counts only if it runs ``python``,
    with the rights of one user from before it was looked at until after.
    """
    found: list[AppProcess] = []
    interpreter = os.path.realpath(python)
    for folder in proc.glob("[0-9]*"):
        # A process may end, or belong to nobody, at any moment.
        with contextlib.suppress(OSError, ValueError):
            words = _fields(folder / "cmdline")
            if not words or not words[0].startswith(PROGRAMS) or not _is_app(words):
                continue
            owner, words = _only_user(folder), _fields(folder / "cmdline")
            if owner is None or not _is_app(words) or not (folder / "root").samefile(root):
                continue
            pairs = (field.partition("=") for field in _fields(folder / "environ"))
            env = {name: value for name, _, value in pairs if name}
            cgroup = (folder / "cgroup").read_text(encoding="utf-8", errors="replace")
            # An upgrade of Python leaves processes whose file was deleted.
            program = str((folder / "exe").readlink()).removesuffix(" (deleted)")
            if program == interpreter and _only_user(folder) == owner:
                found.append(AppProcess(int(folder.name), owner, words, env, cgroup))
    return found


def _fields(file: Path) -> tuple[str, ...]:
    return tuple(os.fsdecode(file.read_bytes()).removesuffix("\0").split("\0"))


def _only_user(folder: Path) -> "int | None":
    """Return the user whose rights a process has; None if it also has those of another one.

    The owner of its folder isn't that: it is root wherever a process hides its memory.
    """
    status = (folder / "status").read_text(encoding="utf-8", errors="replace")
    lines = (line.split() for line in status.splitlines())
    numbers = next((set(words[1:]) for words in lines if words[:1] == ["Uid:"]), set[str]())
    return int(numbers.pop()) if len(numbers) == 1 else None


def _is_app(words: Sequence[str]) -> bool:
    """Whether a command line runs the app, not a hook or an MCP program of a session."""
    return any(
        flag == "-m" and module.partition(".")[0] == "intaglio" for flag, module in pairwise(words)
    )


# --- what to run ----------------------------------------------------------------------------------


def restarts(running: Iterable[AppProcess], known: Mapping[int, User]) -> Iterator[UserCommand]:
    """Return what restarts each daemon the way it was started.

    A daemon of the tray app is left to it: the tray app sees that another version was installed.
    """
    for process in running:
        user = known.get(process.uid)
        if user is None or not process.is_daemon or _CHILD_OF_TRAY in process.words:
            continue
        words = (
            (SYSTEMCTL, "--user", "restart", SERVICE)
            if f"/{SERVICE}" in process.cgroup
            else (COMMAND, "daemon", "restart")
        )
        yield UserCommand(user, words, _harmless(process.env))


def _harmless(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if not name.startswith(_LOADERS)}


def limited(commands: Iterable[UserCommand]) -> Iterator[UserCommand]:
    """Yield commands, once for each state folder of a user, and a few for each user.

    A user may run any number of processes; root doesn't start as many.
    """
    seen: dict[int, set[str]] = {}
    for command in commands:
        folders, folder = seen.setdefault(command.user.uid, set()), state_folder(command.env)
        if folder not in folders and len(folders) < _MOST_PER_USER:
            folders.add(folder)
            yield command


def owns(user: User, folder: str) -> bool:
    """Whether a folder is a user's own: some users' home is one that everybody may write to."""
    try:
        status = os.lstat(folder)
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == user.uid


def state_folder(env: Mapping[str, str]) -> str:
    """Return the state folder that Intaglio uses in an environment."""
    base = env.get("XDG_STATE_HOME") or f"{env.get('HOME', '')}/.local/state"
    return env.get("INTAGLIO_STATE_DIR") or f"{base}/intaglio"


def removals(
    running: Iterable[AppProcess],
    known: Mapping[int, User],
    has_folder: Callable[[User, str], bool] = owns,
) -> Iterator[UserCommand]:
    """Return what uninstalls Intaglio for each user who has a state folder.

    Folders that a user has chosen are known from the running processes only.
    """
    told = ((process.uid, _harmless(process.env)) for process in running)
    usual = ((user.uid, _basic_env(user)) for user in known.values())
    for uid, env in (*told, *usual):
        user = known.get(uid)
        if user is not None and has_folder(user, state_folder(env)):
            yield UserCommand(user, (COMMAND, "uninstall", "--keep-data", "--yes"), env)


def _basic_env(user: User) -> dict[str, str]:
    runtime = f"/run/user/{user.uid}"
    env = {"HOME": user.home, "USER": user.name, "LOGNAME": user.name, "PATH": _PATH}
    if os.path.isdir(runtime):  # noqa: PTH112 - a path of text, like the others here
        env |= {
            "XDG_RUNTIME_DIR": runtime,
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={runtime}/bus",
        }
    return env | {"LANG": "C.UTF-8"}


# --- running it -----------------------------------------------------------------------------------


def run_all(commands: Iterable[UserCommand], deadline_s: float = _DEADLINE_S) -> list[str]:
    """Run commands at the same time; returns a line for each that failed or took too long."""
    with contextlib.ExitStack() as stack:
        started = [
            (command, *_start(command, stack.enter_context(tempfile.TemporaryFile())))
            for command in commands
        ]
        end = time.monotonic() + deadline_s
        return [
            f"{command.user.name}: {reason}"
            for command, process, output in started
            if (reason := _failure(process, output, end))
        ]


def _start(
    command: UserCommand, output: IO[bytes]
) -> "tuple[subprocess.Popen[bytes] | OSError, IO[bytes]]":
    user = command.user
    try:
        process: subprocess.Popen[bytes] | OSError = subprocess.Popen(  # noqa: S603 - our own program
            command.words,
            env=dict(command.env),
            cwd="/",
            user=user.uid,
            group=user.gid,
            extra_groups=os.getgrouplist(user.name, user.gid),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        process = error
    except ValueError as error:
        process = OSError(str(error))
    return process, output


def _failure(process: "subprocess.Popen[bytes] | OSError", output: IO[bytes], end: float) -> str:
    """Wait for a command; returns why it failed, an empty text if it didn't."""
    if isinstance(process, OSError):
        return str(process)
    try:
        status = process.wait(max(0.0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        # What waits for a file system on a network doesn't even end then.
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_KILL_S)
        return "it took too long"
    if status == 0:
        return ""
    output.seek(max(0, output.seek(0, os.SEEK_END) - _TAIL_BYTES))
    lines = output.read().decode(errors="replace").strip().splitlines()
    return _shown(lines[-1]) if lines else f"it exited with status {status}"


def _shown(line: str) -> str:
    """Return a line of a user's for the terminal of root, which may obey control characters."""
    return "".join(one if one.isprintable() else "?" for one in line[:_MAX_REASON])


def end_all(
    find: Callable[[], Sequence[AppProcess]] = processes, termination_s: float = _TERMINATION_S
) -> None:
    """End what still runs, with SIGTERM first; what doesn't end in time, with SIGKILL."""
    for number, wait_s in ((signal.SIGTERM, termination_s), (signal.SIGKILL, 1.0)):
        for process in find():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, number)
        end = time.monotonic() + wait_s
        while find() and time.monotonic() < end:
            time.sleep(_POLL_S)


def main(arguments: Sequence[str]) -> int:
    """Run an action; what fails is printed."""
    match arguments:
        case ["restart"]:
            title = "Intaglio couldn't be restarted for"
            failures = run_all(limited(restarts(processes(), users())))
        case ["uninstall"]:
            title = "Intaglio couldn't be removed from the settings of"
            failures = run_all(limited(removals(processes(), users())))
            end_all()
        case _:
            title, failures = "Usage: maintenance.py", ["restart|uninstall"]
    for line in failures:
        sys.stderr.write(f"{title} {line}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

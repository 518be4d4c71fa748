"""This installation's id, tokens and port, in one private file, and the command that runs it."""

import base64
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.errors import UnavailableError
from intaglio.base.files.regular_file import read_regular
from intaglio.base.ids import Entropy
from intaglio.base.paths import Paths, write_private

DEFAULT_PORT = 3850
_MAX_BYTES = 10_000
_PROGRAM: Final = "intaglio"
_KEPT: Final = (
    "INTAGLIO_WORKSPACE",
    "INTAGLIO_STATE_DIR",
    "INTAGLIO_CACHE_DIR",
    "INTAGLIO_LOG_DIR",
    "INTAGLIO_RUNTIME_DIR",
    "INTAGLIO_MODEL_DIR",
    "INTAGLIO_PORT",
    "SIGNET_WORKSPACE",
    "SIGNET_PATH",
    "PYTHONPATH",
)
_ENDINGS: Final = (".exe", ".cmd") if os.name == "nt" else ("",)


class Installation(msgspec.Struct, frozen=True, kw_only=True):
    """An installation: ``token`` opens local endpoints, ``hook_token`` only the hooks.

    ``port`` is None until the first start chooses it.
    """

    install_id: str
    token: str
    hook_token: str
    port: int | None = None


NOT_YET = Installation(install_id="", token="", hook_token="")
"""A placeholder for an installation that has never been started."""


def _token(entropy: Entropy) -> str:
    return base64.urlsafe_b64encode(entropy(32)).decode().rstrip("=")


def _read(file: Path) -> Installation | None:
    try:
        data = read_regular(file, _MAX_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnavailableError(
            f"Couldn't read {file}: {error}", hint="Check the permissions of that folder."
        ) from error
    try:
        return msgspec.json.decode(data, type=Installation)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise UnavailableError(
            f"{file} is damaged: {error}",
            hint="Delete it. A new one is created; connect your agents again afterwards.",
        ) from error


def save_installation(paths: Paths, installation: Installation) -> Installation:
    """Write the identity (0600) and return it."""
    write_private(paths.identity, msgspec.json.encode(installation))
    return installation


def read_installation(paths: Paths) -> Installation | None:
    """Read the identity; None before the first start or connect. Writes nothing.

    Raises UnavailableError if the file exists but can't be read.
    """
    return _read(paths.identity)


def load_installation(paths: Paths, entropy: Entropy) -> Installation:
    """Read the identity, creating it on first use; concurrent callers all get the same one.

    Raises UnavailableError if the file exists but can't be read.
    """
    known = read_installation(paths)
    if known is not None:
        return known
    fresh = Installation(
        install_id=entropy(6).hex(), token=_token(entropy), hook_token=_token(entropy)
    )
    if _create(paths.identity, fresh):
        return fresh
    return read_installation(paths) or save_installation(paths, fresh)


def _create(file: Path, fresh: Installation) -> bool:
    """Write a complete new file (0600); return False, changing nothing, if there is one already."""
    content = msgspec.json.encode(fresh)
    # Not `write_private`, which would replace a file that a daemon or a connect has just written at
    # the same moment: the hook files would then contain a token that is no longer valid.
    part = file.with_name(f".{file.name}.{fresh.install_id}.new")
    write_private(part, content)
    try:
        file.hardlink_to(part)
    except FileExistsError:
        return False
    except OSError:
        # This file system has no hard links: the last writer wins.
        write_private(file, content)
    finally:
        part.unlink(missing_ok=True)
    return True


def save_port(paths: Paths, installation: Installation, port: int) -> Installation:
    """Save the port that this installation listens on; the harnesses' configurations contain it."""
    if installation.port == port:
        return installation
    return save_installation(paths, msgspec.structs.replace(installation, port=port))


# --- the command ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Invocation:
    """How this process was started: its interpreter, and the first word of its command line.

    ``is_venv`` means that its folder is on the search path only while the environment is active.
    """

    python: str
    typed: str
    env: Mapping[str, str]
    is_venv: bool = False


def current_invocation() -> Invocation:
    """Return how this process was started."""
    is_venv = sys.prefix != sys.base_prefix
    return Invocation(sys.executable, sys.argv[0] if sys.argv else "", os.environ, is_venv)


def command(arguments: str = "", invocation: Invocation | None = None) -> str:
    """Return a command line that runs this installation's `intaglio` with these arguments.

    It is ``intaglio …`` if the search path has it, otherwise the program as the user typed it
    (``.venv/bin/intaglio …``), otherwise its full path, with ``~`` for the home directory. If there
    is no program next to the interpreter, it is ``python -m intaglio …``.
    """
    started = invocation or current_invocation()
    return f"{_command_word(started)} {arguments}".rstrip()


def kept_variables(env: Mapping[str, str]) -> dict[str, str]:
    """Return the environment variables that set this installation's directories and port."""
    return {name: env[name] for name in _KEPT if env.get(name)}


def command_for_new_terminal(
    arguments: str, variables: Mapping[str, str], invocation: Invocation | None = None
) -> str:
    """Return the same command line as `command`, for a terminal that is opened later.

    No virtual environment is active there, and ``variables``, which name this installation's
    directories, aren't set: they come first, as assignments.
    """
    started = invocation or current_invocation()
    own = Path(started.python).parent if started.is_venv else None
    folders = started.env.get("PATH", os.defpath).split(os.pathsep)
    path = os.pathsep.join(folder for folder in folders if Path(folder) != own)
    later = replace(started, typed="", env={**started.env, "PATH": path})
    return f"{_assignments(variables)}{command(arguments, later)}"


def _assignments(variables: Mapping[str, str]) -> str:
    if os.name == "nt":
        quoted = {name: value.replace("'", "''") for name, value in variables.items()}
        return "".join(f"$env:{name} = '{value}'; " for name, value in quoted.items())
    return "".join(f"{name}={shlex.quote(value)} " for name, value in variables.items())


def _command_word(started: Invocation) -> str:
    ours = next(
        (
            file
            for ending in _ENDINGS
            if (file := Path(started.python).with_name(f"{_PROGRAM}{ending}")).is_file()
        ),
        None,
    )
    if ours is None:
        return f"{_shown(Path(started.python), started.env)} -m {_PROGRAM}"
    found = shutil.which(_PROGRAM, path=started.env.get("PATH", os.defpath))
    if found is not None and _same(Path(found), ours):
        return _PROGRAM
    typed = Path(started.typed)
    if not typed.is_absolute() and len(typed.parts) > 1 and _same(typed, ours):
        return _program_word(started.typed)
    return _shown(ours, started.env)


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def _shown(file: Path, env: Mapping[str, str]) -> str:
    home = env.get("HOME")
    if home and os.name != "nt" and file.is_relative_to(home):
        # The shell doesn't expand a quoted tilde.
        return f"~/{shlex.quote(str(file.relative_to(home)))}"
    return _program_word(str(file))


def _program_word(program: str) -> str:
    return powershell_program(program) if os.name == "nt" else shlex.quote(program)


def shell_line(words: Sequence[str]) -> str:
    """Return a command for the user's shell, which on Windows is PowerShell."""
    rest = words[1:]
    arguments = subprocess.list2cmdline(rest) if os.name == "nt" else shlex.join(rest)
    return f"{_program_word(words[0])} {arguments}".rstrip()


def powershell_program(program: str) -> str:
    """Return a program at the beginning of a command line, for PowerShell.

    It runs what is quoted only after an ampersand. cmd.exe, too, takes what needs no quotes.
    """
    if all(one.isalnum() or one in r"\:/._~-" for one in program):
        return program
    quoted = program.replace("'", "''")
    return f"& '{quoted}'"

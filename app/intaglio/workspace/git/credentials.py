"""Finds what the user logs in to a remote with, in the order of the contract (section 9).

A token is passed to git in its environment, and told only to the host that it is for.
"""

import os
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from intaglio.base.process.programs import find_program
from intaglio.git.command import Git, GitFailure
from intaglio.workspace.git.private_directory import PrivateDirectory, users_environment
from intaglio.workspace.git.remotes import TOKEN_USER, RemoteAddress

AuthMethod: TypeAlias = Literal["ssh", "address", "credential-helper", "token", "gh"]

TOKEN_VARIABLE: Final = "GITHUB_TOKEN"  # noqa: S105 - a name
_GITHUB: Final = "github.com"
_USER: Final = "INTAGLIO_GIT_USER"
_PASSWORD: Final = "INTAGLIO_GIT_PASSWORD"  # noqa: S105 - a name
_HELPER: Final = (
    '!f() { test "$1" = get && '
    f'printf "username=%s\\npassword=%s\\n" "${_USER}" "${_PASSWORD}"; }}; f'
)
_ASK_S: Final = 10.0
_MAX_ANSWER: Final = 20_000
_NO_SECRETS: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Credential:
    """How the user logs in to a remote; for ssh, ssh itself knows."""

    method: AuthMethod
    user: str = ""
    password: str = field(default="", repr=False)

    def settings(self, remote: RemoteAddress) -> tuple[str, ...]:
        """Return the settings by which git asks for the password, for this host only."""
        if not self.password:
            return ()
        return (f"credential.{remote.protocol}://{remote.host}.helper={_HELPER}",)

    @property
    def environment(self) -> Mapping[str, str]:
        """What the environment of git must have."""
        if not self.password:
            return _NO_SECRETS
        return {_USER: self.user, _PASSWORD: self.password}


def find_credential(
    git: Git, private: PrivateDirectory, remote: RemoteAddress
) -> Credential | None:
    """Return the first that the user has; helpers and gh may take 10 s each. Blocks."""
    match remote.protocol:
        case "ssh":
            return Credential("ssh") if find_program("ssh") else None
        case "file":
            return None
        case "https" | "http":
            return (
                _of_address(remote)
                or _of_users_git(git, private, remote)
                or _of_variable(remote)
                or _of_gh(remote)
            )


def _of_address(remote: RemoteAddress) -> Credential | None:
    if not remote.password:
        return None
    return Credential("address", remote.user, remote.password)


def _of_users_git(git: Git, private: PrivateDirectory, remote: RemoteAddress) -> Credential | None:
    """Ask the helpers that the user configured for themselves, never those of the repository."""
    lines = [f"protocol={remote.protocol}", f"host={remote.host}"]
    if remote.user:
        lines.append(f"username={remote.user}")
    asked = "".join(f"{line}\n" for line in (*lines, ""))
    # Helpers may be large programs, which limited memory would keep from starting.
    found = replace(git, max_memory=0).run(
        private.users_configuration("core.askPass=false"),
        ["credential", "fill"],
        stdin=asked.encode(),
        limit_s=_ASK_S,
        max_bytes=_MAX_ANSWER,
    )
    if isinstance(found, GitFailure):
        return None
    told = dict(
        line.split("=", 1) for line in found.decode("utf-8", "replace").splitlines() if "=" in line
    )
    password = told.get("password", "")
    return Credential("credential-helper", told.get("username", ""), password) if password else None


def _of_variable(remote: RemoteAddress) -> Credential | None:
    token = os.environ.get(TOKEN_VARIABLE, "").strip()
    if remote.protocol != "https" or remote.host != _GITHUB or not _is_token(token):
        return None
    return Credential("token", TOKEN_USER, token)


def _of_gh(remote: RemoteAddress) -> Credential | None:
    program = find_program("gh")
    if program is None or remote.protocol != "https":
        return None
    try:
        done = subprocess.run(  # noqa: S603 - an absolute path, no shell
            [program, "auth", "token", "--hostname", remote.host],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=users_environment() | {"GH_PROMPT_DISABLED": "1"},
            timeout=_ASK_S,
            start_new_session=True,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    token = done.stdout.decode("utf-8", "replace").strip()
    if done.returncode or not _is_token(token):
        return None
    return Credential("gh", TOKEN_USER, token)


def _is_token(text: str) -> bool:
    return bool(text) and text.isascii() and text.isprintable() and " " not in text


def ssh_command(configured: str) -> str:
    """Return the command by which git starts ssh: the user's own, or ssh that never asks."""
    program = find_program("ssh")
    if configured:
        return configured
    return (
        "false"
        if program is None
        else f"{shlex.quote(program)} -oBatchMode=yes -oConnectTimeout=20"
    )

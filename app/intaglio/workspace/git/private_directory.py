"""A git directory of our own beside the workspace's repository, with a configuration of its own.

Git on a working tree runs programs that the repository's configuration names: filters, merge
drivers, hooks, credential helpers, commands for remotes. Which names there are can't be listed
reliably: files can be included, and change. Here the configuration isn't read at all: git gets a
directory with a configuration that we wrote, the objects and the index of the real repository, and
copies of the refs that it needs. What comes of it is written into the real repository's refs by
git without a working tree (`git/command.py`).
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from intaglio.base.files.regular_file import read_regular
from intaglio.base.paths import make_private
from intaglio.git.command import OVERRIDES, GitContext, as_options, closed_environment
from intaglio.git.repository import Repository
from intaglio.workspace.git.remotes import Protocol

_PREFIX: Final = "workspace-git-"
_MAX_RULES: Final = 200_000
_NO_VALUES: Final[Mapping[str, str]] = MappingProxyType({})

# The user's configuration may want more than the one branch, and signatures, which need a program.
_PLAIN_PUSH: Final = (
    "push.gpgSign=false",
    "push.followTags=false",
    "push.recurseSubmodules=no",
)

# What programs need to find the user's configuration, keys and network.
_USERS_VARIABLES: Final = (
    *("HOME", "USER", "LOGNAME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"),
    *("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK", "GNUPGHOME"),
    *("PASSWORD_STORE_DIR", "GH_CONFIG_DIR", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"),
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy"),
    *("all_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH"),
    *("SYSTEMROOT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA"),
    *("HOMEDRIVE", "HOMEPATH", "PATHEXT", "COMSPEC", "PROGRAMFILES"),
)


def users_environment() -> dict[str, str]:
    """Return what programs of the user get: nothing of the daemon's own, and no way to ask."""
    kept = {name: os.environ[name] for name in _USERS_VARIABLES if name in os.environ}
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return kept | {
        "PATH": os.pathsep.join(each for each in folders if Path(each).is_absolute()),
        "LC_ALL": "C",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "false",
        "SSH_ASKPASS": "false",
        "SSH_ASKPASS_REQUIRE": "never",
        "GCM_INTERACTIVE": "never",
    }


@dataclass(frozen=True, slots=True)
class PrivateDirectory:
    """The directory of our own, for one operation."""

    folder: Path
    repository: Repository

    def working_tree(self, environment: Mapping[str, str] = _NO_VALUES) -> GitContext:
        """Return how git works on the workspace's files and index; nothing of the network."""
        return GitContext(
            self._places(f"--work-tree={self.repository.root}", *as_options(OVERRIDES)),
            closed_environment() | self._objects() | dict(environment),
            self.repository.root,
        )

    def network(
        self,
        protocols: Iterable[Protocol],
        ssh: str,
        settings: Iterable[str],
        secrets: Mapping[str, str],
    ) -> GitContext:
        """Return how git speaks to a remote: with the user's configuration, but our credentials.

        ``ssh`` is the command that git starts for it; ``settings`` win over the configuration.
        """
        more = {
            "GIT_ALLOW_PROTOCOL": ":".join(sorted(protocols)),
            "GIT_PROTOCOL_FROM_USER": "0",
            "GIT_SSH_COMMAND": ssh,
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_NO_LAZY_FETCH": "1",
        }
        return GitContext(
            self._places(*as_options((*OVERRIDES, *_PLAIN_PUSH, *settings))),
            users_environment() | self._objects() | more | dict(secrets),
            self.folder,
        )

    def users_configuration(self, *settings: str) -> GitContext:
        """Return how git reads what the user configured, and asks their credential helpers."""
        return GitContext(self._places(*as_options(settings)), users_environment(), self.folder)

    def _places(self, *more: str) -> tuple[str, ...]:
        return ("--no-pager", f"--git-dir={self.folder}", *more)

    def _objects(self) -> dict[str, str]:
        return {
            "GIT_OBJECT_DIRECTORY": str(self.repository.common_dir / "objects"),
            "GIT_INDEX_FILE": str(self.repository.git_dir / "index"),
        }


@contextmanager
def private_directory(
    parent: Path,
    repository: Repository,
    branch: str,
    refs: Mapping[str, str],
    *,
    sha256: bool = False,
    ignored: Iterable[str] = (),
) -> Generator[PrivateDirectory]:
    """Make the directory below ``parent`` while the block runs; ``refs`` maps names to hashes.

    ``ignored`` are patterns that ``.gitignore`` may lack. Raises OSError.
    """
    make_private(parent)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
    try:
        for name in ("objects", "refs", "info"):
            (folder / name).mkdir()
        _write(folder / "HEAD", f"ref: refs/heads/{branch}\n")
        _write(folder / "config", _configuration(sha256=sha256))
        lines = (f"{value} {name}\n" for name, value in sorted(refs.items()) if value)
        _write(folder / "packed-refs", "".join(lines))
        own = repository.common_dir / "info"
        rules = "".join(f"\n{line}" for line in ignored).encode()
        (folder / "info" / "exclude").write_bytes(_rules_in(own / "exclude") + rules)
        (folder / "info" / "attributes").write_bytes(_rules_in(own / "attributes"))
        yield PrivateDirectory(folder, repository)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def remove_old(parent: Path) -> None:
    """Remove the directories that a killed daemon left; none may be in use."""
    for each in parent.glob(f"{_PREFIX}*"):
        shutil.rmtree(each, ignore_errors=True)


def _configuration(*, sha256: bool) -> str:
    folds_case = sys.platform in {"darwin", "win32"}
    lines = [
        "[core]",
        f"repositoryFormatVersion = {int(sha256)}",
        "bare = false",
        f"fileMode = {_yes(sys.platform != 'win32')}",
        f"symlinks = {_yes(sys.platform != 'win32')}",
        f"ignoreCase = {_yes(folds_case)}",
        f"precomposeUnicode = {_yes(sys.platform == 'darwin')}",
        "logAllRefUpdates = false",
        # What is set in the environment for safety isn't worth a hint.
        "[advice]",
        "graftFileDeprecated = false",
    ]
    if sha256:
        lines += ["[extensions]", "objectFormat = sha256"]
    return "".join(f"{line}\n" for line in lines)


def _yes(value: bool) -> str:  # noqa: FBT001 - a word for a value
    return "true" if value else "false"


def _rules_in(file: Path) -> bytes:
    try:
        return read_regular(file, _MAX_RULES)
    except OSError:
        return b""


def _write(file: Path, text: str) -> None:
    file.write_bytes(text.encode())

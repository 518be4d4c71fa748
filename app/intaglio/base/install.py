"""This installation's own identity: id, tokens and port, kept in one file for its owner alone."""

import base64
from pathlib import Path

import msgspec

from intaglio.base.errors import UnavailableError
from intaglio.base.ids import Entropy
from intaglio.base.paths import Paths, write_private

DEFAULT_PORT = 3850
_MAX_BYTES = 10_000


class Install(msgspec.Struct, frozen=True, kw_only=True):
    """An installation: ``token`` opens local endpoints, ``hook_token`` only the hooks.

    ``port`` is None until it is chosen at the first start.
    """

    install_id: str
    token: str
    hook_token: str
    port: int | None = None


NOT_YET = Install(install_id="", token="", hook_token="")
"""Stands in where an installation is only looked at before its first start."""


def _token(entropy: Entropy) -> str:
    return base64.urlsafe_b64encode(entropy(32)).decode().rstrip("=")


def _read(file: Path) -> Install | None:
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnavailableError(
            f"{file} cannot be read: {error}", hint="Check the rights on that folder."
        ) from error
    try:
        return msgspec.json.decode(data[:_MAX_BYTES], type=Install)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise UnavailableError(
            f"{file} is damaged: {error}",
            hint="Delete it; a new one is made, and connected harnesses have to be connected anew.",
        ) from error


def save_install(paths: Paths, install: Install) -> Install:
    """Write the identity (0600) and return it."""
    write_private(paths.identity, msgspec.json.encode(install))
    return install


def known_install(paths: Paths) -> Install | None:
    """Read the identity; None before the first start or connect, and nothing is written.

    Raises UnavailableError when the file is there but cannot be read.
    """
    return _read(paths.identity)


def load_install(paths: Paths, entropy: Entropy) -> Install:
    """Read the identity, making it at the first call; all who come first together get the same one.

    Raises UnavailableError when the file is there but cannot be read.
    """
    known = known_install(paths)
    if known is not None:
        return known
    fresh = Install(install_id=entropy(6).hex(), token=_token(entropy), hook_token=_token(entropy))
    if _create(paths.identity, fresh):
        return fresh
    return known_install(paths) or save_install(paths, fresh)


def _create(file: Path, fresh: Install) -> bool:
    """Write a whole new file (0600); False where there is one already, which stays as it is."""
    content = msgspec.json.encode(fresh)
    # Not `write_private`, which would take the place of what a daemon's start and a connect, at
    # the same moment, have just made: the hooks' files would then name a token that is no more.
    part = file.with_name(f".{file.name}.{fresh.install_id}.new")
    write_private(part, content)
    try:
        file.hardlink_to(part)
    except FileExistsError:
        return False
    except OSError:
        # This file system knows no links: whoever writes last wins.
        write_private(file, content)
    finally:
        part.unlink(missing_ok=True)
    return True


def keep_port(paths: Paths, install: Install, port: int) -> Install:
    """Remember the port that this installation answers on; harness configurations hold it."""
    if install.port == port:
        return install
    return save_install(paths, msgspec.structs.replace(install, port=port))

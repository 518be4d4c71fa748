"""Discovers the harnesses: each folder of this package that exports a harness or a connector.

The command line imports this module, so it must not import the daemon's code.
"""

import importlib
import os
import pkgutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from intaglio import harness as package
from intaglio.base.errors import IntaglioError
from intaglio.base.installation import Installation
from intaglio.base.paths import Paths, home_folder
from intaglio.connect.connector import Connector
from intaglio.connect.hook_files import write_files
from intaglio.connect.mcp_files import mcp_files
from intaglio.connect.targets import ConnectionTarget, interpreters
from intaglio.harness.protocol import Harness

_HARNESS: Final = "harness"
_CONNECTOR: Final = "connector"


class BrokenHarnessError(IntaglioError):
    """A folder of the package doesn't export a valid harness or connector."""

    code = "broken_harness"
    title = "Couldn't load a harness"


def harness_names() -> tuple[str, ...]:
    """Return the names of all harnesses without importing them."""
    return tuple(_folders(tuple(package.__path__)))


def connector_names() -> tuple[str, ...]:
    """Return the names of all harnesses that can be connected, without importing them."""
    folders = _folders(tuple(package.__path__))
    return tuple(name for name, folder in folders.items() if _has(folder, _CONNECTOR))


def harnesses() -> Mapping[str, Harness]:
    """Load all harnesses, by name.

    Raises BrokenHarnessError, naming the folder, if one doesn't implement the protocol.
    """
    return _harnesses(tuple(package.__path__))


@cache
def _harnesses(roots: tuple[str, ...]) -> Mapping[str, Harness]:
    found: dict[str, Harness] = {}
    for name, place, value in _exports(roots, _HARNESS, "HARNESS"):
        if not isinstance(value, Harness):
            raise _broken(place, value, Harness)
        found[_checked(name, value.name, place)] = value
    _refuse_shared_paths(found)
    return found


def meaningful_tags(found: Iterable[Harness]) -> tuple[str, ...]:
    """Return the tags that any of the harnesses declares.

    A memory may reach another harness than the one it comes from.
    """
    return tuple(dict.fromkeys(tag for one in found for tag in one.tags))


def connectors() -> Mapping[str, Connector]:
    """Load all connectors, by harness name.

    Raises BrokenHarnessError, naming the folder, if one doesn't implement the protocol.
    """
    return _connectors(tuple(package.__path__))


@cache
def _connectors(roots: tuple[str, ...]) -> Mapping[str, Connector]:
    found: dict[str, Connector] = {}
    for name, place, value in _exports(roots, _CONNECTOR, "CONNECTOR"):
        if not isinstance(value, Connector):
            raise _broken(place, value, Connector)
        found[_checked(name, value.name, place)] = value
    return found


def connection_targets(paths: Paths) -> Mapping[str, ConnectionTarget]:
    """Return the settings of each harness in this user's home, by harness name.

    Raises BrokenHarnessError like `connectors`.
    """
    pythons = interpreters(sys.executable)
    return {
        name: ConnectionTarget(
            connector=connector, paths=paths, pythons=pythons, home=home_folder, env=os.environ
        )
        for name, connector in connectors().items()
    }


def refresh_hook_files(
    found: Iterable[Connector], paths: Paths, installation: Installation
) -> bool:
    """Rewrite hook files and MCP program that are of an older version or another state folder.

    The daemon does this at each start, so the harnesses' settings never have to change.
    Returns whether anything changed.
    """
    files = {file.path: file for one in found for file in one.hook_files(paths, installation)}
    files |= {file.path: file for file in mcp_files(paths, installation)}
    return write_files(tuple(files.values()))


# An installed package doesn't change, and looking through its folders takes milliseconds.
@cache
def _folders(roots: tuple[str, ...]) -> Mapping[str, Path]:
    return {
        module.name.replace("_", "-"): Path(root) / module.name
        for root in roots
        for module in pkgutil.iter_modules([root])
        if module.ispkg
    }


def _has(folder: Path, module: str) -> bool:
    return any(found.name == module for found in pkgutil.iter_modules([str(folder)]))


def _exports(roots: tuple[str, ...], module: str, export: str) -> Iterator[tuple[str, str, object]]:
    """Yield each folder's name, the location of its export, and its value (None if missing)."""
    for name, folder in sorted(_folders(roots).items()):
        if not _has(folder, module):
            continue
        try:
            found = importlib.import_module(f"{package.__name__}.{folder.name}.{module}")
        except (ImportError, SyntaxError) as error:
            raise BrokenHarnessError(f"Couldn't import {folder / module}.py: {error}") from error
        yield name, f"{folder / module}.py: {export}", getattr(found, export, None)


def _broken(place: str, value: object, protocol: type) -> BrokenHarnessError:
    members = (member for member in vars(protocol) if not member.startswith("_"))
    missing = [member for member in members if not hasattr(value, member)]
    lack = "is missing" if value is None else f"lacks {', '.join(missing)}"
    hint = f"See {protocol.__module__}.{protocol.__name__}."
    return BrokenHarnessError(f"{place} {lack}", hint=hint)


def _checked(name: str, own: str, place: str) -> str:
    if own != name:
        raise BrokenHarnessError(f"{place} is named {own!r}, but its folder {name!r}")
    return name


def _refuse_shared_paths(found: Mapping[str, Harness]) -> None:
    owners: dict[str, str] = {}
    for name, one in found.items():
        for path in one.older_paths:
            if owners.setdefault(path, name) != name:
                raise BrokenHarnessError(f"{name} and {owners[path]} both use the path {path}")

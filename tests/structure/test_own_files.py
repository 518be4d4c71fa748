"""Uninstalling knows every file that Intaglio writes into its own folders."""

import re
from collections.abc import Iterator

from intaglio.uninstall.own_files import (
    CONNECTION_RECORDS,
    DATA_STATE,
    LOGS,
    REMOVED_STATE,
    RUNTIME,
)
from structure.source import PACKAGE, Module, modules, refuse

KNOWN = {*REMOVED_STATE, CONNECTION_RECORDS, *DATA_STATE, *RUNTIME, "run"}
KNOWN_LOGS = tuple(name.removesuffix("*") for name in LOGS)
# The other folders are properties of `Paths` themselves.
OWNER = {"paths.py": "self"}
WRITTEN = r'\b(?:{owner})\.(?:state|runtime|logs) / (?:f?"([^"{{]+)"|(\w+)\b)'


def written(module: Module) -> Iterator[str]:
    """Yield the names of files that a module has in our folders, also those of its constants."""
    owner = OWNER.get(module.path.name, "paths|places|ours")
    for text, constant in re.findall(WRITTEN.format(owner=owner), module.text):
        named = re.search(rf'^{constant}(?:: Final)? = "([^"]+)"', module.text, re.MULTILINE)
        yield text or (named[1] if named else "")


def test_every_file_in_our_own_folders_is_either_removed_or_kept() -> None:
    refuse(
        f"{module.name} writes {name}, which uninstall doesn't know"
        for module in modules()
        if module.path.is_relative_to(PACKAGE)
        for name in written(module)
        if name and name not in KNOWN and not name.startswith(KNOWN_LOGS)
    )

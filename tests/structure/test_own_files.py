"""Uninstalling knows every file that Intaglio writes into its own folders."""

import re

from intaglio.uninstall.own_files import (
    CONNECTION_RECORDS,
    DATA_STATE,
    LOGS,
    REMOVED_STATE,
    RUNTIME,
)
from structure.source import PACKAGE, modules, refuse

KNOWN = {*REMOVED_STATE, CONNECTION_RECORDS, *DATA_STATE, *RUNTIME, "run"}
WRITTEN = re.compile(r'\b(?:paths|places|ours)\.(?:state|runtime|logs) / f?"([^"{]+)"')
# The other folders are properties of `Paths` themselves.
PROPERTIES = re.compile(r'\bself\.(?:state|runtime|logs) / "([^"]+)"')


def test_every_file_in_our_own_folders_is_either_removed_or_kept() -> None:
    logs = tuple(name.removesuffix("*") for name in LOGS)
    refuse(
        f"{module.name} writes {name}, which uninstall doesn't know"
        for module in modules()
        if module.path.is_relative_to(PACKAGE)
        for pattern in (WRITTEN, *([PROPERTIES] if module.path.name == "paths.py" else []))
        for name in pattern.findall(module.text)
        if name not in KNOWN and not name.startswith(logs)
    )

"""Which files of a project a prompt is about, by what it names."""

from collections.abc import Mapping
from typing import Final

from intaglio.code import lookup
from intaglio.commits.asked_names import AskedNames
from intaglio.store.tx import ReadTx

# How surely a prompt is about a file by what leads to it.
_NAMED: Final = 1.0
_DEFINES: Final = 0.9
_RAISES: Final = 0.9
_TESTED: Final = 0.7
_MOST: Final = 24


def named_files(tx: ReadTx, project: str, names: AskedNames, text: str) -> Mapping[str, float]:
    """Return how surely (0 to 1) a prompt is about each file, surest first.

    A file may be named, define what is named, raise the error that ``text`` quotes, or be what a
    named test imports. What leads to several files says less about each.
    """
    found: dict[str, float] = {}

    def add(paths: tuple[str, ...], weight: float) -> None:
        for path in paths:
            share = weight / len(paths)
            found[path] = max(found.get(path, 0.0), share)

    for paths in lookup.files_named(tx, project, names.paths).values():
        add(paths, _NAMED)
    for paths in lookup.files_defining(tx, project, names.names).values():
        add(paths, _DEFINES)
    add(lookup.files_with_message(tx, project, text), _RAISES)
    for paths in lookup.files_imported_by(tx, project, tuple(found)).values():
        add(paths, _TESTED)
    best = sorted(found, key=lambda path: -found[path])[:_MOST]
    return {path: found[path] for path in best}

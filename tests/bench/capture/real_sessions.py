"""Reads labelled sessions of other people, from folders outside the repository.

A folder holds files as `bench.capture.labelled` describes them, and tables ``*SOURCES.txt`` or
``*sources.txt`` with a line per session: its id, a tab, and the repository, ``owner/name``.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.capture.labelled import LabelledSession, read_sessions

FOLDS: Final = 3


@dataclass(frozen=True, slots=True)
class RealSession:
    """A session and the owner of its repository: nobody trains what judges their own words."""

    session: LabelledSession
    owner: str


def fold_of(owner: str) -> int:
    """Return the fold of cross-validation that all of an owner's words are in."""
    return hashlib.sha256(owner.encode()).digest()[0] % FOLDS


def read_real(folders: Sequence[Path], warn: Callable[[str], None]) -> list[RealSession]:
    """Return the sessions of all folders; what is malformed or has no owner is left out."""
    found: dict[str, RealSession] = {}
    for folder in folders:
        owners = _owners(folder)
        for file in sorted(folder.glob("*.txt")):
            if _is_table(file):
                continue
            for session in read_sessions(file, warn):
                if session.id in found:
                    warn(f"{file.name}: a second session is called {session.id}")
                elif session.id not in owners:
                    warn(f"{file.name}: {session.id} is in no table of sources")
                else:
                    found[session.id] = RealSession(session, owners[session.id])
    return list(found.values())


def _is_table(file: Path) -> bool:
    return file.name.lower().endswith("sources.txt")


def _owners(folder: Path) -> dict[str, str]:
    owners: dict[str, str] = {}
    for file in sorted(folder.glob("*.txt")):
        if _is_table(file):
            for line in file.read_text("utf-8").splitlines():
                parts = line.split("\t")
                if len(parts) > 1 and "/" in parts[1]:
                    owners[parts[0].strip()] = parts[1].split("/")[0].strip().lower()
    return owners

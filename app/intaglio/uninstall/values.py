"""What an uninstall removes, what it keeps, and what it couldn't remove."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

UninstallKind: TypeAlias = Literal[
    "process", "agent", "autostart", "service", "files", "data", "own"
]
"""``own`` are files that the user wrote."""


@dataclass(frozen=True, slots=True)
class UninstallItem:
    """Something that Intaglio has put on this account; ``files`` are paths or registry keys."""

    kind: UninstallKind
    title: str
    files: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class UninstallProblem:
    """What can't be removed, why, and what the user can do.

    ``file`` is what stays as it is; empty if the rest of the step was done.
    """

    title: str
    reason: str
    hint: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class UninstallStep:
    """One step of an uninstall: what it removes, and the function that does.

    ``act`` returns what couldn't be removed. ``known`` are problems that are seen beforehand.
    """

    items: tuple[UninstallItem, ...]
    act: Callable[[], tuple[UninstallProblem, ...]]
    known: tuple[UninstallProblem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UninstallReport:
    """What is, or was, removed and kept; ``done`` says whether it has been carried out."""

    done: bool
    removes: tuple[UninstallItem, ...]
    keeps: tuple[UninstallItem, ...]
    problems: tuple[UninstallProblem, ...]

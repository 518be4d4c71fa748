"""What uninstalling removes and keeps, as the command line and the dashboard show it."""

from typing import Literal

from msgspec import Struct

UninstallItemKind = Literal["process", "agent", "autostart", "service", "files", "data", "own"]


class UninstallItemReply(Struct, frozen=True, kw_only=True):
    """Something that Intaglio has put on this account: ``files`` are paths or registry keys.

    ``own`` is what the user wrote, which always stays.
    """

    kind: UninstallItemKind
    title: str
    files: tuple[str, ...]
    note: str


class UninstallProblemReply(Struct, frozen=True, kw_only=True):
    """What can't be removed, why, and what the user can do; ``file`` stays as it is, if named."""

    title: str
    reason: str
    hint: str
    file: str


class UninstallReply(Struct, frozen=True, kw_only=True, rename="camel"):
    """What is, or was, removed and kept.

    ``done`` says whether it was carried out, ``command`` how that is done. Then ``next_step`` says
    how the program itself is removed, by ``next_command`` if there is a command for it.
    """

    done: bool
    installed_by: str
    removes: tuple[UninstallItemReply, ...]
    keeps: tuple[UninstallItemReply, ...]
    problems: tuple[UninstallProblemReply, ...]
    command: str
    next_step: str
    next_command: str

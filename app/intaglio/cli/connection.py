"""This installation's directories, a client of its daemon, and lists that it pages."""

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

from intaglio.base.paths import Paths, find_paths
from intaglio.client.daemon_client import DaemonClient
from intaglio.client.discovery import find_daemon

ListedRow = TypeVar("ListedRow")


def paths() -> Paths:
    """Return the directories of this installation."""
    return find_paths(os.environ)


def daemon_client() -> DaemonClient:
    """Return a client of the running daemon; raises UnreachableError when none runs."""
    return DaemonClient(find_daemon(paths(), os.environ))


def read_rows(
    read_page: Callable[[int, str | None], tuple[Sequence[ListedRow], str | None]],
    limit: int,
    page_size: int,
) -> tuple[list[ListedRow], bool]:
    """Return at most ``limit`` rows, and whether there are more.

    ``read_page`` takes the number of rows and a cursor, and returns rows and the next cursor.
    """
    rows: list[ListedRow] = []
    cursor: str | None = None
    while len(rows) < limit:
        page, cursor = read_page(min(page_size, limit - len(rows)), cursor)
        rows += page
        if cursor is None:
            return rows, False
    return rows, True

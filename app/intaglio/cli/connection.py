"""This installation's directories, and a client of its daemon."""

import os

from intaglio.base.paths import Paths, find_paths
from intaglio.client.daemon_client import DaemonClient
from intaglio.client.discovery import find_daemon


def paths() -> Paths:
    """Return the directories of this installation."""
    return find_paths(os.environ)


def daemon_client() -> DaemonClient:
    """Return a client of the running daemon; raises UnreachableError when none runs."""
    return DaemonClient(find_daemon(paths(), os.environ))

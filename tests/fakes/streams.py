"""Operations that tests of all operations leave out."""

from typing import Final

ENDLESS: Final = {"streamEvents": "/api/events", "streamLogs": "/api/logs/stream"}
"""Replies that don't end: their paths by name."""

STARTS_PROGRAM: Final = frozenset({"previewUninstall", "getStartAtLogin"})
"""Operations that start a program each time, which takes longer than all others together."""

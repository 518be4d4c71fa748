"""Backups, the folder's Git rules, special files, the clock, read-only folders, huge tags."""

import os

from bench.attack.arena import Arena
from bench.attack.probe import Held, Outcome, Probe, Skipped


def pipe_as_settings(arena: Arena) -> Outcome:
    """Put a pipe where the settings are: the daemon has to start or refuse, not to hang."""
    if not hasattr(os, "mkfifo"):
        return Skipped("no named pipes here")
    arena.paths.settings.parent.mkdir(parents=True)
    os.mkfifo(arena.paths.settings)
    daemon = arena.start(until=None)
    daemon.wait_until("ready", seconds=30)
    return Held("the daemon starts without them")


PROBES: tuple[Probe, ...] = (Probe("upkeep", "a named pipe as settings", pipe_as_settings),)

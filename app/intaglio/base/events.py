"""What happened, as values; lost on restart, never the truth. The bus is in `bus.py`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Changed:
    """Rows of a room changed; views that show them ask again."""

    topic: str
    what: Literal["added", "updated", "deleted", "recovered"]
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The daemon's state changed: ready, checking or degraded."""

    state: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """The settings were read anew and differ."""


@dataclass(frozen=True, slots=True)
class CaptureChanged:
    """Capture was paused or resumed; ``until`` is a moment, or None for until resumed.

    The end of a pause by its time is not told: who knows ``until`` knows it.
    """

    paused: bool
    until: str | None


@dataclass(frozen=True, slots=True)
class Resync:
    """A listener was too slow and lost events; it has to read everything anew."""


BusEvent: TypeAlias = Changed | StateChanged | SettingsChanged | CaptureChanged | Resync
Publish: TypeAlias = Callable[[BusEvent], None]

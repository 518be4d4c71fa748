"""The events on the bus. They are lost on restart; the database is the source of truth."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Changed:
    """Rows of a package changed; views that show them reload."""

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
    """The settings were reloaded and differ."""


@dataclass(frozen=True, slots=True)
class CaptureChanged:
    """Capture was paused or resumed; ``until`` is a timestamp, or None if it isn't limited.

    There is no event when a pause expires: whoever knows ``until`` knows when.
    """

    paused: bool
    until: str | None


@dataclass(frozen=True, slots=True)
class Resync:
    """The listener was too slow and lost events; it has to reload everything."""


BusEvent: TypeAlias = Changed | StateChanged | SettingsChanged | CaptureChanged | Resync
Publish: TypeAlias = Callable[[BusEvent], None]

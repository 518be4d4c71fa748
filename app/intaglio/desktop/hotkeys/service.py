"""Keeps the shortcuts that the settings name, and notes how they are."""

import contextlib
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from intaglio.base.log import get_logger
from intaglio.base.paths import Paths
from intaglio.base.shortcut import Shortcut, parse_shortcut
from intaglio.base.shortcut_record import ShortcutState, remove_shortcuts, write_shortcuts
from intaglio.desktop.hotkeys.values import GrabbedKeys, GrabResult, KeyGrabber, RefusedKeys
from intaglio.desktop.settings import DesktopSettings
from intaglio.desktop.values import (
    Destination,
    HotkeyName,
    HotkeyStatus,
    QuickRemember,
    QuickSearch,
)

_CHECK_EVERY_S: Final = 2.0
_SETTING_KEYS: Final[dict[HotkeyName, str]] = {
    "remember": "desktop.hotkeyRemember",
    "search": "desktop.hotkeySearch",
}
_SAME: Final = RefusedKeys("Quick remember has these keys. Choose others.")


def destination_of(name: HotkeyName) -> Destination:
    """Return what a shortcut opens."""
    match name:
        case "remember":
            return QuickRemember()
        case "search":
            return QuickSearch()


def wanted_shortcuts(settings: DesktopSettings) -> dict[HotkeyName, Shortcut]:
    """Return the shortcuts that the settings name; the settings have checked them."""
    texts: dict[HotkeyName, str] = {
        "remember": settings.hotkey_remember,
        "search": settings.hotkey_search,
    }
    found: dict[HotkeyName, Shortcut] = {}
    for name, text in texts.items():
        shortcut = parse_shortcut(text)
        if isinstance(shortcut, Shortcut):
            found[name] = shortcut
    return found


@dataclass(slots=True, kw_only=True)
class HotkeyService:
    """Looks at the settings file every two seconds, and grabs the keys anew when they change.

    ``read`` reads the settings, ``show`` opens what a shortcut stands for, and ``changed`` gets the
    states after each change. All of it happens on a thread of its own.
    """

    paths: Paths
    grabber: KeyGrabber
    read: Callable[[], DesktopSettings]
    show: Callable[[Destination], None]
    changed: Callable[[tuple[HotkeyStatus, ...]], None]
    check_every_s: float = _CHECK_EVERY_S
    _closed: threading.Event = field(default_factory=threading.Event)
    _wanted: dict[HotkeyName, Shortcut] | None = None

    def start(self) -> None:
        """Start the thread."""
        threading.Thread(target=self._run, name="intaglio-hotkeys", daemon=True).start()

    def close(self) -> None:
        """Let the keys go and remove the note."""
        self._closed.set()
        self.grabber.close()
        with contextlib.suppress(OSError):
            remove_shortcuts(self.paths)

    def _run(self) -> None:
        # Not that of a missing file: nothing was looked at yet.
        seen: tuple[int, int] | None = (0, 0)
        while not self._closed.is_set():
            found = _fingerprint(self.paths.settings)
            if found != seen:
                seen = found
                self._apply(wanted_shortcuts(self.read()))
            self._closed.wait(self.check_every_s)

    def _apply(self, wanted: dict[HotkeyName, Shortcut]) -> None:
        if wanted == self._wanted:
            return
        self._wanted = wanted
        remember, search = wanted.get("remember"), wanted.get("search")
        is_same = remember is not None and remember == search
        distinct: dict[HotkeyName, Shortcut] = {
            name: each for name, each in wanted.items() if not is_same or name != "search"
        }
        results: dict[HotkeyName, GrabResult] = {}
        if is_same:
            results["search"] = _SAME
        results |= self.grabber.grab(distinct, lambda name: self.show(destination_of(name)))
        if not self._closed.is_set():
            self._note(wanted, results)

    def _note(
        self, wanted: Mapping[HotkeyName, Shortcut], results: Mapping[HotkeyName, GrabResult]
    ) -> None:
        statuses = tuple(_status(name, wanted[name], results[name]) for name in wanted)
        get_logger("hotkeys").info(
            "shortcuts", now=[f"{one.keys} {one.problem}" for one in statuses]
        )
        with contextlib.suppress(OSError):
            write_shortcuts(
                self.paths,
                os.getpid(),
                {
                    _SETTING_KEYS[one.name]: ShortcutState(keys=one.keys, problem=one.problem)
                    for one in statuses
                },
            )
        self.changed(statuses)


def _status(name: HotkeyName, shortcut: Shortcut, result: GrabResult) -> HotkeyStatus:
    match result:
        case GrabbedKeys(keys):
            return HotkeyStatus(name, keys or shortcut.text)
        case RefusedKeys(reason):
            return HotkeyStatus(name, shortcut.text, reason)


def _fingerprint(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size

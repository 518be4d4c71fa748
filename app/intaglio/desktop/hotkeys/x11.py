"""Holds shortcuts on an X11 screen by passive grabs, on a connection of their own."""

import contextlib
import select
import socket
import threading
from collections.abc import Iterable, Mapping
from typing import Any, Final

from intaglio.base.log import get_logger
from intaglio.base.shortcut import Modifier, Shortcut
from intaglio.desktop.gui_libraries import x_library
from intaglio.desktop.hotkeys.keysyms import keysym_name
from intaglio.desktop.hotkeys.values import TAKEN, GrabbedKeys, GrabResult, Pressed, RefusedKeys
from intaglio.desktop.values import HotkeyName

# A key that is held down repeats within this time.
_REPEAT_MS: Final = 700
_CLOSE_TIMEOUT_S: Final = 3.0
_KEYSYMS: Final[dict[Modifier, tuple[str, ...]]] = {
    "Alt": ("Alt_L", "Alt_R", "Meta_L"),
    "Super": ("Super_L", "Super_R"),
}
_NO_SCREEN: Final = RefusedKeys("The screen can't be reached. Start the tray app again.")
_NO_KEY: Final = RefusedKeys("This keyboard doesn't have these keys. Choose others.")


class X11Grabber:
    """Grabs keys of the root window; implements `KeyGrabber`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: _HeldKeys | None = None

    def grab(
        self, wanted: Mapping[HotkeyName, Shortcut], pressed: Pressed
    ) -> Mapping[HotkeyName, GrabResult]:
        """Hold these shortcuts; a key that another program holds is refused."""
        self.close()
        if not wanted:
            return {}
        x = x_library()
        try:
            display = x.display.Display()
        except (x.error.DisplayError, x.error.ConnectionClosedError, OSError):
            return dict.fromkeys(wanted, _NO_SCREEN)
        held = _HeldKeys(x, display, wanted, pressed)
        results = held.grab_all()
        with self._lock:
            self._held = held
        held.start()
        return results

    def close(self) -> None:
        """Close the connection, with which the server lets the keys go."""
        with self._lock:
            held, self._held = self._held, None
        if held is not None:
            held.stop()


class _HeldKeys:
    """The grabs of one connection; after the start, only its own thread uses it."""

    def __init__(
        self,
        x: Any,  # noqa: ANN401 - Xlib has no types
        display: Any,  # noqa: ANN401 - see above
        wanted: Mapping[HotkeyName, Shortcut],
        pressed: Pressed,
    ) -> None:
        self._x = x
        self._display = display
        self._root = display.screen().root
        self._wanted = wanted
        self._pressed = pressed
        self._names: dict[tuple[int, int], HotkeyName] = {}
        self._locks = 0
        self._last: tuple[tuple[int, int], int] = ((0, 0), -_REPEAT_MS)
        self._wake, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="intaglio-hotkeys-x11", daemon=True)

    def grab_all(self) -> dict[HotkeyName, GrabResult]:
        """Grab every shortcut, with any state of Num Lock and Caps Lock."""
        masks = _modifier_masks(self._x, self._display)
        num_lock = _mask_of(self._x, self._display, ("Num_Lock",))
        self._locks = num_lock | int(self._x.X.LockMask)
        self._names.clear()
        return {
            name: self._grab_one(name, shortcut, masks, num_lock)
            for name, shortcut in self._wanted.items()
        }

    def _grab_one(
        self,
        name: HotkeyName,
        shortcut: Shortcut,
        masks: Mapping[Modifier, int],
        num_lock: int,
    ) -> GrabResult:
        x = self._x.X
        symbol = self._x.XK.string_to_keysym(keysym_name(shortcut.key))
        code = int(self._display.keysym_to_keycode(symbol)) if symbol else 0
        if not code or not all(masks[one] for one in shortcut.modifiers):
            return _NO_KEY
        mask = sum(masks[one] for one in shortcut.modifiers)
        refused = self._x.error.CatchError(self._x.error.BadAccess)
        for lock in {0, num_lock, x.LockMask, num_lock | x.LockMask}:
            self._root.grab_key(
                code,
                mask | lock,
                False,  # noqa: FBT003 - Xlib's own order
                x.GrabModeAsync,
                x.GrabModeAsync,
                onerror=refused,
            )
        self._display.sync()
        if refused.get_error() is not None:
            self._root.ungrab_key(code, x.AnyModifier)
            self._display.sync()
            return TAKEN
        self._names[code, mask] = name
        return GrabbedKeys()

    def start(self) -> None:
        """Handle key presses until `stop`, or until the screen is gone."""
        self._thread.start()

    def _run(self) -> None:
        try:
            self._handle_events()
        except (self._x.error.ConnectionClosedError, OSError) as error:
            get_logger("hotkeys").info("the screen is gone", error=str(error))
        finally:
            self._woken.close()
            with contextlib.suppress(self._x.error.ConnectionClosedError, OSError):
                self._display.close()

    def _handle_events(self) -> None:
        while True:
            for _ in range(self._display.pending_events()):
                self._handle(self._display.next_event())
            ready, _, _ = select.select([self._display, self._woken], [], [])
            if self._woken in ready:
                return

    def _handle(self, event: Any) -> None:  # noqa: ANN401 - Xlib has no types
        if event.type == self._x.X.MappingNotify:
            # Another keyboard layout has the keys in other places.
            self._display.refresh_keyboard_mapping(event)
            self._root.ungrab_key(self._x.X.AnyKey, self._x.X.AnyModifier)
            self.grab_all()
        elif event.type == self._x.X.KeyPress:
            relevant = event.state & 0xFF & ~self._locks
            pressed = (int(event.detail), int(relevant))
            before, at = self._last
            self._last = (pressed, event.time)
            name = self._names.get(pressed)
            if name is not None and (before != pressed or event.time - at >= _REPEAT_MS):
                self._pressed(name)

    def stop(self) -> None:
        """Let the keys go; may be called from any thread, once."""
        self._wake.close()
        self._thread.join(_CLOSE_TIMEOUT_S)


def _modifier_masks(x: Any, display: Any) -> dict[Modifier, int]:  # noqa: ANN401 - Xlib has no types
    """Return the bits of the modifiers; 0 for one that the keyboard doesn't have."""
    return {
        "Ctrl": int(x.X.ControlMask),
        "Shift": int(x.X.ShiftMask),
        "Alt": _mask_of(x, display, _KEYSYMS["Alt"]),
        "Super": _mask_of(x, display, _KEYSYMS["Super"]),
    }


def _mask_of(x: Any, display: Any, symbols: Iterable[str]) -> int:  # noqa: ANN401 - see above
    found = (display.keysym_to_keycode(x.XK.string_to_keysym(name)) for name in symbols)
    codes = {int(code) for code in found} - {0}
    for at, keys in enumerate(display.get_modifier_mapping()):
        if codes & set(keys):
            return 1 << at
    return 0

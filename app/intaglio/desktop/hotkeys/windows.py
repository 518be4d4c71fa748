"""Holds shortcuts on Windows with RegisterHotKey, on a thread with a message loop of its own."""

import ctypes
import queue
import sys
import threading
from collections.abc import Mapping
from typing import Any, Final, Protocol

from intaglio.base.shortcut import DIGITS, FUNCTION_KEYS, LETTERS, Modifier, Shortcut
from intaglio.desktop.hotkeys.values import TAKEN, GrabbedKeys, GrabResult, Pressed
from intaglio.desktop.values import HotkeyName

_MODIFIERS: Final[dict[Modifier, int]] = {"Alt": 1, "Ctrl": 2, "Shift": 4, "Super": 8}
_NO_REPEAT: Final = 0x4000
_FIRST_FUNCTION_KEY: Final = 0x70
_OTHER_KEYS: Final = {
    "Tab": 0x09,
    "Enter": 0x0D,
    "Space": 0x20,
    "PageUp": 0x21,
    "PageDown": 0x22,
    "End": 0x23,
    "Home": 0x24,
    "Left": 0x25,
    "Up": 0x26,
    "Right": 0x27,
    "Down": 0x28,
    "Insert": 0x2D,
    "Delete": 0x2E,
}
_CLOSE_TIMEOUT_S: Final = 3.0


def key_code(key: str) -> int:
    """Return the virtual key code of a key."""
    if key in LETTERS or key in DIGITS:
        return ord(key)
    if key in FUNCTION_KEYS:
        return _FIRST_FUNCTION_KEY + int(key[1:]) - 1
    return _OTHER_KEYS[key]


def modifier_bits(shortcut: Shortcut) -> int:
    """Return the modifiers as RegisterHotKey takes them; keys that are held down don't repeat."""
    return _NO_REPEAT | sum(_MODIFIERS[one] for one in shortcut.modifiers)


class HotkeyMessages(Protocol):
    """What is used of user32; each method is for the thread that called the first one."""

    def thread(self) -> int:
        """Return the id of this thread, and give it a message queue."""
        ...

    def register(self, number: int, modifiers: int, code: int) -> bool:
        """Register a shortcut by a number; false if another program has it."""
        ...

    def unregister(self, number: int) -> None:
        """Let a shortcut go."""
        ...

    def next_pressed(self) -> int | None:
        """Wait for a shortcut and return its number; None once `quit` was called."""
        ...

    def quit(self, thread: int) -> None:
        """End `next_pressed` of a thread; called from another one."""
        ...


class WindowsGrabber:
    """Registers shortcuts with Windows; implements `KeyGrabber`."""

    def __init__(self, messages: HotkeyMessages) -> None:
        self._messages = messages
        self._lock = threading.Lock()
        self._running: tuple[threading.Thread, int] | None = None

    def grab(
        self, wanted: Mapping[HotkeyName, Shortcut], pressed: Pressed
    ) -> Mapping[HotkeyName, GrabResult]:
        """Hold these shortcuts; one that another program has is refused."""
        self.close()
        if not wanted:
            return {}
        started: queue.SimpleQueue[tuple[int, dict[HotkeyName, GrabResult]]] = queue.SimpleQueue()
        thread = threading.Thread(
            target=lambda: self._run(wanted, pressed, started),
            name="intaglio-hotkeys-windows",
            daemon=True,
        )
        thread.start()
        number, results = started.get()
        with self._lock:
            self._running = (thread, number)
        return results

    def _run(
        self,
        wanted: Mapping[HotkeyName, Shortcut],
        pressed: Pressed,
        started: "queue.SimpleQueue[tuple[int, dict[HotkeyName, GrabResult]]]",
    ) -> None:
        # Windows sends the messages to the thread that registered.
        own = self._messages.thread()
        numbered = dict(enumerate(wanted.items(), start=1))
        results: dict[HotkeyName, GrabResult] = {}
        held: dict[int, HotkeyName] = {}
        for number, (name, shortcut) in numbered.items():
            bits, code = modifier_bits(shortcut), key_code(shortcut.key)
            if self._messages.register(number, bits, code):
                held[number], results[name] = name, GrabbedKeys()
            else:
                results[name] = TAKEN
        started.put((own, results))
        while (heard := self._messages.next_pressed()) is not None:
            if heard in held:
                pressed(held[heard])
        for number in held:
            self._messages.unregister(number)

    def close(self) -> None:
        """Let the shortcuts go."""
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            thread, number = running
            self._messages.quit(number)
            thread.join(_CLOSE_TIMEOUT_S)


if sys.platform == "win32":
    from ctypes import wintypes

    _WM_HOTKEY: Final = 0x0312
    _WM_QUIT: Final = 0x0012
    _PM_NOREMOVE: Final = 0

    class User32Messages:
        """The real user32; implements `HotkeyMessages`."""

        def __init__(self) -> None:
            self._user32: Any = ctypes.WinDLL("user32", use_last_error=True)
            self._kernel32: Any = ctypes.WinDLL("kernel32")

        def thread(self) -> int:
            """Return the id of this thread; asking for a message makes its queue."""
            message = wintypes.MSG()
            self._user32.PeekMessageW(ctypes.byref(message), None, 0, 0, _PM_NOREMOVE)
            return int(self._kernel32.GetCurrentThreadId())

        def register(self, number: int, modifiers: int, code: int) -> bool:
            """Register a shortcut for this thread."""
            return bool(self._user32.RegisterHotKey(None, number, modifiers, code))

        def unregister(self, number: int) -> None:
            """Let a shortcut of this thread go."""
            self._user32.UnregisterHotKey(None, number)

        def next_pressed(self) -> int | None:
            """Wait for a shortcut; None at WM_QUIT, and after an error."""
            message = wintypes.MSG()
            while self._user32.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
                if message.message == _WM_HOTKEY:
                    return int(message.wParam)
            return None

        def quit(self, thread: int) -> None:
            """Post WM_QUIT to the thread."""
            self._user32.PostThreadMessageW(thread, _WM_QUIT, 0, 0)

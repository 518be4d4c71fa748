"""Holds shortcuts on macOS with Carbon's RegisterEventHotKey, which needs no permission.

Carbon delivers them on the main thread, where the tray icon runs the event loop.
"""

import ctypes
import queue
import sys
import threading
from collections.abc import Callable, Mapping
from ctypes.util import find_library
from typing import Any, Final, Protocol, TypeAlias

from intaglio.base.shortcut import Modifier, Shortcut
from intaglio.desktop.hotkeys.values import TAKEN, GrabbedKeys, GrabResult, Pressed, RefusedKeys
from intaglio.desktop.values import HotkeyName

_MODIFIERS: Final[dict[Modifier, int]] = {
    "Super": 0x0100,
    "Shift": 0x0200,
    "Alt": 0x0800,
    "Ctrl": 0x1000,
}
# The places of the keys on an ANSI keyboard (HIToolbox's Events.h), in the order of their codes.
_LETTERS_AND_DIGITS: Final = {
    **dict(zip("ASDFHGZXCV", range(10), strict=True)),
    **dict(zip("BQWERYT123465", range(11, 24), strict=True)),
    "9": 25,
    "7": 26,
    "8": 28,
    "0": 29,
    "O": 31,
    "U": 32,
    "I": 34,
    "P": 35,
    "L": 37,
    "J": 38,
    "K": 40,
    "N": 45,
    "M": 46,
}
_FUNCTION_CODES: Final = (
    *(122, 120, 99, 118, 96, 97, 98, 100, 101, 109),
    *(103, 111, 105, 107, 113, 106, 64, 79, 80, 90),
)
_CODES: Final = {
    **_LETTERS_AND_DIGITS,
    **{f"F{number}": code for number, code in enumerate(_FUNCTION_CODES, start=1)},
    "Enter": 36,
    "Tab": 48,
    "Space": 49,
    "Insert": 114,
    "Home": 115,
    "PageUp": 116,
    "Delete": 117,
    "End": 119,
    "PageDown": 121,
    "Left": 123,
    "Right": 124,
    "Down": 125,
    "Up": 126,
}
_MAIN_TIMEOUT_S: Final = 20.0
_NO_ICON: Final = RefusedKeys("Shortcuts need the tray icon on macOS.")

OnMain: TypeAlias = Callable[[Callable[[], None]], object]


def key_code(key: str) -> int:
    """Return the virtual key code of a key."""
    return _CODES[key]


def modifier_bits(shortcut: Shortcut) -> int:
    """Return the modifiers as RegisterEventHotKey takes them; Super is the command key."""
    return sum(_MODIFIERS[one] for one in shortcut.modifiers)


class HotkeyEvents(Protocol):
    """What is used of Carbon; every method is for the main thread."""

    def listen(self, pressed: Callable[[int], None]) -> None:
        """Call ``pressed`` with the number of a shortcut; replaces the listener before."""
        ...

    def register(self, number: int, modifiers: int, code: int) -> object | None:
        """Register a shortcut by a number; None if another program has it."""
        ...

    def unregister(self, reference: object) -> None:
        """Let a shortcut go."""
        ...


class MacosGrabber:
    """Registers shortcuts with Carbon; ``on_main`` runs work on the main thread.

    Implements `KeyGrabber`.
    """

    def __init__(
        self, events: HotkeyEvents, on_main: OnMain, main_timeout_s: float = _MAIN_TIMEOUT_S
    ) -> None:
        self._events = events
        self._on_main = on_main
        self._main_timeout_s = main_timeout_s
        self._lock = threading.Lock()
        self._held: list[object] = []

    def grab(
        self, wanted: Mapping[HotkeyName, Shortcut], pressed: Pressed
    ) -> Mapping[HotkeyName, GrabResult]:
        """Hold these shortcuts; one that another program has is refused."""
        done: queue.SimpleQueue[dict[HotkeyName, GrabResult]] = queue.SimpleQueue()
        self._on_main(lambda: done.put(self._register(wanted, pressed)))
        try:
            return done.get(timeout=self._main_timeout_s)
        except queue.Empty:
            return dict.fromkeys(wanted, _NO_ICON)

    def _register(
        self, wanted: Mapping[HotkeyName, Shortcut], pressed: Pressed
    ) -> dict[HotkeyName, GrabResult]:
        self._release()
        names = dict(enumerate(wanted, start=1))

        def listener(number: int) -> None:
            if number in names:
                pressed(names[number])

        self._events.listen(listener)
        results: dict[HotkeyName, GrabResult] = {}
        for number, name in names.items():
            shortcut = wanted[name]
            bits, code = modifier_bits(shortcut), key_code(shortcut.key)
            reference = self._events.register(number, bits, code)
            results[name] = TAKEN if reference is None else GrabbedKeys()
            if reference is not None:
                with self._lock:
                    self._held.append(reference)
        return results

    def _release(self) -> None:
        with self._lock:
            held, self._held = self._held, []
        for reference in held:
            self._events.unregister(reference)

    def close(self) -> None:
        """Let the shortcuts go."""
        self._on_main(self._release)


if sys.platform == "darwin":
    _SIGNATURE: Final = int.from_bytes(b"Itgl")
    _KEYBOARD: Final = int.from_bytes(b"keyb")
    _HOTKEY_PRESSED: Final = 5
    _DIRECT_OBJECT: Final = int.from_bytes(b"----")
    _HOTKEY_ID: Final = int.from_bytes(b"hkid")

    class _EventType(ctypes.Structure):
        _fields_ = (("event_class", ctypes.c_uint32), ("kind", ctypes.c_uint32))

    class _HotkeyId(ctypes.Structure):
        _fields_ = (("signature", ctypes.c_uint32), ("number", ctypes.c_uint32))

    _HANDLER: Final = ctypes.CFUNCTYPE(
        ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
    )

    class CarbonEvents:
        """The real Carbon; implements `HotkeyEvents`."""

        def __init__(self) -> None:
            self._carbon: Any = ctypes.CDLL(find_library("Carbon"))
            self._carbon.GetApplicationEventTarget.restype = ctypes.c_void_p
            self._carbon.InstallEventHandler.argtypes = (
                ctypes.c_void_p,
                _HANDLER,
                ctypes.c_ulong,
                ctypes.POINTER(_EventType),
                ctypes.c_void_p,
                ctypes.c_void_p,
            )
            self._carbon.RegisterEventHotKey.argtypes = (
                ctypes.c_uint32,
                ctypes.c_uint32,
                _HotkeyId,
                ctypes.c_void_p,
                ctypes.c_uint32,
                ctypes.POINTER(ctypes.c_void_p),
            )
            self._carbon.UnregisterEventHotKey.argtypes = (ctypes.c_void_p,)
            self._carbon.GetEventParameter.argtypes = (
                ctypes.c_void_p,
                ctypes.c_uint32,
                ctypes.c_uint32,
                ctypes.c_void_p,
                ctypes.c_ulong,
                ctypes.c_void_p,
                ctypes.POINTER(_HotkeyId),
            )
            self._pressed: Callable[[int], None] | None = None
            # The system keeps no reference to it.
            self._handler = _HANDLER(self._handle)

        def listen(self, pressed: Callable[[int], None]) -> None:
            """Install the handler once, and replace what it calls."""
            first = self._pressed is None
            self._pressed = pressed
            if first:
                kind = _EventType(_KEYBOARD, _HOTKEY_PRESSED)
                target = self._carbon.GetApplicationEventTarget()
                self._carbon.InstallEventHandler(
                    target, self._handler, 1, ctypes.byref(kind), None, None
                )

        def _handle(self, _call: int, event: int, _data: int) -> int:
            found = _HotkeyId()
            self._carbon.GetEventParameter(
                event,
                _DIRECT_OBJECT,
                _HOTKEY_ID,
                None,
                ctypes.sizeof(found),
                None,
                ctypes.byref(found),
            )
            if found.signature == _SIGNATURE and self._pressed is not None:
                self._pressed(int(found.number))
            return 0

        def register(self, number: int, modifiers: int, code: int) -> object | None:
            """Register a shortcut; None for any error, of which another owner is the usual one."""
            reference = ctypes.c_void_p()
            error = self._carbon.RegisterEventHotKey(
                code,
                modifiers,
                _HotkeyId(_SIGNATURE, number),
                self._carbon.GetApplicationEventTarget(),
                0,
                ctypes.byref(reference),
            )
            return None if error else reference

        def unregister(self, reference: object) -> None:
            """Let a shortcut go."""
            self._carbon.UnregisterEventHotKey(reference)

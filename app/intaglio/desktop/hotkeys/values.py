"""What holds shortcuts on a platform, and how each of them is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from intaglio.base.shortcut import Shortcut
from intaglio.desktop.values import HotkeyName

Pressed: TypeAlias = Callable[[HotkeyName], None]


@dataclass(frozen=True, slots=True)
class GrabbedKeys:
    """The shortcut works; ``keys`` are others than the wanted ones if the user chose them."""

    keys: str = ""


@dataclass(frozen=True, slots=True)
class RefusedKeys:
    """The shortcut doesn't work; ``reason`` is a sentence for the user."""

    reason: str


GrabResult: TypeAlias = GrabbedKeys | RefusedKeys

TAKEN: RefusedKeys = RefusedKeys("Another program uses these keys. Choose others.")


class KeyGrabber(Protocol):
    """Holds shortcuts wherever the keyboard is."""

    def grab(
        self, wanted: Mapping[HotkeyName, Shortcut], pressed: Pressed
    ) -> Mapping[HotkeyName, GrabResult]:
        """Hold these shortcuts in place of those before; says of each whether it works.

        ``pressed`` is called on another thread. The call may take as long as the user needs to
        answer the desktop's question; `close` ends it.
        """
        ...

    def close(self) -> None:
        """Let all shortcuts go; may be called from any thread, and before `grab`."""
        ...


class NoGrabber:
    """Stands for a platform that offers no shortcuts; ``reason`` says why."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def grab(
        self, wanted: Mapping[HotkeyName, Shortcut], pressed: Pressed
    ) -> Mapping[HotkeyName, GrabResult]:
        """Refuse all."""
        del pressed
        return dict.fromkeys(wanted, RefusedKeys(self._reason))

    def close(self) -> None:
        """Do nothing."""

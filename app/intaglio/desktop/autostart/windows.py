"""Start at login and links on Windows: values in the user's own part of the registry."""

import contextlib
import sys
from typing import Final, Protocol

from intaglio.desktop.autostart.launcher import LOGIN, Launcher, link_value, run_value

_RUN: Final = r"Software\Microsoft\Windows\CurrentVersion\Run"
_APPROVED: Final = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
_SCHEME: Final = r"Software\Classes\intaglio"
_NAME: Final = "Intaglio"


class Registry(Protocol):
    """The user's part of the registry."""

    def read(self, key: str, name: str) -> object | None:
        """Return a value, None without one."""
        ...

    def write(self, key: str, name: str, value: str) -> None:
        """Write a text, making the key."""
        ...

    def remove(self, key: str, name: str) -> None:
        """Remove a value; nothing happens without one."""
        ...

    def remove_key(self, key: str) -> None:
        """Remove a key that has no keys below it; nothing happens without one."""
        ...


class WindowsAutostart:
    """A value under Run, and the class of our links."""

    def __init__(self, registry: Registry, launcher: Launcher) -> None:
        self._registry = registry
        self._launcher = launcher

    def is_on(self) -> bool:
        """Tell whether the value is there and the Task Manager does not hold it back."""
        if self._registry.read(_RUN, _NAME) is None:
            return False
        approved = self._registry.read(_APPROVED, _NAME)
        # An odd first byte: the user switched it off there.
        return not (isinstance(approved, bytes) and approved and approved[0] & 1)

    def is_stale(self) -> bool:
        """Tell whether a value differs from what would be written now."""
        return self._registry.read(_RUN, _NAME) != run_value(self._launcher, LOGIN) or (
            self._registry.read(rf"{_SCHEME}\shell\open\command", "") != link_value(self._launcher)
        )

    def switch(self, *, on: bool) -> None:
        """Write the values, or remove them."""
        if on:
            self._registry.remove(_APPROVED, _NAME)
            self._registry.write(_RUN, _NAME, run_value(self._launcher, LOGIN))
            self._registry.write(_SCHEME, "", "URL:Intaglio")
            self._registry.write(_SCHEME, "URL Protocol", "")
            command = link_value(self._launcher)
            self._registry.write(rf"{_SCHEME}\shell\open\command", "", command)
        else:
            self._registry.remove(_RUN, _NAME)
            for below in (r"\shell\open\command", r"\shell\open", r"\shell", ""):
                self._registry.remove_key(f"{_SCHEME}{below}")


if sys.platform == "win32":
    import winreg

    class _UserRegistry:
        def read(self, key: str, name: str) -> object | None:
            with (
                contextlib.suppress(OSError),
                winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened,
            ):
                value: object = winreg.QueryValueEx(opened, name)[0]
                return value
            return None

        def write(self, key: str, name: str, value: str) -> None:
            with winreg.CreateKey(winreg.HKEY_CURRENT_USER, key) as made:
                winreg.SetValueEx(made, name, 0, winreg.REG_SZ, value)

        def remove(self, key: str, name: str) -> None:
            with (
                contextlib.suppress(OSError),
                winreg.OpenKey(
                    winreg.HKEY_CURRENT_USER, key, access=winreg.KEY_SET_VALUE
                ) as opened,
            ):
                winreg.DeleteValue(opened, name)

        def remove_key(self, key: str) -> None:
            with contextlib.suppress(OSError):
                winreg.DeleteKey(winreg.HKEY_CURRENT_USER, key)

    def user_registry() -> Registry:
        """Return the registry of this user."""
        return _UserRegistry()
else:

    def user_registry() -> Registry:
        """Raise OSError: there is none here."""
        raise OSError("only Windows has a registry")

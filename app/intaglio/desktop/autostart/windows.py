"""Start at login and links on Windows: values in the user's registry."""

import contextlib
import sys
from typing import Final, Protocol

from intaglio.desktop.autostart.launcher import LOGIN_OPTION, Launcher, link_value, run_value
from intaglio.desktop.registry import read_registry

_RUN: Final = r"Software\Microsoft\Windows\CurrentVersion\Run"
_APPROVED: Final = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
_SCHEME: Final = r"Software\Classes\intaglio"
_NAME: Final = "Intaglio"


class Registry(Protocol):
    """The registry's HKEY_CURRENT_USER."""

    def read(self, key: str, name: str) -> object | None:
        """Return a value, None if it doesn't exist."""
        ...

    def write(self, key: str, name: str, value: str) -> None:
        """Write a text value, creating the key if needed."""
        ...

    def remove(self, key: str, name: str) -> None:
        """Remove a value if it exists."""
        ...

    def remove_key(self, key: str) -> None:
        """Remove a key without subkeys if it exists."""
        ...


class WindowsAutostart:
    """A value under Run, and the URL class of our links."""

    def __init__(self, registry: Registry, launcher: Launcher) -> None:
        self._registry = registry
        self._launcher = launcher

    def is_on(self) -> bool:
        """Return whether the value exists and isn't disabled in the Task Manager."""
        if self._registry.read(_RUN, _NAME) is None:
            return False
        approved = self._registry.read(_APPROVED, _NAME)
        # An odd first byte means that the user disabled it there.
        return not (isinstance(approved, bytes) and approved and approved[0] & 1)

    def is_stale(self) -> bool:
        """Return whether a value differs from what would be written now."""
        return self._registry.read(_RUN, _NAME) != run_value(self._launcher, LOGIN_OPTION) or (
            self._registry.read(rf"{_SCHEME}\shell\open\command", "") != link_value(self._launcher)
        )

    def entries(self) -> tuple[str, ...]:
        """Return the value under Run and the key of the URL class."""
        values = {rf"{_RUN}\{_NAME}": (_RUN, _NAME), _SCHEME: (_SCHEME, "URL Protocol")}
        return tuple(
            rf"HKEY_CURRENT_USER\{shown}"
            for shown, (key, name) in values.items()
            if self._registry.read(key, name) is not None
        )

    def switch(self, *, on: bool) -> None:
        """Write or remove the values."""
        if on:
            self._registry.remove(_APPROVED, _NAME)
            self._registry.write(_RUN, _NAME, run_value(self._launcher, LOGIN_OPTION))
            self._registry.write(_SCHEME, "", "URL:Intaglio")
            self._registry.write(_SCHEME, "URL Protocol", "")
            command = link_value(self._launcher)
            self._registry.write(rf"{_SCHEME}\shell\open\command", "", command)
        else:
            self._registry.remove(_APPROVED, _NAME)
            self._registry.remove(_RUN, _NAME)
            for below in (r"\shell\open\command", r"\shell\open", r"\shell", ""):
                self._registry.remove_key(f"{_SCHEME}{below}")


if sys.platform == "win32":
    import winreg

    class _UserRegistry:
        def read(self, key: str, name: str) -> object | None:
            return read_registry("user", key, name)

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
        """Return this user's registry."""
        return _UserRegistry()
else:

    def user_registry() -> Registry:
        """Raise OSError: this system has no registry."""
        raise OSError("only Windows has a registry")

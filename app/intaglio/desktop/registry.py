"""Reads the registry of Windows."""

import contextlib
import sys
from collections.abc import Callable
from typing import Literal, TypeAlias

Hive: TypeAlias = Literal["user", "machine"]
RegistryReader: TypeAlias = Callable[[Hive, str, str], object | None]


def read_registry(hive: Hive, key: str, name: str) -> object | None:
    """Return a value of this user's or the machine's registry.

    None if it doesn't exist, and on every other system.
    """
    if sys.platform == "win32":
        import winreg  # noqa: PLC0415 - Windows alone has it

        root = winreg.HKEY_CURRENT_USER if hive == "user" else winreg.HKEY_LOCAL_MACHINE
        with contextlib.suppress(OSError), winreg.OpenKey(root, key) as opened:
            value: object = winreg.QueryValueEx(opened, name)[0]
            return value
    return None

"""Whether Windows has WebView2, the part of Edge that shows pages in windows of other programs.

Source: Microsoft, "Distribute your app and the WebView2 Runtime", section on detecting it.
"""

from typing import Final

from intaglio.desktop.registry import Hive, RegistryReader, read_registry

_CLIENT: Final = r"Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"
_KEYS: Final[tuple[tuple[Hive, str], ...]] = (
    ("machine", rf"SOFTWARE\WOW6432Node\{_CLIENT}"),
    ("machine", rf"SOFTWARE\{_CLIENT}"),
    ("user", rf"SOFTWARE\{_CLIENT}"),
)
_VERSION: Final = "pv"
_REMOVED: Final = "0.0.0.0"  # noqa: S104 - a version, not an address


def has_webview2(read: RegistryReader = read_registry) -> bool:
    """Return whether it is installed for this user or for all."""
    return any((read(hive, key, _VERSION) or _REMOVED) != _REMOVED for hive, key in _KEYS)

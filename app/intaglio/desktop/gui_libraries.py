"""Loads the desktop libraries on first use: not every machine has them, or a screen."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any


def gi_library(name: str, version: str) -> Any:  # noqa: ANN401 - libraries of gi have no types
    """Load a library through gi; raises ImportError or ValueError if it isn't installed."""
    import gi  # type: ignore[import-untyped]  # noqa: PLC0415 - Linux alone has it  # no types

    untyped: Any = gi
    untyped.require_version(name, version)
    return importlib.import_module(f"gi.repository.{name}")


def pystray_library() -> Any:  # noqa: ANN401 - pystray has no types
    """Load the tray library; raises ImportError or an X error if there is no screen."""
    import pystray  # type: ignore[import-untyped]  # noqa: PLC0415 - importing it needs a screen  # no types

    return pystray


def x_library() -> Any:  # noqa: ANN401 - its types are a package of their own
    """Load the X client that pystray depends on; raises ImportError if it isn't installed."""
    import Xlib.display  # type: ignore[import-untyped]  # noqa: PLC0415 - Linux alone has it  # see above

    return Xlib


def webview_library() -> ModuleType:
    """Load pywebview; it loads its toolkit when it starts."""
    if importlib.util.find_spec("proxy_tools") is None:
        sys.modules["proxy_tools"] = _proxy_tools()
    import webview  # noqa: PLC0415 - only the window's process needs it

    return webview


class _Computed:
    """A list that is computed each time it is read."""

    def __init__(self, compute: Callable[[], list[object]]) -> None:
        self._compute = compute

    def __iter__(self) -> Iterator[object]:
        return iter(self._compute())


def _proxy_tools() -> ModuleType:
    """Return a stand-in for proxy_tools, which has no wheel, with the one name pywebview uses."""
    module = ModuleType("proxy_tools")
    module.__dict__["module_property"] = _Computed
    return module

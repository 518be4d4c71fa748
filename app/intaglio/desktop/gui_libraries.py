"""Loads the desktop libraries on first use: not every machine has them, or a screen."""

import importlib.util
import site
import sys
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, Final

_GI: Final = "gi"
_DEBIAN_PACKAGES: Final = "/usr/lib/python3/dist-packages"


def find_gi() -> bool:
    """Return whether gi can be loaded; from the system's packages, too, if it was built for them.

    pipx and uv make environments that don't see the system's packages, and gi comes from there.
    """
    if importlib.util.find_spec(_GI) is not None:
        return True
    return load_gi_from(_system_folders(), str(sysconfig.get_config_var("EXT_SUFFIX")))


def has_gi_of_another_python() -> bool:
    """Return whether the system has gi; call it if `find_gi` found none for this Python."""
    return any(Path(folder, _GI).is_dir() for folder in _system_folders())


def _system_folders() -> Sequence[str]:
    return (_DEBIAN_PACKAGES, *site.getsitepackages([sys.base_prefix]))


def load_gi_from(folders: Sequence[str], suffix: str) -> bool:
    """Load gi, and nothing else, from the first folder where it fits; return whether there is one.

    ``suffix`` ends the file names of this Python's extension modules.
    """
    for folder in folders:
        spec = PathFinder.find_spec(_GI, [folder])
        if not (spec and spec.loader and Path(folder, _GI, f"_gi{suffix}").is_file()):
            continue
        module = importlib.util.module_from_spec(spec)
        sys.modules[_GI] = module
        try:
            spec.loader.exec_module(module)
        except ImportError:
            del sys.modules[_GI]
            continue
        return True
    return False


def gi_library(name: str, version: str) -> Any:  # noqa: ANN401 - libraries of gi have no types
    """Load a library through gi; raises ImportError or ValueError if it isn't installed."""
    find_gi()
    import gi  # type: ignore[import-untyped]  # noqa: PLC0415 - Linux alone has it  # no types

    untyped: Any = gi
    untyped.require_version(name, version)
    return importlib.import_module(f"gi.repository.{name}")


def library_versions(name: str) -> Sequence[str]:
    """Return the installed versions of a library of gi, without loading it; gi must be there."""
    import gi  # noqa: PLC0415 - see above

    untyped: Any = gi
    versions: Sequence[str] = untyped.Repository.get_default().enumerate_versions(name)
    return versions


def pystray_library() -> Any:  # noqa: ANN401 - pystray has no types
    """Load the tray library; raises ImportError or an X error if there is no screen."""
    find_gi()
    import pystray  # type: ignore[import-untyped]  # noqa: PLC0415 - importing it needs a screen  # no types

    return pystray


def x_library() -> Any:  # noqa: ANN401 - its types are a package of their own
    """Load the X client that pystray depends on; raises ImportError if it isn't installed."""
    import Xlib.display  # type: ignore[import-untyped]  # noqa: PLC0415 - Linux alone has it  # see above
    import Xlib.XK  # type: ignore[import-untyped]  # noqa: PLC0415 - see above  # see above

    return Xlib


def mac_library(name: str) -> Any:  # noqa: ANN401 - libraries of PyObjC have no types
    """Load a library of macOS through PyObjC; raises ImportError if it isn't installed."""
    return importlib.import_module(name)


def webview_library() -> ModuleType:
    """Load pywebview; it loads its toolkit when it starts."""
    find_gi()
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

"""How this copy of Intaglio was installed, and so which program may update or remove it."""

import sys
from pathlib import Path
from typing import Final, Literal, TypeAlias, cast, get_args

import intaglio

InstalledBy: TypeAlias = Literal[
    "deb", "folder", "inno", "app-bundle", "pipx", "uv", "pip", "clone"
]
"""``inno`` and ``app-bundle`` are the packages of Windows and macOS; ``folder`` is their contents,
unpacked by hand."""

NOTE: Final = "installed-by.txt"
"""The file in ``_built`` into which a package that isn't a wheel writes its kind."""


def installed_by(package: Path | None = None, prefix: Path | None = None) -> InstalledBy:
    """Return how Intaglio was installed; ``package`` is its folder, ``prefix`` Python's.

    pipx and uv leave a file in the environment that they made; a clone has its project file two
    folders above the package.
    """
    folder = package or Path(intaglio.__file__).parent
    environment = prefix or Path(sys.prefix)
    try:
        kind = (folder / "_built" / NOTE).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        kind = ""
    if kind in get_args(InstalledBy):
        return cast("InstalledBy", kind)
    if (environment / "pipx_metadata.json").is_file():
        return "pipx"
    if (environment / "uv-receipt.toml").is_file():
        return "uv"
    if (folder.parent.parent / "pyproject.toml").is_file():
        return "clone"
    return "pip"


def how_to_reinstall() -> str:
    """Return what puts missing or damaged files of the program back, as an imperative."""
    return "Run `python3 app run`" if installed_by() == "clone" else "Reinstall Intaglio"

"""How the program itself is removed, once nothing refers to it."""

from pathlib import Path

from intaglio.base.installation import shell_line
from intaglio.base.installed_by import InstalledBy


def removal_hint(kind: InstalledBy, python: str, package: Path) -> tuple[str, str]:
    """Return what to do in words, and the command, empty if there is none.

    ``package`` is the folder of the Python package, ``python`` the interpreter that has it.
    """
    # pipx and uv know the environment by its folder's name, which a suffix may have changed.
    name = Path(python).parent.parent.name
    by_package_manager = "To remove the program, run:"
    hints: dict[InstalledBy, tuple[str, str]] = {
        "deb": (by_package_manager, "sudo apt purge intaglio"),
        "uv": (by_package_manager, shell_line(("uv", "tool", "uninstall", name))),
        "pipx": (by_package_manager, shell_line(("pipx", "uninstall", name))),
        "pip": (by_package_manager, shell_line((python, "-m", "pip", "uninstall", "intaglio"))),
        "clone": (f"To remove the program, delete the folder {package.parent.parent}.", ""),
        "folder": (f"To remove the program, delete the folder {Path(python).parent}.", ""),
        "inno": ("To remove the program, open Windows' settings, then Apps.", ""),
        "app-bundle": ("To remove the program, move Intaglio to the Trash.", ""),
    }
    return hints[kind]

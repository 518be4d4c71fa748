"""A harness that is nothing but its folder: found in this process, or in a copy of the package."""

import os
import shutil
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from intaglio import harness as package

FOLDERS = Path(__file__).with_name("harnesses")


@contextmanager
def on_the_path(folders: Path = FOLDERS) -> Generator[None]:
    """Let the registry find the harnesses below ``folders`` too, while the block runs."""
    before = list(package.__path__)
    package.__path__.append(str(folders))
    try:
        yield
    finally:
        package.__path__[:] = before
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", "")).startswith(f"{folders}{os.sep}"):
                del sys.modules[name]


def package_with(harness: str, folder: Path) -> Path:
    """Make a package tree that holds one harness more; returns what belongs on PYTHONPATH."""
    real, tree = Path(package.__file__ or "").parents[1], folder / "app" / "intaglio"
    tree.mkdir(parents=True)
    for entry in real.iterdir():
        if entry.name not in {"harness", "__pycache__"}:
            (tree / entry.name).symlink_to(entry)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(real / "harness", tree / "harness", ignore=ignored)
    shutil.copytree(FOLDERS / harness, tree / "harness" / harness, ignore=ignored)
    return tree.parent

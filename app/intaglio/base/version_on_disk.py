"""The version on disk, which differs from the running one after an update."""

import re
from pathlib import Path
from typing import Final

import intaglio

_VERSION: Final = re.compile(r'^__version__ = "([^"\n]{1,100})"$', re.MULTILINE)


def version_on_disk(package: Path | None = None) -> str | None:
    """Return the version on disk; None if it can't be read, as while it is being replaced.

    Reads one small file of the package, whose folder is ``package``. Every package has it as a
    source file, a PyInstaller build too.
    """
    folder = package or Path(intaglio.__file__).parent
    try:
        found = _VERSION.search((folder / "__init__.py").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return None
    return found[1] if found else None

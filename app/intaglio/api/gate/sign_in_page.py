"""Private files that lead a browser to its sign-in link.

Every user of a machine can read the arguments of every process. A browser is therefore started
with the name of a file that only its user can read, and the link is in the file
(decision record 0041).
"""

import contextlib
import secrets
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Final

from intaglio.base.paths import write_private
from intaglio.wire.access import BrowserSandbox

PAGE_LIFE_S: Final = 60.0
_FOLDER: Final = "sign-in"
_SANDBOX_FOLDER: Final = "intaglio-sign-in"
_PAGE: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={url}"><title>Intaglio</title>
<p><a href="{url}">Open Intaglio</a></p>
</html>
"""


class SignInPages:
    """Writes and deletes the files; each lives until its link is used, or for a minute."""

    def __init__(self, state: Path, home: Callable[[], Path]) -> None:
        self._state = state
        self._home = home
        self._files: dict[str, Path] = {}

    def write(self, key: str, url: str, sandbox: BrowserSandbox | None) -> Path:
        """Write the file for a link with this key, where the browser can read it.

        ``sandbox`` is that of the browser, if it has one: such a browser sees only its own folder
        of the user's home. Delete it after `PAGE_LIFE_S`.
        """
        file = self._folder(sandbox) / f"{secrets.token_hex(8)}.html"
        write_private(file, _PAGE.format(url=escape(url)))
        self._files[key] = file
        return file

    def delete(self, key: str) -> None:
        """Delete the file for this key, if there is one."""
        file = self._files.pop(key, None)
        if file is not None:
            with contextlib.suppress(OSError):
                file.unlink(missing_ok=True)

    def clear(self) -> None:
        """Delete all files, also those that an earlier daemon left; their links are void."""
        for key in list(self._files):
            self.delete(key)
        for file in (self._state / _FOLDER).glob("*.html"):
            with contextlib.suppress(OSError):
                file.unlink(missing_ok=True)

    def _folder(self, sandbox: BrowserSandbox | None) -> Path:
        if sandbox is not None:
            parents = {
                "snap": Path("snap", sandbox.app, "common"),
                "flatpak": Path(".var", "app", sandbox.app, "cache"),
            }
            own = self._home() / parents[sandbox.kind]
            # Without it, the browser isn't what it seems; a folder of ours wouldn't help it.
            if own.is_dir():
                return own / _SANDBOX_FOLDER
        return self._state / _FOLDER

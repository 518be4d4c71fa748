"""Start at login and links on Linux, by the freedesktop.org specifications."""

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from intaglio.base.files.regular_file import read_regular
from intaglio.desktop.autostart.launcher import (
    MIME_TYPE,
    Launcher,
    application_entry,
    autostart_entry,
)
from intaglio.desktop.autostart.mimeapps import default_for, with_default, without_default

_NAME: Final = "intaglio.desktop"


def _read(file: Path) -> str | None:
    try:
        return read_regular(file).decode("utf-8", "surrogateescape")
    except OSError:
        return None


def _write(file: Path, text: str) -> None:
    """Replace a file atomically; follows symbolic links and keeps its permissions."""
    file.parent.mkdir(parents=True, exist_ok=True)
    real = file.resolve()
    part = real.with_name(f".{real.name}.{os.getpid()}.part")
    try:
        part.write_bytes(text.encode("utf-8", "surrogateescape"))
        with contextlib.suppress(OSError):
            part.chmod(real.stat().st_mode & 0o777)
        part.replace(real)
    finally:
        part.unlink(missing_ok=True)


class LinuxAutostart:
    """An autostart entry, an application entry, and the default application for our links."""

    def __init__(self, home: Path, env: Mapping[str, str], launcher: Launcher) -> None:
        config = Path(env.get("XDG_CONFIG_HOME") or home / ".config")
        data = Path(env.get("XDG_DATA_HOME") or home / ".local" / "share")
        self._launcher = launcher
        self._entry = config / "autostart" / _NAME
        self._application = data / "applications" / _NAME
        self._defaults = config / "mimeapps.list"

    def is_on(self) -> bool:
        """Return whether the entry exists and is neither hidden nor disabled by the desktop."""
        text = _read(self._entry)
        if text is None:
            return False
        lines = {line.strip().replace(" ", "").lower() for line in text.splitlines()}
        return not lines & {"hidden=true", "x-gnome-autostart-enabled=false"}

    def is_stale(self) -> bool:
        """Return whether an entry differs from what would be written now."""
        return _read(self._entry) != autostart_entry(self._launcher) or _read(
            self._application
        ) != application_entry(self._launcher)

    def entries(self) -> tuple[str, ...]:
        """Return the entries, and the list of default applications if it names ours."""
        ours = [file for file in (self._entry, self._application) if os.path.lexists(file)]
        if default_for(_read(self._defaults) or "", MIME_TYPE) == _NAME:
            ours.append(self._defaults)
        return tuple(map(str, ours))

    def switch(self, *, on: bool) -> None:
        """Write the entries, or remove them."""
        defaults = _read(self._defaults)
        if on:
            _write(self._entry, autostart_entry(self._launcher))
            _write(self._application, application_entry(self._launcher))
            updated = with_default(defaults or "", MIME_TYPE, _NAME)
        else:
            self._entry.unlink(missing_ok=True)
            self._application.unlink(missing_ok=True)
            updated = without_default(defaults or "", MIME_TYPE, _NAME)
        if updated == (defaults or ""):
            return
        if updated:
            _write(self._defaults, updated)
        else:
            self._defaults.unlink(missing_ok=True)

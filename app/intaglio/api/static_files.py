"""Finds the dashboard's file for a path, and how long a browser may cache it."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".map": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
    ".txt": "text/plain; charset=utf-8",
}
# Vite puts a content hash into the file names below assets/.
_HASHED = re.compile(r"^assets/.+(?<=[-.][A-Za-z0-9_-]{8})\.[a-z0-9]+$")
_SETTINGS: Final = "settings/"
_NOT_BUILT = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Intaglio</title>
<h1>Intaglio is running</h1>
<p>The dashboard isn't built yet. In a checkout, run <code>python3 app ui</code>, then reload.</p>
<p>The API: <a href="/health">/health</a>, <a href="/api/openapi.json">OpenAPI document</a>.
</html>
"""


@dataclass(frozen=True, slots=True)
class SiteFile:
    """A file's bytes and its response headers."""

    body: bytes
    media_type: str
    etag: str
    cache_control: str


def find_page(folder: Path, path: str) -> SiteFile | None:
    """Return the file for a path, or None.

    A path without a dot is a view of the dashboard and gets its index page; so does that of a
    setting, whose key has dots. Nothing outside the folder is ever read, whatever the path
    contains.
    """
    name = path.strip("/")
    if "." not in name.rpartition("/")[2] or name.startswith(_SETTINGS):
        name = "index.html"
    file = _inside(folder, name)
    if file is not None:
        return _page(file, name)
    if name == "index.html":
        return SiteFile(_NOT_BUILT, _TYPES[".html"], '"not-built"', "no-store")
    return None


def _inside(folder: Path, name: str) -> Path | None:
    if "\0" in name or "\\" in name or ":" in name:
        return None
    root = folder.resolve()
    try:
        file = (root / name).resolve()
        found = file.is_relative_to(root) and file.suffix.lower() in _TYPES and file.is_file()
    except OSError:
        # A name that no file can have, for example one that is too long.
        return None
    return file if found else None


def _page(file: Path, name: str) -> SiteFile:
    status = file.stat()
    return SiteFile(
        body=file.read_bytes(),
        media_type=_TYPES[file.suffix.lower()],
        etag=f'"{status.st_mtime_ns:x}-{status.st_size:x}"',
        cache_control=(
            "public, max-age=31536000, immutable" if _HASHED.match(name) else "no-cache"
        ),
    )

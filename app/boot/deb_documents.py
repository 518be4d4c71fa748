"""The texts of the Debian package that are generated: copyright, changelogs, list of commands."""

import gzip
from collections.abc import Mapping, Sequence
from datetime import datetime

from boot.deb_target import Release
from boot.third_party import NOTICES, Component

# For a package that is built for oneself.
_NAME, _ADDRESS = "Intaglio", "intaglio@localhost"


def fill(text: str, values: Mapping[str, str]) -> str:
    """Replace ``@NAME@`` by the values."""
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def packed(text: str) -> bytes:
    """Compress a text, to the same bytes each time."""
    return gzip.compress(text.encode(), 9, mtime=0)


def maintainer(env: Mapping[str, str]) -> str:
    """Return the maintainer, from the variables that Debian's own tools read."""
    return f"{env.get('DEBFULLNAME') or _NAME} <{env.get('DEBEMAIL') or _ADDRESS}>"


def copyright_text(bundled: Sequence[Component]) -> str:
    """Return the machine-readable copyright file; ``bundled`` are the Python packages inside."""
    listed = (f" {each.name} {each.version}: {each.license or 'unknown'}" for each in bundled)
    lines = (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
        "Upstream-Name: Intaglio",
        f"Comment: intaglio/_built/licenses/{NOTICES}, below /opt/intaglio/lib,",
        " has the licences of all works of others in this package: the dashboard's packages, the",
        " model, and these Python packages:",
        " .",
        *listed,
        "",
        "Files: *",
        "Copyright: 2026 the authors of Intaglio",
        "License: Apache-2.0",
        " On Debian systems, the text of this licence is in /usr/share/common-licenses/Apache-2.0.",
    )
    return "\n".join(lines) + "\n"


def debian_changelog(version: str, release: Release, author: str, moment: datetime) -> str:
    """Return the changelog of the packaging, in Debian's format; ours is another file."""
    return (
        f"intaglio ({version}) {release.name}; urgency=medium\n\n"
        f"  * Built for Debian {release.number}, with its Python {release.python_version}.\n\n"
        f" -- {author}  {moment:%a, %d %b %Y %H:%M:%S +0000}\n"
    )

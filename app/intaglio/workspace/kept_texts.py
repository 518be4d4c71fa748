"""Keeps texts of the user's files that were replaced, or that a conflict is about.

They are files of their own, 0600, named by their content: the database takes secrets out of
whatever it stores, so a text from there might not be the one that has to be put back.
"""

import contextlib
import hashlib
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intaglio.base.files.regular_file import read_regular
from intaglio.base.paths import write_private

_NAME: Final = re.compile(r"[0-9a-f]{64}")
# A block's digest is the beginning of its body's name.
_DIGEST: Final = re.compile(r"[0-9a-f]{16}")
_DIGEST_CHARS: Final = 16


@dataclass(frozen=True, slots=True)
class KeptTexts:
    """Texts in a folder."""

    folder: Path

    def keep(self, content: bytes) -> str:
        """Keep a text and return its name; raises OSError if it can't be written."""
        name = hashlib.sha256(content).hexdigest()
        file = self.folder / name
        if not file.exists():
            write_private(file, content)
        return name

    def keep_body(self, body: str) -> str:
        """Keep the body of a block."""
        return self.keep(body.encode("utf-8", "surrogateescape"))

    def read(self, name: str | None) -> bytes | None:
        """Return a kept text; None if it is gone."""
        if name is None or not _NAME.fullmatch(name):
            return None
        try:
            return read_regular(self.folder / name)
        except OSError:
            return None

    def body(self, name: str | None) -> str | None:
        """Return the body of a block; None if it is gone."""
        content = self.read(name)
        return None if content is None else content.decode("utf-8", "surrogateescape")

    def name_of(self, digest: str) -> str | None:
        """Return the name of the body with a block's digest; None if it isn't kept."""
        if not _DIGEST.fullmatch(digest):
            return None
        return next((file.name for file in self.folder.glob(f"{digest}*")), None)

    def prune(self, needed: Collection[str]) -> None:
        """Delete what isn't needed any more; ``needed`` are names, or digests of blocks."""
        with contextlib.suppress(OSError):
            for file in self.folder.iterdir():
                is_needed = file.name in needed or digest_of_name(file.name) in needed
                if _NAME.fullmatch(file.name) and not is_needed:
                    file.unlink(missing_ok=True)


def digest_of_name(name: str) -> str:
    """Return the digest that a block with a kept body has."""
    return name[:_DIGEST_CHARS]

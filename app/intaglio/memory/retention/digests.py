"""Digests by which what was forgotten is known without its content; pure."""

from hashlib import sha256
from typing import Final

from intaglio.memory.values import Scope, Source

_BYTES: Final = 16


def of_source(source: Source) -> bytes | None:
    """Return the digest of a source; None where it has no id."""
    return None if source.id is None else _digest("source", source.type, source.id)


def of_content(scope: Scope, content_hash: bytes) -> bytes:
    """Return the digest of a content in a scope; ``content_hash`` is that of the memory."""
    where = (scope.agent_id, scope.visibility, scope.project or "")
    return _digest("content", *where, content_hash.hex())


def _digest(*parts: str) -> bytes:
    told = sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        # Each part with its length: no two lists of parts make one text.
        told.update(len(data).to_bytes(8, "big") + data)
    return told.digest()[:_BYTES]

"""Which rows have expired, and the hashes of forgotten content; pure functions."""

from collections.abc import Sequence
from hashlib import sha256
from itertools import takewhile
from typing import Final, TypeAlias

from intaglio.memory.values import Scope, Source

Dated: TypeAlias = tuple[int, str]
"""A row number and the time of its writing."""

_HASH_BYTES: Final = 16


def stored_hash(content_hash: bytes) -> bytes:
    """Return the part of a content's hash that is stored with a memory: 16 bytes."""
    return content_hash[:_HASH_BYTES]


def expired_prefix(rows: Sequence[Dated], before: str, now: str) -> list[int]:
    """Return the numbers of the rows at the start of a log that are older than ``before``.

    Only from the start, so that a log never has gaps. A row dated in the future was written while
    the clock was wrong; it is included if a row after it is old.
    """
    old = list(takewhile(lambda row: row[1] < before or row[1] > now, rows))
    while old and old[-1][1] >= before:
        old.pop()
    return [number for number, _ in old]


def source_hash(source: Source) -> bytes | None:
    """Return the hash that identifies a forgotten source; None if it has no id."""
    return None if source.id is None else _hash("source", source.type, source.id)


def scoped_hash(scope: Scope, content_hash: bytes) -> bytes:
    """Return the hash that identifies forgotten content in its scope."""
    where = (scope.agent_id, scope.visibility, scope.project or "")
    return _hash("content", *where, content_hash.hex())


def content_marks(scope: Scope, content_hash: bytes) -> tuple[bytes, bytes]:
    """Return the hashes by which forgotten content is known: of the stored part and of the whole.

    Earlier versions stored the whole hash, and made the mark of that.
    """
    return scoped_hash(scope, stored_hash(content_hash)), scoped_hash(scope, content_hash)


def _hash(*parts: str) -> bytes:
    whole = sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        # Each part is prefixed with its length, so that different lists never hash the same text.
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.digest()[:_HASH_BYTES]

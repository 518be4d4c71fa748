"""What is over its time, and what is still known of the forgotten; pure."""

from collections.abc import Sequence
from hashlib import sha256
from itertools import takewhile
from typing import Final, TypeAlias

from intaglio.memory.values import Scope, Source

Dated: TypeAlias = tuple[int, str]
"""A row's number and the moment of its writing."""

_HASH_BYTES: Final = 16


def leading(rows: Sequence[Dated], before: str, now: str) -> list[int]:
    """Return the numbers of the rows at the beginning of a log that are older than ``before``.

    Only from the beginning, so that a log never has holes. A moment to come was written while the
    clock was wrong; such a row goes when one behind it is old.
    """
    old = list(takewhile(lambda row: row[1] < before or row[1] > now, rows))
    while old and old[-1][1] >= before:
        old.pop()
    return [number for number, _ in old]


def source_hash(source: Source) -> bytes | None:
    """Return the hash by which a forgotten source is known; None where it has no id."""
    return None if source.id is None else _hash("source", source.type, source.id)


def scoped_hash(scope: Scope, content_hash: bytes) -> bytes:
    """Return the hash by which a forgotten content is known in its scope."""
    where = (scope.agent_id, scope.visibility, scope.project or "")
    return _hash("content", *where, content_hash.hex())


def _hash(*parts: str) -> bytes:
    whole = sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        # Each part with its length: no two lists of parts make one text.
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.digest()[:_HASH_BYTES]

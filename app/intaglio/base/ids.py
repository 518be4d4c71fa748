"""Identifiers that sort by time and never collide across devices."""

import os
import uuid
from collections.abc import Callable
from typing import TypeAlias

from intaglio.base.clock import Clock

NewId: TypeAlias = Callable[[], str]
"""Returns a new identifier as text (36 characters)."""

Entropy: TypeAlias = Callable[[int], bytes]
"""Returns this many random bytes."""

_VERSION_7 = 0x7
_VARIANT_RFC = 0b10


def uuid7_source(clock: Clock, entropy: Entropy = os.urandom) -> NewId:
    """Create a source of UUIDv7 (RFC 9562 §5.7): 48 bits of Unix milliseconds, 74 random bits."""

    def new_id() -> str:
        millis = int(clock().timestamp() * 1000) & ((1 << 48) - 1)
        random = int.from_bytes(entropy(10), "big")
        head = (millis << 16) | (_VERSION_7 << 12) | (random >> 62 & 0xFFF)
        tail = (_VARIANT_RFC << 62) | (random & ((1 << 62) - 1))
        return str(uuid.UUID(int=(head << 64) | tail))

    return new_id
